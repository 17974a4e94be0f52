"""How the desk's pages grow with an event: `python -m tools.bench.growth [PLAYERS ...]` prints a table of its pages.

Each event has four players a table, all tables typed by hand, every round but the last released and the last in the
middle of its play. Every page of the desk that the URL configuration has is asked for three times; the figure is the
least processor time, and beside it stand its queries and kilobytes. Needs HANCHAN_DATA like `python -m tools.bench`.
"""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

    from scoring.entries import Entry
    from tournament.events.models import Event
    from tournament.sheets.models import SheetRow
    from tournament.tables.models import LedgerEntry, Table

SEATS, HANDS = 4, 10  # of a table
GAMES = 40  # different ones; tables have them in turn
TIMES = 3
SIZES = (12, 100, 1000)
ROUNDS = 20
SLOW = 150  # milliseconds
FILES = ("/export/", ".pdf")  # no pages: a file of a whole event grows with it
OK = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What a page took: processor time in milliseconds, queries, kilobytes; `status` is not 200 where it led away."""

    status: int
    ms: float
    queries: int
    kilobytes: float


def make_big_event(players: int, rounds: int) -> "Event":
    """Make an event of so many players whose rows are written at once: typing them is another benchmark."""
    from django.db import transaction

    from tournament.core.now import now
    from tournament.events.models import Event
    from tournament.sheets.models import SheetRow
    from tournament.tables.models import LedgerEntry, Table

    with transaction.atomic():
        event = _seated(players, rounds)
        games = _games(event)
        ledger: list[LedgerEntry] = []
        sheets: list[SheetRow] = []
        tables = Table.objects.filter(round__event=event).select_related("round__event")
        for at, table in enumerate(tables.order_by("round__number", "number")):
            entries, totals, leftover = games[at % GAMES]
            played = entries if table.round.number < rounds else entries[: at % HANDS]
            rows = _rows(table, played)
            ledger += rows
            if played is entries:
                sheets.append(_sheet(table, totals, leftover, rows[-1].hash))
        LedgerEntry.objects.bulk_create(ledger, batch_size=500)
        SheetRow.objects.bulk_create(sheets, batch_size=500)
        event.rounds.filter(number__lt=rounds).update(released_at=now(), started_at=now())
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
    people = add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(players)], by=by)
    drawn = [
        [[people[(at + turn * seat) % tables + tables * seat] for seat in range(SEATS)] for at in range(tables)]
        for turn in range(rounds)
    ]
    with event_transaction(event, SEATS_DRAWN, by=by) as change:
        seat_rounds(change.event, drawn)
    publish_rounds(event=event, numbers=range(1, rounds + 1), by=by)
    event.refresh_from_db()
    return event


def _games(event: "Event") -> list[tuple[list["Entry"], list[int], int]]:
    from scoring.game import fold
    from tools.bench.games import game_of

    chance, rules, found = Random(200), event.ruleset, []
    for _game in range(GAMES):
        entries = game_of(rules, chance, HANDS)
        game = fold(entries, rules)
        found.append((entries, list(game.final(rules).scores), game.state.sticks * rules.riichi_deposit))
    return found


def _rows(table: "Table", entries: list["Entry"]) -> "list[LedgerEntry]":
    from tools.bench.standings import _rows as rows

    return rows(table, entries)


def _sheet(table: "Table", totals: list[int], leftover: int, ledger_hash: str) -> "SheetRow":
    from tournament.core.now import now
    from tournament.sheets.models import SheetRow

    return SheetRow(
        table=table, seq=1, signed=True, totals=totals, leftover=leftover, ledger_hash=ledger_hash, by="", at=now()
    )


def pages_of(event: "Event") -> Iterator[tuple[str, str]]:
    """Yield name and address of each page of the desk at which an event, a round, a table and a player are enough."""
    from django.urls import get_resolver, reverse

    last = event.rounds_planned
    given = {"slug": event.slug, "round_number": last, "table_number": 2, "number": 1}
    _prefix, desk = get_resolver().namespace_dict["desk"]
    known: Mapping[Any, Any] = desk.reverse_dict
    for name in (key for key in known if isinstance(key, str)):
        (_address, wanted), *_others = known[name][0]
        if "slug" in wanted and set(wanted) <= set(given):
            address = reverse(f"desk:{name}", kwargs={key: given[key] for key in wanted})
            if not any(part in address for part in FILES):
                yield f"desk:{name}", address


def ask(client: "Client", address: str) -> Asked:
    """Ask for a page some times."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    asked = []
    for _again in range(TIMES):
        with CaptureQueriesContext(connection) as seen:
            start = time.process_time()
            answer = client.get(address)
            milliseconds = (time.process_time() - start) * 1000
        asked.append(Asked(answer.status_code, milliseconds, len(seen), len(answer.content) / 1024))
    return min(asked, key=attrgetter("ms"))


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
    found = {size: walk(size) for size in sizes}
    for name in found[sizes[-1]]:
        sys.stdout.write(line_of(name, [found[size].get(name) for size in sizes]))
    return 0


def walk(players: int) -> dict[str, Asked]:
    """Ask for each page of an event of so many players."""
    from django.conf import settings
    from django.test import Client

    from tests.factories import make_account

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    event = make_big_event(players, ROUNDS)
    client = Client(headers={"host": "localhost"})
    client.force_login(make_account("Growth", superuser=True), "django.contrib.auth.backends.ModelBackend")
    asked = {name: ask(client, address) for name, address in pages_of(event)}
    return {name: each for name, each in asked.items() if each.status == OK}


def line_of(name: str, asked: list[Asked | None]) -> str:
    """Return a line of the table, marked where the largest event is slow."""
    told = [f"{each.ms:.0f} ms, {each.queries} q, {each.kilobytes:.0f} kB" if each else "" for each in asked]
    mark = " SLOW" if asked[-1] and asked[-1].ms > SLOW else ""
    return f"| {name} | {' | '.join(told)} |{mark}\n"


if __name__ == "__main__":
    sys.exit(main())
