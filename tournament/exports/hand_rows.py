"""The rows of the worksheet of hands, worded where they are written: the process that prints can load this module."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.game import Hand
from tournament.text.languages import join_spaced
from tournament.text.readback import read_back

Row = Sequence[str | int | None]


class PlayedHand(NamedTuple):
    """A hand that stands, with the names by seat; `number` counts from 1 at its table."""

    round: int
    table: int
    number: int
    hand: Hand
    names: Sequence[str]
    corrected: bool


@dataclass(frozen=True, slots=True)
class HandRows(Collection[Row]):
    """The rows of these hands, changes and points by seat; `rules` by the number of players at a table."""

    hands: Sequence[PlayedHand]
    rules: Mapping[int, Ruleset]

    def __len__(self) -> int:
        return len(self.hands)

    def __contains__(self, row: object) -> bool:
        return row in list(self)

    def __iter__(self) -> Iterator[Row]:
        for round_, table, number, hand, names, corrected in self.hands:
            said = read_back(hand, names, self.rules[len(hand.deltas)])
            empty = [None] * (max(self.rules) - len(hand.deltas))
            remark = join_spaced((hand.entry.note, _("corrected") if corrected else ""))
            yield [
                round_, table, number, said.name, hand.before.honba, hand.before.sticks, said.what, said.value or None,
                said.riichi or None, *hand.deltas, *empty, *hand.after.scores, *empty, remark or None,
            ]  # fmt: skip
