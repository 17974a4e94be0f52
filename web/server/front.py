"""The desk's server: uvicorn takes requests whole, within limits, and the threads of `lanes` answer them.

Connections, bodies and slow readers cost no thread: Django's WSGI program gets a request when all of it is here, and
its answer is sent when all of it is there. What a request may send depends on whether its reader is signed in.

Needed for 500 phones that hold a stream each: Django's ASGI handler runs all synchronous views in one thread, waitress
gives each stream a thread (docs/decisions/0001-server.md), and with polls the last phone had its page 7.8 s after a
release instead of 1.3 (docs/developer/load.md).
"""

import asyncio
import io
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import import_module
from typing import IO, Any, Final

import uvicorn
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import DatabaseError, close_old_connections

from tournament.pages.addresses import network_of
from tournament.pages.priority import Lanes, PriorityClass
from tournament.pages.streams import (
    OFFERED,
    ChangeWatcher,
    Channel,
    Page,
    RenderedPart,
    Stream,
    Streams,
    draw_part,
    read_versions,
)
from web.server.protocol import CONNECTION, ConnectionLimit, DeskProtocol, raise_file_limit
from web.server.tuning import settle

IN_MEMORY: Final = 2**20  # bytes of a body or an answer; what is longer waits in a file
PIECE: Final = 2**18  # bytes that are sent at once
STRANGERS_BODY: Final = 16 * 1024  # bytes of a body before its sender is signed in
STRANGERS_BODIES: Final = 4 * 2**20  # bytes of all bodies that strangers have not ended
STRANGERS_WITHIN, WITHIN = 15.0, 180.0  # seconds for a body
HALLS_BODY, HALLS_WITHIN = 2 * 2**20, 60.0  # of a message from a hall to a relay, before its signature is looked at
MAX_AT_DOOR: Final = 60  # who waits for a password to be looked at: some ten seconds
SIGNED_IN: Final = frozenset({PriorityClass.ACT, PriorityClass.DESK})
PREVIEW: Final = "/preview/"  # in the address of each preview
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
FORWARDED: Final = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto"})
OF_BODY: Final = frozenset({b"content-length", b"transfer-encoding"})
KEEP_ALIVE: Final = 75  # seconds that a connection stays between two requests: phones ask more often
ENDS_WITHIN: Final = 10  # seconds for what is under way when the desk is stopped
BACKLOG: Final = 2048  # connections that the system holds until they are taken: a hall opens its phones at once

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[str, str]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
DrawPart = Callable[[Page, str], RenderedPart | None]


class RefusedRequest(Exception):  # noqa: N818 - named for what it does
    """A request that is answered by its status alone, with the connection closed."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class ClientDisconnected(Exception):  # noqa: N818 - the same
    """Nobody waits for the answer any more."""


class KnownSessions:
    """Which sessions are somebody's, as far as this process has asked; after a sign-out for a minute more.

    It decides who is served first, and nothing else: what a session may do is asked with each request.
    """

    SECONDS = 60
    MOST = 5000

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def knows(self, key: str) -> bool:
        """Tell whether it was somebody's a moment ago."""
        return self._until.get(key, 0) > time.monotonic()

    def look_up(self, key: str) -> bool:
        """Ask the database; no where that cannot be had."""
        close_old_connections()
        try:
            found = SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key)
        except DatabaseError:
            return False
        if found:
            if len(self._until) >= self.MOST:
                self._until.clear()
            self._until[key] = time.monotonic() + self.SECONDS
        return found


@dataclass(slots=True)
class Answer:
    """What the program said: the body's parts, or a file where it is long."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytes | IO[bytes] = b""


class AsgiApp:
    """The ASGI application around a WSGI one."""

    def __init__(self, program: Wsgi, lanes: Lanes | None = None, draw: DrawPart = draw_part) -> None:
        """Serve a program by threads, which start with the first request; `draw` makes what streams send along."""
        self.program, self.draw = program, draw
        self._lanes = lanes
        self.sessions = KnownSessions()
        self.streams = Streams(self._draw)
        self.watch: ChangeWatcher | None = None
        self.strangers_bytes = 0

    @property
    def lanes(self) -> Lanes:
        """The threads."""
        if self._lanes is None:
            self._lanes = Lanes()
        return self._lanes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; there is nothing else than requests."""
        if scope["type"] != "http":
            return
        try:
            stream = await self._serve(scope, receive, send)
            if stream:  # held for hours, its request and answer only by _serve: they are freed
                await self.streams.hold(stream, receive)
        except ClientDisconnected:
            pass
        except RefusedRequest as refused:
            await _refuse(refused.status, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> Stream | None:
        """Answer, and return the stream that the answer has begun, None where it is whole."""
        connection: DeskProtocol | None = scope.get("extensions", {}).get(CONNECTION)
        lane = await self._lane_of(scope)
        if connection is not None:
            connection.signed_in = lane in SIGNED_IN
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as body:
            await self._read(body, scope, receive, signed_in=lane in SIGNED_IN)
            environ = environ_of(scope, body)
            address = address_of(environ)
            answer = await self._in_thread(lane, address, lambda: self._answer(environ))
        if scope["method"] not in SAFE:
            self._watched().nudge()  # other workers may hold streams
        full = connection is not None and connection.places.full and lane not in SIGNED_IN
        channel: Channel | None = environ.get(OFFERED)
        if channel is None or (full and not self.streams.make_room()):
            await _send(answer, send, close=full)
            return None
        self._watched().nudge()  # something may have changed since its version was read
        packs = channel.page is not None and "gzip" in header_of(scope, b"accept-encoding")
        stream = Stream(channel, dict(answer.headers)["ETag"], send, address, packs=packs)
        await stream.begin(encoded(answer.headers))
        return stream

    async def _draw(self, page: Page, seen: str, address: str) -> RenderedPart | None:
        """Return the live part of a page for phones that show the mark `seen`.

        It waits its turn as what this address asks for, so that nobody's thousand pages come before all others.
        """

        def draw() -> RenderedPart | None:
            close_old_connections()  # as before and after each request
            try:
                return self.draw(page, seen)
            finally:
                close_old_connections()

        return await self._in_thread(PriorityClass.PHONE, address, draw)

    def _watched(self) -> ChangeWatcher:
        """Return the watch, which begins when it is first needed."""
        if self.watch is None:
            loop = asyncio.get_running_loop()

            def read() -> None:
                if channels := list(self.streams.by_channel):
                    loop.call_soon_threadsafe(self.streams.deliver, channels, read_versions(channels))

            self.watch = ChangeWatcher(read)
            self.watch.start()
        return self.watch

    def stop(self, seconds: float) -> None:
        """End the threads."""
        if self.watch:
            self.watch.stop()
        self.lanes.stop(seconds)
        if self.watch:
            self.watch.join(seconds)

    async def _lane_of(self, scope: Scope) -> PriorityClass:
        """Return whose request it is; a session that nobody knows yet is looked up."""
        key = session_of(scope)
        known = bool(key) and self.sessions.knows(key)
        if key and not known:
            known = await self._in_thread(PriorityClass.CLAIM, claimed_from(scope), lambda: self.sessions.look_up(key))
        if known:
            return PriorityClass.DESK if scope["method"] in SAFE and PREVIEW not in scope["path"] else PriorityClass.ACT
        if scope["method"] in SAFE:
            return PriorityClass.PHONE
        if self.lanes.count_waiting(PriorityClass.DOOR) >= MAX_AT_DOOR:
            raise RefusedRequest(HTTPStatus.SERVICE_UNAVAILABLE)
        return PriorityClass.DOOR

    async def _in_thread(self, lane: PriorityClass, address: str, work: Callable[[], Any]) -> Any:
        """Return what `work` returns, done by a thread when its turn comes."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()

        def settle(result: Any, wrong: BaseException | None) -> None:
            if not done.cancelled():
                done.set_exception(wrong) if wrong else done.set_result(result)

        def run() -> None:
            if done.cancelled():
                return
            result, wrong = None, None
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                wrong = error if _can_be_raised(error) else RuntimeError(type(error).__name__)
            loop.call_soon_threadsafe(settle, result, wrong)

        self.lanes.run(lane, run, address)
        return await done

    async def _read(self, body: IO[bytes], scope: Scope, receive: Receive, *, signed_in: bool) -> None:
        """Read a request's body into a file; raises RefusedRequest where it is too long or slow, Gone where it ends."""
        most, within = limits_of(scope["path"], signed_in=signed_in)
        length = header_of(scope, b"content-length")
        if length.isdigit() and int(length) > most:
            raise RefusedRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        counted = 0
        try:
            async with asyncio.timeout(within):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnected
                    body.write(message["body"])
                    if body.tell() > most:
                        raise RefusedRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                    if not message["more_body"]:
                        break
                    if not signed_in:
                        counted += self._count_stranger(len(message["body"]))
        except TimeoutError:
            raise RefusedRequest(HTTPStatus.REQUEST_TIMEOUT) from None
        finally:
            self.strangers_bytes -= counted

    def _count_stranger(self, size: int) -> int:
        """Count what a stranger has sent so far; raises RefusedRequest where all strangers sent too much."""
        if self.strangers_bytes + size > STRANGERS_BODIES:
            raise RefusedRequest(HTTPStatus.SERVICE_UNAVAILABLE)
        self.strangers_bytes += size
        return size

    def _answer(self, environ: dict[str, Any]) -> Answer:
        """Ask the program; runs in a thread of `lanes`."""
        answer = Answer()

        def start_response(status: str, headers: Headers, _wrong: Any = None) -> None:
            answer.status, answer.headers = int(status[:3]), headers

        parts = self.program(environ, start_response)
        try:
            answer.body = gathered(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return answer


def _can_be_raised(wrong: BaseException) -> bool:
    """Tell whether the event loop may be given an exception: SystemExit would end it, StopIteration it refuses."""
    return isinstance(wrong, Exception) and not isinstance(wrong, StopIteration)


def limits_of(path: str, *, signed_in: bool) -> tuple[int, float]:
    """Return how many bytes a body may have, and how many seconds it may take."""
    if signed_in:
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 2**20, WITHIN
    if settings.RELAY and path.startswith("/relay/"):
        return HALLS_BODY, HALLS_WITHIN
    return STRANGERS_BODY, STRANGERS_WITHIN


def gathered(parts: Iterable[bytes]) -> bytes | IO[bytes]:
    """Return an answer's parts as one, in a file where they are long."""
    whole = bytearray()
    parts = iter(parts)
    for part in parts:
        whole += part
        if len(whole) > IN_MEMORY:
            break
    else:
        return bytes(whole)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - who sends it closes it
    file.write(whole)
    for part in parts:
        file.write(part)
    return file


def environ_of(scope: Scope, body: IO[bytes]) -> dict[str, Any]:
    """Return a request as WSGI has it (PEP 3333), with what proxies say of it where they are trusted."""
    client = (scope.get("client") or ("", 0))[0]
    host, port = scope.get("server") or ("localhost", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(_size(body)),
    }
    trusted = settings.HTTPS and client in settings.PROXIES
    for name, value in scope["headers"]:
        if b"_" in name or name in OF_BODY or (name in FORWARDED and not trusted):
            continue  # an underscore would pass for a dash
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}" if key in environ else text
    if trusted and "HTTP_X_FORWARDED_HOST" in environ:
        environ["HTTP_HOST"] = environ["HTTP_X_FORWARDED_HOST"]
    return environ


def address_of(environ: dict[str, Any]) -> str:
    """Return the client's network, behind a trusted proxy that of the address which it names."""
    forwarded = str(environ.get("HTTP_X_FORWARDED_FOR", ""))
    return network_of(forwarded.rpartition(",")[2].strip() or str(environ["REMOTE_ADDR"]))


def claimed_from(scope: Scope) -> str:
    """Return the client's network, of a request whose body is not read."""
    return address_of(environ_of(scope, io.BytesIO()))


def header_of(scope: Scope, name: bytes) -> str:
    """Return a request's header, "" where there is none."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def session_of(scope: Scope) -> str:
    """Return the session that a request shows, "" for none."""
    for part in header_of(scope, b"cookie").split(";"):
        name, _, value = part.strip().partition("=")
        if name == settings.SESSION_COOKIE_NAME:
            return value
    return ""


def _size(body: IO[bytes]) -> int:
    size = body.seek(0, io.SEEK_END)
    body.seek(0)
    return size


def encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Return headers as ASGI has them."""
    return [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]


async def _send(answer: Answer, send: Send, *, close: bool) -> None:
    body = answer.body if isinstance(answer.body, bytes) else b""
    headers = encoded(answer.headers)
    if close:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if not isinstance(answer.body, bytes):
        with answer.body as file:
            file.seek(0)
            while piece := file.read(PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse(status: HTTPStatus, send: Send) -> None:
    said = f"{status.phrase}\n".encode()
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(said)).encode())]
    headers.append((b"connection", b"close"))
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", b"10"))
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": said})


class Server(uvicorn.Server):
    """uvicorn's; it ends when what is under way is answered."""

    def __init__(self, front: AsgiApp) -> None:
        """Prepare to serve."""
        config = uvicorn.Config(
            front,
            http=DeskProtocol,
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=ENDS_WITHIN,
        )
        super().__init__(config)
        self.front = front

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what would not end by itself, then the threads."""
        self.front.streams.end_all()
        await super().shutdown(sockets)
        self.front.stop(ENDS_WITHIN)


def serve_socket(sock: socket.socket, program: Wsgi) -> None:
    """Serve a WSGI program until Ctrl-C or a request to end, which is raised as KeyboardInterrupt afterwards."""
    DeskProtocol.places = ConnectionLimit(raise_file_limit())
    settle()
    Server(AsgiApp(program)).run(sockets=[sock])
