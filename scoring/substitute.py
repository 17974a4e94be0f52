"""A game in which substitutes played: what it gives the replaced players and the others, by the book.

It knows a finished game and which seats were replaced; who sat there, and how it was found out, is not its matter.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from rules.ruleset import Ruleset
from scoring.placement import Final, places_of, uma_of

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
