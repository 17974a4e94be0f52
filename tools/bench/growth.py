"""How pages and files grow with an event: `python -m tools.bench.growth [PLAYERS ...]` prints a table of all.

Each event has four players a table, all tables typed by hand, every round but the last released and the last in the
middle of its play. It counts in a season, and its first player has a page. Every address of the URL configuration is
asked for with nothing kept from before: by a phone that follows a player, or by who runs the desk. Counted are queries,
kilobytes and calls of our own functions, which are the same on any machine, beside processor time. Needs HANCHAN_DATA
like `python -m tools.bench`.
"""

import cProfile
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import CodeType
from typing import TYPE_CHECKING

from bootstrap import REPO

if TYPE_CHECKING:
    from django.test import Client

    from tournament.events.models import Event

SEATS = 4  # of a table
GAMES = 40  # different ones; tables have them in turn
SIZES = (12, 100, 1000)
ROUNDS = 8
OURS = tuple(str(REPO / room) for room in ("rules/", "scoring/", "tournament/", "web/"))
SMALL = 8  # players of an event that warms the process up; it has each of the games once
# what prints works in processes of its own, and a copy is of all pages, each of which is measured alone
LEFT_OUT = (".pdf", "/site.zip")
OK = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What an answer took: calls of our functions, queries, kilobytes, milliseconds; `status` is that of HTTP."""

    status: int
    calls: int
    queries: int
    kilobytes: float
    ms: float


def make_big_event(players: int, rounds: int) -> "Event":
    """Make an event of so many players whose rows are written at once: typing them is another benchmark."""
    from tools.bench.games import game_of
    from tools.bench.standings import HANDS, play_at_once, rows_to_insert
    from tournament.core.now import now
    from tournament.events.models import Event
    from tournament.tables.models import LedgerEntry, Table

    event = _seated(players, rounds)
    play_at_once(event, rounds - 1, games=GAMES)
    entries = game_of(event.ruleset, Random(200), HANDS)  # the first of those games
    tables = Table.objects.filter(round__event=event, round__number=rounds).select_related("round__event")
    rows = [row for table in tables for row in rows_to_insert(table, entries[: -table.number % HANDS])]
    LedgerEntry.objects.bulk_create(rows, batch_size=500)
    event.rounds.filter(number=rounds).update(started_at=now())
    return Event.objects.get(pk=event.pk)


def _seated(players: int, rounds: int) -> "Event":
    """Make an event whose players turn past each other like wheels, so that nearly nobody meets twice."""
    from tests.factories import DAY, make_account, name_of
    from tournament.core.transaction import event_transaction
    from tournament.events.actions import create_event
    from tournament.players.actions import NewPlayer, add_players
    from tournament.rounds.actions import publish_rounds
    from tournament.seating.actions import SEATS_DRAWN, seat_rounds

    by, tables, slug = make_account("Organiser"), players // SEATS, f"growth-{players}"
    event = create_event(name=slug, date=DAY, rules_key="ema-2025", rounds=rounds, slug=slug, by=by)
    people = add_players(
        event=event,
        players=[NewPlayer(name_of(index), team=f"Team {index // SEATS}") for index in range(players)],
        by=by,
    )
    drawn = [
        [[people[(at + turn * seat) % tables + tables * seat] for seat in range(SEATS)] for at in range(tables)]
        for turn in range(rounds)
    ]
    with event_transaction(event, SEATS_DRAWN, by=by) as change:
        seat_rounds(change.event, drawn)
    publish_rounds(event=event, numbers=range(1, rounds + 1), by=by)
    event.refresh_from_db()
    return event


def addresses_of(event: "Event") -> Iterator[tuple[str, str]]:
    """Yield name and address of all that can be read; public ones of an event of the last round that is released."""
    from django.urls import get_resolver, resolve

    from tests.pages.rights_table import TABLE, audience_of
    from tests.pages.test_audiences import SAMPLE, walk
    from tournament.seasons.models import Season

    playing = {**SAMPLE, "slug": event.slug, "round_number": str(event.rounds_planned), "table_number": "2"}
    released = {**playing, "round_number": str(event.rounds_planned - 1)}
    season = str(Season.objects.values_list("slug", flat=True).get())
    values = {"event": playing, "public": released}, {**SAMPLE, "slug": season, "own": season}
    ways = {each: walk(get_resolver(), values=values[0].get(each, values[1])) for each in (*values[0], "site")}
    for addresses in zip(*ways.values(), strict=True):
        here = {each: address for each, (address, _part) in zip(ways, addresses, strict=True)}
        name = resolve(here["site"]).view_name
        if TABLE[name][0] is not None and not here["site"].endswith(LEFT_OUT):
            yield name, here.get(audience_of(name), here["site"])


def ask(client: "Client", address: str) -> Asked:
    """Ask for an address with nothing kept of an event."""
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tournament.tables.history import read_payload
    from tournament.tables.queries import signed_results

    for each in (cache.clear, read_payload.cache_clear, signed_results.cache_clear):
        each()
    profile = cProfile.Profile(builtins=False)
    with CaptureQueriesContext(connection) as seen, profile:
        start = time.process_time()
        answer = client.get(address)
        content = b"".join(answer) if answer.streaming else answer.content
        milliseconds = (time.process_time() - start) * 1000
    calls = sum(
        each.callcount
        for each in profile.getstats()
        if isinstance(each.code, CodeType) and each.code.co_filename.startswith(OURS)
    )
    return Asked(answer.status_code, calls, len(seen), len(content) / 1024, milliseconds)


def exponent(sizes: Sequence[int], figures: Sequence[float]) -> float:
    """Return the exponent of what grows, whatever is constant: from the steps between the last three sizes.

    >>> [round(exponent((12, 48, 200), [7 + grown(n) for n in (12, 48, 200)]), 2) for grown in (int, lambda n: n * n)]
    [1.0, 1.99]
    """
    (n1, n2, n3), (one, two, three) = sizes[-3:], figures[-3:]
    if three <= two:
        return 0.0
    return math.log((three - two) / max(two - one, 1)) / math.log((n3 - n2) / (n2 - n1))


def main() -> int:
    """Make the events and print the table."""
    if not os.environ.get("HANCHAN_DATA"):
        sys.stderr.write("HANCHAN_DATA must name a directory for the database.\n")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    from web.server.tuning import tune_gc

    tune_gc()
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    sizes = [int(each) for each in sys.argv[1:]] or list(SIZES)
    for name, asked in measure(sizes, ROUNDS).items():
        sys.stdout.write(line_of(name, sizes, asked))
    return 0


def measure(sizes: Sequence[int], rounds: int) -> dict[str, list[Asked]]:
    """Return for each name of an address what it took at events of so many players."""
    walk_addresses(SMALL, GAMES * SEATS // SMALL + 1)
    found = [walk_addresses(size, rounds) for size in sizes]
    return {name: [each[name] for each in found] for name in found[0]}


def walk_addresses(players: int, rounds: int) -> dict[str, Asked]:
    """Ask for all that can be read where an event has so many players."""
    from django.conf import settings
    from django.test import Client

    from tests.factories import make_account
    from tests.pages.rights_table import audience_of
    from tests.seasons.evenings import count_in_season
    from tournament.events.models import Event, Visibility
    from tournament.seasons.models import Season

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    event = make_big_event(players, rounds)
    Event.objects.exclude(pk=event.pk).update(visibility=Visibility.DRAFT)  # careers are of one event, at each size
    count_in_season(event)
    Season.objects.update(reach={"feed": True, "calendar": True, "frame": ["club.example"]})
    desk, phone = (Client(headers={"host": "localhost"}) for _ in range(2))
    desk.force_login(make_account("Growth", superuser=True), "django.contrib.auth.backends.ModelBackend")
    phone.get(f"/e/{event.slug}/", {"me": "1"})
    readers = {"public": phone, "anyone": phone}
    return {name: ask(readers.get(audience_of(name), desk), address) for name, address in addresses_of(event)}


def line_of(name: str, sizes: Sequence[int], asked: Sequence[Asked]) -> str:
    """Return a line of the table: calls, queries and kilobytes at each size, and the exponent of the calls."""
    told = [
        f"{each.calls:,}, {each.queries} q, {each.kilobytes:.0f} kB" if each.status == OK else f"({each.status})"
        for each in asked
    ]
    grown = f"{exponent(sizes, [each.calls for each in asked]):.2f}" if len(sizes) > 2 else ""
    return f"| {name} | {' | '.join(told)} | {grown} |\n"


if __name__ == "__main__":
    sys.exit(main())
