import dataclasses

from scoring.standings import Carried
from tournament.standings.columns import COLUMNS, SHOWN, StandingRow, cells_of, columns_for, json_row
from tournament.text.numbers import Place

ROW = StandingRow(2, True, 7, "Ada Moss", 26300, 2, 8000, (34300, None), tie_break="first_places")


def test_json_has_the_keys_of_the_contract_in_order():
    assert list(json_row(ROW).items()) == [
        ("rank", 2), ("player", "Ada Moss"), ("total", 26300), ("games", 2), ("penalties", 8000),
        ("results", [34300, None]), ("tie_break", "first_places"),
    ]  # fmt: skip


def test_each_output_shows_columns_that_there_are_and_none_twice():
    for keys in SHOWN.values():
        assert set(keys) <= set(COLUMNS)
        assert len(keys) == len(set(keys))


def test_a_column_by_round_has_a_cell_for_each_round_that_is_asked_for():
    columns = columns_for("text", [ROW], (1, 3))
    assert [column.title() for column in columns if column.by_round] == ["Round 1", "Round 3"]
    assert [value for _column, value in cells_of(ROW, columns)] == [
        Place(2, shared=True), "Ada Moss", 26300, 34300, None, 8000, "first_places",
    ]  # fmt: skip


def test_an_optional_column_is_there_where_a_row_has_a_value():
    carried = dataclasses.replace(ROW, carried=(Carried(1, 100, 200),))
    assert [[column.key for column in columns_for("xlsx", rows)][-1] for rows in ([ROW], [ROW, carried])] == [
        "penalties", "carried",
    ]  # fmt: skip


def test_pages_leave_penalties_out_where_nobody_has_one():
    free = dataclasses.replace(ROW, penalties=0)
    assert [[column.key for column in columns_for("screen", rows, (1,))] for rows in ([ROW], [free])] == [
        ["rank", "player", "total", "penalties", "results"], ["rank", "player", "total", "results"],
    ]  # fmt: skip
