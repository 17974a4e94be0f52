"""Problems: what is wrong with an input, as a code `area.what` with parameters.

Each is declared once, as a `ProblemType` beside the function that raises it; `web` translates its sentence.
"""

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Param = int | str | tuple[int, ...] | tuple[str, ...]

# places of a sentence that `web` words from other parameters
DERIVED: Final[Mapping[str, tuple[str, ...]]] = {
    "causes_words": ("causes",),
    "gap_words": ("gap", "deposit"),
    "hand_number": ("hand",),
}
PROBLEM_TYPES: Final[dict[str, "ProblemType"]] = {}  # by code: all that the imported modules declare


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: an error stops the act, a warning needs a reason."""

    code: str
    params: Mapping[str, Param]
    severity: Literal["error", "warning"] = "error"


@dataclass(frozen=True)
class ProblemType:
    """A kind of problem: its published code, its English sentence, and the parameters that the sentence does not show.

    A call makes the problem; it raises TypeError unless it gives exactly the parameters.

    >>> WIN_HAN_ZERO = ProblemType("win.han_zero", "{seat} wins with 0 han; a win needs at least one.")
    >>> WIN_HAN_ZERO(seat=1)
    Problem(code='win.han_zero', params={'seat': 1}, severity='error')
    >>> WIN_HAN_ZERO.warning(fu=30)
    Traceback (most recent call last):
    TypeError: win.han_zero takes seat, not fu
    """

    code: str
    sentence: str
    unshown: tuple[str, ...] = ()
    fields: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Register the code; raises ValueError if it has another declaration."""
        places = [name for _text, name, _spec, _how in string.Formatter().parse(self.sentence) if name]
        fields = {part for name in places for part in DERIVED.get(name, (name,))}
        object.__setattr__(self, "fields", frozenset(fields.union(self.unshown)))
        if PROBLEM_TYPES.setdefault(self.code, self) != self:
            raise ValueError(f"{self.code} is declared twice")

    def __call__(self, **params: Param) -> Problem:
        """Make an error."""
        return Problem(self.code, self._checked(params))

    def warning(self, **params: Param) -> Problem:
        """Make a warning."""
        return Problem(self.code, self._checked(params), "warning")

    def _checked(self, params: dict[str, Param]) -> dict[str, Param]:
        if params.keys() != self.fields:
            raise TypeError(f"{self.code} takes {', '.join(sorted(self.fields))}, not {', '.join(params)}")
        return params


class CommandProblemType(ProblemType):
    """A kind of problem that only commands print, in English."""


class InvalidInput(ValueError):  # noqa: N818  (reads as "raise InvalidInput")
    """Input that cannot be used; `problems` say why."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(problem.code for problem in self.problems))


def printable_excerpt(text: str, most: int = 40) -> str:
    r"""Return foreign text for a message: cut to `most` characters, unprintable ones as `?`.

    >>> printable_excerpt("ron\x00" + "!" * 100, 8)
    'ron?!!!!'
    """
    return "".join("?" if unprintable(character) else character for character in text[:most])


def unprintable(text: str) -> bool:
    r"""Return whether a text holds a control character or a lone surrogate.

    >>> unprintable("a\tb"), unprintable("a\ud800"), unprintable("東")
    (True, True, False)
    """
    return not text.isprintable() and any(ord(each) < 32 or 0xD800 <= ord(each) <= 0xDFFF for each in text)


def errors_of(problems: Iterable[Problem]) -> list[Problem]:
    """Keep the errors."""
    return [problem for problem in problems if problem.severity == "error"]


def warnings_of(problems: Iterable[Problem]) -> list[Problem]:
    """Keep the warnings."""
    return [problem for problem in problems if problem.severity == "warning"]
