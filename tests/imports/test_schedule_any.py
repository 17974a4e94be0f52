"""Any schedule comes back from any layout as it was; any file at all gets a preview, soon, and never an exception."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from scoring.problems import Problem
from tests.imports.lists import read_schedule
from tests.imports.schedule_files import NAMES, WRITERS, as_csv, as_matrix, players
from tests.processor_time import count_loops
from tournament.imports.schedules import SchedulePreview
from tournament.seating.search.quality import assess
from tournament.text.problems import problem_text

pytestmark = pytest.mark.whole_run

PIECES = st.sampled_from(
    [
        *(
            "Round",
            "Table",
            "East",
            "South",
            "West",
            "North",
            "Seat",
            "Player",
            "Round 1",
            "R2",
            "Runde 3",
            "回戦",
            "卓",
        ),
        *(",", ";", "\t", "\n", "\n", "\n", '"', "=", "'", " ", "\x07", "\u202e", "\ufeff", "{", '{"rounds":[[['),
        *("1", "2", "3", "4", "5E", "2-3", "東", "0", "9999", "٣", "Ada Moss", "Ada Mos", "Birk", "2026-01-02", "bye"),
    ]
)
EXAMPLES = settings().max_examples  # of the profile: 20, and 500 at night
FILENAMES = st.sampled_from(["a.csv", "a.xlsx", "a.xls", "a.xlsm", "a.json", ""])


def workbook(rows: list[list[Any]]) -> bytes:
    """Return rows as the one sheet of a workbook."""
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(file)
    return file.getvalue()


@st.composite
def schedules(draw: st.DrawFn) -> tuple[int, list[list[list[int]]]]:
    """Draw a table size and rounds of whole tables of the same players."""
    size, tables, rounds = draw(st.sampled_from((3, 4))), draw(st.integers(1, 3)), draw(st.integers(1, 5))
    count = size * tables
    orders = [draw(st.permutations(range(1, count + 1))) for _ in range(rounds)]
    return size, [[list(order[at : at + size]) for at in range(0, count, size)] for order in orders]


@given(
    schedules(),
    st.sampled_from(sorted(WRITERS)),
    st.booleans(),
    st.sampled_from(",;\t"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252", "cp932"]),
)
@settings(max_examples=3 * EXAMPLES)
def test_what_is_written_in_any_layout_is_read_back(drawn, layout, by_name, delimiter, codec):
    size, rounds = drawn
    count = size * len(rounds[0])
    data = as_csv(WRITERS[layout](rounds, NAMES if by_name else None), delimiter).encode(codec)
    preview = read_schedule(data, "s.csv", entrants=players(count), table_size=size, planned=len(rounds))
    assert [[list(table) for table in row] for row in preview.rounds] == rounds, preview.all_problems
    assert preview.report == assess([[[one - 1 for one in table] for table in row] for row in rounds], count, size)


@given(schedules(), st.sampled_from(["{t}{e}", "{e}{t}", "{t}-{n}", "{t} {j}"]), st.booleans())
@settings(max_examples=EXAMPLES)
def test_any_matrix_in_a_workbook_is_read_back(drawn, cell, numbered):
    size, rounds = drawn
    data = workbook(as_matrix(rounds, NAMES, cell=cell, numbered=numbered))
    preview = read_schedule(
        data, "s.xlsx", entrants=players(size * len(rounds[0])), table_size=size, planned=len(rounds)
    )
    assert [[list(table) for table in row] for row in preview.rounds] == rounds, preview.all_problems


@given(schedules())
def test_any_json_is_read_back(drawn):
    size, rounds = drawn
    data = json.dumps({"rounds": [[[one - 1 for one in table] for table in row] for row in rounds]}).encode()
    preview = read_schedule(
        data, "s.json", entrants=players(size * len(rounds[0])), table_size=size, planned=len(rounds)
    )
    assert [[list(table) for table in row] for row in preview.rounds] == rounds


@given(schedules(), st.data())
def test_two_players_swapped_for_one_are_never_taken(drawn, data):
    size, rounds = drawn
    count = size * len(rounds[0])
    round_ = data.draw(st.integers(0, len(rounds) - 1))
    one, two = data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=2, unique=True))
    rounds[round_][one // size][one % size] = rounds[round_][two // size][two % size]
    text = as_csv(WRITERS["tables"](rounds, None))
    preview = read_schedule(text.encode(), "s.csv", entrants=players(count), table_size=size, planned=len(rounds))
    assert preview.rounds == ()
    assert "schedule.player_twice" in {problem.code for problem in preview.all_problems}


# ---------------------------------------------------------------- files that are wrong


def check(data: bytes, filename: str) -> SchedulePreview:
    preview = read_schedule(data, filename, entrants=players(8), table_size=4, planned=2)
    if preview.is_sound:
        numbers = [sorted(one for table in row for one in table) for row in preview.rounds]
        assert numbers == [list(range(1, 9))] * len(preview.rounds)
        assert preview.report is not None
    else:
        assert [problem for problem in preview.all_problems if problem.severity == "error"]
    for problem in preview.all_problems:
        assert not problem_text(problem).startswith(problem.code)
    return preview


@given(st.lists(PIECES, max_size=80).map("".join), st.sampled_from(["utf-8", "utf-16", "cp932"]), FILENAMES)
@settings(max_examples=4 * EXAMPLES)
def test_any_text(text, codec, filename):
    check(text.encode(codec, errors="replace"), filename)


@given(st.lists(st.lists(PIECES.filter(lambda piece: piece not in "\n,"), max_size=7), max_size=12))
@settings(max_examples=4 * EXAMPLES)
def test_any_cells(rows):
    check(as_csv(rows).encode(), "s.csv")
    check(as_csv([["Round", "Table", "East", "South", "West", "North"], *rows]).encode(), "s.csv")


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=4)))
def test_any_json(value):
    check(json.dumps({"rounds": value}).encode(), "s.json")


def test_json_nested_without_end():
    assert check(b'{"rounds":' + b"[" * 100_000, "s.json").problems == (Problem("schedule.json_broken", {}),)


def test_thousands_of_names_that_nobody_has_take_no_time():
    rows = [[1, at, *(f"Somebody Else {at} {seat}" for seat in range(4))] for at in range(1, 1200)]
    text = as_csv([["Round", "Table", "East", "South", "West", "North"], *rows])
    preview, loops = count_loops(lambda: check(text.encode(), "s.csv"))
    assert len([problem for problem in preview.all_problems if problem.code == "schedule.no_such_name"]) == 1199 * 4
    assert loops < 600
