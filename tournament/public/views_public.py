"""Public pages of an event: the list of events, the phone page, standings, players, rounds and tables."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.accounts.queries import list_roles
from tournament.alllast.views import my_needs
from tournament.events.queries_events import list_events
from tournament.models.event import Event
from tournament.models.rounds import Round
from tournament.pages.caches_1 import same_for_all
from tournament.pages.caches_page_cache import keep
from tournament.pages.hooks import PHONE_CONTEXT, PLAYER_SECTIONS, TABLE_SECTIONS, merge_contexts
from tournament.pages.permissions_gateways import for_anyone, for_public
from tournament.pages.public_page import (
    Me,
    card_url,
    differs_by_phone,
    find_player,
    follow,
    follows,
    follows_somebody,
    get_me,
    public_version,
    public_versions,
    show,
    stream_answer,
    version_answer,
    wants_stream,
)
from tournament.pages.requests_tables import MOST_QUERY
from tournament.pages.sign_in_rate_limits import gentle_search
from tournament.players.queries import PlayerStory, list_names, list_players, list_stories
from tournament.public.rows import (
    StandingLine,
    closing_lines,
    compass,
    correcting,
    event_card,
    final_rows,
    game_items,
    hand_now,
    how_fresh,
    in_columns,
    live_rows,
    mark_mine,
    penalty_items,
    public_hands,
    round_items,
    rows_near,
    seats_by_name,
    standings_context,
    tie_break_line,
)
from tournament.public.views_event_page import spectator
from tournament.publication.messages import say_held
from tournament.publication.names_names_in_texts import without_hidden_names
from tournament.publication.queries import names_key, seen_by_public
from tournament.record.queries_record import get_head
from tournament.rounds.views import round_now
from tournament.seating.messages_draw import say_origin
from tournament.sheets.queries import ReopenedTable, list_reopened
from tournament.standings.queries import get_standings, get_standings_after, has_teams
from tournament.tables.queries_tables import get_table, list_hands
from tournament.tables.round_queries_clock import get_clock, planned_start
from tournament.tables.round_queries_rounds import RoundRow, get_round, list_results, list_rounds
from tournament.text.names_name_search import fold, matches

T = TypeVar("T")


@require_safe
@for_anyone
def events(request: HttpRequest) -> HttpResponse:
    """List the events, and the desks of the signed-in reader."""
    rows = list_events()
    account = request.user if request.user.is_authenticated else None
    desks = {row.slug: row for row in list_roles(account)} if account else {}
    cards = [
        event_card(row, role=desks[row.slug].role if row.slug in desks else "") for row in rows if not row.archived
    ]
    context = {
        "cards": [card for card in cards if not card["finished"]],
        "finished": [card for card in cards if card["finished"]],
        "desks": [row for slug, row in desks.items() if slug not in {row.slug for row in rows}],
        "archive": [event_card(row) for row in rows if row.archived],
        "account": account,
        "may_create": bool(account and account.is_superuser),
    }
    response = render(request, "public/events.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
@for_public
def version(request: HttpRequest, event: Event) -> HttpResponse:
    """Tell phones whether a public page of the event has changed: 304 or an empty answer, with the server's time.

    A page that asks for a stream is told each version as it comes.
    """
    number = follows(request, event)
    if wants_stream(request):
        return stream_answer(request, event, public_versions, number)
    answer = version_answer(request, public_version(event, number))
    return answer if differs_by_phone(event) else same_for_all(answer)


@require_safe
@for_public
@gentle_search
def phone(request: HttpRequest, event: Event) -> HttpResponse:
    """Show one player's day: next table, games, neighbours in the standings.

    `?me=N` makes the phone follow a player, or nobody; `?pick` lists the names, `?q=` narrows them.
    """
    if "me" in request.GET:
        return follow(redirect("public:phone", slug=event.slug), event, find_player(event, request.GET["me"]))

    def make() -> dict[str, Any]:
        return _phone(request, event)

    return show(request, event, "public/phone.html", make, tab="phone", clock=True, live=True)


@require_safe
@for_public
def standings(request: HttpRequest, event: Event, after: int = 0) -> HttpResponse:
    """Show the standings after the last public round, or as they were `after` an earlier one."""
    if after and after not in seen_by_public(event).rounds:
        raise Http404("There is no such page yet.")

    def make() -> dict[str, Any]:
        me = get_me(request, event)
        people = event.players.filter(ranked=True).count()
        rounds = seen_by_public(event).rounds
        return {
            "me": me,
            "head": get_head(event),
            "people_count": people,
            "has_teams": has_teams(event),
            "shown_rounds": rounds if len(rounds) > 1 else (),
            "after": after or max(rounds, default=0),
            **_standings(event, me, after),
        }

    return show(request, event, "public/standings.html", make, tab="standings")


@require_safe
@for_public
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show one player: place, games, penalties, seats ahead, and statistics of the hands."""

    def make() -> dict[str, Any]:
        story = _story(event, number)
        if story is None:
            raise Http404("There is no such player.")
        places = _standings(event, None)
        line = next((each for each in places["rows"] if each.row.number == number), None)
        return {
            "story": story,
            "games": game_items(story.games),
            "penalties": penalty_items(story.penalties, without_hidden_names(event)),
            "line": line if places["rounds"] else None,
            "fresh": places["fresh"],
            "me": get_me(request, event),
            "card_picture": card_url(event, number),
            **merge_contexts(make(event, number) for make in PLAYER_SECTIONS),
        }

    return show(request, event, "public/player.html", make, tab="")


@require_safe
@for_public
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """List all rounds of the event."""

    def make() -> dict[str, Any]:
        items = round_items(event, list_rounds(event))
        return {"rounds": items, "has_times": any(item["planned"] for item in items), "me": get_me(request, event)}

    return show(request, event, "public/rounds.html", make, tab="rounds")


@require_safe
@for_public
def round_page(request: HttpRequest, event: Event, round_number: int) -> HttpResponse:
    """Show the seats of a published round, and its results once they are public."""

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
            "names": seats_by_name(tables),
            "origin": say_origin(event, found),
            "me": me,
        }

    return show(request, event, "public/round.html", make, tab="rounds", clock=True, live=True)


@require_safe
@for_public
def table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show every hand of a table with every payment: of a public round, or live where the event allows it."""

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
            "plays": live_rows(loaded) if plays else [],
            "hand_now": hand_now(loaded) if plays else "",
            "hands": public_hands(loaded, list_hands(loaded), without_hidden_names(event)),
            "final": [] if plays else final_rows(loaded),
            "closing": [] if plays else closing_lines(loaded),
            **merge_contexts(make(loaded) for make in TABLE_SECTIONS),
            "correcting": ReopenedTable(found.number, loaded.number) in list_reopened(event),
            "me": me,
        }

    return show(request, event, "public/table.html", make, tab="rounds", live=True)


def _phone(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the context of public/phone.html, with the list of names where nobody is picked."""
    me = None if "pick" in request.GET or "q" in request.GET else get_me(request, event)
    story = _story(event, me.number) if me else None
    picking = _picking(request, event) if story is None else {}
    now = None if story else round_now(event)
    places = _standings(event, me)
    needs = my_needs(event, me.number if story and me else None)
    return {
        "me": me,
        "story": story,
        "games": game_items(story.games) if story else [],
        "penalties": penalty_items(story.penalties, without_hidden_names(event)) if story else [],
        "near": [_drawn_row(event, line) for line in rows_near(places["rows"], places["near_columns"])],
        "mine": next((line for line in places["rows"] if line.mine), None) if places["rounds"] else None,
        "round": now,
        "clock": get_clock(now) if now else None,
        **places,
        **picking,
        **(outlook := _outlook(event, story, needs)),
        **({} if story or picking.get("asked") else _spectator(event, places["rows"], over=outlook["over"])),
        "live_url": _live_url(event, story),
        **merge_contexts(make(request, event, me.number if me and story else None) for make in PHONE_CONTEXT),
        "needs": needs,
        "head": get_head(event),
    }


def _spectator(event: Event, lines: list[StandingLine], *, over: bool) -> dict[str, Any]:
    """Return what the page shows somebody who follows nobody, its rows drawn."""
    found = spectator(
        event,
        lines,
        _cached(event, "rounds", lambda: list_rounds(event)),
        _cached(event, "names-of-all", lambda: dict(list_names(event))),
        over=over,
    )
    columns = _standings(event, None)["near_columns"]
    return {**found, "leaders": [_drawn_row(event, line) for line in in_columns(found["leaders"], columns)]}


def _live_url(event: Event, story: PlayerStory | None) -> str:
    """Return the address of a player's next table, "" unless it is shown live."""
    ahead = story.ahead[0] if story and story.ahead else None
    if story is None or ahead is None or not seen_by_public(event).live_table(ahead.round, ahead.table, story.number):
        return ""
    return reverse("public:table", args=[event.slug, ahead.round, ahead.table])


def _picking(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the names to pick from, narrowed by `?q=`."""
    query = request.GET.get("q", "")[:MOST_QUERY]
    names = [
        {"number": number, "name": name, "fold": fold(name)}
        for number, name in list_names(event)
        if matches(query, name, number)
    ]
    followed = get_me(request, event)
    return {
        "picking": True,
        "asked": "pick" in request.GET or "q" in request.GET,
        "query": query,
        "nobody_here": not names and not query,
        "names": sorted(names, key=itemgetter("fold")),
        "lost": followed is None and follows_somebody(request, event),
        "followed": followed,
    }


def _outlook(event: Event, story: PlayerStory | None, needs: dict[str, Any] | None) -> dict[str, Any]:
    """Return the next and later seats of a player and the rounds without one; or why there is no next seat.

    In the last hand of a table its winds are those of that hand.
    """
    rows = _cached(event, "rounds", lambda: list_rounds(event))
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
        "compass": compass(story.ahead[0], needs["dealer_seat"] if needs else 0) if story.ahead else [],
        "later": story.ahead[1:],
        "sits_out": [row.number for row in rows if row.state in {"published", "running"} and row.number not in mine],
        "waiting_for": 0 if played or story.ahead else _first_unpublished(event, rows),
        "starts": planned_start(event, story.ahead[0].round if story.ahead else _first_unpublished(event, rows)),
    }


def _first_unpublished(event: Event, rows: list[RoundRow]) -> int:
    """Return the first planned round without public seats, 0 for none."""
    public = {row.number for row in rows if row.state != "drawn"}
    return next((number for number in range(1, event.rounds_planned + 1) if number not in public), 0)


def _standings(event: Event, me: Me | None, after: int = 0) -> dict[str, Any]:
    """Return the standings with their words: cached by language, the row of each phone's player marked."""
    places = _cached(event, f"places-{get_language()}-{after}", lambda: _places(event, after))
    return {**places, "rows": mark_mine(places["rows"], me.number if me else None)}


def _places(event: Event, after: int) -> dict[str, Any]:
    ranking = get_standings_after(event, after) if after else get_standings(event)
    return {
        **standings_context(event, ranking, list_players(event)),
        "fresh": how_fresh(event, ranking, list_reopened(event)),
        "ties": tie_break_line(event),
        "unranked": ranking.unranked,
    }


def _drawn_row(event: Event, line: StandingLine) -> SafeString:
    """Return a rendered row of the standings, cached: the neighbours' phones show it, too."""
    name = f"row-{get_language()}-{line.row.number}-{line.mine}"
    return _cached(event, name, lambda: render_to_string("ui/standings.html#row", {"line": line}))


def _story(event: Event, number: int) -> PlayerStory | None:
    return _cached(event, "stories", lambda: list_stories(event)).get(number)


def _cached(event: Event, name: str, make: Callable[[], T]) -> T:
    """Return a value that is the same for all phones, made again once the event's public state changes."""
    return keep(f"{name} {names_key(event)}", make)


def _published(event: Event, number: int) -> Round:
    """Return a round whose seats are public; raises Http404 for any other."""
    found = get_round(event, number)
    if found is None or found.published_at is None:
        raise Http404("There is no such page yet.")
    return found
