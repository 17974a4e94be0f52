"""Each kind of list with each damage that spreadsheets do to rows: taken, or refused in one way that names it.

Damage to whole files, which is the same for all kinds, is in test_damage.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from openpyxl import Workbook

from scoring.problems import Problem, errors_of
from tests.imports.damaged_files import ENTRANTS, HEAD, LINES, workbook
from tests.imports.lists import read_penalties, read_players, read_schedule
from tests.table_test import tabled
from tournament.imports.results import read_results
from tournament.text.problems import problem_text

pytestmark = pytest.mark.whole_run

Rows = list[list[object]]
Damage = Callable[[Rows], bytes]

LISTS: Mapping[str, list[list[Any]]] = {
    "players": [
        ["Name", "Country", "EMA number"],
        *([each.name, "DEU", f"0500000{each.number}"] for each in ENTRANTS),
    ],
    "results": [list(HEAD), *(list(line) for line in LINES)],
    "seats": [
        ["Round", "Table", "Seat", "Player"],
        *([1, 1, wind, each.name] for wind, each in zip("ESWN", ENTRANTS, strict=True)),
    ],
    "penalties": [["Player", "Reason", "Points"], *([each.name, f"late {each.number}", 1000] for each in ENTRANTS)],
}  # fmt: skip


def read(kind: str, data: bytes, filename: str) -> Sequence[Problem]:
    """Return what one importer says of a file; a sound one brings all four rows, any other none."""
    if kind == "players":
        players = read_players(data, filename)
        assert (len(players.drafts) if players.is_sound else 0) in (0, 4)
        return players.all_problems
    if kind == "results":
        results = read_results(data, filename)
        assert (len(results.players) if results.is_sound else 0) in (0, 4)
        return results.problems
    if kind == "seats":
        seats = read_schedule(data, filename, entrants=ENTRANTS, table_size=4, planned=1)
        assert seats.is_sound is not bool(errors_of(seats.all_problems))
        # who has no seat because of a row is said of the whole file, after the row
        return [*(problem for row in seats.rows for problem in row.problems), *seats.problems]
    penalties = read_penalties(data, filename, entrants=ENTRANTS, rounds=[1])
    assert (len(penalties.drafts) if penalties.is_sound else 0) in (0, 4, 5)
    return [*penalties.problems, *(problem for row in penalties.rows for problem in row.problems)]


def _merged(rows: Rows) -> bytes:
    """Merge the last column over all rows, as who sees the same thing four times does: the first keeps it."""
    last = len(rows[0])

    def merge(book: Workbook) -> None:
        sheet = book.worksheets[0]
        for row in range(3, 6):
            sheet.cell(row, last).value = None
        sheet.merge_cells(start_row=2, start_column=last, end_row=5, end_column=last)

    return workbook(rows, merge)


def _last_is(value: object) -> Damage:
    return lambda rows: workbook([*rows[:-1], [*rows[-1][:-1], value]])


def _as_text(codec: str, sign: str = ";") -> Damage:
    return lambda rows: "\r\n".join(sign.join(map(str, row)) for row in rows).encode(codec)


SAME: Mapping[str, tuple[str, Damage, str]] = {
    "nothing": ("a.xlsx", workbook, ""),
    "empty rows": (
        "a.xlsx", lambda rows: workbook([[], *(line for row in rows for line in (row, [], [None, " "]))]), "",
    ),
    "a title above": ("a.xlsx", lambda rows: workbook([["Spring Open", None, None], [], *rows]), ""),
    "latin letters": ("a.csv", _as_text("cp1252"), ""),
    "utf-16": ("a.csv", _as_text("utf-16"), ""),
    "utf-16 without a mark": ("a.csv", _as_text("utf-16-be"), ""),
    "tabs": ("a.txt", _as_text("utf-8-sig", "\t"), ""),
    "a formula": ("a.xlsx", _last_is("=A1"), "import.formula"),
    "an error value": ("a.xlsx", _last_is("#REF!"), "import.cell_error"),
}  # fmt: skip
OWN: Mapping[str, tuple[Damage, Mapping[str, str]]] = {
    "merged cells": (
        _merged,
        {
            "players": "", "results": "import.number_missing", "seats": "schedule.players_at_table",
            "penalties": "import.number_missing",
        },
    ),
    "a date": (
        _last_is(dt.date(1982, 2, 18)),
        {
            "players": "import.cell_is_date", "results": "import.cell_is_date",
            "seats": "schedule.no_such_name", "penalties": "import.cell_is_date",
        },
    ),
    "a number with a mark": (
        _last_is(30.5),
        {
            "players": "import.ema_number_short", "results": "import.number_unknown",
            "seats": "schedule.no_such_name", "penalties": "import.number_unknown",
        },
    ),
    "headings alone": (
        lambda rows: workbook(rows[:1]),
        {
            "players": "import.no_rows", "results": "import.no_rows", "seats": "schedule.no_seats",
            "penalties": "import.no_rows",
        },
    ),
    "no headings": (
        lambda rows: workbook(rows[1:]),
        {
            "players": "", "results": "import.columns_missing",
            "seats": "schedule.layout_unknown", "penalties": "import.columns_missing",
        },
    ),
    "another row twice": (
        lambda rows: workbook([*rows, rows[-1]]),
        {
            "players": "import.name_twice", "results": "import.seat_twice", "seats": "schedule.seat_twice",
            "penalties": "",
        },
    ),
}  # fmt: skip


def check(kind: str, data: bytes, filename: str, wanted: str) -> None:
    problems = read(kind, data, filename)
    assert [problem.code for problem in errors_of(problems)][:1] == ([wanted] if wanted else [])
    for problem in problems:
        said = problem_text(problem)
        assert problem.code not in said
        assert "{" not in said


@tabled("kind", LISTS)
@tabled("damage", SAME)
def test_damage_that_is_the_same_for_every_list(kind: str, damage: str):
    filename, make, wanted = SAME[damage]
    check(kind, make(LISTS[kind]), filename, wanted)


@tabled("kind", LISTS)
@tabled("damage", OWN)
def test_damage_that_each_list_has_its_own_word_for(kind: str, damage: str):
    make, wanted = OWN[damage]
    check(kind, make(LISTS[kind]), "a.xlsx", wanted[kind])
