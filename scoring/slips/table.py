"""A game folded quickly and often: what its hands pay from any state on, without scores."""

from collections.abc import Sequence
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.announced import changes
from scoring.entries import Entry, Ron, Tsumo
from scoring.game import play
from scoring.state import TableState
from scoring.value import base_points

PLENTY = 10_000_000  # points with which no slip ends the game
CONTRADICTED = 8.0  # the table announced something else for a hand
WITHOUT_STICKS = 2.0  # it may have announced a payment without the riichi sticks


class At(NamedTuple):
    """What payments depend on: dealer, round, honba, riichi sticks."""

    dealer: int = 0
    round: int = 0
    honba: int = 0
    sticks: int = 0


class Moved(NamedTuple):
    """Each seat's change, how badly hands fit what was announced for them (0: just so), and what comes after."""

    deltas: tuple[int, ...]
    strain: float
    after: At


class Folding:
    """The hands of a game from any hand and state on; every such tail is folded once."""

    def __init__(self, entries: Sequence[Entry], rules: Ruleset) -> None:
        self.entries, self.rules = entries, rules
        self._neutral = (PLENTY,) * rules.players
        self._zero = (0,) * rules.players
        self._tails: dict[tuple[int, At], Moved] = {}
        self._wins: dict[tuple[object, ...], Moved] = {}
        self.heads = [Moved(self._zero, 0.0, At())]
        for entry in entries:
            self.heads.append(self._then(self.heads[-1], entry))

    def state(self, at: At) -> TableState:
        """Return a state for payments; nobody ever runs out of points."""
        return TableState(self._neutral, at.dealer, at.round, at.honba, at.sticks)

    def play(self, entry: Entry, at: At) -> Moved:
        """Play one hand."""
        state = self.state(at)
        hand = play(entry, state, self.rules)
        after = At(hand.after.dealer, hand.after.round, hand.after.honba, hand.after.sticks)
        return Moved(hand.deltas, _strain(entry, state, self.rules) if entry.announced else 0.0, after)

    def tail(self, index: int, at: At) -> Moved:
        """Return what the hands from `index` on move in all."""
        chain: list[tuple[tuple[int, At], Moved]] = []
        while index < len(self.entries) and (index, at) not in self._tails:
            moved = self.play(self.entries[index], at)
            chain.append(((index, at), moved))
            index, at = index + 1, moved.after
        found = self._tails.get((index, at), Moved(self._zero, 0.0, at))
        for key, moved in reversed(chain):
            found = Moved(_sum(moved.deltas, found.deltas), moved.strain + found.strain, found.after)
            self._tails[key] = found
        return found

    def replaced(self, index: int, cut: int, new: Sequence[Entry]) -> Moved:
        """Return what the whole game moves with `new` instead of the hands from `index` to `index + cut`."""
        one = new[0] if cut == len(new) == 1 else None
        if not isinstance(one, Ron | Tsumo):
            return self._replaced(index, cut, new)
        # most values pay what another one pays
        wins = (
            (win.seat, base_points(win, self.rules), win.pao, win.pao is not None and win.yaku) for win in one.winners
        )
        key = (index, getattr(one, "loser", None), one.riichi, *wins)
        if key not in self._wins:
            self._wins[key] = self._replaced(index, cut, new)
        return self._wins[key]

    def _replaced(self, index: int, cut: int, new: Sequence[Entry]) -> Moved:
        moved = self.heads[index]
        for entry in new:
            moved = self._then(moved, entry)
        tail = self.tail(index + cut, moved.after)
        return Moved(_sum(moved.deltas, tail.deltas), moved.strain + tail.strain, tail.after)

    def _then(self, moved: Moved, entry: Entry) -> Moved:
        one = self.play(entry, moved.after)
        return Moved(_sum(moved.deltas, one.deltas), moved.strain + one.strain, one.after)


def _strain(entry: Entry, state: TableState, rules: Ruleset) -> float:
    """Return how badly a hand fits its announcement: with its riichi sticks best, without them well, else not."""
    hand, sticks = changes(entry, state, rules)
    said = entry.announced or {}
    if all(points == hand[seat] + sticks[seat] for seat, points in said.items()):
        return 0.0
    without = all(points in (hand[seat], hand[seat] + sticks[seat]) for seat, points in said.items())
    return WITHOUT_STICKS if without else CONTRADICTED


def _sum(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(int.__add__, one, other))
