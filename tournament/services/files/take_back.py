"""The verb that takes an import back: what came from one file, and nothing that was done since.

Nothing leaves ledger or register: hands become void and penalties cancelled, each with the reason.
"""

from collections.abc import Callable, Iterator, Mapping
from uuid import uuid4

from django.db import transaction

from scoring.problems import Problem, error
from tournament.history import resolve
from tournament.models import Account, Event, Penalty, Table
from tournament.refusal import Refused
from tournament.selectors.files.imports import ImportKind, ImportRow, get_import
from tournament.services.core.writing import writing
from tournament.services.draws.draw import discard_draw
from tournament.services.people.people import take_players_back
from tournament.services.tables.hands import void_hand
from tournament.services.tables.penalties import cancel_penalty
from tournament.services.tables.sheets import reopen_table


def take_import_back(*, event: Event, seq: int, reason: str, by: Account) -> ImportRow:
    """Take back what came from one file, named by the `seq` of its audit row; twice changes nothing.

    `reason` stands in the ledger and the register beside everything that is taken back. Raises Refused, with nothing
    written, for no such import, without a reason, and where what it brought has been changed or built upon since.
    """
    with transaction.atomic():
        with writing(event, "import_taken_back", by=by) as change:
            row = get_import(change.event, seq)
            if row is None:
                raise Refused(error("import.no_such", seq=seq))
            if row.taken_back:
                change.nothing_new()
                return row
            if not reason.strip():
                raise Refused(error("import.back_reason"))
            problems = problems_of_taking_back(change.event, row)
            if problems:
                raise Refused(*problems)
            change.details = {"import": seq, "kind": row.kind, "file": row.filename, "reason": reason.strip()[:300]}
        _ACTS[row.kind](event, row, reason.strip()[:300], by)
    event.refresh_from_db()
    return row


def problems_of_taking_back(event: Event, row: ImportRow) -> list[Problem]:
    """List what stands in the way of taking an import back."""
    return list(_CHECKS[row.kind](event, row))


def imported_tables(event: Event, row: ImportRow) -> list[tuple[Table, int]]:
    """Return the tables that an import filled, each with the last row of the ledger that it wrote."""
    tables = {
        (table.round.number, table.number): table
        for table in Table.objects.filter(round__event=event).select_related("round__event")
    }
    return [(tables[number, table], seq) for number, table, seq in row.details.get("tables", [])]


def _check_players(event: Event, row: ImportRow) -> Iterator[Problem]:
    if event.rounds.exists():
        yield error("players.seats_drawn")
        return
    numbers = sorted(row.details["numbers"])
    last = event.players.filter(number__gte=min(numbers, default=0)).order_by("number")
    if list(last.values_list("number", flat=True)) != numbers:
        yield error("players.not_the_last")


def _check_seats(event: Event, row: ImportRow) -> Iterator[Problem]:
    if event.rounds.filter(published_at__isnull=False).exists():
        yield error("draw.already_published")
    newest = event.audit.filter(verb="schedule_taken").order_by("-seq").first()
    if not event.rounds.exists() or event.seed is not None or event.drawn or (newest and newest.seq != row.seq):
        yield error("import.seats_replaced")


def _check_tables(event: Event, row: ImportRow) -> Iterator[Problem]:
    if "tables" not in row.details:
        yield error("import.too_old")
    released = set(row.details.get("released", []))
    for table, seq in imported_tables(event, row):
        last = table.ledger.order_by("-seq").first()
        place = {"round": table.round.number, "table": table.number}
        if last is None or last.seq != seq:
            yield error("import.table_moved_on", **place)
        elif row.kind == "game" and _is_signed(table):
            yield error("import.table_signed", **place)
        elif table.round.released_at and table.round.number not in released:
            yield error("import.round_released", **place)


def _check_penalties(_event: Event, _row: ImportRow) -> Iterator[Problem]:
    """Nothing is in the way: those that somebody cancelled already stay as they are."""
    yield from ()


def _is_signed(table: Table) -> bool:
    last = table.sheets.order_by("-seq").first()
    return bool(last and last.signed)


def _players_back(event: Event, row: ImportRow, _reason: str, by: Account) -> None:
    take_players_back(event=event, numbers=row.details["numbers"], by=by)


def _seats_back(event: Event, _row: ImportRow, _reason: str, by: Account) -> None:
    discard_draw(event=event, by=by)


def _tables_back(event: Event, row: ImportRow, reason: str, by: Account) -> None:
    """Hide the rounds that the import released, then reopen its tables and make every hand void, the last one first."""
    released = list(row.details.get("released", []))
    if released:
        with writing(event, "rounds_hidden", by=by) as change:
            change.event.rounds.filter(number__in=released).update(released_at=None)
            change.details = {"rounds": released}
    for table, last in imported_tables(event, row):
        reopen_table(table=table, reason=reason, by=by)
        items, seen = resolve(table.ledger.order_by("seq")), last
        for hand in [item.seq for item in reversed(items) if item.entry is not None]:
            void_hand(table=table, hand=hand, client_id=uuid4(), expected_seq=seen, reason=reason, by=by)
            seen += 1


def _penalties_back(event: Event, row: ImportRow, reason: str, by: Account) -> None:
    given = Penalty.objects.filter(event=event, client_id__in=row.details["penalties"], cancelled_at=None)
    for penalty in given.select_related("event", "player"):
        cancel_penalty(penalty=penalty, reason=reason, by=by)


Check = Callable[[Event, ImportRow], Iterator[Problem]]
Act = Callable[[Event, ImportRow, str, Account], None]
_CHECKS: Mapping[ImportKind, Check] = {
    "players": _check_players,
    "seats": _check_seats,
    "results": _check_tables,
    "penalties": _check_penalties,
    "game": _check_tables,
}
_ACTS: Mapping[ImportKind, Act] = {
    "players": _players_back,
    "seats": _seats_back,
    "results": _tables_back,
    "penalties": _penalties_back,
    "game": _tables_back,
}
