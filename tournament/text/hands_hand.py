"""Words for a hand of tiles: tiles, yaku, fu items, waits, limits, and what is wrong with a hand or a win.

Mahjong terms as in docs/developer/glossary.md, each with a gloss.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.count import Count, count
from scoring.entries import Entry, Ron, Tsumo, Win
from scoring.hand import WINDS, read_hand
from scoring.problems import InvalidInput, Param, Problem
from scoring.tiles import parse_tiles, write_tile
from tournament.text.hands_tiles import tile_name
from tournament.text.languages import Words
from tournament.text.numbers_formatting import wind_word

# a slip that a table may have made with a payment (scoring.announced)
CAUSES: Words = {
    "honba_forgotten": "were the honba forgotten?",
    "honba_doubled": "were the honba paid twice?",
    "one_honba_less": "was one honba too few paid?",
    "one_honba_more": "was one honba too many paid?",
    "as_dealer": "was it paid as to the dealer?",
    "not_as_dealer": "was it paid as if the winner were not the dealer?",
    "kiriage_forgotten": "was the rounding up to mangan forgotten?",
    "kiriage_taken": "was it rounded up to mangan, which these rules do not have?",
    "one_fu_step_less": "was it paid with ten fu less?",
    "one_fu_step_more": "was it paid with ten fu more?",
    "one_han_less": "was it paid with one han less?",
    "one_han_more": "was it paid with one han more?",
    "liability_forgotten": "was the liable player forgotten?",
    "tsumo_loss_forgotten": "was the missing North's share paid as well?",
}

# what was most likely typed wrong where hands and paper differ (scoring.slips)
SLIPS: Words = {
    "digit": "A digit lost or doubled",
    "neighbour": "Han or fu of the next row",
    "value": "Another value",
    "discarder": "Wrong discarder",
    "winner": "Wrong winner",
    "dealer": "Dealer out of step",
    "riichi_missed": "A riichi missed",
    "riichi_doubled": "A riichi too many",
    "riichi_seat": "Riichi of another player",
    "tsumo_as_ron": "Tsumo entered as ron",
    "ron_as_tsumo": "Ron entered as tsumo",
    "tenpai": "Wrong tenpai list",
    "exchanged": "Two players exchanged",
    "forgotten": "A hand forgotten",
    "twice": "A hand too many",
    "order": "Two hands in the wrong order",
    "liability": "Liability forgotten or too much",
}


def shown_wins(entry: Entry, names: Sequence[str], rules: Ruleset) -> list[dict[str, Any]]:
    """Return the winners whose tiles or yaku were given, as templates/ui/hand_wins.html shows them."""
    wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    return [
        {"who": names[win.seat] if len(wins) > 1 else "", "hand": win.hand, "yaku": yaku_of(win, rules)}
        for win in wins
        if win.hand is not None or win.yaku
    ]


def yaku_of(win: Win, rules: Ruleset) -> list[dict[str, Any]]:
    """Return the yaku and dora with their han, counted from the tiles; the names alone where there are no tiles."""
    counted = _count(win.hand, rules) if win.hand is not None else None
    if counted is None:
        return [{"name": yaku_name(name), "han": None} for name in win.yaku or ()]
    if counted.yakuman:
        return [{"name": yaku_name(name), "han": None} for name, _ in counted.yaku]
    dora = counted.dora._asdict()
    rows = [(yaku_name(name), han) for name, han in counted.yaku]
    rows += [(_(DORA[name]), dora[name]) for name in DORA if dora[name]]
    return [{"name": name, "han": han} for name, han in rows]


def _count(hand: Mapping[str, Any], rules: Ruleset) -> Count | None:
    """Count the tiles of an entry; None where the rules were changed since, and no longer bear them."""
    try:
        return count(read_hand(hand, rules), rules)
    except InvalidInput:
        return None


# what a yaku is called where its name alone is not enough, and what it is
YAKU: Words = {
    "riichi": "declared ready with a closed hand",
    "double_riichi": "riichi on the first discard",
    "ippatsu": "won within a turn of the riichi",
    "menzen_tsumo": "closed hand, own draw",
    "pinfu": "sequences, a pair without value, an open-ended wait",
    "iipeikou": "the same sequence twice",
    "tanyao": "no terminals, no honours",
    "haku": "white dragons",
    "hatsu": "green dragons",
    "chun": "red dragons",
    "seat_wind": "a triplet of the seat wind",
    "round_wind": "a triplet of the round's wind",
    "north": "a triplet of North, everybody's wind",
    "rinshan": "won on a replacement tile",
    "chankan": "won on a tile added to a kan",
    "haitei": "own draw of the last tile",
    "houtei": "won on the last discard",
    "chiitoitsu": "seven pairs",
    "sanshoku_doujun": "one sequence in three suits",
    "sanshoku_doukou": "one triplet in three suits",
    "ittsu": "1 to 9 of one suit",
    "chanta": "a terminal or honour in every group",
    "toitoi": "four triplets",
    "sanankou": "three concealed triplets",
    "sankantsu": "three kan",
    "shousangen": "two triplets and a pair of dragons",
    "honroutou": "only terminals and honours",
    "honitsu": "one suit and honours",
    "junchan": "a terminal in every group",
    "ryanpeikou": "two pairs of the same sequences",
    "chinitsu": "one suit only",
    "renhou": "ron before the winner's first draw",
    "nagashi_mangan": "only terminals and honours discarded",
    "sanrenkou": "three triplets in a row",
    "kokushi_musou": "thirteen orphans",
    "kokushi_juusanmen": "thirteen orphans, a wait on all thirteen",
    "chuuren_poutou": "nine gates",
    "junsei_chuuren": "nine gates, a wait on all nine",
    "tenhou": "the dealer's first fourteen tiles",
    "chiihou": "tsumo on the winner's first draw",
    "suuankou": "four concealed triplets",
    "suuankou_tanki": "four concealed triplets, won on the pair",
    "suukantsu": "four kan",
    "ryuuiisou": "only green tiles",
    "chinroutou": "only terminals",
    "tsuuiisou": "only honours",
    "daisangen": "three triplets of dragons",
    "shousuushii": "three triplets and a pair of winds",
    "daisuushii": "four triplets of winds",
    "daisharin": "2 to 8 of one suit, each twice",
    "paarenchan": "the ninth win in a row as dealer",
}


def yaku_name(name: str) -> str:
    """Return a yaku's name as it is written on a page.

    >>> yaku_name("sanshoku_doujun")
    'sanshoku doujun'
    """
    return _(name.replace("_", " "))


def yaku_texts() -> list[str]:
    """Return every name of a yaku as `yaku_name` hands it to translation."""
    return [name.replace("_", " ") for name in YAKU]


FU_ITEMS: Words = {
    "base": "every hand",
    "tsumo": "tsumo",
    "closed_ron": "ron with a closed hand",
    "open_hand": "open hand without other fu",
    "chiitoitsu": "seven pairs, never rounded",
    "open_triplet": "open triplet",
    "ron_triplet": "triplet completed by the ron, open",
    "closed_triplet": "closed triplet",
    "open_quad": "open kan",
    "closed_quad": "closed kan",
    "dragon_pair": "pair of dragons",
    "double_wind_pair": "pair of seat and round wind",
    "seat_wind_pair": "pair of the seat wind",
    "round_wind_pair": "pair of the round wind",
    "north_pair": "pair of North, everybody's wind",
    "kanchan": "inside wait",
    "penchan": "edge wait",
    "tanki": "wait on the pair",
}
WAITS: Words = {
    "ryanmen": "open-ended wait",
    "kanchan": "inside wait",
    "penchan": "edge wait",
    "shanpon": "wait on two pairs",
    "tanki": "wait on the pair",
    "thirteen": "wait on thirteen tiles",
}
MELDS: Words = {
    "chi": "chii",
    "pon": "pon",
    "daiminkan": "kan",
    "shouminkan": "added kan",
    "ankan": "closed kan",
}
SOURCES: Words = {"left": "on the left", "across": "across", "right": "on the right"}
DORA: Words = {"dora": "dora", "red": "red fives", "ura": "ura", "kita": "kita"}
CONDITIONS: Words = {
    "tsumo": "tsumo",
    "ron": "ron",
    "dealer_ron": "a ron by the dealer",
    "open_hand": "an open hand",
    "meld": "a meld",
    "riichi": "riichi",
    "kita": "a kita",
    "closed_quad": "a closed kan",
    "sankantsu": "closed kan",
    "suukantsu": "closed kan",
    "ippatsu": "ippatsu",
    "rinshan": "rinshan",
    "chankan": "chankan",
    "haitei": "haitei",
    "houtei": "houtei",
    "first_turn": "a win in the first turn",
}


_OF_TILES = ("hand.", "tiles.", "yaku.")  # areas of codes


def worded(problem: Problem) -> Problem:
    """Put the tiles and conditions among a problem's parameters into words; the rest is left to tournament.text.problems_1.

    >>> dict(worded(Problem("hand.five_copies", {"tile": "1z", "copies": 5})).params)
    {'tile': 'East wind', 'copies': 5}
    """
    if not problem.code.startswith(_OF_TILES):
        return problem
    return Problem(problem.code, {key: _word(key, value) for key, value in problem.params.items()}, problem.severity)


def _word(key: str, value: Param) -> Param:
    if key in ("wind", "last"):
        return wind_word(str(value)) if value in tuple(WINDS) else value
    if key in ("one", "other", "by"):
        return _(CONDITIONS.get(str(value), str(value)))
    if key == "kind":
        return _(MELDS.get(str(value), str(value)))
    if key == "tile":
        return _tile_word(str(value))
    return value


def _tile_word(text: str) -> str:
    try:
        return tile_name(write_tile(parse_tiles(text)[0]))
    except (InvalidInput, IndexError):
        return text
