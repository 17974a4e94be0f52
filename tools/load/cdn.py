"""Many viewers of one final behind a CDN: `python -m tools.load.cdn [--viewers 100000] [--edges 50] [--seconds 40]`.

The desk is real, `manage.py desk` with HANCHAN_CDN_SECONDS. The CDN is a cache in this process for each of its
locations, which obeys the headers that the desk sends: freshness, stale answers while it fetches, Vary, If-None-Match,
and one question at a time for each address. Viewers poll and fetch as static/js/version_stream.js and live_fragment.js
do, without a connection of their own: what is counted is what reaches the desk. Prints one JSON object.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tests.nightly_scale import own_data
from tests.with_postgresql import free_port
from tools.load.__main__ import HOST, processor_seconds, serving
from tools.load.figures import percentiles
from tools.load.http import Answer, Connection

POLL = 6.0  # seconds, give or take three tenths: static/js/version_stream.js
SLOT = 0.02  # seconds in which viewers act together
LANGUAGES = ("en", "ja", "de", "fr")
SECONDS = 2  # HANCHAN_CDN_SECONDS
OK, NO_CONTENT, NOT_MODIFIED = 200, 204, 304
RULE = re.compile(r"([\w-]+)=(\d+)")


@dataclass(slots=True)
class Kept:
    """An answer that a location keeps, from when, for how long, and for how long more while it fetches."""

    answer: Answer
    since: float
    fresh: int
    stale: int


@dataclass(slots=True)
class Origin:
    """The desk as the CDN asks it."""

    host: str
    port: int
    asked: Counter[str] = field(default_factory=Counter)
    size: int = 0
    free: list[Connection] = field(default_factory=list)

    async def get(self, path: str, headers: Mapping[str, str]) -> Answer:
        """Ask the desk on a connection that is free."""
        connection = self.free.pop() if self.free else Connection(self.host, self.port)
        answer = await connection.get(path, headers)
        self.free.append(connection)
        kind = "version" if path.endswith("/version/") else "part"
        self.asked[f"{kind} {answer.status}"] += 1
        self.size += answer.size
        return answer


@dataclass(slots=True)
class Edge:
    """One location of the CDN."""

    origin: Origin
    vary: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kept: dict[tuple[str, ...], Kept] = field(default_factory=dict)
    asking: dict[tuple[str, ...], "asyncio.Task[Answer]"] = field(default_factory=dict)

    def at_once(self, path: str, headers: Mapping[str, str], now: float) -> Answer | None:
        """Answer from the cache; while the answer is stale ask for the next one, None where it is not there."""
        key = self._key(path, headers)
        kept = self.kept.get(key)
        if kept is None or now > kept.since + kept.fresh + kept.stale:
            return None
        if now > kept.since + kept.fresh:
            self._ask(key, path, headers)
        return kept.answer

    async def fetch(self, path: str, headers: Mapping[str, str]) -> Answer:
        """Answer from the desk; all who wait for one address share one question."""
        return await self._ask(self._key(path, headers), path, headers)

    def _key(self, path: str, headers: Mapping[str, str]) -> tuple[str, ...]:
        return (path, *(headers.get(name, "") for name in self.vary.get(path.partition("?")[0], ())))

    def _ask(self, key: tuple[str, ...], path: str, headers: Mapping[str, str]) -> "asyncio.Task[Answer]":
        if key not in self.asking:
            task = asyncio.create_task(self._answer(path, headers))
            self.asking[key] = task
            task.add_done_callback(lambda _done: self.asking.pop(key, None))
        return self.asking[key]

    async def _answer(self, path: str, headers: Mapping[str, str]) -> Answer:
        old = self.kept.get(self._key(path, headers))
        asked = {"If-None-Match": old.answer.headers["etag"]} if old else {}
        answer = await self.origin.get(path, {**headers, **asked})
        if old and answer.status == NOT_MODIFIED:
            old.since = time.monotonic()
            return old.answer
        rules = {name: int(value) for name, value in RULE.findall(answer.headers.get("cdn-cache-control", ""))}
        if rules:
            names = [name.strip() for name in answer.headers.get("vary", "").split(",") if name.strip()]
            self.vary[path.partition("?")[0]] = tuple(names)
            stale = rules.get("stale-while-revalidate", 0)
            self.kept[self._key(path, headers)] = Kept(answer, time.monotonic(), rules["max-age"], stale)
        return answer


@dataclass(slots=True)
class Audience:
    """All viewers: the version and the mark that each shows, and what they were told."""

    edges: list[Edge]
    slug: str
    page: str
    viewers: int
    chance: Random
    versions: list[str]
    marks: list[str]
    polls: int = 0
    parts: int = 0
    size: int = 0
    shown: dict[int, float] = field(default_factory=dict)

    async def watch(self, until: float) -> None:
        """Let everybody poll until it is time to stop."""
        wheel: dict[int, list[int]] = {}
        start = time.monotonic()
        for viewer in range(self.viewers):
            wheel.setdefault(int(POLL * self.chance.random() / SLOT), []).append(viewer)
        slot, tasks = 0, set[asyncio.Task[None]]()
        while time.monotonic() < until:
            now = time.monotonic()
            for viewer in wheel.pop(slot, ()):
                self._poll(viewer, now, tasks)
                again = POLL * (0.7 + 0.6 * self.chance.random())
                wheel.setdefault(slot + max(1, int(again / SLOT)), []).append(viewer)
            slot += 1
            await asyncio.sleep(max(0, start + slot * SLOT - time.monotonic()))
        await asyncio.gather(*tasks)

    def _poll(self, viewer: int, now: float, tasks: "set[asyncio.Task[None]]") -> None:
        self.polls += 1
        edge = self.edges[viewer % len(self.edges)]
        answer = edge.at_once(f"/e/{self.slug}/version/", {}, now)
        if answer is None:
            task = asyncio.create_task(self._wait(viewer, edge))
        elif answer.headers["etag"] != self.versions[viewer]:
            task = asyncio.create_task(self._load(viewer, edge, answer.headers["etag"]))
        else:
            return
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _wait(self, viewer: int, edge: Edge) -> None:
        answer = await edge.fetch(f"/e/{self.slug}/version/", {})
        if answer.headers["etag"] != self.versions[viewer]:
            await self._load(viewer, edge, answer.headers["etag"])

    async def _load(self, viewer: int, edge: Edge, version: str) -> None:
        self.versions[viewer] = version
        path = f"{self.page}?seen={self.marks[viewer]}&at={version.strip(chr(34))}"
        headers = {"HX-Request": "true", "Accept-Language": LANGUAGES[viewer % len(LANGUAGES)]}
        answer = edge.at_once(path, headers, time.monotonic()) or await edge.fetch(path, headers)
        self.parts += 1
        self.size += answer.size
        if answer.status == OK:
            self.marks[viewer] = answer.headers.get("etag", "").strip('"')
            self.shown[viewer] = time.monotonic()


async def play(port: int, server: int, wanted: argparse.Namespace) -> dict[str, object]:
    """Let viewers watch; a third of the time in something is released."""
    from tools.load.hall import change_for_all, make_hall, make_referee

    hall = await asyncio.to_thread(lambda: make_hall(wanted.tables, make_referee()))
    origin = Origin(HOST, port)
    page = f"/e/{hall.slug}/standings/"
    first = [await origin.get(page, {"Accept-Language": language}) for language in LANGUAGES]
    version = (await origin.get(f"/e/{hall.slug}/version/", {})).headers["etag"]
    marks = [first[viewer % len(LANGUAGES)].headers["etag"].strip('"') for viewer in range(wanted.viewers)]
    edges = [Edge(origin) for _edge in range(wanted.edges)]
    versions = [version] * wanted.viewers
    audience = Audience(edges, hall.slug, page, wanted.viewers, Random(100), versions, marks)
    origin.asked.clear()
    origin.size, used, start = 0, processor_seconds(server), time.monotonic()
    watching = asyncio.create_task(audience.watch(start + wanted.seconds))
    await asyncio.sleep(wanted.seconds / 3)
    quiet = dict(origin.asked)
    await asyncio.to_thread(change_for_all, hall)
    released = time.monotonic()
    await watching
    took, used = time.monotonic() - start, processor_seconds(server) - used
    delays = [(at - released) * 1000 for at in audience.shown.values()]
    return {
        "viewers": wanted.viewers,
        "edges": wanted.edges,
        "seconds": round(took, 1),
        "polls_per_s": round(audience.polls / took),
        "parts_fetched": audience.parts,
        "kilobytes_of_parts": round(audience.size / 1000),
        "shown_to": len(audience.shown),
        **percentiles({"release_to_viewer": delays}),
        "asked_of_desk_per_s": round(sum(origin.asked.values()) / took, 1),
        "asked_of_desk_before_release": quiet,
        "asked_of_desk": dict(origin.asked),
        "kilobytes_from_desk": round(origin.size / 1000),
        "desk_processors": round(used / took, 3),
    }


def main() -> int:
    """Start the desk, let them watch, print."""
    parser = argparse.ArgumentParser(prog="python -m tools.load.cdn", description=__doc__)
    parser.add_argument("--viewers", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=50, help="locations of the CDN")
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--tables", type=int, default=10)
    wanted = parser.parse_args()
    os.environ["HANCHAN_CDN_SECONDS"] = str(SECONDS)
    with own_data("cdn"):
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        port = free_port()
        with serving(port, []) as server:
            found = asyncio.run(play(port, server.pid, wanted))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if found["shown_to"] == wanted.viewers else 1


if __name__ == "__main__":
    sys.exit(main())
