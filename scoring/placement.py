"""Final scores to places, uma and leftover deposits.

It adds no penalties and ranks nobody across tables; that is `standings`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.ruleset import Ruleset
from scoring.state import TableState


@dataclass(frozen=True, slots=True)
class Final:
    """The end of a game by seat, in points: scores after leftover deposits, places, uma and results.

    `leftover` are points on the table that nobody got. `results` are score − return + uma, before penalties.
    """

    scores: tuple[int, ...]
    leftover: int
    places: tuple[int, ...]
    uma: tuple[int, ...]
    results: tuple[int, ...]


def finish(state: TableState, rules: Ruleset) -> Final:
    """Give out leftover deposits, then rank, add uma and subtract the return (E25 3.7: in this order)."""
    scores, leftover = give_leftover(state, rules)
    places = places_of(scores, rules)
    uma = uma_of(places, rules)
    results = tuple(score - rules.return_points + share for score, share in zip(scores, uma, strict=True))
    return Final(scores, leftover, places, uma, results)


def give_leftover(state: TableState, rules: Ruleset) -> tuple[tuple[int, ...], int]:
    """Return the scores with leftover deposits given out, and the points that nobody got.

    To the first place, split on a tie, decimals dropped (E25 3.7; RK 2.2), or to nobody (WRC 2025 10.2).
    """
    pot = state.sticks * rules.riichi_deposit
    if not pot or rules.leftover_deposits == "lost":
        return state.scores, pot + state.lost
    places = places_of(state.scores, rules)
    each = pot // places.count(1)
    scores = tuple(score + (each if place == 1 else 0) for score, place in zip(state.scores, places, strict=True))
    return scores, pot - each * places.count(1) + state.lost


def places_of(scores: Sequence[int], rules: Ruleset) -> tuple[int, ...]:
    """Return each seat's place from 1; tied seats share the better number, or go by seat where the rules say so.

    >>> from rules.ruleset import load
    >>> places_of((30000, 41000, 30000, 19000), load("ema-2025"))
    (2, 1, 2, 4)
    >>> places_of((30000, 41000, 30000, 19000), load("tenhou-yonma"))
    (2, 1, 3, 4)
    """
    if rules.ties == "seat_order":
        keys = [(-score, seat) for seat, score in enumerate(scores)]
    else:
        keys = [(-score, 0) for score in scores]
    order = sorted(keys)
    return tuple(order.index(key) + 1 for key in keys)


def uma_of(places: Sequence[int], rules: Ruleset) -> tuple[int, ...]:
    """Return each seat's uma, oka included; tied seats add theirs up and share equally, decimals dropped (E25 3.7.1).

    >>> from rules.ruleset import load
    >>> uma_of((1, 1, 3), load("sanmatsuri-2026"))
    (7500, 7500, -15000)
    """
    by_place = [rules.uma[0] + rules.oka, *rules.uma[1:]]
    shares = {}
    for place in set(places):
        tied = places.count(place)
        pool = sum(by_place[place - 1 : place - 1 + tied])
        shares[place] = pool // tied if pool >= 0 else -(-pool // tied)
    return tuple(shares[place] for place in places)
