"""Guests who mean harm, each kind for itself, while tables play.

`python -m tools.load.attackers HOST PORT KIND SECONDS` prints one JSON object: what the desk answered them.

half-open   2,100 connections that send a byte of a head now and then, opened again when the desk closes them
logins      16 at once who sign in under invented names
uploads     40 who begin to send ten megabytes to the sign-in page and never end
"""

import asyncio
import contextlib
import json
import secrets
import sys
import time
import urllib.parse
from collections import Counter
from collections.abc import Awaitable, Callable

from tools.load.http import Connection
from web.server.protocol import raise_file_limit

HALF_OPEN, SIGNING_IN, UPLOADING = 2100, 16, 40
BYTE_EVERY = 15.0  # seconds
PIECE = b"a" * 2**16
SENT = 160  # pieces: ten megabytes

Attack = Callable[[str, int, float], Awaitable[str]]


async def half_open(host: str, port: int, until: float) -> str:
    """Send a head byte by byte until the connection ends."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        while time.perf_counter() < until:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(BYTE_EVERY, until - time.perf_counter())):
                    await reader.read(1)
                    return "closed"
            writer.write(b"x")
        return "held"
    finally:
        writer.close()


async def sign_in(host: str, port: int, until: float) -> str:
    """Try a name that nobody has."""
    connection = Connection(host, port)
    try:
        page = await connection.get("/login/", {})
        cookie = page.cookies
        form = {"csrfmiddlewaretoken": cookie.partition("=")[2], "username": secrets.token_hex(6), "password": "guess"}
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        answer = await connection.ask("POST", "/login/", headers, urllib.parse.urlencode(form).encode())
        return str(answer.status)
    finally:
        connection.close()
        del until


async def upload(host: str, port: int, until: float) -> str:
    """Announce more than is sent."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        head = f"POST /login/ HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {(SENT + 1) * len(PIECE)}\r\n\r\n"
        writer.write(head.encode())
        for _ in range(SENT):
            writer.write(PIECE)
            await writer.drain()
        async with asyncio.timeout(max(0.1, until - time.perf_counter())):
            return (await reader.readline()).decode().strip() or "closed"
    finally:
        writer.close()


ATTACKS: dict[str, tuple[Attack, int]] = {
    "half-open": (half_open, HALF_OPEN),
    "logins": (sign_in, SIGNING_IN),
    "uploads": (upload, UPLOADING),
}


async def attack(host: str, port: int, kind: str, seconds: float) -> Counter[str]:
    """Let all of a kind attack again and again until it is time to stop."""
    act, many = ATTACKS[kind]
    until, came = time.perf_counter() + seconds, Counter[str]()

    async def one() -> None:
        while time.perf_counter() < until:
            try:
                came[await act(host, port, until)] += 1
            except (OSError, TimeoutError, asyncio.IncompleteReadError, KeyError) as wrong:
                came[type(wrong).__name__] += 1
                await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(many)))
    return came


if __name__ == "__main__":
    address, where, wanted, lasting = sys.argv[1:5]
    raise_file_limit()
    found = asyncio.run(attack(address, int(where), wanted, float(lasting)))
    sys.stdout.write(json.dumps({"answers": dict(found), "failed": []}) + "\n")
