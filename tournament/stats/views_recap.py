"""The recap of an event: the best three, the race of all players, records, top tens, distributions, who beat whom."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from scoring.player_stats import PlayerStats
from tournament.models.event import Event
from tournament.pages.permissions_gateways import for_public
from tournament.pages.public_page import card_url, get_me, show
from tournament.public.rows import how_fresh
from tournament.public.views_event_page import podium
from tournament.sheets.queries import list_reopened
from tournament.standings.columns import StandingRow
from tournament.standings.queries import get_standings
from tournament.stats.charts_bars import Count, count_chart, share_chart
from tournament.stats.charts_race import Runner, race
from tournament.stats.messages import average_win, deal_in_rate, riichi_rate, say_hands, win_rate
from tournament.stats.queries_recap import Recap
from tournament.stats.queries_stories import get_records, get_way
from tournament.stats.views_stories import least_hands, recap_of, record_items
from tournament.text.languages import counted
from tournament.text.numbers_formatting import points, say_place, signed_p, wind_word

TOP: Final = 10
MOST: Final = 16  # players: more do not fit a page
LEAST_WINS: Final = 3
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
        context = {"fresh": how_fresh(event, standings, list_reopened(event)) if standings.rounds else ""}
        if not standings.rounds:
            return {**context, "podium": []}
        found = recap_of(event)
        names = {row.number: row.name for row in standings.rows}
        me = get_me(request, event)
        return {
            **context,
            **record_items(event, get_records(event)),
            "podium": podium(event, standings.rows),
            "races": _races(event, standings.rows),
            "mine": me.number if me else None,
            "rounds": standings.rounds,
            "tops": [*_tops(event, found, names), *_top_scores(event, found, names)],
            "values": _values(found.values),
            "placements": _placements(found, standings.rows[:MOST]),
            "seats": _seats(found),
            "matrix": _matrix(found, standings.rows[:MOST]),
            "best_count": min(MOST, len(standings.rows)),
            "card_picture": card_url(event),
        }

    return show(request, event, "public/recap.html", make, tab="standings")


def _races(event: Event, rows: Sequence[StandingRow]) -> dict[str, Any] | None:
    """Return the race, drawn and as a table; None before the second round."""
    ways = [(row, way) for row in rows if (way := get_way(event, row.number))]
    if not ways or len(ways[0][1].steps) < 2:
        return None
    ticks = [f"R{step.round}" for step in ways[0][1].steps]
    runners = [
        Runner(
            row.number,
            row.name,
            [step.rank for step in way.steps],
            f"{say_place(row.rank, row.shared)} {row.name} {signed_p(row.total)}",
        )
        for row, way in ways
    ]
    return {"drawn": race(runners, ticks), "ticks": ticks, "runners": runners}


def _tops(event: Event, found: Recap, names: Mapping[int, str]) -> list[dict[str, Any]]:
    least = least_hands(found)
    stories = {number: story for number, story in found.stats.by_player.items() if number in names}
    tops = []
    for ranking in RANKINGS:
        floor = LEAST_WINS if ranking.of_wins else least
        known = [
            (Fraction(ranking.rate(story), ranking.base(story)), number, ranking.write(story))
            for number, story in stories.items()
            if ranking.base(story) >= max(1, floor)
        ]
        wins = counted("at least %(count)d win", "at least %(count)d wins", floor) if ranking.of_wins else ""
        about = wins or _("at least %(hands)s") % {"hands": say_hands(floor)}
        rows = _ranked(known, names, event, lowest=ranking.lowest)
        tops += [{"name": ranking.name, "about": about, "rows": rows}] if rows else []
    return tops


def _top_scores(event: Event, found: Recap, names: Mapping[int, str]) -> list[dict[str, Any]]:
    known = [(Fraction(score.points), score.number, points(score.points)) for score in found.scores]
    rows = _ranked([each for each in known if each[1] in names], names, event, lowest=False)
    return [{"name": _("Highest final score"), "about": _("at one table"), "rows": rows}] if rows else []


def _ranked(
    known: Iterable[tuple[Fraction, int, str]], names: Mapping[int, str], event: Event, *, lowest: bool
) -> list[dict[str, Any]]:
    """Return the ten best, those who share a place by number."""
    order = sorted(known, key=lambda each: (each[0] if lowest else -each[0], each[1]))[:TOP]
    rates = [rate for rate, _number, _text in order]
    return [
        {
            "place": rates.index(rate) + 1,
            "name": names[number],
            "url": reverse("public:player", args=[event.slug, number]),
            "figure": text,
        }
        for rate, number, text in order
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


def _matrix(found: Recap, rows: Sequence[StandingRow]) -> list[dict[str, Any]]:
    """Return for each of these players the tables at which he was ahead of each other, and how many they shared."""
    return [
        {
            "row": row,
            "cells": [{"met": found.met.get((row.number, other.number)), "self": row is other} for other in rows],
        }
        for row in rows
    ]
