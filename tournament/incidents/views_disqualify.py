"""Disqualify a player: what it does to ranking, seats and games, who plays instead, what the public reads; and back."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.incidents.actions_disqualification import (
    Shown,
    Verdict,
    disqualify,
    lift_disqualification,
    show_disqualification,
)
from tournament.incidents.queries import Whereabouts, moves_without
from tournament.incidents.substitutes import ranked_moves
from tournament.incidents.views_incidents import leaving, player_or_404, seat_to_fill
from tournament.models.event import Event
from tournament.models.people import Disqualification, Player
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, to_uuid
from tournament.pages.sign_in_reauthentication import reauthenticate
from tournament.standings.queries import get_desk_standings
from tournament.text.problems_1 import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
@reauthenticate()
def disqualify_player(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what a disqualification changes, and do it; of one that stands, take it back or set what is public."""
    player, who = player_or_404(event, number)
    standing = player.disqualifications.filter(cancelled_at=None).select_related("event").first()
    errors: list[str] = []
    if request.method == "POST":
        try:
            messages.success(request, _act(request, player, who, standing))
            return redirect("desk:disqualify", event.slug, number)
        except (InvalidInput, Refused) as wrong:
            errors = [say(problem) for problem in wrong.problems]
    context = {
        "player": who,
        "standing": standing,
        "errors": errors,
        "fields": request.POST,
        "client_id": str(uuid.uuid4()),
        "choices": _choices(request.POST.get("shown", standing.shown if standing else Shown.NAME)),
        **({} if standing else _effect(event, who)),
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/disqualify.html", page, status=UNPROCESSABLE if errors else 200)


def _act(request: DeskRequest, player: Player, who: Whereabouts, standing: Disqualification | None) -> str:
    """Carry out what the page asks for and say so; raises InvalidInput, Refused."""
    act, fields = request.POST.get("act"), request.POST
    if standing and act == "lift":
        lift_disqualification(disqualification=standing, reason=fields.get("reason", ""), by=request.user)
        return _("%(name)s is no longer disqualified.") % {"name": who.name}
    if standing and act == "show":
        show_disqualification(disqualification=standing, shown=fields.get("shown", ""), by=request.user)
        return _("What the public reads is changed.")
    table, replacement = seat_to_fill(fields, who)
    disqualify(
        player=player,
        verdict=Verdict(
            reason=fields.get("reason", ""), clause=fields.get("clause", ""), shown=fields.get("shown", "")
        ),
        client_id=to_uuid(fields.get("client_id", "")),
        table=table,
        replacement=replacement,
        by=request.user,
    )
    return _("%(name)s is disqualified. No seat has moved.") % {"name": who.name}


def _choices(chosen: str) -> list[tuple[str, str, bool]]:
    """Return what the public can read: value, words, and whether it is chosen."""
    words = {
        Shown.NOTHING: _("Nothing: the player is listed as not ranked"),
        Shown.NAME: _("The name, as disqualified"),
        Shown.REASON: _("The name and the reason"),
    }
    return [(value.value, said, value == chosen) for value, said in words.items()]


def _effect(event: Event, who: Whereabouts) -> dict[str, Any]:
    """Return the seats that are left, and the lines of the ranking that move."""
    moves = moves_without(get_desk_standings(event), who.number)
    return {**leaving(event, who), "effect": {"moves": ranked_moves(moves)}}
