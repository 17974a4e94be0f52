"""What holds for every kind of sheet, with three and with four players, with the longest and oddest names."""

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from tests.tournament.sheets.boxes import cut_off, leaving_column, leaving_page, overlapping
from tests.tournament.sheets.conftest import Paper
from tests.tournament.sheets.every_kind import FORMS, KINDS, leaves_of
from tests.tournament.sheets.samples import EVENT, make_head, make_rounds, make_standings, name_of
from tournament.sheets.alllast import all_last_pdf
from tournament.sheets.render import render_document
from tournament.sheets.report import report_sheets_pdf
from tournament.sheets.seating import seating_pdf
from tournament.sheets.standings import standings_pdf

PAGES = {
    "seating": 2, "poster": 1, "report": 3, "totals": 2, "all-last": 2, "filled": 2, "cards": 2, "badges": 2,
    "tents": 2, "penalty-slips": 1, "call-slip": 3, "fouls": 1, "penalties": 1, "standings": 2, "results": 2,
    "certificates": 3, "log": 3,
}  # fmt: skip
FEWER = {("cards", 3): 1, ("badges", 3): 1}
A4, A5 = {(595, 842), (842, 595)}, {(420, 595)}
LETTER, HALF_LETTER = {(612, 792), (792, 612)}, {(396, 612)}


def squeezed(text: str) -> str:
    """Text without the breaks that setting put in."""
    return re.sub(r"\s", "", text)


def test_there_are_as_many_pages_as_expected(paper: Paper) -> None:
    assert len(paper.pdf.pages) == FEWER.get((paper.kind, paper.size), PAGES[paper.kind])


def test_pages_are_a4_and_slips_half_of_it(paper: Paper) -> None:
    sizes = {(round(page.mediabox.width), round(page.mediabox.height)) for page in paper.pdf.pages}
    assert sizes <= (A5 if paper.kind == "call-slip" else A4)


def test_every_page_names_event_and_time_of_printing(paper: Paper) -> None:
    for text in paper.texts:
        assert EVENT in text
        assert "Printed 9 May 2031, 09:41" in " ".join(text.split())


def test_every_page_says_which_of_how_many_it_is(paper: Paper) -> None:
    last = len(paper.pdf.pages)
    found = [set(re.findall(r"page (\d+) of (\d+)", text)) for text in paper.texts]
    if paper.kind == "results":  # counted by round, which stands beside
        assert [
            (pages, f"Round {n}, page" in text)
            for n, (pages, text) in enumerate(zip(found, paper.texts, strict=True), 1)
        ] == [({("1", "1")}, True)] * last
        return
    assert found == [{(str(n), str(last))} for n in range(1, last + 1)]


def fonts_of(resources: Any) -> Iterator[Any]:
    for font in resources.get("/Font", {}).values():
        yield font.get_object()["/DescendantFonts"][0].get_object()
    for inner in resources.get("/XObject", {}).values():
        yield from fonts_of(inner.get_object().get("/Resources", DictionaryObject()).get_object())


def test_every_font_is_embedded_and_is_one_of_ours(paper: Paper) -> None:
    for page in paper.pdf.pages:
        fonts = list(fonts_of(page["/Resources"].get_object()))
        assert fonts
        for font in fonts:
            described = font["/FontDescriptor"].get_object()
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(described)
            assert re.sub(r"^/[A-Z]{6}\+", "", described["/FontName"]).startswith("Desk-")


def drawing_of(page: Any) -> bytes:
    """All drawing instructions of a page, the form under it included."""
    forms = page["/Resources"].get_object().get("/XObject", {}).values()
    return b"\n".join([page.get_contents().get_data(), *(form.get_object().get_data() for form in forms)])


def test_ink_is_black_or_grey(paper: Paper) -> None:
    for page in paper.pdf.pages:
        colours = re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)$", drawing_of(page), re.MULTILINE)
        assert (b"0", b"0", b"0") in colours
        assert [colour for colour in colours if len(set(colour)) > 1] == []
        assert not re.search(rb" (?:k|K|scn|SCN)$", drawing_of(page), re.MULTILINE)


def test_no_text_leaves_its_page(paper: Paper) -> None:
    assert [leaving_page(page) for page in paper.layout.pages] == [[]] * len(paper.layout.pages)


def test_no_text_is_cut_off(paper: Paper) -> None:
    assert [cut_off(page) for page in paper.layout.pages] == [[]] * len(paper.layout.pages)


def test_no_text_leaves_its_column(paper: Paper) -> None:
    assert [leaving_column(page) for page in paper.layout.pages] == [[]] * len(paper.layout.pages)


@pytest.mark.parametrize("of", ["a4", "letter"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_lies_on_another(kind: str, of: str, size: int, papers: Callable[..., Paper]) -> None:
    pages = papers(kind, size, of).layout.pages
    under = pages[:1] if kind in FORMS else ()
    assert [overlapping([*under, page]) for page in pages[len(under) :]] == [[]] * (len(pages) - len(under))


@pytest.mark.parametrize("kind", KINDS)
def test_letter_paper_has_the_same_pages_and_no_text_leaves_them(
    kind: str, size: int, papers: Callable[..., Paper]
) -> None:
    paper = papers(kind, size, "letter")
    sizes = {(round(page.mediabox.width), round(page.mediabox.height)) for page in paper.pdf.pages}
    assert sizes <= (HALF_LETTER if kind == "call-slip" else LETTER)
    if kind != "log":
        assert len(paper.pdf.pages) == len(papers(kind, size).pdf.pages)
    test_no_text_leaves_its_page(paper)
    test_no_text_is_cut_off(paper)
    test_no_text_leaves_its_column(paper)


@pytest.mark.parametrize("kind", ["seating", "poster", "report", "totals", "standings", "cards", "badges", "results"])
def test_every_name_can_be_read(kind: str, size: int, papers: Callable[..., Paper]) -> None:
    text = squeezed("".join(papers(kind, size).texts))
    players = 50 if kind == "standings" else size * 3
    assert [name_of(n) for n in range(1, players + 1) if squeezed(name_of(n)) not in text] == []


def test_all_last_sheets_carry_nobodys_name(size: int, papers: Callable[..., Paper]) -> None:
    text = squeezed("".join(papers("all-last", size).texts))
    assert [name_of(n) for n in range(1, size * 3 + 1) if squeezed(name_of(n)) in text] == []


@pytest.mark.slow
def test_the_longest_event_name_takes_no_further_page() -> None:
    head, rounds = make_head(4, name="An Event of a Very Long Name Indeed " * 3 + "AndOneWord"), make_rounds(4)
    made = {
        "seating": seating_pdf(head, rounds),
        "report": report_sheets_pdf(head, rounds[0]),
        "all-last": all_last_pdf(head, rounds[0]),
        "standings": standings_pdf(head, make_standings(50), 3),
    }
    for kind, data in made.items():
        texts = [squeezed(page.extract_text()) for page in PdfReader(io.BytesIO(data)).pages]
        assert [squeezed(head.name) in text for text in texts] == [True] * PAGES[kind]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "fr", "ja"])
def test_the_words_of_every_language_have_their_place(language: str) -> None:
    head = replace(make_head(4), paper="letter")
    for kind in ("report", "totals", "all-last", "filled", "cards", "penalty-slips", "call-slip"):
        with override(language):
            leaves = leaves_of(kind, head)
            pages = [page for part in leaves.portions for page in render_document(leaves.page, part, head).pages]
        form = pages[:1] if kind in FORMS else []
        found = [
            (leaving_page(page), cut_off(page), leaving_column(page), overlapping([*form, page]))
            for page in pages[len(form) :]
        ]
        assert found == [([], [], [], [])] * len(found), kind


def test_weasyprint_has_nothing_to_complain_about(paper: Paper) -> None:
    assert paper.complaints == ()
