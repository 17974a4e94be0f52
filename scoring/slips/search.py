"""Find the slips of a game: repairs of its entries that give what the paper says, the most likely first.

Every single repair is tried, two together where no single one fits.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.entries import Abort, Draw, Entry, Ron, Totals, Tsumo, Win
from scoring.game import fold, judge
from scoring.payments import payment_at
from scoring.problems import errors_of
from scoring.slips import likely
from scoring.slips.edits import KINDS, PLAIN, Edit, edits
from scoring.slips.table import CONTRADICTED, At, Folding, Moved
from scoring.state import opening
from scoring.value import base_of


class _Form(NamedTuple):
    """The form of a forgotten hand that decides what comes after it."""

    entry: Entry
    won: bool


def forgotten(folding: Folding, gap: Sequence[int]) -> Iterator[Edit]:
    """Yield each hand that, put between two others, moves what the paper has beyond the start (`gap` by seat).

    Hands of one winner and draws; `search` folds them to be sure.
    """
    places = len(folding.entries) + 1
    weight = math.log(KINDS["forgotten"] / places)
    for index in range(places):
        head = folding.heads[index]
        for form in _forms(head.after, folding.rules):
            after = folding.play(form.entry, head.after).after
            tail = folding.tail(index, after)
            missing = tuple(map(_less, gap, head.deltas, tail.deltas))
            found = _wins(missing, form, head.after, folding.rules) if form.won else _draw(missing, form, folding.rules)
            for entry in found:
                chance = likely.of_hand(entry, folding.rules.players)
                yield Edit("forgotten", index, 0, (entry,), weight + chance)


def unpaid(folding: Folding) -> Iterator[Edit]:
    """Yield each hand without payments that may have been forgotten: it put the dealer or the honba out of step."""
    rules, places = folding.rules, len(folding.entries) + 1
    weight = math.log(KINDS["dealer"] / places)
    for index in range(places):
        for tenpai in ((), tuple(range(rules.players))):
            yield Edit("dealer", index, 0, (Draw(tenpai=tenpai),), weight + math.log(0.25))
        if rules.abortive_draws:
            yield Edit("dealer", index, 0, (Abort(reason=rules.abortive_draws[0]),), weight + math.log(0.25))


def _less(gap: int, head: int, tail: int) -> int:
    return gap - head - tail


def _forms(at: At, rules: Ruleset) -> Iterator[_Form]:
    """Yield a hand of each form: won by the dealer or another, drawn with the dealer tenpai or not, by riichi made."""
    other = (at.dealer + 1) % rules.players
    for winner, loser in ((at.dealer, other), (other, at.dealer)):
        yield _Form(Ron(loser=loser, winners=(Win(seat=winner, han=1, fu=30),)), won=True)
    seats = [(at.dealer + step) % rules.players for step in range(rules.players)]
    for count in range(rules.players + 1):
        if count < rules.players:
            yield _Form(Draw(tenpai=tuple(seats[1:]), riichi=tuple(seats[1 : count + 1])), won=False)
        yield _Form(Draw(tenpai=tuple(seats), riichi=tuple(seats[:count])), won=False)


def _wins(missing: Sequence[int], form: _Form, at: At, rules: Ruleset) -> Iterator[Entry]:
    """Yield the wins of this form (by the dealer or not) that move just `missing`."""
    deposit = rules.riichi_deposit
    if sum(missing) != at.sticks * deposit:
        return
    by_dealer = likely.winners_of(form.entry)[0] == at.dealer
    for riichi in likely.all_lists(rules.players):
        paid = [moved + deposit * (seat in riichi) for seat, moved in enumerate(missing)]
        pot = (at.sticks + len(riichi)) * deposit
        for winner in range(rules.players):
            if (winner == at.dealer) is not by_dealer or paid[winner] <= pot:
                continue
            yield from _win(winner, paid, riichi, at, rules)


def _win(winner: int, paid: Sequence[int], riichi: tuple[int, ...], at: At, rules: Ruleset) -> Iterator[Entry]:
    payers = [seat for seat in range(rules.players) if seat != winner and paid[seat]]
    if any(paid[seat] > 0 for seat in payers):
        return
    closed, deals = winner in riichi, winner == at.dealer
    if len(payers) == 1:
        points = -paid[payers[0]] - rules.honba_ron * at.honba
        for han, fu in _ron_values(rules, deals, closed).get(points, ()):
            yield Ron(loser=payers[0], winners=(Win(seat=winner, han=han, fu=fu),), riichi=riichi)
    elif len(payers) == rules.players - 1:
        honba = rules.honba_tsumo * at.honba
        others = {-paid[seat] - honba for seat in payers if seat != at.dealer}
        dealer = 0 if deals else -paid[at.dealer] - honba
        if len(others) == 1:
            for han, fu in _tsumo_values(rules, deals, closed).get((others.pop(), dealer), ()):
                yield Tsumo(winners=(Win(seat=winner, han=han, fu=fu),), riichi=riichi)


def _draw(missing: Sequence[int], form: _Form, rules: Ruleset) -> Iterator[Entry]:
    """Yield the draws with the riichi count of this form, and its dealer, that move just `missing`."""
    count, deposit = len(form.entry.riichi), rules.riichi_deposit
    if sum(missing) != -count * deposit or not isinstance(form.entry, Draw):
        return
    everybody = tuple(range(rules.players))
    dealer_tenpai = len(form.entry.tenpai) == rules.players
    for riichi in likely.all_lists(rules.players):
        if len(riichi) != count:
            continue
        paid = [moved + deposit * (seat in riichi) for seat, moved in enumerate(missing)]
        up = tuple(seat for seat in everybody if paid[seat] > 0)
        for tenpai in [up] if up else [(), everybody]:
            if dealer_tenpai or len(tenpai) < rules.players:
                yield Draw(tenpai=tenpai, riichi=riichi)


@functools.cache
def _ron_values(rules: Ruleset, deals: bool, closed: bool) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for han, fu in likely.values(rules.players, tsumo=False, riichi=closed):
        payment = payment_at(base_of(han, fu, rules), rules, tsumo=False, deals=deals)
        found.setdefault(payment.ron or 0, []).append((han, fu))
    return found


@functools.cache
def _tsumo_values(rules: Ruleset, deals: bool, closed: bool) -> dict[tuple[int, int], list[tuple[int, int]]]:
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for han, fu in likely.values(rules.players, tsumo=True, riichi=closed):
        payment = payment_at(base_of(han, fu, rules), rules, tsumo=True, deals=deals)
        found.setdefault((payment.others, payment.dealer), []).append((han, fu))
    return found


MOST = 10  # slips in an answer
JUDGED = 30  # repairs that are checked against all rules
INVALID = -9.0  # the rules refuse a repaired hand
NOT_OVER = -2.5  # the game would not be over with its last hand, though it was
MAX_TOGETHER = 400  # pairs that are folded


@dataclass(frozen=True, slots=True)
class Slip:
    """A likely slip: its kind, the index of the hand, the entries as they would be then and their scores."""

    kind: str
    at: int
    entries: tuple[Entry, ...]
    scores: tuple[int, ...]
    weight: float
    edits: tuple[Edit, ...]


def find_slips(
    entries: Sequence[Entry], rules: Ruleset, scores: Sequence[int] | None, *, start: int | None = None
) -> list[Slip]:
    """Return the likely slips, best first; none where the entries give the scores.

    `scores` are those after the last entry, before leftover riichi sticks are given out; None where only what the table
    announced for some hands is known. Entries must name seats of the table, and may break the rules.
    """
    if any(isinstance(entry, Totals) for entry in entries):
        return []  # no hands are known
    first = opening(rules, start)
    gap = None if scores is None else tuple(now - before for now, before in zip(scores, first.scores, strict=True))
    folding = Folding(entries, rules)
    if gap is None:
        fits = folding.heads[-1].strain < CONTRADICTED
    else:
        fits = fold(entries, rules, start=start).state.scores == tuple(scores or ())
    if fits:
        return []
    found = _weighed(folding, _fitting(folding, gap, _singles(folding, gap)))
    if not found and gap is not None:
        found = _weighed(folding, _pairs(folding, gap))
    judged = _judged(found, folding, start)
    return [slip for slip in judged if scores is None or slip.scores == tuple(scores)]


def _singles(folding: Folding, gap: tuple[int, ...] | None) -> Iterator[Edit]:
    yield from edits(folding.entries, folding.rules)
    yield from unpaid(folding)
    if gap is not None:
        yield from forgotten(folding, gap)


Tried = tuple[tuple[Edit, ...], Moved]


def _fitting(folding: Folding, gap: tuple[int, ...] | None, tried: Iterable[Edit]) -> Iterator[Tried]:
    """Yield the repairs that give the scores, or what was announced where no scores are known."""
    enough = folding.heads[-1].strain - CONTRADICTED / 2
    for edit in tried:
        moved = folding.replaced(edit.at, edit.cut, edit.new)
        if moved.deltas == gap or (gap is None and moved.strain < enough):
            yield (edit,), moved


def _pairs(folding: Folding, gap: tuple[int, ...]) -> Iterator[Tried]:
    """Yield two repairs of different hands that give the scores together."""
    now = folding.heads[-1].deltas
    by_effect: defaultdict[tuple[int, ...], list[Edit]] = defaultdict(list)
    single = [edit for edit in edits(folding.entries, folding.rules) if edit.cut == 1 and edit.new]
    for edit in single:
        effect = tuple(map(int.__sub__, folding.replaced(edit.at, 1, edit.new).deltas, now))
        by_effect[effect].append(edit)
    pairs = [
        (one, other)
        for effect, ones in by_effect.items()
        for other in by_effect.get(
            tuple(want - ours - moved for want, ours, moved in zip(gap, now, effect, strict=True)), ()
        )
        for one in ones
        if one.at < other.at
    ]
    pairs.sort(key=lambda pair: -pair[0].weight - pair[1].weight)
    for one, other in pairs[:MAX_TOGETHER]:
        between = folding.entries[one.at + 1 : other.at]
        moved = folding.replaced(one.at, other.at + 1 - one.at, (*one.new, *between, *other.new))
        if moved.deltas == gap:
            yield (one, other), moved


def _weighed(folding: Folding, tried: Iterable[Tried]) -> list[Slip]:
    """Join the repairs that come to the same entries, and weigh them: usual slips and usual hands first."""
    best: dict[str, Slip] = {}
    for changes, moved in tried:
        entries = apply(folding.entries, changes)
        weight = sum(_of_edit(edit, folding) for edit in changes) - moved.strain
        key = repr(entries)
        slip = Slip(changes[0].kind, changes[0].at, entries, moved.deltas, weight, changes)
        held = best.get(key)
        if held is not None:
            top = slip if slip.weight > held.weight else held
            slip = replace(top, weight=math.log(math.exp(held.weight) + math.exp(slip.weight)))
        best[key] = slip
    return sorted(best.values(), key=lambda slip: -slip.weight)


def _of_edit(edit: Edit, folding: Folding) -> float:
    """Return the weight of a repair: how usual its slip is, and its hands beside those that were typed."""
    if edit.kind == "forgotten":
        return edit.weight  # with the hand
    players = folding.rules.players
    was = folding.entries[edit.at : edit.at + edit.cut]
    if len(was) != len(edit.new):
        return edit.weight
    changed = [(old, new) for old, new in zip(was, edit.new, strict=True) if old != new and isinstance(old, PLAIN)]
    return edit.weight + sum(likely.of_hand(new, players) - likely.of_hand(old, players) for old, new in changed)


def apply(entries: Sequence[Entry], changes: Sequence[Edit]) -> tuple[Entry, ...]:
    """Return the entries as repaired."""
    done = tuple(entries)
    for edit in sorted(changes, key=lambda edit: -edit.at):
        done = (*done[: edit.at], *edit.new, *done[edit.at + edit.cut :])
    return done


def _judged(found: Sequence[Slip], folding: Folding, start: int | None) -> list[Slip]:
    """Check the best repairs against all rules; a game that was over stays over with its last hand."""
    rules, first = folding.rules, opening(folding.rules, start)
    slips = []
    for slip in found[:JUDGED]:
        wrong = errors_of(problem for _, problem in judge(slip.entries, first, rules))
        state = fold(slip.entries, rules, start=start).state
        weight = slip.weight + (INVALID if wrong else 0) + (0 if state.ended else NOT_OVER)
        slips.append(replace(slip, weight=weight, scores=state.scores))
    return sorted(slips, key=lambda slip: -slip.weight)[:MOST]
