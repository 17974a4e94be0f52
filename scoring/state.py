"""The state of a table between two hands: scores, dealer, round, counters and deposits, all of it derived.

It is a value: the fold in `game` makes new ones and nothing changes one.
"""

from dataclasses import dataclass

from rules.ruleset import Ruleset

WINDS = "ESWN"


@dataclass(frozen=True, slots=True)
class TableState:
    """Scores by seat in points; `dealer` a seat; `round` 0 for East; `sticks` deposits left on the table.

    `lost` are points that nobody has any more; `ended` says that no further hand can be played. `straight` counts the
    hands that the dealer has kept the deal by a win or in tenpai, -1 where he took counters over (for paarenchan).
    """

    scores: tuple[int, ...]
    dealer: int = 0
    round: int = 0
    honba: int = 0
    sticks: int = 0
    lost: int = 0
    ended: bool = False
    straight: int = 0

    @property
    def round_wind(self) -> str:
        """The wind of the round, a letter.

        >>> TableState((30000, 30000, 30000), round=1).round_wind
        'S'
        """
        return WINDS[self.round % len(WINDS)]

    @property
    def kyoku(self) -> int:
        """The number of the hand within its round, from 1."""
        return self.dealer + 1

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.scores)

    def wind_of(self, seat: int) -> str:
        """Name the wind of a seat in this hand, a letter: the dealer is East.

        >>> TableState((0, 0, 0), dealer=2).wind_of(0)
        'S'
        """
        return WINDS[(seat - self.dealer) % self.players]

    def others(self, seat: int) -> tuple[int, ...]:
        """List the other seats in turn order, the next player first.

        >>> TableState((0, 0, 0, 0)).others(2)
        (3, 0, 1)
        """
        return tuple((seat + step) % self.players for step in range(1, self.players))


def opening(rules: Ruleset, start: int | None = None) -> TableState:
    """Return the state before the first hand; `start` replaces the rule set's starting points."""
    points = rules.start_points if start is None else start
    return TableState(scores=(points,) * rules.players)
