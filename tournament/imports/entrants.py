"""Find the player that a cell of a file means, by number, by name, or by both; read rounds, tables, winds and places.

A name must match one player; a near miss is only suggested.
"""

import difflib
import functools
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from scoring.problems import Problem, ProblemType
from tournament.tables.rows import Entrant
from tournament.text.names import clean_name, name_key, printable, same_name_keys

SCHEDULE_NOBODY = ProblemType("schedule.nobody", "{where}: nobody is named here.")
SCHEDULE_NO_SUCH_NUMBER = ProblemType(
    "schedule.no_such_number", "{where}: there is no player {given}; the list goes up to {last}."
)
SCHEDULE_NO_SUCH_NAME = ProblemType("schedule.no_such_name", "{where}: there is no “{name}” in this event.")
SCHEDULE_NAME_LIKE = ProblemType(
    "schedule.name_like", "{where}: there is no “{name}” in this event. Did you mean {suggestion}?"
)
SCHEDULE_NAME_OF_SEVERAL = ProblemType(
    "schedule.name_of_several", "{where}: “{name}” may be each of the players {numbers}. Write the number."
)
SCHEDULE_NUMBER_OF_ANOTHER = ProblemType(
    "schedule.number_of_another", "{where}: {who} does not have number {given}. Is it the name or the number?"
)
SCHEDULE_PLAYER_LEFT = ProblemType("schedule.player_left", "{where}: {who} has left the event.")

_NUMBER = re.compile(r"(?:no|nr|n°|#|player|spieler|joueur|p|選手)?[ .:#]*([0-9]{1,5})(?:\.0*)?")
_NUMBER_AND_NAME = re.compile(r"#?([0-9]{1,5})[.):\s–-]+(\D.*)|(\D.*?)\s*[(#]\s*([0-9]{1,5})\s*\)?", re.DOTALL)
_CUT_OFF = 0.75
_MAX_SUGGESTIONS = 100  # different texts; a wrong file has thousands


@dataclass(frozen=True, slots=True)
class NameMatch:
    """Who is meant: the number of the list, or a problem; `guess` is who may be meant instead."""

    number: int | None = None
    problem: Problem | None = None
    guess: int | None = None


@dataclass(slots=True)
class People:
    """The players of an event, looked up by number and by name. `from_zero`: the file counts them from 0."""

    entrants: Sequence[Entrant]
    from_zero: bool = False
    by_number: dict[int, Entrant] = field(default_factory=dict)
    by_name: dict[str, list[Entrant]] = field(default_factory=dict)
    by_key: dict[str, set[int]] = field(default_factory=dict)
    guesses: dict[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for entrant in self.entrants:
            self.by_number[entrant.number] = entrant
            self.by_name.setdefault(entrant.name.casefold(), []).append(entrant)
            for key in same_name_keys(entrant.name):
                self.by_key.setdefault(key, set()).add(entrant.number)

    def text(self, number: int) -> str:
        """Return a player's name and number."""
        return self.by_number[number].text

    def find(self, where: str, text: str, beside: str = "") -> NameMatch:
        """Find who the text of the cell `where` means; a number in it or `beside` a name must be that player's."""
        number, name = _split(text)
        if not number and not name:
            return NameMatch(problem=SCHEDULE_NOBODY(where=where))
        found = self._by_name(where, name) if name else self._by_number(where, number)
        stated = beside or (number if name else "")
        if found.number is None or not stated:
            return found
        said = read_number(stated)
        if said is None or self._shifted(said) == found.number:
            return found
        who = self.text(found.number)
        problem = SCHEDULE_NUMBER_OF_ANOTHER(where=where, given=said, who=who)
        return NameMatch(problem=problem, guess=found.number)

    def _shifted(self, number: int) -> int | None:
        """Return the number of the list: that many from the front where a file counts from 0."""
        if not self.from_zero:
            return number
        numbers = [entrant.number for entrant in self.entrants if not entrant.left]
        return numbers[number] if number < len(numbers) else None

    def _by_number(self, where: str, text: str) -> NameMatch:
        given = int(text)
        entrant = self.by_number.get(self._shifted(given) or 0)
        if entrant is None:
            last = max(self.by_number, default=0) - self.from_zero
            return NameMatch(problem=SCHEDULE_NO_SUCH_NUMBER(where=where, given=given, last=last))
        return self._unless_left(where, entrant)

    def _by_name(self, where: str, name: str) -> NameMatch:
        exact = self.by_name.get(name.casefold(), [])
        if len(exact) == 1:
            return self._unless_left(where, exact[0])
        alike = set[int]().union(*(self.by_key.get(key, set()) for key in same_name_keys(name)))
        if len(alike) == 1:
            return self._unless_left(where, self.by_number[alike.pop()])
        shown = printable(name)
        if alike:
            numbers = tuple(sorted(alike))
            return NameMatch(problem=SCHEDULE_NAME_OF_SEVERAL(where=where, name=shown, numbers=numbers))
        guess = self._guess(name)
        if guess is None:
            return NameMatch(problem=SCHEDULE_NO_SUCH_NAME(where=where, name=shown))
        meant = self.text(guess)
        return NameMatch(problem=SCHEDULE_NAME_LIKE(where=where, name=shown, suggestion=meant), guess=guess)

    def _unless_left(self, where: str, entrant: Entrant) -> NameMatch:
        if entrant.left:
            return NameMatch(problem=SCHEDULE_PLAYER_LEFT(where=where, who=entrant.text))
        return NameMatch(entrant.number)

    def _guess(self, name: str) -> int | None:
        key = name_key(name)
        if key not in self.guesses:
            if len(self.guesses) == _MAX_SUGGESTIONS or len(key) > 80:
                return None
            alike = difflib.get_close_matches(key, self.by_key, n=1, cutoff=_CUT_OFF)
            self.guesses[key] = min(self.by_key[alike[0]]) if alike else None
        return self.guesses[key]


def read_number(text: str) -> int | None:
    """Read a player's number.

    >>> read_number("12"), read_number("No. 12"), read_number("12.0"), read_number("Ada")
    (12, 12, 12, None)
    """
    found = _NUMBER.fullmatch(fold_cell(text))
    return int(found[1]) if found else None


def _split(text: str) -> tuple[str, str]:
    """Split a text into (number, name), either of which may be empty.

    >>> _split("12"), _split("Ada Moss"), _split("12 Ada Moss"), _split("Ada Moss (12)")
    (('12', ''), ('', 'Ada Moss'), ('12', 'Ada Moss'), ('12', 'Ada Moss'))
    """
    number = read_number(text)
    if number is not None:
        return str(number), ""
    plain = clean_name(text.removeprefix("'"))
    found = _NUMBER_AND_NAME.fullmatch(plain)
    return (found[1] or found[4], clean_name(found[2] or found[3])) if found else ("", plain)


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
