"""Fold entries into table states: derives dealer, honba, riichi sticks and the end of the game.

Nothing of the table's state is ever entered. `check` says whether an entry is allowed.
"""

import operator
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.chips import chips_after
from scoring.dealer import after_chombo, next_hand
from scoring.entries import Chombo, Correction, Entry, Nagashi, Ron, Totals, Tsumo
from scoring.payments import Transfer, deltas_of, transfers_of
from scoring.placement import Final, finish
from scoring.problems import Problem, errors_of
from scoring.state import TableState, opening


class Hand(NamedTuple):
    """An entry as played: the state before, the transfers, each seat's change, the state after."""

    entry: Entry
    before: TableState
    transfers: tuple[Transfer, ...]
    deltas: tuple[int, ...]
    after: TableState


class Game(NamedTuple):
    """The hands of a game; `start` is the state before the first."""

    start: TableState
    hands: tuple[Hand, ...]

    @property
    def state(self) -> TableState:
        """The state after the last hand."""
        return self.hands[-1].after if self.hands else self.start

    def final(self, rules: Ruleset) -> Final:
        """Return the result of the game as if it ended now."""
        return finish(self.state, rules)


def fold(entries: Iterable[Entry], rules: Ruleset, *, start: int | None = None, after: Game | None = None) -> Game:
    """Play entries in order, `after` those of a game; `start` replaces the starting points of the rules.

    Entries need not be checked (see `check.problems`), but seats must exist and a win must have a winner.
    """
    game = after or Game(opening(rules, start), ())
    state, hands = game.state, list(game.hands)
    for entry in entries:
        hand = play(entry, state, rules)
        hands.append(hand)
        state = hand.after
    return Game(game.start, tuple(hands))


def play(entry: Entry, state: TableState, rules: Ruleset) -> Hand:
    """Play one entry: payments, then dealer, honba, riichi sticks and the end of the game."""
    match entry:
        case Totals():
            chips = chips_after(entry, state, rules)
            after = state._replace(scores=entry.scores, sticks=0, lost=entry.leftover, ended=True, chips=chips)
            deltas = tuple(new - old for new, old in zip(entry.scores, state.scores, strict=True))
            return Hand(entry, state, (), deltas, after)
        case Correction():
            return Hand(entry, state, (), entry.deltas, state._replace(scores=_add(state.scores, entry.deltas)))
    transfers = tuple(transfers_of(entry, state, rules))
    deltas = deltas_of(transfers, state.players)
    scores = _add(state.scores, deltas)
    if isinstance(entry, Chombo):
        after = after_chombo(state._replace(scores=scores), rules)
    else:
        won = isinstance(entry, (Ron, Tsumo)) or (isinstance(entry, Nagashi) and rules.nagashi == "tsumo")
        sticks = 0 if won else state.sticks + len(entry.riichi)
        paid = state.paid(scores, sticks, chips_after(entry, state, rules))
        after = next_hand(entry, paid, rules)
    if after.ended and rules.bust_prize:
        after = after._replace(gained=tuple(seat for seat, delta in enumerate(deltas) if delta > 0))
    return Hand(entry, state, transfers, deltas, after)


def judge(entries: Iterable[Entry], state: TableState, rules: Ruleset) -> list[tuple[int, Problem]]:
    """Check entries in order, each at the state after those before; return (index, problem) pairs.

    Stops after the first entry with an error: later ones would be checked at a wrong state.
    """
    found: list[tuple[int, Problem]] = []
    for index, entry in enumerate(entries):
        here = problems(entry, state, rules)
        found += [(index, problem) for problem in here]
        if errors_of(here):
            break
        state = play(entry, state, rules).after
    return found


def _add(scores: Sequence[int], deltas: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(operator.add, scores, deltas))
