"""Verbs that import players, penalties and a game from a file, all or nothing, and undo an import.

Each import has an audit row that names the file. Undoing deletes nothing from ledger and register: hands become void
and penalties cancelled, each with the reason. Results and seats are imported by modules of their own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.db import transaction

from scoring.entries import Entry
from scoring.problems import Problem, ProblemType
from tournament.core.errors import Refused
from tournament.core.transaction import Change, place_of, require_text, writing
from tournament.imports.listing import Source
from tournament.imports.penalties import PenaltyDraft
from tournament.imports.queries import (
    GAME_IMPORTED,
    IMPORT_TAKEN_BACK,
    PENALTIES_IMPORTED,
    PLAYERS_IMPORTED,
    SCHEDULE_TAKEN,
    ImportKind,
    ImportRow,
    get_import,
    list_imports,
)
from tournament.models.access import Account
from tournament.models.event import Event
from tournament.models.referee import Penalty
from tournament.models.rounds import Table
from tournament.penalties.actions_fouls import cancel_penalty, give_penalty
from tournament.players.actions import (
    PLAYERS_NOT_THE_LAST,
    PLAYERS_SEATS_DRAWN,
    NewPlayer,
    add_players,
    remove_last_players,
)
from tournament.publication.queries import ROUNDS_HIDDEN
from tournament.seating.actions_drafts import DRAW_ALREADY_PUBLISHED
from tournament.seating.actions_draw import discard_draw
from tournament.sheets.actions import is_signed, reopen_table
from tournament.tables.actions_hands import enter_hand, void_hand
from tournament.tables.history_1 import resolve, standing_entries

IMPORT_FILE_TAKEN_ALREADY = ProblemType(
    "import.file_taken_already", "This file was already imported ({file}). Take it back first to import it again."
)
IMPORT_EVENT_CHANGED = ProblemType(
    "import.event_changed", "The event changed since the preview: choose the file again."
)
IMPORT_NO_SUCH = ProblemType("import.no_such", "No such import is known.", ("seq",))
IMPORT_BACK_REASON = ProblemType(
    "import.back_reason", "To take an import back needs a reason, which stays in the trail."
)
IMPORT_SEATS_REPLACED = ProblemType(
    "import.seats_replaced", "These seats are no longer there: another draw took their place."
)
IMPORT_TOO_OLD = ProblemType(
    "import.too_old", "This was imported before imports could be taken back: reopen and correct its tables one by one."
)
IMPORT_TABLE_MOVED_ON = ProblemType(
    "import.table_moved_on", "Round {round}, table {table} was changed since: correct it there."
)
IMPORT_TABLE_SIGNED = ProblemType("import.table_signed", "Round {round}, table {table} is signed: reopen it first.")
IMPORT_ROUND_RELEASED = ProblemType(
    "import.round_released",
    "Round {round} was released since, and players saw it: correct its tables one by one.",
    ("table",),
)
RESULTS_TABLE_HAS_HANDS = ProblemType(
    "results.table_has_hands", "Round {round}, table {table}: something else is entered there already."
)


def take_players(*, event: Event, players: Sequence[NewPlayer], source: Source, by: Account) -> int:
    """Add the players of a file; return how many. Raises Refused as `add_players`."""
    with transaction.atomic():
        added = add_players(event=event, players=players, by=by)
        with writing(event, PLAYERS_IMPORTED, by=by) as change:
            change.details = {**source.details(), "numbers": [player.number for player in added]}
    return len(added)


def take_penalties(*, event: Event, drafts: Sequence[PenaltyDraft], source: Source, by: Account) -> int:
    """Give the penalties of a file; return how many.

    Raises Refused for a file imported already, for players or rounds deleted since its preview, and as `give_penalty`.
    """
    with transaction.atomic():
        # the lock comes first: two requests with the same file must not both find it new
        with writing(event, PENALTIES_IMPORTED, by=by) as change:
            check_new_file(change.event, "penalties", source)
            ids = [uuid4() for _ in drafts]
            change.details = {**source.details(), "penalties": [str(each) for each in ids]}
        players = {player.number: player for player in event.players.select_related("event")}
        rounds = {round_.number: round_ for round_ in event.rounds.all()}
        for draft, client_id in zip(drafts, ids, strict=True):
            if draft.player not in players or (draft.round is not None and draft.round not in rounds):
                raise Refused(IMPORT_EVENT_CHANGED())
            give_penalty(
                player=players[draft.player],
                points=draft.points,
                reason=draft.reason,
                client_id=client_id,
                round_=rounds.get(draft.round or 0),
                clause=draft.clause,
                to_player=True,  # the file says who paid
                by=by,
            )
    event.refresh_from_db()
    return len(drafts)


def take_game(*, table: Table, entries: Sequence[Entry], source: Source, reason: str = "", by: Account) -> int:
    """Enter the hands of a log at a table without valid hands; return how many. The sheet is signed separately.

    Raises Refused where the table has hands, for an invalid hand, and for warnings without a reason.
    """
    with transaction.atomic():
        with writing(table.round.event, GAME_IMPORTED, by=by) as change:
            seen = begin_game(change, table, len(entries), source.details())
        for number, entry in enumerate(entries):
            enter_hand(table=table, entry=entry, client_id=uuid4(), expected_seq=seen + number, reason=reason, by=by)
    return len(entries)


def begin_game(change: Change, table: Table, hands: int, details: Mapping[str, Any]) -> int:
    """Say in the trail how many hands come to a table, and return the `seq` of its newest row.

    Raises Refused where the table has a valid hand.
    """
    rows = list(table.ledger.order_by("seq"))
    if standing_entries(rows):
        raise Refused(RESULTS_TABLE_HAS_HANDS(**place_of(table)))
    seen = rows[-1].seq if rows else 0
    tables = [[table.round.number, table.number, seen + hands]]
    change.details = {**details, **place_of(table), "hands": hands, "tables": tables}
    return seen


def check_new_file(event: Event, kind: ImportKind, source: Source) -> None:
    """Raise Refused for a file whose import was not undone: it would count twice."""
    for row in list_imports(event):
        if source.digest and row.kind == kind and row.digest == source.digest and not row.taken_back:
            raise Refused(IMPORT_FILE_TAKEN_ALREADY(file=row.filename))


# ---------------------------------------------------------------- undoing


def undo_import(*, event: Event, seq: int, reason: str, by: Account) -> ImportRow:
    """Undo the import of one file, named by the `seq` of its audit row; twice changes nothing.

    `reason` goes into every row of ledger and register that is written. Raises Refused for an unknown import, without a
    reason, and where imported rows have been changed or built upon since.
    """
    with transaction.atomic():
        with writing(event, IMPORT_TAKEN_BACK, by=by) as change:
            row = get_import(change.event, seq)
            if row is None:
                raise Refused(IMPORT_NO_SUCH(seq=seq))
            if row.taken_back:
                change.nothing_new()
                return row
            reason = require_text(reason, IMPORT_BACK_REASON)
            problems = undo_problems(change.event, row)
            if problems:
                raise Refused(*problems)
            change.details = {"import": seq, "kind": row.kind, "file": row.filename, "reason": reason}
        _ACTS[row.kind](event, row, reason, by)
    event.refresh_from_db()
    return row


def undo_problems(event: Event, row: ImportRow) -> list[Problem]:
    """List the problems of undoing an import."""
    return list(_CHECKS[row.kind](event, row))


def imported_tables(event: Event, row: ImportRow) -> list[tuple[Table, int]]:
    """Return the tables that an import filled, each with the last row of the ledger that it wrote."""
    found = Table.objects.filter(round__event=event).select_related("round__event")
    tables = {(table.round.number, table.number): table for table in found}
    return [(tables[number, table], seq) for number, table, seq in row.details.get("tables", [])]


def _check_players(event: Event, row: ImportRow) -> Iterator[Problem]:
    if event.rounds.exists():
        yield PLAYERS_SEATS_DRAWN()
        return
    numbers = sorted(row.details["numbers"])
    last = event.players.filter(number__gte=min(numbers, default=0)).order_by("number")
    if list(last.values_list("number", flat=True)) != numbers:
        yield PLAYERS_NOT_THE_LAST()


def _check_seats(event: Event, row: ImportRow) -> Iterator[Problem]:
    if event.rounds.filter(published_at__isnull=False).exists():
        yield DRAW_ALREADY_PUBLISHED()
    newest = event.audit.filter(verb=SCHEDULE_TAKEN.name).order_by("-seq").first()
    if not event.rounds.exists() or event.seed is not None or event.drawn or (newest and newest.seq != row.seq):
        yield IMPORT_SEATS_REPLACED()


def _check_tables(event: Event, row: ImportRow) -> Iterator[Problem]:
    if "tables" not in row.details:
        yield IMPORT_TOO_OLD()
    released = set(row.details.get("released", []))
    for table, seq in imported_tables(event, row):
        last = table.ledger.order_by("-seq").first()
        place = {"round": table.round.number, "table": table.number}
        if last is None or last.seq != seq:
            yield IMPORT_TABLE_MOVED_ON(**place)
        elif row.kind == "game" and is_signed(table) and not row.details.get("signed"):
            yield IMPORT_TABLE_SIGNED(**place)
        elif table.round.released_at and table.round.number not in released:
            yield IMPORT_ROUND_RELEASED(**place)


def _check_penalties(_event: Event, _row: ImportRow) -> Iterator[Problem]:
    """Yield nothing: penalties cancelled meanwhile stay as they are."""
    yield from ()


def _players_back(event: Event, row: ImportRow, _reason: str, by: Account) -> None:
    remove_last_players(event=event, numbers=row.details["numbers"], by=by)


def _seats_back(event: Event, _row: ImportRow, _reason: str, by: Account) -> None:
    discard_draw(event=event, by=by)


def _tables_back(event: Event, row: ImportRow, reason: str, by: Account) -> None:
    """Hide the rounds that the import released, then reopen its tables and void every hand, the last one first."""
    released = list(row.details.get("released", []))
    if released:
        with writing(event, ROUNDS_HIDDEN, by=by) as change:
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
