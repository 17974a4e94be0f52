"""Payments: who pays whom for a hand, each payment a transfer with its reason; and pao as the melds show it.

`game` derives dealer, honba and the end of the game.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rules.ruleset import LiableYakuman, Ruleset
from scoring.entries import Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.hand import Meld, MeldSource, WinningHand
from scoring.state import TableState
from scoring.tiles import EAST, WHITE
from scoring.value import MANGAN_HAN, base_points, limit_from_han, round_up

Why = Literal["hand", "pao", "honba", "deposit", "returned", "noten", "chombo"]

DRAGON_KINDS = frozenset(range(WHITE, WHITE + 3))
WIND_KINDS = frozenset(range(EAST, WHITE))
SETS_SHOWN = {"daisangen": 3, "daisuushii": 4, "suukantsu": 4}
SEATS_AWAY = {"right": 1, "across": 2, "left": -1}


class Transfer(NamedTuple):
    """Points from a seat to a seat; None is the table, where riichi sticks lie."""

    payer: int | None
    receiver: int | None
    points: int
    why: Why


def transfers_of(entry: Entry, state: TableState, rules: Ruleset) -> list[Transfer]:
    """Return all payments of a hand, its riichi sticks first.

    The riichi sticks of a chombo go back (E25 3.4.6; WRC 2025 12.2). Corrections and totals are no payments.
    """
    paid = [Transfer(seat, None, rules.riichi_deposit, "deposit") for seat in entry.riichi]
    match entry:
        case Ron():
            paid += _ron(entry, state, rules)
        case Tsumo():
            paid += _tsumo(entry, state, rules)
        case Draw():
            paid += _noten(entry.tenpai, state, rules)
        case Nagashi():
            paid += _nagashi(entry, state, rules)
        case Chombo():
            return list(_chombo(entry, state, rules))
        case Correction() | Totals():
            return []
    return paid


def deltas_of(transfers: Iterable[Transfer], players: int) -> tuple[int, ...]:
    """Return each seat's change in points by these transfers.

    >>> deltas_of([Transfer(0, 1, 3900, "hand"), Transfer(None, 1, 1000, "deposit")], 3)
    (-3900, 4900, 0)
    """
    deltas = [0] * players
    for payer, receiver, points, _ in transfers:
        if payer is not None:
            deltas[payer] -= points
        if receiver is not None:
            deltas[receiver] += points
    return tuple(deltas)


def after_discarder(seats: Sequence[int], loser: int, players: int) -> list[int]:
    """Return seats in turn order after the discarder (E25 3.3.10).

    >>> after_discarder([0, 3], loser=2, players=4)
    [3, 0]
    """
    return sorted(seats, key=lambda seat: (seat - loser - 1) % players) if len(seats) > 1 else list(seats)


def ron_points(base: int, *, dealer: bool) -> int:
    """Return what a discarder pays without honba: six or four times the base (E25 4.1.2).

    >>> ron_points(1280, dealer=False)
    5200
    """
    return round_up(base * (6 if dealer else 4))


def tsumo_points(base: int, *, winner_deals: bool, payer_deals: bool, north: str = "not_missing") -> int:
    """Return what one player pays on a tsumo without honba: twice the base from or to the dealer (E25 4.1.2).

    `north` is what becomes of the share of a missing North: "halved" adds half of it, "even" is half of a ron.

    >>> [tsumo_points(1280, winner_deals=False, payer_deals=deals) for deals in (True, False)]
    [2600, 1300]
    >>> [tsumo_points(2000, winner_deals=False, payer_deals=deals, north="halved") for deals in (True, False)]
    [5000, 3000]
    >>> [tsumo_points(2000, winner_deals=False, payer_deals=deals, north="even") for deals in (True, False)]
    [4000, 4000]
    """
    shares = 2 if winner_deals or payer_deals else 1
    if north == "even":
        return round_up(-(-ron_points(base, dealer=winner_deals) // 2))
    if north != "halved":
        return round_up(base * shares)
    return round_up(-(-base * (2 * shares + (2 if winner_deals else 1)) // 2))


class Payment(NamedTuple):
    """What a hand costs without honba: `ron`, or on a tsumo `others` each and `dealer` (0 if the dealer won)."""

    ron: int | None
    others: int
    dealer: int
    payers: int

    @property
    def value(self) -> int:
        """The sum over all payers, without honba."""
        return self.ron if self.ron is not None else self.others * (self.payers - bool(self.dealer)) + self.dealer

    def total(self, honba: int, rules: Ruleset) -> int:
        """Return the sum over all payers with honba."""
        return self.value + honba * (rules.honba_ron if self.ron is not None else rules.honba_tsumo * self.payers)

    def as_json(self) -> dict[str, Any]:
        """Return the contract's JSON."""
        if self.ron is not None:
            return {"ron": self.ron}
        return {"tsumo": [self.others, self.dealer] if self.dealer else [self.others]}


def payment_of(base: int, hand: WinningHand, rules: Ruleset) -> Payment:
    """Return the payment of a hand with these base points (E25 4.1.2; S0 Tsumo Scoring: tsumo loss)."""
    return payment_at(base, rules, tsumo=hand.tsumo, deals=hand.deals)


def payment_at(base: int, rules: Ruleset, *, tsumo: bool, deals: bool) -> Payment:
    """Return the payment for base points by ron or tsumo; `deals`: the winner is the dealer. See `payment_of`."""
    if not tsumo:
        return Payment(ron_points(base, dealer=deals), 0, 0, 1)
    others = tsumo_points(base, winner_deals=deals, payer_deals=False, north=rules.north_share)
    dealer = 0 if deals else tsumo_points(base, winner_deals=False, payer_deals=True, north=rules.north_share)
    return Payment(None, others, dealer, rules.players - 1)


def _ron(entry: Ron, state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    order = after_discarder([win.seat for win in entry.winners], entry.loser, state.players)
    wins = {win.seat: win for win in entry.winners}
    for seat in order:
        yield from _ron_hand(wins[seat], entry.loser, state, rules)
        if state.honba and (seat == order[0] or rules.multiple_ron_honba == "each"):
            liable = None if rules.pao_honba == "discarder" else wins[seat].pao
            yield Transfer(entry.loser if liable is None else liable, seat, rules.honba_ron * state.honba, "honba")
    yield from _collect(order, entry, state, rules)


def _ron_hand(win: Win, loser: int, state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    """Pay a hand; a liable player and the discarder pay half each of the liable part (E25 3.3.7)."""
    deals = win.seat == state.dealer
    liable, rest = _parts(win, rules)
    if liable:
        points = ron_points(liable, dealer=deals)
        yield Transfer(win.pao, win.seat, points // 2, "pao")
        yield Transfer(loser, win.seat, points - points // 2, "hand")
    if rest:
        yield Transfer(loser, win.seat, ron_points(rest, dealer=deals), "hand")


def _tsumo(entry: Tsumo, state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    """Pay a tsumo; a liable player pays all of the liable part and all honba (E25 3.3.7; decisions)."""
    win = entry.win
    liable, rest = _parts(win, rules)
    for payer in state.others(win.seat):
        if liable:
            yield Transfer(win.pao, win.seat, _share(liable, win.seat, payer, state, rules), "pao")
        if rest:
            yield Transfer(payer, win.seat, _share(rest, win.seat, payer, state, rules), "hand")
        if state.honba:
            yield Transfer(win.pao if liable else payer, win.seat, rules.honba_tsumo * state.honba, "honba")
    yield from _collect([win.seat], entry, state, rules)


def _share(base: int, winner: int, payer: int, state: TableState, rules: Ruleset) -> int:
    deals = (winner == state.dealer, payer == state.dealer)
    return tsumo_points(base, winner_deals=deals[0], payer_deals=deals[1], north=rules.north_share)


def _parts(win: Win, rules: Ruleset) -> tuple[int, int]:
    """Return a hand's base points as the part under pao and the rest."""
    base = base_points(win, rules)
    if win.pao is None:
        return 0, base
    if rules.pao_part == "whole_hand":
        return base, 0
    named = len(set(win.yaku or ()) & set(rules.pao))
    liable = min(rules.yakuman_base * max(named, 1), base)
    return liable, base - liable


def _chombo(entry: Chombo, state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    """Pay a chombo as a mangan tsumo the other way round, where the rules have it paid at the table."""
    if rules.chombo_pays == "nothing":
        return
    base = limit_from_han(MANGAN_HAN, rules)
    for offender in entry.offenders:
        for receiver in state.others(offender):
            yield Transfer(offender, receiver, _share(base, offender, receiver, state, rules), "chombo")


def _collect(order: Sequence[int], entry: Entry, state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    """Give out the riichi sticks to the first winner after the discarder (RK 2.3) or the dealer (S4 9.7).

    With "own_back" each other winner first gets back the stick of this hand (E25 3.3.10).
    """
    pot = state.sticks + len(entry.riichi)
    if rules.multiple_ron_deposits == "after_dealer":
        order = after_discarder(order, state.dealer, state.players)
    if rules.multiple_ron_deposits == "own_back":
        for seat in order[1:]:
            if seat in entry.riichi:
                pot -= 1
                yield Transfer(None, seat, rules.riichi_deposit, "returned")
    if pot:
        yield Transfer(None, order[0], rules.riichi_deposit * pot, "deposit")


def _noten(tenpai: Sequence[int], state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    """Pay the noten pool from noten to tenpai players in equal shares (E25 3.4.2; S0 Noten Payments)."""
    noten = [seat for seat in range(state.players) if seat not in tenpai]
    if not tenpai or not noten:
        return
    points = rules.noten_pool // (len(noten) * len(tenpai))
    for payer in noten if points else ():
        for receiver in sorted(tenpai):
            yield Transfer(payer, receiver, points, "noten")


def _nagashi(entry: Nagashi, state: TableState, rules: Ruleset) -> Iterator[Transfer]:
    """Pay each nagashi mangan as a mangan tsumo, with honba and riichi sticks if it counts as one (S0; RK 3.1).

    Of several, the first in turn from the dealer takes all riichi sticks (decisions), unlike a multiple ron.
    """
    base = limit_from_han(MANGAN_HAN, rules)
    order = sorted(entry.winners, key=lambda seat: (seat - state.dealer) % state.players)
    for seat in order if rules.several_nagashi == "each" else order[:1]:
        with_honba = rules.nagashi == "tsumo" and (seat == order[0] or rules.multiple_ron_honba == "each")
        for payer in state.others(seat):
            yield Transfer(payer, seat, _share(base, seat, payer, state, rules), "hand")
            if state.honba and with_honba:
                yield Transfer(payer, seat, rules.honba_tsumo * state.honba, "honba")
    if rules.nagashi == "tsumo":
        yield from _collect(order[:1], entry, state, rules)


@dataclass(frozen=True, slots=True)
class Liability:
    """Pao for a yakuman, or for rinshan; `source` is the liable player as the winner sees him."""

    yakuman: LiableYakuman
    source: MeldSource

    def seat(self, winner: int, players: int) -> int:
        """Return the liable seat.

        >>> Liability("daisangen", "left").seat(0, 3)
        2
        """
        return (winner + SEATS_AWAY[self.source]) % players


def liabilities(hand: WinningHand, yaku: Collection[str], rules: Ruleset) -> list[Liability]:
    """Return who is liable for which yakuman of a hand (E25 3.3.7; WRC 2025 9.1.1).

    All sets of the yakuman must be melds and the last one called: an ankan shows a set and is fed by nobody. Melds are
    in the order in which they were made. For rinshan on the tile after an open kan, who discarded its tile is liable,
    also where the hand is a yakuman (JPML).
    """
    found = []
    held = {*yaku, "rinshan"} if hand.rinshan else yaku
    for yakuman in rules.pao:
        last = _last_set(hand, yakuman) if yakuman in held else None
        if last is not None and last.source is not None and last.open:
            found.append(Liability(yakuman, last.source))
    return found


def _last_set(hand: WinningHand, yakuman: LiableYakuman) -> Meld | None:
    """Return the meld that completed the sets of a yakuman; None if not all of them are melds."""
    if yakuman == "rinshan":
        return hand.melds[-1] if hand.melds and hand.melds[-1].kind == "daiminkan" else None
    if yakuman == "suukantsu":
        sets = [meld for meld in hand.melds if meld.kan]
    else:
        kinds = DRAGON_KINDS if yakuman == "daisangen" else WIND_KINDS
        sets = [meld for meld in hand.melds if meld.tiles[0].kind in kinds]
    if len(sets) < SETS_SHOWN[yakuman]:
        return None
    if yakuman == "suukantsu" and sets[-1].kind != "daiminkan":
        return None  # a shouminkan is made by the winner himself
    return sets[-1]
