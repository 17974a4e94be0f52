"""What a place is worth for EMA's ranking (MERS) and two national lists: base rank, weight of an event, ranking; exact.

After EMA's page on its ranking, "Basics for ranking system", as decided on 25 May 2017 and in force since 2018. That
page does not say how a base rank is rounded: docs/decisions/0031-base-ranks.md does.
"""

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

MAX_BASE: Final = 1000
MAX_DAYS: Final = 3  # longer events count as three
MORE_PLAYERS: Final = (41, 81)  # from so many on another half
MORE_COUNTRIES: Final = (6, 10)
MIN_RESULTS: Final = 2  # fewer give no ranking
FILLED_TO: Final = 5  # missing results are 0 with weight 1
BEST_BY_RANK: Final = 4
OF_THE_REST: Final = Fraction(4, 5)  # so many of the results beyond five count, rounded up
OLD: Final = 2  # years from which a result counts no more


def exact_base_rank(place: int, players: int) -> Fraction:
    """Return the base rank of a place among so many, 1000 for the first and 0 for the last.

    Players who share a place all have its better number. Raises ValueError for a place that does not exist.
    """
    if not 1 <= place <= players:
        raise ValueError(f"there is no place {place} among {players}")
    return Fraction(MAX_BASE * (players - place), players - 1) if players > 1 else Fraction(MAX_BASE)


def base_rank(place: int, players: int) -> int:
    """Return the base rank as EMA's lists have it: a half goes to the even. Raises ValueError as `exact_base_rank`.

    >>> base_rank(1, 40), base_rank(2, 40), base_rank(40, 40), base_rank(1, 1)
    (1000, 974, 0, 1000)
    """
    return round(exact_base_rank(place, players))


def weight_in_halves(*, days: int, players: int, countries: int, qualified: bool = False) -> int:
    """Return an event's weight in halves: its days, and what players, countries and a qualification add.

    >>> weight_in_halves(days=2, players=84, countries=10)
    8
    """
    steps = sum(players >= least for least in MORE_PLAYERS) + sum(countries >= least for least in MORE_COUNTRIES)
    return 2 * min(max(days, 1), MAX_DAYS) + steps + (2 if qualified else 0)


def day_results(base: int, days: int) -> tuple[int, ...]:
    """Return what the UK list takes from an event: the base rank once for each of its days.

    >>> day_results(850, 2)
    (850, 850)
    """
    return (base,) * max(days, 1)


@dataclass(frozen=True, slots=True)
class PastResult:
    """A result in an EMA event: base rank, weight in halves, and the last day of the event."""

    base: int
    halves: int
    ended: dt.date


def ranking(results: Iterable[PastResult], on: dt.date) -> Fraction | None:
    """Return a player's ranking on a day; None where fewer than two results still count.

    Half of it is the weighted mean of the best results: five, and four fifths of those beyond. The other half is that
    of the four with the best base rank. Events that ended before `on` by a year count half, by two years not at all.

    >>> day = dt.date(2026, 9, 13)
    >>> ranking([PastResult(1000, 2, day), PastResult(500, 4, day)], day)
    Fraction(1100, 3)
    """
    counted = [(each.base, weight) for each in results if (weight := _aged(each, on))]
    if len(counted) < MIN_RESULTS:
        return None
    counted.sort(key=lambda each: (-each[0], -each[1]))
    counted += [(0, Fraction(1))] * (FILLED_TO - len(counted))  # behind a real last place, which may weigh less
    best = FILLED_TO + -(-(OF_THE_REST * (len(counted) - FILLED_TO)) // 1)
    return (_mean(counted[:best]) + _mean(counted[:BEST_BY_RANK])) / 2


def _aged(result: PastResult, on: dt.date) -> Fraction:
    """Return what a result weighs on a day; a result of a later day nothing."""
    full = Fraction(result.halves, 2)
    if result.ended > on or result.ended < _years_before(on, OLD):
        return Fraction(0)
    return full if result.ended >= _years_before(on, 1) else full / 2


def _years_before(day: dt.date, years: int) -> dt.date:
    """Return the same day so many years before; 28 February for a 29th that the year has not."""
    leap = (day.month, day.day) == (2, 29) and (day.year - years) % 4 != 0
    return day.replace(year=day.year - years, day=28 if leap else day.day)


def _mean(weighted: Sequence[tuple[int, Fraction]]) -> Fraction:
    return sum((base * weight for base, weight in weighted), Fraction(0)) / sum(weight for _, weight in weighted)


# ---------------------------------------------------------------- national lists

UK_LEAST_DAYS: Final = 10  # missing days are results of 0
UK_SHARE: Final = Fraction(9, 10)  # of the day results, rounded up
UK_BEST_DAYS: Final = 8
AUSTRIAN_BEST_ABROAD: Final = 3


def uk_ranking(days: Iterable[int]) -> Fraction:
    """Return a UK ranking from all day results: half the mean of the best nine tenths, half that of the best eight.

    After "A proposal for a UK ranking system for riichi mahjong", option 1 (days), whose worked example this is.

    >>> days = [*[550] * 3, *[850] * 2, *[300] * 2, *[900] * 3, *[400] * 2, 600]
    >>> float(round(uk_ranking(days), 2))
    704.17
    """
    best = sorted(days, reverse=True)
    best += [0] * (UK_LEAST_DAYS - len(best))
    share = best[: math.ceil(UK_SHARE * len(best))]
    return (Fraction(sum(share), len(share)) + Fraction(sum(best[:UK_BEST_DAYS]), UK_BEST_DAYS)) / 2


def austrian_points(place: int, players: int) -> int:
    """Return the points of a place in the list by which Austria gives its quota; a half goes to the even.

    The first gets 1000, who is not in the upper half nothing.

    >>> [austrian_points(place, 8) for place in (1, 2, 4, 5, 8)]
    [1000, 750, 250, 0, 0]
    """
    return max(0, round(Fraction(MAX_BASE * (players - 2 * place + 2), players)))


def austrian_ranking(home: Iterable[int], abroad: Iterable[int]) -> int:
    """Return an Austrian ranking: the points of all events at home and of the best three abroad.

    >>> austrian_ranking([1000, 250], [750, 500, 400, 300])
    2900
    """
    return sum(home) + sum(sorted(abroad, reverse=True)[:AUSTRIAN_BEST_ABROAD])
