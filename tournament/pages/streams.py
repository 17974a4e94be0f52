"""Server-sent events: phones, walls and desks hold one answer each, and get the version when it changes.

A page asks with `Accept: text/event-stream`. The view decides who may see it and offers a channel; a thread notices
changes of the data, in this process or another, and computes the version of a channel once for all who hold it. Who
holds one costs no thread. A channel with a page sends its new live part along, drawn and compressed once.

With polls the last of 500 phones had its page 7.8 s after a release; with streams 1.3 s (docs/developer/load.md).
"""

import asyncio
import io
import json
import threading
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, close_old_connections, connection
from django.http import Http404, HttpRequest
from django.urls import resolve
from django.utils.translation import get_language_from_request, override

from tournament.core.threads import LoopThread, attempt, note_failure

EVENT_STREAM: Final = "text/event-stream"
OFFERED, DRAWN = "hanchan.channel", "hanchan.drawn"  # in a request's META
BEAT: Final = 20  # seconds between two signs of life: a phone that hears none for longer asks again
# Streams that are told within a hundredth of a second: of a version, after which each asks, and of a new part
ASKING_AT_ONCE, TOLD_AT_ONCE = 10, 100
PAUSE: Final = 0.01

INSTEAD: Final = frozenset({b"content-type", b"cache-control", b"content-length", b"etag", b"vary"})
GZIP_LEVEL: Final = 6
GZIP_HEAD: Final = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
LONGEST: Final = 2**20  # bytes of a part: each process holds those that it sends
SHORT: Final = 256  # bytes up to which a message is sent as it is: to compress it takes longer

Headers = list[tuple[bytes, bytes]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Versions = Callable[[str, Iterable[int | None]], Mapping[int | None, str]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page with all that its live part depends on: phones whose pages are equal get the same bytes."""

    scheme: str
    host: str
    path: str
    cookie: str  # whom the phone follows, and its language
    first: bool = False  # before other pages: what a player waits for after a release

    def request(self, seen: str) -> HttpRequest:
        """Return the request of static/js/live_fragment.js for the part of a page that shows the mark `seen`."""
        from django.contrib.auth.models import AnonymousUser  # needs all apps, and a server may import this before

        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": self.path.encode().decode("latin-1"),
            "QUERY_STRING": f"seen={seen}",
            "HTTP_HOST": self.host,
            "HTTP_COOKIE": self.cookie,
            "HTTP_HX_REQUEST": "true",
            "wsgi.url_scheme": self.scheme,
            "wsgi.input": io.BytesIO(),
        }
        request = WSGIRequest(environ)
        request.user = AnonymousUser()
        return request


@dataclass(frozen=True, slots=True)
class Channel:
    """What a page follows: an event by its slug, for a phone that follows a player's number or nobody.

    `versions` returns the ETags for all numbers that are given; none where the event is not public any more. `page` is
    the page whose new parts are sent along, None for one that fetches what it needs.
    """

    versions: Versions
    slug: str
    follows: int | None = None
    page: Page | None = None


def offer(request: HttpRequest, channel: Channel) -> None:
    """Let the server keep this request's answer open, if its page asked for that; the answer's ETag is the version."""
    request.META[OFFERED] = channel


def read_versions(channels: Iterable[Channel]) -> dict[Channel, str]:
    """Return the versions of channels; a channel without one is closed. Runs in the thread that watches."""
    followed: defaultdict[tuple[Versions, str], dict[int | None, list[Channel]]] = defaultdict(dict)
    for channel in channels:
        followed[channel.versions, channel.slug].setdefault(channel.follows, []).append(channel)
    return {
        channel: etag
        for (versions, slug), by_number in followed.items()
        for number, etag in _versions(versions, slug, by_number).items()
        for channel in by_number[number]
    }


def _versions(versions: Versions, slug: str, numbers: Iterable[int | None]) -> Mapping[int | None, str]:
    """Return the versions of an event, none where it cannot be read: the streams of other events go on."""
    try:
        return versions(slug, numbers)
    except DatabaseError:
        raise
    except Exception as wrong:  # noqa: BLE001 - the page itself will show what is wrong
        note_failure("streams", wrong)
        return {}


class Message:
    """A server-sent event, `plain` and `packed` as a piece of a gzip stream.

    A piece begins and ends at a byte and refers to nothing before it (RFC 1951, 3.2.4; zlib's full flush): one is made
    for all streams, whatever each of them was sent before.
    """

    __slots__ = ("etag", "packed", "plain")

    def __init__(self, etag: str, **more: str) -> None:
        """Tell a version with the server's time in milliseconds, and what else there is to say of it."""
        self.etag = etag
        self.plain = f"data: {json.dumps({'etag': etag, 'now': int(time.time() * 1000), **more})}\n\n".encode()
        self.packed = _packed(self.plain)


def _packed(plain: bytes) -> bytes:
    size = len(plain)
    if size <= SHORT:
        return b"\0" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + plain
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH)


@dataclass(frozen=True, slots=True)
class RenderedPart:
    """A page's live part as a message that tells its version, too; `mark` is what the page shows with it."""

    mark: str
    message: Message


def note_drawn(request: HttpRequest, etag: str, mark: str) -> None:
    """Say to which version and mark the live part belongs that is the answer to this request."""
    request.META[DRAWN] = (etag, mark)


def draw_part(page: Page, seen: str) -> RenderedPart | None:
    """Return the live part of a page for phones that show the mark `seen`, an empty one where it has not changed.

    None where there is none, or a long one: phones ask for their page then, and are told why in words. The view is
    called without the middleware, which guards what comes from outside and what is sent there: a tenth of the work.
    """
    request = page.request(seen)
    try:
        with override(get_language_from_request(request)):
            view = resolve(page.path)
            answer = view.func(request, *view.args, **view.kwargs)
    except Http404:
        return None
    except Exception as wrong:  # noqa: BLE001 - the page itself will show what is wrong
        note_failure("streams", wrong)
        return None
    etag, mark = request.META.get(DRAWN, ("", ""))
    if not etag or len(answer.content) > LONGEST:
        return None
    return RenderedPart(mark, Message(etag, seen=mark, **({"part": answer.text} if answer.content else {})))


# Draws a page for phones that show a mark, of which one has this address
Draw = Callable[[Page, str, str], Awaitable[RenderedPart | None]]


class Stream:
    """An answer that is held open; what it was told last, and whether it is still being told."""

    __slots__ = ("address", "channel", "ended", "packs", "send", "task", "telling", "told")

    def __init__(self, channel: Channel, etag: str, send: Send, address: str, *, packs: bool = False) -> None:
        self.channel, self.told, self.send, self.address, self.packs = channel, etag, send, address, packs
        self.task, self.ended = asyncio.current_task(), False
        self.telling: asyncio.Task[None] | None = None

    async def begin(self, headers: Headers) -> None:
        """Send the head of the answer: these headers, except those that a stream sets itself."""
        kept = [(name, value) for name, value in headers if name not in INSTEAD]
        kept += [(b"content-type", EVENT_STREAM.encode()), (b"cache-control", b"no-store, no-transform")]
        # nginx gathers answers unless it is told not to
        kept += [(b"connection", b"close"), (b"x-accel-buffering", b"no")]
        kept += [(b"content-encoding", b"gzip")] if self.packs else []
        await self.send({"type": "http.response.start", "status": 200, "headers": kept})

    def head(self) -> list[dict[str, Any]]:
        """Return how the body begins."""
        return [_piece(GZIP_HEAD)] if self.packs else []

    def body_of(self, message: Message) -> dict[str, Any]:
        """Return a message as this stream gets it."""
        return _piece(message.packed if self.packs else message.plain)

    def tell(self, message: Message) -> None:
        """Send a message, unless the last one is still on its way: a later beat makes up for it."""
        self.told = message.etag
        if not self.ended and (self.telling is None or self.telling.done()):
            self.telling = asyncio.ensure_future(self.send(self.body_of(message)))

    def end(self) -> None:
        """Close it."""
        if self.task is not None:
            self.task.cancel()


def _piece(sent: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": sent, "more_body": True}


class Streams:
    """All streams of a process; used in the event loop alone. `draw` makes the live parts of pages."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.by_channel: defaultdict[Channel, set[Stream]] = defaultdict(set)
        self.versions: dict[Channel, str] = {}
        self.marks: dict[Channel, str] = {}  # of the live part that was sent last
        self.renewing: dict[Channel, asyncio.Task[None]] = {}
        self.delivered = 0
        self.addresses: Counter[str] = Counter()
        self.turns: tuple[dict[Stream, None], ...] = tuple({} for _ in range(BEAT))  # who is told in each second
        self.beating: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Count them."""
        return self.addresses.total()

    async def hold(self, stream: Stream, receive: Receive) -> None:
        """Keep a stream that has begun open until its page goes away or `end` is called."""
        stream.told = self.versions.get(stream.channel, stream.told)
        self._add(stream)
        try:
            for piece in (*stream.head(), stream.body_of(Message(stream.told))):
                await stream.send(piece)
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            stream.ended = True
            await stream.send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._remove(stream)

    def deliver(self, asked: Iterable[Channel], versions: Mapping[Channel, str]) -> None:
        """Tell those whose version has moved, and close those of which was asked and that have none any more."""
        for channel in asked:
            if channel not in versions:
                for stream in self.by_channel.get(channel, ()):
                    stream.end()
        known, self.versions = (
            self.versions,
            {channel: etag for channel, etag in versions.items() if channel in self.by_channel},
        )
        moved = [channel for channel, etag in self.versions.items() if etag != known.get(channel)]
        if 2 * len(moved) < len(self.renewing):  # a hand amid the pages of a release: its pages wait no more for those
            for channel in self.renewing.keys() & moved:
                self.renewing.pop(channel).cancel()
        self.delivered += 1
        behind = [channel for channel in self.versions if channel not in self.renewing and self._behind(channel)]
        for channel in sorted(behind, key=lambda each: each.page is None or not each.page.first):
            self.renewing[channel] = asyncio.ensure_future(self._renew(channel, self.delivered))

    def make_room(self) -> bool:
        """Close a stream of the address that holds most; False where there is none."""
        for address, _ in self.addresses.most_common(1):
            next(stream for held in self.by_channel.values() for stream in held if stream.address == address).end()
        return bool(self.addresses)

    def end_all(self) -> None:
        """Close all."""
        for held in self.by_channel.values():
            for stream in held:
                stream.end()

    def _behind(self, channel: Channel) -> list[Stream]:
        """Return who does not know the version of a channel."""
        etag = self.versions.get(channel)
        return [stream for stream in self.by_channel.get(channel, ()) if etag not in (None, stream.told)]

    async def _renew(self, channel: Channel, delivery: int) -> None:
        """Tell those who follow a channel its version, with the live part of their page, until they all know it.

        The pages of each delivery take turns with those of another one: a hand's come before the rest of a release.
        """
        try:
            while behind := self._behind(channel):
                known = self.versions[channel]
                mark, address = self.marks.get(channel, ""), f"{behind[0].address} {delivery}"
                drawn = await self.draw(channel.page, mark, address) if channel.page else None
                if channel not in self.versions:
                    break
                if drawn is None:
                    await _tell(self._behind(channel), Message(self.versions[channel]), ASKING_AT_ONCE)
                    continue
                etag = drawn.message.etag
                self.marks[channel] = drawn.mark
                if self.versions[channel] == known:  # else a version came meanwhile, which may be newer than this part
                    self.versions[channel] = etag  # the page may be newer than what the watch has read
                # who came meanwhile may show a newer page than this part
                await _tell([stream for stream in behind if stream.told != etag], drawn.message, TOLD_AT_ONCE)
        except Exception as wrong:  # noqa: BLE001 - the watch reads again, and another one is begun
            note_failure("streams", wrong)
        finally:
            if self.renewing.get(channel) is asyncio.current_task():
                del self.renewing[channel]

    def _add(self, stream: Stream) -> None:
        self.by_channel[stream.channel].add(stream)
        self.addresses[stream.address] += 1
        min(self.turns, key=len)[stream] = None
        if self.beating is None or self.beating.done():
            self.beating = asyncio.ensure_future(self._beat())

    def _remove(self, stream: Stream) -> None:
        held = self.by_channel[stream.channel]
        held.discard(stream)
        if not held:
            del self.by_channel[stream.channel]
            self.versions.pop(stream.channel, None)
            self.marks.pop(stream.channel, None)
        for turn in self.turns:
            turn.pop(stream, None)
        self.addresses[stream.address] -= 1
        if not self.addresses[stream.address]:
            del self.addresses[stream.address]

    async def _beat(self) -> None:
        """Tell each stream every BEAT seconds what it knows already, some of them each second."""
        while self.addresses:
            for turn in self.turns:
                await asyncio.sleep(1)
                attempt("streams", partial(_beat_to, turn))


def _beat_to(turn: Iterable[Stream]) -> None:
    messages: dict[str, Message] = {}
    for stream in turn:
        if stream.told not in messages:
            messages[stream.told] = Message(stream.told)
        stream.tell(messages[stream.told])


async def _tell(streams: list[Stream], message: Message, at_once: int) -> None:
    for first in range(0, len(streams), at_once):
        for stream in streams[first : first + at_once]:
            stream.tell(message)
        await asyncio.sleep(PAUSE)


LOOK: Final = 0.1  # seconds between two looks
GATHER: Final = 0.03  # seconds from a change until it is read: what several hands did meanwhile is read at once
READ_AGAIN: Final = 5.0  # seconds after which all is read although nothing seems to have changed
NAME: Final = "hanchan_changed"  # of PostgreSQL's notifications


class ChangeWatcher(LoopThread):
    """Calls `changed` in this thread, at most once a look, when the data has changed."""

    def __init__(self, changed: Callable[[], None], *, name: str = "watch", read_again: float = READ_AGAIN) -> None:
        """Prepare to watch."""
        super().__init__(name)
        self.changed, self.read_again = changed, read_again
        self.nudged = threading.Event()
        self._due = 0.0
        self._seen: Any = None

    def nudge(self) -> None:
        """Say that this process may have changed something; any thread may."""
        self.nudged.set()

    def stop(self) -> None:
        """End soon."""
        super().stop()
        self.nudged.set()

    def run_once(self) -> None:
        """Wait a moment, and call `changed` where something has changed or the time has come."""
        if self._has_changed() or time.monotonic() > self._due:
            self._due = 0.0  # until it has been read
            self.changed()
            self._due = time.monotonic() + self.read_again
        close_old_connections()

    def _has_changed(self) -> bool:
        """Wait a moment, and tell whether something has changed."""
        connection.ensure_connection()
        if connection.vendor == "postgresql":
            return self._notified(connection.connection)
        if not self.nudged.wait(LOOK) and not self._has_moved():
            return False
        time.sleep(GATHER)
        self.nudged.clear()
        self._has_moved()
        return True

    def _has_moved(self) -> bool:
        """Tell whether SQLite's file has changed since it was looked at last."""
        with connection.cursor() as cursor:
            now = cursor.execute("PRAGMA data_version").fetchone()
        before, self._seen = self._seen, now
        return bool(before != now)

    def _notified(self, wire: Any) -> bool:
        if self._seen is not wire:
            wire.execute(f"LISTEN {NAME}")
            self._seen = wire
        nudged = self.nudged.is_set()
        if nudged:
            self.nudged.clear()
            wire.execute(f"NOTIFY {NAME}")
        if not any(True for _ in wire.notifies(timeout=LOOK, stop_after=1)) and not nudged:
            return False
        time.sleep(GATHER)
        for _ in wire.notifies(timeout=0):
            pass
        return True
