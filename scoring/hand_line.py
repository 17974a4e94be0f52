"""The hand line, a winning hand in one line of text as a person types it, and the contract's JSON: each from the other.

The concealed tiles stand first, the winning tile last of them; then in any order melds, conditions, indicators, winds.
It reads form only; whether such a hand can be is judged in `hand_check`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.problems import InvalidInput, Problem, error, shown
from scoring.tiles import Tile, parse_tiles, write_tile, write_tiles

MOST_LINE = 160
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


def read_hand_line(text: str) -> dict[str, Any]:
    """Read a hand line into the contract's JSON; winds are East where none are given.

    Raises InvalidInput with every part that it cannot read.

    >>> hand = read_hand_line("340m567p66234s 777z^ d1m wES")
    >>> hand["tiles"], hand["win"], hand["melds"]
    ('340m567p23466s', '4s', [{'kind': 'pon', 'tiles': '777z', 'from': 'across'}])
    """
    parts = text[:MOST_LINE].lower().split()
    if not parts or len(text) > MOST_LINE:
        raise InvalidInput([error("hand_line.empty") if not parts else error("hand_line.too_long", most=MOST_LINE)])
    tiles = parse_tiles(parts[0])
    hand: dict[str, Any] = {
        "tiles": write_tiles(tiles),
        "win": write_tile(tiles[-1]),
        "tsumo": False,
        "melds": [],
    }
    problems = [problem for part in parts[1:] for problem in _read_part(part, hand)]
    if problems:
        raise InvalidInput(problems)
    hand["round_wind"], hand["seat_wind"] = hand.pop("winds", ("E", "E"))
    return hand


def _read_part(part: str, hand: dict[str, Any]) -> Iterator[Problem]:
    """Put one part into the hand; yields what is wrong with it."""
    found = _part(part)
    if found is None:
        yield error("hand_line.unknown_part", part=shown(part))
        return
    key, value = found
    if key == "melds":
        hand["melds"].append(value)
    elif key in hand and hand[key] is not False:
        yield error("hand_line.twice", part=shown(part))
    else:
        hand[key] = value


def _part(part: str) -> tuple[str, Any] | None:
    """Return the key that a part fills and its value; None for what is no part of a hand line."""
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
    """Name the meld that such tiles make; whether they are a group at all is judged later."""
    tiles = parse_tiles(text)
    if mark:
        return "ankan" if mark == CLOSED_QUAD else "shouminkan"
    if len(tiles) == 4:
        return "daiminkan"
    return "pon" if len({tile.kind for tile in tiles}) == 1 else "chi"


def write_hand_line(hand: Mapping[str, Any]) -> str:
    """Write the contract's JSON as a hand line.

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
    """Write the concealed tiles, the winning tile last; its suit is written once where it sorts last."""
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
