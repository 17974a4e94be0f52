"""Verbs on referee calls: a table calls, somebody comes, the ruling is written down. No call is ever taken away."""

from typing import Any
from uuid import UUID

from scoring.problems import error
from tournament.models import Account, RefereeCall, Table
from tournament.refusal import Refused
from tournament.services.core.writing import writing

MOST_QUESTION = 300
MOST_RULING = 500
MOST_CLAUSE = 60
MOST_MINUTES = 120


def call_referee(*, table: Table, client_id: UUID, question: str = "", by: Account) -> RefereeCall:
    """Call a referee to a table, for the hand that it plays now.

    A known `client_id`, and a table whose call is open, change nothing and return the call that is there. Raises
    Refused where seats are not published, and for a question that is too long.
    """
    with writing(table.round.event, "referee_called", by=by) as change:
        open_calls = RefereeCall.objects.filter(table=table, closed_at=None)
        known = RefereeCall.objects.filter(client_id=client_id).first() or open_calls.first()
        if known and known.table_id != table.pk:
            raise Refused(error("entry.client_id_used"))
        if known:
            change.nothing_new()
            return known
        if table.round.published_at is None:
            raise Refused(error("round.not_published", round=table.round.number))
        _check_text("question", question, MOST_QUESTION)
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


def answer_call(*, call: RefereeCall, by: Account) -> None:
    """Say that somebody is at the table; the first who says so counts."""
    with writing(call.event, "call_answered", by=by) as change:
        current = _current(call)
        if current.answered_at:
            change.nothing_new()
            return
        current.answered_at, current.answered_by = change.at, change.by
        current.save(update_fields=["answered_at", "answered_by"])
        change.details = _place(current)


def close_call(
    *, call: RefereeCall, question: str = "", ruling: str = "", clause: str = "", minutes: int = 0, by: Account
) -> None:
    """Write down what was asked and ruled, and the minutes given; again, what was written is replaced, with a trail.

    Without a ruling the call needed none. Raises Refused for a clause or minutes without a ruling, and for what is too
    long or too many.
    """
    with writing(call.event, "call_closed", by=by) as change:
        current = _current(call)
        wanted = {"question": question.strip(), "ruling": ruling.strip(), "clause": clause.strip(), "minutes": minutes}
        _check(wanted)
        before = {key: getattr(current, key) for key in wanted}
        if current.closed_at and before == wanted:
            change.nothing_new()
            return
        change.details = {**_place(current), **wanted, **({"before": before} if current.closed_at else {})}
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
    return {"round": call.table.round.number, "table": call.table.number, "seq": call.seq}


def _check(wanted: dict[str, Any]) -> None:
    for key, most in (("question", MOST_QUESTION), ("ruling", MOST_RULING), ("clause", MOST_CLAUSE)):
        _check_text(key, wanted[key], most)
    if not 0 <= wanted["minutes"] <= MOST_MINUTES:
        raise Refused(error("call.minutes_out_of_range", minutes=wanted["minutes"], most=MOST_MINUTES))
    if (wanted["clause"] or wanted["minutes"]) and not wanted["ruling"]:
        raise Refused(error("call.ruling_missing"))


def _check_text(key: str, text: str, most: int) -> None:
    if len(text.strip()) > most:
        raise Refused(error("entry.text_too_long", key=key, most=most))
