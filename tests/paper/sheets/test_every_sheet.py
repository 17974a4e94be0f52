"""What holds for every kind of sheet, with three and with four players, with the longest and oddest names.

A test prints one sheet and asks all of it: printing takes longer than everything that is asked.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils.translation import override
from pypdf.generic import DictionaryObject

from tests.paper.boxes import cut_off, leaving_column, leaving_page, overlapping, pieces_of
from tests.paper.conftest import Layout, Paper, lay_leaves_out, lay_out
from tests.paper.every_kind import FORMS, KINDS, leaves_of
from tests.paper.samples import EVENT, make_head, make_rounds, make_standings, name_of
from tournament.paper.all_last import all_last_leaves
from tournament.paper.sheets import report_leaves, seating_leaves, standings_leaves
from tournament.pdf.render import page_values

PAGES = {
    "seating": 2, "poster": 1, "report": 3, "totals": 2, "all-last": 2, "filled": 2, "cards": 2, "badges": 2,
    "tents": 2, "penalty-slips": 1, "call-slip": 3, "fouls": 2, "differences": 1, "house-rules": 1,
    "table-setup": 1, "penalties": 1, "standings": 2, "results": 2, "certificates": 3, "values": 1, "pocket": 1,
    "yaku": 1, "sticks": 1, "markers": 1, "log": 3,
}  # fmt: skip
FEWER = {("cards", 3): 1, ("badges", 3): 1, ("log", 3): 2}
A4, A5 = {(595, 842), (842, 595)}, {(420, 595)}
LETTER, HALF_LETTER = {(612, 792), (792, 612)}, {(396, 612)}
# With three players as with four: nothing on them is of a table.
OF_NO_TABLE = (
    "tents", "penalty-slips", "fouls", "differences", "house-rules", "table-setup", "penalties", "standings",
    "certificates",
)  # fmt: skip
OF_THREE = [kind for kind in KINDS if kind not in OF_NO_TABLE]
WITH_NAMES = ("seating", "poster", "report", "totals", "standings", "cards", "badges", "results")
HAND_OUTS = ("values", "pocket", "yaku", "sticks", "markers")
OF_WORDS = ("report", "totals", "all-last", "filled", "cards", "penalty-slips", "call-slip", *HAND_OUTS)
LANGUAGES = ("de", "fr", "ja")
DEALT = dict(zip(OF_WORDS, LANGUAGES * 4, strict=True))

Printed = Callable[[str, int], tuple[Paper, Layout]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Deal half of the kinds by the run's random seed: one of them on letter paper, the next for three players."""
    if "dealt" in metafunc.fixturenames:
        seed = metafunc.config.getoption("randomly_seed", 0)
        metafunc.parametrize("dealt", [(kind, (at + seed // 2) % 2) for at, kind in enumerate(KINDS[seed % 2 :: 2])])


def test_a_sheet_on_letter_paper_or_for_three_players_as_it_is_laid_out(dealt: tuple[str, int]) -> None:
    kind, of_three = dealt
    if of_three and kind in OF_THREE:
        layout = lay_out(kind, 3, "a4")
        pages = pages_of(kind, layout)
        assert len(pages) == FEWER.get((kind, 3), PAGES[kind])
        assert_names_are_there(kind, 3, squeezed("".join(map(text_of, pages))))
        assert_all_text_has_its_place(kind, layout)
        assert layout.complaints == (), "WeasyPrint has something to complain about"
    else:
        assert_letter_is_well(kind, 4, DEALT.get(kind, "en"))


@pytest.mark.nightly
@pytest.mark.parametrize("kind", OF_THREE)
def test_a_sheet_for_three_players(kind: str, printed: Printed) -> None:
    assert_all_is_well(*printed(kind, 3))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_for_four_players(kind: str, printed: Printed) -> None:
    assert_all_is_well(*printed(kind, 4))


@pytest.mark.parametrize("kind", OF_NO_TABLE)
def test_nothing_on_the_other_sheets_is_of_a_table(kind: str) -> None:
    three, four = ((leaves_of(kind, head), page_values(head)) for head in map(make_head, (3, 4)))
    assert three == four


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("kind", "language"),
    [(kind, language) for kind in KINDS for language in ("en", *LANGUAGES) if kind in OF_WORDS or language == "en"],
)
def test_a_sheet_on_letter_paper_in_every_language(kind: str, language: str) -> None:
    assert_letter_is_well(kind, 4, language)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", OF_THREE)
def test_a_sheet_for_three_players_on_letter_paper(kind: str) -> None:
    assert_letter_is_well(kind, 3, "en")


def test_the_longest_event_name_takes_no_further_page() -> None:
    head, rounds = make_head(4, name="An Event of a Very Long Name Indeed " * 3 + "AndOneWord"), make_rounds(4)
    made = {
        "seating": seating_leaves(head, rounds),
        "report": report_leaves(head, rounds[0]),
        "all-last": all_last_leaves(head, rounds[0]),
        "standings": standings_leaves(head, make_standings(50), 3),
    }
    for kind, leaves in made.items():
        layout = lay_leaves_out(leaves, head)
        form = text_of(layout.pages[0]) if kind in FORMS else ""
        named = [squeezed(head.name) in squeezed(form + text_of(page)) for page in pages_of(kind, layout)]
        assert named == [True] * PAGES[kind]


# ---------------------------------------------------------------- what is asked


def assert_all_is_well(paper: Paper, layout: Layout) -> None:
    """Ask everything of a sheet on A4."""
    assert len(paper.pdf.pages) == FEWER.get((paper.kind, paper.size), PAGES[paper.kind])
    sizes = {(round(page.mediabox.width), round(page.mediabox.height)) for page in paper.pdf.pages}
    assert sizes <= (A5 if paper.kind == "call-slip" else A4)
    assert_every_page_says_what_it_is(paper)
    assert_names_are_there(paper.kind, paper.size, squeezed("".join(paper.texts)))
    assert_every_font_is_embedded_and_is_one_of_ours(paper)
    if paper.kind != "certificates":  # framed, not copied
        assert_ink_is_black_or_grey(paper)
    assert_all_text_has_its_place(paper.kind, layout)
    assert layout.complaints == (), "WeasyPrint has something to complain about"


def assert_letter_is_well(kind: str, size: int, language: str) -> None:
    """Ask of letter paper, which is less high, that it is that, with the same pages, and each text has its place."""
    with override(language):
        layout = lay_out(kind, size, "letter")
    points = {(round(page.width * 0.75), round(page.height * 0.75)) for page in layout.pages}
    assert points <= (HALF_LETTER if kind == "call-slip" else LETTER)
    if kind != "log":
        assert len(layout.pages) - (kind in FORMS) == FEWER.get((kind, size), PAGES[kind])
    assert_all_text_has_its_place(kind, layout)


def assert_all_text_has_its_place(kind: str, layout: Layout) -> None:
    """No text leaves its page or its column, is cut off, or lies on another; a form lies under all pages."""
    form = layout.pages[:1] if kind in FORMS else ()
    found = {
        number: (leaving_page(page), cut_off(page), leaving_column(page), overlapping([*form, page]))
        for number, page in enumerate(layout.pages)
        if number >= len(form)
    }
    assert found == dict.fromkeys(found, ([], [], [], []))
    assert [(leaving_page(page), cut_off(page), leaving_column(page)) for page in form] == [([], [], [])] * len(form)


def assert_every_page_says_what_it_is(paper: Paper) -> None:
    """Each page names the event, the time of printing, and which of how many it is."""
    for text in paper.texts:
        assert EVENT in text
        assert "Printed 9 May 2031, 09:41 UTC+2" in " ".join(text.split())
    last = len(paper.pdf.pages)
    found = [set(re.findall(r"page (\d+) of (\d+)", text)) for text in paper.texts]
    if paper.kind == "results":  # counted by round, which stands beside
        assert [
            (pages, f"Round {n}, page" in text)
            for n, (pages, text) in enumerate(zip(found, paper.texts, strict=True), 1)
        ] == [({("1", "1")}, True)] * last
        return
    assert found == [{(str(n), str(last))} for n in range(1, last + 1)]


def assert_names_are_there(kind: str, size: int, text: str) -> None:
    """Every name can be read where there are names, and none stands on the sheets that carry nobody's."""
    players = 50 if kind == "standings" else size * 3
    there = {name_of(n): squeezed(name_of(n)) in text for n in range(1, players + 1)}
    if kind in WITH_NAMES:
        assert there == dict.fromkeys(there, True)
    if kind == "all-last":
        assert there == dict.fromkeys(there, False)


def pages_of(kind: str, layout: Layout) -> tuple[Any, ...]:
    """Give the pages as they come out of the printer, without the form that lies under them."""
    return layout.pages[1:] if kind in FORMS else layout.pages


def text_of(page: Any) -> str:
    """Give the text of a laid-out page, in the order of its boxes."""
    return "".join(piece.text for piece in pieces_of(page))


def squeezed(text: str) -> str:
    """Text without the breaks that setting put in."""
    return re.sub(r"\s", "", text)


def assert_every_font_is_embedded_and_is_one_of_ours(paper: Paper) -> None:
    """A printer needs no font of its own."""
    for page in paper.pdf.pages:
        fonts = list(fonts_of(page["/Resources"].get_object()))
        assert fonts
        for font in fonts:
            described = font["/FontDescriptor"].get_object()
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(described)
            assert re.sub(r"^/[A-Z]{6}\+", "", described["/FontName"]).startswith("Desk-")


def fonts_of(resources: Any) -> Iterator[Any]:
    for font in resources.get("/Font", {}).values():
        yield font.get_object()["/DescendantFonts"][0].get_object()
    for inner in resources.get("/XObject", {}).values():
        yield from fonts_of(inner.get_object().get("/Resources", DictionaryObject()).get_object())


def assert_ink_is_black_or_grey(paper: Paper) -> None:
    """No printer is asked for a colour."""
    for page in paper.pdf.pages:
        forms = page["/Resources"].get_object().get("/XObject", {}).values()
        drawn = b"\n".join([page.get_contents().get_data(), *(form.get_object().get_data() for form in forms)])
        colours = re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)$", drawn, re.MULTILINE)
        assert (b"0", b"0", b"0") in colours
        assert [colour for colour in colours if len(set(colour)) > 1] == []
        assert not re.search(rb" (?:k|K|scn|SCN)$", drawn, re.MULTILINE)
