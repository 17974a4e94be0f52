"""The page "Something went wrong" and its forms for a player who leaves for good or comes back.

Each act can be undone, and none moves a published seat by itself.
"""

import uuid
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.problems import InvalidInput
from tournament.accounts.queries import AuditLine, list_audit
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.incidents.actions_disqualification import PLAYER_DISQUALIFIED
from tournament.incidents.actions_substitutions import SUBSTITUTE_PUT_IN, Replacement, come_back, leave
from tournament.incidents.queries import Whereabouts, effect_with, get_whereabouts
from tournament.incidents.substitutes import effect_context
from tournament.incidents.views_incident_acts import Act, acts_for, acts_of_round, say_place_of, say_where
from tournament.models.event import Event
from tournament.models.people import Player, Substitution
from tournament.models.rounds import Table
from tournament.pages.forms_similar_names import likes_of
from tournament.pages.permissions_gateways import DeskRequest, opens, who_may
from tournament.pages.permissions_page_context import current_round, desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, to_int, to_uuid
from tournament.players.actions import PLAYER_RETURNED, PLAYER_WITHDRAWN
from tournament.players.queries import list_players
from tournament.seating.seat_actions import PLAYERS_EXCHANGED, PLAYERS_SWAPPED, SEATS_MOVED_ON, SEATS_SWAPPED
from tournament.tables.queries_tables import load_tables
from tournament.text.acts import say_verb
from tournament.text.problems_1 import say

MOST_AUDIT_LINES = 60  # searched for acts about people
MOST_LATELY = 6


@require_safe
@who_may(Verb.SEE_DESK)
def incidents(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what can be put right, for `?player=N` and for the event, and the latest acts with the way to undo each."""
    page, now = desk_context(request, event, "desk"), current_round(event)
    rows = list_players(event)
    number = to_int(request.GET.get("player"))
    who = get_whereabouts(event, number) if number > 0 else None
    likes = likes_of((row.number, row.name) for row in rows)
    gone = {row.number for row in rows if row.withdrawn}
    page |= {
        "people": [(row.number, row.name) for row in rows],
        "player": who,
        "where": say_where(who) if who else [],
        "like": likes.get(number, ""),
        "acts": _open(request, acts_for(event, who, open_list=now is None)) if who else [],
        "others": _open(request, acts_of_round(event, now.number if now else 0)),
        "lately": _lately(event, gone) if page["organiser"] else [],
        "not_found": number > 0 and who is None,
    }
    return render(request, "people/incidents.html", page)


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def leaves(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what changes if a player leaves for good, and record it; a substitute may take the published seats."""
    player, who = player_or_404(event, number)
    errors: list[str] = []
    if request.method == "POST":
        try:
            _leave(request, player, who)
            messages.success(request, _("%(name)s has left. No seat has moved.") % {"name": who.name})
            return to_incidents(event, number)
        except (InvalidInput, Refused) as wrong:
            errors = [say(problem) for problem in wrong.problems]
    context = {
        "player": who,
        "errors": errors,
        "fields": request.POST,
        "client_id": str(uuid.uuid4()),
        **leaving(event, who),
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/incident_leaves.html", page, status=UNPROCESSABLE if errors else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def back(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what changes if a player is back, and record it; substitutes at tables without a hand go."""
    player, who = player_or_404(event, number)
    replaced = [seat for seat in who.seats if seat.substitute]
    errors: list[str] = []
    if request.method == "POST":
        # all ticked rounds, not only those still ahead: where play has begun meanwhile the service refuses in words
        ids = [seat.table_id for seat in replaced if str(seat.round) in request.POST.getlist("round")]
        rows = Substitution.objects.filter(table__in=ids, player=player, cancelled_at=None)
        try:
            come_back(
                player=player,
                reason=request.POST.get("reason", ""),
                substitutions=list(rows.select_related("event", "player", "table__round")),
                by=request.user,
            )
            messages.success(request, _("%(name)s is back.") % {"name": who.name})
            return to_incidents(event, number)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    context = {
        "player": who,
        "errors": errors,
        "reason": request.POST.get("reason", "")[:300],
        "ahead": [(seat, say_place_of(seat)) for seat in replaced if seat.is_ahead],
        "begun": [say_place_of(seat) for seat in replaced if not seat.is_ahead],
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/incident_back.html", page, status=UNPROCESSABLE if errors else 200)


def to_incidents(event: Event, number: int) -> HttpResponse:
    """Redirect to the page "Something went wrong" of a player."""
    return redirect(f"{reverse('desk:mishaps', args=[event.slug])}?player={number}")


# ---------------------------------------------------------------- leaving


def _leave(request: DeskRequest, player: Player, who: Whereabouts) -> None:
    table, replacement = seat_to_fill(request.POST, who)
    leave(
        player=player,
        reason=request.POST.get("reason", ""),
        table=table,
        replacement=replacement,
        client_id=to_uuid(request.POST.get("client_id", "")),
        by=request.user,
    )


def seat_to_fill(fields: QueryDict, who: Whereabouts) -> tuple[Table | None, Replacement | None]:
    """Return the seat that a substitute takes over from a player, and how; None where the page asks for none.

    Raises Refused for a seat that the player no longer has.
    """
    place, wanted = to_int(fields.get("table")), fields.get("seats") == "substitute"
    seat = next((each for each in who.seats if each.table_id == place and not each.substitute), None)
    if place and wanted and place not in {each.table_id for each in who.seats}:
        raise Refused(SEATS_MOVED_ON())
    if seat is None or not wanted:
        return None, None
    replacement = Replacement(
        when="before" if seat.is_ahead else "during",
        reason=fields.get("reason", ""),
        name=fields.get("name", "")[:200],
        hand=seat.hands + 1 if seat.stage == "playing" else None,
        later=True,
    )
    return Table.objects.select_related("round__event").get(pk=place), replacement


def leaving(event: Event, who: Whereabouts) -> dict[str, Any]:
    """Return the open seats of a leaving player in words, and what replacing the first of them changes."""
    left = [seat for seat in who.seats if not seat.released and seat.stage != "signed" and not seat.substitute]
    context: dict[str, Any] = {"left": [say_place_of(seat) for seat in left]}
    if left and who.ranked:
        first = left[0]
        (table,) = load_tables(event, ids=[first.table_id])
        effect = effect_with(event, table, who.number, "before" if first.is_ahead else "during")
        context |= {"first": first, "effect": effect_context(effect)}
    return context


def player_or_404(event: Event, number: int) -> tuple[Player, Whereabouts]:
    """Return a player by number, and where they are; raises Http404."""
    player = event.players.filter(number=number).select_related("person", "event").first()
    who = get_whereabouts(event, number)
    if player is None or who is None:
        raise Http404("There is no such player.")
    return player, who


# ---------------------------------------------------------------- where a player is


def _open(request: DeskRequest, acts: list[Act]) -> list[Act]:
    """Keep the acts whose page the reader may open."""
    return [act for act in acts if opens(request.rights, act.url)]


def _lately(event: Event, gone: Collection[int]) -> list[tuple[AuditLine, str, str]]:
    """Return the latest acts about people, newest first: line, its words, and the address that undoes it."""
    found = ((line, _undo_url(event, line, gone)) for line in list_audit(event, most=MOST_AUDIT_LINES))
    return [(line, say_verb(line.verb, line.details), url) for line, url in found if url][:MOST_LATELY]


def _undo_url(event: Event, line: AuditLine, gone: Collection[int]) -> str:
    """Return where an act about people is undone; "" for other acts, and for a withdrawal that is undone already."""
    slug, details = event.slug, line.details
    match line.verb:
        case PLAYER_WITHDRAWN.name if details["number"] in gone:
            return reverse("desk:player_back", args=[slug, details["number"]])
        case PLAYER_DISQUALIFIED.name:
            return reverse("desk:disqualify", args=[slug, details["number"]])
        case PLAYER_RETURNED.name if details["number"] not in gone:
            return reverse("desk:player_leaves", args=[slug, details["number"]])
        case PLAYERS_EXCHANGED.name:
            one, other = details["players"]
            query = urlencode({"one": one, "other": other, "round": details["rounds"], "look": 1}, doseq=True)
            return f"{reverse('desk:wrong_person', args=[slug])}?{query}"
        case PLAYERS_SWAPPED.name:
            one, other = details["players"]
            query = urlencode({"round": details["round"], "one": one, "other": other})
            return f"{reverse('desk:swap_players', args=[slug])}?{query}"
        case SEATS_SWAPPED.name:
            return _undo_seats_url(slug, details)
        case SUBSTITUTE_PUT_IN.name:
            return reverse("desk:substitutes", args=[slug, details["rounds"][0], details["table"]])
    return ""


def _undo_seats_url(slug: str, details: Mapping[str, Any]) -> str:
    here, there = sorted(details["after"], key=lambda place: (place["table"], place["seat"]))
    same = here["table"] == there["table"]
    query: dict[str, Any] = {"look": 1, "hands": details["hands"], "seat": [here["seat"]]}
    query |= {"seat": [here["seat"], there["seat"]]} if same else {"from": there["player"]}
    address = reverse("desk:seats", args=[slug, details["round"], here["table"]])
    return f"{address}?{urlencode(query, doseq=True)}"
