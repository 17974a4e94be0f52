"""The table of values of a rule set: what each han and fu, each limit and each yakuman pays, by the engine.

Nothing is written here: possible fu, base points and payments are those that hands are checked and paid by.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rules.ruleset import Ruleset, yaku_names
from scoring.entries import Draw, Win
from scoring.fu import possible_fu
from scoring.payments import Payment, deltas_of, payment_at, transfers_of
from scoring.state import opening
from scoring.value import MANGAN_HAN, base_points, limit_name

YAKUMAN_ADDED = 2  # the table goes on to twice a yakuman where there can be more than one


class Worth(NamedTuple):
    """What a value pays without honba, by ron and by tsumo; None where no such hand exists."""

    ron: Payment | None
    tsumo: Payment | None


class Cell(NamedTuple):
    """A number of han and fu: its limit (None below mangan), and what it pays a non-dealer and the dealer."""

    han: int
    fu: int
    limit: str | None
    other: Worth
    dealer: Worth


class LimitLine(NamedTuple):
    """A limit from `han` to `most` (None: and above; both None for a yakuman, of which it is `yakuman` times one)."""

    place: int
    han: int | None
    most: int | None
    yakuman: int
    other: Worth
    dealer: Worth


class NotenLine(NamedTuple):
    """What each noten player pays and each tenpai player gets when so many are tenpai."""

    tenpai: int
    pays: int
    gets: int


def cells(rules: Ruleset) -> list[list[Cell]]:
    """Return the values below five han: a row for each fu, a cell for each han from one.

    Fu with which every hand is a mangan have no row.

    >>> from rules.books import load
    >>> row = cells(load("ema-2025"))[2]
    >>> row[0].fu, row[2].other.ron.value, row[2].dealer.tsumo.others, row[3].limit
    (30, 3900, 2000, 'mangan')
    """
    by_han = {
        han: {tsumo: possible_fu(han, rules, tsumo=tsumo) for tsumo in (False, True)} for han in range(1, MANGAN_HAN)
    }
    rows = sorted(set().union(*(fus for each in by_han.values() for fus in each.values())))
    table = [[_cell(han, fu, by_han[han], rules) for han in by_han] for fu in rows]
    return [row for row in table if any(cell.limit is None and any(cell.other) for cell in row)]


def limit_lines(rules: Ruleset, yakuman: int | None = None) -> Iterator[LimitLine]:
    """Yield the limits by han, then a yakuman and twice one where they add up or one counts double, or to `yakuman`.

    >>> from rules.books import load
    >>> [(line.han, line.most, line.other.ron.value) for line in limit_lines(load("ema-2025"))][-2:]
    [(11, None, 24000), (None, None, 32000)]
    """
    ends = [han - 1 for han, _base in rules.limits[1:]]
    for place, ((han, base), most) in enumerate(zip(rules.limits, [*ends, None], strict=True)):
        yield LimitLine(place, han, most, 0, *_worths(base, rules))
    for number in range(1, (yakuman or most_yakuman(rules)) + 1):
        base = base_points(Win(seat=0, yakuman=number), rules)
        yield LimitLine(len(rules.limits), None, None, number, *_worths(base, rules))


def most_yakuman(rules: Ruleset) -> int:
    """Return how many yakuman a table of values goes on to: two where a hand can be worth them.

    >>> from rules.books import load
    >>> most_yakuman(load("ema-2025")), most_yakuman(load("tenhou-yonma"))
    (1, 2)
    """
    worth = max(getattr(rules, name)[0] for name in yaku_names("yakuman"))
    return YAKUMAN_ADDED if rules.yakuman_add_up or worth > 1 else 1


def honba_points(honba: int, rules: Ruleset) -> tuple[int, int]:
    """Return what so many honba add to a ron, and to a tsumo from each payer.

    >>> from rules.books import load
    >>> honba_points(2, load("ema-2025"))
    (600, 200)
    """
    ron, tsumo = (payment_at(0, rules, tsumo=way, deals=True) for way in (False, True))
    return ron.total(honba, rules), tsumo.total(honba, rules) // tsumo.payers


def noten_lines(rules: Ruleset) -> list[NotenLine]:
    """Return the payments of an exhaustive draw by the number of tenpai players; none where nobody pays.

    >>> from rules.books import load
    >>> noten_lines(load("ema-2025"))[0]
    NotenLine(tenpai=1, pays=1000, gets=3000)
    """
    found, state = [], opening(rules)
    for tenpai in range(1, rules.players):
        deltas = deltas_of(transfers_of(Draw(tenpai=tuple(range(tenpai))), state, rules), rules.players)
        found.append(NotenLine(tenpai, -deltas[-1], deltas[0]))
    return [line for line in found if line.pays]


def _cell(han: int, fu: int, possible: dict[bool, frozenset[int]], rules: Ruleset) -> Cell:
    base = base_points(Win(seat=0, han=han, fu=fu), rules)
    ways = [fu in possible[tsumo] for tsumo in (False, True)]
    other, dealer = (
        Worth(*(each if there else None for each, there in zip(worth, ways, strict=True)))
        for worth in _worths(base, rules)
    )
    return Cell(han, fu, limit_name(base, rules), other, dealer)


def _worths(base: int, rules: Ruleset) -> tuple[Worth, Worth]:
    """Return what base points pay another player than the dealer, and the dealer."""
    other, dealer = (
        Worth(*(payment_at(base, rules, tsumo=tsumo, deals=deals) for tsumo in (False, True)))
        for deals in (False, True)
    )
    return other, dealer
