"""Tables of a running round: at each a hand every few seconds, looked at before it is sent, as the page does it.

`python -m tools.load.tables HOST PORT SLUG SESSION LINES.json SECONDS EVERY` prints one JSON object. The file holds the
lines of each table's game by the table's number.
"""

import asyncio
import json
import re
import sys
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from uuid import uuid4

from tools.load.figures import percentiles
from tools.load.http import Connection

OK = 200
ROUND = 9  # that is played: a late one, for a release costs more the more rounds there are
SEQ = re.compile(rb'name="expected_seq" value="(\d+)"')
STAMP = re.compile(r'data-stamp="([^"]*)"')
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


@dataclass
class Tally:
    """What all tables saw together; times in milliseconds."""

    took: dict[str, list[float]] = field(default_factory=lambda: {"preview": [], "hand": []})
    failed: list[str] = field(default_factory=list)
    stages: dict[str, list[dict[str, float]]] = field(default_factory=dict)  # by kind, where the desk tells them
    answered: list[tuple[int, float]] = field(default_factory=list)  # the table, and when its hand was answered


class Table:
    """A table's own page, open all the time, and the game that is to be entered."""

    def __init__(self, server: tuple[str, int], address: str, session: str, lines: list[str]) -> None:
        """Remember them; nothing is asked yet."""
        self.connection, self.address, self.lines = Connection(*server), address, lines
        self.headers = {"Cookie": f"sessionid={session}; hand-tour=1", "HX-Request": "true"}
        self.seq, self.stamp = 0, ""

    async def open(self) -> None:
        """Open the page for its token, and for where the game stands."""
        answer = await self.connection.ask("GET", self.address, self.headers)
        self.headers["Cookie"] += f"; {answer.cookies}"
        self.headers["X-CSRFToken"] = _found(TOKEN, answer.body)
        self.seq, self.stamp = int(_found(SEQ, answer.body)), stamp_of(answer.body.decode())

    async def enter(self, tally: Tally) -> None:
        """Look at the next hand and send it."""
        line = self.lines[self.seq]
        fields = {"client_id": str(uuid4()), "expected_seq": self.seq, "line": line, "reason": "as the table says"}
        form = urllib.parse.urlencode(fields)
        await self._timed("preview", tally, "GET", f"{self.address}preview/?{form}", b"")
        form = urllib.parse.urlencode(fields | {"stamp": self.stamp})
        answer = json.loads(await self._timed("hand", tally, "POST", self.address, form.encode()))
        self.seq, self.stamp = answer["seq"], stamp_of(answer["page"])

    async def _timed(self, kind: str, tally: Tally, method: str, path: str, body: bytes) -> bytes:
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        headers = self.headers | (sent if body else {})
        start = time.perf_counter()
        answer = await self.connection.ask(method, path, headers, body)
        tally.took[kind].append((time.perf_counter() - start) * 1000)
        if "x-stages" in answer.headers:
            stages = json.loads(answer.headers["x-stages"])
            stages["outside"] = tally.took[kind][-1] - sum(stages.values())  # network, parser, and this program
            tally.stages.setdefault(kind, []).append(stages)
        if answer.status != OK:
            raise OSError(f"{kind} answered {answer.status}: {answer.body[:200]!r}")
        return answer.body


async def play(table: Table, number: int, until: float, every: float, tally: Tally) -> None:
    """Enter a hand every few seconds, from somewhere within the first of them on, until it is time or the game over."""
    try:
        await table.open()
        await asyncio.sleep(every * Random(number).random())
        while time.perf_counter() < until and table.seq < len(table.lines):
            next_one = time.perf_counter() + every
            await table.enter(tally)
            tally.answered.append((number, time.time()))
            await asyncio.sleep(max(0.0, next_one - time.perf_counter()))
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as wrong:
        tally.failed.append(f"table {number}: {type(wrong).__name__} {wrong}")
    table.connection.close()


async def play_all(tables: dict[int, Table], seconds: float, every: float) -> Tally:
    """Let all tables play for so long."""
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(play(table, number, until, every, tally) for number, table in tables.items()))
    return tally


def stages_of(answers: list[dict[str, float]], share: float) -> dict[str, float]:
    """Return the mean milliseconds by stage of this share of the answers, the slowest."""
    slowest = sorted(answers, key=lambda stages: -sum(stages.values()))[: max(1, round(len(answers) * share))]
    names = {name for stages in slowest for name in stages}
    return {name: round(sum(stages.get(name, 0.0) for stages in slowest) / len(slowest), 1) for name in sorted(names)}


def stamp_of(page: str) -> str:
    """Return what the next hand says of the page that it is sent from."""
    match = STAMP.search(page)
    return match[1] if match else ""


def _found(pattern: re.Pattern[bytes], text: bytes) -> str:
    match = pattern.search(text)
    if match is None:
        raise OSError(f"no {pattern.pattern!r} on the page")
    return match[1].decode()


if __name__ == "__main__":
    host, port, slug, session, file, lasting, pause = sys.argv[1:8]
    games = {int(key): lines for key, lines in json.loads(Path(file).read_text(encoding="utf-8")).items()}
    where = {number: f"/desk/{slug}/rounds/{ROUND}/tables/{number}/" for number in games}
    halls = {number: Table((host, int(port)), where[number], session, games[number]) for number in games}
    seen = asyncio.run(play_all(halls, float(lasting), float(pause)))
    told = {"hands": len(seen.took["hand"]), **percentiles(seen.took), "failed": seen.failed, "answered": seen.answered}
    told["stages"] = {
        kind: {"half": stages_of(all_, 0.5), "slowest": stages_of(all_, 0.02)} for kind, all_ in seen.stages.items()
    }
    sys.stdout.write(json.dumps(told) + "\n")
