"""Compare the announced payment with the computed one, and find the mistakes ("slips") that explain a difference.

Tries each slip by computing the payment of the hand as if it had been made.
"""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.payments import deltas_of, ron_points, transfers_of
from scoring.state import TableState
from scoring.value import MANGAN_HAN, base_points

FU_STEP = 10


class Slip(NamedTuple):
    """A mistake that a table may have made, and each seat's change with it, without riichi sticks."""

    cause: str
    deltas: tuple[int, ...]


def differing(entry: Entry, state: TableState, rules: Ruleset) -> dict[int, int]:
    """Return the computed change (without riichi sticks) of each seat whose announced change differs.

    A winner may have announced the payment with the riichi sticks or without.
    """
    if not entry.announced:
        return {}
    hand, deposits = changes(entry, state, rules)
    said = sorted(entry.announced.items())
    return {seat: hand[seat] for seat, points in said if points not in (hand[seat], hand[seat] + deposits[seat])}


def likely_causes(entry: Entry, state: TableState, rules: Ruleset) -> list[Slip]:
    """Return the slips that give exactly what was announced, most common first.

    >>> from rules.books import load
    >>> from scoring.shorthand import parse
    >>> rules, state = load("ema-2025"), TableState((30000,) * 4, honba=2)
    >>> entry = dataclasses.replace(parse("2r3 330"), announced={1: 3900})
    >>> [slip.cause for slip in likely_causes(entry, state, rules)]
    ['honba_forgotten']
    """
    _, deposits = changes(entry, state, rules)
    said = {seat: (entry.announced or {})[seat] for seat in differing(entry, state, rules)}
    return [
        slip
        for slip in slips(entry, state, rules)
        if all(points in (slip.deltas[seat], slip.deltas[seat] + deposits[seat]) for seat, points in said.items())
    ]


def slips(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Slip]:
    """Yield every slip that changes the payment, most common first."""
    right, _ = changes(entry, state, rules)
    if isinstance(entry, Tsumo) and rules.north_share == "lost" and entry.win.pao is None:
        yield _loss_forgotten(entry, state, rules)
    for cause, other, there, book in tries(entry, state, rules):
        deltas, _ = changes(other, there, book)
        if deltas != right:
            yield Slip(cause, deltas)


def changes(entry: Entry, state: TableState, rules: Ruleset) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return each seat's change by the hand with its honba, and by riichi sticks."""
    moved = transfers_of(entry, state, rules)
    sticks = [each for each in moved if each.why in ("deposit", "returned")]
    hand = [each for each in moved if each.why not in ("deposit", "returned")]
    return deltas_of(hand, state.players), deltas_of(sticks, state.players)


Try = tuple[str, Entry, TableState, Ruleset]  # the slip's code, and the hand with one thing changed


def tries(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Try]:
    """Yield the hand as each slip makes it, most common first: honba, dealer, kiriage, fu, han, or without pao."""
    if state.honba:
        yield "honba_forgotten", entry, state._replace(honba=0), rules
        yield "honba_doubled", entry, state._replace(honba=2 * state.honba), rules
    if isinstance(entry, Ron | Tsumo) and len(entry.winners) == 1:
        win = entry.winners[0]
        deals = win.seat == state.dealer
        dealer = (win.seat + 1) % state.players if deals else win.seat
        yield "not_as_dealer" if deals else "as_dealer", entry, state._replace(dealer=dealer), rules
        kiriage = dataclasses.replace(rules, kiriage_mangan=not rules.kiriage_mangan)
        yield "kiriage_forgotten" if rules.kiriage_mangan else "kiriage_taken", entry, state, kiriage
        for cause, other in _other_values(win, rules, tsumo=isinstance(entry, Tsumo)):
            yield cause, dataclasses.replace(entry, winners=(other,)), state, rules
    if state.honba:
        yield "one_honba_less", entry, state._replace(honba=state.honba - 1), rules
    yield "one_honba_more", entry, state._replace(honba=state.honba + 1), rules


def _other_values(win: Win, rules: Ruleset, *, tsumo: bool) -> Iterator[tuple[str, Win]]:
    if not win.yakuman:
        possible = possible_fu(win.han, rules, tsumo=tsumo)
        for cause, step in (("one_fu_step_less", -FU_STEP), ("one_fu_step_more", FU_STEP)):
            if win.fu + step in possible and win.han < MANGAN_HAN:
                yield cause, dataclasses.replace(win, fu=win.fu + step)
        if win.han > 1:
            yield "one_han_less", dataclasses.replace(win, han=win.han - 1, fu=win.fu or 30)
        yield "one_han_more", dataclasses.replace(win, han=win.han + 1, fu=win.fu or 30)
    if win.pao is not None:
        yield "liability_forgotten", dataclasses.replace(win, pao=None)


def _loss_forgotten(entry: Tsumo, state: TableState, rules: Ruleset) -> Slip:
    """Return a tsumo paid as much as a ron, without tsumo loss; the payers' shares are unknown, so 0."""
    seat = entry.win.seat
    total = ron_points(base_points(entry.win, rules), dealer=seat == state.dealer)
    honba = rules.honba_tsumo * state.honba * (state.players - 1)
    return Slip("tsumo_loss_forgotten", tuple(total + honba if each == seat else 0 for each in range(state.players)))
