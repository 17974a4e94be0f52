"""Check an entry against the table and the rules: problems as codes with parameters.

Errors stop an entry; warnings need a reason. The wording is in `web`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rules.ruleset import Ruleset
from scoring.announced import differing, likely_causes
from scoring.check_win import win_problems
from scoring.dealer import may_stop
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo
from scoring.payments import deltas_of, transfers_of
from scoring.placement import settle
from scoring.problems import Problem, error, errors_of, warning
from scoring.state import TableState

# The version of the judge, noted in each row that it takes: raised when an entry that it took becomes an error.
JUDGE = 1

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
        return [error("game.ended")]
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
        yield error("game.cannot_stop" if rules.yame_choice else "game.no_choice")


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
        yield error("seat.not_at_table", seat=seat, players=rules.players)
    for name in ("deltas", "scores", "chips"):
        points = getattr(entry, name, None)
        if points is not None and len(points) != rules.players and (points or name != "chips"):
            yield error("points.not_for_each_seat", given=len(points), players=rules.players)


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
        yield warning("riichi.outside_hand", seats=tuple(entry.riichi))
        return
    yield from (error("riichi.twice", seat=seat) for seat in _twice(entry.riichi))
    for seat in sorted(set(entry.riichi)):
        if state.scores[seat] < rules.riichi_deposit and rules.riichi_short != "allowed":
            params: dict[str, Any] = {"seat": seat, "score": state.scores[seat], "deposit": rules.riichi_deposit}
            yield (error if rules.riichi_short == "error" else warning)("riichi.short", **params)


def _dead(entry: Entry) -> Iterator[Problem]:
    """Check that a dead hand neither wins nor is tenpai (E25 3.3.14; WRC 2025 12.1)."""
    if entry.dead and isinstance(entry, Correction | Totals):
        yield error("dead.outside_hand", seats=tuple(entry.dead))
        return
    yield from (error("dead.twice", seat=seat) for seat in _twice(entry.dead))
    winners = {win if isinstance(win, int) else win.seat for win in getattr(entry, "winners", ())}
    for seat in sorted(set(entry.dead)):
        if seat in winners:
            yield error("dead.wins", seat=seat)
        if seat in getattr(entry, "tenpai", ()):
            yield error("dead.tenpai", seat=seat)


def _ron(entry: Ron, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    seats = [win.seat for win in entry.winners]
    if not seats:
        yield error("win.no_winner")
    yield from (error("win.winner_twice", seat=seat) for seat in _twice(seats))
    if entry.loser in seats:
        yield error("win.winner_is_discarder", seat=entry.loser)
    if len(seats) > 1 and rules.multiple_ron == "head_bump":
        yield error("win.head_bump", winners=len(seats))
    if len(seats) >= rules.players - 1 > 2 and rules.triple_ron_aborts:
        yield error("win.triple_ron_aborts")
    for win in entry.winners:
        yield from win_problems(win, state, rules, tsumo=False, riichi=win.seat in entry.riichi)
        if win.pao == entry.loser:
            yield error("pao.by_discarder", seat=entry.loser)


def _tsumo(entry: Tsumo, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if len(entry.winners) != 1:
        yield error("win.tsumo_has_one_winner", winners=len(entry.winners))
    for win in entry.winners:
        yield from win_problems(win, state, rules, tsumo=True, riichi=win.seat in entry.riichi)


def _draw(entry: Draw | Nagashi, _state: TableState, _rules: Ruleset) -> Iterator[Problem]:
    """Warn of riichi while noten, unless the hand is dead: then no chombo is due (E25 3.3.14)."""
    yield from (error("draw.tenpai_twice", seat=seat) for seat in _twice(entry.tenpai))
    for seat in sorted(set(entry.riichi) - set(entry.tenpai) - set(entry.dead)):
        yield warning("draw.riichi_noten", seat=seat)


def _nagashi(entry: Nagashi, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if rules.nagashi == "none":
        yield error("nagashi.not_in_rules")
        return
    if not entry.winners:
        yield error("win.no_winner")
    yield from (error("win.winner_twice", seat=seat) for seat in _twice(entry.winners))
    tenpai = list(_draw(entry, state, rules))
    yield from tenpai if rules.nagashi == "draw" else errors_of(tenpai)
    for seat in entry.winners:
        if rules.nagashi_closed and seat not in entry.riichi:
            yield warning("nagashi.closed_hand", seat=seat)


def _abort(entry: Abort, _state: TableState, rules: Ruleset) -> Iterator[Problem]:
    if entry.reason not in rules.abortive_draws:
        yield error("abort.not_in_rules", reason=entry.reason, known=rules.abortive_draws)


def _chombo(entry: Chombo, _state: TableState, _rules: Ruleset) -> Iterator[Problem]:
    if not entry.offenders:
        yield error("chombo.no_offender")
    yield from (error("chombo.offender_twice", seat=seat) for seat in _twice(entry.offenders))


def _correction(entry: Correction, _state: TableState, _rules: Ruleset) -> Iterator[Problem]:
    if sum(entry.deltas):
        yield error("correction.not_zero", total=sum(entry.deltas))
    if not any(entry.deltas):
        yield error("correction.nothing")
    if not entry.reason.strip():
        yield error("correction.no_reason")


def _totals(entry: Totals, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    fresh = (state.dealer, state.round, state.honba, state.sticks) == (0, 0, 0, 0) and len(set(state.scores)) == 1
    if not fresh:
        yield error("totals.after_hands")
        return
    if entry.leftover < 0:
        yield error("totals.leftover_negative")
    if entry.chips and not rules.chip_points:
        yield error("chips.not_in_rules")
    elif sum(entry.chips):
        yield error("chips.not_zero", total=sum(entry.chips))
    wanted = sum(state.scores)
    gap = sum(entry.scores) + entry.leftover - wanted
    if gap:
        yield error(
            "totals.sum",
            total=sum(entry.scores),
            leftover=entry.leftover,
            wanted=wanted,
            gap=gap,
            deposit=rules.riichi_deposit,
        )
    elif entry.leftover > 0:
        yield from _leftover(entry, rules)


def _leftover(entry: Totals, rules: Ruleset) -> Iterator[Problem]:
    """Refuse points that nobody got where the book gives them to somebody, or where they are no riichi sticks."""
    scores, left = settle(entry.scores, entry.leftover, rules)
    if scores != entry.scores:
        first = tuple(seat for seat, score in enumerate(scores) if score != entry.scores[seat])
        yield error(
            "totals.leftover_has_owner", leftover=entry.leftover, seats=first, score=scores[first[0]], left=left
        )
    elif left != entry.leftover:
        yield error("totals.leftover_odd", leftover=entry.leftover, deposit=rules.riichi_deposit)


def _announced(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Problem]:
    """Warn of an announced payment that differs from the computed one, with the slips that explain it."""
    wrong = differing(entry, state, rules)
    causes = tuple(slip.cause for slip in likely_causes(entry, state, rules)) if wrong else ()
    for seat, computed in wrong.items():
        said = (entry.announced or {})[seat]
        yield warning("payment.announced_differs", seat=seat, announced=said, computed=computed, causes=causes)


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
