"""Fold entries into table states: derives dealer, honba, riichi sticks and the end of the game.

Nothing of the table's state is ever entered. `check` says whether an entry is allowed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules.ruleset import Ruleset
from scoring.check import problems
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo
from scoring.payments import Transfer, after_discarder, deltas_of, transfers_of
from scoring.placement import Final, finish, places_of
from scoring.problems import Problem, errors_of
from scoring.state import TableState, opening


@dataclass(frozen=True, slots=True)
class Hand:
    """An entry as played: the state before, the transfers, each seat's change, the state after."""

    entry: Entry
    before: TableState
    transfers: tuple[Transfer, ...]
    deltas: tuple[int, ...]
    after: TableState


@dataclass(frozen=True, slots=True)
class Game:
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


def fold(entries: Iterable[Entry], rules: Ruleset, *, start: int | None = None) -> Game:
    """Play entries in order; `start` replaces the starting points of the rules.

    Entries need not be checked (see `check.problems`), but seats must exist and a win must have a winner.
    """
    state = first = opening(rules, start)
    hands = []
    for entry in entries:
        hand = play(entry, state, rules)
        hands.append(hand)
        state = hand.after
    return Game(first, tuple(hands))


def play(entry: Entry, state: TableState, rules: Ruleset) -> Hand:
    """Play one entry: payments, then dealer, honba, riichi sticks and the end of the game."""
    match entry:
        case Totals():
            after = replace(state, scores=entry.scores, sticks=0, lost=entry.leftover, ended=True)
            deltas = tuple(new - old for new, old in zip(entry.scores, state.scores, strict=True))
            return Hand(entry, state, (), deltas, after)
        case Correction():
            return Hand(entry, state, (), entry.deltas, replace(state, scores=_add(state.scores, entry.deltas)))
        case Chombo():
            return Hand(entry, state, (), (0,) * state.players, replace(state, straight=_straight(-1, rules)))
    transfers = tuple(transfers_of(entry, state, rules))
    deltas = deltas_of(transfers, state.players)
    after = _next_hand(
        entry, replace(state, scores=_add(state.scores, deltas), sticks=_sticks(entry, state, rules)), rules
    )
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
    return tuple(score + delta for score, delta in zip(scores, deltas, strict=True))


def _sticks(entry: Entry, state: TableState, rules: Ruleset) -> int:
    won = isinstance(entry, Ron | Tsumo) or (isinstance(entry, Nagashi) and rules.nagashi == "tsumo")
    return 0 if won else state.sticks + len(entry.riichi)


def _next_hand(entry: Entry, state: TableState, rules: Ruleset) -> TableState:
    """Return the state of the next hand: dealer, round, honba and the end of the game (E25 3.4.4, 3.4.5, 3.5)."""
    stays = _dealer_stays(entry, state, rules)
    drawn = _winners(entry, rules) is None
    honba = state.honba + 1 if drawn or stays else 0
    if rules.bust and min(state.scores) < 0:
        return replace(state, honba=honba, ended=True)
    if stays:
        straight = state.straight + 1 if state.straight >= 0 and _keeps(entry, state) else -1
        straight = _straight(straight, rules)
        return replace(state, honba=honba, straight=straight, ended=_dealer_stops(entry, state, rules))
    dealer = (state.dealer + 1) % state.players
    wind, straight = state.round + (dealer == 0), _straight(-1 if honba else 0, rules)
    ended = _played_out(state, wind, rules)
    return replace(state, dealer=dealer, round=wind, honba=honba, straight=straight, ended=ended)


def _straight(deals: int, rules: Ruleset) -> int:
    """Return the deals in a row under rules with paarenchan, else 0: states stay equal."""
    return deals if rules.paarenchan[0] else 0


def _keeps(entry: Entry, state: TableState) -> bool:
    """Return whether the dealer kept the deal by a win or in tenpai (sanma rule book 11)."""
    return isinstance(entry, Ron | Tsumo) or state.dealer in getattr(entry, "tenpai", ())


def _winners(entry: Entry, rules: Ruleset) -> tuple[int, ...] | None:
    """Return the seats that won the hand, None for a draw."""
    match entry:
        case Ron() | Tsumo():
            return tuple(win.seat for win in entry.winners)
        case Nagashi() if rules.nagashi == "tsumo":
            return entry.winners
    return None


def _dealer_stays(entry: Entry, state: TableState, rules: Ruleset) -> bool:
    winners = _winners(entry, rules)
    if winners is not None:
        first = after_discarder(winners, entry.loser, state.players)[:1] if isinstance(entry, Ron) else winners
        return state.dealer in (winners if rules.dealer_on_multiple_ron == "among" else first)
    if isinstance(entry, Abort):
        return True
    tenpai = entry.tenpai if isinstance(entry, Draw | Nagashi) else ()
    stays = rules.dealer_on_draw_later if state.round else rules.dealer_on_draw
    return stays == "always" or state.dealer in tenpai or (stays == "tenpai_or_nobody" and not tenpai)


def _dealer_stops(entry: Entry, state: TableState, rules: Ruleset) -> bool:
    """Return whether a repeating dealer ends the game: at the target in an extra round, or by agari-yame."""
    reached = max(state.scores) >= rules.target_points
    if state.round >= rules.rounds and rules.target_points and reached:
        return True
    last = state.round >= rules.rounds - 1 and state.dealer == state.players - 1
    if not (rules.agari_yame and last and reached) or isinstance(entry, Abort):
        return False
    places = places_of(state.scores, rules)
    return places[state.dealer] == 1 and places.count(1) == 1


def _played_out(state: TableState, wind: int, rules: Ruleset) -> bool:
    """Return whether the game is over when the deal passes into round `wind`."""
    if wind < rules.rounds:
        return False
    return wind >= rules.rounds + rules.extra_rounds or max(state.scores) >= rules.target_points
