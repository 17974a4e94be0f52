"""The count of a hand: of all its shapes the one that pays most by the book, with yaku, dora, fu and value.

It decides by value, not by han. What it did not take, and why, is told by `explain`; nobody is paid here.
"""

import functools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.fu import FuItem, fu_items, round_fu
from scoring.hand import WinningHand
from scoring.problems import InvalidInput, Problem, error
from scoring.shape import Shape, shapes
from scoring.tiles import next_dora
from scoring.value import base_of, limit_name
from scoring.yaku import CONDITION_YAKU, CONDITION_YAKUMAN, SHAPE_YAKU, SHAPE_YAKUMAN, Condition, Predicate

COUNTED_YAKUMAN_HAN = 13  # as which a yakuman is shown in a list of han
RENHOU_HAN = 5


class Dora(NamedTuple):
    """Dora of each kind, in han; ura-dora only of a riichi."""

    dora: int
    ura: int
    red: int
    kita: int


class Count(NamedTuple):
    """What a hand is worth in one shape: `han` dora included, `fu` rounded, `yakuman` a number, `base` points.

    `yaku` are names with their han, in the order of the books, without dora. `limit` is the name of the limit or None.
    """

    shape: Shape
    yaku: tuple[tuple[str, int], ...]
    dora: Dora
    fu_items: list[FuItem]
    han: int
    fu: int
    yakuman: int
    base: int
    limit: str | None


def count(hand: WinningHand, rules: Ruleset) -> Count:
    """Return the count that pays most (E25 3.4.3, 4.1.1: the highest reading is obligatory).

    Raises InvalidInput for a hand that does not win: no shape, or no yaku in any.

    >>> from rules.ruleset import load
    >>> from scoring.hand_check import read_hand
    >>> rules = load("ema-2025")
    >>> hand = {"tiles": "234m456p22789s567p", "win": "7p", "tsumo": True, "round_wind": "E", "seat_wind": "S"}
    >>> counted = count(read_hand(hand, rules), rules)
    >>> counted.han, counted.fu, counted.yaku
    (2, 20, (('menzen_tsumo', 1), ('pinfu', 1)))
    """
    best = None
    for counted in counts(hand, rules):
        if best is None or rank(counted) > rank(best):
            best = counted
    if best is None:
        raise InvalidInput([_why_not(hand, rules)])
    return best


def rank(counted: Count) -> tuple[int, int, int]:
    """Return that by which counts are compared: value first, then han and fu."""
    return counted.base, counted.han, counted.fu


def counts(hand: WinningHand, rules: Ruleset) -> Iterator[Count]:
    """Yield the count of each shape that wins."""
    book = _book(rules, hand.closed)
    dora = count_dora(hand, rules)
    conditions = [(name, worth) for name, holds, worth in book.condition_yaku if holds(hand)]
    yakuman = [(name, worth) for name, holds, worth in book.condition_yakuman if holds(hand)]
    for shape in shapes(hand):
        items = fu_items(shape, rules)
        found = yakuman + [(name, worth) for name, holds, worth in book.shape_yakuman if holds(shape)]
        if found:
            yield _yakuman(shape, found, dora, items, rules)
            continue
        yaku = conditions + [(name, worth) for name, holds, worth in book.shape_yaku if holds(shape)]
        if hand.tsumo and not rules.pinfu_tsumo:
            yaku = [line for line in yaku if line[0] != "pinfu"]
        if sum(worth for _, worth in yaku) >= least_han(hand, rules):
            yield _ordinary(shape, yaku, dora, items, rules)
        if is_renhou(hand) and rules.renhou == "mangan":
            yield _ordinary(shape, [("renhou", RENHOU_HAN)], NO_DORA, items, rules)


def _ordinary(shape: Shape, yaku: list[tuple[str, int]], dora: Dora, items: list[FuItem], rules: Ruleset) -> Count:
    han = sum(worth for _, worth in yaku) + sum(dora)
    fu = round_fu(items)
    base = base_of(han, fu, rules)
    return Count(shape, tuple(yaku), dora, items, han, fu, 0, base, limit_name(base, rules))


def _yakuman(shape: Shape, found: list[tuple[str, int]], dora: Dora, items: list[FuItem], rules: Ruleset) -> Count:
    """Count yakuman alone: nothing else adds to them, and they to each other only where the book says so."""
    worths = [worth for _, worth in found]
    number = sum(worths) if rules.yakuman_add_up else max(worths)
    names = tuple((name, worth * COUNTED_YAKUMAN_HAN) for name, worth in found)
    base = rules.yakuman_base * number
    han = COUNTED_YAKUMAN_HAN * number
    return Count(shape, names, dora, items, han, round_fu(items), number, base, "yakuman")


def count_dora(hand: WinningHand, rules: Ruleset) -> Dora:
    """Count dora of each kind; each indicator counts for itself, a set-aside North once more where it is dora (S0)."""
    wrap = rules.players == 3
    own = [tile.kind for tile in hand.own_tiles()]
    ura = sum(own.count(next_dora(tile.kind, manzu_ends_only=wrap)) for tile in hand.ura) if hand.riichi else 0
    return Dora(
        dora=sum(own.count(next_dora(tile.kind, manzu_ends_only=wrap)) for tile in hand.dora),
        ura=ura,
        red=sum(tile.red for tile in hand.own_tiles()),
        kita=hand.kita,
    )


NO_DORA = Dora(0, 0, 0, 0)


def is_renhou(hand: WinningHand) -> bool:
    """Tell whether the hand won by ron before the winner's first draw (E25 4.2; WRC 2025 11.5.4)."""
    return hand.first_turn and not hand.tsumo


def least_han(hand: WinningHand, rules: Ruleset) -> int:
    """Return the han that the yaku of a hand need: one, or two from so many counters (sanma rule book 11)."""
    return 2 if rules.two_han_from_honba and hand.honba >= rules.two_han_from_honba else 1


class _Book(NamedTuple):
    """A rule set made ready for counting: of each table the yaku that count, with what they are worth."""

    condition_yaku: list[tuple[str, Condition, int]]
    condition_yakuman: list[tuple[str, Condition, int]]
    shape_yaku: list[tuple[str, Predicate, int]]
    shape_yakuman: list[tuple[str, Predicate, int]]


@functools.lru_cache(maxsize=64)
def _book(rules: Ruleset, closed: bool) -> _Book:
    def worth(name: str) -> int:
        in_closed, in_open = getattr(rules, name)
        return int(in_closed if closed else in_open)

    tables = (CONDITION_YAKU, CONDITION_YAKUMAN, SHAPE_YAKU, SHAPE_YAKUMAN)
    ready: list[list[tuple[str, Callable[..., bool], int]]] = [
        [(name, holds, worth(name)) for name, holds in table.items() if worth(name)] for table in tables
    ]
    if rules.renhou == "yakuman":
        ready[1].append(("renhou", is_renhou, 1))
    return _Book(*ready)


def _why_not(hand: WinningHand, rules: Ruleset) -> Problem:
    """Say why a hand has no count: no shape at all, no yaku, or too few of them."""
    found = shapes(hand)
    if not found:
        return error("hand.not_winning")
    least = least_han(hand, rules)
    return error("hand.no_yaku") if least == 1 else error("hand.two_han_needed", honba=hand.honba)
