"""A table's paper sheet as typed: final scores by seat and the deposits left. Mapped to numbers, not judged."""

from typing import Any

from scoring.problems import InvalidInput, Problem, error

MOST_DIGITS = 7


def read_sheet(fields: Any, players: int) -> tuple[list[int], int]:
    """Return the typed totals by seat and the points left on the table; raises InvalidInput for what is no number."""
    problems: list[Problem] = []
    totals = [_points(fields.get(f"total-{seat}", ""), f"player {seat + 1}", problems) for seat in range(players)]
    leftover = _points(fields.get("leftover", "") or "0", "deposits left", problems)
    if problems:
        raise InvalidInput(problems)
    return totals, leftover


def _points(text: str, what: str, problems: list[Problem]) -> int:
    """Read 30,000, 30 000, −1200 or +500 as points."""
    plain = "".join(text.split()).replace("−", "-").replace(",", "").replace("'", "").replace(".", "")
    digits = plain.lstrip("+-")
    if not digits or not digits.isdigit() or not digits.isascii() or len(digits) > MOST_DIGITS or len(plain) - len(digits) > 1:
        problems.append(error("sheet.number_missing" if not plain else "sheet.not_a_number", what=what, value=text[:20]))
        return 0
    return int(plain)
