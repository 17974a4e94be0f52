"""Words for rules: sections, fields, every value of a field, and how a table is set up (see rules.procedure).

An unknown value is shown as it was written.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.books import Citation, book_keys, load
from rules.procedure import CitedProcedure, Procedure, procedure_of
from rules.ruleset import Ruleset, diff, rule_fields
from tournament.text.languages import Words, colon, join_and, join_commas, join_spaced, plural_text
from tournament.text.numbers import MINUS, points, signed, wind_word

SECTIONS: Words = {
    "game": "The game",
    "tiles": "Tiles and calls",
    "value": "The value of a hand",
    "yaku": "Yaku",
    "yakuman": "Yakuman",
    "win": "Winning and paying",
    "riichi": "Riichi",
    "draw": "Draws",
    "chips": "Chips",
    "placement": "Places",
    "penalty": "Penalties",
    "time": "Time",
}

_DEALER: Words = {
    "tenpai": "if in tenpai",
    "tenpai_or_nobody": "if in tenpai, or if nobody is",
    "always": "always",
    "never": "never",
}

# the words of every value that is one of several, and of every item of a list
CHOICES: Words = {
    "dealer_on_draw": _DEALER,
    "dealer_on_draw_later": _DEALER,
    "dealer_on_multiple_ron": {"among": "if among the winners", "first": "only as the first of them"},
    "red_fives": {"5m": "5 of characters", "5p": "5 of circles", "5s": "5 of bamboos"},
    "whole_wait_yaku": {"iipeikou": "iipeikou", "ittsu": "ittsu", "chanta": "chanta"},
    "north_value": {"wind": "a seat's wind", "guest": "no player's wind", "everybody": "everybody's own wind"},
    "kan_dora": {
        "at_once": "at once",
        "open_after_discard": "at once for a closed kan, after the discard for an open one",
        "none": "never",
    },
    "renhou": {"none": "not played", "mangan": "a mangan", "yakuman": "a yakuman"},
    "multiple_ron": {"all": "all of them", "head_bump": "only the first after the discarder"},
    "multiple_ron_honba": {"each": "each winner", "first": "the first after the discarder"},
    "multiple_ron_deposits": {
        "first": "the first after the discarder",
        "own_back": "each winner gets their own back, the first after the discarder all others",
        "after_dealer": "the first after the dealer",
    },
    "north_share": {
        "not_missing": "no North is missing",
        "lost": "nobody pays it",
        "halved": "the two others pay half of it each",
        "even": "the two others pay half of a ron each",
    },
    "pao": {
        "daisangen": "daisangen",
        "daisuushii": "daisuushii",
        "suukantsu": "suukantsu",
        "rinshan": "rinshan after an open kan",
    },
    "pao_part": {"whole_hand": "the whole hand", "liable_part": "only the yakuman they are liable for"},
    "pao_honba": {"discarder": "the discarder", "liable": "the liable player"},
    "riichi_short": {"allowed": "allowed", "warning": "allowed, with a warning", "error": "not allowed"},
    "leftover_deposits": {"first": "the first place", "lost": "nobody"},
    "abortive_draws": {
        "kyuushu_kyuuhai": "nine kinds of terminals and honours (kyuushu kyuuhai)",
        "suufon_renda": "four discards of one wind (suufon renda)",
        "suucha_riichi": "four riichi (suucha riichi)",
        "suukaikan": "four kan of several players (suukaikan)",
        "sanchahou": "three ron (sanchahou)",
    },
    "nagashi": {"none": "not played", "tsumo": "a win by tsumo", "draw": "a draw that pays as a mangan"},
    "several_nagashi": {"each": "each is paid", "first": "only the first from the dealer is paid"},
    "ties": {"share": "they share both", "seat_order": "the one nearer to the first East is ahead"},
    "equal_totals": {"first_places": "more first places", "best_result": "the better best round"},
    "chombo_pays": {"nothing": "nothing", "mangan": "a mangan tsumo the other way round"},
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


def _point(count: int) -> str:
    return ngettext("%(count)s point", "%(count)s points", abs(count))


def _hand(count: int) -> str:
    return ngettext("%(count)s hand", "%(count)s hands", count)


def _tile(count: int) -> str:
    return ngettext("%(count)s tile", "%(count)s tiles", count)


def _minute(count: int) -> str:
    return ngettext("%(count)s minute", "%(count)s minutes", count)


def _wind(count: int) -> str:
    return ngettext("%(count)s wind", "%(count)s winds", count)


def _chip(count: int) -> str:
    return ngettext("%(count)s chip", "%(count)s chips", count)


def _player(count: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", count)


# how the amounts of a rule are counted; what nought is called stands in NOUGHTS
UNITS: Mapping[str, Callable[[int], str]] = {
    **dict.fromkeys(
        (
            "start_points", "return_points", "target_points", "yakuman_base", "honba_ron", "honba_tsumo",
            "riichi_deposit", "noten_pool", "oka", "chombo_points", "late_points", "replaced_points", "chip_points",
            "bust_prize",
        ),
        _point,
    ),
    "double_wind_pair_fu": lambda _count: _("%(count)s fu"),
    **dict.fromkeys(("chip_ippatsu", "chip_ura", "chip_red", "chip_yakuman_ron", "chip_yakuman_tsumo"), _chip),
    "riichi_tiles_left": _tile,
    "late_minutes": _minute,
    "minutes": _minute,
    "extra_hands": _hand,
    "rounds": _wind,
    "extra_rounds": _wind,
    "players": _player,
}  # fmt: skip
NOUGHTS: Words = {
    "double_wind_pair_fu": "0 fu",
    "late_minutes": "0 minutes",
    "minutes": "no limit",
    "chip_points": "no chips are played",
}

LIMITS: Words = {0: "mangan", 1: "haneman", 2: "baiman", 3: "sanbaiman", 4: "counted yakuman"}
MAX_WINDS = 4
_SECTION_OF = {field.name: str(field.metadata["section"]) for field in rule_fields()}
_HINT = "; 0: "  # what nought stands for, at the end of what some rules say
_RULE_SENTENCES = {field.name: str(field.metadata["says"]) for field in rule_fields()}
# what each rule is called: a yaku by its name, any other rule by what it says
RULE_NAMES: Mapping[str, str] = {
    name: name.replace("_", " ") if _SECTION_OF[name] in ("yaku", "yakuman") else says.partition(_HINT)[0]
    for name, says in _RULE_SENTENCES.items()
}


OWN_BOOKS = ("sanmatsuri-2026", "rakkii-nomi-2026")  # of events of this desk
INFERRED = " (section inferred)"  # at the end of a clause's place
# a note of a book about a value that another book states, with its clause there: see rules.books
INHERITED = re.compile(r"(.+?); as in ([^(]+?)(?: \((.+)\))?")


def say_source(text: str) -> str:
    """Translate the description of a rule book, a note of it, or the place and the words of a clause.

    >>> say_source("not in the notes; as in WRC 2025 (WRC 2025 9.4 (section inferred): East keeps playing)")
    'not in the notes; as in WRC 2025 (WRC 2025 9.4 (section inferred): East keeps playing)'
    """
    if not text or _(text) != text:
        return text and _(text)
    if found := INHERITED.fullmatch(text):
        words = _("%(note)s; as in %(book)s (%(clause)s)") if found[3] else _("%(note)s; as in %(book)s")
        return words % {"note": _(found[1]), "book": found[2], "clause": say_source(found[3])}
    place, colon, words = text.partition(": ")
    told = _(place.removesuffix(INFERRED)) + (_(" (section inferred)") if place.endswith(INFERRED) else "")
    words_told = words and _(words)
    if place == "S0" or (told, words_told) == (place, words):  # the heading of an event’s document
        return text
    return _("%(place)s: %(words)s") % {"place": told, "words": words_told} if words else told + colon


def rules_title(rules: Ruleset) -> str:
    """Name a rule set by its book, and say how many of its rules are not the book's.

    >>> import dataclasses
    >>> rules_title(load("ema-2025")), rules_title(dataclasses.replace(load("ema-2025"), honba_ron=600))
    ('EMA 2025', 'EMA 2025, 1 rule changed')
    """
    changed = len(diff(rules, load(rules.key))) if rules.key in book_keys() else 0
    if not changed:
        return rules.title
    return plural_text(
        "%(title)s, %(count)d rule changed", "%(title)s, %(count)d rules changed", changed, title=rules.title
    )


def rule_name(name: str) -> str:
    """Return what a rule is called: a yaku by its name, any other rule by what it says.

    >>> rule_name("sanshoku_doujun"), rule_name("minutes")
    ('sanshoku doujun', 'minutes from the start to the signal')
    """
    return _(RULE_NAMES.get(name, name.replace("_", " ")))


def rule_gloss(name: str) -> str:
    """Return what a yaku is; nothing for a rule whose name says it already."""
    return _(_RULE_SENTENCES[name]) if name in _RULE_SENTENCES and is_yaku(name) else ""


def rule_hint(name: str) -> str:
    """Return what 0 means in a rule's field; "" where it is a plain 0.

    >>> rule_hint("minutes"), rule_hint("oka")
    ('0: no limit', '')
    """
    return f"0{colon()}{_(says)}" if (says := _RULE_SENTENCES.get(name, "").partition(_HINT)[2]) else ""


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
    ('2 han closed, 1 han open', 'a yakuman, closed only', 'from 4 honba on')
    >>> say_value("uma", [15000, 0, -15000]), say_value("minutes", 0), say_value("bust", False)
    ('+15,000, 0, −15,000', 'no limit', 'no')
    """
    special = _SPECIAL.get(name)
    if special:
        return special(value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return _(CHOICES.get(name, {}).get(value, value))
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
    return [(limit_word(at), _("%(han)d han") % {"han": han}, points(base)) for at, (han, base) in enumerate(limits)]


def limit_word(at: int) -> str:
    """Name a limit by its place in the list of them, from 0."""
    return _(LIMITS[at]) if at in LIMITS else _("limit")


def say_change(name: str, before: Any, after: Any) -> str:
    """Say what a field was and what it is.

    >>> say_change("bust", False, True)
    'a game ends when somebody falls below zero: yes instead of no'
    """
    return _("%(rule)s: %(now)s instead of %(before)s") % {
        "rule": rule_name(name),
        "now": say_value(name, after),
        "before": say_value(name, before),
    }


def say_basis(title: str, book: str, changes: int) -> str:
    """Say what book rules with a title are based on, and the number of changes; nothing for the book itself.

    >>> say_basis("Club rules", "EMA 2025", 12), say_basis("EMA 2025", "EMA 2025", 1), say_basis("WRC", "WRC", 0)
    ('based on EMA 2025, 12 changes', '1 change', '')
    """
    said = plural_text("%(count)d change", "%(count)d changes", changes) if changes else ""
    if title == book:
        return said
    return _("based on %(book)s, %(changes)s") % {"book": book, "changes": said or _("no changes")}


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
    return [name for name in re.findall(r"'(\w+)'", why) if name in _RULE_SENTENCES]


def _quoted(word: str, choices: Mapping[str, str]) -> str:
    return choices.get(word) or (rule_name(word) if word in _RULE_SENTENCES else word)


def _amount(name: str, value: int) -> str:
    unit = UNITS.get(name)
    if unit is None:
        return points(value)
    if not value:
        return _(NOUGHTS.get(name, "none"))
    return unit(value) % {"count": points(value)}


def _worth(name: str, value: Sequence[int]) -> str:
    closed, opened = value
    if not closed:
        return _("not played")
    if _SECTION_OF[name] == "yakuman":
        first = _("a yakuman") if closed == 1 else _("%(count)d yakuman") % {"count": closed}
        second = _("%(count)d yakuman") % {"count": opened}
    else:
        first, second = _("%(han)d han") % {"han": closed}, _("%(han)d han") % {"han": opened}
    if closed == opened:
        return first
    if not opened:
        return _("%(worth)s, closed only") % {"worth": first}
    return _("%(closed)s closed, %(open)s open") % {"closed": first, "open": second}


def _list(name: str, value: Sequence[Any]) -> str:
    words = CHOICES.get(name, {})
    return join_commas(_(words.get(str(item), str(item))) for item in value) or _("none")


def _reds(value: Sequence[str]) -> str:
    words = CHOICES["red_fives"]
    said = [(_(words[five]), value.count(five)) for five in dict.fromkeys(value)]
    return join_commas(word if count == 1 else f"{count} × {word}" for word, count in said) or _("none")


def _winds(value: Any) -> str:
    if not isinstance(value, int) or not 1 <= value <= MAX_WINDS:
        return str(value)
    return join_and([wind_word(wind) for wind in range(value)])


def _uma(value: Any) -> str:
    return join_commas(signed(each) for each in value)


def _floating_uma(value: Any) -> str:
    rows = [
        f"{plural_text('%(count)d above', '%(count)d above', above)}{colon()}{_uma(row)}"
        for above, row in enumerate(value, 1)
    ]
    return join_spaced(rows) or _("the uma depends only on the place")


def _limits(value: Any) -> str:
    return join_commas(f"{han} {base}" for _name, han, base in limit_lines(value))


def _equal_totals(value: Any) -> str:
    said = [_(CHOICES["equal_totals"].get(each, each)) for each in value]
    return _(", then ").join(said) or _("nothing: they share the place")


def _two_han_from(value: int) -> str:
    if not value:
        return _("never")
    return plural_text("from %(count)d honba on", "from %(count)d honba on", value)


_SPECIAL: Mapping[str, Callable[[Any], str]] = {
    "rounds": _winds,
    "red_fives": _reds,
    "uma": _uma,
    "floating_uma": _floating_uma,
    "limits": _limits,
    "equal_totals": _equal_totals,
    "two_han_from_honba": _two_han_from,
}

NAMES: Words = {
    "seat_draw": "Seats",
    "first_dealer": "First East",
    "stacks": "Walls",
    "dice": "Breaking the wall",
    "deal": "Deal",
    "dead_wall": "Dead wall",
    "indicator": "Dora indicator",
    "replacements": "Replacement tiles",
    "refill": "During the hand",
}
_STEP_SENTENCES: Words = {
    "list": "The seating list says who sits where.",
    "wind_tiles": (
        "A tile of each seat's wind is shuffled face down, and each player draws one. East chooses a seat, the others "
        "sit to the right in the order of the winds. At an event the seating list takes the place of this draw."
    ),
    "first_seat": "The player named first on the seating list deals first.",
    "die_twice": (
        "The player in the East seat rolls a die and counts the players anticlockwise from themselves; who is found "
        "rolls and counts again. The player found then deals first. At an event it is the first on the seating list."
    ),
    "first_and_third": (
        "From the gap to the left, each player takes four tiles in turn, three times. Then East takes the upper tiles "
        "of the first and the third stack, and the others one tile each in turn."
    ),
    "two_on_top": (
        "From the gap to the left, each player takes four tiles in turn, three times. Then East takes two upper tiles "
        "side by side, and the others one tile each in turn."
    ),
    "one_by_one": "After each replacement the last tile of the wall joins the dead wall, which keeps %(tiles)d tiles.",
    "split_early": (
        "The dead wall may be split off early and moved during play; it is filled from the end of the wall and keeps "
        "%(tiles)d tiles."
    ),
}


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """One thing to do at a table, in a sentence or two, with its source."""

    name: str
    words: str
    citation: Citation


def say_procedure(rules: Ruleset) -> list[ProcedureStep]:
    """Say how a table is set up under a rule set, in the order of doing it.

    >>> from rules.books import load
    >>> steps = {step.name: step.words for step in say_procedure(load('sanmatsuri-2026'))}
    >>> steps["Walls"], steps["Replacement tiles"]
    ('Each player builds a wall of 18 stacks, two tiles high: 108 tiles in total.', '8 tiles from the gap on, the \
upper one of a stack first, are drawn after a kan or a North.')
    """
    cited = procedure_of(rules)
    return [
        ProcedureStep(_(NAMES[name]), _words(name, cited.procedure, rules), _citation(name, cited)) for name in NAMES
    ]


def _citation(name: str, cited: CitedProcedure) -> Citation:
    return cited.citations["indicator" if name == "replacements" else name]


def _words(name: str, procedure: Procedure, rules: Ruleset) -> str:
    if name in _COUNTED:
        return _COUNTED[name](procedure, rules)
    return _(_STEP_SENTENCES[getattr(procedure, name)]) % {"tiles": procedure.dead_wall}


def _stacks(procedure: Procedure, rules: Ruleset) -> str:
    words = _("Each player builds a wall of %(stacks)d stacks, two tiles high: %(tiles)d tiles in total.")
    return words % {"stacks": procedure.stacks, "tiles": 2 * procedure.stacks * rules.players}


def _dice(procedure: Procedure, _rules: Ruleset) -> str:
    words = ngettext(
        "East rolls one die and counts the players anticlockwise from themselves: that player's wall is broken. As "
        "many stacks as the die shows stay at its right end; the gap is to their left.",
        "East rolls %(count)d dice and counts the players anticlockwise from themselves: that player's wall is broken. "
        "As many stacks as the dice show stay at its right end; the gap is to their left.",
        procedure.dice,
    )
    return words % {"count": procedure.dice}


def _dead_wall(procedure: Procedure, _rules: Ruleset) -> str:
    words = _("The %(tiles)d tiles to the right of the gap, %(stacks)d stacks, are set apart.")
    return words % {"tiles": procedure.dead_wall, "stacks": procedure.dead_wall // 2}


def _indicator(procedure: Procedure, _rules: Ruleset) -> str:
    words = _("The upper tile of stack %(stack)d from the gap is turned; later indicators follow to its right.")
    return words % {"stack": procedure.indicator}


def _replacements(procedure: Procedure, rules: Ruleset) -> str:
    if rules.kita:
        words = _("%(count)d tiles from the gap on, the upper one of a stack first, are drawn after a kan or a North.")
    else:
        words = _("%(count)d tiles from the gap on, the upper one of a stack first, are drawn after a kan.")
    return words % {"count": procedure.replacements}


_COUNTED: Mapping[str, Callable[[Procedure, Ruleset], str]] = {
    "stacks": _stacks,
    "dice": _dice,
    "dead_wall": _dead_wall,
    "indicator": _indicator,
    "replacements": _replacements,
}
