"""Something went wrong: choose the player, say what happened, look at what it changes, press one button.

Every act here can be taken back, and none moves a published seat by itself.
"""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.problems import InvalidInput, error
from tournament.models import Event, Player, Substitution, Table
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.people.incidents import Whereabouts, effect_of_exchange, effect_with, get_whereabouts
from tournament.selectors.people.players import list_players
from tournament.selectors.tables.tables import load_tables
from tournament.services.draws.seats import exchange_players
from tournament.services.people.substitutions import Replacement
from tournament.services.people.withdrawals import come_back, leave
from web.frame.page_context import current_round, desk_context
from web.frame.similar_names import likes_of
from web.frame.tables import UNPROCESSABLE, to_int, to_uuid
from web.gateways import DeskRequest, opens, who_may
from web.people.incidents_page import (
    Act,
    acts_for,
    acts_of_round,
    exchange_context,
    lately,
    place_words,
    read_seen,
    where_words,
    write_seen,
)
from web.people.substitutes_page import effect_context
from web.words.problems import say


@require_safe
@who_may(Verb.SEE_DESK)
def mishaps(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose a player (`?player=N`) and say what happened; below, what was done lately, with the way back."""
    page, now = desk_context(request, event, "desk"), current_round(event)
    rows = list_players(event)
    number, organiser = to_int(request.GET.get("player")), page["organiser"]
    who = get_whereabouts(event, number) if number > 0 else None
    likes = likes_of((row.number, row.name) for row in rows)
    page |= {
        "people": [(row.number, row.name) for row in rows],
        "player": who,
        "where": where_words(who) if who else [],
        "like": likes.get(number, ""),
        "acts": _open(request, acts_for(event, who, organiser=True, open_list=now is None)) if who else [],
        "others": _open(request, acts_of_round(event, now.number if now else 0, organiser=True)),
        "lately": lately(event, [row.number for row in rows if row.withdrawn]) if organiser else [],
        "not_found": number > 0 and who is None,
    }
    return render(request, "people/incidents.html", page)


def _open(request: DeskRequest, acts: list[Act]) -> list[Act]:
    """Keep what the reader may do."""
    return [act for act in acts if opens(request.rights, act["url"])]


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def leaves(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what it changes that a player leaves for good, and note it; a substitute may take the published seats."""
    player, who = _player(event, number)
    errors: list[str] = []
    if request.method == "POST":
        try:
            _leave(request, player, who)
            messages.success(request, _("%(name)s has left. No seat has moved.") % {"name": who.name})
            return _to_player(event, number)
        except (InvalidInput, Refused) as wrong:
            errors = [say(problem) for problem in wrong.problems]
    context = {
        "player": who,
        "errors": errors,
        "fields": request.POST,
        "client_id": str(uuid.uuid4()),
        **_leaving(event, who),
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/incident_leaves.html", page, status=UNPROCESSABLE if errors else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def back(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what it changes that a player is back, and note it; substitutes at tables without a hand go."""
    player, who = _player(event, number)
    standing = [seat for seat in who.seats if seat.substitute]
    errors: list[str] = []
    if request.method == "POST":
        # where play has begun meanwhile the verb says so: nobody is told that a seat is theirs again when it is not
        ids = [seat.table_id for seat in standing if str(seat.round) in request.POST.getlist("round")]
        rows = Substitution.objects.filter(table__in=ids, player=player, cancelled_at=None)
        try:
            come_back(
                player=player,
                reason=request.POST.get("reason", ""),
                substitutions=list(rows.select_related("event", "player", "table__round")),
                by=request.user,
            )
            messages.success(request, _("%(name)s is back.") % {"name": who.name})
            return _to_player(event, number)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    context = {
        "player": who,
        "errors": errors,
        "reason": request.POST.get("reason", "")[:300],
        "ahead": [_seat_row(seat) for seat in standing if seat.is_ahead],
        "begun": [_seat_row(seat) for seat in standing if not seat.is_ahead],
    }
    page = desk_context(request, event, "players", **context)
    return render(request, "people/incident_back.html", page, status=UNPROCESSABLE if errors else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.EXCHANGE_PLAYERS)
def wrong_person(request: DeskRequest, event: Event) -> HttpResponse:
    """Two people stood under each other's name: choose them and the rounds, look (`?look`), give them their games."""
    if request.method != "POST":
        return _exchange_page(request, event, request.GET, [])
    one, other = to_int(request.POST.get("one")), to_int(request.POST.get("other"))
    try:
        exchange_players(
            event=event,
            one=one,
            other=other,
            seen=read_seen(request.POST.get("seen", "")),
            reason=request.POST.get("reason", ""),
            by=request.user,
        )
    except Refused as refused:
        return _exchange_page(request, event, request.POST, [say(problem) for problem in refused.problems])
    messages.success(request, _("Each has the other’s games now. The same once more puts everything back."))
    return _to_player(event, one)


# ---------------------------------------------------------------- leaving


def _leave(request: DeskRequest, player: Player, who: Whereabouts) -> None:
    reason, place = request.POST.get("reason", ""), to_int(request.POST.get("table"))
    seat = next((each for each in who.seats if each.table_id == place and not each.substitute), None)
    replaced = bool(seat and request.POST.get("seats") == "substitute")
    if place and request.POST.get("seats") == "substitute" and place not in {each.table_id for each in who.seats}:
        raise Refused(error("seats.moved_on"))
    leave(
        player=player,
        reason=reason,
        table=Table.objects.select_related("round__event").get(pk=place) if replaced else None,
        replacement=Replacement(
            when="before" if seat and seat.is_ahead else "during",
            reason=reason,
            name=request.POST.get("name", "")[:200],
            hand=seat.hands + 1 if seat and seat.stage == "playing" else None,
            later=True,
        ),
        client_id=to_uuid(request.POST.get("client_id", "")),
        by=request.user,
    )


def _leaving(event: Event, who: Whereabouts) -> dict[str, Any]:
    """Return the seats that a leaving player has left, and what replacing the first of them changes."""
    left = [seat for seat in who.seats if not seat.released and seat.stage != "signed" and not seat.substitute]
    first = left[0] if left and who.ranked else None
    if first is None:
        return {"left": [_seat_row(seat) for seat in left]}
    (table,) = load_tables(event, ids=[first.table_id])
    effect = effect_with(event, table, who.number, "before" if first.is_ahead else "during")
    return {"left": [_seat_row(seat) for seat in left], "first": first, "effect": effect_context(effect)}


def _seat_row(seat: Any) -> dict[str, Any]:
    return {"round": seat.round, "words": place_words(seat), "substitute": seat.substitute}


# ---------------------------------------------------------------- two names


def _exchange_page(request: DeskRequest, event: Event, fields: QueryDict, errors: list[str]) -> HttpResponse:
    rows = [(row.number, row.name) for row in list_players(event)]
    one, other = (get_whereabouts(event, to_int(fields.get(name))) for name in ("one", "other"))
    published = list(event.rounds.filter(published_at__isnull=False).values_list("number", flat=True))
    ticked = [number for number in published if str(number) in fields.getlist("round")]
    likes = likes_of(rows)
    context: dict[str, Any] = {
        "people": [{"number": number, "name": name, "like": likes.get(number, "")} for number, name in rows],
        "one": one,
        "other": other,
        "rounds": [{"number": number, "on": number in ticked} for number in published],
        "reason": fields.get("reason", "")[:300],
        "errors": errors,
    }
    if "look" in fields and not errors:
        errors += _unchosen(one, other, ticked)
    if one and other and one.number != other.number and ticked:
        effect = effect_of_exchange(event, one, other, ticked)
        context |= {"effect": exchange_context(effect, one, other), "seen": write_seen(effect.rounds)}
    page = desk_context(request, event, "players", **context)
    return render(request, "people/incident_person.html", page, status=UNPROCESSABLE if errors else 200)


def _unchosen(one: Whereabouts | None, other: Whereabouts | None, ticked: list[int]) -> list[str]:
    if one is None or other is None or one.number == other.number:
        return [_("Choose two different players.")]
    return [] if ticked else [_("Choose at least one round.")]


# ---------------------------------------------------------------- both


def _player(event: Event, number: int) -> tuple[Player, Whereabouts]:
    """Return a player as written and as looked at; raises Http404."""
    player = event.players.filter(number=number).select_related("person", "event").first()
    who = get_whereabouts(event, number)
    if player is None or who is None:
        raise Http404("There is no such player.")
    return player, who


def _to_player(event: Event, number: int) -> HttpResponse:
    return redirect(f"{reverse('desk:mishaps', args=[event.slug])}?player={number}")
