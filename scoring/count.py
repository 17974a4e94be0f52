"""The count of a hand: of all its shapes the one that pays most by the book, with yaku, dora, fu and value.

It decides by value, not by han. What it did not take, and why, is told by `explain`; nobody is paid here.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.fu import FuItem, fu_items, round_fu
from scoring.problems import InvalidInput, Problem, error
from scoring.shape import Memo, Shape, called_of, shapes
from scoring.tiles import BITS, DORA_OF_FOUR, DORA_OF_THREE, ONE_KIND, REDS
from scoring.value import base_of, least_han, limit_name
from scoring.yaku import (
    CONDITION_YAKU,
    CONDITION_YAKUMAN,
    SHAPE_YAKU,
    SHAPE_YAKUMAN,
    Condition,
    Conditions,
    Predicate,
    Yaku,
    conditions_of,
)

if TYPE_CHECKING:  # the count of a hand is quick to import
    from rules.ruleset import Ruleset
    from scoring.hand import WinningHand


MOST_MEMOS = 10_000

Line = tuple[str, int]  # a yaku's name, and what it is worth in han or in yakuman
Candidate = tuple[Line, Predicate | None]  # a yaku that the traits of a shape allow, and what must hold beside them
Worths = dict[str, int]


class Prepared(NamedTuple):
    """What a book makes of conditions, of traits (in a hand won by ron, by tsumo), and of han and fu."""

    rules: Ruleset
    conditions: Memo[tuple[Any, ...], tuple[list[Line], list[Line]]]
    shape_yaku: Memo[int, list[Candidate]]
    shape_yaku_tsumo: Memo[int, list[Candidate]]
    shape_yakuman: Memo[int, list[Candidate]]
    values: Memo[tuple[int, int], tuple[int, str | None]]


@functools.lru_cache(maxsize=64)
def prepare(rules: Ruleset, closed: bool) -> Prepared:
    """Make a book ready for closed or for open hands."""
    column = 0 if closed else 1
    names = [*CONDITION_YAKU, *CONDITION_YAKUMAN, *(yaku.name for yaku in (*SHAPE_YAKU, *SHAPE_YAKUMAN))]
    worths = {name: getattr(rules, name)[column] for name in names if getattr(rules, name)[column]}
    yakuman_conditions = CONDITION_YAKUMAN | ({"renhou": _first_turn_ron} if rules.renhou == "yakuman" else {})
    without_pinfu = worths if rules.pinfu_tsumo else {name: worth for name, worth in worths.items() if name != "pinfu"}
    return Prepared(
        rules=rules,
        conditions=_condition_lines(CONDITION_YAKU, yakuman_conditions, {"renhou": 1} | worths),
        shape_yaku=_shape_candidates(SHAPE_YAKU, worths),
        shape_yaku_tsumo=_shape_candidates(SHAPE_YAKU, without_pinfu),
        shape_yakuman=_shape_candidates(SHAPE_YAKUMAN, worths),
        values=Memo(lambda han_fu: _value(*han_fu, rules), most=MOST_MEMOS),
    )


def _first_turn_ron(conditions: Conditions) -> bool:
    return conditions.first_turn and not conditions.tsumo


def _condition_lines(
    yaku: dict[str, Condition], yakuman: dict[str, Condition], worths: Worths
) -> Memo[tuple[Any, ...], tuple[list[Line], list[Line]]]:
    def lines(table: dict[str, Condition], values: tuple[Any, ...]) -> list[Line]:
        conditions = Conditions._make(values)
        return [(name, worths[name]) for name, holds in table.items() if name in worths and holds(conditions)]

    return Memo(lambda values: (lines(yaku, values), lines(yakuman, values)), most=MOST_MEMOS)


def _shape_candidates(table: tuple[Yaku, ...], worths: Worths) -> Memo[int, list[Candidate]]:
    counting = [(yaku, (yaku.name, worths[yaku.name])) for yaku in table if yaku.name in worths]

    def candidates(traits: int) -> list[Candidate]:
        return [(line, yaku.holds) for yaku, line in counting if traits & yaku.mask == yaku.wanted]

    return Memo(candidates, most=MOST_MEMOS)


def _value(han: int, fu: int, rules: Ruleset) -> tuple[int, str | None]:
    base = base_of(han, fu, rules)
    return base, limit_name(base, rules)


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

    `yaku` are names with their han, how the hand was won first, without dora. `limit` names the limit, if any.
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

    >>> from rules.books import load
    >>> from scoring.hand import read_hand
    >>> rules = load("ema-2025")
    >>> hand = {"tiles": "234m456p22789s567p", "win": "7p", "tsumo": True, "round_wind": "E", "seat_wind": "S"}
    >>> counted = count(read_hand(hand, rules), rules)
    >>> counted.han, counted.fu, counted.yaku
    (2, 20, (('menzen_tsumo', 1), ('pinfu', 1)))
    """
    found = counts(hand, rules)
    return max(found, key=rank) if len(found) > 1 else found[0]


def rank(counted: Count) -> tuple[int, int, int, int]:
    """Return that by which counts are compared: value, yakuman before han that are worth as much, han, fu."""
    return counted.base, counted.yakuman, counted.han, counted.fu


def counts(hand: WinningHand, rules: Ruleset) -> list[Count]:
    """Return the count of each shape that wins, at least one; raises InvalidInput as `count` does."""
    called = called_of(hand)
    book = prepare(rules, called.closed)
    dora = count_dora(hand, rules)
    yaku_of_conditions, yakuman_of_conditions = book.conditions[conditions_of(hand)]
    shape_yaku = book.shape_yaku_tsumo if hand.tsumo else book.shape_yaku
    least = least_han(hand.honba, rules)
    found, all_shapes = [], shapes(hand, called)
    for shape in all_shapes:
        possible = book.shape_yakuman[shape.traits]
        yakuman = yakuman_of_conditions + _holding(shape, possible) if possible else yakuman_of_conditions
        if yakuman:
            found.append(_yakuman(shape, yakuman, dora, rules))
            continue
        yaku = yaku_of_conditions + _holding(shape, shape_yaku[shape.traits])
        if yaku and sum([worth for _, worth in yaku]) >= least:
            found.append(_ordinary(shape, yaku, dora, book))
        if hand.first_turn and is_renhou(hand) and rules.renhou == "mangan":
            found.append(_ordinary(shape, [("renhou", RENHOU_HAN)], NO_DORA, book))
    if not found:
        raise InvalidInput([_why_not(hand, least) if all_shapes else error("hand.not_winning")])
    return found


def _holding(shape: Shape, possible: list[Candidate]) -> list[Line]:
    """Return the yaku of a shape: of those that its traits allow, those that hold."""
    return [line for line, holds in possible if holds is None or holds(shape)]


def _ordinary(shape: Shape, yaku: list[Line], dora: Dora, book: Prepared) -> Count:
    items = fu_items(shape, book.rules)
    han = sum([worth for _, worth in yaku]) + sum(dora)
    fu = round_fu(items)
    base, limit = book.values[han, fu]
    return Count(shape, tuple(yaku), dora, items, han, fu, 0, base, limit)


def _yakuman(shape: Shape, found: list[tuple[str, int]], dora: Dora, rules: Ruleset) -> Count:
    """Count yakuman alone: nothing else adds to them, and they to each other only where the book says so."""
    items = fu_items(shape, rules)
    worths = [worth for _, worth in found]
    number = sum(worths) if rules.yakuman_add_up else max(worths)
    names = tuple((name, worth * COUNTED_YAKUMAN_HAN) for name, worth in found)
    han, base = COUNTED_YAKUMAN_HAN * number, rules.yakuman_base * number
    return Count(shape, names, dora, items, han, round_fu(items), number, base, limit_name(base, rules))


def count_dora(hand: WinningHand, rules: Ruleset) -> Dora:
    """Count dora of each kind; each indicator counts for itself, a set-aside North once more where it is dora (S0)."""
    own, dora_of = hand.own, DORA_OF_THREE if rules.players == 3 else DORA_OF_FOUR
    dora = sum([own >> BITS * dora_of[kind] & ONE_KIND for kind, _ in hand.dora])
    ura = sum([own >> BITS * dora_of[kind] & ONE_KIND for kind, _ in hand.ura]) if hand.ura else 0
    return Dora(dora, ura, own >> REDS, hand.kita)


NO_DORA = Dora(0, 0, 0, 0)


def is_renhou(hand: WinningHand) -> bool:
    """Tell whether the hand won by ron before the winner's first draw (E25 4.2; WRC 2025 11.5.4)."""
    return hand.first_turn and not hand.tsumo


def _why_not(hand: WinningHand, least: int) -> Problem:
    return error("hand.no_yaku") if least == 1 else error("hand.two_han_needed", honba=hand.honba)
