"""Letters measured in our own fonts: what fits, where lines break, and what the log makes of it."""

from dataclasses import replace

import pytest

from tests.paper.every_kind import log_rounds
from tests.paper.samples import LONG_JAPANESE, WIDEST, make_head, make_rounds
from tournament.paper.event_log import event_log_leaves
from tournament.paper.sheets import poster_leaves
from tournament.pdf.measure import POINT, Room, broken, fit, letters_without_font, width_of

ROOM = Room(50, 10, 20, least=6, bold=True)


@pytest.mark.parametrize(
    ("name", "size"),
    [("Ada Moss", "20pt"), ("iiiiiiiiiiiiiiiiiiiii", "20pt"), ("WWWWWWWWWWWW", "11pt"), (LONG_JAPANESE, "7pt")],
)
def test_a_name_is_as_large_as_its_letters_allow(name: str, size: str) -> None:
    assert fit(name, ROOM) == size


def test_a_name_in_two_lines_fits_the_height() -> None:
    size = float(fit("Bartholomäus-Ferdinand Oberhuber von und zu Tal", ROOM).removesuffix("pt"))
    lines = broken("Bartholomäus-Ferdinand Oberhuber von und zu Tal", ROOM.width / (size * POINT), bold=True)
    assert len(lines) * size * POINT * ROOM.leading <= ROOM.height
    assert len(lines) > 1


@pytest.mark.parametrize("name", ["Uliana Vereshchynska", "Maximiliane-Theodora von Wildenbruchhaus", "Ada Moss"])
def test_letters_are_smaller_before_a_word_is_in_two_parts(name: str) -> None:
    room = Room(44, 18, 40, 7)
    size = float(fit(name, room).removesuffix("pt")) * POINT
    lines = broken(name, room.width / size)
    assert " ".join(lines).replace("- ", "-") == name
    assert len(lines) * size * room.leading <= room.height


@pytest.mark.parametrize("text", ["one two three four", "Fenwick-Oakes", WIDEST, LONG_JAPANESE, "", "a  b"])
def test_no_line_is_wider_than_asked_and_no_letter_is_lost(text: str) -> None:
    lines = broken(text, 8)
    assert [line for line in lines if width_of(line) > 8] == []
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("mangan, 2\N{NARROW NO-BREAK SPACE}000/4\N{NARROW NO-BREAK SPACE}000", "2\N{NARROW NO-BREAK SPACE}000/"),
        ("ロン\N{NO-BREAK SPACE}: 3900", "ン\N{NO-BREAK SPACE}:"),
        ("満貫、12,000点、場へ1,000点", "12,000"),
        ("東山が南へ払う(手)、西へ払う「ノーテン」。", "手)、"),
        ("東山が南へ払う「ノーテン」。", "「ノ"),
        ("東山が南へ払う「ノーテン」。", "ン」。"),
    ],
)
def test_a_line_ends_neither_within_a_number_nor_before_what_closes(text: str, whole: str) -> None:
    for width in range(6, 14):
        lines = broken(text, width)
        assert any(whole in line for line in lines), (width, lines)


def test_letters_that_our_fonts_lack_are_found() -> None:
    assert letters_without_font(set("Ada 東山 한국\n")) == {"한", "국"}


def test_the_columns_of_a_table_in_the_log_are_level() -> None:
    (portion,) = event_log_leaves(make_head(4), log_rounds(4)).portions
    for page in portion["sheets"]:
        for part in page["parts"]:
            high = round(float(part["height"]) / 3.2)
            assert max(column["text"].count("\n") + 1 for column in part["columns"]) <= high


def test_a_table_that_goes_on_overleaf_says_so_and_loses_no_hand() -> None:
    (table, *_), number = log_rounds(4)[0].tables, 1
    long = replace(log_rounds(4)[0], tables=(replace(table, hands=[*table.hands] * 4),))
    leaves = event_log_leaves(make_head(4), [long])
    parts = [part for portion in leaves.portions for page in portion["sheets"] for part in page["parts"]]
    assert [part["goes_on"] for part in parts] == [False] + [True] * (len(parts) - 1)
    assert len(parts) > number
    hands = [line for part in parts for line in part["columns"][0]["text"].split("\n") if line[:1].isdigit()]
    assert len(hands) == 40


@pytest.mark.parametrize(("tables", "columns"), [(4, 1), (8, 2), (10, 2), (12, 2)])
def test_the_tables_of_a_poster_fill_its_page(tables: int, columns: int) -> None:
    (part,) = poster_leaves(make_head(4), make_rounds(4, tables=tables)[0]).portions
    for page in part["pages"]:
        lowest = max(float(table["top"]) + 4 * float(table["row"]) for table in page)
        assert 235 < lowest <= 258
        assert len({table["left"] for table in page}) == columns
