"""Our server over real sockets: requests whole and within limits, slow ones without a thread, streams held open."""

import asyncio
import contextlib
import io
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import pytest
from django.conf import LazySettings

from web.server import front, protocol, streams
from web.server.front import Front, address_of, environ_of
from web.server.protocol import DeskProtocol, Places
from web.server.serving import Server
from web.server.streams import OFFERED, Channel, Stream, Streams

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
        self.server = Server(self.front)
        self.sock = socket.create_server((HOST, 0))
        self.port: int = self.sock.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, args=[[self.sock]])

    def channel(self) -> Channel:
        return Channel(self.read, "cup")

    def read(self, _slug: str, _numbers: Iterable[int | None]) -> Versions:
        return self.versions

    def program(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        self.seen.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
        if environ["PATH_INFO"] == "/stream/":
            environ[OFFERED] = self.channel()
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


def test_where_all_places_are_taken_the_silent_go_first(desk: Desk):
    DeskProtocol.places.most = 4
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(desk.half_open(b"GET")) for _ in range(4)]
        assert first_line(silent[0]) == b""
        assert desk.ask(Cookie=SESSION).status == 200


def test_requests_at_the_door_are_refused_where_too_many_wait(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "MOST_AT_DOOR", 0)
    answer = desk.ask("POST", "/login/", b"a=b")
    assert (answer.status, answer.headers["retry-after"]) == (503, "10")
    assert desk.ask("POST", "/login/", b"a=b", Cookie=SESSION).status == 200
    assert desk.ask().status == 200


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


def test_a_stream_that_nobody_reads_is_told_nothing_more():
    async def play() -> tuple[int, bool]:
        never, sent = asyncio.Event(), []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            await never.wait()

        stream = Stream(Channel(lambda _slug, _numbers: {}, "cup"), '"1"', send, "10.0.0.7")
        for _ in range(5):
            stream.tell(b"data: {}\n\n")
            await asyncio.sleep(0)
        return len(sent), Streams().make_room()

    assert asyncio.run(play()) == (1, False)
