"""The verbs that take players, penalties and a game from a file, all or nothing, each with a row that names the file.

Each goes through the verbs of every day; results and seats have modules of their own, as has taking back.
"""

from collections.abc import Sequence
from uuid import uuid4

from django.db import transaction

from scoring.entries import Entry
from scoring.problems import error
from tournament.history import standing_entries
from tournament.imports.listing import Source
from tournament.imports.penalties import PenaltyDraft
from tournament.models import Account, Event, Table
from tournament.refusal import Refused
from tournament.selectors.files.imports import ImportKind, list_imports
from tournament.services.core.writing import writing
from tournament.services.people.people import NewPlayer, add_players
from tournament.services.tables.hands import enter_hand
from tournament.services.tables.penalties import give_penalty


def take_players(*, event: Event, players: Sequence[NewPlayer], source: Source, by: Account) -> int:
    """Add the players of a file; return how many. Raises Refused as `add_players`."""
    with transaction.atomic():
        added = add_players(event=event, players=players, by=by)
        with writing(event, "players_imported", by=by) as change:
            change.details = {**source.details(), "numbers": [player.number for player in added]}
    return len(added)


def take_penalties(*, event: Event, drafts: Sequence[PenaltyDraft], source: Source, by: Account) -> int:
    """Give the penalties of a file; return how many.

    Raises Refused for a file that was taken already, for players or rounds that are no longer there, and as
    `give_penalty`.
    """
    with transaction.atomic():
        # the lock comes first: two who send the same file at once must not both find it new
        with writing(event, "penalties_imported", by=by) as change:
            _refuse_again(change.event, "penalties", source)
            ids = [uuid4() for _ in drafts]
            change.details = {**source.details(), "penalties": [str(each) for each in ids]}
        players = {player.number: player for player in event.players.select_related("event")}
        rounds = {round_.number: round_ for round_ in event.rounds.all()}
        for draft, client_id in zip(drafts, ids, strict=True):
            if draft.player not in players or (draft.round is not None and draft.round not in rounds):
                raise Refused(error("import.event_changed"))
            give_penalty(
                player=players[draft.player],
                points=draft.points,
                reason=draft.reason,
                client_id=client_id,
                round_=rounds.get(draft.round or 0),
                clause=draft.clause,
                by=by,
            )
    event.refresh_from_db()
    return len(drafts)


def take_game(*, table: Table, entries: Sequence[Entry], source: Source, reason: str = "", by: Account) -> int:
    """Enter the hands of a log at a table where nothing stands; return how many. The sheet is signed as ever.

    Raises Refused where hands stand, where a hand may not, and for warnings without a reason.
    """
    with transaction.atomic():
        with writing(table.round.event, "game_imported", by=by) as change:
            seen = _last_of_empty(table)
            change.details = {
                **source.details(),
                "round": table.round.number,
                "table": table.number,
                "hands": len(entries),
                "tables": [[table.round.number, table.number, seen + len(entries)]],
            }
        for number, entry in enumerate(entries):
            enter_hand(table=table, entry=entry, client_id=uuid4(), expected_seq=seen + number, reason=reason, by=by)
    return len(entries)


def _last_of_empty(table: Table) -> int:
    """Return the `seq` of a table's newest row; raises Refused where a hand stands."""
    rows = list(table.ledger.order_by("seq"))
    if standing_entries(rows):
        raise Refused(error("results.table_has_hands", round=table.round.number, table=table.number))
    return rows[-1].seq if rows else 0


def _refuse_again(event: Event, kind: ImportKind, source: Source) -> None:
    """Refuse a file that was taken and not taken back: its penalties would count twice."""
    for row in list_imports(event):
        if source.digest and row.kind == kind and row.digest == source.digest and not row.taken_back:
            raise Refused(error("import.file_taken_already", file=row.filename))
