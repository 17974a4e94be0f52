"""The statistics of players and of an event: a player's rounds and hands, the records, two players who met."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.player_stats import SOURCES, has_hands, score_steps
from tournament.models.event import Event
from tournament.pages.caches_page_cache import keep
from tournament.pages.permissions_gateways import for_public
from tournament.pages.public_page import show
from tournament.public.rows import how_fresh
from tournament.publication.queries import names_key
from tournament.sheets.queries import list_reopened
from tournament.standings.queries import get_standings
from tournament.stats.charts_1 import PHONE, WIDE, Curve, LineChart, line_chart, place_chart
from tournament.stats.charts_bars import Bar, bar_chart, share_chart
from tournament.stats.messages import (
    RECORD_WORDS,
    SOURCE_WORDS,
    facts_of,
    meeting_facts,
    say_figure,
    say_gaps,
    say_hand,
    say_names,
    say_record_gaps,
    say_sum,
)
from tournament.stats.queries_recap import Recap, get_recap
from tournament.stats.queries_stories import (
    HandAt,
    HandStory,
    Meeting,
    Records,
    Way,
    get_hand_story,
    get_meeting,
    get_records,
    get_way,
)
from tournament.tables.queries_tables import LoadedTable
from tournament.text.hands_hand import yaku_of
from tournament.text.numbers_formatting import (
    hand_name,
    ordinal_place,
    points,
    say_place,
    short_p,
    signed,
    signed_p,
    wind_initial,
)

MOST_SHOWN = 5  # hands that share a record
ALWAYS = ("ron", "tsumo", "draw")  # sources that are shown even without points


@dataclass(frozen=True, slots=True)
class TableChart:
    """The chart of a table for a phone and for a page with room; `rows` has each hand with the scores after it."""

    phone: LineChart
    wide: LineChart
    rows: tuple[tuple[str, tuple[int, ...]], ...]


def recap_of(event: Event) -> Recap:
    """Return the event in figures; after a release one request makes it and the others wait."""
    return keep(f"recap {names_key(event)}", lambda: get_recap(event))


def least_hands(recap: Recap) -> int:
    """Return how many hands a rate is made of at least: half of the most that anybody played."""
    return -(-max((story.hands for story in recap.stats.by_player.values()), default=0) // 2)


def story_context(event: Event, number: int) -> dict[str, Any]:
    """Return `way` and `told` of public/player.html: rounds and hands of a player, each None where there are none.

    `placements` counts the places that the player took, None before the first game.
    """
    way, told = get_way(event, number), get_hand_story(event, number)
    played = bool(told and (told.story.hands or told.totals_only or told.replaced or told.unsure))
    recap = recap_of(event)
    counts = recap.placements.get(number)
    return {
        "way": _way(way) if way and any(step.result is not None for step in way.steps) else None,
        "told": _told(event, told, recap) if told and played else None,
        "placements": [(say_place(place), count) for place, count in enumerate(counts, start=1)] if counts else None,
        "placement_chart": share_chart([("", counts)]) if counts else None,
    }


def table_chart(table: LoadedTable) -> TableChart | None:
    """Return the chart of a table's scores after each hand; None where only the final scores are known."""
    if not has_hands(table.game):
        return None
    steps = score_steps(table.game, table.rules)
    curves = [
        Curve([step[player.seat] for step in steps], f"{player.seat + 1} {player.name}") for player in table.seats
    ]
    said = _step_words(table, len(steps))
    hits = [
        f"{what}: " + " · ".join(f"{player.name} {points(step[player.seat])}" for player in table.seats)
        for what, step in zip(said, steps, strict=True)
    ]
    ticks = _hand_ticks(table, len(steps))
    phone, wide = (line_chart(curves, ticks, points, hits=hits, size=size) for size in (PHONE, WIDE))
    return TableChart(phone, wide, tuple(zip(said, steps, strict=True)))


def record_items(event: Event, records: Records) -> dict[str, Any]:
    """Return the context of public/records.html."""
    return {
        "records": [
            {
                "name": RECORD_WORDS[row.kind][0],
                "about": RECORD_WORDS[row.kind][1],
                "figure": say_figure(row.kind, row.figure),
                "found": [_found(event, at) for at in row.found[:MOST_SHOWN]],
                "more": max(0, len(row.found) - MOST_SHOWN),
            }
            for row in records.rows
        ],
        "gaps": say_record_gaps(records),
        "any_table": records.tables + records.totals_only > 0,
    }


def meeting_context(event: Event, one: int, other: int, meeting: Meeting) -> dict[str, Any]:
    """Return the context of public/against.html."""
    ahead = {1: meeting.names[0], -1: meeting.names[1], 0: _("equal"), None: ""}
    return {
        "names": meeting.names,
        "urls": [reverse("public:player", args=[event.slug, number]) for number in (one, other)],
        "facts": meeting_facts(meeting) if meeting.tables else [],
        "tables": [(table, ahead[table.ahead]) for table in meeting.tables],
    }


def _way(way: Way) -> dict[str, Any]:
    ticks = [f"R{step.round}" for step in way.steps]
    totals = [step.total for step in way.steps]
    texts = [ordinal_place(step.rank, step.shared) for step in way.steps]
    hits = [
        f"R{step.round}: {signed_p(step.total)} · {say_place(step.rank, step.shared)}"
        + ("" if step.result is None else f" ({signed_p(step.result)})")
        for step in way.steps
    ]
    return {
        "points": line_chart(
            [Curve(totals, texts=[signed_p(total) for total in totals])], ticks, short_p, hits=hits, with_zero=True
        ),
        "places": place_chart([step.rank for step in way.steps], texts, way.players, ticks, hits),
        "steps": way.steps,
        "players": way.players,
    }


def _told(event: Event, told: HandStory, recap: Recap) -> dict[str, Any]:
    story, everybody = told.story, recap.stats.everybody
    flows = [
        (str(SOURCE_WORDS[source]), flow)
        for source, flow in zip(SOURCES, story.sources, strict=True)
        if source in ALWAYS or flow != (0, 0)
    ]
    return {
        "hands": story.hands,
        "all_hands": everybody.hands // event.ruleset.players,
        "least": least_hands(recap),
        "sources": [{"name": name, "won": flow.won, "paid": -flow.paid, "net": flow.net} for name, flow in flows],
        "bars": bar_chart(
            [Bar(name, flow.won, flow.paid, signed(flow.won), signed(-flow.paid)) for name, flow in flows]
        ),
        "sum": say_sum(told),
        "facts": facts_of(story, everybody) if story.hands else [],
        "best": _best(event, told),
        "moments": _moments(event, told),
        "gaps": say_gaps(told),
        "met": told.met,
    }


def _best(event: Event, told: HandStory) -> dict[str, Any] | None:
    """Return the best hand with its tiles and yaku as far as they were entered; None where no hand gained points."""
    at, win = told.best, told.best_win
    if at is None:
        return None
    return {
        "value": signed(at.figure),
        "where": say_hand(at),
        "url": _address(event, at),
        "hand": win.hand if win else None,
        "yaku": yaku_of(win, event.ruleset) if win else [],
    }


def _moments(event: Event, told: HandStory) -> list[dict[str, str]]:
    rows = [
        (_("Worst hand"), told.worst, signed),
        (_("Longest dealer streak"), told.longest, lambda figure: say_figure("longest_deal", figure)),
    ]
    return [
        {"term": term, "value": write(at.figure), "where": say_hand(at), "url": _address(event, at)}
        for term, at, write in rows
        if at is not None
    ]


def _found(event: Event, at: HandAt) -> dict[str, str]:
    return {"who": say_names([name for _, name in at.who]), "where": say_hand(at), "url": _address(event, at)}


def _address(event: Event, at: HandAt) -> str:
    table = reverse("public:table", args=[event.slug, at.round, at.table])
    return table if at.number is None else f"{table}#hand-{at.number}"


def _hand_ticks(table: LoadedTable, steps: int) -> list[str]:
    """Return the hand's short name at the first of each: E1, E2 …; "" at the start and at repeats."""
    names = [f"{wind_initial(hand.before.round_wind)}{hand.before.kyoku}" for hand in table.game.hands]
    new = [name if not at or names[at - 1] != name else "" for at, name in enumerate(names)]
    return ["", *new, *[""] * (steps - 1 - len(names))]


def _step_words(table: LoadedTable, steps: int) -> list[str]:
    """Name what each step comes after: the start, each hand, and riichi sticks that were left over."""
    names = [hand_name(hand.before.round_wind, hand.before.kyoku) for hand in table.game.hands]
    return [_("Start"), *names, *[_("End")] * (steps - 1 - len(names))]


@require_safe
@for_public
def records(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the records of the public rounds, each with its hands."""

    def make() -> dict[str, Any]:
        fresh = how_fresh(event, get_standings(event), list_reopened(event))
        return {"fresh": fresh, **record_items(event, get_records(event))}

    return show(request, event, "public/records.html", make, tab="standings")


@require_safe
@for_public
def against(request: HttpRequest, event: Event, number: int, other: int) -> HttpResponse:
    """Show how two players did against each other at the tables they shared."""

    def make() -> dict[str, Any]:
        meeting = get_meeting(event, number, other)
        if meeting is None:
            raise Http404("There are no such two players.")
        return meeting_context(event, number, other, meeting)

    return show(request, event, "public/against.html", make, tab="")
