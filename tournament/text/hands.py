"""Words for hands and tiles: yaku, fu, waits, limits, what is wrong with a win, and a hand in one line.

A line is as players say it: "Eszter tsumo 1,000/2,000". Mahjong terms as in docs/developer/glossary.md, each with a
gloss.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from rules.ruleset import Ruleset
from scoring.count import Count, count
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.game import Hand
from scoring.hand import WINDS, read_hand
from scoring.payments import payment_at
from scoring.problems import InvalidInput, Param, Problem
from scoring.tiles import Tile, parse_tiles, write_tile
from scoring.value import base_points, limit_name
from tournament.text.languages import Words, join_and
from tournament.text.numbers import wind_initial, wind_word
from tournament.text.readback import ABORT_WORDS, say_amount

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
    """Put the tiles and conditions among a problem's parameters into words; `text.problems` does the rest.

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


LONG = 14  # letters of a name that still fits on a phone's line


def short_names(names: Sequence[str]) -> list[str]:
    """Return names for one line: the first word of a long one, where no other at the table begins with it.

    >>> short_names(["Maximiliane-Theodora von Hohenwaldenburg", "Ada Moss", "Birk Hohenwaldenburg", "Birk Elmenhorst"])
    ['Maximiliane-Theodora', 'Ada Moss', 'Birk Hohenwaldenburg', 'Birk Elmenhorst']
    """
    first = [name.split(" ", 1)[0] for name in names]
    return [one if len(name) > LONG and first.count(one) == 1 else name for name, one in zip(names, first, strict=True)]


def hand_number(hand: Hand) -> str:
    """Name a hand in short: "E1"."""
    return _("%(wind)s%(kyoku)d") % {"wind": wind_initial(hand.before.round_wind), "kyoku": hand.before.kyoku}


def say_brief(hand: Hand, names: Sequence[str], rules: Ruleset) -> str:
    """Say what happened and what it was worth, honba and riichi sticks aside."""
    entry, names = hand.entry, short_names(names)
    match entry:
        case Ron():
            return _ron(entry, hand, names, rules)
        case Tsumo():
            return _("%(who)s tsumo %(points)s") % {
                "who": names[entry.win.seat],
                "points": _points(entry.win, hand, rules),
            }
        case Draw():
            tenpai = join_and([names[seat] for seat in sorted(entry.tenpai)])
            return _("Draw, tenpai: %(who)s") % {"who": tenpai} if tenpai else _("Draw, nobody tenpai")
        case Nagashi():
            return _("Nagashi mangan: %(who)s") % {"who": join_and([names[seat] for seat in entry.winners])}
        case Abort():
            return _("Abortive draw: %(why)s") % {"why": _(ABORT_WORDS.get(entry.reason, entry.reason))}
        case Chombo():
            return _("Chombo: %(who)s") % {"who": join_and([names[seat] for seat in sorted(entry.offenders)])}
        case Correction():
            return _("Correction")
        case Totals():
            return _("Final scores from the sheet")
    raise TypeError(f"no words for {type(entry).__name__}")


def gains(hand: Hand) -> list[int]:
    """Return what a hand brought its winners, or those who gained by a draw; nothing where nobody did."""
    return sorted({delta for delta in hand.deltas if delta > 0}, reverse=True)


def _ron(entry: Ron, hand: Hand, names: Sequence[str], rules: Ruleset) -> str:
    said = [(names[win.seat], _points(win, hand, rules)) for win in entry.winners]
    loser = names[entry.loser]
    if len(said) == 1:
        return _("%(who)s ron from %(loser)s %(points)s") % {"who": said[0][0], "loser": loser, "points": said[0][1]}
    return _("%(who)s ron from %(loser)s") % {"who": join_and([" ".join(each) for each in said]), "loser": loser}


def _points(win: Win, hand: Hand, rules: Ruleset) -> str:
    base, tsumo = base_points(win, rules), isinstance(hand.entry, Tsumo)
    limit = None if (win.yakuman or 0) > 1 else limit_name(base, rules)
    paid = say_amount(payment_at(base, rules, tsumo=tsumo, deals=win.seat == hand.before.dealer))
    return f"{_(limit)} {paid}" if limit else paid


SUIT_WORDS: Words = {"m": "characters", "p": "circles", "s": "bamboos"}
HONOURS: Words = {
    "1": "East wind",
    "2": "South wind",
    "3": "West wind",
    "4": "North wind",
    "5": "white dragon",
    "6": "green dragon",
    "7": "red dragon",
}


def tile_name(tile: str) -> str:
    """Name a tile as it is read aloud.

    >>> tile_name("0p"), tile_name("9m"), tile_name("4z")
    ('red five of circles', '9 of characters', 'North wind')
    """
    rank, suit = tile[0], tile[1]
    if suit == "z":
        return _(HONOURS[rank])
    said = _("red five of %(suit)s") if rank == "0" else _("%(rank)s of %(suit)s")
    return said % {"rank": rank, "suit": _(SUIT_WORDS[suit])}


def kind_tiles(kinds: tuple[int, ...]) -> list[str]:
    """Write kinds as a list of tiles.

    >>> kind_tiles((0, 33))
    ['1m', '7z']
    """
    return [write_tile(Tile(kind)) for kind in kinds]


# what the picker says; static/calculator/tile_picker.js finds them by these names
PICKER: Words = {
    "have": "{have} of 14 tiles",
    "too_many": "{have} tiles, 14 are a hand",
    "complete": "14 tiles",
    "tap_hand": "Tap the tiles; the last one is the winning tile.",
    "tap_chii": "Chii: tap the lowest tile of the sequence.",
    "tap_pon": "Pon: tap the tile.",
    "tap_kan": "Kan, called: tap the tile.",
    "tap_closed": "Closed kan: tap the tile.",
    "tap_dora": "Dora: tap the indicators as they lie on the wall.",
    "tap_ura": "Ura: tap the indicators under the dora.",
    "tap_win": "Tap the tile in the hand that won.",
    "remove": "Take out",
    "winning": "winning tile",
    "dora": "Dora indicators",
    "ura": "Ura indicators",
    "kita": "kita",
    "meld_chi": "Chii",
    "meld_pon": "Pon",
    "meld_daiminkan": "Kan",
    "meld_shouminkan": "Added kan",
    "meld_ankan": "Closed kan",
    "change": "Change",
    "from_nobody": "From: not said",
    "from_left": "left",
    "from_across": "across",
    "from_right": "right",
    "red_five": "Red five",
    "not_in_set": "This tile is not played with under these rules.",
    "not_played": "Not played under these rules.",
    "needs_riichi": "Only with riichi.",
    "riichi_open": "Riichi and an open hand cannot be combined.",
    "riichi_first": "Riichi and a win in the first turn cannot be combined.",
    "first_meld": "A meld ends the first turn.",
    "first_kita": "A kita ends the first turn.",
    "first_dealer": "The dealer's win in the first turn is a tsumo.",
    "first_alone": "Not together with a win in the first turn.",
    "four_groups": "There are four melds already.",
    "no_room": "There is no room for a meld: take tiles out first.",
    "no_run": "No sequence begins with this tile.",
    "too_few_left": "There are not enough of these tiles left.",
    "hand_full": "The hand is complete: take a tile out first.",
    "five_indicators": "There are five indicators at most.",
    "red_used": "The red five is in use.",
    "all_used": "All of these tiles are in use.",
    "ippatsu_rinshan": "A replacement tile ends the ippatsu.",
    "double_riichi_ippatsu": "A kita or closed kan of the player ends the first turn, or the ippatsu.",
    "needs_tsumo": "Only with a tsumo.",
    "needs_ron": "Only with a ron.",
    "needs_kan": "Only after a kan or a kita.",
    "rinshan_haitei": "Rinshan and haitei cannot be combined.",
    "chankan_houtei": "Chankan and houtei cannot be combined.",
    "chankan_own": "The winning tile of a chankan is not in the hand a second time.",
}
