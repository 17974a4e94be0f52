"""Referee calls and complaints: the page that lists them, and the acts that make, answer and close one."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from scoring.problems import InvalidInput, ProblemType
from tournament.calls.actions import MOST_QUESTION, answer_call, call_referee, close_call
from tournament.calls.queries import CallRow, list_calls
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.referee import CallKind, RefereeCall
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, flash_problems, load_or_404, row_of, to_int, to_uuid
from tournament.penalties.queries_fouls import get_catalogue
from tournament.tables.queries_tables import LoadedTable
from tournament.text.problems_1 import say
from tournament.text.readback import hand_name, honba_and_sticks

CALL_MINUTES_NOT_A_NUMBER = ProblemType("call.minutes_not_a_number", "'{value}' is not a number of minutes.")

FIELDS = ("question", "ruling", "clause", "minutes")


def calls_context(event: Event, editing: int = 0, typed: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the context of rounds/calls.html; `editing` is a closed call to change, `typed` what was sent."""
    items = [_item(row, editing, typed) for row in list_calls(event)]
    return {
        "open_calls": [item for item in items if not (item["row"].closed_at or item["row"].complaint)],
        "complaints": [item for item in items if item["row"].complaint and item["row"].closed_at is None],
        "closed_calls": [item for item in items if item["row"].closed_at],
        "clauses": _clauses(event),
    }


def call_bar(table: LoadedTable) -> dict[str, Any]:
    """Return the context of rounds/call_bar.html for a table that was loaded alone; a query where a call is open."""
    row, beside = table.alone
    return {
        "can_be_ready": row.round.state == "published" and not table.game.hands,
        "open_call": _open_call(table.id) if beside.call else None,
        "call_id": str(uuid.uuid4()),
    }


def _open_call(table: int) -> RefereeCall | None:
    return RefereeCall.objects.filter(table=table, kind=CallKind.CALL, closed_at=None).order_by("called_at").first()


def _item(row: CallRow, editing: int, typed: dict[str, str] | None) -> dict[str, Any]:
    stored = {"question": row.question, "ruling": row.ruling, "clause": row.clause, "minutes": str(row.minutes or "")}
    return {
        "row": row,
        "hand": _hand(row),
        "waited": _waited(row.waited),
        "editing": row.id == editing,
        "typed": typed if typed is not None and row.id == editing else stored,
    }


def _hand(row: CallRow) -> str:
    if row.state is None:
        return _("the whole game")
    return " · ".join(part for part in (hand_name(row.state), honba_and_sticks(row.state)) if part)


def _waited(seconds: int | None) -> str:
    """Return how long a table waited as minutes and seconds.

    >>> _waited(75), _waited(3720), _waited(None)
    ('1:15', '62:00', '')
    """
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def _clauses(event: Event) -> list[tuple[str, str]]:
    """List the clauses of the event's foul catalogue, each with its first foul."""
    fouls = get_catalogue(event)
    found: dict[str, str] = {}
    for foul in fouls.fouls:
        found.setdefault(fouls.penalties[foul.key].clause, foul.what)
    return [(clause, what) for clause, what in found.items() if clause]


@require_GET
@who_may(Verb.SEE_DESK)
def calls(request: DeskRequest, event: Event) -> HttpResponse:
    """List the calls, the open ones first; `?edit=ID` opens a closed one."""
    context = calls_context(event, to_int(request.GET.get("edit")))
    part = "#calls" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"rounds/calls.html{part}", desk_context(request, event, "calls", **context))


@require_POST
@who_may(Verb.CALL_REFEREE)
def call(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Call a referee to a table."""
    loaded = load_or_404(event, round_number, table_number)
    try:
        call_referee(
            table=row_of(loaded),
            client_id=to_uuid(request.POST.get("call", "")),
            question=request.POST.get("question", "")[:MOST_QUESTION],
            by=request.user,
        )
        messages.success(request, _("A referee is called to table %(number)d.") % {"number": table_number})
    except (InvalidInput, Refused) as wrong:
        flash_problems(request, wrong)
    return redirect("desk:table", event.slug, round_number, table_number)


@require_POST
@who_may(Verb.RULE)
def answer(request: DeskRequest, event: Event, call_id: int) -> HttpResponse:
    """Record that a referee is at the table."""
    answer_call(call=_call_or_404(event, call_id), by=request.user)
    return redirect(f"{reverse('desk:calls', args=[event.slug])}#call-{call_id}")


@require_POST
@who_may(Verb.RULE)
def close(request: DeskRequest, event: Event, call_id: int) -> HttpResponse:
    """Store question, ruling, clause and minutes, and close the call; a refusal shows the form as typed."""
    found = _call_or_404(event, call_id)
    typed = {key: request.POST.get(key, "").strip() for key in FIELDS}
    try:
        close_call(
            call=found,
            question=typed["question"],
            ruling=typed["ruling"],
            clause=typed["clause"],
            minutes=_minutes(typed["minutes"]),
            by=request.user,
        )
    except (InvalidInput, Refused) as wrong:
        context = {"errors": [say(problem) for problem in wrong.problems], **calls_context(event, call_id, typed)}
        page = desk_context(request, event, "calls", **context)
        return render(request, "rounds/calls.html", page, status=UNPROCESSABLE)
    said = (
        _("The ruling is kept.") if found.kind == CallKind.COMPLAINT else _("The call of table %(number)d is closed.")
    )
    messages.success(request, said % {"number": found.table.number})
    return redirect("desk:calls", event.slug)


def _call_or_404(event: Event, call_id: int) -> RefereeCall:
    found = event.calls.select_related("event", "table").filter(pk=call_id).first()
    if found is None:
        raise Http404("There is no such call.")
    return found


def _minutes(text: str) -> int:
    if text and not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise InvalidInput([CALL_MINUTES_NOT_A_NUMBER(value=text[:20])])
    return int(text or 0)
