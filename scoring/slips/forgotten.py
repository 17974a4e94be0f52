"""Hands that were forgotten: from what is missing at the end, the hands that would move just that."""

import functools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.entries import Abort, Draw, Entry, Ron, Tsumo, Win
from scoring.payments import payment_at
from scoring.slips import likely
from scoring.slips.edits import KINDS, Edit
from scoring.slips.table import At, Folding
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
