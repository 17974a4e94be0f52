"""The ranking of teams: the public page, and the desk's with signed tables that are not public yet."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.actions_settings import set_team_best
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, for_public, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.public_page import show
from tournament.pages.requests_tables import flash_problems
from tournament.public.rows import how_fresh
from tournament.sheets.queries import list_reopened
from tournament.standings.queries import get_desk_standings, get_standings, has_teams, rank_event_teams


@require_safe
@for_public
def teams(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the teams after the last released round; an event without teams has the standings of its players."""
    if not has_teams(event):
        return redirect("public:standings", event.slug)

    def make() -> dict[str, Any]:
        standings = get_standings(event)
        ranking = rank_event_teams(event, standings)
        fresh = how_fresh(event, standings, list_reopened(event)) if standings.rounds else ""
        return {"teams": ranking, "fresh": fresh}

    return show(request, event, "people/teams_public.html", make, tab="standings")


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def desk_teams(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the teams by all signed tables; set how many members count."""
    if request.method == "POST":
        text = request.POST.get("best", "").strip()
        try:
            best = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
            set_team_best(event=event, best=best, by=request.user)
            messages.success(request, _("Team ranking updated."))
        except Refused as refused:
            flash_problems(request, refused)
        return redirect("desk:teams", event.slug)
    ranking = rank_event_teams(event, get_desk_standings(event))
    return render(request, "people/teams.html", desk_context(request, event, "results", teams=ranking))
