"""The check-in page: tick a player by tapping the row, or by typing part of a name or a number."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.pages.forms import likes_of
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import MOST_QUERY, SentAct, answer_acts, flash_problems, to_int, wants_json
from tournament.players.actions import check_in
from tournament.players.queries import PlayerRow, list_players
from tournament.text.names import fold, matches
from tournament.text.problems import say

CHECK_IN_NO_PLAYER = ProblemType("check_in.no_player", "There is no such player.")

SHOWS = ("all", "missing", "here")


@require_http_methods(["GET", "POST"])
@who_may(Verb.SEE_DESK, post=Verb.CHECK_IN)
def page(request: DeskRequest, event: Event) -> HttpResponse:
    """Show who is here; `?show=missing|here` and `?q=` narrow the list, `?last=N` is the player ticked last.

    `?keep=N,N…` are the players ticked on this page, which stay in the list. A POST for JSON is `answer_acts`: each act
    has `here=N` or `gone=N` and the `who` of the row.
    """
    if request.method == "POST":
        return (
            answer_acts(request, partial(_tick_sent, event, request.user))
            if wants_json(request)
            else _tick(request, event)
        )
    context = _context(event, request.GET)
    part = "#check-in" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"players/check_in.html{part}", desk_context(request, event, "players", **context))


def _tick(request: DeskRequest, event: Event) -> HttpResponse:
    """Tick or untick the player whose row was tapped, or the one that the typed letters find."""
    show = request.POST.get("show", "")
    if "q" in request.POST and not {"here", "gone"} & set(request.POST):
        query = request.POST["q"][:MOST_QUERY]
        found = _find(_rows(event, show), query) if query.strip() else []
        if len(found) != 1:
            return _back(event, show, q=query)
        number, here = found[0].number, True
    else:
        here = "here" in request.POST
        number = to_int(request.POST.get("here" if here else "gone"))
        if _has_closed_up(request, event):
            messages.error(request, _("Somebody was taken out, and numbers moved up: tap the name once more."))
            return _back(event, show)
    player = event.players.select_related("event").filter(number=number).first()
    if player is None:
        messages.error(request, say(CHECK_IN_NO_PLAYER()))
        return _back(event, show)
    try:
        check_in(player=player, here=here, by=request.user)
    except Refused as refused:
        flash_problems(request, refused)
        return _back(event, show)
    return _back(event, show, last=str(number))


def _tick_sent(event: Event, by: Account, act: SentAct) -> None:
    """Tick or untick as an act says: `who` is the row's player, whatever the number is by now."""
    player = event.players.select_related("event").filter(pk=to_int(act.fields.get("who"))).first()
    if player is None:
        raise Refused(CHECK_IN_NO_PLAYER())
    check_in(player=player, here="here" in act.fields, client_id=act.client_id, by=by)


def _has_closed_up(request: DeskRequest, event: Event) -> bool:
    """Tell whether players left since the page was shown: before the draw, numbers then move to other players."""
    listed = to_int(request.POST.get("listed"))
    return not event.rounds.exists() and event.players.filter(withdrawn_at=None).count() < listed


def _back(event: Event, show: str, **query: str) -> HttpResponse:
    query = {"show": show if show in SHOWS[1:] else "", **query}
    kept = urlencode({key: value for key, value in query.items() if value.strip()})
    return redirect(reverse("desk:check_in", args=[event.slug]) + (f"?{kept}" if kept else ""))


def _rows(event: Event, show: str) -> list[PlayerRow]:
    """List the players to tick by name, narrowed by the filter."""
    rows = sorted((row for row in list_players(event) if not row.withdrawn), key=lambda row: fold(row.name))
    return [row for row in rows if _is_shown(row, show)]


def _is_shown(row: PlayerRow, show: str) -> bool:
    return show not in SHOWS[1:] or row.here == (show == "here")


def _find(rows: list[PlayerRow], query: str) -> list[PlayerRow]:
    """Return the player with this number, else those whose names have the words of a query."""
    typed = query.strip()
    return [row for row in rows if typed == str(row.number)] or [
        row for row in rows if matches(query, row.name, row.number)
    ]


def _context(event: Event, asked: Mapping[str, str]) -> dict[str, Any]:
    show, query, last, kept = (asked.get(name, "") for name in ("show", "q", "last", "keep"))
    everybody = _rows(event, "")
    here = sum(row.here for row in everybody)
    newest = next((row for row in everybody if str(row.number) == last), None)
    # players who were ticked on this page stay in the list, so that no other row moves under the finger
    stay = {last, *kept.split(",")}
    listed = [row for row in everybody if str(row.number) in stay or _is_shown(row, show)]
    found = _find(listed, query) if query.strip() else listed
    counts = {"all": len(everybody), "missing": len(everybody) - here, "here": here}
    words = {"all": _("Everybody"), "missing": _("Not here"), "here": _("Here")}
    likes = likes_of((row.number, row.name) for row in everybody)
    return {
        "rows": [{"row": row, "fold": fold(row.name), "like": likes.get(row.number, "")} for row in found],
        "newest_like": likes.get(newest.number, "") if newest else "",
        "here": here,
        "players": len(everybody),
        "newest": newest,
        "query": query[:MOST_QUERY],
        "show": show if show in SHOWS else "all",
        "shows": [{"key": key, "label": words[key], "count": counts[key]} for key in SHOWS],
        "open_list": not event.rounds.exists(),
    }
