"""A kept connection to a server, as a browser holds it: a request and its answer, as much of HTTP/1.1 as we need."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

WAIT = 30  # seconds
GZIP = b"\x1f\x8b\x08"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: status, headers by lower-case name, how many bytes in all, and the body as it was sent.

    `cookies` is what a browser that got this answer sends from then on, as the header `Cookie`.
    """

    status: int
    headers: Mapping[str, str]
    cookies: str
    size: int
    body: bytes


class Connection:
    """A connection that is opened when it is first needed, and again after the server has closed it."""

    def __init__(self, host: str, port: int) -> None:
        """Remember the address; nothing is opened yet. `received` counts the bytes of events."""
        self.host, self.port = host, port
        self.received = 0
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, headers: Mapping[str, str]) -> Answer:
        """Ask for a path, compressed if the server likes; raises as `ask` does."""
        return await self.ask("GET", path, {"Accept-Encoding": "gzip", **headers})

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """Send a request; raises OSError, TimeoutError or asyncio.IncompleteReadError when no whole answer comes."""
        if self.reader is None or self.writer is None or self.writer.is_closing() or self.reader.at_eof():
            self.close()
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines += [f"Content-Length: {len(body)}"] if body else []
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        try:
            async with asyncio.timeout(WAIT):  # wait_for may lose somebody else's cancellation before Python 3.12
                return await self._answer()
        except BaseException:
            self.close()
            raise

    async def events(self, path: str, headers: Mapping[str, str]) -> AsyncIterator[str]:
        """Yield what each server-sent event tells, until the server ends them; raises as `ask` does.

        The desk sends each in a chunk of its own, which stands alone where it is compressed: 5,000 windows of a
        decompressor are not needed here.
        """
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        asked = {
            "Host": f"{self.host}:{self.port}",
            "Accept": "text/event-stream",
            "Accept-Encoding": "gzip",
            **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in asked.items())
        self.writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        async with asyncio.timeout(WAIT):
            head = await self.reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise OSError(f"the stream answered {head[9:12].decode()}")
        packed = b"content-encoding: gzip" in head.lower()
        while size := int(await self._line(), 16):
            async with asyncio.timeout(WAIT):
                chunk = (await self.reader.readexactly(size + 2))[:-2]
            self.received += size
            if not packed:
                yield chunk.decode().removeprefix("data: ")
            elif not chunk.startswith(GZIP):
                yield zlib.decompressobj(-zlib.MAX_WBITS).decompress(chunk).decode().removeprefix("data: ")

    async def _line(self) -> bytes:
        assert self.reader is not None
        async with asyncio.timeout(WAIT):
            return await self.reader.readuntil(b"\r\n")

    async def _answer(self) -> Answer:
        assert self.reader is not None
        head = await self.reader.readuntil(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        lines = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in rest if line)]
        headers = dict(lines)
        cookies = "; ".join(value.partition(";")[0] for name, value in lines if name == "set-cookie")
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            while length := int(await self.reader.readuntil(b"\r\n"), 16):
                body += (await self.reader.readexactly(length + 2))[:-2]
            await self.reader.readexactly(2)
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(int(first.split()[1]), headers, cookies, len(head) + len(body), body)

    def close(self) -> None:
        """Close what is open."""
        if self.writer is not None:
            self.writer.close()
        self.writer = None
