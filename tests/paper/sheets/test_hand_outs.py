"""Hand-outs by every book, in every language, on both papers: one page each, and every text has its place."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from rules.books import book_keys, load
from tests.paper.boxes import cut_off, leaving_column, leaving_page, overlapping, pieces_of
from tests.paper.conftest import lay_leaves_out
from tests.paper.every_kind import stick_sets
from tests.paper.samples import make_head
from tournament.paper.handouts import markers_leaves, pocket_cards_leaves, sticks_leaves, values_leaves, yaku_leaves
from tournament.pdf.render import Leaves
from tournament.text.values import ValueSheet, value_sheet, yaku_sheet

PAPERS, LANGUAGES = ("a4", "letter"), ("en", "ja", "de", "fr")
HARDEST = [("sanmatsuri-2026", "de", "letter"), ("tenhou-sanma", "fr", "letter"), ("ema-2025", "ja", "a4")]


def test_hand_outs_are_a_page_each(pytestconfig: pytest.Config) -> None:
    """Lay out the hardest or the next hardest, by the run's random seed; the nightly run lays out all."""
    assert_all_fit(*HARDEST[pytestconfig.getoption("randomly_seed", 0) % len(HARDEST)])


@pytest.mark.nightly
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", book_keys())
def test_hand_outs_of_every_book_in_every_language(key: str, language: str, paper: str) -> None:
    assert_all_fit(key, language, paper)


@pytest.mark.parametrize("make", [values_leaves, pocket_cards_leaves])
def test_figures_of_a_column_end_at_one_line(make: Callable[[ValueSheet], Leaves]) -> None:
    sheet = value_sheet(load("tenhou-sanma"))
    cells = [cell for block in sheet.blocks for _fu, row in block.rows for cell in row if not cell.limit]
    figures = {text for cell in cells for text in (cell.ron, cell.tsumo)}
    ends: dict[float, set[float]] = {}
    for piece in pieces_of(laid_out(make(sheet), "tenhou-sanma", "a4")):
        if piece.text in figures and piece.cell:
            ends.setdefault(round(piece.cell.left), set()).add(round(piece.box.right))
    assert len(ends) >= 2 * len(sheet.hans)
    assert {len(each) for each in ends.values()} == {1}


def assert_all_fit(key: str, language: str, paper: str) -> None:
    rules = load(key)
    head = replace(make_head(rules.players), start_points=rules.start_points, paper=paper)
    with override(language):
        for leaves in (
            values_leaves(value_sheet(rules)),
            pocket_cards_leaves(value_sheet(rules)),
            yaku_leaves(yaku_sheet(rules)),
            sticks_leaves(head, stick_sets(rules.start_points), 12),
            markers_leaves(head, rules.rounds + rules.extra_rounds),
        ):
            page = laid_out(leaves, key, paper)
            found = (leaving_page(page), cut_off(page), leaving_column(page), overlapping([page]))
            assert (leaves.page, *found) == (leaves.page, [], [], [], [])


def laid_out(leaves: Leaves, key: str, paper: str) -> Any:
    """Lay out as it is printed, and return the one page."""
    head = replace(make_head(load(key).players), paper=paper)
    for portion in leaves.portions:
        layout = lay_leaves_out(replace(leaves, portions=(portion,)), head)
        assert layout.complaints == ()
        if len(layout.pages) == 1:
            return layout.pages[0]
    raise AssertionError(f"{leaves.page} takes more than a page")
