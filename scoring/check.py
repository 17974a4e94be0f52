"""Check an entry against the table and the rules: problems as codes with parameters.

Errors stop an entry; warnings need a reason. The wording is in `web`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rules.ruleset import Ruleset
from scoring.announced import differing, likely_causes
from scoring.check_win import CHIPS_NOT_IN_RULES, win_problems
from scoring.dealer import may_stop
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo
from scoring.payments import deltas_of, transfers_of
from scoring.placement import settle
from scoring.problems import Problem, ProblemType, errors_of
from scoring.state import TableState

GAME_ENDED = ProblemType("game.ended", "The game is over: no further hand can be entered.")
GAME_NO_CHOICE = ProblemType("game.no_choice", "Under these rules no dealer chooses whether the game ends.")
GAME_CANNOT_STOP = ProblemType(
    "game.cannot_stop",
    "The dealer can end the game only in the last deal, alone in first place, by a hand that keeps the deal.",
)
SEAT_NOT_AT_TABLE = ProblemType("seat.not_at_table", "{seat} is not at the table: there are {players} players.")
POINTS_NOT_FOR_EACH_SEAT = ProblemType(
    "points.not_for_each_seat", "{given} numbers for {players} players: every player needs one."
)
WIN_NO_WINNER = ProblemType("win.no_winner", "There is no winner.")
WIN_WINNER_TWICE = ProblemType("win.winner_twice", "{seat} is named twice as a winner.")
WIN_WINNER_IS_DISCARDER = ProblemType("win.winner_is_discarder", "{seat} cannot win by ron from their own discard.")
WIN_TSUMO_HAS_ONE_WINNER = ProblemType("win.tsumo_has_one_winner", "A tsumo has one winner, not {winners}.")
WIN_HEAD_BUMP = ProblemType(
    "win.head_bump", "Only the first winner after the discarder wins under these rules (head bump), not {winners}."
)
WIN_TRIPLE_RON_ABORTS = ProblemType(
    "win.triple_ron_aborts", "Three ron on one discard are an abortive draw under these rules."
)
PAO_BY_DISCARDER = ProblemType(
    "pao.by_discarder", "{seat} discarded the winning tile and pays anyway: enter it without liability."
)
RIICHI_TWICE = ProblemType("riichi.twice", "{seat} is named twice among the riichi.")
RIICHI_OUTSIDE_HAND = ProblemType("riichi.outside_hand", "A riichi belongs to a hand, and this is not a hand: {seats}.")
RIICHI_SHORT = ProblemType("riichi.short", "{seat} has {score} points, less than the riichi stick of {deposit}.")
DRAW_TENPAI_TWICE = ProblemType("draw.tenpai_twice", "{seat} is named twice among the tenpai.")
DEAD_OUTSIDE_HAND = ProblemType("dead.outside_hand", "{seats}: a hand can be dead only in a hand that is played.")
DEAD_TWICE = ProblemType("dead.twice", "{seat} is named twice among the dead hands.")
DEAD_WINS = ProblemType("dead.wins", "{seat} cannot win: the hand is dead.")
DEAD_TENPAI = ProblemType("dead.tenpai", "{seat} cannot be tenpai: the hand is dead, and pays as noten.")
DRAW_RIICHI_NOTEN = ProblemType("draw.riichi_noten", "{seat} had riichi but is not tenpai: a dead hand, or a chombo?")
NAGASHI_NOT_IN_RULES = ProblemType("nagashi.not_in_rules", "Nagashi mangan is not played under these rules.")
NAGASHI_CLOSED_HAND = ProblemType(
    "nagashi.closed_hand", "Nagashi mangan needs a closed hand: was the hand of {seat} closed?"
)
ABORT_NOT_IN_RULES = ProblemType("abort.not_in_rules", "This abortive draw ({reason}) is not played: {known}.")
CHOMBO_NO_OFFENDER = ProblemType("chombo.no_offender", "A chombo needs an offender.")
CHOMBO_OFFENDER_TWICE = ProblemType("chombo.offender_twice", "{seat} is named twice among the offenders.")
CORRECTION_NOT_ZERO = ProblemType(
    "correction.not_zero", "A correction moves points between players: its numbers must sum to 0, not {total}."
)
CORRECTION_NOTHING = ProblemType("correction.nothing", "A correction must move something.")
CORRECTION_NO_REASON = ProblemType("correction.no_reason", "A correction needs a reason.")
TOTALS_AFTER_HANDS = ProblemType(
    "totals.after_hands", "There are hands at this table: it is signed, not entered by totals."
)
TOTALS_LEFTOVER_NEGATIVE = ProblemType("totals.leftover_negative", "Points left on the table cannot be negative.")
CHIPS_NOT_ZERO = ProblemType("chips.not_zero", "Chips move between players: their numbers must sum to 0, not {total}.")
TOTALS_LEFTOVER_HAS_OWNER = ProblemType(
    "totals.leftover_has_owner",
    "{leftover} points of riichi sticks cannot stay with nobody: these rules give them to the first place. "
    "Either enter {score} for {seats}, with {left} left over, or, where the event plays that nobody gets them, "
    "have an organiser change that rule first.",
)
TOTALS_LEFTOVER_ODD = ProblemType(
    "totals.leftover_odd",
    "{leftover} points cannot be left over: riichi sticks are {deposit} each. Either correct the score that is "
    "off, or enter the riichi sticks left as whole ones.",
)
TOTALS_SUM = ProblemType(
    "totals.sum", "The scores sum to {total} with {leftover} left over, {gap_words}; they must make {wanted}."
)
PAYMENT_ANNOUNCED_DIFFERS = ProblemType(
    "payment.announced_differs", "The table announced {announced} for {seat}; the hand pays {computed}{causes_words}."
)

# The version of the judge, noted in each row that it takes: raised when an entry that it took becomes an error.
JUDGE = 2

# problems of an entry that the fold cannot play
UNPLAYABLE = frozenset({"seat.not_at_table", "points.not_for_each_seat", "win.no_winner", "win.tsumo_has_one_winner"})


def problems(entry: Entry, state: TableState, rules: Ruleset) -> list[Problem]:
    """Return the problems of an entry for the next hand, errors before warnings.

    >>> from rules.books import load
    >>> from scoring.entries import Win
    >>> from scoring.state import opening
    >>> rules = load("ema-2025")
    >>> [p.code for p in problems(Ron(loser=1, winners=(Win(seat=1, han=1, fu=20),)), opening(rules), rules)]
    ['win.winner_is_discarder', 'win.fu_impossible']
    """
    if state.ended and not isinstance(entry, Correction):
        return [GAME_ENDED()]
    away = list(_away(entry, rules))
    if away:
        return away
    found = [*_riichi(entry, state, rules), *_dead(entry), *_CHECKS[type(entry)](entry, state, rules)]
    if not errors_of(found):
        found += [*_stops(entry, state, rules), *_announced(entry, state, rules)]
    # yaku names and tiles may find the same problem
    once = [problem for at, problem in enumerate(found) if problem not in found[:at]]
    return sorted(once, key=lambda problem: problem.severity)


def _stops(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    """Check that a game ended by its dealer is one that he may end: by choice, in the last deal, alone in front."""
    if not entry.stops:
        return
    deltas = deltas_of(transfers_of(entry, state, rules), state.players)
    scores = tuple(score + delta for score, delta in zip(state.scores, deltas, strict=True))
    if not may_stop(entry, state._replace(scores=scores), rules):
        yield (GAME_CANNOT_STOP if rules.yame_choice else GAME_NO_CHOICE)()


def may_be_riichi_tile(entry: Entry, rules: Ruleset) -> bool:
    """Tell whether a ron may be on the tile of the discarder's riichi, and the riichi stick would go back (E25 3.3.10).

    The tile of a kan is none, nor is the last discard where a riichi needs tiles in the wall.

    >>> from rules.books import load
    >>> from scoring.shorthand import parse
    >>> [may_be_riichi_tile(parse(line), load("ema-2025")) for line in ("2r3 340/3", "2r3 340/2", "2t 230/3")]
    [True, False, False]
    """
    if not isinstance(entry, Ron) or entry.loser not in entry.riichi or not rules.deposit_back_on_ron:
        return False
    never = {"chankan", "houtei"} if rules.riichi_tiles_left else {"chankan"}
    return not any(name in (win.yaku or ()) or (win.hand or {}).get(name) for win in entry.winners for name in never)


def _away(entry: Entry, rules: Ruleset) -> Iterator[Problem]:
    """Yield each seat that is not at the table; nothing else can be checked then."""
    for seat in sorted({seat for seat in seats_of(entry) if not 0 <= seat < rules.players}):
        yield SEAT_NOT_AT_TABLE(seat=seat, players=rules.players)
    for name in ("deltas", "scores", "chips"):
        points = getattr(entry, name, None)
        if points is not None and len(points) != rules.players and (points or name != "chips"):
            yield POINTS_NOT_FOR_EACH_SEAT(given=len(points), players=rules.players)


def seats_of(entry: Entry) -> Iterator[int]:
    """Yield every seat that an entry names, from 0."""
    yield from (*entry.riichi, *entry.dead)
    yield from entry.announced or ()
    for name in ("tenpai", "offenders"):
        yield from getattr(entry, name, ())
    if isinstance(entry, Ron):
        yield entry.loser
    for win in getattr(entry, "winners", ()):
        yield from [win] if isinstance(win, int) else [win.seat, *([] if win.pao is None else [win.pao])]


def _riichi(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if entry.riichi and isinstance(entry, Correction | Totals):
        yield RIICHI_OUTSIDE_HAND.warning(seats=tuple(entry.riichi))
        return
    yield from (RIICHI_TWICE(seat=seat) for seat in _twice(entry.riichi))
    for seat in sorted(set(entry.riichi)):
        if state.scores[seat] < rules.riichi_deposit and rules.riichi_short != "allowed":
            make = RIICHI_SHORT if rules.riichi_short == "error" else RIICHI_SHORT.warning
            yield make(seat=seat, score=state.scores[seat], deposit=rules.riichi_deposit)


def _dead(entry: Entry) -> Iterator[Problem]:
    """Check that a dead hand neither wins nor is tenpai (E25 3.3.14; WRC 2025 12.1)."""
    if entry.dead and isinstance(entry, Correction | Totals):
        yield DEAD_OUTSIDE_HAND(seats=tuple(entry.dead))
        return
    yield from (DEAD_TWICE(seat=seat) for seat in _twice(entry.dead))
    winners = {win if isinstance(win, int) else win.seat for win in getattr(entry, "winners", ())}
    for seat in sorted(set(entry.dead)):
        if seat in winners:
            yield DEAD_WINS(seat=seat)
        if seat in getattr(entry, "tenpai", ()):
            yield DEAD_TENPAI(seat=seat)


def _ron(entry: Ron, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    seats = [win.seat for win in entry.winners]
    if not seats:
        yield WIN_NO_WINNER()
    yield from (WIN_WINNER_TWICE(seat=seat) for seat in _twice(seats))
    if entry.loser in seats:
        yield WIN_WINNER_IS_DISCARDER(seat=entry.loser)
    if len(seats) > 1 and rules.multiple_ron == "head_bump":
        yield WIN_HEAD_BUMP(winners=len(seats))
    if len(seats) >= rules.players - 1 > 2 and rules.triple_ron_aborts:
        yield WIN_TRIPLE_RON_ABORTS()
    for win in entry.winners:
        yield from win_problems(win, state, rules, tsumo=False, riichi=win.seat in entry.riichi)
        if win.pao == entry.loser:
            yield PAO_BY_DISCARDER(seat=entry.loser)


def _tsumo(entry: Tsumo, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if len(entry.winners) != 1:
        yield WIN_TSUMO_HAS_ONE_WINNER(winners=len(entry.winners))
    for win in entry.winners:
        yield from win_problems(win, state, rules, tsumo=True, riichi=win.seat in entry.riichi)


def _draw(entry: Draw | Nagashi, _state: TableState, _rules: Ruleset) -> Iterator[Problem]:
    """Warn of riichi while noten, unless the hand is dead: then no chombo is due (E25 3.3.14)."""
    yield from (DRAW_TENPAI_TWICE(seat=seat) for seat in _twice(entry.tenpai))
    for seat in sorted(set(entry.riichi) - set(entry.tenpai) - set(entry.dead)):
        yield DRAW_RIICHI_NOTEN.warning(seat=seat)


def _nagashi(entry: Nagashi, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if rules.nagashi == "none":
        yield NAGASHI_NOT_IN_RULES()
        return
    if not entry.winners:
        yield WIN_NO_WINNER()
    yield from (WIN_WINNER_TWICE(seat=seat) for seat in _twice(entry.winners))
    tenpai = list(_draw(entry, state, rules))
    yield from tenpai if rules.nagashi == "draw" else errors_of(tenpai)
    for seat in entry.winners:
        if rules.nagashi_closed and not entry.closed and seat not in entry.riichi:
            yield NAGASHI_CLOSED_HAND.warning(seat=seat)


def _abort(entry: Abort, _state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if entry.reason not in rules.abortive_draws:
        yield ABORT_NOT_IN_RULES(reason=entry.reason, known=rules.abortive_draws)


def _chombo(entry: Chombo, _state: TableState, _rules: Ruleset) -> Iterator[Problem]:
    if not entry.offenders:
        yield CHOMBO_NO_OFFENDER()
    yield from (CHOMBO_OFFENDER_TWICE(seat=seat) for seat in _twice(entry.offenders))


def _correction(entry: Correction, _state: TableState, _rules: Ruleset) -> Iterator[Problem]:
    if sum(entry.deltas):
        yield CORRECTION_NOT_ZERO(total=sum(entry.deltas))
    if not any(entry.deltas):
        yield CORRECTION_NOTHING()
    if not entry.reason.strip():
        yield CORRECTION_NO_REASON()


def _totals(entry: Totals, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    fresh = (state.dealer, state.round, state.honba, state.sticks) == (0, 0, 0, 0) and len(set(state.scores)) == 1
    if not fresh:
        yield TOTALS_AFTER_HANDS()
        return
    if entry.leftover < 0:
        yield TOTALS_LEFTOVER_NEGATIVE()
    if entry.chips and not rules.chip_points:
        yield CHIPS_NOT_IN_RULES()
    elif sum(entry.chips):
        yield CHIPS_NOT_ZERO(total=sum(entry.chips))
    wanted = sum(state.scores)
    gap = sum(entry.scores) + entry.leftover - wanted
    if gap:
        yield TOTALS_SUM(
            total=sum(entry.scores), leftover=entry.leftover, wanted=wanted, gap=gap, deposit=rules.riichi_deposit
        )
    elif entry.leftover > 0:
        yield from _leftover(entry, rules)


def _leftover(entry: Totals, rules: Ruleset) -> Iterator[Problem]:
    """Refuse points that nobody got where the book gives them to somebody, or where they are no riichi sticks."""
    scores, left = settle(entry.scores, entry.leftover, rules)
    if scores != entry.scores:
        first = tuple(seat for seat, score in enumerate(scores) if score != entry.scores[seat])
        yield TOTALS_LEFTOVER_HAS_OWNER(leftover=entry.leftover, seats=first, score=scores[first[0]], left=left)
    elif left != entry.leftover:
        yield TOTALS_LEFTOVER_ODD(leftover=entry.leftover, deposit=rules.riichi_deposit)


def _announced(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    """Warn of an announced payment that differs from the computed one, with the slips that explain it."""
    wrong = differing(entry, state, rules)
    causes = tuple(slip.cause for slip in likely_causes(entry, state, rules)) if wrong else ()
    for seat, computed in wrong.items():
        said = (entry.announced or {})[seat]
        yield PAYMENT_ANNOUNCED_DIFFERS.warning(seat=seat, announced=said, computed=computed, causes=causes)


def _twice(seats: Sequence[int]) -> list[int]:
    return sorted({seat for seat in seats if list(seats).count(seat) > 1})


_CHECKS: dict[type[Entry], Callable[[Any, TableState, Ruleset], Iterator[Problem]]] = {
    Ron: _ron,
    Tsumo: _tsumo,
    Draw: _draw,
    Nagashi: _nagashi,
    Abort: _abort,
    Chombo: _chombo,
    Correction: _correction,
    Totals: _totals,
}
