"""Points paid in place of han and fu: find the legal values that pay exactly that, at this table under these rules.

Exact, by enumeration: computes the payment of every legal value.
"""

import dataclasses
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from rules.ruleset import Ruleset
from scoring.check_win import MAX_YAKUMAN, win_problems
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.fu import possible_fu
from scoring.payments import payment_at
from scoring.problems import InvalidInput, Problem, ProblemType, errors_of, printable_excerpt
from scoring.state import TableState
from scoring.value import MANGAN_HAN, base_points, limit_from_han, most_of_one

PAID_NONE = ProblemType("paid.none", "No hand of {seat} pays {paid}. The nearest: {nearest}.")
PAID_BOTH_WANTED = ProblemType(
    "paid.both_wanted",
    "{paid} alone is not enough: {seat} does not deal, so type what the others and what the dealer pays by "
    "tsumo, as 1300-2600.",
)
PAID_ONE_WANTED = ProblemType(
    "paid.one_wanted",
    "{paid} are two payments, and for {seat} one number is wanted: what the discarder pays, or each player to "
    "the dealer.",
)
PAID_UNREADABLE = ProblemType("paid.unreadable", "“{value}” cannot be points: type one number, or two as in 1300-2600.")

USUAL_FU = 30

Paid = tuple[int, ...]

_NUMBER = r"\s*=?\s*(\d{1,3},\d{3}|\d{3,6})\s*"
_TYPED = re.compile(rf"{_NUMBER}(?:-{_NUMBER})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidWin(Win):
    """A win of which only the payment is known, without honba and riichi sticks; never stored.

    `paid` is what the discarder pays, or each player on a dealer's tsumo; on a non-dealer's tsumo it is two numbers:
    from each non-dealer, from the dealer.
    """

    paid: Paid


def settle(entry: Entry, state: TableState, rules: Ruleset) -> Entry:
    """Return the entry with the likeliest value in place of every payment: each that pays the same is as right.

    Seats that do not exist are left to `check`. Raises InvalidInput with the nearest payments if no value pays that.

    >>> from rules.books import load
    >>> from scoring.shorthand import parse, write
    >>> rules, state = load("ema-2025"), TableState((30000,) * 4)
    >>> write(settle(parse("2r3 3900+4 8000"), state, rules))
    '2r3 330+4 5'
    """
    for at, win, found in _payments(entry, state, rules):
        if not found:
            raise InvalidInput([_none(win, cast("Ron | Tsumo", entry), state, rules)])
        entry = _with(entry, at, found[0])
    return entry


def other_readings(entry: Entry, state: TableState, rules: Ruleset) -> list[tuple[Win, Entry]]:
    """Return what else the payments of an entry may mean: each value that `settle` did not take, with its entry.

    >>> from rules.books import load
    >>> from scoring.shorthand import parse, write
    >>> rules, state = load("ema-2025"), TableState((30000,) * 4)
    >>> [write(other) for _win, other in other_readings(parse("2r3 3900"), state, rules)]
    ['2r3 260']
    """
    settled = settle(entry, state, rules)
    return [
        (other, _with(settled, at, other)) for at, _win, found in _payments(entry, state, rules) for other in found[1:]
    ]


def _payments(entry: Entry, state: TableState, rules: Ruleset) -> Iterator[tuple[int, PaidWin, tuple[Win, ...]]]:
    """Yield each payment of an entry: its place among the winners, and its readings."""
    for at, win in enumerate(entry.winners if isinstance(entry, Ron | Tsumo) else ()):
        if isinstance(win, PaidWin) and 0 <= win.seat < rules.players:
            yield at, win, readings_of(win, cast("Ron | Tsumo", entry), state, rules)


def _with(entry: Entry, at: int, win: Win) -> Entry:
    won = cast("Ron | Tsumo", entry)
    return dataclasses.replace(won, winners=(*won.winners[:at], win, *won.winners[at + 1 :]))


def readings_of(win: PaidWin, entry: Ron | Tsumo, state: TableState, rules: Ruleset) -> tuple[Win, ...]:
    """Return the readings of one winner's payment in an entry, pao and chips kept; see `readings`."""
    riichi = win.seat in entry.riichi
    found = readings(win.paid, state, win.seat, tsumo=isinstance(entry, Tsumo), rules=rules, riichi=riichi)
    return tuple(dataclasses.replace(each, pao=win.pao, chips=win.chips) for each in found)


def readings(
    paid: Paid, state: TableState, seat: int, *, tsumo: bool, rules: Ruleset, riichi: bool = False
) -> tuple[Win, ...]:
    """Return every legal value that pays exactly this, most likely first: 30 fu, then the fewest fu.

    From mangan on each limit is one value, with its least han.

    >>> from rules.books import load
    >>> state = TableState((30000,) * 4)
    >>> [(win.han, win.fu) for win in readings((3900,), state, 1, tsumo=False, rules=load("ema-2025"))]
    [(3, 30), (2, 60)]
    >>> [(win.han, win.fu) for win in readings((400, 700), state, 1, tsumo=True, rules=load("ema-2025"))]
    [(2, 20), (1, 40)]
    """
    legal = legal_values(state, seat, tsumo=tsumo, rules=rules, riichi=riichi)
    found = [win for win in legal if payment_for(win, state, tsumo=tsumo, rules=rules) == paid]
    return tuple(sorted(found, key=lambda win: (win.fu != USUAL_FU, win.fu, win.han)))


def payment_for(win: Win, state: TableState, *, tsumo: bool, rules: Ruleset) -> Paid:
    """Return the payment of a value without honba and riichi sticks, in the form of `PaidWin.paid`."""
    payment = payment_at(base_points(win, rules), rules, tsumo=tsumo, deals=win.seat == state.dealer)
    if payment.ron is not None:
        return (payment.ron,)
    return (payment.others, payment.dealer) if payment.dealer else (payment.others,)


def legal_values(state: TableState, seat: int, *, tsumo: bool, rules: Ruleset, riichi: bool = False) -> Iterator[Win]:
    """Yield every value that a seat can win with: han and fu below mangan, each limit, yakuman."""
    for win in _values(seat, rules, tsumo=tsumo, riichi=riichi):
        if not errors_of(win_problems(win, state, rules, tsumo=tsumo, riichi=riichi)):
            yield win


def nearest(
    paid: Paid, state: TableState, seat: int, *, tsumo: bool, rules: Ruleset, riichi: bool = False
) -> tuple[Paid, ...]:
    """Return the nearest legal payments below and above an illegal one, if any."""
    legal = legal_values(state, seat, tsumo=tsumo, rules=rules, riichi=riichi)
    known = sorted({payment_for(win, state, tsumo=tsumo, rules=rules) for win in legal}, key=_size)
    below = [each for each in known if _size(each) < _size(paid)][-1:]
    above = [each for each in known if _size(each) > _size(paid)][:1]
    return (*below, *above)


def read_paid(text: str) -> Paid:
    """Return the payment typed into a field of its own; raises InvalidInput.

    >>> read_paid("3,900"), read_paid(" 1300-2600")
    ((3900,), (1300, 2600))
    """
    match = _TYPED.fullmatch(unicodedata.normalize("NFKC", text).replace("−", "-"))
    if not match:
        raise InvalidInput([PAID_UNREADABLE(value=printable_excerpt(text))])
    return tuple(int("".join(filter(str.isdecimal, number))) for number in match.groups() if number)


def write_payment(paid: Paid) -> str:
    """Write a payment as it is typed into its field.

    >>> write_payment((3900,)), write_payment((1300, 2600))
    ('3900', '1300-2600')
    """
    return "-".join(str(points) for points in paid)


def _size(paid: Paid) -> tuple[int, ...]:
    return (sum(paid), *paid)


def _values(seat: int, rules: Ruleset, *, tsumo: bool, riichi: bool) -> Iterator[Win]:
    mangan = limit_from_han(MANGAN_HAN, rules)
    for han in range(1, MANGAN_HAN):
        for fu in possible_fu(han, rules, tsumo=tsumo, riichi=riichi):
            win = Win(seat=seat, han=han, fu=fu)
            if base_points(win, rules) < mangan:
                yield win
    yield from (Win(seat=seat, han=least) for least, base in rules.limits if base < rules.yakuman_base)
    most = MAX_YAKUMAN if rules.yakuman_add_up else most_of_one(rules)
    yield from (Win(seat=seat, yakuman=count) for count in range(1, most + 1))


def _none(win: PaidWin, entry: Ron | Tsumo, state: TableState, rules: Ruleset) -> Problem:
    """Return the problem of a payment that no value makes, or that should be two numbers, or one."""
    tsumo = isinstance(entry, Tsumo)
    wanted = 2 if tsumo and win.seat != state.dealer else 1
    if len(win.paid) != wanted:
        return (PAID_BOTH_WANTED if wanted > 1 else PAID_ONE_WANTED)(seat=win.seat, paid=write_payment(win.paid))
    near = nearest(win.paid, state, win.seat, tsumo=tsumo, rules=rules, riichi=win.seat in entry.riichi)
    return PAID_NONE(seat=win.seat, paid=write_payment(win.paid), nearest=tuple(write_payment(each) for each in near))
