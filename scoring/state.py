"""The state of a table between two hands: scores, dealer, round, honba, riichi sticks. `game` derives it."""

from typing import NamedTuple

from rules.ruleset import Ruleset

WINDS = "ESWN"


class TableState(NamedTuple):
    """Scores by seat in points; `dealer` is a seat; `round` 0 is East; `sticks` are riichi sticks on the table.

    `lost` are points that nobody has; `ended`: no further hand can be played. `straight` (for paarenchan) counts how
    often the dealer kept the deal by a win or tenpai, -1 if he began with honba. `chips` are each seat's chips won or
    lost, empty where none were paid. `gained` are the seats that gained by the hand whose bust ended the game.
    """

    scores: tuple[int, ...]
    dealer: int = 0
    round: int = 0
    honba: int = 0
    sticks: int = 0
    lost: int = 0
    ended: bool = False
    straight: int = 0
    chips: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()

    @property
    def round_wind(self) -> str:
        """The wind of the round, one of ESWN.

        >>> TableState((30000, 30000, 30000), round=1).round_wind
        'S'
        """
        return WINDS[self.round % len(WINDS)]

    @property
    def kyoku(self) -> int:
        """The number of the deal within its round, from 1."""
        return self.dealer + 1

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.scores)

    @property
    def winds(self) -> str:
        """The winds of all seats in this hand, in seat order.

        >>> TableState((0, 0, 0), dealer=2).winds
        'SWE'
        """
        return "".join(WINDS[(seat - self.dealer) % self.players] for seat in range(self.players))

    def wind_of(self, seat: int) -> str:
        """Return the wind of a seat in this hand, one of ESWN; the dealer is East.

        >>> TableState((0, 0, 0), dealer=2).wind_of(0)
        'S'
        """
        return WINDS[(seat - self.dealer) % self.players]

    def others(self, seat: int) -> tuple[int, ...]:
        """Return the other seats in turn order, the next player first.

        >>> TableState((0, 0, 0, 0)).others(2)
        (3, 0, 1)
        """
        return (*range(seat + 1, self.players), *range(seat))

    def paid(self, scores: tuple[int, ...], sticks: int, chips: tuple[int, ...]) -> "TableState":
        """Return the state with other scores, riichi sticks and chips; a game is folded by it, and by `passed`."""
        _scores, dealer, round_, honba, _sticks, lost, ended, straight, *_rest = self
        return TableState(scores, dealer, round_, honba, sticks, lost, ended, straight, chips)

    def passed(self, dealer: int, round_: int, honba: int, straight: int, *, ended: bool) -> "TableState":
        """Return the state with another dealer, round and honba; several times as fast as `_replace`."""
        return TableState(self.scores, dealer, round_, honba, self.sticks, self.lost, ended, straight, self.chips)


def opening(rules: Ruleset, start: int | None = None) -> TableState:
    """Return the state before the first hand; `start` replaces the starting points of the rules."""
    points = rules.start_points if start is None else start
    return TableState(scores=(points,) * rules.players)
