"""What a place is worth in the rankings that read a result: MERS base rank and weight, the UK list's day results.

Pure numbers after the federation's page on its ranking (docs/organiser/after/rankings.md); no ranking is worked out.
"""

from typing import Final

MOST_BASE: Final = 1000
MOST_DAYS: Final = 3  # longer events count as three
PLAYERS: Final = (41, 81)  # from so many on another half
COUNTRIES: Final = (6, 10)


def base_rank(place: int, players: int) -> int:
    """Return the base rank of a place among so many, 1000 for the first and 0 for the last; halves are rounded up.

    Who share a place all have its better number. Raises ValueError for a place that is none.

    >>> base_rank(1, 40), base_rank(2, 40), base_rank(40, 40), base_rank(1, 1)
    (1000, 974, 0, 1000)
    """
    if not 1 <= place <= players:
        raise ValueError(f"there is no place {place} among {players}")
    if players == 1:
        return MOST_BASE
    return (2 * MOST_BASE * (players - place) + players - 1) // (2 * (players - 1))


def weight_in_halves(*, days: int, players: int, countries: int, qualified: bool = False) -> int:
    """Return an event's weight in halves: its days, and what players, countries and a qualification add.

    >>> weight_in_halves(days=2, players=84, countries=10)
    8
    """
    steps = sum(players >= least for least in PLAYERS) + sum(countries >= least for least in COUNTRIES)
    return 2 * min(max(days, 1), MOST_DAYS) + steps + (2 if qualified else 0)


def day_results(base: int, days: int) -> tuple[int, ...]:
    """Return what the UK list takes from an event: the base rank once for each of its days.

    >>> day_results(850, 2)
    (850, 850)
    """
    return (base,) * max(days, 1)
