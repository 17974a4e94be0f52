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
from web.words.formatting import wind_word
from web.words.languages import Words
from web.words.tiles import tile_name

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


def worded(problem: Problem) -> Problem:
    """Put the tiles and conditions among a problem's parameters into words; the rest is left to web.words.problems.

    >>> dict(worded(Problem("hand.five_copies", {"tile": "1z", "copies": 5})).params)
    {'tile': 'East wind', 'copies': 5}
    """
    if problem.code not in SENTENCES:
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


SENTENCES: Words = {
    "hand_line.empty": "Nothing is typed yet.",
    "hand_line.too_long": "The line is too long: at most {most} characters are read.",
    "hand_line.unknown_part": "'{part}' is not valid here.",
    "hand_line.twice": "'{part}': this is given twice.",
    "tiles.unreadable": "'{part}' cannot be read as tiles: write digits, then m, p, s or z, as in 123m406p11z.",
    "tiles.no_suit": "'{part}' lacks its suit: write digits, then m, p, s or z, as in 123m406p11z.",
    "tiles.no_such_tile": "There is no tile {tile}.",
    "hand.one_winning_tile": "A hand is won with one tile, not {tiles}.",
    "hand.riichi_too_many": "Riichi is 0, 1, or 2 for a double riichi, not {given}.",
    "hand.kita_too_many": "{given} kita are not possible: there are {most} Norths.",
    "hand.honba_too_many": "{given} honba are too many: at most {most} are read.",
    "hand.no_wind": "'{given}' is not a wind: write E, S, W or N.",
    "hand.meld_kind": "'{given}' is not a kind of meld; write {known}.",
    "hand.meld_source": "'{given}' is not a side of the table; write {known}.",
    "hand.not_in_set": "The {tile} is not played with under these rules.",
    "hand.kita_not_in_rules": "These rules have no kita.",
    "hand.five_copies": "There are {copies} of the {tile} among hand, melds, kita and indicators; the set has four.",
    "hand.too_many_reds": "There are {given} of the {tile}; these rules play with {most}.",
    "hand.meld_shape": "{tiles} is not a {kind}.",
    "hand.chii_not_in_rules": "{tiles}: sequences are not called under these rules.",
    "hand.chii_from_left": "{tiles}: a sequence is called from the left only.",
    "hand.ankan_from_nobody": "{tiles}: a closed kan is called from nobody.",
    "hand.nobody_across": "{tiles}: with three players nobody sits across.",
    "hand.too_many_melds": "{given} melds are too many: a hand has at most {most}.",
    "hand.tiles_missing": "{have} of {want} tiles (a meld counts as three, a kan too).",
    "hand.tiles_too_many": "{have} tiles instead of {want} (a meld counts as three, a kan too).",
    "hand.win_not_in_hand": "The winning tile, {tile}, is not among the concealed tiles.",
    "hand.too_many_indicators": "{given} indicators of {key} are too many: there are at most {most}.",
    "hand.no_north_seat": "With three players nobody sits North.",
    "hand.no_north_round": "With three players there is no North round.",
    "hand.round_not_played": "These rules play no {wind} round: the last wind is {last}.",
    "hand.not_together": "{one} and {other} cannot be combined.",
    "hand.double_riichi_ippatsu": (
        "Double riichi with ippatsu cannot be in a hand with {by} of its own: that ends the first turn or the ippatsu."
    ),
    "hand.ippatsu_without_riichi": "Ippatsu needs a riichi.",
    "hand.ura_without_riichi": "Ura indicators count only with a riichi.",
    "hand.rinshan_without_quad": "Rinshan needs a kan or a kita.",
    "hand.chankan_of_own_tile": (
        "Chankan is a win on a tile of somebody else's kan: the {tile} cannot be in the hand as well."
    ),
    "hand.not_winning": "This is not a winning hand: the tiles make neither four groups and a pair nor seven pairs.",
    "hand.no_yaku": "The hand is complete but has no yaku: it cannot win. Dora are no yaku.",
    "hand.two_han_needed": "With {honba} honba a hand needs two han of yaku, and this one has fewer.",
    "hand.wait_without_yaku": (
        "For a ron each tile of the wait must give a yaku under these rules; with the {tile} none counts."
    ),
    "hand.wait_without_two_han": (
        "With {honba} honba each tile of the wait must give two han of yaku; with the {tile} there are fewer."
    ),
    "win.no_paarenchan": "{seat} has no paarenchan: it is the dealer's win after keeping the deal eight times himself; "
    "so far {deals} times.",
    "win.paarenchan": "{seat} wins the ninth deal in a row: paarenchan, a yakuman. Is the hand to be entered by han?",
    "yaku.unknown": "'{yaku}' is not the name of a yaku.",
    "yaku.not_in_rules": "These rules do not count {yaku}.",
    "yaku.twice": "Named twice among the yaku: {yaku}.",
    "yaku.not_by_tsumo": "A win by tsumo cannot have {yaku}.",
    "yaku.not_by_ron": "A win by ron cannot have {yaku}.",
    "yaku.not_together": "One hand cannot have both {one} and {other}.",
    "yaku.riichi_without_deposit": "{seat} wins with riichi but put no riichi stick down in this hand.",
    "yaku.deposit_without_riichi": "{seat} put a riichi stick down in this hand, but riichi is not among the yaku.",
    "yaku.needs_riichi": "Without riichi there is no {yaku}.",
    "yaku.no_yakuman_named": "{seat} wins with a yakuman, but none of the yaku named is one.",
    "yaku.yakuman_differ": "The hand is entered as {yakuman} yakuman; those named make {named}.",
    "yaku.is_yakuman": "The hand is entered by han, but {yaku} is a yakuman.",
    "yaku.dora_too_many": "{given} {yaku} are too many: there are {most}.",
    "yaku.needs_other": "A hand with {yaku} has one of these as well: {counted}.",
    "yaku.are_yakuman": "Together, {yaku} are {other}, a yakuman.",
    "win.two_han_needed": "With {honba} honba {seat} needs two han of yaku at least, not a hand of {han} han.",
    "yaku.two_han_needed": "With so many honba the yaku must make {least} han, and {yaku} do not.",
    "yaku.none": "{han} han without a yaku: dora do not win without a yaku.",
    "yaku.not_in_such_a_hand": (
        "A closed hand won by tsumo names menzen tsumo as well; in an open one this cannot count: {yaku}."
    ),
    "yaku.han_differs": "The hand is entered with {han} han; its yaku ({yaku}) and the dora named make {named}.",
    "yaku.fu_differs": "A hand with {yaku} won so has {wanted} fu, not {fu}.",
    "tiles.other_winds": "{seat}: the tiles come with round and seat wind {given}; in this hand they are {derived}.",
    "tiles.other_honba": "The tiles are given with {given} honba; in this hand there are {derived}.",
    "tiles.other_way_to_win": "The tiles are given as a {given}; the hand is entered as a {entered}.",
    "tiles.deposit_and_open_hand": "{seat} put a riichi stick down, but the hand is open: riichi wants a closed one.",
    "tiles.yakuman_differ": "The tiles count to {counted} yakuman ({han} han), and {given} are entered.",
    "tiles.value_differs": "The tiles count to {counted_han} han {counted_fu} fu; entered are {han} han {fu} fu.",
    "tiles.yaku_differ": "The tiles have {counted}; entered are {entered}.",
    "tiles.pao_differs": "By the melds {seat} is liable for this hand.",
    "tiles.no_pao": "By the melds nobody is liable for this hand, and {seat} is entered.",
}
