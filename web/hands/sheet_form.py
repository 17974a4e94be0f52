"""A table's paper sheet as typed: final scores by seat and the deposits left. Mapped to numbers, not judged."""

from typing import Any

from scoring.problems import InvalidInput, Problem, error
from web.frame.points_form import read_points


def read_sheet(fields: Any, players: int) -> tuple[list[int], int]:
    """Return the typed totals by seat and the points left on the table; raises InvalidInput for what is no number."""
    problems: list[Problem] = []
    totals = [_points(fields.get(f"total-{seat}", ""), f"player {seat + 1}", problems) for seat in range(players)]
    leftover = _points(fields.get("leftover", "") or "0", "deposits left", problems)
    if problems:
        raise InvalidInput(problems)
    return totals, leftover


def _points(text: str, what: str, problems: list[Problem]) -> int:
    points = read_points(text)
    if points is None and not text.strip():
        problems.append(error("sheet.number_missing", what=what))
    elif points is None:
        problems.append(error("sheet.not_a_number", what=what, value=text[:20]))
    return points or 0
