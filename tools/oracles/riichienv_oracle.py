"""The contract's hand as `riichienv` 0.4.11 wants it, and its answer in our form.

It asks and translates; it mends nothing. Its rules are those of another server: some yakuman are double.
It is asked past its Python wrapper, which guesses from the number of tiles whether the winning tile is among them, and
guesses wrong with two quads.
"""

from typing import Any

from riichienv._riichienv import Conditions, HandEvaluator, HandEvaluator3P, Meld, MeldType, Wind, WinResult

from tools.oracles.answer import Answer, ordered
from tools.oracles.tiles136 import Numbering, without

NAMES = {
    1: "menzen_tsumo",
    2: "riichi",
    3: "chankan",
    4: "rinshan",
    5: "haitei",
    6: "houtei",
    7: "haku",
    8: "hatsu",
    9: "chun",
    10: "seat_wind",
    11: "round_wind",
    12: "tanyao",
    13: "iipeikou",
    14: "pinfu",
    15: "chanta",
    16: "ittsu",
    17: "sanshoku_doujun",
    18: "double_riichi",
    19: "sanshoku_doukou",
    20: "sankantsu",
    21: "toitoi",
    22: "sanankou",
    23: "shousangen",
    24: "honroutou",
    25: "chiitoitsu",
    26: "junchan",
    27: "honitsu",
    28: "ryanpeikou",
    29: "chinitsu",
    30: "ippatsu",
    35: "tenhou",
    36: "chiihou",
    37: "daisangen",
    38: "suuankou",
    39: "tsuuiisou",
    40: "ryuuiisou",
    41: "chinroutou",
    42: "kokushi_musou",
    43: "shousuushii",
    44: "suukantsu",
    45: "chuuren_poutou",
    47: "chuuren_poutou",
    48: "suuankou",
    49: "kokushi_musou",
    50: "daisuushii",
}
DORA = {31, 32, 33, 34}
MELDS = {
    "chi": MeldType.Chi,
    "pon": MeldType.Pon,
    "daiminkan": MeldType.Daiminkan,
    "shouminkan": MeldType.Kakan,
    "ankan": MeldType.Ankan,
}
WINDS = {"E": Wind.East, "S": Wind.South, "W": Wind.West, "N": Wind.North}
YAKUMAN_HAN = 13


def answer_of(hand: dict[str, Any], players: int) -> Answer | None:
    """Ask what a hand is worth; None where it has no yaku."""
    result = _ask(hand, players)
    if not result.has_win_shape:
        raise ValueError("riichienv does not take this hand")
    if not result.is_win:
        return None
    yaku = [NAMES[number] for number in result.yaku if number not in DORA]
    return Answer(
        han=result.han,
        fu=None if result.yakuman else result.fu,
        yakuman=result.han // YAKUMAN_HAN if result.yakuman else 0,
        yaku=ordered(yaku),
        dora=None,
        value=None,
        total=_total(hand, players, result),
    )


def wins(hand: dict[str, Any], players: int) -> bool:
    """Tell whether a hand has a winning shape, with a yaku or without."""
    return _ask(hand, players).has_win_shape


def _ask(hand: dict[str, Any], players: int) -> WinResult:
    numbering = Numbering()
    [win] = numbering.tiles(hand["win"])
    tiles = sorted([*numbering.tiles(without(hand["tiles"], hand["win"])), win])
    melds = [
        Meld(MELDS[meld["kind"]], sorted(numbering.tiles(meld["tiles"])), meld["kind"] != "ankan")
        for meld in hand["melds"]
    ]
    evaluator = HandEvaluator3P(tiles, melds) if players == 3 else HandEvaluator(tiles, melds)
    return evaluator.calc(win, numbering.tiles(hand["dora"]), numbering.tiles(hand["ura"]), _conditions(hand, players))


def _conditions(hand: dict[str, Any], players: int) -> Conditions:
    return Conditions(
        tsumo=hand["tsumo"],
        riichi=hand["riichi"] == 1,
        double_riichi=hand["riichi"] == 2,
        ippatsu=hand["ippatsu"],
        haitei=hand["haitei"],
        houtei=hand["houtei"],
        rinshan=hand["rinshan"],
        chankan=hand["chankan"],
        tsumo_first_turn=hand["first_turn"] and hand["tsumo"],
        player_wind=WINDS[hand["seat_wind"]],
        round_wind=WINDS[hand["round_wind"]],
        honba=hand.get("honba", 0),
        kita_count=hand["kita"],
        is_sanma=players == 3,
        num_players=players,
    )


def _total(hand: dict[str, Any], players: int, result: WinResult) -> int:
    """Sum what all payers pay; of a dealer's tsumo it says it where non-dealers' payments stand."""
    if not hand["tsumo"]:
        return result.ron_agari
    if hand["seat_wind"] == "E":
        return result.tsumo_agari_ko * (players - 1)
    return result.tsumo_agari_oya + result.tsumo_agari_ko * (players - 2)
