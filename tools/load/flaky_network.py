"""A line between a hall and its relay that delays, loses and reorders: `python -m tools.load.flaky_network PORT TO`.

Listens at PORT of this machine and carries to TO. Commands come on standard input, one a line, and are answered by one
JSON object: `cut`, `heal`, `count` (bytes that went up so far, and what befell messages), `replay` (sends every message
once more, in any order, and tells the numbers that came back), `forge` (the same with a byte changed), `end`.
"""

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress
from random import Random

HOST = "127.0.0.1"
DELAYS = (0.05, 0.3)  # seconds, of each piece in either direction
LATE = (1.0, 4.0)  # seconds until a message comes that was overtaken
FALLS = {"": 0.55, "lost": 0.15, "answer lost": 0.15, "late": 0.15}


class Line:
    """The line with all its connections."""

    def __init__(self, to: int) -> None:
        """Be whole."""
        self.to, self.chance = to, Random(25)
        self.is_cut, self.up, self.fell = False, 0, Counter[str]()
        self.open: set[asyncio.StreamWriter] = set()
        self.messages: list[bytes] = []
        self.waiting: set[asyncio.Task[None]] = set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection, message by message."""
        if self.is_cut:
            writer.close()
            return
        self.open.add(writer)
        with suppress(OSError, asyncio.IncompleteReadError, ValueError):
            there, to_there = await asyncio.open_connection(HOST, self.to)
            self.open.add(to_there)
            while message := await request_from(reader):
                self.up += len(message)
                self.messages.append(message)
                fall = self.chance.choices(list(FALLS), list(FALLS.values()))[0]
                self.fell[fall] += 1
                await asyncio.sleep(self.chance.uniform(*DELAYS))
                if fall == "late":
                    self._later(message)
                if fall in ("late", "lost") or self.is_cut:
                    break
                to_there.write(message)
                answer = await request_from(there)
                await asyncio.sleep(self.chance.uniform(*DELAYS))
                if fall == "answer lost" or self.is_cut:
                    break
                writer.write(answer)
            to_there.close()
        writer.close()
        self.open.discard(writer)

    def _later(self, message: bytes) -> None:
        async def send() -> None:
            await asyncio.sleep(self.chance.uniform(*LATE))
            with suppress(OSError, asyncio.IncompleteReadError):
                await self.send(message)

        task = asyncio.ensure_future(send())
        self.waiting.add(task)
        task.add_done_callback(self.waiting.discard)

    async def send(self, message: bytes) -> str:
        """Send a message on a connection of its own; return the body of the answer."""
        there, to_there = await asyncio.open_connection(HOST, self.to)
        to_there.write(message)
        answer = await request_from(there)
        to_there.close()
        return answer.partition(b"\r\n\r\n")[2].decode()

    async def obey(self, command: str) -> object:
        """Carry out a command and return the answer."""
        if command == "cut":
            self.is_cut = True
            for writer in self.open:
                writer.close()
        elif command == "heal":
            self.is_cut = False
        elif command in ("replay", "forge"):
            messages = [message for message in self.messages if b"X-Relay-Signature" in message]
            self.chance.shuffle(messages)
            change = (lambda each: each[:-1] + bytes([each[-1] ^ 1])) if command == "forge" else (lambda each: each)
            return [await self.send(change(message)) for message in messages]
        return {"up": self.up, "fell": dict(self.fell)}


async def request_from(reader: asyncio.StreamReader) -> bytes:
    """Return the next message with its body, as long as its head says; b"" at the end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    lines = head.decode("latin-1").lower().split("\r\n")
    length = next((int(line.partition(":")[2]) for line in lines if line.startswith("content-length:")), 0)
    return head + await reader.readexactly(length)


async def main(port: int, to: int) -> None:
    """Carry until the end."""
    line = Line(to)
    server = await asyncio.start_server(line.carry, HOST, port)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while (command := (await commands.readline()).decode().strip()) not in ("", "end"):
        sys.stdout.write(json.dumps(await line.obey(command)) + "\n")
        sys.stdout.flush()
    server.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
