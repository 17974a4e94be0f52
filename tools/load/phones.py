"""Phones in a hall: each holds a stream as static/js/version_stream.js does, and fetches what that does not bring.

`python -m tools.load.phones HOST PORT SLUG PLAYERS PHONES SECONDS` prints one JSON object. With a JSON object of tables
by player at the end every other phone shows its player's table of the round in play, whose hands come one by one, the
others the player's own page, which a hand does not change.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from random import Random

from tools.load.figures import percentiles
from tools.load.http import Answer, Connection
from tools.load.tables import ROUND

COME = 200  # phones a second: people scan a code one after another
APART = 6.0  # seconds within which a phone opens its stream
OK = 200
LOST = (OSError, TimeoutError, asyncio.IncompleteReadError)  # what a request without its answer raises


@dataclass
class Tally:
    """What all phones saw together; times in milliseconds, moments in seconds since 1970."""

    took: dict[str, list[float]] = field(default_factory=lambda: {"stream": [], "page": []})
    statuses: dict[int, int] = field(default_factory=dict)
    size: int = 0
    failed: list[str] = field(default_factory=list)
    fetched: list[tuple[int, float]] = field(default_factory=list)  # which phone, and when

    def note(self, kind: str, start: float, answer: Answer) -> None:
        """Count an answer."""
        self.took[kind].append((time.perf_counter() - start) * 1000)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        self.size += answer.size
        if answer.status != OK:
            self.failed.append(f"{kind} answered {answer.status}")


@dataclass(frozen=True, slots=True)
class Hall:
    """Where the phones are: the server, the event, and how many players there are to follow."""

    host: str
    port: int
    slug: str
    players: int
    tables: Mapping[str, int] = field(default_factory=dict)  # by player

    def shown_by(self, number: int) -> str:
        """Return the address of the page that a phone shows."""
        table = self.tables.get(str(number % self.players + 1)) if shows_table(number) else None
        return self.page if table is None else f"{self.page}rounds/{ROUND}/tables/{table}/"

    @property
    def page(self) -> str:
        """The address of the players' own pages."""
        return f"/e/{self.slug}/"


def shows_table(number: int) -> bool:
    """Tell whether a phone shows its player's table, where the hall has live tables."""
    return number % 2 == 1


async def phone(number: int, hall: Hall, until: float, tally: Tally) -> None:
    """Be in the hall until it is time to stop, from somewhere within an interval on; the page is there already."""
    connection = Connection(hall.host, hall.port)
    player = number % hall.players + 1
    await asyncio.sleep(number / COME)
    try:
        chosen = await connection.get(f"{hall.page}?me={player}", {})
    except LOST as wrong:
        tally.failed.append(type(wrong).__name__)
        return
    follows = {"Cookie": chosen.cookies}
    connection.close()  # its page is there; what follows comes on the stream
    await asyncio.sleep(APART * Random(number).random())
    etag = seen = ""
    while time.perf_counter() < until:
        try:
            async with asyncio.timeout(until - time.perf_counter()):
                async for fresh in streamed(hall.shown_by(number), hall, follows, tally):
                    known, etag = etag, fresh["etag"]
                    if known in ("", etag):
                        continue
                    if "part" in fresh:
                        tally.fetched.append((number, time.time()))
                    elif fresh.get("seen") != seen:
                        start = time.perf_counter()
                        page = await connection.get(hall.shown_by(number), {"HX-Request": "true", **follows})
                        tally.note("page", start, page)
                        tally.fetched.append((number, time.time()))
                    seen = fresh.get("seen", "")
        except LOST as wrong:
            if time.perf_counter() < until:
                tally.failed.append(type(wrong).__name__)
    connection.close()


async def streamed(page: str, hall: Hall, follows: Mapping[str, str], tally: Tally) -> AsyncIterator[dict[str, str]]:
    """Yield what the desk tells: `etag`, and `seen` and `part` where it sends the page along."""
    connection, start = Connection(hall.host, hall.port), time.perf_counter()
    first = True
    try:
        async for event in connection.events(f"{page}?stream", follows):
            if first:
                tally.took["stream"].append((time.perf_counter() - start) * 1000)
            first = False
            yield json.loads(event)
    finally:
        tally.size += connection.received
        connection.close()


async def be_there(hall: Hall, phones: int, seconds: float) -> Tally:
    """Let so many phones be there for so long."""
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(phone(number, hall, until, tally) for number in range(phones)))
    return tally


def figures(tally: Tally, phones: int, seconds: float) -> dict[str, object]:
    """Put a tally into the figures that are quoted."""
    answers = sum(tally.statuses.values())
    return {
        "phones": phones,
        "requests_per_second": round(answers / seconds, 1),
        **percentiles(tally.took),
        "statuses": tally.statuses,
        "failed": sorted(set(tally.failed)),
        "kilobytes_a_phone_an_hour": round(tally.size / max(phones, 1) / seconds * 3600 / 1000, 1),
        "fetched": tally.fetched,
    }


if __name__ == "__main__":
    address, where, event, people, count, lasting = sys.argv[1:7]
    hall = Hall(address, int(where), event, int(people), json.loads("".join(sys.argv[7:8]) or "{}"))
    seen = asyncio.run(be_there(hall, int(count), float(lasting)))
    sys.stdout.write(json.dumps(figures(seen, int(count), float(lasting))) + "\n")
