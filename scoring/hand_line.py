"""The hand line: a winning hand as one typed line, from and to the contract's JSON.

First the concealed tiles with the winning tile last, then in any order melds, conditions, indicators and winds.
Checks form only; `hand` checks whether such a hand is possible.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.problems import InvalidInput, Problem, ProblemType, printable_excerpt
from scoring.tiles import Tile, parse_tiles, write_tile, write_tiles

HAND_LINE_EMPTY = ProblemType("hand_line.empty", "Nothing is typed yet.")
HAND_LINE_TOO_LONG = ProblemType("hand_line.too_long", "The line is too long: at most {most} characters are read.")
HAND_LINE_UNKNOWN_PART = ProblemType("hand_line.unknown_part", "'{part}' is not valid here.")
HAND_LINE_TWICE = ProblemType("hand_line.twice", "'{part}': this is given twice.")

MAX_LINE = 160
TSUMO = "t"
RIICHI = {"r": 1, "rr": 2}
FLAGS = {"i": "ippatsu", "rin": "rinshan", "chan": "chankan", "hai": "haitei", "hou": "houtei", "first": "first_turn"}
NUMBERS = {"k": "kita", "h": "honba"}
INDICATORS = {"d": "dora", "u": "ura"}
MARKS = {"<": "left", "^": "across", ">": "right"}
CLOSED_QUAD, ADDED_QUAD = "x", "+"

_NUMBER = re.compile(r"([kh])(\d{1,2})")
_WINDS = re.compile(r"w([eswn])([eswn])")
_TILES_OF = re.compile(r"([du])((?:\d+[mpsz])+)")
_MELD = re.compile(r"([x+]?)(\d{3,4}[mpsz])([<^>]?)")
_PLAIN = re.compile(r"(?:\d+[mpsz])+")
_KAN = re.compile(r"(\d)\1{3}[mpsz]")
WHOLE_HAND = 14


def read_hand_line(text: str) -> dict[str, Any]:
    """Return the contract's JSON of a hand line; winds default to East.

    Tiles in several parts are the concealed ones where together, and not as called sets, they make a whole hand.
    Raises InvalidInput with every unreadable part.

    >>> hand = read_hand_line("340m567p66234s 777z^ d1m wES")
    >>> hand["tiles"], hand["win"], hand["melds"]
    ('340m567p23466s', '4s', [{'kind': 'pon', 'tiles': '777z', 'from': 'across'}])
    >>> read_hand_line("123m 456p 789s 11z 23p 1p r")["tiles"]
    '123m123456p789s11z'
    """
    parts = _joined(text[:MAX_LINE].lower().split())
    if not parts or len(text) > MAX_LINE:
        raise InvalidInput([HAND_LINE_EMPTY() if not parts else HAND_LINE_TOO_LONG(most=MAX_LINE)])
    tiles = parse_tiles(parts[0])
    hand: dict[str, Any] = {"tiles": write_tiles(tiles), "win": write_tile(tiles[-1]), "tsumo": False, "melds": []}
    problems = [problem for part in parts[1:] for problem in _read_part(part, hand)]
    if problems:
        raise InvalidInput(problems)
    hand["round_wind"], hand["seat_wind"] = hand.pop("winds", ("E", "E"))
    return hand


def _joined(parts: list[str]) -> list[str]:
    """Join the parts that are tiles alone where, read as called sets, they make no whole hand, but together do.

    A part of four equal tiles is a kan: with one, a tile of the hand is missing.
    """
    tiles = [part for part in parts if _PLAIN.fullmatch(part)]
    sets = [part for part in parts[1:] if _MELD.fullmatch(part)]
    if any(_KAN.fullmatch(part) for part in sets):
        return parts
    marked = [part for part in sets if part not in tiles]

    def count(some: list[str], called: list[str]) -> int:
        return sum(sign.isdigit() for part in some for sign in part) + 3 * len(called)

    whole = set(tiles[1:]) <= set(sets) and count(parts[:1], sets) == WHOLE_HAND
    if whole or parts[:1] != tiles[:1] or count(tiles, marked) != WHOLE_HAND:
        return parts
    return ["".join(tiles), *(part for part in parts if part not in tiles)]


def _read_part(part: str, hand: dict[str, Any]) -> Iterator[Problem]:
    """Put one part into the hand; yield its problems."""
    found = _part(part)
    if found is None:
        yield HAND_LINE_UNKNOWN_PART(part=printable_excerpt(part))
        return
    key, value = found
    if key == "melds":
        hand["melds"].append(value)
    elif key in hand and hand[key] is not False:
        yield HAND_LINE_TWICE(part=printable_excerpt(part))
    else:
        hand[key] = value


def _part(part: str) -> tuple[str, Any] | None:
    """Return the JSON key and value of a part; None for an unreadable part."""
    if part == TSUMO:
        return "tsumo", True
    if part in RIICHI:
        return "riichi", RIICHI[part]
    if part in FLAGS:
        return FLAGS[part], True
    if match := _NUMBER.fullmatch(part):
        return NUMBERS[match[1]], int(match[2])
    if match := _WINDS.fullmatch(part):
        return "winds", (match[1].upper(), match[2].upper())
    if match := _TILES_OF.fullmatch(part):
        return INDICATORS[match[1]], match[2]
    if match := _MELD.fullmatch(part):
        return "melds", {"kind": _meld_kind(match[1], match[2]), "tiles": match[2], "from": MARKS.get(match[3])}
    return None


def _meld_kind(mark: str, text: str) -> str:
    """Return the kind of a meld; `hand` checks whether the tiles are a group."""
    tiles = parse_tiles(text)
    if mark:
        return "ankan" if mark == CLOSED_QUAD else "shouminkan"
    if len(tiles) == 4:
        return "daiminkan"
    return "pon" if len({tile.kind for tile in tiles}) == 1 else "chi"


def write_hand_line(hand: Mapping[str, Any]) -> str:
    """Return the hand line of the contract's JSON.

    >>> line = "340m567p2366s4s 777z^ t k2 d1m wES"
    >>> write_hand_line(read_hand_line(line))
    '340m567p2366s4s 777z^ t k2 d1m wES'
    """
    parts = [_concealed(str(hand["tiles"]), str(hand["win"])), *(_write_meld(meld) for meld in hand.get("melds") or ())]
    if hand.get("tsumo"):
        parts.append(TSUMO)
    parts += [word for word, times in RIICHI.items() if hand.get("riichi") == times]
    parts += [word for word, name in FLAGS.items() if hand.get(name)]
    parts += [f"{letter}{hand[name]}" for letter, name in NUMBERS.items() if hand.get(name)]
    parts += [f"{letter}{hand[name]}" for letter, name in INDICATORS.items() if hand.get(name)]
    winds = f"{hand.get('round_wind', 'E')}{hand.get('seat_wind', 'E')}"
    return " ".join([*parts, *([f"w{winds}"] if winds != "EE" else [])])


def _concealed(tiles: str, win: str) -> str:
    """Write the concealed tiles with the winning tile last, in one suit group where it sorts last."""
    last = parse_tiles(win)[0]
    rest = Counter(parse_tiles(tiles))
    rest[last] -= 1
    before = write_tiles(rest.elements())
    return before[:-1] + win if before[-1:] == win[-1] and _sorts_last(last, rest) else before + win


def _sorts_last(last: Tile, rest: Counter[Tile]) -> bool:
    return all(tile.kind <= last.kind for tile, count in rest.items() if count)


def _write_meld(meld: Mapping[str, Any]) -> str:
    mark = {"ankan": CLOSED_QUAD, "shouminkan": ADDED_QUAD}.get(str(meld["kind"]), "")
    source = next((sign for sign, name in MARKS.items() if name == meld.get("from")), "")
    return f"{mark}{meld['tiles']}{source}"
