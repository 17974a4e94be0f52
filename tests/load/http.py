"""One kept connection to a server, as a browser holds it: GET and its answer, as much of HTTP/1.1 as is needed."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

WAIT = 30  # seconds


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: status, headers by lower-case name, and the body's and the head's bytes together."""

    status: int
    headers: Mapping[str, str]
    size: int


class Connection:
    """A connection that is opened when it is first needed, and again after the server has closed it."""

    def __init__(self, host: str, port: int) -> None:
        """Remember the address; nothing is opened yet."""
        self.host, self.port = host, port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, headers: Mapping[str, str]) -> Answer:
        """Ask for a path; raises OSError, TimeoutError or asyncio.IncompleteReadError when no whole answer comes."""
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.host}:{self.port}", "Accept-Encoding: gzip"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        try:
            return await asyncio.wait_for(self._answer(), WAIT)
        except BaseException:
            self.close()
            raise

    async def _answer(self) -> Answer:
        assert self.reader is not None
        head = await self.reader.readuntil(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest if line)}
        size = len(head)
        if headers.get("transfer-encoding") == "chunked":
            while length := int(await self.reader.readuntil(b"\r\n"), 16):
                size += len(await self.reader.readexactly(length + 2))
            await self.reader.readexactly(2)
        else:
            size += len(await self.reader.readexactly(int(headers.get("content-length", "0"))))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(int(first.split()[1]), headers, size)

    def close(self) -> None:
        """Close what is open."""
        if self.writer is not None:
            self.writer.close()
        self.writer = None
