"""The check of where text stands can fail: a sheet broken in each of its ways is found out."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.paper.boxes import cut_off, leaving_column, leaving_page, overlapping
from tournament.pdf.render import load_weasyprint

SHEET = "<style>@page{size:400px;margin:0}*{margin:0;padding:0}p,div{position:absolute;left:0;top:0}</style>"


def page_of(inside: str) -> Any:
    (page,) = load_weasyprint().HTML(string=SHEET + inside).render().pages
    return page


def faults(inside: str) -> list[Sequence[object]]:
    page = page_of(inside)
    return [leaving_page(page), cut_off(page), leaving_column(page), overlapping([page])]


def test_a_sheet_that_is_right_has_no_fault() -> None:
    table = "<table><tr><td>Ito</td><td>Berg</td></tr></table>"
    apart = '<p style="top:100px">Sato</p><div style="top:200px;width:90px;height:40px;overflow:hidden">whole</div>'
    assert faults(table + apart) == [[], [], [], []]


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ('<p style="left:380px;white-space:nowrap">too far right</p>', [["too far right"], [], [], []]),
        ('<p style="top:395px">below</p>', [["below"], [], [], []]),
        ('<p style="left:-5px">left</p>', [["left"], [], [], []]),
        ('<div style="width:60px;height:8px;overflow:hidden">hidden</div>', [[], ["hidden"], [], []]),
        ('<div style="width:9px;height:40px;overflow:hidden">sideways</div>', [[], ["sideways"], [], []]),
        (
            '<table style="table-layout:fixed;width:100px"><tr><td>Bartholomew</td><td></td></tr></table>',
            [[], [], ["Bartholomew"], []],
        ),
        ("<p>one</p><p>two</p>", [[], [], [], [("one", "two")]]),
        ("<table><tr><td>cell</td></tr></table><p>two</p>", [[], [], [], [("cell", "two")]]),
        (
            # only the turning brings it under the other: from the foot of the square to its head
            '<div style="inset:0;transform:rotate(180deg)"><p style="inset:auto 0 0 auto">x</p></div><p>y</p>',
            [[], [], [], [("x", "y")]],
        ),
    ],
)
def test_a_broken_sheet_is_found_out(inside: str, found: list[list[object]]) -> None:
    assert faults(inside) == found


def test_pages_are_laid_one_over_another() -> None:
    form, page = page_of("<p>form</p>"), page_of("<p>word</p>")
    assert overlapping([form, page]) == [("form", "word")]
    assert overlapping([form]) == overlapping([page]) == []
