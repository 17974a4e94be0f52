"""Server-sent events: phones, walls and desks hold one answer each, and are told the version when it moves.

A page asks for its version with `Accept: text/event-stream`. The view decides who may see it and offers a channel; from
then on the version of a channel is computed once for all who hold it, and nobody who holds it costs a thread.
"""

import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest

EVENT_STREAM: Final = "text/event-stream"
OFFERED: Final = "hanchan.channel"  # in a request's META
BEAT: Final = 20  # seconds between two signs of life: a phone that hears none for longer asks again
AT_ONCE: Final = 100  # streams that are told within a hundredth of a second: a hall does not answer in the same one

INSTEAD: Final = frozenset({b"content-type", b"cache-control", b"content-length", b"etag", b"vary"})

Headers = list[tuple[bytes, bytes]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Versions = Callable[[str, Iterable[int | None]], Mapping[int | None, str]]


@dataclass(frozen=True, slots=True)
class Channel:
    """What a page follows: an event by its slug, for a phone that follows a player's number or nobody.

    `versions` returns the ETags for all numbers that are given; none where the event is not public any more.
    """

    versions: Versions
    slug: str
    follows: int | None = None


def offer(request: HttpRequest, channel: Channel) -> None:
    """Let the server keep this request's answer open, if its page asked for that; the answer's ETag is the version."""
    request.META[OFFERED] = channel


def read_versions(channels: Iterable[Channel]) -> dict[Channel, str]:
    """Return the versions of channels; a channel without one is closed. Runs in the thread that watches."""
    followed: defaultdict[tuple[Versions, str], set[int | None]] = defaultdict(set)
    for channel in channels:
        followed[channel.versions, channel.slug].add(channel.follows)
    return {
        Channel(versions, slug, number): etag
        for (versions, slug), numbers in followed.items()
        for number, etag in versions(slug, numbers).items()
    }


class Stream:
    """An answer that is held open; what it was told last, and whether it is still being told."""

    __slots__ = ("address", "channel", "ended", "send", "task", "telling", "told")

    def __init__(self, channel: Channel, etag: str, send: Send, address: str) -> None:
        self.channel, self.told, self.send, self.address = channel, etag, send, address
        self.task, self.ended = asyncio.current_task(), False
        self.telling: asyncio.Task[None] | None = None

    def tell(self, message: bytes) -> None:
        """Send a message, unless the last one is still on its way: a later beat makes up for it."""
        if not self.ended and (self.telling is None or self.telling.done()):
            body = {"type": "http.response.body", "body": message, "more_body": True}
            self.telling = asyncio.ensure_future(self.send(body))

    def end(self) -> None:
        """Close it."""
        if self.task is not None:
            self.task.cancel()


class Streams:
    """All streams of a process; used in the event loop alone."""

    def __init__(self) -> None:
        self.by_channel: defaultdict[Channel, set[Stream]] = defaultdict(set)
        self.versions: dict[Channel, str] = {}
        self.addresses: Counter[str] = Counter()
        self.beating: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Count them."""
        return self.addresses.total()

    async def hold(self, stream: Stream, headers: Headers, receive: Receive) -> None:
        """Keep an answer with these headers open until its page goes away or `end` is called."""
        kept = [(name, value) for name, value in headers if name not in INSTEAD]
        kept += [(b"content-type", EVENT_STREAM.encode()), (b"cache-control", b"no-store, no-transform")]
        # nginx gathers answers unless it is told not to
        kept += [(b"connection", b"close"), (b"x-accel-buffering", b"no")]
        await stream.send({"type": "http.response.start", "status": 200, "headers": kept})
        stream.told = self.versions.get(stream.channel, stream.told)
        self._add(stream)
        try:
            await stream.send({"type": "http.response.body", "body": message_of(stream.told), "more_body": True})
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
        self.versions = {channel: etag for channel, etag in versions.items() if channel in self.by_channel}
        moved = [
            stream
            for channel, etag in self.versions.items()
            for stream in self.by_channel[channel]
            if stream.told != etag
        ]
        if moved:
            self._tell(moved)

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

    def _tell(self, moved: list[Stream]) -> None:
        for stream in moved[:AT_ONCE]:
            if stream.channel in self.versions:
                stream.told = self.versions[stream.channel]
                stream.tell(message_of(stream.told))
        if moved[AT_ONCE:]:
            asyncio.get_running_loop().call_later(0.01, self._tell, moved[AT_ONCE:])

    def _add(self, stream: Stream) -> None:
        self.by_channel[stream.channel].add(stream)
        self.addresses[stream.address] += 1
        if self.beating is None or self.beating.done():
            self.beating = asyncio.ensure_future(self._beat())

    def _remove(self, stream: Stream) -> None:
        held = self.by_channel[stream.channel]
        held.discard(stream)
        if not held:
            del self.by_channel[stream.channel]
            self.versions.pop(stream.channel, None)
        self.addresses[stream.address] -= 1
        self.addresses += Counter()  # forget who holds none

    async def _beat(self) -> None:
        """Tell each stream every BEAT seconds what it knows already, some of them each second."""
        while self.addresses:
            streams = [stream for held in self.by_channel.values() for stream in held]
            for turn in range(BEAT):
                await asyncio.sleep(1)
                for stream in streams[turn::BEAT]:
                    stream.tell(message_of(stream.told))


def message_of(etag: str) -> bytes:
    """Return the message that tells a version, with the server's time in milliseconds."""
    return f"data: {json.dumps({'etag': etag, 'now': int(time.time() * 1000)})}\n\n".encode()
