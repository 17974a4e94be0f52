"""Our server over real sockets: requests whole and within limits, slow ones without a thread, streams held open."""

import asyncio
import contextlib
import gc
import io
import json
import socket
import threading
import time
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import pytest
from django.conf import LazySettings

from web.server import front, protocol, streams
from web.server.front import Front, address_of, environ_of
from web.server.lanes import AT_ONCE, Lane
from web.server.protocol import DeskProtocol, Places
from web.server.serving import Server
from web.server.streams import DRAWN, OFFERED, Channel, Drawn, Message, Page, Send, Stream, Streams

HOST = "127.0.0.1"
LONG = 3 * 2**20  # bytes: an answer that waits in a file
SOON = 10.0
SESSION = "sessionid=known"

Versions = dict[int | None, str]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Desk:
    """A program of few pages behind the front, and what it saw."""

    def __init__(self) -> None:
        self.front = Front(self.program)
        self.front.watch = Told()  # type: ignore[assignment]
        self.front.sessions.knows = lambda key: key == "known"  # type: ignore[method-assign]
        self.front.sessions.look_up = lambda key: not key  # type: ignore[method-assign]
        self.seen: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.versions: Versions = {None: '"1"'}
        self.part, self.mark = b"<main>new</main>", "m1"
        self.server = Server(self.front)
        self.sock = socket.create_server((HOST, 0))
        self.port: int = self.sock.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, args=[[self.sock]])

    def channel(self, path: str) -> Channel:
        return Channel(self.read, "cup", page=Page("http", "x", path, "me=7") if path == "/page/" else None)

    def read(self, _slug: str, _numbers: Iterable[int | None]) -> Versions:
        return self.versions

    def program(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        self.seen.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
        if "HTTP_HX_REQUEST" in environ:
            environ[DRAWN] = (self.versions[None], self.mark)
            known = environ["QUERY_STRING"] == f"seen={self.mark}"
            start_response("204 No Content" if known else "200 OK", [])
            return [] if known else [self.part]
        if environ["PATH_INFO"] in {"/stream/", "/page/"}:
            environ[OFFERED] = self.channel(environ["PATH_INFO"])
            start_response("204 No Content", [("ETag", '"1"')])
            return []
        start_response("200 OK", [("Set-Cookie", " a=b")])
        return [b"x" * 2**16] * (LONG // 2**16) if environ["PATH_INFO"] == "/long/" else [b"he", b"re"]

    def ask(self, method: str = "GET", path: str = "/", body: bytes = b"", **headers: str) -> Answer:
        """Ask once, over a connection of its own."""
        with contextlib.closing(HTTPConnection(HOST, self.port, timeout=SOON)) as connection:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())

    @contextlib.contextmanager
    def half_open(self, sent: bytes) -> Iterator[socket.socket]:
        """Open a connection that has sent so much."""
        with socket.create_connection((HOST, self.port), SOON) as wire:
            wire.sendall(sent)
            yield wire


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(DeskProtocol, "places", Places())
    desk = Desk()
    desk.thread.start()
    yield desk
    desk.server.should_exit = True
    desk.thread.join(SOON)
    assert not desk.thread.is_alive()


def first_line(wire: socket.socket) -> bytes:
    """Return the first line of an answer, b"" where the connection was closed without one."""
    with contextlib.suppress(ConnectionResetError):
        return wire.recv(65536).partition(b"\r\n")[0]
    return b""


def test_requests_and_answers_pass_whole(desk: Desk):
    answer = desk.ask()
    assert (answer.status, answer.body, answer.headers["set-cookie"]) == (200, b"here", "a=b")
    assert desk.ask("HEAD").body == b""
    assert len(desk.ask(path="/long/").body) == LONG
    desk.ask("POST", "/caf%C3%A9/?a=%20b", b"0123456789" * 20_000, Cookie=SESSION)
    assert len(desk.bodies[-1]) == 200_000
    environ = desk.seen[-1]
    assert (environ["PATH_INFO"], environ["QUERY_STRING"]) == ("/caf\xc3\xa9/", "a=%20b")
    assert (environ["CONTENT_LENGTH"], environ["REMOTE_ADDR"]) == ("200000", HOST)


def test_a_stranger_sends_little_and_in_time(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    assert desk.ask("POST", body=b"a" * 1000).status == 200
    assert desk.ask("POST", body=b"a" * 20_000).status == 413
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n"
    monkeypatch.setattr(front, "STRANGERS_WITHIN", 0.05)
    with desk.half_open(head + b"a" * 100) as wire:
        assert first_line(wire) == b"HTTP/1.1 408 Request Timeout"
    monkeypatch.setattr(front, "STRANGERS_WITHIN", SOON)
    monkeypatch.setattr(front, "STRANGERS_BODIES", 5000)
    with desk.half_open(head + b"a" * 4000), desk.half_open(head + b"a" * 4000) as second:
        assert first_line(second) == b"HTTP/1.1 503 Service Unavailable"
        assert desk.ask("POST", body=b"a" * 50_000, Cookie=SESSION).status == 200
    assert [len(body) for body in desk.bodies] == [1000, 50_000]


def test_small_answers_leave_at_once(desk: Desk):
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") as wire:
        assert first_line(wire) == b"HTTP/1.1 200 OK"
        while not DeskProtocol.places.idle:
            threading.Event().wait(0.01)
        connection = next(iter(DeskProtocol.places.idle))
        assert connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_head_has_a_deadline_and_a_length(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "HEAD_WITHIN", 0.05)
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: ") as wire:
        assert first_line(wire) == b""
    with desk.half_open(b"") as wire:
        assert first_line(wire) == b""
    monkeypatch.setattr(protocol, "HEAD_WITHIN", SOON)
    with desk.half_open(b"GET / HTTP/1.1\r\nA: " + b"a" * 40_000) as wire:
        assert first_line(wire) == b""
    with desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") as wire:  # a second request over a connection, the same
        said = b""
        while not said.endswith(b"0\r\n\r\n"):
            said += wire.recv(65536)
        wire.sendall(b"GET / HTTP/1.1\r\nA: " + b"a" * 40_000)
        assert first_line(wire) == b""
    assert desk.seen[0]["HTTP_HOST"] == "x"


def test_a_reader_who_does_not_read_is_left(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(protocol, "READS_WITHIN", 0.05)
    with desk.half_open(b"GET /long/ HTTP/1.1\r\nHost: x\r\n\r\n" * 8) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(200):
            if not DeskProtocol.places.taken and desk.seen:
                break
            threading.Event().wait(0.05)
        assert DeskProtocol.places.taken == 0


def test_where_all_places_are_taken_the_idle_go_first_and_then_the_silent(desk: Desk):
    DeskProtocol.places.most = 4
    with contextlib.ExitStack() as stack:
        idle = stack.enter_context(desk.half_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        said = b""
        while not said.endswith(b"0\r\n\r\n"):
            said += idle.recv(65536)
        silent = [stack.enter_context(desk.half_open(b"GET")) for _ in range(3)]
        assert first_line(idle) == b""
        silent[0].setblocking(False)
        with pytest.raises(BlockingIOError):
            silent[0].recv(1)
        silent[0].settimeout(SOON)
        silent.append(stack.enter_context(desk.half_open(b"GET")))
        assert first_line(silent[0]) == b""
        assert desk.ask(Cookie=SESSION).status == 200


def test_requests_at_the_door_are_refused_where_too_many_wait(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "MOST_AT_DOOR", 0)
    answer = desk.ask("POST", "/login/", b"a=b")
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    assert desk.ask("POST", "/login/", b"a=b", Cookie=SESSION).status == 200
    assert desk.ask().status == 200


def test_hands_and_previews_wait_behind_no_page(desk: Desk):
    go, served = threading.Event(), threading.Event()

    def page() -> None:
        go.wait(SOON)
        served.set()

    for _ in range(AT_ONCE[Lane.DESK]):
        desk.front.lanes.run(Lane.DESK, page)
    assert desk.ask("GET", "/desk/cup/rounds/1/tables/1/preview/", Cookie=SESSION).status == 200
    assert desk.ask("POST", "/desk/cup/rounds/1/tables/1/", b"line=d", Cookie=SESSION).status == 200
    assert not served.is_set()
    go.set()
    assert desk.ask("GET", "/desk/cup/", Cookie=SESSION).status == 200


def test_only_trusted_proxies_speak_for_others(settings: LazySettings):
    scope = {
        "method": "GET", "path": "/", "query_string": b"", "http_version": "1.1", "scheme": "http",
        "client": ("10.0.0.9", 1), "server": ("10.0.0.1", 80),
        "headers": [(b"x-forwarded-for", b"1.2.3.4"), (b"x-forwarded-host", b"desk.org"), (b"x_forwarded_for", b"6.6"),
                    (b"host", b"inner"), (b"cookie", b"a=b"), (b"cookie", b"c=d")],
    }  # fmt: skip
    stranger = environ_of(scope, io.BytesIO(b""))
    assert "HTTP_X_FORWARDED_FOR" not in stranger
    assert (stranger["HTTP_HOST"], stranger["HTTP_COOKIE"]) == ("inner", "a=b; c=d")
    settings.HTTPS, settings.PROXIES = True, ("10.0.0.9",)
    proxy = environ_of(scope, io.BytesIO(b""))
    assert (proxy["HTTP_X_FORWARDED_FOR"], proxy["HTTP_HOST"]) == ("1.2.3.4", "desk.org")
    assert (address_of(stranger), address_of(proxy)) == ("10.0.0.9", "1.2.3.4")


# ---------------------------------------------------------------- streams


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
    desk.part = b"<main>new</main>" * 100
    with contextlib.ExitStack() as stack:
        readers = [Reader(stack.enter_context(desk.half_open(head))) for head in (plain, packed, packed)]
        assert [reader.hear() for reader in readers] == [{"etag": '"1"'}] * 3
        desk.versions = {None: '"2"'}
        tell(desk)
        new = {"etag": '"2"', "seen": "m1", "part": desk.part.decode()}
        assert [reader.hear() for reader in readers] == [new] * 3
        desk.versions = {None: '"3"'}  # of something that this page does not show
        tell(desk)
        assert [reader.hear() for reader in readers] == [{"etag": '"3"', "seen": "m1"}] * 3
        asked = [each for each in desk.seen if "HTTP_HX_REQUEST" in each]
        assert [each["QUERY_STRING"] for each in asked] == ["seen=", "seen=m1"]
        assert {(each["PATH_INFO"], each["HTTP_COOKIE"]) for each in asked} == {("/page/", "me=7")}


def test_where_no_part_can_be_drawn_the_version_alone_is_told(desk: Desk):
    desk.part = b"x" * LONG
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


class Told:
    """A watch that is told by the test."""

    def nudge(self) -> None:
        """Nothing has changed."""

    def stop(self) -> None:
        """There is nothing to stop."""


def tell(desk: Desk) -> None:
    """Have the streams read again, as the watch does."""
    channels = list(desk.front.streams.by_channel)
    versions = streams.read_versions(channels)
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


def play(draw: Callable[[Streams, Channel], Drawn], send: Send) -> str:
    """Tell a reader of version 1 version 2, with parts that are drawn so; return the version at the end."""
    channel = Channel(lambda _slug, _numbers: {}, "cup", page=Page("http", "x", "/page/", ""))

    async def tell_all() -> str:
        async def draw_page(_page: Page, _seen: str, _address: str) -> Drawn:
            return draw(all_streams, channel)

        all_streams = Streams(draw_page)
        all_streams.by_channel[channel].add(Stream(channel, '"1"', send, "10.0.0.7"))
        all_streams.deliver([channel], {channel: '"2"'})
        while all_streams.renewing:
            await asyncio.gather(*all_streams.renewing.values())
        return all_streams.versions[channel]

    return asyncio.run(tell_all())


def test_a_version_that_comes_while_a_part_is_drawn_is_told_after_it():
    told: list[str] = []
    drawn: list[str] = []

    async def send(message: dict[str, Any]) -> None:
        if line := message.get("body"):
            told.append(json.loads(line.removeprefix(b"data: "))["etag"])

    def draw(all_streams: Streams, channel: Channel) -> Drawn:
        drawn.append(f'"{len(drawn) + 2}"')
        if drawn == ['"2"']:
            late = Stream(channel, '"3"', send, "10.0.0.8")  # opens its page meanwhile
            all_streams.by_channel[channel].add(late)
            all_streams.deliver([channel], {channel: '"3"'})
        return Drawn("m", Message(drawn[-1]))

    assert play(draw, send) == '"3"'
    assert told == drawn == ['"2"', '"3"']


def test_a_page_that_is_newer_than_its_version_is_drawn_once_more_at_most():
    drawn: list[str] = []

    async def send(_message: dict[str, Any]) -> None:
        """Nobody looks at what was said."""

    def draw(all_streams: Streams, channel: Channel) -> Drawn:
        drawn.append('"4"')
        all_streams.deliver([channel], {channel: '"3"'})  # the watch read it before the page did
        return Drawn("m", Message('"4"'))

    assert play(draw, send) == '"4"'
    assert len(drawn) <= 2
