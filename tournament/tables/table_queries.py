"""What a loaded table is read from: its queries, compiled once for each number of tables."""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from scoring.placement import When
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.prepared import Prepared, Value
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty, PenaltyKind
from tournament.publication.names import name_of, names_mark
from tournament.publication.queries import keep
from tournament.rounds.models import ClockPause, TableTime
from tournament.sheets.models import SheetRow
from tournament.tables.models import LedgerEntry, Seat, Table
from tournament.tables.rows import SeatedPlayer


@dataclass(frozen=True, slots=True)
class Substitute:
    """The substitute in the seat of the player of this `number`; `name` may be empty.

    `answers` says whether a typed chombo is the substitute's own; `person` is the substitute's own number, 0 for none.
    """

    number: int
    name: str
    when: When
    seq: int | None
    reason: str
    by: str
    at: datetime
    answers: bool = True
    person: int = 0
    id: int = 0


class LedgerLine(NamedTuple):
    """A ledger row as it is read: see LedgerEntry. `written` is its time as text, of which `at` makes a time."""

    seq: int
    payload: str
    supersedes: int | None
    reason: str
    by: str
    written: str

    @property
    def at(self) -> datetime:
        """When the row was written: few are asked for theirs, and to make all takes longer than to read the rows."""
        at = datetime.fromisoformat(self.written)
        return at if at.tzinfo else at.replace(tzinfo=UTC)  # SQLite keeps UTC without saying so


class SheetCheckLine(NamedTuple):
    """A check of a sheet as it is read: see SheetCheck."""

    id: int
    confirmed: bool
    reason: str
    by: str


class SheetLine(NamedTuple):
    """A row of a table's sheet as it is read, with its check, None for none: see SheetRow."""

    seq: int
    signed: bool
    totals: list[int]
    leftover: int
    reason: str
    by: str
    at: datetime
    check: SheetCheckLine | None


@dataclass(frozen=True, slots=True)
class ExtraRows:
    """Which rows a table has beside seats and hands, so that nobody asks for those that there are not.

    `times` are pauses of its round's clock and minutes beyond it; `last_hash` is that of its newest ledger row, None
    for no row, "" for one that a relay has.
    """

    sheets: bool
    substitutes: bool
    dead: bool
    penalties: bool
    times: bool
    call: bool
    last_hash: str | None


def ask_all(event: int) -> QuerySet[Table, Any]:
    """Ask for id, round, number, `ready_at` and the newest row's hash of all tables of an event, in their order."""
    return ask_tables(Table.objects.filter(round__event=event))


def ask_tables(tables: QuerySet[Table, Any], *first: str) -> QuerySet[Table, Any]:
    """Ask for the same of some tables, after these columns."""
    ordered = tables.order_by(*first, "round__number", "number")
    return ordered.values_list(*first, "pk", "round__number", "number", "ready_at", _last_hash())


def _ask_of_rounds(event: int, *rounds: int) -> QuerySet[Table, Any]:
    return ask_all(event).filter(round__number__in=rounds)


def _ask_table(event: int, round_: int, number: int) -> QuerySet[Table, Table]:
    return _ask_whole(round__event=event, round__number=round_, number=number).select_related("round")


def _ask_table_at(slug: str, round_: int, number: int) -> QuerySet[Table, Table]:
    return _ask_whole(round__event__slug=slug, round__number=round_, number=number).select_related("round__event")


def _ask_whole(**which: Value) -> QuerySet[Table, Table]:
    extra = {name: Exists(rows) for name, rows in _extra_rows().items()}
    return Table.objects.filter(**which).annotate(**extra, last_hash=_last_hash())


def _extra_rows() -> dict[str, QuerySet[Any, Any]]:
    """Return what `ExtraRows` tells of."""
    table, round_ = OuterRef("pk"), OuterRef("round")
    return {
        "has_sheets": SheetRow.objects.filter(table=table),
        "has_substitutes": Substitution.objects.filter(table=table, cancelled_at=None),
        "has_dead": Penalty.objects.filter(table=table, kind=PenaltyKind.DEAD_HAND, cancelled_at=None),
        "has_penalties": Penalty.objects.filter(
            Q(table=table) | Q(table=None, player__seats__table=table), round=round_, cancelled_at=None
        ),
        "has_paused": ClockPause.objects.filter(round=round_),
        "has_given": TableTime.objects.filter(table__round=round_, cancelled_at=None),
        "has_ruled": RefereeCall.objects.filter(table__round=round_, closed_at__isnull=False, minutes__gt=0),
        "has_call": RefereeCall.objects.filter(table=table, kind=CallKind.CALL, closed_at=None),
    }


def _last_hash() -> Subquery:
    return Subquery(LedgerEntry.objects.filter(table=OuterRef("pk")).order_by("-seq").values("hash")[:1])


def read_extra_rows(row: Any) -> ExtraRows:
    """Return what a row of TABLE says."""
    times = row.has_paused or row.has_given or row.has_ruled
    return ExtraRows(
        row.has_sheets, row.has_substitutes, row.has_dead, row.has_penalties, times, row.has_call, row.last_hash
    )


def _ask_seats(chosen: Q) -> QuerySet[Seat, Any]:
    found = Seat.objects.filter(chosen).order_by("seat")
    return found.values_list("table_id", "seat", "player__number", name_of("player__"), "player__ranked")


def _ask_substitutes(chosen: Q) -> QuerySet[Substitution, Any]:
    found = Substitution.objects.filter(chosen, cancelled_at=None).order_by("given_at", "pk")
    columns = ("table_id", "player__number", "name", name_of("substitute__"), "when", "seq")
    return found.values_list(*columns, "reason", "given_by", "given_at", "answers", "substitute__number", "pk")


def _ask_lines(chosen: Q) -> QuerySet[LedgerEntry, Any]:
    found = LedgerEntry.objects.filter(chosen).order_by("table_id", "seq")
    written = Cast("at", TextField())
    return found.values_list("table_id", "hash", "seq", "payload", "supersedes", "reason", "by", written)


def _ask_sheets(chosen: Q) -> QuerySet[SheetRow, Any]:
    found = SheetRow.objects.filter(chosen).order_by("table_id", "seq")
    columns = ("table_id", "seq", "signed", "totals", "leftover", "reason", "by", "at")
    return found.values_list(*columns, "checked", "checked__confirmed", "checked__reason", "checked__by")


ALL, OF_ROUNDS, TABLE = Prepared(ask_all), Prepared(_ask_of_rounds), Prepared(_ask_table)
TABLE_AT = Prepared(_ask_table_at)  # by the slug of its event, which it has with it
# Compiled queries are cached for 1, 2, 4, 8… tables or rounds and up to so many: those of thousands would fill the
# memory.
MAX_READY = 256


class ChosenTables(NamedTuple):
    """Tables by their ids; with an `event` all tables of its rounds with these numbers, of which there are few."""

    numbers: Sequence[int]
    event: int | None = None


@functools.cache
def _prepared(ask: Callable[[Q], QuerySet[Any, Any]], _words: str) -> tuple[Prepared[Any], Prepared[Any]]:
    """Return a query compiled for ids and for rounds; one for each language in which stand-ins for names are read."""

    def of_rounds(event: int, *rounds: int) -> QuerySet[Any, Any]:
        return ask(Q(table__round__event=event, table__round__number__in=rounds))

    return Prepared(lambda *tables: ask(Q(table__in=tables))), Prepared(of_rounds)


def fill_up(numbers: Sequence[int]) -> Sequence[int]:
    """Name the last number again until there are 1, 2, 4, 8…, so that few queries are compiled; not beyond MAX_READY.

    >>> fill_up([3, 4, 5])
    [3, 4, 5, 5]
    """
    count = len(numbers)
    wanted = 1 << (count - 1).bit_length() if 0 < count <= MAX_READY else count
    return [*numbers, *list(numbers[-1:]) * (wanted - count)]


def _rows(ask: Callable[[Q], QuerySet[Any, Any]], chosen: ChosenTables, *, names: bool = False) -> Iterable[Any]:
    """Return the rows of some tables."""
    if not chosen.numbers:
        return ()
    of_ids, of_rounds = _prepared(ask, names_mark() if names else "")
    query, first = (of_ids, ()) if chosen.event is None else (of_rounds, (chosen.event,))
    return (query if len(chosen.numbers) <= MAX_READY else query.make)(*first, *fill_up(chosen.numbers))


def read_seats(tables: ChosenTables) -> dict[int, list[SeatedPlayer]]:
    """Return who sits at each of these tables."""
    by_table: dict[int, list[SeatedPlayer]] = defaultdict(list)
    for row in _rows(_ask_seats, tables, names=True):
        by_table[row[0]].append(SeatedPlayer(*row[1:]))
    return by_table


def substitutes_of(tables: ChosenTables) -> dict[int, list[Substitute]]:
    """Return the substitutes of each of these tables."""
    by_table: dict[int, list[Substitute]] = defaultdict(list)
    for row in _rows(_ask_substitutes, tables, names=True):
        table, number, free, name, when, seq, reason, by, at, answers, person, pk = row
        by_table[table].append(
            Substitute(number, name or free, when, seq, reason, by, at, answers, person=person or 0, id=pk)
        )
    return by_table


MAX_KEPT = 4_096  # ledgers
NO_LEDGER: tuple[str, tuple[LedgerLine, ...]] = ("", ())


def read_ledgers(tables: Mapping[int, str | None]) -> dict[int, tuple[LedgerLine, ...]]:
    """Return the ledger of each of these tables, in order; read are those that are not kept with the hash given here.

    The hash of a ledger's newest row is of all rows before it, too: who asks for a table after a hand reads that
    table's ledger once for all, a release those of its own round. It is None where there is no row, and "" at a relay,
    whose rows come without hashes: those are read each time.
    """
    kept = keep("ledgers", dict[int, tuple[str, tuple[LedgerLine, ...]]])
    found = {pk: kept.get(pk, NO_LEDGER) if newest else NO_LEDGER for pk, newest in tables.items()}
    changed = [pk for pk, newest in tables.items() if newest is not None and (not newest or found[pk][0] != newest)]
    found |= dict.fromkeys(changed, NO_LEDGER)
    read = defaultdict[int, list[Any]](list)
    for pk, *row in _rows(_ask_lines, ChosenTables(changed)):
        read[pk].append(row)
    for pk, rows in read.items():  # the hash of the last row read: another may have been written since the one given
        found[pk] = rows[-1][0], tuple(LedgerLine(*line) for _hash, *line in rows)
    if len(kept) > MAX_KEPT:
        kept.clear()
    kept.update((pk, found[pk]) for pk in read if tables[pk])
    return {pk: lines for pk, (_hash, lines) in found.items()}


def read_sheets(tables: ChosenTables) -> dict[int, list[SheetLine]]:
    """Return the rows of the sheet of each of these tables, in order."""
    by_table: dict[int, list[SheetLine]] = {}
    for table, seq, signed, totals, leftover, reason, by, at, checked, *said in _rows(_ask_sheets, tables):
        check = SheetCheckLine(checked, *said) if checked else None
        by_table.setdefault(table, []).append(SheetLine(seq, signed, totals, leftover, reason, by, at, check))
    return by_table
