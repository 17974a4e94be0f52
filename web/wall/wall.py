"""The wall at the desk: what it shows and how long, announcements, the prize giving, the hall's network."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from scoring.problems import InvalidInput, Problem
from tournament.models import Event, WallPage
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.services.public.announcements import (
    change_announcement,
    move_announcement,
    put_announcement_back,
    take_announcement_back,
    write_announcement,
)
from tournament.services.public.wall import begin_prizes, end_prizes, set_network, set_wall_pages, show_prizes
from tournament.services.rounds.publication import show_results
from web.frame.page_context import desk_context
from web.frame.reauthentication import prizes_open, reauthenticate
from web.frame.tables import to_int, to_uuid
from web.gateways import DeskRequest, who_may
from web.wall.wall_desk import read_words, wall_desk_context
from web.words.problems import say

UNPROCESSABLE = 422
MOST_DIGITS = 4


@require_GET
@who_may(Verb.SEE_DESK)
def wall(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what the wall shows and what can be done to it; `?edit=ID` opens an announcement."""
    context = wall_desk_context(request, event, editing=to_int(request.GET.get("edit")))
    return render(request, "wall/desk.html", desk_context(request, event, "", **context))


@require_POST
@who_may(Verb.ANNOUNCE)
def announce(request: DeskRequest, event: Event) -> HttpResponse:
    """Announce something; on a refusal what was typed stays."""
    try:
        write_announcement(
            event=event,
            words=read_words(request.POST.dict()),
            client_id=to_uuid(request.POST.get("announcement", "")),
            by=request.user,
        )
    except (InvalidInput, Refused) as wrong:
        return _refused(request, event, wrong.problems)
    messages.success(request, _("It is announced."))
    return _back(event, "announcements")


@require_POST
@who_may(Verb.ANNOUNCE)
def announcement(request: DeskRequest, event: Event, announcement_id: int) -> HttpResponse:
    """Change an announcement, move it, take it back or put it back."""
    found = event.announcements.select_related("event").filter(pk=announcement_id).first()
    if found is None:
        raise Http404("There is no such announcement.")
    act = request.POST.get("act", "")
    try:
        if act == "change":
            change_announcement(announcement=found, words=read_words(request.POST.dict()), by=request.user)
        elif act == "move":
            move_announcement(announcement=found, position=to_int(request.POST.get("position")), by=request.user)
        elif act == "take_back":
            take_announcement_back(announcement=found, by=request.user)
        elif act == "put_back":
            put_announcement_back(announcement=found, by=request.user)
        else:
            raise Http404("There is no such act.")
    except Refused as refused:
        return _refused(request, event, refused.problems, editing=announcement_id)
    return _back(event, "announcements")


@require_POST
@who_may(Verb.CHANGE_SETTINGS)
def pages(request: DeskRequest, event: Event) -> HttpResponse:
    """Set which pages the wall goes through, in which order, and the seconds of each screen."""
    chosen = [page for page in WallPage.values if request.POST.get(f"on-{page}") == "on"]
    chosen.sort(key=lambda page: _number(request.POST.get(f"position-{page}", "")))
    try:
        wanted = [(page, _number(request.POST.get(f"seconds-{page}", ""))) for page in chosen]
        changed = set_wall_pages(event=event, pages=wanted, by=request.user)
    except Refused as refused:
        return _refused(request, event, refused.problems)
    _say_done(request, changed=changed, done=_("The pages of the wall are set."))
    return _back(event, "pages")


@require_POST
@who_may(Verb.CHANGE_SETTINGS)
def network(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the hall's network, which the code on the wall joins."""
    name, password = request.POST.get("network", ""), request.POST.get("password", "")
    try:
        changed = set_network(event=event, network=name, password=password, by=request.user)
    except Refused as refused:
        return _refused(request, event, refused.problems)
    _say_done(request, changed=changed, done=_("The network on the wall is set."))
    return _back(event, "codes")


@require_POST
@who_may(Verb.PUBLISH)
@reauthenticate(prizes_open)
def prizes(request: DeskRequest, event: Event) -> HttpResponse:
    """Begin the prize giving, reveal so many places, end it, or show the results to everybody."""
    act = request.POST.get("act", "")
    try:
        if act == "begin":
            begin_prizes(event=event, top=_number(request.POST.get("top", "") or "0"), by=request.user)
        elif act == "show":
            show_prizes(event=event, step=_number(request.POST.get("step", "")), by=request.user)
        elif act == "end":
            end_prizes(event=event, by=request.user)
        elif act == "results":
            shown = show_results(event=event, by=request.user)
            _say_done(request, changed=shown, done=_("Everybody sees the results."))
        else:
            raise Http404("There is no such act.")
    except Refused as refused:
        return _refused(request, event, refused.problems)
    return _back(event, "prizes")


def _number(text: str) -> int:
    """Read a number as it was typed; -1, which no verb takes, for anything else."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else -1


def _refused(
    request: DeskRequest, event: Event, problems: tuple[Problem, ...], *, editing: int | None = None
) -> HttpResponse:
    """Say what kept it from being done, with what was typed in its place."""
    typed = request.POST.dict() if "title" in request.POST else None
    context = wall_desk_context(request, event, editing=editing or 0, typed=typed)
    page = {"errors": [say(problem) for problem in problems], **context}
    return render(request, "wall/desk.html", desk_context(request, event, "", **page), status=UNPROCESSABLE)


def _say_done(request: DeskRequest, *, changed: bool, done: str) -> None:
    if changed:
        messages.success(request, done)
    else:
        messages.info(request, _("Nothing was changed."))


def _back(event: Event, part: str) -> HttpResponse:
    return redirect(f"{reverse('desk:wall', args=[event.slug])}#{part}")
