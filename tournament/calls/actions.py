"""Verbs on referee calls: a table calls, a referee answers, the ruling is written down. No call is deleted.

A complaint is a call that comes afterwards: it names who complained, about which game or hand, and it gets a ruling.
"""

from typing import Any
from uuid import UUID

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.acts import Act, Seals
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_CLAUSE
from tournament.core.transaction import check_length, check_published, event_transaction, require_text, table_details
from tournament.players.models import Player
from tournament.sheets.queries import is_objection
from tournament.tables.models import Table
from tournament.tables.queries import load_tables

REFEREE_CALLED = Act("referee_called", "called a referee to round {round}, table {table}", Seals.OWN)
COMPLAINT_MADE = Act(
    "complaint_made", "wrote down a complaint about round {round}, table {table}: {question}", Seals.OWN
)
CALL_ANSWERED = Act("call_answered", "came to the call of round {round}, table {table}", Seals.OWN)
COMPLAINT_ANSWERED = Act(
    "complaint_answered", "ruled on the complaint about round {round}, table {table}: {ruling}", Seals.OWN
)
CALL_CLOSED = Act(
    "call_closed",
    "closed the call of round {round}, table {table} ({ruling})",
    Seals.OWN,
    shown_where='"ruling":"[^"]',  # now or before: players read it, with its clause and minutes
    without_reason="closed the call of round {round}, table {table}",
)

CALL_OBJECTION_RULING_MISSING = ProblemType(
    "call.objection_ruling_missing", "A player said no to the scores on a phone: write down what you ruled."
)
CALL_RULED_MEANWHILE = ProblemType(
    "call.ruled_meanwhile", "Somebody has ruled here meanwhile: “{ruling}”. Save again only if yours is to replace it."
)
CALL_RULING_MISSING = ProblemType("call.ruling_missing", "A clause or minutes need a ruling as well.")
CALL_MINUTES_OUT_OF_RANGE = ProblemType("call.minutes_out_of_range", "{minutes} cannot be given: 0 to {most}.")
COMPLAINT_TEXT_MISSING = ProblemType("complaint.text_missing", "Say what the complaint is about.")
COMPLAINT_RULING_MISSING = ProblemType(
    "complaint.ruling_missing", "A complaint is closed with a ruling: say what was decided."
)
COMPLAINT_PLAYER_UNKNOWN = ProblemType("complaint.player_unknown", "Choose who complained from this event's players.")
COMPLAINT_HAND_UNKNOWN = ProblemType("complaint.hand_unknown", "There is no hand {hand} at this table: it has {hands}.")

MAX_QUESTION = 300
MAX_RULING = 500
MAX_COMPLAINT = 1000  # characters of a complaint, and of the ruling on it
MAX_MINUTES = 120


def call_referee(*, table: Table, client_id: UUID, question: str = "", by: Account | None) -> RefereeCall:
    """Call a referee to a table, for the hand being played; without an account (`by`) a player calls on a phone.

    A known `client_id`, and a table with an open call, change nothing and return that call. Raises DomainError where
    seats are not published, and for a question that is too long.
    """
    with event_transaction(table.round.event, REFEREE_CALLED, by=by) as change:
        calls = RefereeCall.objects.filter(table=table, kind=CallKind.CALL)
        known = change.find_by_client_id(RefereeCall.objects, client_id, table_id=table.pk)
        if known is None and change.is_duplicate(client_id):
            known = calls.latest("pk")
        elif known is None and (known := calls.filter(closed_at=None).first()):
            change.details = _place(known)
        if known:
            change.mark_unchanged()
            return known
        check_published(table.round)
        check_length("question", question, MAX_QUESTION)
        last = table.ledger.order_by("-seq").values_list("seq", flat=True).first()
        call = RefereeCall.objects.create(
            event=change.event,
            table=table,
            seq=(last or 0) + 1,
            client_id=client_id,
            question=question.strip(),
            called_by=change.by,
            called_at=change.at,
        )
        change.details = _place(call)
    return call


def make_complaint(
    *, table: Table, client_id: UUID, text: str, player: Player | None = None, hand: int | None = None, by: Account
) -> RefereeCall:
    """Write a complaint down, about a game or its `hand` (from 1, of those that stand); None is the whole game.

    `player` is who complained, None for somebody who does not play. A known `client_id` changes nothing. Raises
    DomainError for an empty or too long text, a player of another event, and a hand that the table has not.
    """
    with event_transaction(table.round.event, COMPLAINT_MADE, by=by) as change:
        known = change.find_by_client_id(RefereeCall.objects, client_id, table_id=table.pk, kind=CallKind.COMPLAINT)
        if known:
            return known
        check_published(table.round)
        check_length("question", text, MAX_COMPLAINT)
        if player and player.event_id != change.event.pk:
            raise DomainError(COMPLAINT_PLAYER_UNKNOWN())
        seq = None
        if hand is not None:
            (loaded,) = load_tables(change.event, ids=[table.pk])
            standing = [item.seq for item in loaded.items if item.entry is not None]
            if not 1 <= hand <= len(standing):
                raise DomainError(COMPLAINT_HAND_UNKNOWN(hand=hand, hands=len(standing)))
            seq = standing[hand - 1]
        call = RefereeCall.objects.create(
            event=change.event,
            table=table,
            kind=CallKind.COMPLAINT,
            player=player,
            seq=seq,
            client_id=client_id,
            question=require_text(text, COMPLAINT_TEXT_MISSING, MAX_COMPLAINT),
            called_by=change.by,
            called_at=change.at,
        )
        change.details = {**_place(call), "player": player.number if player else None, "question": call.question}
    return call


def answer_call(*, call: RefereeCall, by: Account) -> None:
    """Note that a referee is at the table; the first one counts."""
    with event_transaction(call.event, CALL_ANSWERED, by=by) as change:
        current = _current(call)
        change.details = _place(current)
        if current.answered_at:
            change.mark_unchanged()
        else:
            change.set_columns(current, answered_at=change.at, answered_by=change.by)


def close_call(
    *,
    call: RefereeCall,
    question: str = "",
    ruling: str = "",
    clause: str = "",
    minutes: int = 0,
    seen: str = "",
    by: Account,
) -> None:
    """Close a call with question, ruling and minutes given, or replace those of a closed one.

    `seen` is the ruling that the caller has seen, "" for none. Without a ruling the call needed none; a complaint is
    closed by its ruling alone, which may be years after. So is a call that a player's "no" to the scores made. Raises
    DomainError for a clause or minutes without a ruling, for too long texts or too many minutes, and where another
    ruling than the one seen would be replaced.
    """
    complaint = call.kind == CallKind.COMPLAINT
    with event_transaction(call.event, COMPLAINT_ANSWERED if complaint else CALL_CLOSED, by=by) as change:
        current = _current(call)
        wanted = {"question": question.strip(), "ruling": ruling.strip(), "clause": clause.strip(), "minutes": minutes}
        most = (MAX_COMPLAINT, MAX_COMPLAINT) if complaint else (MAX_QUESTION, MAX_RULING)
        for key, length in zip(("question", "ruling", "clause"), (*most, MAX_CLAUSE), strict=True):
            check_length(key, str(wanted[key]), length)
        if complaint:
            require_text(question, COMPLAINT_TEXT_MISSING)
            require_text(ruling, COMPLAINT_RULING_MISSING)
        else:
            if not 0 <= minutes <= MAX_MINUTES:
                raise DomainError(CALL_MINUTES_OUT_OF_RANGE(minutes=minutes, most=MAX_MINUTES))
            if (wanted["clause"] or minutes) and not wanted["ruling"]:
                raise DomainError(CALL_RULING_MISSING())
            if is_objection(current):
                require_text(ruling, CALL_OBJECTION_RULING_MISSING, MAX_RULING)
        before = {key: getattr(current, key) for key in wanted}
        if current.closed_at and before == wanted:
            change.mark_unchanged()
            return
        if current.ruling != seen.strip():
            raise DomainError(CALL_RULED_MEANWHILE(ruling=current.ruling))
        change.details = {**_place(current), **wanted, **({"before": before} if current.closed_at else {})}
        if current.ruling and current.ruling != wanted["ruling"]:
            change.details["overruled"] = current.ruling
        for key, value in wanted.items():
            setattr(current, key, value)
        if current.answered_at is None:
            current.answered_at, current.answered_by = change.at, change.by
        if current.closed_at is None:
            current.closed_at, current.closed_by = change.at, change.by
        current.save()


def _current(call: RefereeCall) -> RefereeCall:
    return RefereeCall.objects.select_related("table__round").get(pk=call.pk)


def _place(call: RefereeCall) -> dict[str, Any]:
    return {**table_details(call.table), "seq": call.seq}
