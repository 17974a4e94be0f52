"""Pages of statistics: a player's rounds and hands, records, two players who met, and the recap of an event."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from scoring.player_stats import SOURCES, PlayerStats, has_hands, score_steps
from tournament.events.models import Event
from tournament.moments.messages import yakuman_items
from tournament.moments.queries import list_yakuman
from tournament.pages.addresses import numbered_address
from tournament.pages.charts import (
    Bar,
    Count,
    Curve,
    FigureChart,
    bar_chart,
    count_chart,
    figure_chart,
    line_chart,
    place_chart,
    share_chart,
)
from tournament.pages.permissions import for_public
from tournament.pages.public_page import card_url, get_me, show
from tournament.public.queries import get_story
from tournament.public.rows import how_fresh, is_final
from tournament.public.views import podium
from tournament.publication.queries import get_public_view
from tournament.sheets.queries import list_reopened
from tournament.standings.columns import StandingRow
from tournament.standings.queries import RankHistory, get_rank_history, get_standings
from tournament.stats.cards import get_race, list_cards
from tournament.stats.messages import (
    RECORD_WORDS,
    SOURCE_WORDS,
    average_win,
    deal_in_rate,
    facts_of,
    gaps_text,
    meeting_facts,
    record_gaps_text,
    riichi_rate,
    say_figure,
    say_hand,
    say_hands,
    say_names,
    say_standing,
    sum_text,
    win_rate,
)
from tournament.stats.queries import (
    HandAt,
    HandStory,
    HeadToHeadTables,
    Recap,
    Records,
    get_hand_story,
    get_meeting,
    get_recap,
    get_records,
    read_meeting,
)
from tournament.tables.queries import LoadedTable
from tournament.text.languages import colon, plural_text
from tournament.text.numbers import (
    hand_name,
    ordinal_place,
    points,
    say_place,
    short_p,
    signed,
    signed_p,
    wind_initial,
    wind_word,
)

MAX_SHOWN = 5  # hands that share a record
ALWAYS = ("ron", "tsumo", "draw")  # sources that are shown even without points


def least_hands(recap: Recap) -> int:
    """Return how many hands a rate is made of at least: half of the most that anybody played."""
    return -(-max((story.hands for story in recap.stats.by_player.values()), default=0) // 2)


def story_context(event: Event, number: int) -> dict[str, Any]:
    """Return `way` and `told` of public/player.html: rounds and hands of a player, each None where there are none.

    `placements` counts the places that the player took, None before the first game; `cards` are of the recap, none
    before that either.
    """
    way, told = get_rank_history(event, number), get_hand_story(event, number)
    played = bool(told and (told.story.hands or told.totals_only or told.replaced or told.unsure))
    recap = get_recap(event)
    counts = recap.placements.get(number)
    cards = list_cards(event, number) if get_public_view(event).rounds else []
    return {
        "cards": cards if counts or played or any(card.figure for card in cards) else [],
        "way": _way(way) if way and any(step.result is not None for step in way.steps) else None,
        "told": _told(event, number, told, recap) if told and played else None,
        "placements": [(say_place(place), count) for place, count in enumerate(counts, start=1)] if counts else None,
        "placement_chart": share_chart([("", counts)]) if counts else None,
    }


def table_chart(table: LoadedTable) -> FigureChart | None:
    """Return the chart of a table's scores after each hand; None where only the final scores are known."""
    if not has_hands(table.game):
        return None
    steps = score_steps(table.game, table.rules)
    scores = [[step[player.seat] for step in steps] for player in table.seats]
    curves = [
        Curve(own, f"{player.seat + 1} {player.name}", [points(score) for score in own])
        for player, own in zip(table.seats, scores, strict=True)
    ]
    names = [hand_name(hand.before.round_wind, hand.before.kyoku) for hand in table.game.hands]
    said = [_("Start"), *names, *[_("End")] * (len(steps) - 1 - len(names))]
    # the hand's short name at the first of each: E1, E2 …
    short = [f"{wind_initial(hand.before.round_wind)}{hand.before.kyoku}" for hand in table.game.hands]
    new = [name if not at or short[at - 1] != name else "" for at, name in enumerate(short)]
    return figure_chart(curves, said, ["", *new, *[""] * (len(steps) - 1 - len(short))], points)


def record_items(event: Event, records: Records) -> dict[str, Any]:
    """Return the records, each with its hands, and what they leave out."""
    return {
        "records": [
            {
                "name": RECORD_WORDS[row.kind][0],
                "about": RECORD_WORDS[row.kind][1],
                "figure": say_figure(row.kind, row.figure),
                "found": [
                    {"who": say_names([name for _, name in at.who]), "where": say_hand(at), "url": _address(event, at)}
                    for at in row.found[:MAX_SHOWN]
                ],
                "more": max(0, len(row.found) - MAX_SHOWN),
            }
            for row in records.rows
        ],
        "gaps": record_gaps_text(records),
    }


def meeting_context(event: Event, one: int, other: int, meeting: HeadToHeadTables) -> dict[str, Any]:
    """Return the context of stats/against.html."""
    told = [(f"R{table.round}", table.told.to_one, table.told.to_other) for table in meeting.tables if table.told]
    bars = [Bar(name, won, paid, signed(won), signed(-paid)) for name, won, paid in told]
    ahead = {1: meeting.names[0], -1: meeting.names[1], 0: _("equal"), None: ""}
    return {
        "names": meeting.names,
        "urls": [reverse("public:player", args=[event.slug, number]) for number in (one, other)],
        "facts": meeting_facts(meeting) if meeting.tables else [],
        "bars": bar_chart(bars) if bars else None,
        "tables": [(table, ahead[table.ahead]) for table in meeting.tables],
    }


def rival_items(event: Event, number: int) -> list[dict[str, Any]]:
    """Return those at a player's next table whom the player has met: how often, who was ahead, points between them."""
    story = get_story(event, number)
    others = story.ahead[0].others if story and story.ahead else ()
    items, url_of = [], numbered_address("public:against", event.slug, number)
    for seat in others:
        who = seat.player
        if story is None or who.number == number or seat.substitute:
            continue
        meeting = read_meeting(event, (number, story.name), (who.number, who.name))
        if meeting.tables:
            items.append(
                {
                    "name": who.name,
                    "url": url_of(who.number),
                    "tables": len(meeting.tables),
                    "ahead": meeting.count_ahead(1),
                    "behind": meeting.count_ahead(-1),
                    "told": any(table.told for table in meeting.tables),
                    "points": meeting.total.to_one - meeting.total.to_other,
                }
            )
    return items


def _way(way: RankHistory) -> dict[str, Any]:
    ticks = [f"R{step.round}" for step in way.steps]
    totals = [step.total for step in way.steps]
    texts = [ordinal_place(step.rank, step.shared) for step in way.steps]
    hits = [
        f"R{step.round}{colon()}{signed_p(step.total)} · {say_place(step.rank, step.shared)}"
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


def _told(event: Event, number: int, told: HandStory, recap: Recap) -> dict[str, Any]:
    story, everybody = told.story, recap.stats.everybody
    flows = [
        (str(SOURCE_WORDS[source]), flow)
        for source, flow in zip(SOURCES, story.sources, strict=True)
        if source in ALWAYS or flow != (0, 0)
    ]
    return {
        "hands": story.hands,
        "all_hands": recap.stats.hands,
        "least": least_hands(recap),
        "sources": [{"name": name, "won": flow.won, "paid": -flow.paid, "net": flow.net} for name, flow in flows],
        "bars": bar_chart(
            [Bar(name, flow.won, flow.paid, signed(flow.won), signed(-flow.paid)) for name, flow in flows]
        ),
        "sum": sum_text(told),
        "facts": facts_of(story, everybody, _places_by_rate(event, recap, number)) if story.hands else [],
        "best": _best(event, told),
        "moments": _moments(event, told),
        "gaps": gaps_text(told),
        "met": told.met,
    }


def _best(event: Event, told: HandStory) -> dict[str, Any] | None:
    """Return the best hand with its tiles as far as they were entered; None where no hand gained points."""
    at, win = told.best, told.best_win
    return {"url": _address(event, at), "hand": win.hand if win else None} if at else None


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


def _address(event: Event, at: HandAt) -> str:
    table = reverse("public:table", args=[event.slug, at.round, at.table])
    return table if at.number is None else f"{table}#hand-{at.number}"


@require_safe
@for_public
def records(_request: HttpRequest, event: Event) -> HttpResponse:
    """Redirect to the recap, which has the records of the public rounds."""
    return redirect(f"{reverse('public:recap', args=[event.slug])}#records", permanent=True)


@require_safe
@for_public
def against(request: HttpRequest, event: Event, number: int, other: int) -> HttpResponse:
    """Show how two players did against each other at the tables they shared."""

    def make() -> dict[str, Any]:
        meeting = get_meeting(event, number, other)
        if meeting is None:
            raise Http404("There are no such two players.")
        return meeting_context(event, number, other, meeting)

    return show(request, event, "stats/against.html", make, tab="")


TOP: Final = 10
MOST: Final = 16  # players: more do not fit a page
MIN_WINS: Final = 3
# from these points on a win is in the next row of the distribution
STEPS: Final = (0, 2000, 4000, 8000, 12000, 16000, 24000, 32000)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A top ten by a rate: how it is counted, written, and whether the lowest is best.

    `base` is what the rate is made of, `needs` says of how much of it at least: hands or wins.
    """

    name: Any
    rate: Callable[[PlayerStats], int]
    base: Callable[[PlayerStats], int]
    write: Callable[[PlayerStats], str]
    lowest: bool = False
    of_wins: bool = False


RANKINGS: Final = (
    Ranking(gettext_lazy("Win rate"), lambda story: story.wins, lambda story: story.hands, win_rate),
    Ranking(
        gettext_lazy("Lowest deal-in rate"),
        lambda story: story.deal_ins,
        lambda story: story.hands,
        deal_in_rate,
        lowest=True,
    ),
    Ranking(gettext_lazy("Riichi rate"), lambda story: story.riichi, lambda story: story.hands, riichi_rate),
    Ranking(
        gettext_lazy("Average win"),
        lambda story: story.win_points,
        lambda story: story.wins,
        average_win,
        of_wins=True,
    ),
)


@require_safe
@for_public
def recap(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what the event came to, as far as its results are public."""

    def make() -> dict[str, Any]:
        standings = get_standings(event)
        fresh = how_fresh(event, standings, list_reopened(event)) if standings.rounds else ""
        context = {"fresh": fresh, "final": is_final(event, standings)}
        if not standings.rounds:
            return {**context, "podium": []}
        found = get_recap(event)
        names = {row.number: row.name for row in standings.rows}
        me = get_me(request, event)
        return {
            **context,
            **record_items(event, get_records(event)),
            "yakuman": yakuman_items(event, list_yakuman(event)),
            "podium": podium(event, standings.rows),
            "race": get_race(event, standings.rows),
            "mine": me.number if me else None,
            "rounds": standings.rounds,
            "tops": [*_tops(event, found, names), *_top_scores(event, found, names)],
            "values": _values(found.values),
            "placements": _placements(found, standings.rows[:MOST]),
            "seats": _seats(found),
            "best_count": min(MOST, len(standings.rows)),
            "card_picture": card_url(event),
        }

    return show(request, event, "stats/recap.html", make, tab="standings")


def _tops(event: Event, found: Recap, names: Mapping[int, str]) -> list[dict[str, Any]]:
    tops = []
    for ranking in RANKINGS:
        known, floor = _rates(found, ranking, names)
        wins = plural_text("at least %(count)d win", "at least %(count)d wins", floor) if ranking.of_wins else ""
        about = wins or _("at least %(hands)s") % {"hands": say_hands(floor)}
        rows = _ranked(known, names, event, lowest=ranking.lowest)
        tops += [{"name": ranking.name, "about": about, "rows": rows}] if rows else []
    return tops


def _rates(found: Recap, ranking: Ranking, ranked: Collection[int]) -> tuple[list[tuple[Fraction, int, str]], int]:
    """Return rate, number and rate in words of each ranked player with enough hands or wins, and what is enough."""
    floor = MIN_WINS if ranking.of_wins else least_hands(found)
    stories = [(number, story) for number, story in found.stats.by_player.items() if number in ranked]
    known = [
        (Fraction(ranking.rate(story), ranking.base(story)), number, ranking.write(story))
        for number, story in stories
        if ranking.base(story) >= max(1, floor)
    ]
    return known, floor


def _places_by_rate(event: Event, found: Recap, number: int) -> dict[Callable[[PlayerStats], str], str]:
    """Return by what writes a rate the player's place among those with enough hands, in words."""
    ranked, places = {row.number for row in get_standings(event).rows}, {}
    for ranking in RANKINGS:
        rates = {who: rate for rate, who, _text in _rates(found, ranking, ranked)[0]}
        if number in rates and len(rates) > 1:
            own = rates[number]
            better = sum((rate < own) if ranking.lowest else (rate > own) for rate in rates.values())
            shared = sum(rate == own for rate in rates.values()) > 1
            places[ranking.write] = say_standing(
                better + 1, len(rates), shared=shared, best=ranking.write is not riichi_rate
            )
    return places


def _top_scores(event: Event, found: Recap, names: Mapping[int, str]) -> list[dict[str, Any]]:
    known = [(Fraction(score.points), score.number, points(score.points)) for score in found.scores]
    rows = _ranked([each for each in known if each[1] in names], names, event, lowest=False)
    return [{"name": _("Highest final score"), "about": _("at one table"), "rows": rows}] if rows else []


def _ranked(
    known: Iterable[tuple[Fraction, int, str]], names: Mapping[int, str], event: Event, *, lowest: bool
) -> list[dict[str, Any]]:
    """Return the ten best, those who share a place by number."""
    order = sorted(known, key=lambda each: (each[0] if lowest else -each[0], each[1]))
    rates = [rate for rate, _number, _text in order]
    return [
        {
            "place": ordinal_place(rates.index(rate) + 1, rates.count(rate) > 1),
            "name": names[number],
            "url": reverse("public:player", args=[event.slug, number]),
            "figure": text,
        }
        for rate, number, text in order[:TOP]
    ]


def _values(values: Mapping[int, int]) -> dict[str, Any] | None:
    """Return how many wins had which value; None without hands."""
    if not values:
        return None
    ends = [*STEPS[1:], None]
    rows = [
        Count(
            f"{points(start)}+" if end is None else f"{points(start)}–{points(end - 100)}",
            sum(count for value, count in values.items() if start <= value and (end is None or value < end)),
        )
        for start, end in zip(STEPS, ends, strict=True)
    ]
    return {"chart": count_chart(rows), "rows": rows, "wins": sum(values.values())}


def _placements(found: Recap, rows: Iterable[StandingRow]) -> dict[str, Any]:
    """Return how often each player took each place, in the order of the standings."""
    people = [(row, found.placements[row.number]) for row in rows if row.number in found.placements]
    return {"chart": share_chart([(row.name, counts) for row, counts in people]), "rows": people}


def _seats(found: Recap) -> dict[str, Any]:
    """Return how often each place was taken from each seat at the start."""
    rows = [(wind_word(seat), counts) for seat, counts in enumerate(found.by_seat)]
    return {
        "chart": share_chart(rows),
        "rows": rows,
        "kinds": [(say_place(place), None) for place in range(1, len(rows) + 1)],
    }
