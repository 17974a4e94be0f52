"""The points of all seats are one text in the log: they stand in columns nevertheless."""

from itertools import pairwise

import pytest
from django.utils.translation import override

from tests.paper.boxes import Piece, pieces_of
from tests.paper.every_kind import AT
from tests.paper.samples import make_head
from tournament.paper.event_log import event_log_leaves
from tournament.pdf.render import render_document
from tournament.tables.rows import LogHand, LogRound, LogTable
from tournament.text.numbers import points, signed

POINTS = ((120_000, -12_000, 25_000, 111_100), (0, 8_000, -500, 0), (-99_900, 0, 300, -1_000), (1_100, -300, 0, 7_700))
TAB = 72  # CSS pixels: static/paper/paper-cut.css


@pytest.mark.parametrize("language", ["en-gb", "de", "fr"])
@pytest.mark.parametrize("size", [3, 4])
def test_points_of_each_seat_end_where_its_head_ends(size: int, language: str):
    with override(language):
        pieces = log_of(size)
        wanted = [tuple(map(write, row[:size])) for row in POINTS for write in (points, signed)]
    lines = [piece for piece in pieces if "\t" in piece.text]
    heads = [piece for piece in pieces if is_end_of_head(piece, lines[0])]
    assert [tuple(text.strip() for text in line.text.split("\t")) for line in lines] == wanted
    assert [after.box.right - head.box.right for head, after in pairwise(heads)] == [pytest.approx(TAB, abs=0.1)] * (
        size - 1
    )
    assert [line.box.right for line in lines] == [pytest.approx(heads[-1].box.right, abs=1)] * len(lines)


def log_of(size: int) -> list[Piece]:
    """Lay out a table whose hands have these points as scores and as changes."""
    rows = [row[:size] for row in POINTS]
    hands = tuple(LogHand(number, "East 1", "Draw", "", "Referee", AT, row, row) for number, row in enumerate(rows, 1))
    head = make_head(size)
    leaves = event_log_leaves(head, [LogRound(1, (LogTable(1, tuple("ABCD"[:size]), hands),))])
    (page,) = render_document("event_log", leaves.portions[0], head).pages
    return pieces_of(page)


def is_end_of_head(piece: Piece, first_line: Piece) -> bool:
    """Whether a text is the letter of a wind above the points."""
    above = 0 < first_line.box.top - piece.box.top < 20
    return above and piece.box.left > first_line.box.left and len(piece.text.strip()) == 1 and piece.text[0] == " "
