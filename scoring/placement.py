"""Final scores to places, uma and leftover deposits.

It adds no penalties and ranks nobody across tables; that is `standings`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

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

    >>> from rules.books import load
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

    >>> from rules.books import load
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


When = Literal["before", "during"]


class Counted(NamedTuple):
    """A game as the ranking counts it, by seat: result, place, uma, and what is taken off beside the result, ≥ 0.

    A replaced player's own figures stand in the seat, with None for a place. `taken` are the places of whoever played,
    None for a substitute who takes none. Points are whole numbers.
    """

    results: tuple[int, ...]
    places: tuple[int | None, ...]
    uma: tuple[int, ...]
    penalties: tuple[int, ...]
    taken: tuple[int | None, ...]


def with_substitutes(final: Final, replaced: Mapping[int, When], rules: Ruleset) -> Counted:
    """Return a finished game with substitutes in these seats; without any, the game as it was.

    EMA 7.3: a replaced player has -15,000 points and -15,000 uma. A substitute from the beginning takes a place: the
    others keep the uma of theirs. One who came in during the game takes none: the others have the uma of their own
    order. WRC 12.3.9: the seat is scored as any and not ranked; the replaced player has nothing, and a penalty.
    """
    if rules.substitute == "wrc":
        late, places, uma, own = set[int](), final.places, final.uma, (0, 0, rules.replaced_points)
    else:
        late = {seat for seat, when in replaced.items() if when == "during"}
        places = _places_without(final.scores, late, rules) if late else final.places
        uma = uma_of(places, rules) if late else final.uma
        own = (-rules.replaced_points, -(rules.replaced_points // 2), 0)
    results = [score - rules.return_points + share for score, share in zip(final.scores, uma, strict=True)]
    return Counted(
        results=_put(results, replaced, own[0]),
        places=tuple(None if seat in replaced else place for seat, place in enumerate(places)),
        uma=_put(uma, replaced, own[1]),
        penalties=_put([0] * len(uma), replaced, own[2]),
        taken=tuple(None if seat in late else place for seat, place in enumerate(places)),
    )


def _put(values: Sequence[int], seats: Mapping[int, When], value: int) -> tuple[int, ...]:
    return tuple(value if seat in seats else each for seat, each in enumerate(values))


def _places_without(scores: Sequence[int], late: set[int], rules: Ruleset) -> tuple[int, ...]:
    """Return the places among the seats that take one; those of `late` share the last, which nobody asks for."""
    taking = [seat for seat in range(len(scores)) if seat not in late]
    places = dict(zip(taking, places_of([scores[seat] for seat in taking], rules), strict=True))
    return tuple(places.get(seat, len(taking) + 1) for seat in range(len(scores)))
