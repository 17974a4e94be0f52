"""The page "Something went wrong": what can be done for a player or for the event, and how to undo what was done.

What is done on the pages it leads to is declared by the kinds of incident (tournament/incidents/kinds.py).
"""

from collections.abc import Collection, Iterator
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.accounts.queries import AuditLine, list_audit
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.incidents.kinds import Back, Disqualify, Incident, Leaves, Offer, Substitute, say_place_of
from tournament.incidents.queries import Whereabouts, get_whereabouts, list_substitutions
from tournament.incidents.seat_kinds import Seats, SwapPlayers, WrongPerson
from tournament.pages.forms import likes_of
from tournament.pages.permissions import DeskRequest, current_round, desk_context, opens, who_may
from tournament.pages.requests import to_int
from tournament.players.queries import list_players
from tournament.tables.models import Seat
from tournament.text.acts import act_text

KINDS: tuple[type[Incident], ...] = (Back, Leaves, Disqualify, WrongPerson, Substitute, Seats, SwapPlayers)
UNDONE_BY = {kind.undoes.name: kind for kind in KINDS if kind.undoes}
MAX_AUDIT_LINES = 60  # searched for acts about people
MAX_LATELY = 6


@require_safe
@who_may(Right.SEE_DESK)
def mishaps(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what can be put right, for `?player=N` and for the event, and the latest acts with the way to undo each."""
    page, now = desk_context(request, event, "desk"), current_round(event)
    rows = list_players(event)
    number = to_int(request.GET.get("player"))
    who = get_whereabouts(event, number) if number > 0 else None
    likes = likes_of((row.number, row.name) for row in rows)
    gone = {row.number for row in rows if row.withdrawn}
    offers = (_offers if now else _offers_before_seats)(event, who) if who else ()
    page |= {
        "people": [(row.number, row.name) for row in rows],
        "player": who,
        "where": say_where(who) if who else [],
        "like": likes.get(number, ""),
        "acts": [offer for offer in offers if opens(request.rights, offer.url)],
        "others": [
            offer for offer in offers_of_round(event, now.number if now else 0) if opens(request.rights, offer.url)
        ],
        "lately": _lately(event, gone) if page["organiser"] else [],
        "not_found": number > 0 and who is None,
    }
    return render(request, "incidents/mishaps.html", page)


@require_safe
@who_may(Right.SEE_DESK)
def all_substitutes(request: DeskRequest, event: Event) -> HttpResponse:
    """List all substitutes; `?player=N` redirects to that player's table now, or in `?round=R`."""
    now = current_round(event)
    player, number = request.GET.get("player", ""), to_int(request.GET.get("round")) or (now.number if now else 0)
    seats = Seat.objects.filter(round__event=event, round__number=number)
    if player:
        seat = seats.filter(player__number=to_int(player)).select_related("table", "player").first()
        if seat:
            address = reverse("desk:substitutes", args=[event.slug, number, seat.table.number])
            return redirect(f"{address}?player={seat.player.number}")
        messages.error(request, _("There is no such player in round %(number)d.") % {"number": number})
    ranked = seats.filter(player__ranked=True).order_by("player__number")
    context = {
        "rows": list_substitutions(event),
        "round_number": number,
        "people": ranked.values_list("player__number", "player__person__preferred_name"),
    }
    return render(request, "incidents/substitutes_all.html", desk_context(request, event, "desk", **context))


def _lately(event: Event, gone: Collection[int]) -> list[tuple[AuditLine, str, str]]:
    """Return the latest acts about people, newest first: line, its words, and the address that undoes it."""
    found = []
    for line in list_audit(event, most=MAX_AUDIT_LINES):
        kind = UNDONE_BY.get(line.verb)
        if kind and kind.undone_of_gone in (None, line.details.get("number") in gone):
            found.append((line, act_text(line.verb, line.details), kind.undo_url(event.slug, line.details)))
    return found[:MAX_LATELY]


def say_where(who: Whereabouts) -> list[str]:
    """Say a player's state in the event: marks first, then the current seat."""
    marks = [
        _("withdrawn") if who.withdrawn else "",
        "" if who.ranked else _("not ranked"),
        _("ticked as here") if who.here else _("not here") if who.here is False else "",
    ]
    now = who.now
    if now is None:
        return [mark for mark in marks if mark] + ([_("no open seat in a published round")] if who.seats else [])
    instead = ""
    if now.substitute:
        name = now.substitute.name
        instead = _("%(name)s plays instead") % {"name": name} if name else _("a substitute plays instead")
    return [each for each in (*marks, say_place_of(now), instead) if each]


def _offers(event: Event, who: Whereabouts) -> Iterator[Offer]:
    """List what can be done about a player once there are rounds, likeliest first."""
    yield from Substitute.offers(event.slug, who)
    if who.now:
        late = urlencode({"round": who.now.round, "table": who.now.table, "player": who.number, "pick": "late"})
        yield Offer(
            _("Came late"),
            _("Choose the minutes: the points come from the book. Past the book’s limit it is a replacement."),
            f"{reverse('desk:give_foul', args=[event.slug])}?{late}",
            _("Penalty"),
        )
    for kind in (Seats, Back, Leaves, Disqualify, WrongPerson):
        yield from kind.offers(event.slug, who)


def _offers_before_seats(event: Event, who: Whereabouts) -> Iterator[Offer]:
    address = reverse("desk:player", args=[event.slug, who.number])
    yield Offer(
        _("Does not come"),
        _("Take the player out: later numbers move up. To take it back, add the player again."),
        address,
        _("Take out"),
    )
    yield Offer(
        _("Is in the list twice, or under a wrong name"),
        _("Change the name, or take one of the two out; nothing is merged automatically."),
        address,
        _("Change"),
    )


def offers_of_round(event: Event, round_number: int) -> list[Offer]:
    """Return what can be put right at a table, with the clock or the desk itself, without a player."""
    slug = event.slug
    grid = reverse("desk:grid", args=[slug]) + (f"?round={round_number}" if round_number else "")
    clock = Offer(
        _("The clock was started too early"),
        _("Stop it with a reason: it is as if it had not started. Hands stay, and it can be put back."),
        reverse("desk:clock", args=[slug, round_number]),
        _("To the clock"),
    )
    return [
        Offer(
            _("A hand is wrong, forgotten or typed twice"),
            _("Open its table: Correct or Void beside the hand. A signed table is reopened first, with a reason."),
            grid,
            _("Choose the table"),
        ),
        Offer(
            _("A result or a sheet is missing"),
            _("The line above the tables names the tables that still play and the sheets that are missing."),
            grid,
            _("All tables"),
        ),
        *([clock] if round_number else []),
        Offer(
            _("The network or the laptop fails"),
            _("Print the seats, the sheets and the standings as they are now, and continue on paper."),
            reverse("desk:paper", args=[slug]),
            _("Print"),
        ),
        Offer(
            _("Somebody new is here, or many leave at once"),
            _("Tick who continues; you first see what each way would change. Rounds that have begun stay."),
            reverse("desk:redraw", args=[slug]),
            _("Who continues"),
        ),
    ]
