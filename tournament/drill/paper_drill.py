"""The referee's drill on paper: questions with answers to choose from, and the key on a page of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.hands.call_slip_sheets_call_slip import Faces
from tournament.pdf.drawings import drawn
from tournament.pdf.render import Leaves


@dataclass(frozen=True, slots=True)
class DrillItem:
    """A question in words; `options` are letters with answers, `key` the right letter.

    `tiles` are the parts of a hand as they lie; `why` and `clauses` the reasons of the answer.
    """

    number: int
    ask: str
    facts: str
    tiles: tuple[Faces, ...]
    options: tuple[tuple[str, str], ...]
    key: str
    answer: str
    why: str
    clauses: str


def drill_leaves(items: Sequence[DrillItem], seed: int) -> Leaves:
    """Give the questions and then the key. Raises ValueError for no question."""
    if not items:
        raise ValueError("there is nothing to ask")
    shown = [(item, [(each.word, [drawn(tile) for tile in each.tiles]) for each in item.tiles]) for item in items]
    return Leaves("drill", ({"items": shown, "seed": seed},))
