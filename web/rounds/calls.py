"""Referee calls: all of an event's, one made at a table, answered, and closed with its ruling."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from scoring.problems import InvalidInput, Problem, error
from tournament.models import Event, RefereeCall
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.services.rounds.calls import MOST_QUESTION, answer_call, call_referee, close_call
from web.frame.page_context import desk_context
from web.frame.tables import load_or_404, row_of, to_int, to_uuid
from web.gateways import DeskRequest, who_may
from web.rounds.call_page import calls_context
from web.words.problems import say

UNPROCESSABLE = 422
FIELDS = ("question", "ruling", "clause", "minutes")


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
    """Call a referee to a table; back to the table."""
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
        _tell(request, wrong.problems)
    return redirect("desk:table", event.slug, round_number, table_number)


@require_POST
@who_may(Verb.RULE)
def answer(request: DeskRequest, event: Event, call_id: int) -> HttpResponse:
    """Say that somebody is at the table."""
    answer_call(call=_call_or_404(event, call_id), by=request.user)
    return redirect(f"{reverse('desk:calls', args=[event.slug])}#call-{call_id}")


@require_POST
@who_may(Verb.RULE)
def close(request: DeskRequest, event: Event, call_id: int) -> HttpResponse:
    """Write down question, ruling, clause and minutes, and close the call; on a refusal what was typed stays."""
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
    messages.success(request, _("The call of table %(number)d is closed.") % {"number": found.table.number})
    return redirect("desk:calls", event.slug)


def _call_or_404(event: Event, call_id: int) -> RefereeCall:
    found = event.calls.select_related("event", "table").filter(pk=call_id).first()
    if found is None:
        raise Http404("There is no such call.")
    return found


def _minutes(text: str) -> int:
    if text and not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise InvalidInput([error("call.minutes_not_a_number", value=text[:20])])
    return int(text or 0)


def _tell(request: DeskRequest, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        messages.error(request, say(problem))
