"""Fu of a hand item by item, and the fu that are possible with a number of han where no tiles are known.

The possible fu are derived from all shapes of four groups, not from a list.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoring.readings import OUTER, SAME, facts_of, tiles_of
from scoring.shape import Shape
from scoring.tiles import HONOURS, KAN, NORTH, OPEN, PAIR, TRIPLET, WHITE
from scoring.yaku import pinfu

if TYPE_CHECKING:  # names for the reader: the count of a hand is quick to import
    from rules.ruleset import Ruleset

BASE = 20
CLOSED_RON = 10
TSUMO = 2
SINGLE_WAIT = 2
OPEN_MINIMUM = 30
PINFU_TSUMO = 20
SEVEN_PAIRS = 25
VALUE_PAIR = 2
_WIDEST_WIND_PAIR = 4  # admits every fu that a narrower one admits
OPEN_WITHOUT_FU = 2
YAKUMAN = 99  # han that mark a shape as yakuman or impossible


class FuItem(NamedTuple):
    """Fu with their reason (a code) and the tile kinds that give them."""

    why: str
    fu: int
    tiles: tuple[int, ...] = ()


def fu_items(shape: Shape, rules: Ruleset) -> list[FuItem]:
    """Return the fu items of a shape, unrounded (E25 4.1.1; WRC 2025 11.3); see round_fu."""
    if shape.form == "chiitoitsu":
        return [_SEVEN_PAIRS_ITEM]
    items = [_BASE_ITEM]
    if shape.hand.tsumo:
        if not pinfu(shape, rules):
            items.append(_TSUMO_ITEM)
    elif shape.closed:
        items.append(_CLOSED_RON_ITEM)
    if shape.facts & SAME:
        items += [_GROUP_ITEMS[group] for group in shape.groups if group in _GROUP_ITEMS]
    if shape.pair >= HONOURS:
        items += _pair_items(shape, rules)
    if shape.wait in _WAIT_ITEMS and shape.form == "groups":
        items.append(_WAIT_ITEMS[shape.wait])
    if len(items) == 1 and not shape.closed:
        items.append(_OPEN_ITEM)
    return items


def round_fu(raw: int) -> int:
    """Return fu rounded up to ten; chiitoitsu stays 25 (E25 4.1.1).

    >>> round_fu(22), round_fu(25)
    (30, 25)
    """
    return raw if raw == SEVEN_PAIRS else -(-raw // 10) * 10


def _group_item(group: int) -> FuItem:
    """Return the fu of a triplet or kan: 2, doubled for outer tiles, doubled if closed, times four for a kan."""
    opened, kan = group >= OPEN, group % OPEN >= KAN
    fu = 2 * (2 if facts_of([group]) & OUTER else 1) * (1 if opened else 2) * (4 if kan else 1)
    why = f"{'open' if opened else 'closed'}_{'quad' if kan else 'triplet'}"
    return FuItem(why, fu, tiles_of(group))


def _pair_items(shape: Shape, rules: Ruleset) -> Iterator[FuItem]:
    pair = shape.pair
    tiles = (pair, pair)
    if pair >= WHITE:
        yield FuItem("dragon_pair", VALUE_PAIR, tiles)
    elif pair == shape.hand.seat_wind == shape.hand.round_wind:
        yield FuItem("double_wind_pair", rules.double_wind_pair_fu, tiles)
    elif pair == shape.hand.seat_wind:
        yield FuItem("seat_wind_pair", VALUE_PAIR, tiles)
    elif pair == shape.hand.round_wind:
        yield FuItem("round_wind_pair", VALUE_PAIR, tiles)
    elif pair == NORTH and rules.north_value == "everybody":
        yield FuItem("north_pair", VALUE_PAIR, tiles)


_BASE_ITEM = FuItem("base", BASE)
_TSUMO_ITEM = FuItem("tsumo", TSUMO)
_CLOSED_RON_ITEM = FuItem("closed_ron", CLOSED_RON)
_OPEN_ITEM = FuItem("open_hand", OPEN_WITHOUT_FU)
_SEVEN_PAIRS_ITEM = FuItem("chiitoitsu", SEVEN_PAIRS)
_WAIT_ITEMS = {wait: FuItem(wait, SINGLE_WAIT) for wait in ("kanchan", "penchan", "tanki")}
_GROUP_ITEMS = {group: _group_item(group) for group in (*range(TRIPLET, PAIR), *range(OPEN + TRIPLET, OPEN + PAIR))}


def fu_list(rules: Ruleset) -> list[tuple[str, int, int]]:
    """Return every item of fu with what it gives, and what it gives where its tiles are terminals or honours.

    >>> from rules.books import load
    >>> fu_list(load("ema-2025"))[3:5]
    [('open_triplet', 2, 4), ('closed_triplet', 4, 8)]
    """
    inner = [_GROUP_ITEMS[form + 1 + opened] for form in (TRIPLET, KAN) for opened in (OPEN, 0)]
    outer = [_GROUP_ITEMS[form + opened] for form in (TRIPLET, KAN) for opened in (OPEN, 0)]
    return [
        *((item.why, item.fu, item.fu) for item in (_BASE_ITEM, _CLOSED_RON_ITEM, _TSUMO_ITEM)),
        *((item.why, item.fu, other.fu) for item, other in zip(inner, outer, strict=True)),
        *((why, VALUE_PAIR, VALUE_PAIR) for why in ("dragon_pair", "seat_wind_pair", "round_wind_pair")),
        ("double_wind_pair", rules.double_wind_pair_fu, rules.double_wind_pair_fu),
        *((item.why, item.fu, item.fu) for item in (*_WAIT_ITEMS.values(), _OPEN_ITEM, _SEVEN_PAIRS_ITEM)),
    ]


@dataclass(frozen=True, slots=True)
class _Group:
    """A sequence, triplet or kan with its fu."""

    fu: int
    triplet: bool = True
    kan: bool = False
    open: bool = False


_SEQUENCE = _Group(0, triplet=False)
_GROUPS = (
    _SEQUENCE,
    *(_Group(fu, open=True) for fu in (2, 4)),
    *(_Group(fu) for fu in (4, 8)),
    *(_Group(fu, kan=True, open=True) for fu in (8, 16)),
    *(_Group(fu, kan=True) for fu in (16, 32)),
)


@functools.cache
def possible_fu(han: int, rules: Ruleset, *, tsumo: bool, riichi: bool = False) -> frozenset[int]:
    """Return the rounded fu possible under these rules for a hand of `han` (dora included).

    Tries every shape of four groups, and drops those whose forced yaku are worth more han. A hand with riichi is
    closed, and riichi takes one han.

    >>> from rules.books import load
    >>> ema = load("ema-2025")
    >>> sorted(possible_fu(1, ema, tsumo=False))
    [30, 40, 50, 60, 70, 80, 90, 100]
    >>> 20 in possible_fu(2, ema, tsumo=True), 25 in possible_fu(2, ema, tsumo=True)
    (True, False)
    >>> sorted(possible_fu(2, ema, tsumo=True, riichi=True))
    [30, 40, 50, 60, 70, 80, 90]
    """
    pinfu = bool(rules.pinfu[0]) and (rules.pinfu_tsumo or not tsumo)
    return _at_most(han, _shapes(tsumo, rules.double_wind_pair_fu, riichi, pinfu), riichi)


def fu_of_any_rules(han: int, *, tsumo: bool) -> frozenset[int]:
    """Return the rounded fu that a hand of `han` can have under some rules."""
    return _at_most(han, _shapes(tsumo, _WIDEST_WIND_PAIR, False, True), False)


def _at_most(han: int, shapes: frozenset[tuple[int, int]], riichi: bool) -> frozenset[int]:
    return frozenset(fu for fu, forced in shapes if forced + riichi <= han)


@functools.cache
def _shapes(tsumo: bool, double_wind_pair_fu: int, closed: bool, pinfu: bool) -> frozenset[tuple[int, int]]:
    """Return every (rounded fu, han of forced yaku), chiitoitsu included; only closed shapes if `closed`.

    `pinfu` tells whether such a hand has the yaku and its fu: without it a plain tsumo is paid the fu of a tsumo.
    """
    seven_pairs = {(SEVEN_PAIRS, 3 if tsumo else 2)}
    pairs = sorted({0, VALUE_PAIR, double_wind_pair_fu})
    found = (
        _fu_and_forced(groups, pair, wait, tsumo=tsumo, called=called, pinfu=pinfu)
        for groups in itertools.combinations_with_replacement(_GROUPS, 4)
        for pair in pairs
        for wait in (0, SINGLE_WAIT)
        for called in _can_be_called(groups)
        if not (called and closed)
        if wait or _open_ended(groups)
    )
    return frozenset(shape for shape in found if shape[1] < YAKUMAN) | seven_pairs


def _can_be_called(groups: tuple[_Group, ...]) -> Iterator[bool]:
    """Yield False if such a hand can be closed, and True if it can be open: a sequence may be called or not.

    A closed hand may have one open triplet: the one that a ron completes.
    """
    opened = [group for group in groups if group.open]
    if not opened or (len(opened) == 1 and not opened[0].kan):
        yield False
    if opened or _SEQUENCE in groups:
        yield True


def _open_ended(groups: tuple[_Group, ...]) -> bool:
    """Return whether a wait without fu is possible: on a sequence, or on one of two pairs."""
    return _SEQUENCE in groups or any(group.triplet and not group.kan for group in groups)


def _fu_and_forced(
    groups: tuple[_Group, ...], pair: int, wait: int, *, tsumo: bool, called: bool, pinfu: bool
) -> tuple[int, int]:
    forced = _forced_han(groups, tsumo=tsumo, called=called)
    if not called and any(group.open for group in groups) and (tsumo or wait):
        return 0, YAKUMAN  # a closed hand gets an open triplet only by a ron on one of two pairs
    plain = not wait and not pair and all(group is _SEQUENCE for group in groups)
    if plain and pinfu and not called:
        return (PINFU_TSUMO, forced + 1) if tsumo else (BASE + CLOSED_RON, forced + 1)
    fu = BASE + pair + wait + sum(group.fu for group in groups)
    fu += TSUMO if tsumo else (0 if called else CLOSED_RON)
    return max(-(-fu // 10) * 10, OPEN_MINIMUM), forced


def _forced_han(groups: tuple[_Group, ...], *, tsumo: bool, called: bool) -> int:
    """Return the han of the yaku that the shape forces; YAKUMAN if it is one."""
    concealed = sum(group.triplet and not group.open for group in groups)
    kans = sum(group.kan for group in groups)
    triplets = sum(group.triplet for group in groups)
    if concealed == 4 or kans == 4:
        return YAKUMAN
    return (
        (1 if tsumo and not called else 0)
        + (2 if concealed == 3 else 0)
        + (2 if kans == 3 else 0)
        + (2 if triplets == 4 else 0)
    )
