"""Streams held open: each version once, one part for all who show a page, nothing kept of a request."""

import asyncio
import contextlib
import gc
import json
import socket
import time
import weakref
import zlib
from collections.abc import Callable
from typing import Any

from tests.web.server.desks import SOON, Desk
from tournament.pages.priority import Waiting
from tournament.pages.streams import Channel, Message, Page, RenderedPart, Send, Stream, Streams, read_versions


def test_a_stream_tells_each_version_once_and_ends_with_the_event(desk: Desk):
    told = []
    with desk.half_open(b"GET /stream/ HTTP/1.1\r\nHost: x\r\n\r\n") as wire, wire.makefile("rb") as lines:
        for line in lines:
            if line.startswith(b"data: "):
                told.append(json.loads(line.removeprefix(b"data: "))["etag"])
                desk.versions = {None: '"2"'} if told[-1] == '"1"' else {}  # then the event is not public any more
                tell(desk)
    assert list(dict.fromkeys(told)) == ['"1"', '"2"']
    assert len(desk.front.streams) == 0


def test_a_stream_that_is_held_keeps_nothing_of_its_request(desk: Desk):
    with desk.half_open(b"GET /stream/ HTTP/1.1\r\nHost: x\r\n\r\n") as wire:
        assert Reader(wire).hear() == {"etag": '"1"'}
        body = weakref.ref(desk.seen.pop()["wsgi.input"])
        until = time.monotonic() + SOON
        while body() and time.monotonic() < until:  # its thread lets it go when it has told the loop
            gc.collect()
        assert body() is None


def test_the_new_part_of_a_page_is_drawn_once_and_sent_to_all_who_show_it(desk: Desk):
    plain, packed = b"GET /page/ HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /page/ HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n"
    desk.part = "<main>new</main>" * 100
    with contextlib.ExitStack() as stack:
        readers = [Reader(stack.enter_context(desk.half_open(head))) for head in (plain, packed, packed)]
        assert [reader.hear() for reader in readers] == [{"etag": '"1"'}] * 3
        desk.versions = {None: '"2"'}
        tell(desk)
        new = {"etag": '"2"', "seen": "m1", "part": desk.part}
        assert [reader.hear() for reader in readers] == [new] * 3
        desk.versions = {None: '"3"'}  # of something that this page does not show
        tell(desk)
        assert [reader.hear() for reader in readers] == [{"etag": '"3"', "seen": "m1"}] * 3
        assert [(page.path, page.cookie, seen) for page, seen in desk.drawn] == [
            ("/page/", "me=7", ""),
            ("/page/", "me=7", "m1"),
        ]


def test_where_no_part_can_be_drawn_the_version_alone_is_told(desk: Desk):
    desk.part = ""
    with desk.half_open(b"GET /page/ HTTP/1.1\r\nHost: x\r\n\r\n") as wire:
        reader = Reader(wire)
        assert reader.hear() == {"etag": '"1"'}
        desk.versions = {None: '"2"'}
        tell(desk)
        assert reader.hear() == {"etag": '"2"'}


class Reader:
    """A page that reads a stream as a browser does, compressed or not."""

    def __init__(self, wire: socket.socket) -> None:
        self.lines = wire.makefile("rb")
        head = b"".join(iter(self.lines.readline, b"\r\n"))
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.unpack = unpacker.decompress if b"gzip" in head else bytes

    def hear(self) -> dict[str, str]:
        """Return what comes next, without the time."""
        text = b""
        while not text.endswith(b"\n\n"):
            size = int(self.lines.readline(), 16)
            text += self.unpack(self.lines.read(size + 2)[:-2])
        said: dict[str, Any] = json.loads(text.removeprefix(b"data: "))
        assert said.pop("now") > 0
        return said


def tell(desk: Desk) -> None:
    """Have the streams read again, as the watch does."""
    channels = list(desk.front.streams.by_channel)
    versions = read_versions(channels)
    task = next(iter(desk.front.streams.by_channel[channels[0]])).task
    assert task is not None
    loop = task.get_loop()
    loop.call_soon_threadsafe(desk.front.streams.deliver, channels, versions)


async def draw_nothing(_page: Page, _seen: str, _address: str) -> None:
    """There are no pages."""


def test_a_stream_that_nobody_reads_is_told_nothing_more():
    async def play() -> tuple[int, bool]:
        never, sent = asyncio.Event(), []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            await never.wait()

        stream = Stream(Channel(lambda _slug, _numbers: {}, "cup"), '"1"', send, "10.0.0.7")
        for _ in range(5):
            stream.tell(Message('"2"'))
            await asyncio.sleep(0)
        return len(sent), Streams(draw_nothing).make_room()

    assert asyncio.run(play()) == (1, False)


def play(draw: Callable[[Streams, Channel], RenderedPart], send: Send) -> str:
    """Tell a reader of version 1 version 2, with parts that are drawn so; return the version at the end."""
    channel = Channel(lambda _slug, _numbers: {}, "cup", page=Page("http", "x", "/page/", ""))

    async def tell_all() -> str:
        async def draw_page(_page: Page, _seen: str, _address: str) -> RenderedPart:
            return draw(all_streams, channel)

        all_streams = Streams(draw_page)
        all_streams.by_channel[channel].add(Stream(channel, '"1"', send, "10.0.0.7"))
        all_streams.deliver([channel], {channel: '"2"'})
        while all_streams.renewing:
            await asyncio.gather(*all_streams.renewing.values())
        return all_streams.versions[channel]

    return asyncio.run(tell_all())


def test_the_page_of_a_hand_is_drawn_before_the_rest_of_a_release():
    waiting, drawn = Waiting(), list[str]()

    async def draw_page(page: Page, _seen: str, address: str) -> RenderedPart:
        turn = asyncio.get_running_loop().create_future()

        def end() -> None:
            if not turn.done():
                turn.set_result(None)

        waiting.append(end, address)
        await turn
        drawn.append(page.path)
        return RenderedPart("", Message(all_streams.versions[channels[page.path]]))

    async def send(_message: dict[str, Any]) -> None:
        """Nobody listens."""

    async def draw_next() -> None:
        waiting.popleft()()
        for _ in range(5):
            await asyncio.sleep(0)

    async def play() -> None:
        for channel in channels.values():
            all_streams.by_channel[channel].add(Stream(channel, '"1"', send, "10.0.0.7"))
        all_streams.deliver(channels.values(), dict.fromkeys(channels.values(), '"2"'))
        await asyncio.sleep(0)
        await draw_next()
        hand = {channel: '"3"' if path == "7" else '"2"' for path, channel in channels.items()}
        all_streams.deliver(channels.values(), hand)
        await asyncio.sleep(0)
        while waiting.count:
            await draw_next()
        await asyncio.gather(*all_streams.renewing.values())

    all_streams = Streams(draw_page)
    paths = [str(number) for number in range(9)]
    channels = {path: Channel(lambda _slug, _numbers: {}, "cup", page=Page("http", "x", path, "")) for path in paths}
    asyncio.run(play())
    assert drawn[:3] == ["0", "1", "7"]
    assert sorted(drawn) == paths
    assert set(all_streams.versions.values()) == {'"2"', '"3"'}


def test_the_pages_that_players_wait_for_are_drawn_before_others():
    drawn: list[str] = []

    async def draw_page(page: Page, _seen: str, _address: str) -> RenderedPart:
        drawn.append(page.path)
        return RenderedPart("", Message('"2"'))

    async def send(_message: dict[str, Any]) -> None:
        """Nobody listens."""

    async def play() -> None:
        all_streams = Streams(draw_page)
        for channel in channels:
            all_streams.by_channel[channel].add(Stream(channel, '"1"', send, "10.0.0.7"))
        all_streams.deliver(channels, dict.fromkeys(channels, '"2"'))
        await asyncio.gather(*all_streams.renewing.values())

    pages = [None, *(Page("http", "x", str(at), "", first=at % 2 == 1) for at in range(6))]
    channels = [Channel(lambda _slug, _numbers: {}, "cup", page=page) for page in pages]
    asyncio.run(play())
    assert drawn == ["1", "3", "5", "0", "2", "4"]


def test_a_version_that_comes_while_a_part_is_drawn_is_told_after_it():
    told: list[str] = []
    drawn: list[str] = []

    async def send(message: dict[str, Any]) -> None:
        if line := message.get("body"):
            told.append(json.loads(line.removeprefix(b"data: "))["etag"])

    def draw(all_streams: Streams, channel: Channel) -> RenderedPart:
        drawn.append(f'"{len(drawn) + 2}"')
        if drawn == ['"2"']:
            late = Stream(channel, '"3"', send, "10.0.0.8")  # opens its page meanwhile
            all_streams.by_channel[channel].add(late)
            all_streams.deliver([channel], {channel: '"3"'})
        return RenderedPart("m", Message(drawn[-1]))

    assert play(draw, send) == '"3"'
    assert told == drawn == ['"2"', '"3"']


def test_a_page_that_is_newer_than_its_version_is_drawn_once_more_at_most():
    drawn: list[str] = []

    async def send(_message: dict[str, Any]) -> None:
        """Nobody looks at what was said."""

    def draw(all_streams: Streams, channel: Channel) -> RenderedPart:
        drawn.append('"4"')
        all_streams.deliver([channel], {channel: '"3"'})  # the watch read it before the page did
        return RenderedPart("m", Message('"4"'))

    assert play(draw, send) == '"4"'
    assert len(drawn) <= 2
