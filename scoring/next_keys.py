"""What can come next in a line that is being typed: for each beginning its place in the notation and its next keys.

`scoring.shorthand.parse` alone knows the notation: a beginning can go on if it parses with one of a few endings.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from rules.ruleset import Ruleset
from scoring.check import seats_of
from scoring.entries import Abort, Entry, Ron, Tsumo
from scoring.fu import possible_fu
from scoring.problems import InvalidInput
from scoring.shorthand import ABORTS, LIMITS, parse
from scoring.value import MANGAN_HAN, limit_from_han

_ENDINGS = (
    *("", "1", "5", "0", "00", "30", "35", "15", "t5", "k", "2600", "5200", ",0", "1,0", "0 x", "1 x", "+800", "1+800"),
    *("-2600", "0-2600"),
)
_BRACKETS = re.compile(r"\[[^\[\]]*\]?")
_LAST_SIGN = re.compile(r".*([rtdncaxp/+!=*b-])(.*)", re.DOTALL)
_LOSER = {"r", "+"}
_HEAD = re.compile(r"([1-9])(?:r([1-9])|t)?", re.ASCII)


class Key(NamedTuple):
    """Text that can come next, and what it says: `what` is a code, `seat` the player it names, `fu` the whole fu."""

    text: str
    what: str
    seat: int | None = None
    fu: int = 0


class Next(NamedTuple):
    """A line as far as it can be read, `fits` characters; its place; the next keys; the likeliest end of a part.

    `place` is one of start, winner, discarder, value, fu, second, riichi, tenpai, offender, nagashi, abort, dead,
    liable, end and other. `winner` and `loser` are the seats named so far.
    """

    fits: int
    place: str
    keys: tuple[Key, ...]
    ghost: str
    winner: int | None = None
    loser: int | None = None


def next_keys(line: str, rules: Ruleset) -> Next:
    """Return what can come next; of a line that cannot go on, what could after its longest beginning that can.

    >>> from rules.books import load
    >>> [key.text for key in next_keys("2", load("ema-2025")).keys]
    ['r', 't']
    >>> next_keys("2q", load("ema-2025"))[:2]
    (1, 'winner')
    """
    fits = len(line) if _goes_on(line, rules) else _longest(line, rules)
    place, typed = _place(line[:fits])
    keys = tuple(_KEYS[place](line[:fits], typed, rules)) if place in _KEYS else ()
    winner, loser = _named_seats(line[:fits])
    ghost = _ghost(place, typed, keys, winner) if fits == len(line) else ""
    return Next(fits, place, keys, ghost, winner, loser)


def _named_seats(line: str) -> tuple[int | None, int | None]:
    found = _HEAD.match("".join(line.lower().split()))
    winner, loser = found.groups() if found else (None, None)
    return int(winner) - 1 if winner else None, int(loser) - 1 if loser else None


def _longest(line: str, rules: Ruleset) -> int:
    """Return the length of the longest beginning that can go on: what cannot is never mended by more letters."""
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _goes_on(line[:middle], rules) else (low, middle - 1)
    return low


def _goes_on(line: str, rules: Ruleset) -> bool:
    return "[" in line or not line.strip() or any(_fits(line + ending, rules) for ending in _ENDINGS)


def _fits(line: str, rules: Ruleset) -> bool:
    entry = _entry(line)
    if isinstance(entry, Abort) and entry.reason not in rules.abortive_draws:
        return False
    return entry is not None and all(seat < rules.players for seat in seats_of(entry))


def _entry(line: str) -> Entry | None:
    try:
        return parse(line)
    except InvalidInput:
        return None


def _place(line: str) -> tuple[str, str]:
    """Return the place in the notation behind a beginning, and what is typed of that part already."""
    joined = "".join(_BRACKETS.sub("[]", line).lower().split())
    if "#" in joined or joined[:1] in ("=", "*") or "[" in joined:
        return ("other", "") if not joined.endswith("]") else ("end", "")
    found = _LAST_SIGN.fullmatch(joined)
    if not found:
        return ("winner", "") if joined else ("start", "")
    sign, typed = found[1], found[2]
    if sign in _LOSER:
        if not typed:
            return ("discarder" if sign == "r" else "second"), ""
        return _value_place(line, typed[1:])
    if sign == "t":
        return _value_place(line, typed)
    if sign == "c" and joined[0] == "n":
        return "end", ""
    if sign == "c" and "r" not in joined and "t" not in joined:
        return "offender", typed
    places = {"/": "riichi", "d": "tenpai", "n": "nagashi", "a": "abort", "x": "dead", "p": "liable"}
    return places.get(sign, "end" if _entry(line) else "other"), typed


def _value_place(line: str, typed: str) -> tuple[str, str]:
    """Tell a value to be typed from a han that lacks its fu, and both from a value that is whole."""
    if not typed:
        return "value", ""
    if typed[0] in "1234" and typed.isdecimal() and len(typed) <= 2 and not typed.startswith(("10", "11", "12", "13")):
        return "fu", typed
    return ("end" if _entry(line) else "other"), typed


def _ghost(place: str, typed: str, keys: tuple[Key, ...], winner: int | None) -> str:
    """Return the likeliest end of a part that is not whole yet: never one of a line that could be sent as it is."""
    if place == "winner":
        return "r"
    if place == "fu":
        usual = [key.text for key in keys if (typed[:1] + key.text).endswith("30")]
        return (usual or [key.text for key in keys] or [""])[0]
    if place == "riichi" and not typed and winner is not None:
        return str(winner + 1)
    return keys[0].text if place == "discarder" and len(keys) == 1 else ""


def _seats(what: str, rules: Ruleset, without: str = "") -> list[Key]:
    return [Key(str(seat + 1), what, seat) for seat in range(rules.players) if str(seat + 1) not in without]


def _start(_line: str, _typed: str, rules: Ruleset) -> list[Key]:
    keys = [*_seats("winner", rules), Key("d", "draw"), Key("c", "chombo")]
    nagashi = [Key("n", "nagashi")] if rules.nagashi != "none" else []
    return keys + nagashi + ([Key("a", "abort")] if rules.abortive_draws else [])


def _won(_line: str, _typed: str, _rules: Ruleset) -> list[Key]:
    return [Key("r", "ron"), Key("t", "tsumo")]


def _discarder(line: str, _typed: str, rules: Ruleset) -> list[Key]:
    return _seats("discarder", rules, line.strip()[:1])


def _second(line: str, _typed: str, rules: Ruleset) -> list[Key]:
    head = line.strip()
    return _seats("winner", rules, head[:1] + "".join(head[1:].split())[1:2])


def _value(_line: str, _typed: str, rules: Ruleset) -> list[Key]:
    han = [Key(str(number), "han") for number in range(1, MANGAN_HAN)]
    limits: dict[int, str] = {}
    for letter, least in LIMITS.items():
        limits.setdefault(limit_from_han(least, rules), letter)
    return [*han, *(Key(letter, "limit") for letter in limits.values()), Key("y", "yakuman")]


def _fu(line: str, typed: str, rules: Ruleset) -> list[Key]:
    tsumo = "t" in line.lower()
    possible = sorted(possible_fu(int(typed[0]), rules, tsumo=tsumo))
    begun = typed[1:]
    fitting = [fu for fu in possible if str(fu).startswith(begun) and str(fu) != begun]
    return [Key(str(fu)[len(begun) :], "fu", fu=fu) for fu in fitting]


def _named(what: str) -> Callable[[str, str, Ruleset], list[Key]]:
    def keys(_line: str, typed: str, rules: Ruleset) -> list[Key]:
        return _seats(what, rules, typed)

    return keys


def _tenpai(line: str, typed: str, rules: Ruleset) -> list[Key]:
    return [*_seats("tenpai", rules, typed), *_end(line, typed, rules)]


def _nagashi(_line: str, typed: str, rules: Ruleset) -> list[Key]:
    return [*_seats("winner", rules, typed), *([Key("d", "draw")] if typed else [])]


def _abort(_line: str, typed: str, rules: Ruleset) -> list[Key]:
    return [] if typed else [Key(letter, reason) for letter, reason in ABORTS.items() if reason in rules.abortive_draws]


def _end(line: str, _typed: str, rules: Ruleset) -> list[Key]:
    """Return what may follow a whole hand: another winner, the riichi of each player."""
    entry = _entry(line)
    more = []
    if isinstance(entry, Ron) and rules.multiple_ron != "head_bump" and len(entry.winners) < rules.players - 1:
        more = [Key("+", "second")]
    first = [win.seat for win in entry.winners] if isinstance(entry, Ron | Tsumo) else []
    order = [*first, *(seat for seat in range(rules.players) if seat not in first)]
    return [*more, *(Key(f"/{seat + 1}", "riichi", seat) for seat in order)]


_KEYS = {
    "start": _start,
    "winner": _won,
    "discarder": _discarder,
    "second": _second,
    "value": _value,
    "fu": _fu,
    "riichi": _named("riichi"),
    "tenpai": _tenpai,
    "offender": _named("offender"),
    "nagashi": _nagashi,
    "abort": _abort,
    "dead": _named("dead"),
    "liable": _named("liable"),
    "end": _end,
}
