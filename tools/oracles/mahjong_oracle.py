"""The contract's hand as `mahjong` 2.1.0 wants it, under the tenhou books, and its answer in our form.

It asks and translates; it mends nothing.
"""

from typing import Any, NamedTuple

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.meld import Meld

from tools.oracles.answer import Answer, ordered
from tools.oracles.tiles136 import EAST, Numbering, without

# its names that are not ours in other letters
NAMES = {
    "Rinshan Kaihou": "rinshan",
    "Haitei Raoyue": "haitei",
    "Houtei Raoyui": "houtei",
    "Iipeiko": "iipeikou",
    "Yakuhai (haku)": "haku",
    "Yakuhai (hatsu)": "hatsu",
    "Yakuhai (chun)": "chun",
    "Chantai": "chanta",
    "San Ankou": "sanankou",
    "San Kantsu": "sankantsu",
    "Shou Sangen": "shousangen",
    "Kokushi Musou Juusanmen Matchi": "kokushi_musou",
    "Daburu Chuuren Poutou": "chuuren_poutou",
    "Suu Ankou": "suuankou",
    "Suu Ankou Tanki": "suuankou",
    "Dai Suushii": "daisuushii",
    "Suu Kantsu": "suukantsu",
    "Tsuu Iisou": "tsuuiisou",
    **{f"Yakuhai (seat wind {wind})": "seat_wind" for wind in ("east", "south", "west", "north")},
    **{f"Yakuhai (round wind {wind})": "round_wind" for wind in ("east", "south", "west", "north")},
}
DORA = {"Dora", "Aka Dora", "Ura Dora"}
MELDS = {"chi": Meld.CHI, "pon": Meld.PON, "daiminkan": Meld.KAN, "shouminkan": Meld.SHOUMINKAN, "ankan": Meld.KAN}


class Question(NamedTuple):
    """All arguments of the oracle, made beforehand so that only its own work is measured."""

    tiles: list[int]
    win: int
    melds: list[Meld]
    dora: list[int]
    config: HandConfig
    ura: list[int]

    def ask(self) -> HandResponse:
        """Let the oracle count."""
        return HandCalculator.estimate_hand_value(
            self.tiles, self.win, self.melds, self.dora, self.config, ura_dora_indicators=self.ura
        )


def question_of(hand: dict[str, Any], players: int, *, doubles: bool = False) -> Question:
    """Translate a hand of the contract; `doubles`: some waits and big four winds are double yakuman."""
    numbering = Numbering()
    [win] = numbering.tiles(hand["win"])
    concealed = numbering.tiles(without(hand["tiles"], hand["win"]))
    called = [(meld["kind"], numbering.tiles(meld["tiles"])) for meld in hand["melds"]]
    melds = [Meld(MELDS[kind], sorted(tiles), opened=kind != "ankan") for kind, tiles in called]
    return Question(
        tiles=[*concealed, win, *(tile for _, tiles in called for tile in tiles)],
        win=win,
        melds=melds,
        dora=numbering.tiles(hand["dora"]),
        config=config_of(hand, players, doubles=doubles),
        ura=numbering.tiles(hand["ura"]),
    )


def config_of(hand: dict[str, Any], players: int, *, doubles: bool = False) -> HandConfig:
    """Translate conditions and rules; a ron on the first turn is nothing under the tenhou books."""
    options = OptionalRules(
        has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=doubles, is_three_player=players == 3
    )
    first_draw = hand["first_turn"] and hand["tsumo"]
    return HandConfig(
        is_tsumo=hand["tsumo"],
        is_riichi=hand["riichi"] == 1,
        is_daburu_riichi=hand["riichi"] == 2,
        is_ippatsu=hand["ippatsu"],
        is_rinshan=hand["rinshan"],
        is_chankan=hand["chankan"],
        is_haitei=hand["haitei"],
        is_houtei=hand["houtei"],
        is_tenhou=first_draw and hand["seat_wind"] == "E",
        is_chiihou=first_draw and hand["seat_wind"] != "E",
        player_wind=EAST + "ESWN".index(hand["seat_wind"]),
        round_wind=EAST + "ESWN".index(hand["round_wind"]),
        options=options,
        tsumi_number=hand.get("honba", 0),
        num_nuki_dora=hand["kita"],
    )


def wins(hand: dict[str, Any], players: int) -> bool:
    """Tell whether a hand has a winning shape, with a yaku or without."""
    return question_of(hand, players).ask().error != HandCalculator.ERR_HAND_NOT_WINNING


def answer_of(hand: dict[str, Any], players: int) -> Answer | None:
    """Ask what a hand is worth; None where it has no yaku."""
    response = question_of(hand, players).ask()
    if response.error == HandCalculator.ERR_NO_YAKU:
        return None
    if response.error or not response.yaku or not response.cost or response.han is None:
        raise ValueError(f"mahjong does not take this hand: {response.error}")
    is_open = any(meld["kind"] != "ankan" for meld in hand["melds"])
    dora = [yaku for yaku in response.yaku if yaku.name in DORA]
    yakuman = sum(yaku.is_yakuman for yaku in response.yaku)
    return Answer(
        han=response.han,
        fu=response.fu or None,
        yakuman=yakuman,
        yaku=ordered([_name(yaku.name) for yaku in response.yaku if yaku not in dora]),
        dora=None if yakuman else sum((is_open and yaku.han_open) or yaku.han_closed for yaku in dora),
        value=response.cost["main"] + (players - 2) * response.cost["additional"],
        total=response.cost["total"],
    )


def _name(theirs: str) -> str:
    return NAMES.get(theirs, theirs.lower().replace(" ", "_"))
