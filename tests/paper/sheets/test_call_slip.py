"""The call slip: what is given is printed, what is not is left to be written, and tiles are drawn."""

import re
from collections.abc import Callable

import pytest
from django.utils.translation import gettext, override

from tests.paper.boxes import pieces_of
from tests.paper.conftest import Paper, lay_leaves_out, listening, page_texts
from tests.paper.samples import make_count, make_head, make_slips
from tournament.paper.call_slip import call_slip_leaves, empty_slip
from tournament.paper.rows import Slip, SlipSeat
from tournament.pdf.drawings import SPRITE, Face, drawn
from tournament.pdf.render import print_leaves

WRITTEN = ("Question", "Ruling", "Clause", "Minutes given", "Referee’s signature")


def pages(*slips: Slip, size: int = 4) -> list[str]:
    """Return the text of each page, white space as one blank."""
    return page_texts(print_leaves(call_slip_leaves(slips), make_head(size)).pdf)


def test_every_slip_has_room_for_question_and_ruling(papers: Callable[[str, int], Paper]) -> None:
    for text in papers("call-slip", 4).texts:
        page = " ".join(text.split())
        assert [word for word in WRITTEN if word not in page] == []


@pytest.mark.parametrize("language", ["de", "fr", "ja"])
def test_in_every_language_the_title_has_one_line_and_the_longest_slip_one_page(language: str) -> None:
    with override(language):
        layout = lay_leaves_out(call_slip_leaves(make_slips(4)), make_head(4))
        title = gettext("Call slip")
    assert [title in [piece.text for piece in pieces_of(page)] for page in layout.pages] == [True] * 3


def test_a_slip_says_where_it_is_of_and_who_sits_there() -> None:
    seats = (SlipSeat(1, 2, "Akelei", "discards", "−1,000"), SlipSeat(2, 0, "Birk", "ron", "+1,000"))
    (page,) = pages(
        Slip(seats, round=3, table=12, hand="East 2", honba_and_sticks="1 honba", what="1 han 30 fu, 1,000")
    )
    assert re.search(r"Call slip Round 3 Table 12 Hand East 2 ?1 honba ", page)
    assert "1 西 West Akelei discards −1,000 2 東 East Birk ron +1,000 1 han 30 fu, 1,000" in page


def test_an_empty_slip_has_numbers_of_seats_alone() -> None:
    (page,) = pages(empty_slip(3), size=3)
    assert "Call slip Round Table Hand 1 2 3 Question" in page


def test_a_counted_hand_is_told_to_its_end(papers: Callable[[str, int], Paper]) -> None:
    count = make_count()
    page = " ".join(papers("call-slip", 4).texts[0].split())
    said = [count.value, *(item.what for item in (*count.yaku, *count.fu)), count.fu_note, count.reading, count.by]
    squeezed = page.replace(" ", "")
    assert [text for text in (*said, *count.aside, *count.liable) if text.replace(" ", "") not in squeezed] == []


# ---------------------------------------------------------------- faces


def test_every_face_of_the_sprite_can_be_drawn_in_black_and_grey() -> None:
    names = re.findall(r'id="tile-([^"]+)"', SPRITE.read_text(encoding="utf-8"))
    assert len(names) == 38
    for name in names:
        face = drawn(Face(name))
        assert [colour for colour in re.findall(r"#([0-9a-f]{6})", face) if colour[:2] * 3 != colour] == []


def test_called_and_added_tiles_lie_on_their_side() -> None:
    sizes = [
        re.search(r'class="([^"]+)" width="(\d+)" height="(\d+)"', drawn(face)).groups()
        for face in (Face("1m"), Face("1m", turned=True), Face("5p", turned=True, added="0p"))
    ]
    assert sizes == [("face", "30", "40"), ("face turned", "40", "30"), ("face stacked", "40", "60")]


def test_what_is_no_tile_is_not_drawn() -> None:
    with pytest.raises(KeyError):
        drawn(Face("<b>"))


def test_nothing_on_a_slip_is_markup_but_our_own() -> None:
    seat = SlipSeat(1, 0, '<img src="/etc/passwd"><b>Bold</b>')
    with listening() as complaints:
        (page,) = pages(Slip((seat,), what="<i>3 han</i>"))
    assert complaints == []
    assert '<img src="/etc/passwd"><b>Bold</b>' in page
    assert "<i>3 han</i>" in page
