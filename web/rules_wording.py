"""Rules in words: sections, fields and every value that a field may have, as people say them.

It reads no event and no book, and judges nothing; a field that it does not know is shown as it was written.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rules.ruleset import rule_fields
from web.formatting import MINUS, points
from web.hand_wording import yaku_name

SECTIONS: Mapping[str, str] = {
    "game": "The game",
    "tiles": "Tiles and calls",
    "value": "The value of a hand",
    "yaku": "Yaku",
    "yakuman": "Yakuman",
    "win": "Winning and paying",
    "riichi": "Riichi",
    "draw": "Draws",
    "placement": "Places",
    "penalty": "Penalties",
    "time": "Time",
}

_DEALER = {
    "tenpai": "if in tenpai",
    "tenpai_or_nobody": "if in tenpai, or if nobody is",
    "always": "always",
}

# the words of every value that is one of several, and of every item of a list
CHOICES: Mapping[str, Mapping[str, str]] = {
    "dealer_on_draw": _DEALER,
    "dealer_on_draw_later": _DEALER,
    "dealer_on_multiple_ron": {"among": "if among the winners", "first": "only as the first of them"},
    "red_fives": {"5m": "5 of characters", "5p": "5 of circles", "5s": "5 of bamboos"},
    "north_value": {"wind": "a seat's wind", "guest": "nobody's wind"},
    "kan_dora": {
        "at_once": "at once",
        "open_after_discard": "at once for a closed quad, after the discard for an open one",
    },
    "renhou": {"none": "not played", "mangan": "a mangan", "yakuman": "a yakuman"},
    "multiple_ron": {"all": "all of them", "head_bump": "the first after the discarder alone"},
    "multiple_ron_honba": {"each": "each winner", "first": "the first after the discarder"},
    "multiple_ron_deposits": {
        "first": "the first after the discarder",
        "own_back": "each winner gets the own back, the first after the discarder all others",
        "after_dealer": "the first after the dealer",
    },
    "north_share": {
        "not_missing": "no North is missing",
        "lost": "nobody pays it",
        "halved": "the two others pay half of it each",
    },
    "pao": {"daisangen": "daisangen", "daisuushii": "daisuushii", "suukantsu": "suukantsu"},
    "pao_part": {"whole_hand": "the whole hand", "liable_part": "only the yakuman they are liable for"},
    "pao_honba": {"discarder": "the discarder", "liable": "the liable player"},
    "riichi_short": {"allowed": "allowed", "warning": "allowed, with a warning", "error": "not allowed"},
    "leftover_deposits": {"first": "the first place", "lost": "nobody"},
    "abortive_draws": {
        "kyuushu_kyuuhai": "nine kinds of terminals and honours (kyuushu kyuuhai)",
        "suufon_renda": "four discards of one wind (suufon renda)",
        "suucha_riichi": "four riichi (suucha riichi)",
        "suukaikan": "four quads of several players (suukaikan)",
        "sanchahou": "three ron (sanchahou)",
    },
    "nagashi": {"none": "not played", "tsumo": "a win by tsumo", "draw": "a draw that pays as a mangan"},
    "several_nagashi": {"each": "each is paid", "first": "only the first from the dealer is paid"},
    "ties": {"share": "they share both", "seat_order": "the one nearer to the first East is ahead"},
    "equal_totals": {"first_places": "more first places", "best_result": "the better best round"},
    "chombo_after_signal": {"counts": "counts as the hand", "redeal": "is dealt again"},
    "substitute": {
        "ema": "by EMA: uma for the others, none for the seat",
        "wrc": "by WRC: the seat is scored and not ranked",
    },
    "next_hand_begins": {
        "call": "when a win is called or the last discard passes",
        "deal": "with the next deal",
    },
}

# singular, plural, and what nought is called
_POINTS = ("point", "points", "none")
_HANDS = ("hand", "hands", "none")
_TILES = ("tile", "tiles", "none")
UNITS: Mapping[str, tuple[str, str, str]] = {
    "start_points": _POINTS,
    "return_points": _POINTS,
    "target_points": _POINTS,
    "yakuman_base": _POINTS,
    "honba_ron": _POINTS,
    "honba_tsumo": _POINTS,
    "riichi_deposit": _POINTS,
    "noten_pool": _POINTS,
    "oka": _POINTS,
    "chombo_points": _POINTS,
    "late_points": _POINTS,
    "replaced_points": _POINTS,
    "double_wind_pair_fu": ("fu", "fu", "0 fu"),
    "riichi_tiles_left": _TILES,
    "late_minutes": ("minute", "minutes", "0 minutes"),
    "minutes": ("minute", "minutes", "no limit"),
    "extra_hands": _HANDS,
    "rounds": ("wind", "winds", "none"),
    "extra_rounds": ("wind", "winds", "none"),
    "players": ("player", "players", "none"),
}

_WINDS = ("East", "South", "West", "North")
_LIMITS = ("mangan", "haneman", "baiman", "sanbaiman", "counted yakuman")
_SECTION_OF = {field.name: str(field.metadata["section"]) for field in rule_fields()}
_HINT = "; 0: "  # what nought stands for, at the end of what some rules say
_SAYS = {field.name: str(field.metadata["says"]) for field in rule_fields()}
# what each rule is called: a yaku by its name, any other rule by what it says
RULE_NAMES: Mapping[str, str] = {
    name: yaku_name(name) if _SECTION_OF[name] in ("yaku", "yakuman") else says.partition(_HINT)[0]
    for name, says in _SAYS.items()
}


def rule_name(name: str) -> str:
    """Return what a rule is called: a yaku by its name, any other rule by what it says.

    >>> rule_name("sanshoku_doujun"), rule_name("minutes")
    ('sanshoku doujun', 'minutes from the start to the signal')
    """
    return RULE_NAMES.get(name, name.replace("_", " "))


def rule_gloss(name: str) -> str:
    """Return what a yaku is; nothing for a rule whose name says it already."""
    return _SAYS.get(name, "") if is_yaku(name) else ""


def rule_hint(name: str) -> str:
    """Return what nought stands for, for whoever types a number; nothing where it is just nought.

    >>> rule_hint("minutes"), rule_hint("oka")
    ('0: no limit', '')
    """
    return f"0: {says}" if (says := _SAYS.get(name, "").partition(_HINT)[2]) else ""


def is_yaku(name: str) -> bool:
    """Tell whether a field is a yaku or a yakuman."""
    return _SECTION_OF.get(name) in ("yaku", "yakuman")


def is_played(name: str, value: Any) -> bool:
    """Tell whether a yaku counts; all other rules do.

    >>> is_played("daisharin", [0, 0]), is_played("renhou", "none"), is_played("nagashi", "none")
    (False, False, True)
    """
    return not is_yaku(name) or (value != "none" if isinstance(value, str) else tuple(value) != (0, 0))


def say_value(name: str, value: Any) -> str:
    """Put the value of a field into words; lists may be tuples.

    >>> say_value("ittsu", (2, 1)), say_value("suuankou", (1, 0)), say_value("two_han_from_honba", 4)
    ('2 han closed, 1 han open', 'a yakuman, closed only', 'from 4 counters on')
    >>> say_value("uma", [15000, 0, -15000]), say_value("minutes", 0), say_value("bust", False)
    ('+15,000, 0, −15,000', 'no limit', 'no')
    """
    special = _SPECIAL.get(name)
    if special:
        return special(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return CHOICES.get(name, {}).get(value, value)
    if isinstance(value, int):
        return _amount(name, value)
    if isinstance(value, list | tuple):
        return _worth(name, value) if is_yaku(name) else _list(name, value)
    return str(value)


def limit_lines(limits: Iterable[Sequence[int]]) -> list[tuple[str, str, str]]:
    """Return the limits as lines of a table: name, from how many han, base value.

    >>> limit_lines([(5, 2000), (6, 3000)])
    [('mangan', '5 han', '2,000'), ('haneman', '6 han', '3,000')]
    """
    return [(limit_word(at), f"{han} han", points(base)) for at, (han, base) in enumerate(limits)]


def limit_word(at: int) -> str:
    """Name a limit by its place in the list of them, from 0."""
    return _LIMITS[at] if at < len(_LIMITS) else "limit"


def say_change(name: str, before: Any, after: Any) -> str:
    """Say what a field was and what it is.

    >>> say_change("bust", False, True)
    'a game ends when somebody falls below zero: yes instead of no'
    """
    return f"{rule_name(name)}: {say_value(name, after)} instead of {say_value(name, before)}"


def say_contradiction(name: str, why: str) -> str:
    """Put what is wrong with a field into a sentence: other fields by what they say, values as they are said.

    >>> say_contradiction("chii", "sequences are not called beside 'players' (3)")
    'Sequences are not called beside “players at a table” (3).'
    """
    words = CHOICES.get(name, {})
    said = re.sub(r"'(\w+)'", lambda match: f"“{_quoted(match[1], words)}”", why)
    said = re.sub(r"(?<![\w])-(?=\d)", MINUS, said)
    return f"{said[:1].upper()}{said[1:]}."


def fields_named(why: str) -> list[str]:
    """List the fields that a contradiction names beside its own.

    >>> fields_named("three never win at once beside 'multiple_ron' and 'players' as they are")
    ['multiple_ron', 'players']
    """
    return [name for name in re.findall(r"'(\w+)'", why) if name in _SAYS]


def _quoted(word: str, choices: Mapping[str, str]) -> str:
    return choices.get(word) or (rule_name(word) if word in _SAYS else word)


def _amount(name: str, value: int) -> str:
    one, many, nought = UNITS.get(name, ("", "", "0"))
    if not value:
        return nought
    return f"{points(value)} {one if abs(value) == 1 else many}".rstrip()


def _worth(name: str, value: Sequence[int]) -> str:
    closed, opened = value
    if not closed:
        return "not played"
    if _SECTION_OF[name] == "yakuman":
        first = "a yakuman" if closed == 1 else f"{closed} yakuman"
        unit = "yakuman"
    else:
        first, unit = f"{closed} han", "han"
    if closed == opened:
        return first
    return f"{first} closed, {opened} {unit} open" if opened else f"{first}, closed only"


def _list(name: str, value: Sequence[Any]) -> str:
    words = CHOICES.get(name, {})
    return ", ".join(words.get(str(item), str(item)) for item in value) or "none"


def _winds(value: Any) -> str:
    if not isinstance(value, int) or not 1 <= value <= len(_WINDS):
        return str(value)
    *most, last = _WINDS[:value]
    return f"{', '.join(most)} and {last}" if most else last


def _uma(value: Any) -> str:
    return ", ".join(f"+{points(each)}" if each > 0 else points(each) for each in value)


def _limits(value: Any) -> str:
    return ", ".join(f"{han} {base}" for _name, han, base in limit_lines(value))


def _equal_totals(value: Any) -> str:
    return ", then ".join(CHOICES["equal_totals"].get(each, each) for each in value) or "nothing: they share the place"


_SPECIAL: Mapping[str, Callable[[Any], str]] = {
    "rounds": _winds,
    "uma": _uma,
    "limits": _limits,
    "equal_totals": _equal_totals,
    "two_han_from_honba": lambda value: f"from {value} counter{'s' * (value != 1)} on" if value else "never",
}
