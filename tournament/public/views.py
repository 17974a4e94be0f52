"""Public pages of an event: list of events, event page, standings, players, rounds and tables, teams, timetable.

They show nothing that is held back. Team rankings and the timetable have their pages at the desk here, too.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.entries import Correction
from tournament.accounts.queries import list_roles
from tournament.alllast.queries import public_needs
from tournament.alllast.views import as_it_stands_context, my_needs
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.core.time_zones import event_zone_label
from tournament.events.actions import set_team_best, set_timetable
from tournament.events.models import Event
from tournament.events.queries import EventRow, get_next_event, list_events
from tournament.pages.caches import same_for_all
from tournament.pages.calendars import CalendarEntry, calendar_answer, one_line, round_length
from tournament.pages.charts import KINDS, Curve, FigureChart, figure_chart
from tournament.pages.hooks import PHONE_CONTEXT, PLAYER_SECTIONS, TABLE_SECTIONS, merge_contexts
from tournament.pages.permissions import DeskRequest, desk_context, for_anyone, for_public, who_may
from tournament.pages.public_page import (
    FollowedPlayer,
    assume_followed,
    card_url,
    differs_by_phone,
    find_player,
    follow,
    follows,
    follows_somebody,
    get_me,
    list_choices,
    list_followed,
    public_version,
    public_versions,
    show,
    stream_answer,
    version_answer,
    wants_stream,
)
from tournament.pages.requests import MAX_QUERY_LENGTH, UNPROCESSABLE, flash_refusal, flash_saved, to_int
from tournament.pages.sign_in import CopyRequest, rate_limited_search
from tournament.players.queries import list_players
from tournament.public.queries import PlayerStory, SeatAhead, get_story
from tournament.public.rows import (
    CompassSeat,
    EventCard,
    LiveRow,
    RoundItem,
    StandingLine,
    closing_lines,
    compass,
    correcting,
    event_card,
    final_rows,
    hand_now,
    hand_step,
    how_fresh,
    in_columns,
    is_final,
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
from tournament.publication.messages import say_held
from tournament.publication.names import list_names, names_mark, without_hidden_names
from tournament.publication.queries import PublicView, by_public_state, get_public_view, keep
from tournament.record.queries import get_head
from tournament.rounds.views import round_now
from tournament.rulesets.event_views import rules_context
from tournament.seasons.messages import say_tonight_base, tonight_rows
from tournament.seasons.queries import find_same_players, list_person_pages, list_seasons
from tournament.seasons.tonight import EventSeason, get_tonight, list_event_seasons
from tournament.seating.messages import list_draws
from tournament.sheets.queries import ReopenedTable, list_reopened
from tournament.signup.public_views import show_page as show_event_page
from tournament.signup.queries import get_shown_page, list_free_places
from tournament.standings.columns import StandingRow
from tournament.standings.queries import (
    TeamStandings,
    get_desk_standings,
    get_standings,
    get_standings_after,
    has_teams,
    list_team_totals,
    rank_event_teams,
)
from tournament.tables.queries import LoadedTable, get_table, list_hands, load_tables
from tournament.tables.round_queries import (
    RoundRow,
    RoundTime,
    SeatResult,
    TableResult,
    get_clock,
    get_round,
    list_results,
    list_round_times,
    list_rounds,
    planned_start,
)
from tournament.text.names import matches, search_text
from tournament.text.numbers import NO_VALUE, say_place, short_p, signed_p, wind_word
from tournament.text.problems import problem_text
from tournament.text.readback import hand_name

T = TypeVar("T")
NOBODY = "nobody"  # to follow: no number
AT_ONCE, ORPHANS = 100, 20  # rows of a part of the standings, and how many more the last one may have
TABLES, TABLE_ORPHANS = 25, 5  # the same of a round's tables


@require_safe
@for_anyone
def events(request: HttpRequest) -> HttpResponse:
    """List the events, and the desks of the signed-in reader."""
    rows = list_events(old_of_seasons=False)
    account = request.user if request.user.is_authenticated else None
    desks = {row.slug: row for row in list_roles(account)} if account else {}
    free = list_free_places(timezone.now())
    query = request.GET.get("q", "")[:MAX_QUERY_LENGTH].strip()

    shown = [row for row in rows if not row.archived]
    finished = [row for row in shown if row.is_over and not row.in_season]
    over = Paginator(finished, AT_ONCE).get_page(request.GET.get("page"))

    def cards(found: Iterable[EventRow]) -> list[EventCard]:
        roles = {row.slug: desks[row.slug].role for row in found if row.slug in desks}
        return [event_card(row, role=roles.get(row.slug, ""), free=free.get(row.slug)) for row in found]

    # what is being played first, then what comes, the next one before those after it
    coming = sorted(
        (row for row in shown if not row.is_over), key=lambda row: (not (row.playing or row.released), row.date)
    )
    context = {
        "cards": cards(coming),
        "finished": cards(list(over)),
        "page": over,
        "desks": [row for row in desks.values() if not row.listed],
        "archive": cards([row for row in rows if row.archived]),
        "seasons": list_seasons(public=True),
        "people": list_person_pages(query, most=AT_ONCE),
        "query": query,
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
@rate_limited_search
def phone(request: HttpRequest, event: Event) -> HttpResponse:
    """Show one player's day: next table, games, neighbours in the standings.

    `?me=N` makes the phone follow a player, too, and show that one; `?me=` lets go of who is shown, `?me=nobody` of
    all, and a number that nobody has changes nothing. `?pick` lists the names, `?q=` narrows them. Until the first
    seats are public, who follows nobody gets the event's own page; from then on a phone that did not choose here
    follows whom it followed at the last event.
    """
    if "me" in request.GET:
        asked, back = request.GET["me"], redirect("public:phone", slug=event.slug)
        chosen, shown = find_player(event, asked), get_me(request, event)
        if chosen is None and asked not in ("", NOBODY):
            return back
        others = [each for each in list_followed(request, event) if each != (chosen or shown)]
        players = [chosen, *others] if chosen else [] if asked == NOBODY else others
        return follow(request, back, event, players)
    again: list[FollowedPlayer] = []
    if not request.GET and not follows_somebody(request, event) and not isinstance(request, CopyRequest):
        items = round_items(event, _list_rounds(event))
        page = None if any(item.public for item in items) else get_shown_page(event)
        if page:
            return show_event_page(request, event, page, tab="phone")
        if again := _find_again(request, event):
            assume_followed(request, event, again)

    following = _next_event(request, event)
    seasons = [] if settings.RELAY or isinstance(request, CopyRequest) else list_event_seasons(event)

    def make() -> dict[str, Any]:
        return {**_phone(request, event), "next_event": following, **_seasons(request, event, seasons)}

    numbers = [each.number for each in list_followed(request, event)]
    several = numbers if len(numbers) > 1 or not get_me(request, event) else []

    def live(seen: PublicView, follows: int | None) -> str:
        after = f"{following.slug} {following.name} {following.date} {following.place}" if following else ""
        return f"{_live_on_phone(seen, follows, several)}|{after}|{seasons or ''}"

    answer = show(request, event, "public/phone.html", make, tab="phone", clock=True, live=live)
    return follow(request, answer, event, again) if again else answer


def _find_again(request: HttpRequest, event: Event) -> list[FollowedPlayer]:
    """Return those of the phone's last choice who play here, and say so on its page; none where nobody does."""
    choices = list_choices(request, event)
    same = find_same_players(event, choices) if choices else {}
    for other, chosen in choices.items():
        numbers = [same[key] for each in chosen if (key := (other.pk, each.number)) in same]
        if players := [each for number in numbers if (each := find_player(event, str(number)))]:
            said = ngettext(
                "This phone follows %(count)d player, as at %(event)s.",
                "This phone follows %(count)d players, as at %(event)s.",
                len(players),
            ) % {"count": len(players), "event": other.name}
            messages.info(request, format_html('{} <a href="?me={}">{}</a>', said, NOBODY, _("Choose again")))
            return players
    return []


@require_safe
@for_public
@rate_limited_search
def standings(request: HttpRequest, event: Event, after: int = 0) -> HttpResponse:
    """Show the standings after the last public round, or as they were `after` an earlier one.

    Long ones in parts, `?page=`, with the places near the reader's; `?q=` finds names, `?all` shows one long page.
    """
    if after and after not in get_public_view(event).rounds:
        raise Http404("There is no such page yet.")

    def make() -> dict[str, Any]:
        me = get_me(request, event)
        people = event.players.filter(ranked=True).count()
        rounds = get_public_view(event).rounds
        places = _standings(event, me, after)
        return {
            "me": me,
            "head": get_head(event),
            "people_count": people,
            "has_teams": has_teams(event),
            "shown_rounds": rounds if len(rounds) > 1 and not event.is_open else (),
            "after": after or max(rounds, default=0),
            **places,
            **_part(request, event, places, after),
        }

    return show(request, event, "public/standings.html", make, tab="standings")


def _part(request: HttpRequest, event: Event, places: dict[str, Any], after: int) -> dict[str, Any]:
    """Return the part of the standings to show, and on another one than the reader's the places near it."""
    lines: list[StandingLine] = places["rows"]
    large = len(lines) > AT_ONCE + ORPHANS and not isinstance(request, CopyRequest)  # a copy has one page
    query = request.GET.get("q", "")[:MAX_QUERY_LENGTH].strip()
    found = [line for line in lines if matches(query, line.row.name, line.row.number)] if query else lines
    at_once = AT_ONCE if large and "all" not in request.GET else max(len(lines), 1)
    pages = Paginator(lines, at_once, orphans=ORPHANS)
    part = (Paginator(found, at_once, orphans=ORPHANS) if query else pages).get_page(request.GET.get("page"))
    mine = next((at for at, line in enumerate(lines) if line.mine), None)
    away = mine is not None and not any(line.mine for line in part)
    near = rows_near(lines, places["near_columns"]) if away and not query else []
    return {
        "large": large,
        "query": query,
        "part": part,
        "drawn": _list_drawn(event, f"all-{after}"),
        "near": near,
        "drawn_near": _list_drawn(event, f"near-{after}"),
        "my_page": min(mine // at_once + 1, pages.num_pages) if away and mine is not None else 0,
    }


@require_safe
@for_public
def player(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show one player: place, games, penalties, seats ahead, and statistics of the hands."""

    def make() -> dict[str, Any]:
        story = get_story(event, number)
        if story is None:
            raise Http404("There is no such player.")
        places = _standings(event, None)
        line = next((each for each in places["rows"] if each.row.number == number), None)
        return {
            "story": story,
            "penalties": penalty_items(story.penalties, without_hidden_names(event)),
            "line": line if places["fresh"] else None,
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
        items = round_items(event, _list_rounds(event))
        return {"rounds": items, "has_times": any(item.planned for item in items), "me": get_me(request, event)}

    return show(request, event, "public/rounds.html", make, tab="rounds")


@require_safe
@for_public
@rate_limited_search
def round_page(request: HttpRequest, event: Event, round_number: int) -> HttpResponse:
    """Show the seats of a published round, and its results once they are public.

    Many tables in parts, as the standings are, the reader's own always first.
    """

    def make() -> dict[str, Any]:
        found = get_round(event, round_number)
        if found is None or found.published_at is None:
            raise Http404("There is no such page yet.")
        me = get_me(request, event)
        tables = list_results(event, found, follows=me.number if me else None)
        seen = get_public_view(event)
        return {
            "round": found,
            "clock": get_clock(found),
            **_tables_part(request, tables, me),
            "released": found.released_at is not None,
            "shown": seen.shows(found.number),
            "held": say_held(seen) if found.number in seen.held_rounds else "",
            "correcting": correcting([each for each in list_reopened(event) if each.round == found.number]),
            "me": me,
        }

    return show(request, event, "public/round.html", make, tab="rounds", clock=True, live=PublicView.live_mark)


def _tables_part(request: HttpRequest, tables: list[TableResult], me: FollowedPlayer | None) -> dict[str, Any]:
    """Return the tables of a round to show, with their seats by name."""
    large = len(tables) > TABLES + TABLE_ORPHANS and not isinstance(request, CopyRequest)  # a copy has one page
    query = request.GET.get("q", "")[:MAX_QUERY_LENGTH].strip() if large else ""
    found = [table for table in tables if any(_is_found(query, seat) for seat in table.seats)] if query else tables
    at_once = TABLES if large and "all" not in request.GET else max(len(tables), 1)
    part = Paginator(found, at_once, orphans=TABLE_ORPHANS).get_page(request.GET.get("page"))
    away = [] if me is None or query else [table for table in tables if table not in part]
    own = [table for table in away if me and any(seat.player.number == me.number for seat in table.seats)]
    shown = [*own, *part]
    names = [(seat, number) for seat, number in seats_by_name(shown) if not query or _is_found(query, seat)]
    return {"large": large, "query": query, "part": part, "tables": shown, "names": names}


def _is_found(query: str, seat: SeatResult) -> bool:
    also = f"{seat.player.name} {seat.substitute.name}" if seat.substitute else seat.player.name
    return matches(query, also, seat.player.number)


@require_safe
@for_public
def rules(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rules of an event: what its organisers changed first, then all; and how its seats were drawn."""

    def make() -> dict[str, Any]:
        return {**rules_context(event), "draws": list_draws(event)}

    return show(request, event, "rulesets/rules_public.html", make, tab="rules")


@require_safe
@for_public
def table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show every hand of a table with every payment: of a public round, or live where the event allows it.

    `?hand=N` steps through them: the chart, the tiles and the scores of one hand are together.
    """

    def make() -> dict[str, Any]:
        number, seen = follows(request, event), get_public_view(event)
        shown = seen.shows(round_number)
        known = shown or seen.live_table(round_number, table_number, number)
        # a phone may wait for the first hand on this page
        loaded = get_table(event, round_number, table_number) if known or round_number in seen.playing else None
        if loaded is None or not (known or _waits(loaded, seen, number)):
            raise Http404("There is no such page yet.")
        sections, found = _table_sections(event, loaded), loaded.alone[0].round
        hands = sections["hands"]
        return {
            "round": found,
            "table": loaded,
            "live": not shown,
            **sections,
            "drawn_scores": _draw_scores(event, loaded, sections["drawn_scores"], live=not shown, number=number),
            "step": hand_step(hands, to_int(request.GET.get("hand"))),
            "may_step": len(hands) > 1 and not isinstance(request, CopyRequest),
            "correcting": ReopenedTable(found.number, loaded.number) in list_reopened(event),
        }

    def live(seen: PublicView, follows: int | None) -> str:
        found = seen.live_table(round_number, table_number, follows)
        return found.mark if found else ""

    return show(request, event, "public/table.html", make, tab="rounds", live=live)


def _table_sections(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return the hands of a table, and what features add, with these drawn: kept while the table itself is the same.

    Of each table several phones show the page, and what else becomes public changes nothing of this but who is hidden:
    somebody typed why points were moved.
    """
    say = without_hidden_names(event)
    typed = [say(item.entry.reason) for item in table.items if isinstance(item.entry, Correction)]

    def make() -> dict[str, Any]:
        hands = public_hands(table, list_hands(table, {}), say)
        sections = {"hands": hands, **merge_contexts(make(table) for make in TABLE_SECTIONS)}
        drawn = render_to_string("public/table_hands.html", {**sections, "table": table})
        return {**sections, "drawn_hands": drawn, "drawn_scores": {}}

    name = f"table {table.id} {get_language()} {names_mark()}"
    return keep(name, make, mark=(replace(table, row=None, beside=None), typed))


def _draw_scores(
    event: Event,
    table: LoadedTable,
    drawn: dict[tuple[bool, int | None], SafeString],
    *,
    live: bool,
    number: int | None,
) -> SafeString:
    """Draw the scores of a table for phones that follow the player of a number, once for all who see the same."""
    me = number if number in table.player_numbers() else None
    if (live, me) not in drawn:
        plays = live and not table.signed
        scores = {
            "event": event,
            "live": live,
            "plays": live_rows(table, {}) if plays else [],
            "hand_now": hand_now(table) if plays else "",
            "final": [] if plays else final_rows(table),
            "closing": [] if plays else closing_lines(table),
            "me": me,
        }
        drawn[live, me] = render_to_string("public/table_scores.html", scores)
    return drawn[live, me]


def _waits(table: LoadedTable, seen: PublicView, follows: int | None) -> bool:
    """Tell whether a table of a round that has begun has neither hand nor sheet, and is live here from the first on."""
    begins = table.alone[0].round.started_at and not (table.lines or table.sheet)
    return bool(begins) and (not seen.own_only or follows in table.player_numbers())


def _next_event(request: HttpRequest, event: Event) -> Event | None:
    """Return the desk's next event once all results of this one are public; a relay and a copy lead to no other."""
    over = event.ends_with(len(get_public_view(event).rounds))
    return get_next_event(event) if over and not settings.RELAY and not isinstance(request, CopyRequest) else None


def _phone(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the context of public/phone.html, with the list of names where nobody is picked."""
    me = None if "pick" in request.GET or "q" in request.GET else get_me(request, event)
    story = get_story(event, me.number) if me else None
    picking = None if story else _picking(request, event)
    now = None if story else round_now(event)
    places = _standings(event, me)
    needs = my_needs(event, me.number if story and me else None)
    outlook = _outlook(event, story, needs)
    return {
        "me": me,
        "story": story,
        "followed": _followed_rows(request, event, places["rows"] if places["fresh"] else ()) if story else [],
        "penalties": penalty_items(story.penalties, without_hidden_names(event)) if story else [],
        "near": rows_near(places["rows"], places["near_columns"]),
        "drawn_near": _list_drawn(event, "near-0"),
        "mine": next((line for line in places["rows"] if line.mine), None) if places["fresh"] else None,
        "round": now,
        "clock": get_clock(now) if now else None,
        **places,
        "picking": picking,
        "outlook": outlook,
        "day": _day(event, places, over=outlook.over) if picking and not picking.asked else None,
        "live_url": _live_url(event, story),
        **merge_contexts(make(request, event, me.number if me and story else None) for make in PHONE_CONTEXT),
        "needs": needs,
        "stands": as_it_stands_context(event, me.number if me and story else None),
        "shared": _shared_parts(event),
        "about": picking is not None and not picking.asked and get_shown_page(event) is not None,
    }


SHARED = ("follow_links", "zone", "record")


def _shared_parts(event: Event) -> dict[str, SafeString]:
    """Return the parts of public/phone.html that all phones show alike, drawn once for each language."""

    def draw() -> dict[str, SafeString]:
        context = {"event": event, "head": get_head(event), "relay": settings.RELAY}
        return {name: render_to_string(f"public/phone.html#{name}", context) for name in SHARED}

    return by_public_state(event, f"phone-{get_language()}", draw)


def _seasons(request: HttpRequest, event: Event, seasons: Sequence[EventSeason]) -> dict[str, Any]:
    """Return the seasons of an event, and what it gives the followed player in those whose last event it is."""
    me = get_me(request, event)
    given = get_tonight(event, me.number, seasons) if me else []
    drawn = [(each.season, say_tonight_base(each), tonight_rows(each)) for each in given]
    return {"seasons": seasons, "tonight": drawn}


def _live_on_phone(seen: PublicView, follows: int | None, several: Sequence[int]) -> str:
    """Return what moves with the live tables of a page of `phone`; a player's moves with no hand.

    With `several` players in its bar it moves with the hands of each.
    """
    live = seen.live_for(follows)
    if follows is None:
        return f"{seen.live_mark(None)} {several}"
    own = [f"{table.round}/{table.number}" for table in live if follows in table.players]
    return " ".join([*own, *map(str, several), *(table.moved for table in live if table.players.intersection(several))])


@dataclass(frozen=True, slots=True)
class FollowedRow:
    """A player whom a phone follows, as its bar shows it: `table` is the one of the next seat, 0 for none.

    `place` is in words, "" before the first result; `score` that of a live table which the phone may see. `last` is the
    address of the needs where the last hand is played.
    """

    player: FollowedPlayer
    place: str
    total: int | None
    table: int
    score: int | None
    last: str


def _followed_rows(request: HttpRequest, event: Event, lines: Iterable[StandingLine]) -> list[FollowedRow]:
    """Return all players that a phone follows; none where it follows one alone."""
    players = list_followed(request, event)
    if len(players) < 2:
        return []
    me, seen = players[0].number, get_public_view(event)
    known = {line.row.number: line.row for line in lines}
    needs = {(each.round, each.number) for each in public_needs(event, me)}
    rows = []
    for player in players:
        story, row = get_story(event, player.number), known.get(player.number)
        ahead = story.ahead[0] if story and story.ahead else None
        at = (ahead.round, ahead.table) if ahead else (0, 0)
        table = get_table(event, *at) if seen.live_table(*at, me) else None
        live = live_rows(table, {}) if table else ()
        score = next((each.score for each in live if each.player.number == player.number), None)
        last = reverse("public:last", args=[event.slug, *at]) if at in needs and player.number != me else ""
        place = say_place(row.rank, row.shared) if row else ""
        rows.append(FollowedRow(player, place, row.total if row else None, at[1], score, last))
    return rows


def _live_url(event: Event, story: PlayerStory | None) -> str:
    """Return the address of a player's next table, "" unless it is shown live."""
    ahead = story.ahead[0] if story and story.ahead else None
    if story is None or ahead is None or not get_public_view(event).live_table(ahead.round, ahead.table, story.number):
        return ""
    return reverse("public:table", args=[event.slug, ahead.round, ahead.table])


class NameRow(NamedTuple):
    """A name to pick, in the order of `fold`."""

    fold: str
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Picking:
    """The names to pick from; `asked` where the reader wants to, `lost` where who was followed is gone.

    `followed` are the numbers of those that the phone follows.
    """

    asked: bool
    query: str
    nobody_here: bool
    names: list[NameRow]
    lost: bool
    followed: frozenset[int]


def _picking(request: HttpRequest, event: Event) -> Picking:
    """Return the names to pick from, narrowed by `?q=`."""
    query = request.GET.get("q", "")[:MAX_QUERY_LENGTH]
    found = (row for row in list_names(event) if matches(query, row[1], row[0]))
    names = [NameRow(search_text(name), number, name) for number, name in found]
    return Picking(
        asked="pick" in request.GET or "q" in request.GET,
        query=query,
        nobody_here=not names and not query,
        names=sorted(names),
        lost=get_me(request, event) is None and follows_somebody(request, event),
        followed=frozenset(each.number for each in list_followed(request, event)),
    )


@dataclass(frozen=True, slots=True)
class Outlook:
    """What comes next: of a player, the seats ahead and the rounds without one; or why there is no next seat.

    `held` says why the last results are not shown, `waiting_for` is the round whose seats are not public, 0 for none.
    """

    over: bool
    held: str
    next: SeatAhead | None = None
    compass: Sequence[CompassSeat] = ()
    later: Sequence[SeatAhead] = ()
    sits_out: Sequence[int] = ()
    waiting_for: int = 0
    starts: dt.datetime | None = None


def _outlook(event: Event, story: PlayerStory | None, needs: dict[str, Any] | None) -> Outlook:
    """Return what comes next; in the last hand of a table its winds are those of that hand."""
    rows = _list_rounds(event)
    released = [row.number for row in rows if row.state == "released"]
    played = bool(rows) and event.ends_with(len(released)) and len(released) == len(rows)
    held = say_held(get_public_view(event)) if played else ""
    if story is None:
        return Outlook(played and not held, held)
    mine, ahead, unpublished = {seat.round for seat in story.ahead}, story.ahead, _first_unpublished(event, rows)
    return Outlook(
        over=played and not held,
        held=held,
        next=ahead[0] if ahead else None,
        compass=compass(ahead[0], needs["dealer_seat"] if needs else 0) if ahead else (),
        later=ahead[1:],
        sits_out=[]
        if event.is_open
        else [row.number for row in rows if row.state in {"published", "running"} and row.number not in mine],
        waiting_for=0 if played or ahead or event.is_open else unpublished,
        starts=planned_start(event, ahead[0].round if ahead else unpublished),
    )


def _list_rounds(event: Event) -> list[RoundRow]:
    return by_public_state(event, "rounds", lambda: list_rounds(event))


def _first_unpublished(event: Event, rows: list[RoundRow]) -> int:
    """Return the first planned round without public seats, 0 for none."""
    public = {row.number for row in rows if row.state != "drawn"}
    return next((number for number in range(1, event.rounds_planned + 1) if number not in public), 0)


def _standings(event: Event, me: FollowedPlayer | None, after: int = 0) -> dict[str, Any]:
    """Return the standings with their words: cached by language, the row of each phone's player marked."""
    places = by_public_state(event, f"places-{get_language()}-{after}", lambda: _places(event, after))
    return {**places, "rows": mark_mine(places["rows"], me.number if me else None)}


def _places(event: Event, after: int) -> dict[str, Any]:
    ranking = get_standings_after(event, after) if after else get_standings(event)
    return {
        **standings_context(event, ranking, list_players(event)),
        "fresh": how_fresh(event, ranking, list_reopened(event)),
        "final": is_final(event, get_standings(event)),
        "ties": tie_break_line(event),
        "unranked": ranking.unranked,
    }


def _list_drawn(event: Event, of: str) -> dict[tuple[int, bool], str]:
    """Return the rows of the standings that are drawn already, by what they are rows `of`: other phones show them, too.

    The tag `standing_rows` adds to them: by player, and whether it is the reader's own.
    """
    return by_public_state(event, f"rows-{get_language()}-{of}", dict[tuple[int, bool], str])


PODIUM = 3  # places
MAX_ON_PODIUM = 6  # more share a place only where hardly anything was played
LEADERS = 5
MOST_POINTS = 40  # of a line: the last rounds


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """One of the best three: place in words, club and country."""

    row: StandingRow
    place: str
    about: str
    url: str


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table that may be looked at while it plays: who leads there, and the hand, "" once its game is over."""

    number: int
    signed: bool
    url: str
    hand: str
    rows: list[LiveRow]


@dataclass(frozen=True, slots=True)
class Day:
    """What the page of an event shows somebody who follows nobody.

    `leaders` are drawn rows, none before a result and none with a podium.
    `schedule` is empty before there is anything to say of a round, and once all results are public.
    """

    podium: list[PodiumStep]
    leaders: Sequence[StandingLine]
    live_tables: list[LiveTable]
    schedule: list[RoundItem]
    rounds_done: int
    has_times: bool


def _day(event: Event, places: dict[str, Any], *, over: bool) -> Day:
    """Return the day of an event; `over` says that all results are public."""
    lines: Sequence[StandingLine] = places["rows"]
    steps = podium(event, [line.row for line in lines]) if over else []
    leaders = [] if steps or not places["fresh"] else in_columns(lines[:LEADERS], places["near_columns"])
    items = round_items(event, _list_rounds(event))
    shown = not over and not event.is_open and any(item.public or item.planned for item in items)
    live = {(each.round, each.number) for each in get_public_view(event).live_for(None)}
    tables = load_tables(event, rounds={round_ for round_, _number in live}) if live else []
    return Day(
        podium=steps,
        leaders=leaders,
        live_tables=[
            LiveTable(
                table.number,
                table.signed,
                reverse("public:table", args=[event.slug, table.round, table.number]),
                "" if table.state.ended else hand_name(table.state),
                live_rows(table, places["clubs"]),
            )
            for table in sorted(tables, key=attrgetter("round", "number"))
            if (table.round, table.number) in live
        ],
        schedule=items if shown else [],
        rounds_done=sum(item.state == "released" for item in items),
        has_times=shown and any(item.planned for item in items),
    )


def podium(event: Event, rows: Iterable[StandingRow]) -> list[PodiumStep]:
    """Return the best three places with who has them, club and country."""
    best = [row for row in rows if row.rank <= PODIUM][:MAX_ON_PODIUM]
    about = {person.number: " · ".join(filter(None, (person.club, person.country))) for person in list_players(event)}
    return [
        PodiumStep(
            row,
            say_place(row.rank, row.shared),
            about.get(row.number, ""),
            reverse("public:player", args=[event.slug, row.number]),
        )
        for row in best
    ]


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
        return {"teams": ranking, "fresh": fresh, "chart": _team_chart(event, ranking)}

    return show(request, event, "public/teams_public.html", make, tab="standings")


def _team_chart(event: Event, teams: TeamStandings) -> FigureChart | None:
    """Return the lines of the best teams over the last rounds; None before the second round."""
    rounds = teams.rounds[-MOST_POINTS:]
    if len(rounds) < 2:
        return None
    lines = [line[-MOST_POINTS:] for line in list_team_totals(event, teams)[:KINDS]]
    curves = [
        Curve(line, row.team, [NO_VALUE if total is None else signed_p(total) for total in line])
        for row, line in zip(teams.rows, lines, strict=False)
    ]
    ticks = [f"R{number}" for number in rounds]
    return figure_chart(curves, ticks, ticks, short_p, with_zero=True)


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def desk_teams(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the teams by all signed tables; set how many members count."""
    if request.method == "POST":
        text = request.POST.get("best", "").strip()
        with flash_refusal(request):
            best = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
            set_team_best(event=event, best=best, by=request.user)
            messages.success(request, _("Team ranking updated."))
        return redirect("desk:teams", event.slug)
    ranking = rank_event_teams(event, get_desk_standings(event))
    return render(request, "public/teams.html", desk_context(request, event, "results", teams=ranking))


IN_FIELD = "%Y-%m-%dT%H:%M"  # as a browser's field for date and time has it
MAX_MINUTES = 14 * 24 * 60


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def timetable(request: DeskRequest, event: Event) -> HttpResponse:
    """Show and set when rounds start; `act=fill` only fills the fields, from a first start and an interval."""
    rows = list_round_times(event)
    if request.method != "POST":
        return _page(request, event, rows, [_in_field(row.planned) for row in rows], [])
    typed = [request.POST.get(f"start-{row.number}", "").strip()[:40] for row in rows]
    starts, errors = _read(typed)
    if request.POST.get("act") == "fill":
        filled, errors = _fill(request.POST.get("first", ""), request.POST.get("every", ""), rows, event.day_rounds)
        return _page(request, event, rows, filled or typed, errors)
    if not errors:
        try:
            changed = set_timetable(event=event, starts=starts, by=request.user)
            flash_saved(request, _("The timetable is set."), changed=changed)
            return redirect("desk:timetable", event.slug)
        except DomainError as refused:
            errors = [problem_text(problem) for problem in refused.problems]
    return _page(request, event, rows, typed, errors)


@require_safe
@for_public
def calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the rounds as an iCalendar (RFC 5545); `?player=` adds that player's published seats."""
    me = find_player(event, request.GET.get("player", ""))
    url = request.build_absolute_uri(reverse("public:phone", args=[event.slug]))
    entries = ((entry, event, url) for entry in _entries(event, _seats(event, me.number) if me else {}))
    return calendar_answer(event.slug, one_line(event.name), entries)


def _seats(event: Event, number: int) -> dict[int, str]:
    """Return a player's seats in the published rounds ahead, by round, in words."""
    story = get_story(event, number)
    return {
        seat.round: _("table %(table)d, %(wind)s") % {"table": seat.table, "wind": wind_word(seat.seat)}
        for seat in (story.ahead if story else ())
    }


def _entries(event: Event, seats: Mapping[int, str]) -> Iterator[CalendarEntry]:
    """Yield the rounds that have a time, each with the seat of the reader where there is one."""
    for row in list_round_times(event):
        if starts := row.starts or row.day:  # of the whole day, until its hour is known
            words = _("Round %(number)d") % {"number": row.number}
            seat = f", {seats[row.number]}" if seats.get(row.number) else ""
            uid = f"{event.slug}-round-{row.number}@hanchan-desk"
            lasts = round_length(row.minutes) if row.starts else None
            yield CalendarEntry(uid, f"{one_line(event.name)}: {words}{seat}", starts, lasts)


def _page(
    request: DeskRequest, event: Event, rows: list[RoundTime], typed: list[str], errors: list[str]
) -> HttpResponse:
    context: dict[str, Any] = {
        "rows": [{"row": row, "typed": text} for row, text in zip(rows, typed, strict=True)],
        "errors": errors,
        "first": request.POST.get("first", "") or _in_field(rows[0].planned) or f"{event.date.isoformat()}T10:00",
        "every": request.POST.get("every", ""),
        "most_minutes": MAX_MINUTES,
        "usual": (event.ruleset.minutes or 75) + 30,
        "zone": event_zone_label(event),
        "calendar_url": request.build_absolute_uri(reverse("public:calendar", args=[event.slug])),
    }
    status = UNPROCESSABLE if errors else 200
    return render(request, "public/timetable.html", desk_context(request, event, "settings", **context), status=status)


def _read(typed: list[str]) -> tuple[list[dt.datetime | None], list[str]]:
    """Return the start of each field, in the event's time zone, and the errors of those that cannot be read."""
    starts: list[dt.datetime | None] = []
    errors = []
    for number, text in enumerate(typed, start=1):
        moment = _moment(text)
        if text and moment is None:
            words = _("The start of round %(number)d cannot be read: %(text)s. It is written like 2026-09-12T10:00.")
            errors.append(words % {"number": number, "text": text})
        starts.append(moment)
    return starts, errors


def _moment(text: str) -> dt.datetime | None:
    try:
        moment = dt.datetime.fromisoformat(text)
        return moment if moment.tzinfo else timezone.make_aware(moment)
    except (ValueError, OverflowError):
        return None


def _in_field(moment: dt.datetime | None) -> str:
    return timezone.localtime(moment).strftime(IN_FIELD) if moment else ""


def _fill(first: str, every: str, rows: Sequence[RoundTime], day_rounds: Sequence[int]) -> tuple[list[str], list[str]]:
    """Return the fields filled from a first start and the minutes between two, each day at the same hour; or errors."""
    start = _moment(first.strip()[:40])
    minutes = to_int(every)
    if start is None:
        return [], [_("The first start cannot be read. It is written like 2026-09-12T10:00.")]
    if not 0 < minutes <= MAX_MINUTES:
        return [], [_("The minutes between two starts must be 1 or more.")]
    counts = [*day_rounds[:-1], len(rows) - sum(day_rounds[:-1])]  # rounds that came later belong to the last day
    days = [(day, step) for day, count in enumerate(counts) for step in range(count)]
    return [_in_field(start + dt.timedelta(days=day, minutes=minutes * step)) for day, step in days], []
