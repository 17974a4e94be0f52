"""A game in which a substitute played: what it gives the replaced player and the others, by the book.

It knows a finished game and which seat was replaced; who sat there, and how it was found out, is not its matter.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rules.ruleset import Ruleset
from scoring.placement import Final, places_of, uma_of

When = Literal["before", "during"]


class Replaced(NamedTuple):
    """A game with a substitute: each seat's result (the replaced player's own in his seat), place, uma, and penalty.

    Places are those that the ranking counts: None for the seat that is not ranked. Points are whole numbers.
    """

    results: tuple[int, ...]
    places: tuple[int | None, ...]
    uma: tuple[int, ...]
    penalty: int


def with_substitute(final: Final, seat: int, when: When, rules: Ruleset) -> Replaced:
    """Return a finished game with a substitute in a seat.

    EMA 7.3: the replaced player has -15,000 points and -15,000 uma. A substitute from the beginning takes a place: the
    others keep the uma of theirs. One who came in during the game takes none: the others have the uma of their own
    order. WRC 12.3.9: the seat is scored as any and not ranked; the replaced player has nothing, and a penalty.
    """
    if rules.substitute == "wrc":
        return Replaced(
            results=_put(final.results, seat, 0),
            places=_unranked(final.places, seat),
            uma=_put(final.uma, seat, 0),
            penalty=rules.replaced_points,
        )
    places = final.places if when == "before" else _places_of_the_others(final.scores, seat, rules)
    uma = final.uma if when == "before" else uma_of(places, rules)
    own = [score - rules.return_points + share for score, share in zip(final.scores, uma, strict=True)]
    return Replaced(
        results=_put(own, seat, -rules.replaced_points),
        places=_unranked(places, seat),
        uma=_put(uma, seat, -(rules.replaced_points // 2)),
        penalty=0,
    )


def _unranked(places: Sequence[int], seat: int) -> tuple[int | None, ...]:
    return tuple(None if each == seat else place for each, place in enumerate(places))


def _put(values: Sequence[int], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _places_of_the_others(scores: Sequence[int], seat: int, rules: Ruleset) -> tuple[int, ...]:
    """Return the places among the others; the seat itself comes last."""
    others = places_of([score for each, score in enumerate(scores) if each != seat], rules)
    return (*others[:seat], len(scores), *others[seat:])
