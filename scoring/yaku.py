"""Yaku as data: a name, traits that its groups have or lack, and where these are not enough, a predicate.

Each yaku holds by itself, whatever the order of the tables. The rule set says what it is worth, if anything.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scoring.shape import (
    ALL_GREEN,
    ALL_KINDS,
    ENDS,
    HONOUR,
    MAN,
    OUTER,
    PIN,
    RUN,
    SAME,
    SIMPLE,
    SOME_SHIFT,
    SOU,
    TWIN,
    VALUE,
    Shape,
)
from scoring.tiles import BITS, EAST, GREEN, HONOURS, NORTH, RED, WHITE, unpack

STRAIGHT = 0b1001001  # 123, 456 and 789 among the seven sequences of a suit
RUNS_OF_A_SUIT = 0b1111111
SAMES_OF_A_SUIT = 0b111111111
DRAGONS = 0b111 << WHITE
WINDS = 0b1111 << EAST
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
BIG_WHEELS = {sum(2 << BITS * (first + rank) for rank in range(1, 8)) for first in (0, 9, 18)}  # 22334455667788
DOUBLE_RIICHI = 2

Predicate = Callable[[Shape], bool]
Condition = Callable[["Conditions"], bool]


class Conditions(NamedTuple):
    """The conditions of a win that make yaku."""

    tsumo: bool
    riichi: int
    ippatsu: bool
    rinshan: bool
    chankan: bool
    haitei: bool
    houtei: bool
    first_turn: bool
    seat_wind: int


conditions_of = operator.attrgetter(*Conditions._fields)  # from a WinningHand


class Yaku(NamedTuple):
    """A yaku of tiles: traits & `mask` must equal `wanted`, and `holds` must hold."""

    name: str
    mask: int
    wanted: int
    holds: Predicate | None


def _yaku(
    name: str,
    holds: Predicate | None = None,
    *,
    every: int = 0,
    some: int = 0,
    never: int = 0,
    not_every: int = 0,
) -> Yaku:
    """Return a yaku by traits that every, some, no group has, or that some group lacks (`not_every`)."""
    wanted = every | some << SOME_SHIFT
    return Yaku(name, wanted | never << SOME_SHIFT | not_every, wanted, holds)


def _of_one_suit(name: str, holds: Predicate | None = None, *, some: int = 0, never: int = 0) -> Iterator[Yaku]:
    """Yield a yaku once for each suit."""
    for suit in (MAN, PIN, SOU):
        yield _yaku(name, holds, some=some | suit, never=never | (MAN | PIN | SOU) & ~suit)


def is_value_pair(shape: Shape) -> bool:
    """Return whether the pair is of dragons or of the seat or round wind (E25 4.1.1)."""
    pair = shape.part.pair
    return pair >= WHITE or pair in (shape.round_wind, shape.seat_wind)


def pinfu(shape: Shape) -> bool:
    """Return whether a shape is pinfu: closed, four sequences, no value pair, a ryanmen wait."""
    return shape.wait == "ryanmen" and shape.closed and not shape.part.triplets and not is_value_pair(shape)


def _same_sequence_in_three_suits(shape: Shape) -> bool:
    runs = shape.part.runs
    return bool(runs & runs >> 7 & runs >> 14 & RUNS_OF_A_SUIT)


def _same_triplet_in_three_suits(shape: Shape) -> bool:
    sames = shape.part.sames
    return bool(sames & sames >> 9 & sames >> 18 & SAMES_OF_A_SUIT)


def _three_triplets_in_a_row(shape: Shape) -> bool:
    suits = [shape.part.sames >> first & SAMES_OF_A_SUIT for first in (0, 9, 18)]
    return any(suit & suit >> 1 & suit >> 2 for suit in suits)


def _straight(shape: Shape) -> bool:
    runs = shape.part.runs
    return STRAIGHT in (runs & STRAIGHT, runs >> 7 & STRAIGHT, runs >> 14 & STRAIGHT)


def _nine_gates(shape: Shape) -> bool:
    """Return whether the concealed tiles, all 14, hold the nine gates."""
    first = _FIRST_OF_SUIT[shape.part.some & (MAN | PIN | SOU)]
    return all(have >= least for have, least in zip(unpack(shape.packed)[first : first + 9], NINE_GATES, strict=True))


def _nine_waits(shape: Shape) -> bool:
    """Return whether nine gates were complete before the winning tile, so that every tile of the suit won."""
    first = _FIRST_OF_SUIT[shape.part.some & (MAN | PIN | SOU)]
    counts = unpack(shape.packed)
    counts[shape.win] -= 1
    return tuple(counts[first : first + 9]) == NINE_GATES


_FIRST_OF_SUIT = {MAN: 0, PIN: 9, SOU: 18}


def _triplets_among(shape: Shape, kinds: int) -> int:
    return (shape.part.sames & kinds).bit_count()


def _triplet_of(kind: int) -> Predicate:
    return lambda shape: bool(shape.part.sames >> kind & 1)


SHAPE_YAKU = (
    _yaku("pinfu", pinfu, some=RUN, never=SAME),
    _yaku("iipeikou", lambda shape: shape.part.twins == 1, some=TWIN),
    _yaku("tanyao", every=SIMPLE),
    _yaku("haku", _triplet_of(WHITE), some=VALUE),
    _yaku("hatsu", _triplet_of(GREEN), some=VALUE),
    _yaku("chun", _triplet_of(RED), some=VALUE),
    _yaku("seat_wind", lambda shape: bool(shape.part.sames >> shape.seat_wind & 1), some=VALUE),
    _yaku("round_wind", lambda shape: bool(shape.part.sames >> shape.round_wind & 1), some=VALUE),
    _yaku("chiitoitsu", lambda shape: shape.form == "chiitoitsu", never=RUN | SAME),
    _yaku("sanshoku_doujun", _same_sequence_in_three_suits, some=RUN | MAN | PIN | SOU),
    _yaku("sanshoku_doukou", _same_triplet_in_three_suits, some=SAME | MAN | PIN | SOU),
    _yaku("ittsu", _straight, some=RUN),
    _yaku("chanta", every=OUTER, some=RUN | HONOUR),
    _yaku("toitoi", some=SAME, never=RUN),
    _yaku("sanankou", lambda shape: shape.concealed == 3, some=SAME),
    _yaku("sankantsu", lambda shape: shape.kans == 3, some=SAME),
    _yaku(
        "shousangen",
        lambda shape: shape.part.pair >= WHITE and _triplets_among(shape, DRAGONS) == 2,
        some=VALUE,
    ),
    _yaku("honroutou", every=ENDS, some=HONOUR, not_every=HONOUR),
    _yaku("sanrenkou", _three_triplets_in_a_row, some=SAME),  # sanma rule book 12
    *_of_one_suit("honitsu", some=HONOUR),
    _yaku("junchan", every=OUTER, some=RUN, never=HONOUR),
    _yaku("ryanpeikou", lambda shape: shape.part.twins == 2, some=TWIN),
    *_of_one_suit("chinitsu", never=HONOUR),
)
SHAPE_YAKUMAN = (
    _yaku("kokushi_musou", lambda shape: shape.form == "kokushi_musou", every=ENDS, never=RUN | SAME),
    *_of_one_suit("chuuren_poutou", _nine_gates, some=RUN, never=HONOUR),
    _yaku("suuankou", lambda shape: shape.concealed == 4, some=SAME, never=RUN),  # by ron only on the pair (E25 4.2)
    _yaku("suukantsu", lambda shape: shape.kans == 4, some=SAME, never=RUN),
    _yaku("ryuuiisou", every=ALL_GREEN),  # no green dragon is needed (E25 4.2; WRC 2025 11.5.6)
    _yaku("chinroutou", every=ENDS, never=HONOUR),
    _yaku("tsuuiisou", every=HONOUR),
    _yaku("daisangen", lambda shape: _triplets_among(shape, DRAGONS) == 3, some=VALUE),
    _yaku(
        "shousuushii",
        lambda shape: HONOURS <= shape.part.pair <= NORTH and _triplets_among(shape, WINDS) == 3,
        some=VALUE,
    ),
    _yaku("daisuushii", lambda shape: _triplets_among(shape, WINDS) == 4, some=VALUE),
    # of bamboos it is also called daichikurin, of characters daisuurin (sanma rule book 12)
    _yaku("daisharin", lambda shape: shape.packed & ALL_KINDS in BIG_WHEELS, every=SIMPLE),
)
# yakuman that some waits make another one, where the rules count that differently
SPECIAL_WAITS: dict[str, tuple[str, Predicate]] = {
    "kokushi_musou": ("kokushi_juusanmen", lambda shape: shape.wait == "thirteen"),
    "chuuren_poutou": ("junsei_chuuren", _nine_waits),
    "suuankou": ("suuankou_tanki", lambda shape: shape.wait == "tanki"),
}
EVERYBODYS_NORTH = _yaku("north", _triplet_of(NORTH), some=VALUE)  # worth as much as the own wind
CONDITION_YAKU: dict[str, Condition] = {
    "riichi": lambda hand: hand.riichi == 1,
    "double_riichi": lambda hand: hand.riichi == DOUBLE_RIICHI,
    "ippatsu": lambda hand: hand.ippatsu,
    "menzen_tsumo": lambda hand: hand.tsumo,  # of an open hand it is worth nothing in any book
    "rinshan": lambda hand: hand.rinshan,
    "chankan": lambda hand: hand.chankan,
    "haitei": lambda hand: hand.haitei,
    "houtei": lambda hand: hand.houtei,
}
CONDITION_YAKUMAN: dict[str, Condition] = {
    "tenhou": lambda hand: hand.first_turn and hand.tsumo and hand.seat_wind == EAST,
    "chiihou": lambda hand: hand.first_turn and hand.tsumo and hand.seat_wind != EAST,
}
