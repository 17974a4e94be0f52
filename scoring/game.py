"""The fold: entries to table states. Dealer, counters, deposits and the end of a game are derived here, never entered.

It believes nothing that a client says of the table; whether one entry may stand is judged in `check`.
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
    """One entry as it was played: the state it began with, what moved, and the state it led to."""

    entry: Entry
    before: TableState
    transfers: tuple[Transfer, ...]
    deltas: tuple[int, ...]
    after: TableState


@dataclass(frozen=True, slots=True)
class Game:
    """All hands of a game and the state after the last; `start` is the state before the first."""

    start: TableState
    hands: tuple[Hand, ...]

    @property
    def state(self) -> TableState:
        """The state after the last hand."""
        return self.hands[-1].after if self.hands else self.start

    def chombo_counts(self) -> tuple[int, ...]:
        """Count the chombo of each seat; they cost tournament points, not table points."""
        offences = [seat for hand in self.hands if isinstance(hand.entry, Chombo) for seat in hand.entry.offenders]
        return tuple(offences.count(seat) for seat in range(self.state.players))

    def final(self, rules: Ruleset) -> Final:
        """Finish the game as it stands: leftover deposits, places, uma and results."""
        return finish(self.state, rules)


def fold(entries: Iterable[Entry], rules: Ruleset, *, start: int | None = None) -> Game:
    """Play entries one after the other; `start` replaces the rule set's starting points.

    Every seat must be of this table, and a win must have a winner (see `check.problems`); nothing else is asked.
    """
    state = first = opening(rules, start)
    hands = []
    for entry in entries:
        hand = play(entry, state, rules)
        hands.append(hand)
        state = hand.after
    return Game(first, tuple(hands))


def play(entry: Entry, state: TableState, rules: Ruleset) -> Hand:
    """Play one entry: who pays whom, then the dealer, counters, deposits and the end of the game."""
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
    """Check entries one after the other, each at the state that the ones before led to; (index, problem) pairs.

    It stops after the first entry that has an error: what follows would be judged at a state that never was.
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
    """Move dealer, round and counters on, and end the game where it ends (E25 3.4.4, 3.4.5, 3.5)."""
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
    """Return the deals in a row where a book asks for them, else 0."""
    return deals if rules.paarenchan[0] else 0


def _keeps(entry: Entry, state: TableState) -> bool:
    """Tell whether the dealer kept the deal himself: by a win, or in tenpai (sanma rule book 11)."""
    return isinstance(entry, Ron | Tsumo) or state.dealer in getattr(entry, "tenpai", ())


def _winners(entry: Entry, rules: Ruleset) -> tuple[int, ...] | None:
    """Return the seats that won the hand, None where it was drawn."""
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
    """Tell whether a dealer who would repeat ends the game: in an extra round at the target, or by agari-yame."""
    reached = max(state.scores) >= rules.target_points
    if state.round >= rules.rounds and rules.target_points and reached:
        return True
    last = state.round >= rules.rounds - 1 and state.dealer == state.players - 1
    if not (rules.agari_yame and last and reached) or isinstance(entry, Abort):
        return False
    places = places_of(state.scores, rules)
    return places[state.dealer] == 1 and places.count(1) == 1


def _played_out(state: TableState, wind: int, rules: Ruleset) -> bool:
    """Tell whether the game is over now that the deal has passed into round `wind`."""
    if wind < rules.rounds:
        return False
    return wind >= rules.rounds + rules.extra_rounds or max(state.scores) >= rules.target_points
