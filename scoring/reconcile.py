"""The signed sheet as a balance assertion: the paper's totals against the fold, and the likely cause of a gap.

It corrects nothing: it only says where paper and entries part.
"""

from collections.abc import Callable, Iterator, Sequence

from rules.ruleset import Ruleset
from scoring.game import Game, fold
from scoring.placement import give_leftover
from scoring.problems import Problem, error
from scoring.state import TableState

Counted = Callable[[TableState], tuple[int, ...]]


def reconcile(game: Game, paper: Sequence[int], paper_leftover: int, rules: Ruleset) -> list[Problem]:
    """Compare the paper's final scores by seat with the fold.

    `paper_leftover` are the points that still lay on the table at the end. The scores may be as counted, with those
    points still on the table, or with them given out (E25 3.7; RK 2.2): their sum tells which.
    """
    if len(paper) != rules.players:
        return [error("points.not_for_each_seat", given=len(paper), players=rules.players)]
    as_counted = sum(paper) == sum(game.state.scores)
    counted: Counted = (lambda state: state.scores) if as_counted else (lambda state: give_leftover(state, rules)[0])
    return [*_deposits(game, paper_leftover, rules), *_totals(game, tuple(paper), counted, rules)]


def _deposits(game: Game, paper_leftover: int, rules: Ruleset) -> Iterator[Problem]:
    pot = game.state.sticks * rules.riichi_deposit
    if paper_leftover != pot:
        yield error("sheet.leftover_differs", paper=paper_leftover, computed=pot)


def _totals(game: Game, paper: tuple[int, ...], counted: Counted, rules: Ruleset) -> Iterator[Problem]:
    computed = counted(game.state)
    gaps = [ours - theirs for ours, theirs in zip(paper, computed, strict=True)]
    if not any(gaps):
        return
    if sum(gaps):
        yield error("sheet.sum", total=sum(paper), wanted=sum(computed), gap=sum(gaps))
    for seat, gap in enumerate(gaps):
        if gap:
            yield error("sheet.total_differs", seat=seat, paper=paper[seat], computed=computed[seat])
    yield from _causes(game, paper, counted, rules)


def _causes(game: Game, paper: tuple[int, ...], counted: Counted, rules: Ruleset) -> Iterator[Problem]:
    """Name what would explain the gap: later hands missing on paper, one hand too many, or two totals swapped."""
    start = game.start.scores[0]
    entries = [hand.entry for hand in game.hands]
    for count, hand in reversed(list(enumerate(game.hands))):
        if counted(hand.before) == paper:
            yield error("sheet.agrees_before_hand", hand=count)
            return
    for index in range(len(entries)):
        without = fold([*entries[:index], *entries[index + 1 :]], rules, start=start)
        if counted(without.state) == paper:
            yield error("sheet.agrees_without_hand", hand=index)
            return
    computed = counted(game.state)
    moved = [seat for seat, (ours, theirs) in enumerate(zip(paper, computed, strict=True)) if ours != theirs]
    if sorted(paper) == sorted(computed):
        yield error("sheet.totals_swapped", seats=tuple(moved))
