"""The page "Something went wrong": what can be done for a player who is missing, leaves, comes back or is disqualified.

Each act can be undone, and none moves a published seat by itself.
"""

import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from scoring.problems import InvalidInput
from tournament.accounts.queries import AuditLine, list_audit
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.models import Event
from tournament.incidents.actions import (
    PLAYER_DISQUALIFIED,
    SUBSTITUTE_PUT_IN,
    Replacement,
    Shown,
    Verdict,
    come_back,
    disqualify,
    leave,
    lift_disqualification,
    show_disqualification,
)
from tournament.incidents.models import Disqualification, Substitution
from tournament.incidents.queries import SeatNow, Whereabouts, effect_with, get_whereabouts, moves_without
from tournament.incidents.substitutes import effect_context, ranked_moves
from tournament.pages.forms import likes_of
from tournament.pages.permissions import DeskRequest, current_round, desk_context, opens, who_may
from tournament.pages.requests import UNPROCESSABLE, to_int, to_uuid
from tournament.pages.sign_in import reauthenticate
from tournament.players.actions import PLAYER_RETURNED, PLAYER_WITHDRAWN
from tournament.players.models import Player
from tournament.players.queries import list_players
from tournament.seating.seat_actions import PLAYERS_EXCHANGED, PLAYERS_SWAPPED, SEATS_MOVED_ON, SEATS_SWAPPED
from tournament.standings.queries import get_desk_standings
from tournament.tables.models import Table
from tournament.tables.queries import load_tables
from tournament.text.acts import say_verb
from tournament.text.problems import say

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
    return render(request, "incidents/incidents.html", page)


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
    return render(request, "incidents/incident_leaves.html", page, status=UNPROCESSABLE if errors else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.MANAGE_PLAYERS)
def back(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what changes if a player is back, and record it; substitutes at tables without a hand go."""
    player, who = player_or_404(event, number)
    replaced = [seat for seat in who.seats if seat.substitute]
    errors: list[str] = []
    if request.method == "POST":
        # all ticked rounds, not only those still ahead: where play has begun meanwhile the action refuses in words
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
    return render(request, "incidents/incident_back.html", page, status=UNPROCESSABLE if errors else 200)


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


@dataclass(frozen=True, slots=True)
class Act:
    """One way to put something right: what happened, what the link leads to, its address and label."""

    title: str
    says: str
    url: str
    label: str


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


def say_place_of(seat: SeatNow) -> str:
    """Say where a seat is, and how far its table has come."""
    stages = {
        "waiting": _("no hand is entered yet"),
        "playing": ngettext("%(count)d hand is entered", "%(count)d hands are entered", seat.hands)
        % {"count": seat.hands},
        "over": _("the game is over"),
        "signed": _("signed"),
    }
    words = {"round": seat.round, "table": seat.table, "seat": seat.seat + 1, "stage": stages[seat.stage]}
    return _("Round %(round)d, table %(table)d, seat %(seat)d: %(stage)s") % words


def say_where(who: Whereabouts) -> list[str]:
    """Say a player's state in the event: marks first, then the current seat."""
    marks = [
        _("withdrawn") if who.withdrawn else "",
        "" if who.ranked else _("not ranked"),
        _("ticked as here") if who.here else "",
    ]
    now = who.now
    if now is None:
        return [mark for mark in marks if mark] + ([_("no open seat in a published round")] if who.seats else [])
    instead = ""
    if now.substitute:
        name = now.substitute.name
        instead = _("%(name)s plays instead") % {"name": name} if name else _("a substitute plays instead")
    return [each for each in (*marks, say_place_of(now), instead) if each]


# ---------------------------------------------------------------- what can be put right


def acts_for(event: Event, who: Whereabouts, *, open_list: bool) -> list[Act]:
    """Return what can be done about a player, likeliest first."""
    if open_list:
        return list(_before_seats(event, who))
    return [*(_at_table(event, who, who.now) if who.now else ()), *_whole_event(event, who)]


def acts_of_round(event: Event, round_number: int) -> list[Act]:
    """Return what can be put right at a table, with the clock or the desk itself, without a player."""
    slug = event.slug
    grid = reverse("desk:grid", args=[slug]) + (f"?round={round_number}" if round_number else "")
    clock = Act(
        _("The clock was started too early"),
        _("Stop it with a reason: it is as if it had not started. Hands stay, and it can be put back."),
        reverse("desk:clock", args=[slug, round_number]),
        _("To the clock"),
    )
    return [
        Act(
            _("A hand is wrong, forgotten or typed twice"),
            _("Open its table: Correct or Void beside the hand. A signed table is reopened first, with a reason."),
            grid,
            _("Choose the table"),
        ),
        Act(
            _("A result or a sheet is missing"),
            _("The line above the tables names the tables that still play and the sheets that are missing."),
            grid,
            _("Look"),
        ),
        *([clock] if round_number else []),
        Act(
            _("The network or the laptop fails"),
            _("Print the seats, the sheets and the standings as they are now, and continue on paper."),
            reverse("desk:paper", args=[slug]),
            _("Print"),
        ),
        Act(
            _("Somebody new is here, or many leave at once"),
            _("Tick who continues; you first see what each way would change. Rounds that have begun stay."),
            reverse("desk:redraw", args=[slug]),
            _("Who continues"),
        ),
    ]


def _before_seats(event: Event, who: Whereabouts) -> Iterator[Act]:
    address = reverse("desk:player", args=[event.slug, who.number])
    yield Act(
        _("Does not come"),
        _("Take the player out: later numbers move up. To take it back, add the player again."),
        address,
        _("Take out"),
    )
    yield Act(
        _("Is in the list twice, or under a wrong name"),
        _("Change the name, or take one of the two out; nothing is merged automatically."),
        address,
        _("Change"),
    )


def _at_table(event: Event, who: Whereabouts, now: SeatNow) -> Iterator[Act]:
    address = [event.slug, now.round, now.table]
    substitutes = reverse("desk:substitutes", args=address)
    if now.substitute:
        yield Act(
            _("Came after all, or the substitute is wrong"),
            _("Take the substitute out, or give another name: the game is the player’s own again."),
            substitutes,
            _("Substitutes of the table"),
        )
    elif who.ranked and now.is_ahead:
        query = {"player": who.number, "when": "before", "reason": _("did not come")}
        yield Act(
            _("Did not come"),
            _("A substitute plays the seat from the start, or nobody; the penalty by the rules is shown first."),
            f"{substitutes}?{urlencode(query)}",
            _("Replace"),
        )
    elif who.ranked:
        query = {"player": who.number, "when": "during", "hand": now.hands + 1, "reason": _("had to leave the table")}
        yield Act(
            _("Cannot finish this game"),
            _("A substitute continues from the next hand; the player’s result by the book is shown first."),
            f"{substitutes}?{urlencode(query)}",
            _("Replace"),
        )
    late = urlencode({"round": now.round, "table": now.table, "player": who.number, "pick": "late"})
    yield Act(
        _("Came late"),
        _("Choose the minutes: the points come from the book. Past the book’s limit it is a replacement."),
        f"{reverse('desk:give_foul', args=[event.slug])}?{late}",
        _("Penalty"),
    )
    yield Act(
        _("Sits in a wrong seat"),
        _("Choose the other of the two, at this table or another; say whether hands go with seats or with names."),
        f"{reverse('desk:seats', args=address)}?{urlencode({'seat': now.seat})}",
        _("Change seats"),
    )


def _whole_event(event: Event, who: Whereabouts) -> Iterator[Act]:
    address = [event.slug, who.number]
    if who.withdrawn or any(seat.substitute for seat in who.ahead):
        yield Act(
            _("Is back"),
            _("Substitutes at tables where play has not begun are taken out; games already played stay as they are."),
            reverse("desk:player_back", args=address),
            _("Is back"),
        )
    if not who.withdrawn:
        yield Act(
            _("Leaves for good"),
            _("Games played so far count. A substitute takes the seats that are published; no seat moves."),
            reverse("desk:player_leaves", args=address),
            _("Leaves"),
        )
    yield Act(
        _("Is disqualified"),
        _("Out of the ranking from now on; games played stay, and a substitute takes the seats that are left."),
        reverse("desk:disqualify", args=address),
        _("Disqualify"),
    )
    yield Act(
        _("Somebody else played under this name"),
        _("Two people played under each other’s name: give each the other’s games of the rounds you tick."),
        f"{reverse('desk:wrong_person', args=[event.slug])}?{urlencode({'one': who.number})}",
        _("Correct names"),
    )


# ---------------------------------------------------------------- disqualification


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
    return render(request, "incidents/disqualify.html", page, status=UNPROCESSABLE if errors else 200)


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
