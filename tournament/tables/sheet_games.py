"""Games of many events read from their signed sheets, without a hand: what a season counts, in three queries.

A sheet was held against the hands when it was signed, and again at each change of the rules, so it has what they make.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast

from scoring.placement import Final, finish_sheet
from tournament.events.models import Event
from tournament.sheets.models import SheetRow
from tournament.tables.models import Seat, Table


class SheetGame(NamedTuple):
    """The game of a table: its players in seat order by id; `final` is None where a sheet does not tell it."""

    event: int
    round: int
    table: int
    players: tuple[int, ...]
    final: Final | None


CHUNK = 10_000  # rows that are fetched at once: by Django's hundred it takes twice as long


def read_sheet_games(events: Mapping[int, Event], rounds: Mapping[int, Collection[int]]) -> Iterator[SheetGame]:
    """Yield the games of these rounds of each event, by event, round and table; three queries."""
    tables = Table.objects.filter(round__event__in=events, round__released_at__isnull=False)
    totals, players = _read_totals(events), _read_players(events)
    rules = {pk: event.ruleset for pk, event in events.items()}
    columns = ("round__event", "round__number", "pk")
    ordered = tables.order_by("round__event", "round__number", "number").values_list(*columns)
    for event, round_, table in ordered.iterator(CHUNK):
        if round_ in rounds[event]:
            signed = totals.get(table)
            yield SheetGame(
                event, round_, table, tuple(players[table]), finish_sheet(signed, rules[event]) if signed else None
            )


def _read_totals(events: Collection[int]) -> dict[int, tuple[int, ...]]:
    """Return the totals of each table of these events that is signed now."""
    found = SheetRow.objects.filter(table__round__event__in=events).order_by("table", "seq")
    rows = list(found.values_list("table", "signed", Cast("totals", TextField())).iterator(CHUNK))
    all_totals = json.loads(f"[{','.join(totals for _table, _signed, totals in rows)}]")  # at once: 30,000 take 15 ms
    newest = {
        table: tuple(totals) if signed else () for (table, signed, _text), totals in zip(rows, all_totals, strict=True)
    }
    return {table: totals for table, totals in newest.items() if totals}


def _read_players(events: Collection[int]) -> dict[int, list[int]]:
    seats = Seat.objects.filter(round__event__in=events).order_by("table", "seat")
    players: defaultdict[int, list[int]] = defaultdict(list)
    for table, player in seats.values_list("table", "player").iterator(CHUNK):
        players[table].append(player)
    return players
