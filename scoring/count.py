"""Count a winning hand: the shape that pays most under the rules, with yaku, dora, fu, han and base points.

Hot path: looks up what a rule set says of yaku, shapes and values in memo tables that it compiles once.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.fu import FuItem, fu_items, round_fu
from scoring.problems import InvalidInput, ProblemType
from scoring.readings import HONOUR, TRAITS, Memo
from scoring.shape import Shape, shapes
from scoring.tiles import (
    BITS,
    DORA_OF_FOUR,
    DORA_OF_THREE,
    HONOURS,
    KINDS,
    ONE_KIND,
    REDS,
    WHITE,
    Tile,
    count_of,
    parse_tiles,
    write_tile,
)
from scoring.value import base_of, least_han, limit_name
from scoring.yaku import (
    CONDITION_YAKU,
    CONDITION_YAKUMAN,
    EVERYBODYS_NORTH,
    SHAPE_YAKU,
    SHAPE_YAKUMAN,
    SPECIAL_WAITS,
    Condition,
    Conditions,
    Predicate,
    Yaku,
    conditions_of,
    pinfu,
)

if TYPE_CHECKING:
    from rules.ruleset import Ruleset
    from scoring.hand import WinningHand


HAND_WAIT_WITHOUT_YAKU = ProblemType(
    "hand.wait_without_yaku",
    "For a ron each tile of the wait must give a yaku under these rules; with the {tile} none counts.",
)
HAND_WAIT_WITHOUT_TWO_HAN = ProblemType(
    "hand.wait_without_two_han",
    "With {honba} honba each tile of the wait must give two han of yaku; with the {tile} there are fewer.",
)

COPIES = 4
MORE_THAN = {"iipeikou": "ryanpeikou"}  # a yaku and the one that is counted instead of it
DRAGONS = ("haku", "hatsu", "chun")

Counts = Callable[["WinningHand", "Ruleset"], Sequence["Count"]]
Wait = dict[int, Sequence["Count"]]  # the counts of the hand with each tile that completes it; none without a yaku


def lost_by_wait(hand: WinningHand, rules: Ruleset, counts: Counts) -> frozenset[str]:
    """Return the yaku that do not count because another tile of the wait does not give them.

    Raises InvalidInput if a tile of the wait gives fewer han of yaku than each of them must.
    """
    least = least_han(hand.honba, rules)
    two_han = rules.two_han_whole_wait and least > 1 and not (hand.tsumo and hand.closed)
    if hand.tsumo and not two_han:
        return frozenset()
    wait = _wait(hand, rules, counts)
    names = () if hand.tsumo else rules.whole_wait_yaku
    lost = frozenset(name for name in names if not all(_gives(name, found) for found in wait.values()))
    if _most(wait[hand.win.kind]) < least:
        return lost  # the hand has too few yaku, whatever its wait: `counts` says so
    for kind, found in sorted(wait.items(), key=lambda each: _most(each[1])):
        tile = write_tile(Tile(kind))
        if rules.ron_on_whole_wait and not hand.tsumo and not _most(found, lost | _made_by_ron(kind, hand)):
            raise InvalidInput([HAND_WAIT_WITHOUT_YAKU(tile=tile)])
        if two_han and _most(found, lost) < least:
            raise InvalidInput([HAND_WAIT_WITHOUT_TWO_HAN(tile=tile, honba=hand.honba)])
    return lost


def _wait(hand: WinningHand, rules: Ruleset, counts: Counts) -> Wait:
    """Count the hand with each tile that completes it; a tile of which it holds four completes nothing."""
    rest = list(hand.tiles)
    rest.remove(hand.win)
    wait: Wait = {}
    for kind in range(KINDS):
        if count_of(hand.own, kind) - (kind == hand.win.kind) == COPIES or (rules.players == 3 and 0 < kind < 8):
            continue
        other = dataclasses.replace(hand, tiles=(*rest, Tile(kind)), win=Tile(kind))
        try:
            wait[kind] = counts(other, _of_one_tile(rules))
        except InvalidInput as wrong:
            if wrong.problems[0].code != "hand.not_winning":
                wait[kind] = ()
    return wait


@functools.lru_cache(maxsize=64)
def _of_one_tile(rules: Ruleset) -> Ruleset:
    """Return the rules without those of the whole wait."""
    return dataclasses.replace(
        rules, two_han_from_honba=0, two_han_whole_wait=False, ron_on_whole_wait=False, whole_wait_yaku=()
    )


class Dora(NamedTuple):
    """Han of each kind of dora; ura needs riichi."""

    dora: int
    ura: int
    red: int
    kita: int


class Count(NamedTuple):
    """A hand's value in one shape: `han` with dora, `fu` rounded from `raw_fu`, number of `yakuman`, `base` points.

    `yaku` are (name, han) without dora, those of conditions first. `limit` names the limit, if any.
    """

    shape: Shape
    yaku: tuple[tuple[str, int], ...]
    dora: Dora
    fu_items: list[FuItem]
    raw_fu: int
    han: int
    fu: int
    yakuman: int
    base: int
    limit: str | None


def _gives(name: str, found: Sequence[Count]) -> bool:
    """Return whether a reading has a yaku, or is a yakuman."""
    wanted = {name, MORE_THAN.get(name)}
    return any(counted.yakuman or wanted & {each for each, _ in counted.yaku} for counted in found)


def _most(found: Sequence[Count], lost: frozenset[str] = frozenset()) -> int:
    """Return the most han of yaku of a reading, without those that are lost."""
    return max((sum(han for name, han in counted.yaku if name not in lost) for counted in found), default=0)


def _made_by_ron(kind: int, hand: WinningHand) -> frozenset[str]:
    """Return the yaku of a triplet of winds or dragons that a ron completes (sanma rule book 9.3: not of these)."""
    if kind < HONOURS or count_of(hand.concealed, kind) - (kind == hand.win.kind) != 2:
        return frozenset()
    if kind >= WHITE:
        return frozenset({DRAGONS[kind - WHITE]})
    winds = ((hand.seat_wind, "seat_wind"), (hand.round_wind, "round_wind"))
    return frozenset(name for wind, name in winds if wind == kind)


HAND_NOT_WINNING = ProblemType(
    "hand.not_winning", "This is not a winning hand: the tiles make neither four groups and a pair nor seven pairs."
)
HAND_NO_YAKU = ProblemType("hand.no_yaku", "The hand is complete but has no yaku: it cannot win. Dora are no yaku.")
HAND_TWO_HAN_NEEDED = ProblemType(
    "hand.two_han_needed", "With {honba} honba a hand needs two han of yaku, and this one has fewer."
)

COUNTED_YAKUMAN_HAN = 13  # a yakuman in a list of han
RENHOU_HAN = 5
MAX_MEMOS = 10_000

Line = tuple[str, int]  # a yaku's name and its worth in han, or in yakuman
Candidate = tuple[Line, Predicate | None]  # a yaku that the traits of a shape allow, and what else must hold
Worths = dict[str, int]


class CompiledRules(NamedTuple):
    """A rule set compiled for counting: memo tables by conditions, by traits of a shape, and by han and fu."""

    rules: Ruleset
    conditions: Memo[tuple[Any, ...], tuple[list[Line], list[Line]]]  # yaku and yakuman
    candidates: Memo[int, tuple[list[Candidate], list[Candidate]]]  # yaku and yakuman
    values: Memo[tuple[int, int], tuple[int, str | None]]
    whole_wait: bool  # whether the other tiles of a wait say what counts


@functools.lru_cache(maxsize=64)
def compile_rules(rules: Ruleset, closed: bool) -> CompiledRules:
    """Compile a rule set for closed or for open hands."""
    column = 0 if closed else 1
    shape_yaku, shape_yakuman = tuple(_by_rules(rules)), tuple(_by_wait(rules))
    names = [*CONDITION_YAKU, *CONDITION_YAKUMAN, *(yaku.name for yaku in (*SHAPE_YAKU, *shape_yakuman))]
    stated = {name: getattr(rules, name) for name in names} | {"north": rules.seat_wind}
    worths = {name: worth[column] for name, worth in stated.items() if worth[column]}
    yakuman_conditions = dict(CONDITION_YAKUMAN)
    if rules.renhou == "yakuman":
        yakuman_conditions["renhou"] = lambda hand: hand.first_turn and not hand.tsumo
    return CompiledRules(
        rules=rules,
        conditions=_condition_lines(CONDITION_YAKU, yakuman_conditions, {"renhou": 1} | worths),
        candidates=_candidates(shape_yaku, shape_yakuman, worths),
        values=Memo(lambda han_fu: (base := base_of(*han_fu, rules), limit_name(base, rules)), most=MAX_MEMOS),
        whole_wait=bool(rules.whole_wait_yaku) or rules.ron_on_whole_wait or rules.two_han_whole_wait,
    )


def _by_rules(rules: Ruleset) -> Iterator[Yaku]:
    """Yield the yaku of tiles, with North where it is everybody's wind; what a pinfu is depends on the rules."""
    for yaku in SHAPE_YAKU:
        yield yaku._replace(holds=functools.partial(pinfu, rules=rules)) if yaku.name == "pinfu" else yaku
    if rules.north_value == "everybody":
        yield EVERYBODYS_NORTH


def _by_wait(rules: Ruleset) -> Iterator[Yaku]:
    """Yield the yakuman of tiles; those of a special wait apart where they are worth more."""
    for yaku in SHAPE_YAKUMAN:
        if yaku.name == "ryuuiisou" and rules.ryuuiisou_hatsu:
            yield yaku._replace(mask=yaku.mask | HONOUR, wanted=yaku.wanted | HONOUR)
            continue
        name, special = SPECIAL_WAITS.get(yaku.name, (yaku.name, None))
        if special is None or getattr(rules, name) == getattr(rules, yaku.name):
            yield yaku
        else:
            yield yaku._replace(holds=_both(yaku.holds, special, wanted=False))
            yield yaku._replace(name=name, holds=_both(yaku.holds, special, wanted=True))


def _both(holds: Predicate | None, special: Predicate, *, wanted: bool) -> Predicate:
    return lambda shape: (holds is None or holds(shape)) and special(shape) is wanted


def _condition_lines(
    yaku: dict[str, Condition], yakuman: dict[str, Condition], worths: Worths
) -> Memo[tuple[Any, ...], tuple[list[Line], list[Line]]]:
    def lines(table: dict[str, Condition], values: tuple[Any, ...]) -> list[Line]:
        conditions = Conditions._make(values)
        return [(name, worths[name]) for name, holds in table.items() if name in worths and holds(conditions)]

    return Memo(lambda values: (lines(yaku, values), lines(yakuman, values)), most=MAX_MEMOS)


def _candidates(
    yaku: tuple[Yaku, ...], yakuman: tuple[Yaku, ...], worths: Worths
) -> Memo[int, tuple[list[Candidate], list[Candidate]]]:
    def allowed(table: list[tuple[Yaku, Line]], traits: int) -> list[Candidate]:
        return [(line, yaku.holds) for yaku, line in table if traits & yaku.mask == yaku.wanted]

    ordinary, limit = (
        [(each, (each.name, worths[each.name])) for each in table if each.name in worths] for table in (yaku, yakuman)
    )
    return Memo(lambda traits: (allowed(ordinary, traits), allowed(limit, traits)), most=MAX_MEMOS)


def count(hand: WinningHand, rules: Ruleset) -> Count:
    """Return the count that pays most (E25 3.4.3, 4.1.1: the highest reading is obligatory).

    Raises InvalidInput for a hand without a winning shape or without yaku.

    >>> from rules.books import load
    >>> from scoring.hand import read_hand
    >>> rules = load("ema-2025")
    >>> hand = {"tiles": "234m456p22789s567p", "win": "7p", "tsumo": True, "round_wind": "E", "seat_wind": "S"}
    >>> counted = count(read_hand(hand, rules), rules)
    >>> counted.han, counted.fu, counted.yaku
    (2, 20, (('menzen_tsumo', 1), ('pinfu', 1)))
    """
    return counts(hand, rules)[0]


def counts(hand: WinningHand, rules: Ruleset) -> list[Count]:
    """Return the count of each winning shape, at least one, best first; raises InvalidInput as `count`.

    Where the rules ask for something of the whole wait, a yaku may not count, or the hand not win: see `scoring.count`.
    """
    read = shapes(hand)
    if not read:
        raise InvalidInput([HAND_NOT_WINNING()])
    book = compile_rules(rules, read[0].closed)
    of_conditions, yakuman_of_conditions = book.conditions[conditions_of(hand)]
    dora, least = count_dora(hand, rules), least_han(hand.honba, rules)
    lost = lost_by_wait(hand, rules, counts) if book.whole_wait else ()
    found = []
    for shape in read:
        of_tiles, yakuman_of_tiles = book.candidates[shape.facts & TRAITS]
        if yakuman := yakuman_of_conditions + _holding(yakuman_of_tiles, shape):
            found.append(_yakuman(shape, yakuman, dora, rules))
            continue
        yaku = of_conditions + _holding(of_tiles, shape)
        if lost:
            yaku = [line for line in yaku if line[0] not in lost]
        if (han := sum([worth for _, worth in yaku])) >= least:
            found.append(_ordinary(shape, yaku, han, dora, book))
        if hand.first_turn and not hand.tsumo and rules.renhou == "mangan":
            found.append(_ordinary(shape, [("renhou", RENHOU_HAN)], RENHOU_HAN, NO_DORA, book))
    if not found:
        raise InvalidInput([HAND_NO_YAKU() if least == 1 else HAND_TWO_HAN_NEEDED(honba=hand.honba)])
    if len(found) > 1:
        found.sort(key=_ORDER, reverse=True)
    return found


def _holding(candidates: list[Candidate], shape: Shape) -> list[Line]:
    """Return those candidates that hold in a shape."""
    return [line for line, holds in candidates if holds is None or holds(shape)] if candidates else []


def _ordinary(shape: Shape, yaku: list[Line], han: int, dora: Dora, book: CompiledRules) -> Count:
    items = fu_items(shape, book.rules)
    raw_fu = sum([item.fu for item in items])
    han, fu = han + sum(dora), round_fu(raw_fu)
    base, limit = book.values[han, fu]
    return Count(shape, tuple(yaku), dora, items, raw_fu, han, fu, 0, base, limit)


def _yakuman(shape: Shape, found: list[Line], dora: Dora, rules: Ruleset) -> Count:
    """Count yakuman alone: no yaku or dora add to them; several add up only where the rules say so."""
    items = fu_items(shape, rules)
    raw_fu = sum([item.fu for item in items])
    worths = [worth for _, worth in found]
    number = sum(worths) if rules.yakuman_add_up else max(worths)
    names = tuple([(name, worth * COUNTED_YAKUMAN_HAN) for name, worth in found])
    han, base = COUNTED_YAKUMAN_HAN * number, rules.yakuman_base * number
    return Count(shape, names, dora, items, raw_fu, han, round_fu(raw_fu), number, base, limit_name(base, rules))


def count_dora(hand: WinningHand, rules: Ruleset) -> Dora:
    """Count dora: each indicator counts by itself, and a kita counts again where North is dora (S0)."""
    own, dora_of = hand.own, DORA_OF_THREE if rules.players == 3 else DORA_OF_FOUR
    dora = sum([own >> BITS * dora_of[kind] & ONE_KIND for kind, _ in hand.dora])
    ura = sum([own >> BITS * dora_of[kind] & ONE_KIND for kind, _ in hand.ura]) if hand.ura else 0
    red = own >> REDS if len(rules.red_fives) < COPIES else _reds(hand, rules)
    return Dora(dora, ura, red, hand.kita)


def _reds(hand: WinningHand, rules: Ruleset) -> int:
    """Count red fives where each five of a suit may be red: then it is, however it was written."""
    whole = [parse_tiles(five)[0].kind for five in set(rules.red_fives) if rules.red_fives.count(five) == COPIES]
    return sum([tile.red or tile.kind in whole for tile in hand.own_tiles()])


NO_DORA = Dora(0, 0, 0, 0)
_ORDER = operator.attrgetter("base", "yakuman", "han", "fu")  # a yakuman comes before han of equal value
