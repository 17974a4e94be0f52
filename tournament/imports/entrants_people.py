"""Find the player that a cell of a file means: by the number in the event's list, by name, or by both.

A name must match one player; a near miss is only suggested.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.problems import Problem, ProblemType
from tournament.imports.entrants_schedule_cells import fold_cell
from tournament.text.names_1 import clean_name, name_key, printable, same_name_keys

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
_MOST_SUGGESTIONS = 100  # different texts; a wrong file has thousands


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the event, as the list has them; who has left cannot be seated."""

    number: int
    name: str
    left: bool = False

    @property
    def text(self) -> str:
        return f"{self.name} ({self.number})"


@dataclass(frozen=True, slots=True)
class Found:
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

    def find(self, where: str, text: str, beside: str = "") -> Found:
        """Find who the text of the cell `where` means; a number in it or `beside` a name must be that player's."""
        number, name = _split(text)
        if not number and not name:
            return Found(problem=SCHEDULE_NOBODY(where=where))
        found = self._by_name(where, name) if name else self._by_number(where, number)
        stated = beside or (number if name else "")
        if found.number is None or not stated:
            return found
        said = read_number(stated)
        if said is None or self._shifted(said) == found.number:
            return found
        who = self.text(found.number)
        problem = SCHEDULE_NUMBER_OF_ANOTHER(where=where, given=said, who=who)
        return Found(problem=problem, guess=found.number)

    def _shifted(self, number: int) -> int | None:
        """Return the number of the list: that many from the front where a file counts from 0."""
        if not self.from_zero:
            return number
        numbers = [entrant.number for entrant in self.entrants if not entrant.left]
        return numbers[number] if number < len(numbers) else None

    def _by_number(self, where: str, text: str) -> Found:
        given = int(text)
        entrant = self.by_number.get(self._shifted(given) or 0)
        if entrant is None:
            last = max(self.by_number, default=0) - self.from_zero
            return Found(problem=SCHEDULE_NO_SUCH_NUMBER(where=where, given=given, last=last))
        return self._unless_left(where, entrant)

    def _by_name(self, where: str, name: str) -> Found:
        exact = self.by_name.get(name.casefold(), [])
        if len(exact) == 1:
            return self._unless_left(where, exact[0])
        alike = set[int]().union(*(self.by_key.get(key, set()) for key in same_name_keys(name)))
        if len(alike) == 1:
            return self._unless_left(where, self.by_number[alike.pop()])
        shown = printable(name)
        if alike:
            numbers = tuple(sorted(alike))
            return Found(problem=SCHEDULE_NAME_OF_SEVERAL(where=where, name=shown, numbers=numbers))
        guess = self._guess(name)
        if guess is None:
            return Found(problem=SCHEDULE_NO_SUCH_NAME(where=where, name=shown))
        meant = self.text(guess)
        return Found(problem=SCHEDULE_NAME_LIKE(where=where, name=shown, suggestion=meant), guess=guess)

    def _unless_left(self, where: str, entrant: Entrant) -> Found:
        if entrant.left:
            return Found(problem=SCHEDULE_PLAYER_LEFT(where=where, who=entrant.text))
        return Found(entrant.number)

    def _guess(self, name: str) -> int | None:
        key = name_key(name)
        if key not in self.guesses:
            if len(self.guesses) == _MOST_SUGGESTIONS or len(key) > 80:
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
