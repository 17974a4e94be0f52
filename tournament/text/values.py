"""The table of values and the list of yaku of a rule set in words, for pages and paper."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from rules.consistency import BY_WAIT
from rules.ruleset import Ruleset, rule_fields, yaku_names
from scoring.count import count_dora
from scoring.fu import fu_list
from scoring.hand import hand_problems, read_hand
from scoring.payments import Payment
from scoring.problems import InvalidInput
from scoring.tiles import DORA_OF_FOUR, DORA_OF_THREE, Tile, parse_tiles, write_tile
from scoring.value_table import Worth, cells, honba_points, limit_lines, noten_lines
from scoring.yaku import EXAMPLES
from tournament.text.hands import DORA, FU_ITEMS, YAKU, yaku_name
from tournament.text.languages import Words, in_language
from tournament.text.numbers import points
from tournament.text.rules import limit_word, rule_name, say_value

NOTHING = "\N{EN DASH}"
MAX_HONBA = 5  # how far the line of honba goes
SHOWN = ("limits", "yakuman_base", "double_wind_pair_fu")  # rules of value that the table itself shows
NEVER = ("two_han_from_honba",)  # said only where it is played
DORA_WORDS = frozenset({"dora", "ura", "red", "kita"})  # in the name of a rule about dora
INDICATORS = {3: "1m9p4z7z", 4: "9m4z7z"}
# what a club calls a yaku; the pages of a language translate it to what its players say
LOCAL: Words = {
    "riichi": "Declared ready",
    "double_riichi": "Double ready",
    "ippatsu": "One shot",
    "menzen_tsumo": "Fully concealed",
    "pinfu": "No points",
    "iipeikou": "Pure double sequence",
    "tanyao": "All simples",
    "haku": "White dragon",
    "hatsu": "Green dragon",
    "chun": "Red dragon",
    "seat_wind": "Seat wind",
    "round_wind": "Prevailing wind",
    "rinshan": "After a kan",
    "chankan": "Robbing a kan",
    "haitei": "Under the sea",
    "houtei": "Under the river",
    "chiitoitsu": "Seven pairs",
    "sanshoku_doujun": "Mixed triple sequence",
    "sanshoku_doukou": "Triple triplets",
    "ittsu": "Pure straight",
    "chanta": "Half outside hand",
    "toitoi": "All triplets",
    "sanankou": "Three concealed triplets",
    "sankantsu": "Three kan",
    "shousangen": "Little three dragons",
    "honroutou": "All terminals and honours",
    "sanrenkou": "Three consecutive triplets",
    "honitsu": "Half flush",
    "junchan": "Fully outside hand",
    "ryanpeikou": "Twice pure double sequence",
    "chinitsu": "Full flush",
    "renhou": "Blessing of man",
    "nagashi_mangan": "Mangan at the draw",
    "kokushi_musou": "Thirteen orphans",
    "chuuren_poutou": "Nine gates",
    "tenhou": "Blessing of heaven",
    "chiihou": "Blessing of earth",
    "suuankou": "Four concealed triplets",
    "suukantsu": "Four kan",
    "ryuuiisou": "All green",
    "chinroutou": "All terminals",
    "tsuuiisou": "All honours",
    "daisangen": "Big three dragons",
    "shousuushii": "Little four winds",
    "daisuushii": "Big four winds",
    "daisharin": "Big wheels",
    "paarenchan": "Nine wins in a row",
}
# yaku of which the local name says all
PLAIN = frozenset({
    "haku", "hatsu", "chun", "chiitoitsu", "toitoi", "sanankou", "sankantsu", "honroutou", "kokushi_musou",
    "chuuren_poutou", "suuankou", "suukantsu", "ryuuiisou", "chinroutou", "tsuuiisou",
})  # fmt: skip


# ---------------------------------------------------------------- the table of values


@dataclass(frozen=True, slots=True)
class ValueCell:
    """What a hand pays by ron and by tsumo, or the name of its limit."""

    ron: str
    tsumo: str
    limit: str = ""


@dataclass(frozen=True, slots=True)
class ValueBlock:
    """The values of a non-dealer or of the dealer: by fu, a cell for each han from one."""

    title: str
    pays: str
    rows: tuple[tuple[int, tuple[ValueCell, ...]], ...]


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit with the han it takes, and what it pays a non-dealer and the dealer."""

    name: str
    han: str
    other: ValueCell
    dealer: ValueCell


@dataclass(frozen=True, slots=True)
class ValueSheet:
    """A table of values in words; `honba` are (number, on ron, on tsumo), `noten` (tenpai, each pays, each gets).

    `fu` are (what gives them, how many).
    """

    hans: tuple[str, ...]
    blocks: tuple[ValueBlock, ...]
    limits: tuple[LimitRow, ...]
    honba: tuple[tuple[int, str, str], ...]
    noten: tuple[tuple[int, str, str], ...]
    fu: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]


def value_sheet(rules: Ruleset) -> ValueSheet:
    """Put the table of values of a rule set into words."""
    table = cells(rules)
    blocks = (
        (_("Non-dealer"), _("ron in bold · tsumo: from each other player/from the dealer"), "other"),
        (_("Dealer"), _("ron in bold · tsumo: from each player"), "dealer"),
    )
    return ValueSheet(
        hans=tuple(_("%(han)d han") % {"han": cell.han} for cell in table[0]),
        blocks=tuple(
            ValueBlock(
                title,
                pays,
                tuple((row[0].fu, tuple(_cell(getattr(cell, who), cell.limit) for cell in row)) for row in table),
            )
            for title, pays, who in blocks
        ),
        limits=tuple(
            LimitRow(
                _limit_name(line.place, line.yakuman), _han(line.han, line.most), _cell(line.other), _cell(line.dealer)
            )
            for line in limit_lines(rules)
        ),
        honba=tuple(_honba(honba, rules) for honba in range(1, MAX_HONBA + 1)),
        noten=tuple((line.tenpai, points(line.pays), points(line.gets)) for line in noten_lines(rules)),
        fu=tuple(_fu(*item) for item in fu_list(rules)),
        notes=tuple(_value_rows(rules, _names_of_value(rules))),
    )


def _honba(honba: int, rules: Ruleset) -> tuple[int, str, str]:
    ron, tsumo = honba_points(honba, rules)
    return honba, f"+{points(ron)}", f"+{points(tsumo)}"


def _fu(why: str, fu: int, outer: int) -> tuple[str, str]:
    said = _(FU_ITEMS[why]) if why in FU_ITEMS else why.replace("_", " ")
    if fu == outer:
        return said, str(fu)
    return said, _("%(fu)d, of terminals and honours %(outer)d") % {"fu": fu, "outer": outer}


def _cell(worth: Worth, limit: str | None = None) -> ValueCell:
    return ValueCell(_paid(worth.ron), _paid(worth.tsumo), _(limit) if limit else "")


def _paid(payment: Payment | None) -> str:
    if payment is None:
        return NOTHING
    if payment.ron is not None:
        return points(payment.ron)
    return "/".join(points(each) for each in (payment.others, payment.dealer) if each)


def _limit_name(place: int, yakuman: int) -> str:
    if not yakuman:
        return limit_word(place)
    return _("yakuman") if yakuman == 1 else _("%(count)d yakuman") % {"count": yakuman}


def _han(least: int | None, most: int | None) -> str:
    """Write from how many han to how many a limit goes.

    >>> _han(5, 5), _han(6, 7), _han(11, None), _han(None, None)
    ('5', '6–7', '11+', '')
    """
    if least is None:
        return ""
    if most is None:
        return f"{least}+"
    return str(least) if least == most else f"{least}{NOTHING}{most}"


def _names_of_value(rules: Ruleset) -> list[str]:
    names = [field.name for field in rule_fields() if field.metadata["section"] == "value" and field.name not in SHOWN]
    shares = ["north_share"] if rules.north_share != "not_missing" else []
    return [name for name in names if name not in NEVER or getattr(rules, name)] + shares + ["riichi_deposit"]


def _value_rows(rules: Ruleset, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((rule_name(name), say_value(name, getattr(rules, name))) for name in names)


# ---------------------------------------------------------------- the list of yaku


@dataclass(frozen=True, slots=True)
class YakuRow:
    """A yaku: its name, how Japanese writes it, what players call it, what it is, its worth, and tiles by group."""

    name: str
    sign: str
    local: str
    gloss: str
    closed: str
    opened: str
    tiles: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class YakuGroup:
    """Yaku of the same worth."""

    title: str
    rows: tuple[YakuRow, ...]


@dataclass(frozen=True, slots=True)
class DoraRow:
    """A kind of dora: what it is, with tiles; (indicator, dora) as pairs."""

    name: str
    gloss: str
    tiles: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class YakuSheet:
    """The yaku that are played, by worth; the kinds of dora; and other rules as (rule, value)."""

    groups: tuple[YakuGroup, ...]
    dora: tuple[DoraRow, ...]
    notes: tuple[tuple[str, str], ...]


def yaku_sheet(rules: Ruleset) -> YakuSheet:
    """Put the yaku that a rule set plays into words, by what they are worth closed, and its kinds of dora."""
    worths = sorted(_worths(rules), key=lambda each: each[0])
    groups = [
        YakuGroup(title, tuple(_row(name, closed, opened) for _order, name, closed, opened in rows))
        for (_place, title), rows in groupby(worths, key=lambda each: each[0])
    ]
    names = [field.name for field in rule_fields() if DORA_WORDS & set(field.name.split("_"))]
    notes = [name for name in names if name not in ("red_fives", "kita") and (rules.kita or "kita" not in name)]
    notes += [name for name in ("yakuman_add_up", "two_han_from_honba") if getattr(rules, name)]
    return YakuSheet(tuple(groups), tuple(_dora(rules)), tuple(_value_rows(rules, notes)))


Order = tuple[int, str]
MANGAN_ORDER, YAKUMAN_ORDER = 98, 99


def _worths(rules: Ruleset) -> Iterator[tuple[Order, str, str, str]]:
    """Yield (group, name, closed, open) of each yaku that is played and that some hand of the set has."""
    mangan, yakuman = (MANGAN_ORDER, limit_word(0)), (YAKUMAN_ORDER, _("Yakuman"))
    for section, times in (("yaku", ""), ("yakuman", "×")):
        for name in yaku_names(section):
            worth = getattr(rules, name)
            if name in BY_WAIT and worth == getattr(rules, BY_WAIT[name]):
                continue  # its wait counts no more than any other
            if worth == "mangan":
                yield mangan, name, limit_word(0), NOTHING
            elif worth == "yakuman":
                yield yakuman, name, "1×", NOTHING
            elif _is_worth(worth) and _can_be_had(name, rules):
                order = yakuman if times else (worth[0], _("%(han)d han") % {"han": worth[0]})
                closed, opened = (f"{each}{times}" if each else NOTHING for each in worth)
                yield order, name, closed, opened
    if rules.north_value == "everybody":
        han = rules.seat_wind
        yield (han[0], _("%(han)d han") % {"han": han[0]}), "north", str(han[0]), str(han[1])
    if rules.nagashi != "none":
        yield mangan, "nagashi_mangan", limit_word(0), NOTHING if rules.nagashi_closed else limit_word(0)


def _is_worth(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int) and value[0] > 0


def _can_be_had(name: str, rules: Ruleset) -> bool:
    """Tell whether the set has the tiles of a yaku: three suits have no sequence in common with three players."""
    return name not in EXAMPLES or not hand_problems(EXAMPLES[name].hand(), rules)


def _row(name: str, closed: str, opened: str) -> YakuRow:
    said, sign = yaku_name(name), in_language("ja", lambda: yaku_name(name))
    local = _(LOCAL[name]) if name in LOCAL else ""
    return YakuRow(
        name=said,
        sign="" if sign == said else sign,
        local="" if local.casefold() == said.casefold() else local,
        gloss=_(YAKU[name]) if name in YAKU and name not in PLAIN else "",
        closed=closed,
        opened=opened,
        tiles=EXAMPLES[name].shown if name in EXAMPLES else (),
    )


def _dora(rules: Ruleset) -> Iterator[DoraRow]:
    table = DORA_OF_THREE if rules.players == 3 else DORA_OF_FOUR
    pairs = [(write_tile(tile), write_tile(Tile(table[tile.kind]))) for tile in parse_tiles(INDICATORS[rules.players])]
    yield DoraRow(_(DORA["dora"]), _("the tile after an indicator, 1 han for each"), pairs=tuple(pairs))
    if _counts_ura(rules):
        yield DoraRow(_(DORA["ura"]), _("with riichi also by the tiles under the indicators"))
    if rules.red_fives:
        tiles = tuple(f"0{five[1]}" for five in rules.red_fives)
        yield DoraRow(_(DORA["red"]), _("1 han each"), tiles)
    if rules.kita:
        yield DoraRow(_(DORA["kita"]), _("each North set aside, 1 han"), ("4z",))


def _counts_ura(rules: Ruleset) -> bool:
    """Ask the engine: a riichi hand with an ura indicator either counts it or is refused."""
    hand = {"tiles": "234p567p345s678s99s", "win": "9s", "tsumo": False, "riichi": 1, "dora": "1z", "ura": "8s"}
    try:
        return count_dora(read_hand({**hand, "round_wind": "E", "seat_wind": "S"}, rules), rules).ura > 0
    except InvalidInput:
        return False
