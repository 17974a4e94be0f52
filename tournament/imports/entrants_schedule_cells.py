"""Read single cells of a schedule: round numbers, table numbers, winds, and places such as "5E" or "東5".

Words are English, German, French and Japanese. A text that is not certain is None.
"""

import functools
import re
import unicodedata
from collections.abc import Collection

_ROUND = "round|rnd|rd|r|session|hanchan|game|runde|durchgang|ronde|manche|tour|partie|ラウンド|半荘|回戦"
_TABLE = "table|tbl|tisch|t|卓|テーブル"
_SEAT = "seat|wind|sitz|platz|siege|place|vent|席|座席|風|家"
_ORDINAL = "(?:st|nd|rd|th|re|er|ere|e|eme)?"
_WINDS = {
    text: wind
    for wind, texts in {
        "E": "e|east|ton|東|東家|起家|ost|est",
        "S": "s|south|nan|南|南家|sud|sued",
        "W": "w|west|sha|shaa|xia|西|西家|ouest|ovest",
        "N": "n|north|pei|pe|北|北家|nord",
        "O": "o",  # East to Germans, West to the French
        **{str(number): f"{number}" for number in range(5)},
    }.items()
    for text in texts.split("|")
}
_WIND = "|".join(sorted((text for text in _WINDS if not text.isdigit()), key=len, reverse=True))

_HEADING = re.compile(
    rf"第? ?(?:(?:{_ROUND})[ .:#-]*([0-9]{{1,4}})|([0-9]{{1,4}}){_ORDINAL}[ .]*(?:{_ROUND})|([0-9]{{1,4}}))(?:\.0*)?"
)
_ROUND_LINE = re.compile(
    rf"第? ?(?:(?:{_ROUND})[ .:#-]*([0-9]{{1,4}})|([0-9]{{1,4}}){_ORDINAL}[ .]*(?:{_ROUND}))(?:[^\w].*)?", re.DOTALL
)
_TABLE_CELL = re.compile(rf"(?:{_TABLE})?[ .:#-]*([0-9]{{1,4}})(?:\.0+)?[ .]*(?:卓|番卓)?")
_PLACE = re.compile(
    rf"(?:{_TABLE})?[ .:#]*([0-9]{{1,4}}) ?(?:番?卓)?"
    rf"(?:[ ,;:/.(-]*(?:{_SEAT})? ?({_WIND})|[ ]?[ ,;:/.(-][ ]?([0-4]))?\)?"
)
_PLACE_TURNED = re.compile(rf"({_WIND})[ ,;:/.(-]*(?:{_TABLE})?[ ]*([0-9]{{1,4}}) ?卓?\)?")
_NOTHING = frozenset({"", "-", "--", "x", "/", "bye", "frei", "pause", "repos", "out", "休み", "なし"})
_DASHES = str.maketrans(dict.fromkeys("−–—‒‐‑－", "-"))


@functools.lru_cache(maxsize=4096)
def fold_cell(text: str) -> str:
    """Fold a text to lower case without accents, wide letters made narrow, every gap one space."""
    spread = unicodedata.normalize("NFKD", text.casefold().translate(_DASHES))
    bare = unicodedata.normalize("NFC", "".join(sign for sign in spread if not "\u0300" <= sign <= "\u036f"))
    return " ".join(bare.split())


def read_round_line(text: str) -> int | None:
    """Read a line that opens a round, with whatever is said behind the number; a bare number is none.

    >>> read_round_line("Round 2 – 10:30"), read_round_line("第2回戦"), read_round_line("2")
    (2, 2, None)
    """
    found = _ROUND_LINE.fullmatch(fold_cell(text))
    return int(found[1] or found[2]) if found else None


def read_round(text: str) -> int | None:
    """Read the number of a round.

    >>> read_round("2. Runde"), read_round("R3"), read_round("4"), read_round("Name")
    (2, 3, 4, None)
    """
    found = _HEADING.fullmatch(fold_cell(text))
    return int(found[1] or found[2] or found[3]) if found else None


def read_table(text: str) -> int | None:
    """Read the number of a table.

    >>> read_table("Tisch 7"), read_table("7卓"), read_table("７"), read_table("A")
    (7, 7, 7, None)
    """
    found = _TABLE_CELL.fullmatch(fold_cell(text))
    return int(found[1]) if found else None


def read_wind(text: str) -> str | None:
    """Read a wind or the number of a seat as "E", "S", "W", "N", "O" (see `seats_by_wind`) or "0" to "4".

    >>> read_wind("Süd"), read_wind("東"), read_wind("3"), read_wind("centre")
    ('S', 'E', '3', None)
    """
    folded = fold_cell(text)
    return _WINDS.get(folded.removesuffix(".0").removesuffix("."))


def read_place(text: str) -> tuple[int, str] | None:
    """Read a table with or without a wind: (table, wind or "").

    >>> [read_place(text) for text in ("5E", "5 東", "5-1", "Table 12, South", "N3", "7")]
    [(5, 'E'), (5, 'E'), (5, '1'), (12, 'S'), (3, 'N'), (7, '')]
    """
    folded = fold_cell(text)
    found = _PLACE.fullmatch(folded)
    if found:
        return int(found[1]), _WINDS[found[2]] if found[2] else (found[3] or "")
    turned = _PLACE_TURNED.fullmatch(folded)
    return (int(turned[2]), _WINDS[turned[1]]) if turned else None


def is_nothing(text: str) -> bool:
    """Say whether a cell says that somebody has no seat."""
    return fold_cell(text) in _NOTHING


def seats_by_wind(winds: Collection[str]) -> dict[str, int]:
    """Return the seat of each wind, going by all winds of a file: what "O" stands for, and where numbers begin."""
    first = 0 if "0" in winds else 1
    numbers = {str(number): number - first for number in range(first, 6)}
    return {"E": 0, "S": 1, "W": 2, "N": 3, "O": 2 if "E" in winds and "W" not in winds else 0, **numbers}
