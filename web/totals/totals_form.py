"""A paper sheet as typed: counts or differences, loans, deposits left; to numbers, or to which field cannot be read.

One reading for all: whole points, or thousands with one decimal. It judges no sum.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from scoring.paper_sheet import Numbers, PaperSheet
from scoring.problems import InvalidInput, Problem, error, shown
from web.frame.points_form import POINTS_OF_P, read_points

_DECIMAL = re.compile(r"(?P<sign>[-+]?)(?P<whole>[0-9]{1,3})[.,](?P<tenth>[0-9])")
MOST_TYPED = 12


@dataclass(frozen=True, slots=True)
class TypedFields:
    """What was typed, as text by seat; `numbers` is what the page expected when it was typed."""

    counts: tuple[str, ...]
    loans: tuple[str, ...]
    leftover: str
    numbers: Numbers
    reason: str
    client_id: str
    again: bool

    @property
    def missing(self) -> list[int]:
        """List the seats whose number is still to be typed."""
        return [seat for seat, text in enumerate(self.counts) if not text.strip()]


def typed_fields(fields: Any, players: int, numbers: str) -> TypedFields:
    """Take the fields as they were sent; `numbers` is what the event expects where the page does not say."""
    expected = fields.get("numbers", numbers)
    return TypedFields(
        counts=tuple(fields.get(f"count-{seat}", "")[:MOST_TYPED] for seat in range(players)),
        loans=tuple(fields.get(f"loan-{seat}", "")[:MOST_TYPED] for seat in range(players)),
        leftover=fields.get("leftover", "")[:MOST_TYPED],
        numbers=cast("Numbers", expected if expected in ("totals", "differences") else numbers),
        reason=fields.get("reason", "").strip()[:500],
        client_id=fields.get("client_id", ""),
        again=bool(fields.get("again")),
    )


def read_score(text: str) -> int | None:
    """Read whole points, or thousands with one decimal; None for anything else.

    >>> [read_score(text) for text in ("45200", "45,200", "45.2", "+15,2", "−3.4", "452", "45.20", "45 2")]
    [45200, 45200, 45200, 15200, -3400, 452, None, None]
    """
    plain = text.strip().replace("−", "-")
    match = _DECIMAL.fullmatch(plain)
    if match is None:
        return read_points(plain)
    points = int(match["whole"]) * POINTS_OF_P + int(match["tenth"]) * (POINTS_OF_P // 10)
    return -points if match["sign"] == "-" else points


def read_sheet(typed: TypedFields) -> tuple[PaperSheet | None, list[Problem]]:
    """Return the sheet, None where a number is missing or cannot be read, and what is wrong with which field."""
    problems = [*_signs(typed)]
    counts = [_read(text, seat, problems) for seat, text in enumerate(typed.counts)]
    loans = [_read(text or "0", seat, problems) for seat, text in enumerate(typed.loans)]
    leftover = read_score(typed.leftover or "0")
    if leftover is None:
        problems.append(error("totals.leftover_unreadable", value=shown(typed.leftover, MOST_TYPED)))
    if problems or typed.missing or leftover is None:
        return None, problems
    return PaperSheet(_whole(counts), _whole(loans), leftover, typed.numbers), []


def whole_sheet(typed: TypedFields) -> PaperSheet:
    """Return a sheet that was sent; raises InvalidInput with each field that is missing or cannot be read."""
    sheet, problems = read_sheet(typed)
    if sheet is None:
        raise InvalidInput([*problems, *(error("totals.number_missing", seat=seat) for seat in typed.missing)])
    return sheet


def _signs(typed: TypedFields) -> list[Problem]:
    if typed.numbers == "differences":
        return []
    return [
        error("totals.plus_sign", seat=seat, value=shown(text.strip(), MOST_TYPED))
        for seat, text in enumerate(typed.counts)
        if text.strip().startswith("+")
    ]


def _read(text: str, seat: int, problems: list[Problem]) -> int | None:
    if not text.strip():
        return None
    points = read_score(text)
    if points is None:
        problems.append(error("totals.not_a_number", seat=seat, value=shown(text.strip(), MOST_TYPED)))
    return points


def _whole(numbers: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(number or 0 for number in numbers)
