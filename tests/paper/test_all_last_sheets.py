import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from tests.paper.boxes import cut_off, pieces_of
from tests.paper.conftest import Paper, lay_leaves_out
from tests.paper.every_kind import filled_sheets
from tests.paper.samples import make_head, make_rounds
from tournament.paper.all_last import all_last_leaves, cut_pairs, filled_all_last_leaves
from tournament.tables.rows import TableRow
from tournament.text.numbers import WINDS


@given(st.integers(0, 130))
def test_a_pile_cut_once_is_in_table_order(tables: int) -> None:
    rows = tuple(TableRow(number, ()) for number in range(1, tables + 1))
    pages = cut_pairs(rows)
    uppers = [pair[0] for pair in pages]
    lowers = [pair[1] for pair in pages if len(pair) == 2]
    assert tuple(uppers + lowers) == rows
    assert len(pages) == -(-tables // 2)


def test_seats_run_anticlockwise_from_the_first_east_at_the_bottom(size: int) -> None:
    (values,) = all_last_leaves(make_head(size), make_rounds(size)[0]).portions
    assert values["quarters"] == list(zip(("bottom", "right", "top", "left")[:size], WINDS[:size], strict=True))
    assert values["empty_sides"] == ("left",) * (4 - size)


def test_a_filled_sheet_has_the_winds_that_its_players_have_in_this_hand(size: int) -> None:
    sheet, *_ = filled_sheets(size)
    (values,) = filled_all_last_leaves(make_head(size), [sheet]).portions
    page = values["sheets"][0]
    above = {(score, wind.sign) for _side, wind, score in page["quarters"]}
    assert above == {(score, sign) for row in page["rows"] for sign, _seat, score, _letters in row}
    assert len(above) == size


@pytest.mark.parametrize(("language", "paper"), [("de", "a4"), ("fr", "letter"), ("ja", "a4")])
def test_a_filled_sheet_says_what_each_player_needs_however_long_it_is(language: str, paper: str) -> None:
    head, sheets = replace(make_head(4), paper=paper), filled_sheets(4)[:1]
    with override(language):
        (page,) = lay_leaves_out(filled_all_last_leaves(head, sheets), head).pages
    said = "".join("".join(piece.text.split()) for piece in pieces_of(page))
    assert ["".join(seat.name.split()) in said for seat in sheets[0].seats] == [True] * 4
    assert said.count("haneman") == sum(len(goal.lines) > 0 for seat in sheets[0].seats for goal in seat.goals)
    assert cut_off(page) == []


def test_each_sheet_says_round_and_table_twice_and_its_winds(size: int, papers: Callable[[str, int], Paper]) -> None:
    first, second = papers("all-last", size).texts
    assert [re.findall(r"^(\d+)$", text, re.MULTILINE).count("1") >= 2 for text in (first, second)] == [True, True]
    for wind in WINDS:
        assert first.count(wind.word) == (2 if wind in WINDS[:size] else 0)


@pytest.mark.parametrize(("size", "total"), [(3, "90,000"), (4, "120,000")])
def test_the_sum_to_check_is_printed(size: int, total: str, papers: Callable[[str, int], Paper]) -> None:
    assert papers("all-last", size).texts[0].count(f"totals, sum {total}") == 2


def test_with_three_players_the_fourth_quarter_is_for_notes(papers: Callable[[str, int], Paper]) -> None:
    assert [papers("all-last", size).texts[0].count("nobody sits here") for size in (3, 4)] == [2, 0]
