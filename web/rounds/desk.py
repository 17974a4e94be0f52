"""The desk's grid: every table of the round, what is missing, and the acts that move the round on."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Rights, Verb
from tournament.selectors.core.public import seen_by_public, would_hold
from tournament.selectors.rounds.rounds import get_round
from tournament.services.draws.draw import release_round, start_round
from tournament.services.rounds.day_line import set_ready
from web.frame.page_context import current_round, desk_context
from web.frame.reauthentication import last_round, reauthenticate
from web.frame.tables import to_int
from web.gateways import DeskRequest, opens, who_may
from web.rounds.desk_page import Asked, grid_context
from web.rounds.grid_filters import filter_of
from web.words.problems import say
from web.words.visibility import say_hold_conflict


@require_GET
@who_may(Verb.SEE_DESK)
def grid(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the tables of the round that the desk is at, or of `?round=N`.

    `?show=` shows those of one state, `?q=` those with a name or number; `open` opens the table where there is but one.
    """
    wanted, search = request.GET.get("round", ""), request.GET.get("q", "")[:60]
    number = int(wanted[:4]) if wanted.isascii() and wanted.isdigit() else None
    page = desk_context(request, event, "desk")
    asked = Asked(number, filter_of(request.GET.get("show", "")), search)
    page |= grid_context(event, asked, organiser=page["organiser"], viewer=str(request.user.uid))
    page |= _doors(request.rights, page)
    found = [row["url"] for row in page["tables"] if not row["hidden"]]
    if search.strip() and "open" in request.GET and len(found) == 1:
        return redirect(found[0])
    part = "#grid" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"rounds/grid.html{part}", page)


@require_GET
@who_may(Verb.SEE_DESK)
def jump(request: DeskRequest, event: Event) -> HttpResponse:
    """Open a table of the current round by its number."""
    number, now = request.GET.get("table", "").strip(), current_round(event)
    if now and number.isascii() and number.isdigit() and now.tables.filter(number=int(number[:4])).exists():
        return redirect("desk:table", event.slug, now.number, int(number[:4]))
    messages.error(request, _("There is no table %(number)s in this round.") % {"number": number[:10] or "?"})
    return redirect("desk:grid", event.slug)


@require_POST
@who_may(Verb.RUN_CLOCK)
def start(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Start the clock of a round."""
    round_ = get_round(event, round_number)
    if round_:
        try:
            start_round(round_=round_, by=request.user)
            messages.success(request, _("The clock of round %(number)d is running.") % {"number": round_number})
        except Refused as refused:
            _tell(request, refused)
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_number}")


@require_POST
@who_may(Verb.CHECK_IN)
def ready(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Tick tables as ready, or take the ticks away; `back=table` returns to the table's page."""
    round_ = get_round(event, round_number)
    ticked = "ready" in request.POST
    numbers = [to_int(text) for text in request.POST.getlist("ready" if ticked else "not_ready")]
    if round_ and numbers:
        try:
            set_ready(round_=round_, tables=numbers, ready=ticked, by=request.user)
        except Refused as refused:
            _tell(request, refused)
    if request.POST.get("back") == "table" and numbers:
        return redirect("desk:table", event.slug, round_number, numbers[0])
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_number}")


@require_http_methods(["GET", "POST"])
@who_may(Verb.RELEASE_ROUNDS)
@reauthenticate(last_round)
def release(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Ask, then make the results of a round public, all tables at once."""
    round_ = get_round(event, round_number)
    if round_ is None:
        return redirect("desk:grid", event.slug)
    back = f"{reverse('desk:grid', args=[event.slug])}?round={round_number}"
    if request.method == "GET":
        held = event.hold if would_hold(event, round_number) else ""
        conflict = say_hold_conflict(hold=held, ema_certified=event.ema_certified)
        context = {"round": round_, "back": back, "held": held, "conflict": conflict}
        return render(request, "rounds/release.html", desk_context(request, event, "desk", **context))
    try:
        release_round(round_=round_, by=request.user)
        if round_number in seen_by_public(event).held_rounds:
            words = _("Round %(number)d is released for the desk; its results are held until you show them.")
        else:
            words = _("Round %(number)d is released: players see it now.")
        messages.success(request, words % {"number": round_number})
    except Refused as refused:
        _tell(request, refused)
    return redirect(back)


def _doors(rights: Rights, page: dict[str, Any]) -> dict[str, Any]:
    """Keep of the acts, of the steps' addresses and of the ticks what the reader may do."""
    steps = [
        {**step, "url": step["url"] if step["url"] and opens(rights, step["url"]) else ""} for step in page["steps"]
    ]
    acts = [act for act in page["acts"] if opens(rights, act["url"])]
    return {"steps": steps, "acts": acts, "ready_url": page["ready_url"] if rights.may(Verb.CHECK_IN) else ""}


def _tell(request: HttpRequest, refused: Refused) -> None:
    for problem in refused.problems:
        messages.error(request, say(problem))
