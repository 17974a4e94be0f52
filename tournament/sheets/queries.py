"""Sheets of tables: typed ones that wait for a second person, signed ones, and tables of public rounds open again."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID, uuid5

from django.db.models import Max, OuterRef, Subquery
from django.db.models.functions import Coalesce

from rules.ruleset import Ruleset
from scoring.paper_sheet import Numbers, PaperSheet, differing_seats
from tournament.accounts.queries import account_names
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.redactions import redact
from tournament.events.models import Event
from tournament.phone_signing.models import SeatCode
from tournament.publication.queries import by_version, get_public_view
from tournament.sheets.models import SheetRow, TypedSheet
from tournament.tables.models import Table
from tournament.tables.queries import LoadedTable, load_tables


@dataclass(frozen=True, slots=True)
class TypedReading:
    """One person's newest reading of a sheet; `by` is an account's uid."""

    seq: int
    sheet: PaperSheet
    reason: str
    by: str
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class WaitingSheet:
    """A table whose sheet is typed and does not count yet: the newest reading of each person, in order of typing.

    `differs` are the seats in which readings differ, -1 for the sticks left; empty where only one person has typed.
    """

    table: int
    typed: tuple[TypedReading, ...]
    differs: tuple[int, ...]

    def of(self, uid: str) -> TypedReading | None:
        """Return what this person typed."""
        return next((each for each in self.typed if each.by == uid), None)


def sheet_of(row: TypedSheet) -> PaperSheet:
    """Return a row as the sheet that it says."""
    return PaperSheet(tuple(row.counts), tuple(row.loans), row.leftover, cast("Numbers", row.numbers))


def newest_of_each(rows: Iterable[TypedSheet]) -> list[TypedSheet]:
    """Return the newest row of each person, in order of typing."""
    newest: dict[str, TypedSheet] = {}
    for row in rows:
        newest.pop(row.by, None)
        newest[row.by] = row
    return list(newest.values())


def get_waiting(table: LoadedTable) -> WaitingSheet | None:
    """Return what waits at a table without hands, None for nothing; two queries."""
    if table.played or table.signed:
        return None
    found = _OF_EVENT.filter(table=table.id, ledger_seq=table.last_seq).order_by("seq")
    rows = [row for row in found if tuple(row.players) == table.player_numbers()]
    return _waiting_table(table.number, rows, table.rules, account_names(row.by for row in rows)) if rows else None


def list_waiting(event: Event, round_: int, seats: dict[int, tuple[int, ...]]) -> dict[int, WaitingSheet]:
    """Return what waits in a round by number of the table; `seats` are the players there now, of tables without hands.

    None, and no query, where the event's sheets are typed once; else two.
    """
    if not event.types_twice or not seats:
        return {}
    found = _OF_EVENT.filter(table__round__event=event, table__round__number=round_, table__number__in=seats)
    found = found.annotate(last=Coalesce(Max("table__ledger__seq"), 0)).order_by("seq")
    by_table: dict[int, list[TypedSheet]] = defaultdict(list)
    for row in found:
        if row.ledger_seq == row.last and tuple(row.players) == seats[row.table.number]:
            by_table[row.table.number].append(row)
    names = account_names(row.by for rows in by_table.values() for row in rows)
    return {
        number: _waiting_table(number, rows, event.rules_for(len(seats[number])), names)
        for number, rows in by_table.items()
    }


def get_typed_for(table: LoadedTable) -> TypedReading | None:
    """Return the newest reading of the paper of a table that counts by its totals, None where nobody typed one."""
    row = _OF_EVENT.filter(table=table.id, ledger_seq__lt=table.last_seq).order_by("-seq").first()
    return _typed(row, account_names([row.by])) if row else None


_OF_EVENT = TypedSheet.objects.select_related("table__round__event")


def _waiting_table(number: int, rows: Sequence[TypedSheet], rules: Ruleset, names: dict[str, str]) -> WaitingSheet:
    typed = tuple(_typed(row, names) for row in newest_of_each(rows))
    seats = {seat for other in typed[1:] for seat in differing_seats(typed[0].sheet, other.sheet, rules)}
    return WaitingSheet(number, typed, tuple(sorted(seats)))


def _typed(row: TypedSheet, names: dict[str, str]) -> TypedReading:
    reason = redact(row.table.round.event, row.reason)
    return TypedReading(row.seq, sheet_of(row), reason, row.by, names.get(row.by, ""), row.at)


@dataclass(frozen=True, slots=True)
class ReopenedTable:
    """A table of a released round that is not signed now: its hands are being corrected."""

    round: int
    table: int


def list_reopened(event: Event) -> tuple[ReopenedTable, ...]:
    """List the tables of rounds that the public may see which are open again; one query for each version of the event.

    The standings count such a table with its hands of now and say so: nobody's points vanish during a correction.
    """

    def find() -> tuple[ReopenedTable, ...]:
        last = SheetRow.objects.filter(table=OuterRef("pk")).order_by("-seq").values("signed")[:1]
        found = Table.objects.filter(round__event=event, round__number__in=get_public_view(event).rounds)
        rows = found.annotate(is_signed=Subquery(last)).exclude(is_signed=True).order_by("round__number", "number")
        return tuple(ReopenedTable(*row) for row in rows.values_list("round__number", "number"))

    return by_version(event, "reopened", find)


def get_signed_before(table: int) -> SheetRow | None:
    """Return the newest signed sheet of a table, even if it is open again; one query."""
    return SheetRow.objects.filter(table=table, signed=True).order_by("-seq").first()


@dataclass(frozen=True, slots=True)
class Pile:
    """The sheets of a round as one person has them to type: `due` are the numbers of the tables, in order."""

    tables: Sequence[LoadedTable]
    waiting: Mapping[int, WaitingSheet]
    due: Sequence[int]

    def next(self, after: int) -> int | None:
        """Return the next table that is due, behind `after` or from the front."""
        return next((number for number in self.due if number > after), self.due[0] if self.due else None)


def load_pile(event: Event, round_: int, viewer: str) -> Pile:
    """Return the pile of a round for who has this uid: a table is due unless their own entry waits for another."""
    tables = load_tables(event, rounds=[round_])
    open_ = {table.number: table.player_numbers() for table in tables if not table.played and not table.signed}
    waiting = list_waiting(event, round_, open_)
    found = {number: waiting.get(number) for number in open_}
    due = [number for number, each in found.items() if each is None or each.of(viewer) is None or each.differs]
    return Pile(tables, waiting, due)


def call_id(code: SeatCode) -> UUID:
    """Return the `client_id` of the call that a "no" by this code makes."""
    return uuid5(code.batch, str(code.seat))


def get_objection(table: int) -> RefereeCall | None:
    """Return the open call of a table that a player's "no" made or joined, None where there is none; two queries."""
    call = RefereeCall.objects.filter(table=table, kind=CallKind.CALL, closed_at=None).first()
    return call if call and is_objection(call) else None


def is_objection(call: RefereeCall) -> bool:
    """Tell whether a player's "no" made a call of a table, or came while it was open; one query."""
    said = SeatCode.objects.filter(table=call.table_id, answer=SeatCode.Answer.NO)
    ended = call.closed_at
    return any(
        call_id(each) == call.client_id
        or (each.answered_at and call.called_at <= each.answered_at and (ended is None or each.answered_at <= ended))
        for each in said
    )
