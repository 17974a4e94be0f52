"""A test of a whole table fails where one of its rows would, and names it."""

from pathlib import Path

import pytest

from tests.table_test import SHOWN, tabled


def said(test) -> str:
    with pytest.raises(pytest.fail.Exception) as failed:
        test()
    return str(failed.value)


def test_every_row_is_tried_and_each_that_fails_is_named():
    tried = []

    @tabled("left, right", [(1, 1), (2, 3), ("x", 4), (5, 5), (6, 7)])
    def whole(left, right):
        tried.append(left)
        assert left + 0 == right

    text = said(whole)
    assert tried == [1, 2, "x", 5, 6]
    assert text.startswith("3 of 5 rows failed:\nrow 2: 2, 3\n")
    assert [part in text for part in ("\nrow 3: 'x', 4\n", "TypeError", "\nrow 5: 6, 7\n")] == [True] * 3
    assert "1, 1" not in text
    assert text.count("AssertionError: ") == 2


def test_of_many_failures_all_rows_are_named():
    @tabled("number", range(SHOWN + 5))
    def whole(number):
        assert number == -1

    lines = said(whole).splitlines()
    assert {f"row {number + 1}: {number}" for number in range(SHOWN + 5)} <= set(lines)
    assert sum("AssertionError" in line for line in lines) == SHOWN


@tabled("number", [1, 2])
def test_other_arguments_are_fixtures(tmp_path: Path, number: int):
    assert tmp_path.is_dir()
    assert number in (1, 2)


def test_a_row_cannot_be_skipped():
    @tabled("number", [1])
    def whole(number):
        pytest.skip("not today")

    assert "Skipped: not today" in said(whole)


def test_a_table_that_cannot_be_tried_is_refused():
    with pytest.raises(AssertionError, match="tests nothing"):
        tabled("number", [])
    with pytest.raises(AssertionError):
        tabled("one, two", [(1, 2, 3)])
    with pytest.raises(AssertionError):
        tabled("numbre", [1])(lambda number: None)
