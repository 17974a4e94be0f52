"""Pages that everybody may open: events, the phone page, standings, players, rounds, tables.

What is not released is on none of them; each reads through selectors that leave it out, and changes nothing.
"""

import datetime as dt
from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.models import Event, Round
from tournament.selectors.access import list_roles
from tournament.selectors.core.events import list_events
from tournament.selectors.core.public import names_key, seen_by_public
from tournament.selectors.people.players import PlayerStory, list_names, list_players, list_stories
from tournament.selectors.public.standings import get_standings, has_teams
from tournament.selectors.rounds.clock import get_clock, planned_start
from tournament.selectors.rounds.rounds import RoundRow, get_round, list_results, list_rounds
from tournament.selectors.tables.sheets import ReopenedTable, list_reopened
from tournament.selectors.tables.tables import get_table, list_hands
from web.frame.public_page import (
    Me,
    differs_by_phone,
    find_player,
    follow,
    follows_somebody,
    get_me,
    public_version,
    show,
)
from web.frame.rate_limits import gentle_search
from web.gateways import for_anyone, for_public
from web.public.public_rows import (
    StandingLine,
    closing_lines,
    compass,
    correcting,
    event_card,
    final_rows,
    game_items,
    hand_now,
    how_fresh,
    live_rows,
    mark_mine,
    penalty_items,
    public_hands,
    round_items,
    rows_near,
    seats_by_name,
    standing_lines,
    tie_break_line,
    unranked_items,
)
from web.public.story_page import story_context, table_chart
from web.rounds.needs_page import my_needs
from web.server.caches import same_for_all
from web.server.page_cache import keep
from web.words.draw import say_origin
from web.words.name_search import fold, matches
from web.words.visibility import say_held

T = TypeVar("T")


@require_safe
@for_anyone
def events(request: HttpRequest) -> HttpResponse:
    """List the events, and for those who are signed in the desks that they may enter."""
    cards = [event_card(row) for row in list_events()]
    account = request.user if request.user.is_authenticated else None
    context = {
        "cards": [card for card in cards if not card["finished"]],
        "finished": [card for card in cards if card["finished"]],
        "desks": list_roles(account) if account else [],
        "account": account,
        "may_create": bool(account and account.is_superuser),
    }
    response = render(request, "public/events.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
@for_public
def version(request: HttpRequest, event: Event) -> HttpResponse:
    """Tell phones whether a public page of the event has changed, and the time: 304 where they know; no body else."""
    etag = f'"{public_version(request, event)}"'
    answer = get_conditional_response(request, etag) or HttpResponse()
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    answer["X-Server-Time"] = str(int(timezone.now().timestamp() * 1000))
    return answer if differs_by_phone(event) else same_for_all(answer)


@require_safe
@for_public
@gentle_search
def phone(request: HttpRequest, event: Event) -> HttpResponse:
    """Show one player's day: next table, games, standings near.

    `?me=N` makes the phone follow a player, `?pick` asks whom, `?q=` narrows the names.
    """
    if "me" in request.GET:
        return _follow(event, request.GET["me"])

    def make() -> dict[str, Any]:
        return _phone(request, event)

    return show(request, event, "public/phone.html", make, tab="phone", clock=True, live=True)


@require_safe
@for_public
def standings(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all places after the last released round."""

    def make() -> dict[str, Any]:
        me = get_me(request, event)
        people = event.players.filter(ranked=True).count()
        return {"me": me, "people_count": people, "has_teams": has_teams(event), **_standings(event, me)}

    return show(request, event, "public/standings.html", make, tab="standings")


@require_safe
@for_public
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show one player: place, games, penalties, seats ahead, and what the hands tell."""

    def make() -> dict[str, Any]:
        story = _story(event, number)
        if story is None:
            raise Http404("There is no such player.")
        places = _standings(event, None)
        line = next((row for row in places["rows"] if row.number == number), None)
        return {
            "story": story,
            "games": game_items(event, story.games),
            "penalties": penalty_items(story.penalties),
            "line": line if places["rounds"] else None,
            "fresh": places["fresh"],
            "me": get_me(request, event),
            **story_context(event, number),
        }

    return show(request, event, "public/player.html", make, tab="")


@require_safe
@for_public
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """List all rounds of the event."""
    return show(
        request, event, "public/rounds.html", lambda: {"rounds": round_items(event, list_rounds(event))}, tab="rounds"
    )


@require_safe
@for_public
def round_page(request: HttpRequest, event: Event, round_number: int) -> HttpResponse:
    """Show who sits where in a published round, and how it ended once it is released."""

    def make() -> dict[str, Any]:
        found = _published(event, round_number)
        me = get_me(request, event)
        tables = list_results(event, found, follows=me.number if me else None)
        seen = seen_by_public(event)
        return {
            "round": found,
            "clock": get_clock(found),
            "tables": tables,
            "released": found.released_at is not None,
            "shown": seen.shows(found.number),
            "held": say_held(seen) if found.number in seen.held_rounds else "",
            "correcting": correcting([each for each in list_reopened(event) if each.round == found.number]),
            "names": seats_by_name(event, tables, me=me.number if me else None),
            "origin": say_origin(event, found),
            "me": me,
        }

    return show(request, event, "public/round.html", make, tab="rounds", clock=True, live=True)


@require_safe
@for_public
def table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show every hand of a table that may be looked at, with every payment: of a public round, or live."""

    def make() -> dict[str, Any]:
        found, me = _published(event, round_number), get_me(request, event)
        number, seen = me.number if me else None, seen_by_public(event)
        live = seen.live_table(round_number, table_number, number)
        loaded = get_table(event, round_number, table_number) if live or seen.shows(round_number) else None
        if loaded is None:
            raise Http404("There is no such page yet.")
        plays = live is not None and not loaded.signed
        return {
            "round": found,
            "table": loaded,
            "live": live is not None,
            "plays": live_rows(event, loaded, me=number) if plays else [],
            "hand_now": hand_now(loaded) if plays else "",
            "hands": public_hands(loaded, list_hands(loaded)),
            "final": [] if plays else final_rows(event, loaded, me=number),
            "closing": [] if plays else closing_lines(loaded),
            "chart": table_chart(loaded),
            "correcting": ReopenedTable(found.number, loaded.number) in list_reopened(event),
            "me": me,
        }

    return show(request, event, "public/table.html", make, tab="rounds", live=True)


def _follow(event: Event, number: str) -> HttpResponse:
    """Let the phone follow a player, or nobody for an empty number, and go to its page."""
    return follow(redirect("public:phone", slug=event.slug), event, find_player(event, number))


def _phone(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return what the phone page shows, with the list to pick from where nobody is picked."""
    me = None if "pick" in request.GET or "q" in request.GET else get_me(request, event)
    story = _story(event, me.number) if me else None
    picking = _picking(request, event) if story is None else {}
    now = None if story else _round_now(event)
    places = _standings(event, me)
    return {
        "me": me,
        "story": story,
        "games": game_items(event, story.games) if story else [],
        "penalties": penalty_items(story.penalties) if story else [],
        "near": [_drawn_row(event, row) for row in rows_near(places["rows"])],
        "mine": next((row for row in places["rows"] if row.mine), None) if places["rounds"] else None,
        "round": now,
        "clock": get_clock(now) if now else None,
        **places,
        **picking,
        **_outlook(event, story),
        "live_url": _live_url(event, story),
        **my_needs(event, me.number if story and me else None),
    }


def _live_url(event: Event, story: PlayerStory | None) -> str:
    """Return the address of the next table of a player where it may be looked at live, "" where it may not."""
    ahead = story.ahead[0] if story and story.ahead else None
    if story is None or ahead is None or not seen_by_public(event).live_table(ahead.round, ahead.table, story.number):
        return ""
    return reverse("public:table", args=[event.slug, ahead.round, ahead.table])


def _picking(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the names to pick from, those that match `?q=` where it is given."""
    query = request.GET.get("q", "")[:60]
    names = [
        {"number": number, "name": name, "fold": fold(name)}
        for number, name in list_names(event)
        if matches(query, name, number)
    ]
    followed = get_me(request, event)
    return {
        "picking": True,
        "query": query,
        "nobody_here": not names and not query,
        "names": sorted(names, key=itemgetter("fold")),
        "lost": followed is None and follows_somebody(request, event),
        "followed": followed,
    }


def _outlook(event: Event, story: PlayerStory | None) -> dict[str, Any]:
    """Return what comes next for a player: the next seat, later ones, rounds sat out; or why there is none yet."""
    rows = _rounds(event)
    released = [row.number for row in rows if row.state == "released"]
    played = bool(rows) and len(released) >= max(event.rounds_planned, len(rows))
    held = say_held(seen_by_public(event)) if played else ""
    over = played and not held
    if story is None:
        return {"over": over, "held": held, "waiting_for": 0}
    mine = {seat.round for seat in story.ahead}
    return {
        "over": over,
        "held": held,
        "next": story.ahead[0] if story.ahead else None,
        "compass": compass(story.ahead[0]) if story.ahead else [],
        "later": story.ahead[1:],
        "sits_out": [row.number for row in rows if row.state in {"published", "running"} and row.number not in mine],
        "waiting_for": 0 if played or story.ahead else _first_unpublished(event, rows),
        "starts": _starts(event, story, rows),
    }


def _starts(event: Event, story: PlayerStory, rows: list[RoundRow]) -> dt.datetime | None:
    """Return when the next round of a player is to start; None where that is not known."""
    return planned_start(event, story.ahead[0].round if story.ahead else _first_unpublished(event, rows))


def _first_unpublished(event: Event, rows: list[RoundRow]) -> int:
    """Return the first planned round without public seats, 0 where there is none."""
    public = {row.number for row in rows if row.state != "drawn"}
    return next((number for number in range(1, event.rounds_planned + 1) if number not in public), 0)


def _standings(event: Event, me: Me | None) -> dict[str, Any]:
    """Return the rows of the standings with what is said about them: made once a language, marked for each phone."""
    places = _kept(event, f"places-{get_language()}", lambda: _places(event))
    return {**places, "rows": mark_mine(places["rows"], me.number if me else None)}


def _places(event: Event) -> dict[str, Any]:
    ranking = get_standings(event)
    rows = standing_lines(event, ranking, list_players(event))
    return {
        "rows": rows,
        "rounds": range(1, max(ranking.rounds, default=0) + 1),
        "has_penalties": any(row.penalties for row in rows),
        "fresh": how_fresh(event, ranking, list_reopened(event)),
        "ties": tie_break_line(event),
        "unranked": unranked_items(event, ranking),
    }


def _drawn_row(event: Event, row: StandingLine) -> SafeString:
    """Return a row near a player's own as it is drawn: neighbours show it, too."""
    name = f"row-{get_language()}-{row.number}-{row.mine}"
    return _kept(event, name, lambda: render_to_string("ui/standings_rows.html", {"rows": [row]}))


def _story(event: Event, number: int) -> PlayerStory | None:
    return _kept(event, "stories", lambda: list_stories(event)).get(number)


def _rounds(event: Event) -> list[RoundRow]:
    return _kept(event, "rounds", lambda: list_rounds(event))


def _kept(event: Event, name: str, make: Callable[[], T]) -> T:
    """Return what is made of what the public may see, the same for all phones until that changes."""
    return keep(f"{name} {names_key(event)}", make)


def _published(event: Event, number: int) -> Round:
    """Return a round whose seats are public; raises Http404 for any other."""
    found = get_round(event, number)
    if found is None or found.published_at is None:
        raise Http404("There is no such page yet.")
    return found


def _round_now(event: Event) -> Round | None:
    """Return the first public round that is not released."""
    found = event.rounds.filter(published_at__isnull=False, released_at=None).first()
    if found:
        found.event = event
    return found
