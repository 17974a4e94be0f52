"""A desk of few pages behind our server, over real sockets."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

from tournament.pages.streams import OFFERED, Channel, Message, Page, RenderedPart
from web.server.front import AsgiApp, Server

HOST = "127.0.0.1"
LONG = 3 * 2**20  # bytes: an answer that waits in a file
SOON = 10.0

Versions = dict[int | None, str]


class Told:
    """A watch that is told by the test."""

    def nudge(self) -> None:
        """Nothing has changed."""

    def stop(self) -> None:
        """There is nothing to stop."""

    def join(self, timeout: float) -> None:
        """There is no thread."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Desk:
    """A program of few pages behind the front, and what it saw."""

    def __init__(self) -> None:
        self.front = AsgiApp(self.program, draw=self.draw)
        self.front.watch = Told()  # type: ignore[assignment]
        self.front.sessions.knows = lambda key: key == "known"  # type: ignore[method-assign]
        self.front.sessions.look_up = lambda key: not key  # type: ignore[method-assign]
        self.seen: list[dict[str, Any]] = []
        self.drawn: list[tuple[Page, str]] = []
        self.bodies: list[bytes] = []
        self.versions: Versions = {None: '"1"'}
        self.part, self.mark = "<main>new</main>", "m1"
        self.server = Server(self.front)
        self.sock = socket.create_server((HOST, 0))
        self.port: int = self.sock.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, args=[[self.sock]])

    def channel(self, path: str) -> Channel:
        return Channel(self.read, "cup", page=Page("http", "x", path, "me=7") if path == "/page/" else None)

    def read(self, _slug: str, _numbers: Iterable[int | None]) -> Versions:
        return self.versions

    def draw(self, page: Page, seen: str) -> RenderedPart | None:
        self.drawn.append((page, seen))
        if not self.part:
            return None
        more = {} if seen == self.mark else {"part": self.part}
        return RenderedPart(self.mark, Message(self.versions[None], seen=self.mark, **more))

    def program(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        self.seen.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
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
