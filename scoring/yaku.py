"""Yaku as data: each a name and one small predicate. What a yaku is worth, and whether it counts at all, the books say.

A predicate sees either a shape or the hand's conditions, never a payment. Each holds exactly: none rests on another's order.
"""

from collections.abc import Callable, Mapping

from scoring.groups import ALL_GREEN, ENDS, HONOUR, MAN, OUTER, PIN, RUN, SAME, SIMPLE, SOU, SUITS_MASK
from scoring.hand import WinningHand
from scoring.shape import Shape
from scoring.tiles import EAST, GREEN, HONOURS, NORTH, RED, WHITE

ONE_SUIT = frozenset({MAN, PIN, SOU})
STRAIGHT = 0b1001001  # 123, 456 and 789 among the seven sequences of a suit
RUNS_OF_A_SUIT = 0b1111111
SAMES_OF_A_SUIT = 0b111111111
DRAGONS = 0b111 << WHITE
WINDS = 0b1111 << EAST
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
DAISHARIN = (0, 2, 2, 2, 2, 2, 2, 2, 0)
CIRCLES = slice(9, 18)
DOUBLE_RIICHI = 2

Predicate = Callable[[Shape], bool]
Condition = Callable[[WinningHand], bool]


def is_value_pair(shape: Shape) -> bool:
    """Tell whether the pair is of dragons or of the seat's or the round's wind (E25 4.1.1)."""
    return shape.pair >= WHITE or shape.pair in (shape.round_wind, shape.seat_wind)


def pinfu(shape: Shape) -> bool:
    """Four sequences, a pair without value, an open-ended wait, nothing called."""
    return shape.closed and shape.wait == "ryanmen" and not shape.triplets and not is_value_pair(shape)


def tanyao(shape: Shape) -> bool:
    """Simples alone."""
    return bool(shape.every & SIMPLE)


def iipeikou(shape: Shape) -> bool:
    """Two equal sequences, once."""
    return shape.twins == 1


def ryanpeikou(shape: Shape) -> bool:
    """Two equal sequences, twice."""
    return shape.twins == 2


def sanshoku_doujun(shape: Shape) -> bool:
    """The same sequence in three suits."""
    runs = shape.runs
    return bool(runs & runs >> 7 & runs >> 14 & RUNS_OF_A_SUIT)


def sanshoku_doukou(shape: Shape) -> bool:
    """The same triplet in three suits."""
    sames = shape.sames
    return bool(sames & sames >> 9 & sames >> 18 & SAMES_OF_A_SUIT)


def sanrenkou(shape: Shape) -> bool:
    """Three triplets in a row in one suit (sanma rule book 12)."""
    suits = (shape.sames >> first & SAMES_OF_A_SUIT for first in (0, 9, 18))
    return any(suit & suit >> 1 & suit >> 2 for suit in suits)


def ittsu(shape: Shape) -> bool:
    """123, 456 and 789 of one suit."""
    runs = shape.runs
    return STRAIGHT in (runs & STRAIGHT, runs >> 7 & STRAIGHT, runs >> 14 & STRAIGHT)


def chanta(shape: Shape) -> bool:
    """A terminal or an honour in each group and the pair; a sequence and an honour among them."""
    return bool(shape.every & OUTER and shape.some & RUN and shape.some & HONOUR)


def junchan(shape: Shape) -> bool:
    """A terminal in each group and the pair; a sequence among them."""
    return bool(shape.every & OUTER and shape.some & RUN and not shape.some & HONOUR)


def honroutou(shape: Shape) -> bool:
    """Terminals and honours alone, both of them."""
    return bool(shape.every & ENDS and shape.some & HONOUR and shape.some & SUITS_MASK)


def toitoi(shape: Shape) -> bool:
    """Four triplets or quads."""
    return shape.triplets == 4


def sanankou(shape: Shape) -> bool:
    """Three concealed triplets or quads; one that a ron completes is open."""
    return shape.concealed == 3


def sankantsu(shape: Shape) -> bool:
    """Three quads."""
    return shape.quads == 3


def shousangen(shape: Shape) -> bool:
    """Two triplets and a pair of dragons."""
    return shape.pair >= WHITE and (shape.sames & DRAGONS).bit_count() == 2


def honitsu(shape: Shape) -> bool:
    """One suit and honours."""
    return bool(shape.some & HONOUR) and shape.some & SUITS_MASK in ONE_SUIT


def chinitsu(shape: Shape) -> bool:
    """One suit alone."""
    return not shape.some & HONOUR and shape.some & SUITS_MASK in ONE_SUIT


def chuuren_poutou(shape: Shape) -> bool:
    """1112345678999 of one suit and one tile more, nothing called and no quad."""
    return len(shape.counts) > 0 and any(
        all(have >= least for have, least in zip(shape.counts[first : first + 9], NINE_GATES, strict=True))
        for first in (0, 9, 18)
    )


def suuankou(shape: Shape) -> bool:
    """Four concealed triplets or quads; by ron only on the pair (E25 4.2)."""
    return shape.concealed == 4


def suukantsu(shape: Shape) -> bool:
    """Four quads."""
    return shape.quads == 4


def ryuuiisou(shape: Shape) -> bool:
    """Green tiles alone; no green dragon is needed (E25 4.2; WRC 2025 11.5.6)."""
    return bool(shape.every & ALL_GREEN)


def chinroutou(shape: Shape) -> bool:
    """Terminals alone."""
    return bool(shape.every & ENDS) and not shape.some & HONOUR


def tsuuiisou(shape: Shape) -> bool:
    """Honours alone."""
    return bool(shape.every & HONOUR)


def daisangen(shape: Shape) -> bool:
    """A triplet or quad of each dragon."""
    return shape.sames & DRAGONS == DRAGONS


def shousuushii(shape: Shape) -> bool:
    """Three triplets of winds and a pair of the fourth."""
    return HONOURS <= shape.pair <= NORTH and (shape.sames & WINDS).bit_count() == 3


def daisuushii(shape: Shape) -> bool:
    """A triplet or quad of each wind."""
    return shape.sames & WINDS == WINDS


def daisharin(shape: Shape) -> bool:
    """22334455667788 of circles (sanma rule book 12)."""
    return tuple(shape.counts[CIRCLES]) == DAISHARIN and shape.closed


def _triplet_of(kind: int) -> Predicate:
    return lambda shape: bool(shape.sames >> kind & 1)


SHAPE_YAKU: Mapping[str, Predicate] = {
    "pinfu": pinfu,
    "iipeikou": iipeikou,
    "tanyao": tanyao,
    "haku": _triplet_of(WHITE),
    "hatsu": _triplet_of(GREEN),
    "chun": _triplet_of(RED),
    "seat_wind": lambda shape: bool(shape.sames >> shape.seat_wind & 1),
    "round_wind": lambda shape: bool(shape.sames >> shape.round_wind & 1),
    "chiitoitsu": lambda shape: shape.form == "chiitoitsu",
    "sanshoku_doujun": sanshoku_doujun,
    "sanshoku_doukou": sanshoku_doukou,
    "ittsu": ittsu,
    "chanta": chanta,
    "toitoi": toitoi,
    "sanankou": sanankou,
    "sankantsu": sankantsu,
    "shousangen": shousangen,
    "honroutou": honroutou,
    "sanrenkou": sanrenkou,
    "honitsu": honitsu,
    "junchan": junchan,
    "ryanpeikou": ryanpeikou,
    "chinitsu": chinitsu,
}
SHAPE_YAKUMAN: Mapping[str, Predicate] = {
    "kokushi_musou": lambda shape: shape.form == "kokushi_musou",
    "chuuren_poutou": chuuren_poutou,
    "suuankou": suuankou,
    "suukantsu": suukantsu,
    "ryuuiisou": ryuuiisou,
    "chinroutou": chinroutou,
    "tsuuiisou": tsuuiisou,
    "daisangen": daisangen,
    "shousuushii": shousuushii,
    "daisuushii": daisuushii,
    "daisharin": daisharin,
}
CONDITION_YAKU: Mapping[str, Condition] = {
    "riichi": lambda hand: hand.riichi == 1,
    "double_riichi": lambda hand: hand.riichi == DOUBLE_RIICHI,
    "ippatsu": lambda hand: hand.ippatsu,
    "menzen_tsumo": lambda hand: hand.tsumo and hand.closed,
    "rinshan": lambda hand: hand.rinshan,
    "chankan": lambda hand: hand.chankan,
    "haitei": lambda hand: hand.haitei,
    "houtei": lambda hand: hand.houtei,
}
CONDITION_YAKUMAN: Mapping[str, Condition] = {
    "tenhou": lambda hand: hand.first_turn and hand.tsumo and hand.deals,
    "chiihou": lambda hand: hand.first_turn and hand.tsumo and not hand.deals,
}
