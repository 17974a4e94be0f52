from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.paper.conftest import Paper, page_texts
from tests.paper.samples import make_head, make_standings
from tournament.paper.sheets import standings_leaves
from tournament.pdf.render import print_leaves
from tournament.standings.columns import SHOWN, StandingRow
from tournament.tables.rows import EventHead

LINE = StandingRow(2, True, 1, "Ada Moss", -31333, 2, 8000, (-15000, None, -8333))


def print_standings(head: EventHead, rows: Sequence[StandingRow]) -> bytes:
    return print_leaves(standings_leaves(head, rows, head.rounds if rows else 0), head).pdf


def lines_of(*rows: StandingRow) -> list[dict[str, Any]]:
    (values,) = standings_leaves(make_head(4), rows, 3).portions
    return list(values["lines"])


def test_a_line_is_written_with_its_signs_and_loses_no_digit() -> None:
    (line,) = lines_of(LINE)
    assert [(key, text) for key, _kind, text in line["cells"]] == [
        ("rank", "=2"), ("player", "Ada Moss"), ("total", "−31.333"), ("penalties", "−8.0"),
        ("results", "−15.0"), ("results", "–"), ("results", "−8.333"),
    ]  # fmt: skip
    assert (line["letters"], line["carried"]) == ("9pt", "")


def test_the_list_has_the_columns_that_are_declared_for_paper() -> None:
    (values,) = standings_leaves(make_head(4), [LINE], 3).portions
    assert [key for key, _kind, _title in values["columns"]] == [*SHOWN["paper"], "results", "results"]
    assert [title for _key, _kind, title in values["columns"]] == [
        "Rank", "Name", "Total", "Penalties", "R1", "R2", "R3",
    ]  # fmt: skip


def test_a_player_without_penalties_has_none_printed() -> None:
    (line,) = lines_of(StandingRow(1, False, 2, "Ada Moss", 0, 1, 0, (0,)))
    assert [text for *_key, text in line["cells"]][2:] == ["0.0", "", "0.0"]


def test_rows_keep_the_order_in_which_they_were_ranked() -> None:
    rows = make_standings(9)[::-1]
    assert [line["cells"][1][2] for line in lines_of(*rows)] == [row.name for row in rows]


def test_every_page_repeats_the_head_of_the_table(papers: Callable[[str, int], Paper]) -> None:
    for text in papers("standings", 4).texts:
        assert text.count("Standings") == 1
        assert "Rank" in text
        assert "Penalties" in text
        assert "After round 3 of 3" in text


@pytest.mark.parametrize("rounds", [1, 6, 7, 9, 10, 14])
def test_lists_of_any_number_of_rounds_keep_every_result_on_one_line(rounds: int) -> None:
    rows = make_standings(5, rounds=rounds)
    data = print_standings(make_head(4, rounds=rounds), rows)
    words = " ".join(page_texts(data)).split()
    figures = [points for row in rows for points in (*row.results, row.total)]
    assert words.count("+112.9") == figures.count(112900)
    assert words.count("+12.333") == figures.count(12333)
    assert words.count("−92.9") == figures.count(-92900)


def test_before_the_first_round_there_is_a_list_that_says_so() -> None:
    data = print_standings(make_head(3), [])
    (text,) = page_texts(data)
    assert "Before round 1" in text
    assert "No results yet." in text
