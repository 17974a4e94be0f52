"""Referee calls put together for the desk: the list of all, and the bar at one table. It words and never decides."""

import uuid
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from tournament.compiled_queries import Prepared
from tournament.models import Event, RefereeCall, Round
from tournament.selectors.rounds.calls import CallRow, list_calls
from tournament.selectors.tables.fouls import get_catalogue
from tournament.selectors.tables.tables import LoadedTable
from web.words.readback import counters, hand_name


def calls_context(event: Event, editing: int = 0, typed: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the context of rounds/calls.html; `editing` is a closed call to change, `typed` what was sent."""
    items = [_item(event, row, editing, typed) for row in list_calls(event)]
    return {
        "open_calls": [item for item in items if item["row"].closed_at is None],
        "closed_calls": [item for item in items if item["row"].closed_at],
        "clauses": _clauses(event),
    }


def _ask_open_call(table: int) -> QuerySet[RefereeCall, RefereeCall]:
    return RefereeCall.objects.filter(table=table, closed_at=None).order_by("called_at")[:1]


def _ask_soon(event: int, round_: int) -> QuerySet[Round, Any]:
    """Ask for a round whose seats are public and which has not started."""
    found = Round.objects.filter(event=event, number=round_, published_at__isnull=False, started_at=None)
    return found.order_by().values_list("pk")


_OPEN_CALL, _SOON = Prepared(_ask_open_call), Prepared(_ask_soon)


def call_bar(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return the context of rounds/call_bar.html: the open call or the way to make one, and ready; two queries."""
    found = _OPEN_CALL.first(table.id)
    address = [event.slug, table.round, table.number]
    soon = bool(_SOON(event.pk, table.round))
    return {
        "can_be_ready": soon and not table.game.hands,
        "ready_url": reverse("desk:ready", args=address[:2]),
        "open_call": found,
        "call_url": reverse("desk:call", args=address),
        "call_id": str(uuid.uuid4()),
        "calls_url": reverse("desk:calls", args=[event.slug]),
    }


def _item(event: Event, row: CallRow, editing: int, typed: dict[str, str] | None) -> dict[str, Any]:
    kept = {"question": row.question, "ruling": row.ruling, "clause": row.clause, "minutes": str(row.minutes or "")}
    return {
        "row": row,
        "url": reverse("desk:table", args=[event.slug, row.round, row.table]),
        "close_url": reverse("desk:close_call", args=[event.slug, row.id]),
        "answer_url": reverse("desk:answer_call", args=[event.slug, row.id]),
        "hand": " · ".join(part for part in (hand_name(row.state), counters(row.state)) if part),
        "waited": _waited(row.waited),
        "editing": row.id == editing,
        "typed": typed if typed is not None and row.id == editing else kept,
    }


def _waited(seconds: int | None) -> str:
    """Write how long a table waited.

    >>> _waited(75), _waited(3720), _waited(None)
    ('1:15', '62:00', '')
    """
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def _clauses(event: Event) -> list[tuple[str, str]]:
    """List the clauses of the event's foul catalogue, each with what it is about."""
    fouls = get_catalogue(event)
    found: dict[str, str] = {}
    for foul in fouls.fouls:
        found.setdefault(fouls.penalties[foul.key].clause, foul.what)
    return [(clause, what) for clause, what in found.items() if clause]
