"""The clock: its full screen for the hall, the desk's page that starts, pauses and stops it, minutes for one table."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from scoring.problems import InvalidInput, Problem, error
from tournament.models import Event, Round, Table, TableTime
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.rounds.clock import get_clock
from tournament.selectors.rounds.rounds import get_round
from tournament.selectors.tables.tables import get_table
from tournament.services.core.settings import set_clock_options
from tournament.services.draws.draw import start_round
from tournament.services.rounds.clock import (
    cancel_time,
    give_time,
    pause_clock,
    put_clock_back,
    resume_clock,
    stop_clock,
)
from web.frame.page_context import desk_context, rights_context
from web.frame.public_page import show
from web.frame.tables import load_or_404, to_int, to_uuid
from web.gateways import DeskRequest, for_public, who_may
from web.rounds.clock_page import controls_context, time_bar, wall_context
from web.words.languages import follow_wall
from web.words.problems import say

UNPROCESSABLE = 422
# what a press does, and what is said then
ACTS: dict[str, tuple[Callable[..., None], bool, str]] = {
    "start": (start_round, False, "The clock of round %(number)d is running."),
    "pause": (pause_clock, True, "The clock of round %(number)d stands still."),
    "resume": (resume_clock, False, "The clock of round %(number)d goes on."),
    "stop": (stop_clock, True, "The clock of round %(number)d is stopped, as if it had never started."),
    "put_back": (put_clock_back, False, "The clock of round %(number)d runs as if it had never been stopped."),
}


@require_safe
@for_public
def wall(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the clock of the round that is played, as large as the screen, in the event's language."""
    follow_wall(event.language)

    def make() -> dict[str, Any]:
        now = event.rounds.filter(published_at__isnull=False, released_at=None).first()
        if now is None:
            return {"round": None}
        now.event = event
        return {"round": now, **wall_context(get_clock(now), event.second_language)}

    return show(request, event, "rounds/clock_public.html", make, tab="", clock=True)


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.RUN_CLOCK)
def clock(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Show a round's clock with what can be done to it, and do it."""
    round_ = _round_or_404(event, round_number)
    if request.method == "POST":
        act, needs_reason, done = ACTS.get(request.POST.get("act", ""), (None, False, ""))
        if act is None:
            raise Http404("There is no such act.")
        reason = {"reason": request.POST.get("reason", "")} if needs_reason else {}
        try:
            act(round_=round_, by=request.user, **reason)
        except Refused as refused:
            return _page(request, event, round_, refused.problems)
        messages.success(request, _(done) % {"number": round_number})
        return redirect("desk:clock", event.slug, round_number)
    return _page(request, event, round_)


@require_GET
@who_may(Verb.SEE_TABLE)
def bar(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Say how the time of one table stands."""
    loaded = load_or_404(event, round_number, table_number)
    return render(request, "rounds/time_state.html", {"event": event, "table": loaded, **time_bar(event, loaded)})


@require_POST
@who_may(Verb.RUN_CLOCK)
def give(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Give a table minutes, from the grid, from its own page or from that of the clock."""
    round_ = _round_or_404(event, round_number)
    problems: tuple[Problem, ...] = ()
    number = to_int(request.POST.get("table", "").strip())
    minutes = to_int((request.POST.get("minutes") or request.POST.get("other", "")).strip())
    try:
        give_time(
            table=_table(round_, number),
            minutes=minutes,
            reason=request.POST.get("reason", ""),
            client_id=to_uuid(request.POST.get("time_id", "")),
            by=request.user,
        )
    except (InvalidInput, Refused) as wrong:
        problems = wrong.problems
    if request.htmx and request.POST.get("back") == "table":  # type: ignore[attr-defined]
        return _bar(request, event, round_, number, problems)
    for problem in problems:
        messages.error(request, say(problem))
    if not problems:
        words = ngettext(
            "Table %(number)d has %(count)d minute more.", "Table %(number)d has %(count)d minutes more.", minutes
        )
        messages.success(request, words % {"number": number, "count": minutes})
    return _back(request, event, round_, number)


@require_POST
@who_may(Verb.RUN_CLOCK)
def take_back(request: DeskRequest, event: Event, round_number: int, time_id: int) -> HttpResponse:
    """Take minutes of a table back, with a reason."""
    round_ = _round_or_404(event, round_number)
    found = TableTime.objects.select_related("table__round__event").filter(pk=time_id, table__round=round_).first()
    if found is None:
        raise Http404("There are no such minutes.")
    try:
        cancel_time(time=found, reason=request.POST.get("reason", ""), by=request.user)
    except Refused as refused:
        return _page(request, event, round_, refused.problems)
    messages.success(request, _("The minutes of table %(number)d are taken back.") % {"number": found.table.number})
    return redirect("desk:clock", event.slug, round_number)


@require_POST
@who_may(Verb.CHANGE_SETTINGS)
def options(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Say whether the clock sounds, and when it speaks."""
    round_ = _round_or_404(event, round_number)
    try:
        signals = _signals(request.POST.get("signals", ""))
        set_clock_options(event=event, sound=request.POST.get("sound") == "on", signals=signals, by=request.user)
    except Refused as refused:
        return _page(request, event, round_, refused.problems)
    messages.success(request, _("What the clock says is set."))
    return redirect("desk:clock", event.slug, round_number)


def _page(request: DeskRequest, event: Event, round_: Round, problems: tuple[Problem, ...] = ()) -> HttpResponse:
    context = {"errors": [say(problem) for problem in problems], **controls_context(event, round_)}
    template = "rounds/clock.html#clock" if request.htmx else "rounds/clock.html"  # type: ignore[attr-defined]
    page = desk_context(request, event, "desk", **context)
    return render(request, template, page, status=UNPROCESSABLE if problems else 200)


def _bar(request: DeskRequest, event: Event, round_: Round, number: int, problems: tuple[Problem, ...]) -> HttpResponse:
    loaded = get_table(event, round_.number, number)
    if loaded is None:
        raise Http404("There is no such table.")
    context = {"event": event, "table": loaded, "time_errors": [say(each) for each in problems]}
    status = UNPROCESSABLE if problems else 200
    context |= {**time_bar(event, loaded), **rights_context(request, event)}
    return render(request, "rounds/time_bar.html", context, status=status)


def _back(request: DeskRequest, event: Event, round_: Round, number: int) -> HttpResponse:
    back = request.POST.get("back")
    if back == "table" and round_.tables.filter(number=number).exists():
        return redirect("desk:table", event.slug, round_.number, number)
    if back == "clock":
        return redirect("desk:clock", event.slug, round_.number)
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_.number}")


def _table(round_: Round, number: int) -> Table:
    """Return a table of a round; raises Refused where there is none."""
    found = Table.objects.select_related("round__event").filter(round=round_, number=number).first()
    if found is None:
        raise Refused(error("clock.table_unknown"))
    return found


def _signals(text: str) -> list[int]:
    """Read minutes, typed with spaces or commas; raises Refused for anything else."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        raise Refused(error("clock.signals_unreadable"))
    return [int(word) for word in words]


def _round_or_404(event: Event, number: int) -> Round:
    found = get_round(event, number)
    if found is None:
        raise Http404("There is no such round.")
    return found
