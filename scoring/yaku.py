"""Yaku as data: a name, traits that its groups have or lack, and where these are not enough, a predicate.

Each yaku holds by itself, whatever the order of the tables. The rule set says what it is worth, if anything.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoring.hand import COPIES, Meld, WinningHand
from scoring.readings import (
    ALL_GREEN,
    DRAGON,
    ENDS,
    HONOUR,
    LACKED,
    MAN,
    OUTER,
    PIN,
    QUAD,
    RUN,
    RUNS,
    SAME,
    SAMES,
    SIMPLE,
    SOU,
    TWIN,
    TWINS,
    WIND,
)
from scoring.shape import Shape
from scoring.tiles import (
    ALL_KINDS,
    BITS,
    EAST,
    GREEN,
    HONOURS,
    KAN,
    KINDS,
    NORTH,
    OPEN,
    PAIR,
    RED,
    SOUTH,
    TRIPLET,
    WHITE,
    parse_tiles,
    write_tile,
)

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Example:
    """Tiles that make a yaku, `called` groups before `tiles`; with the `rest` they are a hand of the second player.

    Four equal tiles of `called` are an ankan, three a pon. The last tile of all is the winning one.
    """

    tiles: str = ""
    rest: str = ""
    called: tuple[str, ...] = ()

    def hand(self, *, tsumo: bool = False) -> WinningHand:
        """Return the whole hand in the East round."""
        concealed = (*parse_tiles(self.tiles), *parse_tiles(self.rest))
        groups = [tuple(parse_tiles(text)) for text in self.called]
        melds = tuple(Meld("ankan" if len(tiles) == COPIES else "pon", tiles) for tiles in groups)
        return WinningHand(tiles=concealed, win=concealed[-1], tsumo=tsumo, melds=melds, seat_wind=SOUTH)

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The tiles to draw, group by group, as they lie."""
        return tuple(tuple(map(write_tile, parse_tiles(text))) for text in (*self.called, self.tiles) if text)


# of circles, bamboos and honours where possible, so that they can be had with three players as well
EXAMPLES = {
    "pinfu": Example("34p567p345s678s99s2p"),
    "iipeikou": Example("223344p", "678s999s11z"),
    "tanyao": Example("234p678p33s456s888s"),
    "haku": Example("555z", "234p567p678s99s"),
    "hatsu": Example("666z", "234p567p678s99s"),
    "chun": Example("777z", "234p567p678s99s"),
    "seat_wind": Example("222z", "234p567p678s99s"),
    "round_wind": Example("111z", "234p567p678s99s"),
    "chiitoitsu": Example("1133p5577s99s1133z"),
    "sanshoku_doujun": Example("456m456p456s", "789p22s"),
    "sanshoku_doukou": Example("111m111p111s", "456p99s"),
    "ittsu": Example("123456789p", "456s11z"),
    "chanta": Example("123p789p123s111z99s"),
    "toitoi": Example("555p333z", "99s", ("222p", "888s")),
    "sanankou": Example("222p555p888s", "234s11z"),
    "sankantsu": Example("", "234s11z", ("2222p", "5555p", "8888s")),
    "shousangen": Example("555z666z77z", "234p567s"),
    "honroutou": Example("999s222z555z11s", "", ("111p",)),
    "sanrenkou": Example("444555666p", "234s11z"),
    "honitsu": Example("123p345p678p111z55z"),
    "junchan": Example("123p789p123s789s99p"),
    "ryanpeikou": Example("223344p667788s", "99s"),
    "chinitsu": Example("12223345567888p"),
    "kokushi_musou": Example("19m19p19s12345677z"),
    "chuuren_poutou": Example("1112345678999p5p"),
    "suuankou": Example("222p555p888s333z", "99s"),
    "suukantsu": Example("", "55z", ("1111p", "5555p", "9999s", "2222z")),
    "ryuuiisou": Example("223344s666s888s66z"),
    "chinroutou": Example("999p111s999s11m", "", ("111p",)),
    "tsuuiisou": Example("222z555z666z33z", "", ("111z",)),
    "daisangen": Example("555z666z777z", "234p99s"),
    "shousuushii": Example("111z222z333z44z", "234p"),
    "daisuushii": Example("111z222z333z444z", "99s"),
    "daisharin": Example("22334455667788p"),
}

STRAIGHT = 0b1001001  # 123, 456 and 789 among the seven sequences of a suit
RUNS_OF_A_SUIT = 0b1111111
SAMES_OF_A_SUIT = 0b111111111
DRAGONS = 0b111 << WHITE
WINDS = 0b1111 << EAST
EVERY_KIND = (1 << KINDS) - 1
FIRST_OF_SUIT = (0, 9, 18)
TWINS_OF_ALL = 0b111111
# packed tiles, an octal digit for each kind, the lowest at the right
NINE_GATES = {0o311111113 << BITS * first for first in FIRST_OF_SUIT}
GATES_AND_ONE = {(0o311111113 + (1 << BITS * rank)) << BITS * first for first in FIRST_OF_SUIT for rank in range(9)}
BIG_WHEELS = {0o022222220 << BITS * first for first in FIRST_OF_SUIT}  # 22334455667788
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
    wanted = some | not_every << LACKED
    return Yaku(name, wanted | never | every << LACKED, wanted, holds)


def _of_one_suit(name: str, holds: Predicate | None = None, *, some: int = 0, never: int = 0) -> Iterator[Yaku]:
    """Yield a yaku once for each suit."""
    for suit in (MAN, PIN, SOU):
        yield _yaku(name, holds, some=some | suit, never=never | (MAN | PIN | SOU) & ~suit)


def pinfu(shape: Shape, rules: Ruleset) -> bool:
    """Return whether a shape is pinfu: closed, four sequences, a ryanmen wait, and a pair without value (E25 4.1.1)."""
    if shape.wait != "ryanmen" or not shape.closed or shape.facts & SAME or not rules.pinfu[0]:
        return False
    if shape.hand.tsumo and not rules.pinfu_tsumo:
        return False
    return shape.pair < HONOURS or not _value_pair(shape, rules)


def _value_pair(shape: Shape, rules: Ruleset) -> bool:
    if shape.pair == NORTH and rules.north_value == "everybody":
        return True
    return shape.pair >= WHITE or shape.pair in (shape.hand.round_wind, shape.hand.seat_wind)


def _same_sequence_in_three_suits(shape: Shape) -> bool:
    runs = shape.facts >> RUNS
    return bool(runs & runs >> 7 & runs >> 14 & RUNS_OF_A_SUIT)


def _same_triplet_in_three_suits(shape: Shape) -> bool:
    sames = shape.facts >> SAMES
    return bool(sames & sames >> 9 & sames >> 18 & SAMES_OF_A_SUIT)


def _three_triplets_in_a_row(shape: Shape) -> bool:
    suits = [shape.facts >> SAMES + first & SAMES_OF_A_SUIT for first in FIRST_OF_SUIT]
    return any(suit & suit >> 1 & suit >> 2 for suit in suits)


def _straight(shape: Shape) -> bool:
    runs = shape.facts >> RUNS
    return STRAIGHT in (runs & STRAIGHT, runs >> 7 & STRAIGHT, runs >> 14 & STRAIGHT)


def _twins(shape: Shape) -> int:
    """Return the number of pairs of equal sequences."""
    return (shape.facts >> TWINS & TWINS_OF_ALL).bit_count()


def _concealed(number: int) -> Predicate:
    """Return whether just so many triplets and kan are not open; few hands have so many at all."""
    return lambda shape: (
        (shape.facts >> SAMES & EVERY_KIND).bit_count() >= number
        and sum([TRIPLET <= group < PAIR for group in shape.groups]) == number
    )


def _kans(number: int) -> Predicate:
    return lambda shape: sum([group % OPEN >= KAN for group in shape.groups]) == number


def _nine_gates(shape: Shape) -> bool:
    """Return whether the concealed tiles, all 14, hold the nine gates."""
    return shape.hand.concealed & ALL_KINDS in GATES_AND_ONE


def _nine_waits(shape: Shape) -> bool:
    """Return whether nine gates were complete before the winning tile, so that every tile of the suit won."""
    return (shape.hand.concealed & ALL_KINDS) - (1 << BITS * shape.hand.win.kind) in NINE_GATES


def _triplets_among(shape: Shape, kinds: int) -> int:
    return (shape.facts >> SAMES & kinds).bit_count()


def _triplet_of(kind: int) -> Predicate:
    return lambda shape: bool(shape.facts >> SAMES + kind & 1)


SHAPE_YAKU = (
    _yaku("pinfu", some=RUN, never=SAME),  # and `pinfu`, by the rules
    _yaku("iipeikou", lambda shape: _twins(shape) == 1, some=TWIN),
    _yaku("tanyao", every=SIMPLE),
    _yaku("haku", _triplet_of(WHITE), some=DRAGON),
    _yaku("hatsu", _triplet_of(GREEN), some=DRAGON),
    _yaku("chun", _triplet_of(RED), some=DRAGON),
    _yaku("seat_wind", lambda shape: bool(shape.facts >> SAMES + shape.hand.seat_wind & 1), some=WIND),
    _yaku("round_wind", lambda shape: bool(shape.facts >> SAMES + shape.hand.round_wind & 1), some=WIND),
    _yaku("chiitoitsu", lambda shape: shape.form == "chiitoitsu", never=RUN | SAME),
    _yaku("sanshoku_doujun", _same_sequence_in_three_suits, some=RUN | MAN | PIN | SOU),
    _yaku("sanshoku_doukou", _same_triplet_in_three_suits, some=SAME | MAN | PIN | SOU),
    _yaku("ittsu", _straight, some=RUN | OUTER | SIMPLE),
    _yaku("chanta", every=OUTER, some=RUN | HONOUR),
    _yaku("toitoi", some=SAME, never=RUN),
    _yaku("sanankou", _concealed(3), some=SAME),
    _yaku("sankantsu", _kans(3), some=QUAD),
    _yaku(
        "shousangen",
        lambda shape: shape.pair >= WHITE and _triplets_among(shape, DRAGONS) == 2,
        some=DRAGON,
    ),
    _yaku("honroutou", every=ENDS, some=HONOUR, not_every=HONOUR),
    _yaku("sanrenkou", _three_triplets_in_a_row, some=SAME),  # sanma rule book 12
    *_of_one_suit("honitsu", some=HONOUR),
    _yaku("junchan", every=OUTER, some=RUN, never=HONOUR),
    _yaku("ryanpeikou", lambda shape: _twins(shape) == 2, some=TWIN),
    *_of_one_suit("chinitsu", never=HONOUR),
)
SHAPE_YAKUMAN = (
    _yaku("kokushi_musou", lambda shape: shape.form == "kokushi_musou", every=ENDS, never=RUN | SAME),
    *_of_one_suit("chuuren_poutou", _nine_gates, some=RUN, never=HONOUR),
    _yaku("suuankou", _concealed(4), some=SAME, never=RUN),  # by ron only on the pair (E25 4.2)
    _yaku("suukantsu", _kans(4), some=QUAD, never=RUN),
    _yaku("ryuuiisou", every=ALL_GREEN),  # `ryuuiisou_hatsu`: with the green dragon
    _yaku("chinroutou", every=ENDS, never=HONOUR),
    _yaku("tsuuiisou", every=HONOUR),
    _yaku("daisangen", lambda shape: _triplets_among(shape, DRAGONS) == 3, some=DRAGON),
    _yaku(
        "shousuushii",
        lambda shape: HONOURS <= shape.pair <= NORTH and _triplets_among(shape, WINDS) == 3,
        some=WIND,
    ),
    _yaku("daisuushii", lambda shape: _triplets_among(shape, WINDS) == 4, some=WIND),
    # of bamboos it is also called daichikurin, of characters daisuurin (sanma rule book 12)
    _yaku("daisharin", lambda shape: shape.hand.concealed & ALL_KINDS in BIG_WHEELS, every=SIMPLE),
)
# yakuman that some waits make another one, where the rules count that differently
SPECIAL_WAITS: dict[str, tuple[str, Predicate]] = {
    "kokushi_musou": ("kokushi_juusanmen", lambda shape: shape.wait == "thirteen"),
    "chuuren_poutou": ("junsei_chuuren", _nine_waits),
    "suuankou": ("suuankou_tanki", lambda shape: shape.wait == "tanki"),
}
EVERYBODYS_NORTH = _yaku("north", _triplet_of(NORTH), some=WIND)  # worth as much as the seat wind
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
