"""How long a connection may take for its request's head, and to take its answer; and how many there may be.

uvicorn waits for ever for a head that comes byte by byte, and for a reader who does not read: 2,100 heads that come so
are closed after 10 s here, and a preview beside them takes 8 ms (docs/developer/load.md, "Guests who mean harm").
"""

import asyncio
import contextlib
import socket
import sys
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_WITHIN: Final = 10.0  # seconds from the first byte, or from the connection, to the end of the head
READS_WITHIN: Final = 60.0  # seconds that a reader may leave what was sent to it
LONGEST_HEAD: Final = 32 * 1024  # bytes
MAX_HEADERS: Final = 100
CONNECTION: Final = "hanchan.connection"  # the extension by which the front finds the connection of a request

FILES_OF_OURS: Final = 150  # the database by thread, backups, templates, the pipes of printing processes
MOST: Final = 12_000
KEPT: Final = 0.1  # of all places, for those who are signed in


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows it, and return how many connections that leaves."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + FILES_OF_OURS if hard == resource.RLIM_INFINITY else min(hard, MOST + FILES_OF_OURS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(20, min(MOST, soft - FILES_OF_OURS))


class ConnectionLimit:
    """The connections that there are. Where too many come, those without a request go, the oldest first.

    A browser opens a connection again that it only kept; one whose first request was on its way shows an error.
    """

    def __init__(self, most: int = MOST) -> None:
        """Take so many, the kept ones among them."""
        self.most = most
        self.taken = 0
        self.silent: dict[DeskProtocol, None] = {}  # whose head is not whole yet
        self.idle: dict[DeskProtocol, None] = {}  # which were answered

    @property
    def full(self) -> bool:
        """Whether the rest is kept for those who are signed in."""
        return self.taken > self.most * (1 - KEPT)

    def make_room(self, newest: "DeskProtocol") -> None:
        """Close the oldest connection that waits for nothing, and this newest one where there is no place at all."""
        for waiting in (self.idle, self.silent):
            oldest = next(iter(waiting), newest)
            if self.full and oldest is not newest:
                oldest.drop()
                return
        if self.taken > self.most:
            newest.drop()


class LargeHeadError(Exception):
    """A head longer than LONGEST_HEAD or of more than MAX_HEADERS; the parser makes it a bad request."""


class DeskProtocol(HttpToolsProtocol):
    """uvicorn's, with deadlines. `places` is the class's own: a process serves once."""

    places = ConnectionLimit()
    signed_in = False  # said by the front, of the person whose request came last

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        wire = transport.get_extra_info("socket")
        if wire.family in {socket.AF_INET, socket.AF_INET6}:
            # else a small answer waits for 40 ms; asyncio does so only where the listening socket names TCP
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.places.taken += 1
        self.deadline: asyncio.TimerHandle | None = None
        self._await_head()
        self.places.make_room(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self.places.taken -= 1
        self.places.silent.pop(self, None)
        self.places.idle.pop(self, None)
        self._forget_deadline()
        super().connection_lost(exc)
        if self.cycle is not None:
            self.cycle.body = bytearray()  # the rest of a connection is a cycle, which is found late: see tuning

    def drop(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Begin the deadline of a head with its first byte, and measure it."""
        if self.places.idle.pop(self, self) is None:
            self._await_head()
        self.head_size += len(data)
        super().data_received(data)
        if self in self.places.silent and self.head_size > LONGEST_HEAD:
            self.drop()

    def on_message_begin(self) -> None:
        """Let the front find its connection."""
        super().on_message_begin()
        self.parsed_size = 0
        scope: dict[str, Any] = self.scope  # type: ignore[assignment]
        scope["extensions"] = {CONNECTION: self}

    def on_url(self, url: bytes) -> None:
        """Measure the address as part of the head."""
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Measure a header: a head may come whole in one piece."""
        self._measure(len(name) + len(value) + 4)
        super().on_header(name, value)

    def _measure(self, size: int) -> None:
        self.parsed_size += size
        if self.parsed_size > LONGEST_HEAD or len(self.headers) >= MAX_HEADERS:
            raise LargeHeadError

    def on_headers_complete(self) -> None:
        """Serve."""
        self.places.silent.pop(self, None)
        self._forget_deadline()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Keep the connection for the next request."""
        super().on_response_complete()
        if not self.pipeline and not self.signed_in and not self.transport.is_closing():
            self.places.idle[self] = None

    def pause_writing(self) -> None:
        """Give a reader who does not read some time."""
        super().pause_writing()
        self._forget_deadline()
        self.deadline = self.loop.call_later(READS_WITHIN, self.drop)

    def resume_writing(self) -> None:
        """Go on, as the reader reads."""
        self._forget_deadline()
        super().resume_writing()

    def _await_head(self) -> None:
        self.head_size = 0
        self.places.silent[self] = None
        self.deadline = self.loop.call_later(HEAD_WITHIN, self.drop)

    def _forget_deadline(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
