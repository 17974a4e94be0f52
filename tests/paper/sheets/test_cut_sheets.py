"""Cards, badges, signs, codes, fouls: what stands on them, and what a machine without a font says."""

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.utils.translation import override

from tests.paper.boxes import cut_off, leaving_page, overlapping, pieces_of
from tests.paper.conftest import page_texts
from tests.paper.every_kind import ADDRESS, foul_sections
from tests.paper.samples import make_head, make_rounds, make_standings
from tournament.paper.handouts import badges_leaves, player_cards_leaves, table_tents_leaves
from tournament.paper.sheets import (
    certificates_leaves,
    fouls_leaves,
    players_by_name,
    poster_leaves,
    report_leaves,
    seating_leaves,
)
from tournament.pdf.drawings import BASE_URL, Images, code_strokes, code_svg
from tournament.pdf.render import (
    Leaves,
    _fitting,
    load_weasyprint,
    print_leaves,
    render_document,
    static_files_only,
)
from tournament.tables.rows import BadgeRow, EventHead, RoundRow


def test_a_card_has_table_and_seat_of_every_round_in_order(size: int) -> None:
    rounds = make_rounds(size, rounds=5)
    (part,) = player_cards_leaves(make_head(size), rounds).portions
    found = {card["number"]: card for page in part["sheets"] for card in page["items"]}
    for player in players_by_name(rounds):
        places = [place for place in player.places if place]
        assert found[player.number]["tables"].split("\n") == [f"{table}" for table, _ in places]
        assert found[player.number]["places"].split("\n") == [f"{wind.sign} {wind.letter}" for _, wind in places]
    assert len(found) == size * 3


def test_cards_explain_winds_only_where_a_letter_stands_beside_the_sign() -> None:
    (english,) = player_cards_leaves(make_head(4), make_rounds(4)).portions
    with override("ja"):
        (japanese,) = player_cards_leaves(make_head(4), make_rounds(4)).portions
    assert (english["seats"], japanese["seats"]) == ("東 E East, 南 S South, 西 W West, 北 N North", "")


def test_a_round_in_which_a_player_rests_is_a_dash() -> None:
    first, second, _ = make_rounds(4)
    (part,) = player_cards_leaves(make_head(4), (first, replace(second, tables=second.tables[1:]))).portions
    resting = {seat.number for seat in second.tables[0].seats}
    cards = [card for page in part["sheets"] for card in page["items"]]
    assert {card["number"] for card in cards if card["tables"].splitlines()[1] == "\N{EN DASH}"} == resting


def test_cards_say_when_rounds_start_in_the_zone_of_the_event() -> None:
    starts = {1: dt.datetime(2031, 5, 9, 8, 0, tzinfo=dt.UTC)}
    (part,) = player_cards_leaves(make_head(4), make_rounds(4), starts).portions
    assert [(line["number"], line["starts"]) for line in part["lines"]] == [(1, "10:00"), (2, ""), (3, "")]


@pytest.mark.parametrize(("rounds", "rows"), [(8, "roomy"), (12, "close"), (13, "closest"), (20, "closest")])
def test_the_more_rounds_the_closer_the_lines(rounds: int, rows: str) -> None:
    (part,) = player_cards_leaves(make_head(4), make_rounds(4, tables=1, rounds=rounds)).portions
    assert (part["rows"], len(part["lines"])) == (rows, min(rounds, 18))


def test_badges_stand_in_the_order_of_names_and_say_what_is_known() -> None:
    people = [BadgeRow("Zed", 1), BadgeRow("Ann", 2, "Wales", "Tile Club")]
    (page,) = page_texts(print_leaves(badges_leaves(people), make_head(4)).pdf)
    assert page.index("Ann No. 2 · Wales · Tile Club") < page.index("Zed No. 1 ")


def test_a_sign_shows_its_number_to_both_sides() -> None:
    (part,) = table_tents_leaves(12).portions[1:]
    assert [each["table"] for page in part["sheets"] for each in page["items"]] == [11, 12]
    *_, last = page_texts(print_leaves(table_tents_leaves(3), make_head(4)).pdf)
    assert last.split().count("3") == 4  # twice large, and "page 3 of 3"


@pytest.mark.parametrize("make", [
    lambda head: player_cards_leaves(head, ()), lambda _head: badges_leaves([]), lambda _head: table_tents_leaves(0),
    lambda head: poster_leaves(head, RoundRow(1, ())), lambda head: report_leaves(head, RoundRow(1, ())),
    lambda head: certificates_leaves(head, [], 3, 3),
])  # fmt: skip
def test_nothing_to_print_is_an_error_in_words(make: "object") -> None:
    with pytest.raises(ValueError, match=r"nothing to print|at least one page|nobody to print"):
        make(make_head(4))  # type: ignore[operator]


@pytest.mark.parametrize(("tables", "pages"), [(21, 3), pytest.param(60, 6, marks=pytest.mark.nightly)])
def test_a_poster_has_as_many_pages_as_its_tables_fill(tables: int, pages: int) -> None:
    (part,) = poster_leaves(make_head(4), make_rounds(4, tables=tables)[0]).portions
    assert len(render_document("poster", part, make_head(4)).pages) == pages


@pytest.mark.parametrize("tables", [3, 8])
def test_lines_of_a_poster_end_where_its_column_ends(tables: int) -> None:
    head, played = make_head(4), make_rounds(4, tables=tables)[0]
    (part,) = poster_leaves(head, played).portions
    (page,) = render_document("poster", part, head).pages
    ends = {round(piece.cell.right) for piece in pieces_of(page) if piece.cell and piece.text.startswith("Player")}
    assert len(ends) == (1 if tables == 3 else 2)


@pytest.mark.parametrize("language", ["en", "de", "fr", "ja"])
def test_a_certificate_has_room_for_the_longest_names_and_for_signatures(language: str) -> None:
    head = make_head(4, rounds=6, name="An Event of a Very Long Name Indeed " * 3 + "AndOneWord")
    with override(language):
        (part,) = certificates_leaves(head, make_standings(3), 3, 3).portions
        pages = render_document("certificates", part, head).pages
    assert [(cut_off(page), leaving_page(page), overlapping([page])) for page in pages] == [([], [], [])] * 3
    for page in pages:
        *said, left, right = sorted(
            (piece.box for piece in pieces_of(page) if piece.box.bottom < page.height - 60), key=lambda box: box.top
        )
        assert min(left.top, right.top) - max(box.bottom for box in said) > 12 / 25.4 * 96, "no room to sign"


# ---------------------------------------------------------------- codes


def test_a_code_is_strokes_that_add_up_to_the_squares_of_its_norm() -> None:
    whole, strokes = code_strokes(ADDRESS % 12)
    size = whole - 4
    assert (size - 17) % 4 == 0
    # the three corners that a phone looks for: seven squares in a row, at the edge of the code
    assert {(x, y) for x, y, run in strokes if run == 7} >= {
        (2, 2),
        (2, 8),
        (size - 5, 2),
        (2, size - 5),
        (2, size + 1),
    }
    assert [stroke for stroke in strokes if stroke[0] < 2 or stroke[0] + stroke[2] > size + 2] == []


def test_paper_and_screens_show_the_same_code() -> None:
    size, strokes = code_strokes("http://desk/<é>/")
    page = load_weasyprint().HTML(
        string=f"<style>@page {{ size: {size}px; margin: 0 }} img {{ display: block; width: {size}px }}</style>"
        '<img src="codes/http%3A%2F%2Fdesk%2F%3C%C3%A9%3E%2F">',
        base_url=BASE_URL,
        url_fetcher=static_files_only(),
    )
    drawn = page.render(cache=Images()).write_pdf(uncompressed_pdf=True)
    filled = [tuple(map(int, found)) for found in re.findall(rb"^(\d+) (\d+) (\d+) 1 re$", drawn, re.MULTILINE)]
    assert tuple(filled) == strokes
    svg = code_svg("http://desk/<é>/")
    assert [tuple(map(int, found)) for found in re.findall(r"M(\d+) (\d+)\.5h(\d+)", svg)] == filled


def test_an_address_is_no_markup() -> None:
    assert "<b>" not in code_svg("http://desk/<b>")


def test_each_sheet_has_the_code_of_its_own_table() -> None:
    played = make_rounds(4)[0]
    addresses = {table.number: ADDRESS % table.number for table in played.tables}
    (part,) = report_leaves(make_head(4), played, addresses).portions
    assert [sheet["code"] for sheet in part["sheets"]] == [ADDRESS % number for number in (1, 2, 3)]


# ---------------------------------------------------------------- fouls and fonts


# in the largest letters, in smaller ones, and where those that can be read do not fit
@pytest.mark.parametrize(("sections", "pages"), [(3, 1), (4, 1), pytest.param(6, 2, marks=pytest.mark.nightly)])
def test_the_fouls_are_one_page_where_they_fit(sections: int, pages: int) -> None:
    found = [replace(foul_sections()[0], number=number) for number in range(1, sections + 1)]
    assert print_leaves(fouls_leaves(found), make_head(4)).pages == pages


@pytest.mark.parametrize("sizes", [1, 2, 3, 4, 5])
def test_of_ever_smaller_letters_the_first_that_fit_are_taken(sizes: int) -> None:
    @dataclass(frozen=True)
    class Laid:
        size: int
        pages: range

    for fits in range(sizes + 1):  # from which on; the last for none
        tried: list[int] = []

        def lay_out(values: Any, fits: int = fits, tried: list[int] = tried) -> Laid:
            tried.append(values["size"])
            return Laid(values["size"], range(1 if values["size"] >= fits else 2))

        found = _fitting([{"size": size} for size in range(sizes)], lay_out)
        assert found.size == min(fits, sizes - 1)
        assert len(tried) == len(set(tried)) <= 3


def test_a_catalogue_without_fouls_says_so() -> None:
    (page,) = page_texts(print_leaves(fouls_leaves(()), make_head(4)).pdf)
    assert "The event’s rule set lists no fouls." in page


def test_letters_that_no_font_has_are_named_at_the_foot_of_every_page() -> None:
    head: EventHead = make_head(4)
    unknown = "\U0001313a"  # a hieroglyph
    printed = print_leaves(badges_leaves([BadgeRow(f"Ann {unknown}", n) for n in (1, 2)]), head)
    assert printed.missing == "U+1313A"
    (part,) = badges_leaves([BadgeRow("Ann", 1)]).portions
    form = render_document("badges", {**part, "missing": printed.missing}, head).pages[0]
    said = "".join(piece.text for piece in pieces_of(form))
    assert "No font on this computer has these letters: U+1313A" in said


def test_a_sheet_of_no_portion_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to print"):
        print_leaves(Leaves("badges", ()), make_head(4))


@pytest.mark.parametrize("tables", [10, 29])  # without care one name, or the seeds alone, are on the last page
def test_the_last_page_of_the_seating_by_name_has_several_names(tables: int) -> None:
    rounds = make_rounds(4, tables=tables)
    last = page_texts(print_leaves(seating_leaves(make_head(4), rounds, "players"), make_head(4)).pdf)[-1]
    names = [player.name for player in players_by_name(rounds)]
    assert sum(name in last for name in names) >= 3
