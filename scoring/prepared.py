"""A rule set made ready for counting: which yaku count and for how much, and what is asked again and again, kept.

It only looks up and remembers; shapes are judged in `yaku`, hands in `count`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.kept import Kept
from scoring.value import base_of, limit_name
from scoring.yaku import (
    CONDITION_YAKU,
    CONDITION_YAKUMAN,
    SHAPE_YAKU,
    SHAPE_YAKUMAN,
    Condition,
    Conditions,
    Predicate,
    Yaku,
)

if TYPE_CHECKING:  # names for the reader: the count of a hand is quick to import
    from rules.ruleset import Ruleset

MOST_KEPT = 10_000

Line = tuple[str, int]  # a yaku's name, and what it is worth in han or in yakuman
Candidate = tuple[Line, Predicate | None]  # a yaku that the traits of a shape allow, and what must hold beside them
Worths = dict[str, int]


class Prepared(NamedTuple):
    """What a book makes of conditions, of traits (in a hand won by ron, by tsumo), and of han and fu."""

    rules: Ruleset
    conditions: Kept[tuple[Any, ...], tuple[list[Line], list[Line]]]
    shape_yaku: Kept[int, list[Candidate]]
    shape_yaku_tsumo: Kept[int, list[Candidate]]
    shape_yakuman: Kept[int, list[Candidate]]
    values: Kept[tuple[int, int], tuple[int, str | None]]


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
        conditions=_conditions(CONDITION_YAKU, yakuman_conditions, {"renhou": 1} | worths),
        shape_yaku=_shapes(SHAPE_YAKU, worths),
        shape_yaku_tsumo=_shapes(SHAPE_YAKU, without_pinfu),
        shape_yakuman=_shapes(SHAPE_YAKUMAN, worths),
        values=Kept(lambda han_fu: _value(*han_fu, rules), most=MOST_KEPT),
    )


def _first_turn_ron(conditions: Conditions) -> bool:
    return conditions.first_turn and not conditions.tsumo


def _conditions(
    yaku: dict[str, Condition], yakuman: dict[str, Condition], worths: Worths
) -> Kept[tuple[Any, ...], tuple[list[Line], list[Line]]]:
    def lines(table: dict[str, Condition], values: tuple[Any, ...]) -> list[Line]:
        conditions = Conditions._make(values)
        return [(name, worths[name]) for name, holds in table.items() if name in worths and holds(conditions)]

    return Kept(lambda values: (lines(yaku, values), lines(yakuman, values)), most=MOST_KEPT)


def _shapes(table: tuple[Yaku, ...], worths: Worths) -> Kept[int, list[Candidate]]:
    counting = [(yaku, (yaku.name, worths[yaku.name])) for yaku in table if yaku.name in worths]

    def candidates(traits: int) -> list[Candidate]:
        return [(line, yaku.holds) for yaku, line in counting if traits & yaku.mask == yaku.wanted]

    return Kept(candidates, most=MOST_KEPT)


def _value(han: int, fu: int, rules: Ruleset) -> tuple[int, str | None]:
    base = base_of(han, fu, rules)
    return base, limit_name(base, rules)
