"""Problems: what is wrong with an input, as a code `area.what` with parameters. `web` words them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Param = int | str | tuple[int, ...] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: an error stops the act, a warning needs a reason."""

    code: str
    params: Mapping[str, Param]
    severity: Literal["error", "warning"] = "error"


class InvalidInput(ValueError):  # noqa: N818  (reads as "raise InvalidInput")
    """Input that cannot be used; `problems` say why."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(problem.code for problem in self.problems))


def shown(text: str, most: int = 40) -> str:
    r"""Return foreign text for a message: cut to `most` characters, unprintable ones as `?`.

    >>> shown("ron\x00" + "!" * 100, 8)
    'ron?!!!!'
    """
    return "".join("?" if unprintable(character) else character for character in text[:most])


def unprintable(text: str) -> bool:
    r"""Return whether a text holds a control character or a lone surrogate.

    >>> unprintable("a\tb"), unprintable("a\ud800"), unprintable("東")
    (True, True, False)
    """
    return not text.isprintable() and any(ord(each) < 32 or 0xD800 <= ord(each) <= 0xDFFF for each in text)


def error(code: str, **params: Param) -> Problem:
    """Make an error.

    >>> error("win.fu_impossible", fu=37).params["fu"]
    37
    """
    return Problem(code, params)


def warning(code: str, **params: Param) -> Problem:
    """Make a warning."""
    return Problem(code, params, "warning")


def errors_of(problems: Iterable[Problem]) -> list[Problem]:
    """Keep the errors."""
    return [problem for problem in problems if problem.severity == "error"]


def warnings_of(problems: Iterable[Problem]) -> list[Problem]:
    """Keep the warnings."""
    return [problem for problem in problems if problem.severity == "warning"]
