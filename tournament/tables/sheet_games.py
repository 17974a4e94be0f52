"""Games of many events read from their signed sheets, without a hand: what a season counts, in one query.

A sheet was held against the hands when it was signed, and again at each change of the rules, so it has what they make.
No column is read that the database has to convert, such as a boolean: Django takes each such row apart.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import add, itemgetter
from typing import Final

from django.db.models import Case, FilteredRelation, Q, TextField, Value, When
from django.db.models.functions import Cast

from rules.ruleset import Ruleset
from scoring.placement import SheetResult, count_sheets
from tournament.tables.models import Table


@dataclass(frozen=True, slots=True)
class SheetGames:
    """The games of an event in columns, by round and table.

    `sizes` are the numbers of players; `players`, their points and places have SEATS of each game, by seat, with None
    where nobody sits, and 0 for no place. `untold` are the tables whose sheet has no result.
    """

    rounds: Sequence[int] = ()
    tables: Sequence[int] = ()
    sizes: list[int] = field(default_factory=list)
    players: list[int | None] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    untold: set[int] = field(default_factory=set)


CHUNK: Final = 10_000  # rows that are fetched at once: by Django's hundred it takes twice as long
SEATS: Final = 4
_NOTHING: Final = SheetResult((0,) * SEATS, (0,) * SEATS)


def read_sheet_games(
    rules: Mapping[int, Mapping[int, Ruleset]], rounds: Mapping[int, Collection[int]]
) -> Mapping[int, SheetGames]:
    """Return the games of these rounds of each event, which has its rules by players at a table; one query."""
    seats = {f"at_{at}": FilteredRelation("seats", condition=Q(seats__seat=at)) for at in range(SEATS)}
    tables = Table.objects.filter(round__event__in=rules, round__released_at__isnull=False).annotate(**seats)
    signed = Case(When(sheets__signed=True, then=Cast("sheets__totals", TextField())), default=Value("[]", TextField()))
    columns = ("round__event", "round__number", "pk", *(f"{seat}__player" for seat in seats))
    ordered = tables.order_by("round__event", "round__number", "number", "sheets__seq")
    # the newest sheet of each table; "[]" for one that is open again
    newest = {row[2]: row for row in ordered.values_list(*columns, signed).iterator(CHUNK) if row[1] in rounds[row[0]]}
    all_totals = json.loads(f"[{','.join([row[-1] for row in newest.values()])}]")  # at once: 30,000 take 15 ms
    found: dict[int, SheetGames] = {}
    at_tables: dict[int, tuple[Ruleset, list[int]]] = {}  # by the id of the rules, where their tables are
    start = 0
    for event, rows in groupby(newest.values(), key=itemgetter(0)):
        _event, numbers, ids, *seated, _signed = zip(*rows, strict=True)
        players = list(chain.from_iterable(zip(*seated, strict=True)))
        games = found[event] = SheetGames(numbers, ids, [SEATS] * len(ids), players)
        if None in players:
            games.sizes[:] = [SEATS - each.count(None) for each in zip(*seated, strict=True)]
        for size in set(games.sizes):
            here = rules[event][size]
            of_size = (at for at, each in enumerate(games.sizes, start) if each == size)
            told = [at for at in of_size if len(all_totals[at]) == here.players]
            at_tables.setdefault(id(here), (here, []))[1].extend(told)
        start += len(ids)
    results = [_NOTHING] * start
    for here, where in at_tables.values():
        empty = (0,) * (SEATS - here.players)  # three play on four seats
        counted = count_sheets([all_totals[at] for at in where], here)
        for at, result in zip(where, counted, strict=True):
            results[at] = result or _NOTHING
            if result and empty:
                results[at] = SheetResult(result.shares + empty, result.places + empty)
                all_totals[at] = [*all_totals[at], *empty]
    start = 0
    for games in found.values():
        end = start + len(games.tables)
        mine, totals = results[start:end], all_totals[start:end]
        if _NOTHING in mine:
            games.untold.update(table for table, each in zip(games.tables, mine, strict=True) if each == _NOTHING)
            totals = [_NOTHING.shares if each == _NOTHING else total for each, total in zip(mine, totals, strict=True)]
        shares, places = map(chain.from_iterable, zip(*mine, strict=True))
        games.points.extend(map(add, chain.from_iterable(totals), shares))
        games.places.extend(places)
        start = end
    return found
