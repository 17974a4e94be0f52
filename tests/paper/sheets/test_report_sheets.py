from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils.translation import gettext, override, pgettext

from tests.paper.boxes import pieces_of
from tests.paper.conftest import Paper, lay_out
from tests.paper.samples import make_head, make_rounds, name_of
from tests.paper.sheets.test_every_sheet import LANGUAGES
from tournament.paper.sheets import SEAT_NAME, report_leaves, report_values
from tournament.pdf.measure import fit
from tournament.pdf.render import print_leaves
from tournament.tables.rows import RoundRow
from tournament.text.numbers import WINDS


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_each_page_is_one_table_with_its_own_players_and_no_others(
    size: int, papers: Callable[[str, int], Paper]
) -> None:
    texts = [squeezed(text) for text in papers("report", size).texts]
    tables = make_rounds(size)[0].tables
    for text, table in zip(texts, tables, strict=True):
        here = {seat.number for seat in table.seats}
        labels = {n: squeezed(f"{name_of(n)} No. {n}") for n in range(1, size * len(tables) + 1)}
        assert {n for n, label in labels.items() if label in text} >= here
        assert not {n for n, label in labels.items() if label in text and n not in here}


def test_players_stand_on_the_line_of_their_seat(size: int) -> None:
    played = make_rounds(size)[0]
    shuffled = replace(played, tables=tuple(replace(t, seats=t.seats[::-1]) for t in played.tables))
    sheets = report_values(make_head(size), shuffled)["sheets"]
    for page, (table, sheet) in enumerate(zip(played.tables, sheets, strict=True), start=1):
        assert sheet == {
            "number": table.number,
            "page": page,
            "lines": [(seat.name, fit(seat.name, SEAT_NAME), seat.number) for seat in table.seats],
            "code": "",
        }


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("kind", ["report", "totals"])
def test_a_name_has_just_the_row_of_its_seat_in_every_language(kind: str, language: str, size: int) -> None:
    """The form and the names are laid out apart: a heading of one more line would move the form alone.

    The boxes of names begin 36 mm from the left, 136 CSS pixels.
    """
    with override(language):
        pages = lay_out(kind, size, "a4").pages
    pieces = [piece for page in pages for piece in pieces_of(page)]
    signs = {wind.sign for wind in WINDS}
    rows = {(piece.cell.top, piece.cell.bottom) for piece in pieces if piece.cell and piece.text.strip() in signs}
    boxes = {box for piece in pieces if not piece.cell for box in piece.windows if abs(box.left - 136) < 2}
    windows = [(box.top, box.bottom) for box in boxes]
    assert len(windows) >= size
    for top, bottom in windows:
        assert any(abs(top - row[0]) + abs(bottom - row[1]) < 3 for row in rows), (top, bottom, sorted(rows))


def test_a_seat_that_nobody_has_leaves_its_line_empty() -> None:
    played = make_rounds(4)[0]
    table = replace(played.tables[0], seats=played.tables[0].seats[:1] + played.tables[0].seats[2:])
    (sheet,) = report_values(make_head(4), replace(played, tables=(table,)))["sheets"]
    assert [line and line[2] for line in sheet["lines"]] == [
        table.seats[0].number,
        None,
        table.seats[1].number,
        table.seats[2].number,
    ]


@pytest.mark.parametrize(
    ("size", "start", "total", "less"),
    [
        (4, 30000, "120,000", ["119,000", "118,000", "117,000", "116,000"]),
        (3, 30000, "90,000", ["89,000", "88,000", "87,000", "86,000"]),
        (3, 35000, "105,000", ["104,000", "103,000", "102,000", "101,000"]),
        (4, 25000, "100,000", ["99,000", "98,000", "97,000", "96,000"]),
    ],
)
def test_the_check_line_follows_from_players_and_start(size: int, start: int, total: str, less: list[str]) -> None:
    values = report_values(replace(make_head(size), start_points=start), make_rounds(size)[0])
    assert values["must_be"] == total
    assert values["less_deposits"] == "; ".join(f"{left} left: {rest}" for left, rest in enumerate(less, start=1))


def test_a_sheet_has_a_signature_and_a_running_total_for_each_seat(
    size: int, papers: Callable[[str, int], Paper]
) -> None:
    text = papers("report", size).texts[0]
    used, unused = WINDS[:size], WINDS[size:]
    assert [f"{wind.sign} {wind.letter} signature" in text for wind in used] == [True] * size
    assert [f"{wind.letter} signature" in text for wind in unused] == [False] * (4 - size)
    assert text.count("from 30,000") == size


def test_a_round_without_tables_is_an_error_in_words() -> None:
    with pytest.raises(ValueError, match="at least one page"):
        report_leaves(make_head(4), RoundRow(1, ()))


def test_the_form_is_stored_once_however_many_sheets_there_are() -> None:
    head = make_head(4)
    two, six = (print_leaves(report_leaves(head, make_rounds(4, tables=count)[0]), head).pdf for count in (2, 6))
    assert (len(six) - len(two)) / 4 < 1500


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_legend_speaks_of_a_hands_winner_and_loser_as_the_columns_do(language: str) -> None:
    with override(language):
        heads = [pgettext("of a hand", "Winner"), gettext("Loser")]
        pieces = pieces_of(lay_out("report", 4, "a4").pages[0])
    words = [piece.text.strip().casefold() for piece in pieces]
    legend = next(word for word in words if heads[0].casefold() in word and len(word) > 20)
    for head in heads:
        assert head.casefold() in words
        assert head.casefold() in legend
