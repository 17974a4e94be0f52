"""Phones in a hall: each asks for the version as static/js/poll.js does, and fetches its player's day when it moved.

`python -m tests.load.phones HOST PORT SLUG PLAYERS PHONES SECONDS` prints one JSON object.
"""

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from random import Random

from tests.load.figures import percentiles
from tests.load.http import Answer, Connection

POLL = 6.0  # seconds between two questions, give or take three tenths: static/js/poll.js
OK, NOT_MODIFIED = 200, 304


@dataclass
class Tally:
    """What all phones saw together; times in milliseconds, moments in seconds since 1970."""

    etag: str = ""
    took: dict[str, list[float]] = field(default_factory=lambda: {"version": [], "page": []})
    statuses: dict[int, int] = field(default_factory=dict)
    size: int = 0
    failed: list[str] = field(default_factory=list)
    fetched_at: list[float] = field(default_factory=list)

    def note(self, kind: str, start: float, answer: Answer) -> None:
        """Count an answer."""
        self.took[kind].append((time.perf_counter() - start) * 1000)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        self.size += answer.size
        if answer.status not in (OK, NOT_MODIFIED):
            self.failed.append(f"{kind} answered {answer.status}")


@dataclass(frozen=True, slots=True)
class Hall:
    """Where the phones are: the server, the event, and how many players there are to follow."""

    host: str
    port: int
    slug: str
    players: int


async def phone(number: int, hall: Hall, until: float, tally: Tally) -> None:
    """Poll until it is time to stop, from somewhere within the interval on; the page is there already."""
    chance = Random(number)
    connection = Connection(hall.host, hall.port)
    etag = tally.etag
    page = f"/e/{hall.slug}/"
    chosen = await connection.get(f"{page}?me={number % hall.players + 1}", {})
    follows = {"HX-Request": "true", "Cookie": chosen.headers["set-cookie"].partition(";")[0]}
    await asyncio.sleep(POLL * chance.random())
    while time.perf_counter() < until:
        try:
            start = time.perf_counter()
            answer = await connection.get(f"/e/{hall.slug}/version/", {"If-None-Match": etag})
            tally.note("version", start, answer)
            if answer.status != NOT_MODIFIED:
                etag = answer.headers.get("etag", "")
                start = time.perf_counter()
                tally.note("page", start, await connection.get(page, follows))
                tally.fetched_at.append(time.time())
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as wrong:
            tally.failed.append(type(wrong).__name__)
        await asyncio.sleep(POLL * (0.7 + 0.6 * chance.random()))
    connection.close()


async def poll(hall: Hall, phones: int, seconds: float) -> Tally:
    """Let so many phones poll for so long."""
    first = Connection(hall.host, hall.port)
    tally = Tally((await first.get(f"/e/{hall.slug}/version/", {})).headers["etag"])
    first.close()
    until = time.perf_counter() + seconds
    await asyncio.gather(*(phone(number, hall, until, tally) for number in range(phones)))
    return tally


def figures(tally: Tally, phones: int, seconds: float) -> dict[str, object]:
    """Put a tally into the figures that are quoted."""
    answers = sum(tally.statuses.values())
    return {
        "phones": phones,
        "requests_per_second": round(answers / seconds, 1),
        **percentiles(tally.took),
        "share_304": round(tally.statuses.get(NOT_MODIFIED, 0) / max(answers, 1), 3),
        "statuses": tally.statuses,
        "failed": sorted(set(tally.failed)),
        "kilobytes_a_phone_an_hour": round(tally.size / max(phones, 1) / seconds * 3600 / 1000, 1),
        "last_page_at": max(tally.fetched_at, default=None),
    }


if __name__ == "__main__":
    address, where, event, people, count, lasting = sys.argv[1:7]
    seen = asyncio.run(poll(Hall(address, int(where), event, int(people)), int(count), float(lasting)))
    sys.stdout.write(json.dumps(figures(seen, int(count), float(lasting))) + "\n")
