"""How long the standings take from a cold start: 200 tables of 12 hands from the database, nothing kept.

Beside it, in turns, the same rows are only read and their JSON parsed: the ratio holds on a busy machine, too.
"""

import json
import statistics
import time
from random import Random
from uuid import uuid4

from django.core.cache import cache
from django.db import transaction

from scoring.entries import Entry, to_json
from scoring.game import fold
from tests.factories import make_event
from tools.bench.games import game_of
from tournament.core.hash_chain import canonical, genesis, link
from tournament.core.now import now
from tournament.events.models import Event
from tournament.sheets.models import SheetRow
from tournament.standings.queries import get_standings
from tournament.tables.history import read_payload
from tournament.tables.models import LedgerEntry, Table
from tournament.tables.queries import signed_results

ROUNDS, TABLES, HANDS = 10, 20, 12
QUICK_ROUNDS = 2
RUNS = 7


def standings_cold_ms(*, quick: bool = False) -> dict[str, object]:
    """Return the median of several runs, and the ratio of the shortest ones by processor time."""
    rounds = QUICK_ROUNDS if quick else ROUNDS
    event = _big_event(rounds)
    runs = [(*_run(event), _read_rows(event)) for _ in range(1 if quick else RUNS)]
    clock, worked, rows = zip(*runs, strict=True)
    return {
        "standings_cold_ms": round(statistics.median(clock), 1),
        "standings_ratio_to_rows": round(min(worked) / min(rows), 1),
        "standings_tables": rounds * TABLES,
        "standings_hands": rounds * TABLES * HANDS,
    }


def _run(event: Event) -> tuple[float, float]:
    """Return the milliseconds of the clock, and the seconds of the processor."""
    cache.clear()
    read_payload.cache_clear()
    signed_results.cache_clear()
    start, worked = time.perf_counter(), time.process_time()
    standings = get_standings(Event.objects.get(pk=event.pk))
    milliseconds, worked = (time.perf_counter() - start) * 1000, time.process_time() - worked
    if [row.games for row in standings.rows] != [event.rounds_planned] * len(standings.rows):
        raise RuntimeError("the standings do not hold every game")
    return milliseconds, worked


def _read_rows(event: Event) -> float:
    """Return the seconds of the processor for reading the ledger's rows and nothing else."""
    start = time.process_time()
    rows = LedgerEntry.objects.filter(table__round__event=event).values_list("table_id", "seq", "payload")
    for _table, _seq, payload in rows:
        json.loads(payload)
    return time.process_time() - start


def _big_event(rounds: int) -> Event:
    event = make_event("ema-2025", tables=TABLES, rounds=rounds)
    play_at_once(event, rounds)
    return event


@transaction.atomic
def play_at_once(event: Event, rounds: int, *, games: int = 0) -> None:
    """Write and release whole games at all tables of the first rounds: typing them is another benchmark.

    With a number of `games` tables have so many different ones in turn: to make up one takes 20 ms.
    """
    chance, rules = Random(200), event.ruleset
    tables = Table.objects.filter(round__event=event, round__number__lte=rounds)
    made = [game_of(rules, chance, HANDS) for _ in range(games)]
    for at, table in enumerate(tables.select_related("round__event")):
        entries = made[at % games] if games else game_of(rules, chance, HANDS)
        rows = LedgerEntry.objects.bulk_create(rows_to_insert(table, entries))
        game = fold(entries, rules)
        SheetRow.objects.create(
            table=table,
            seq=1,
            signed=True,
            totals=list(game.final(rules).scores),
            leftover=game.state.sticks * rules.riichi_deposit,
            ledger_hash=rows[-1].hash,
            by="",
            at=now(),
        )
    event.rounds.filter(number__lte=rounds).update(started_at=now(), released_at=now())


def rows_to_insert(table: Table, entries: list[Entry]) -> list[LedgerEntry]:
    """Return the ledger rows of a table without any; they are not saved."""
    previous, rows = genesis(table.chain), []
    for seq, entry in enumerate(entries, start=1):
        row = LedgerEntry(
            table=table,
            seq=seq,
            payload=canonical(to_json(entry)),
            client_id=uuid4(),
            by="",
            at=now(),
            previous_hash=previous,
        )
        row.hash = previous = link(previous, row.content())
        rows.append(row)
    return rows
