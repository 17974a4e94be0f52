"""What an engine says of a hand, in one form for all: ours and both oracles.

None stands for a hand without a yaku. No engine is asked here.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """A hand's figures: `dora` of every kind, `value` what all pay without counters, `total` with; None is not said."""

    han: int
    fu: int | None
    yakuman: int
    yaku: tuple[str, ...]
    dora: int | None
    value: int | None
    total: int | None


def ordered(names: list[str]) -> tuple[str, ...]:
    """Return yaku names in an order of their own, so that two engines' lists can be compared."""
    return tuple(sorted(names))


def agree(ours: Answer | None, theirs: Answer | None) -> bool:
    """Tell whether an oracle says the same as we do of all that it says at all."""
    if ours is None or theirs is None:
        return ours is theirs
    said = [(getattr(ours, name), getattr(theirs, name)) for name in Answer.__slots__]
    return all(our == their for our, their in said if their is not None)
