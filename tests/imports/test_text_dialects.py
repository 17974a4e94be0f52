"""Encodings and separators: whatever a spreadsheet program writes comes back as the same cells."""

import csv
import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.problems import InvalidInput
from tournament.imports.files import decode_text, guess_delimiter, iter_rows, read_sheet, split_declared

pytestmark = pytest.mark.whole_run

WESTERN = [
    "Zoë Ferré",
    "Jürgen Groß",
    "Åse Ødegård",
    "Inès Peña",
    "Loïc d’Arc",
    "Müller, Renée",
    'Jon "Jo" Ash',
    "Élise",
]
JAPANESE = ["山田 太郎", "佐藤花子", "ヴァン・ダイク", "高橋ケン", "東海林さくら", "ﾔﾏﾀﾞ ﾀﾛｳ", "渡邊、一", "表ソ能"]
ANY_CELL = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]), min_size=1, max_size=12)


def write(rows: list[list[str]], delimiter: str, line_end: str, *, quote_all: bool) -> str:
    file = io.StringIO()
    if quote_all:
        csv.writer(file, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows(rows)
    else:
        csv.writer(file, delimiter=delimiter, lineterminator=line_end).writerows(rows)
    return file.getvalue()


def plain(cell: str) -> str:
    """Return a cell without the apostrophe that our own files have before what a program would take for a formula."""
    return cell[1:] if cell.startswith(("'=", "'+", "'-", "'@")) else cell


@given(
    cells=st.lists(st.tuples(ANY_CELL, ANY_CELL, ANY_CELL), min_size=1, max_size=8),
    delimiter=st.sampled_from(",;\t"),
    line_end=st.sampled_from(["\n", "\r\n"]),
    quote_all=st.booleans(),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@example(cells=[("0", "0", "'=")], delimiter=",", line_end="\n", quote_all=False, codec="utf-8")
@settings(max_examples=60, deadline=None)
def test_any_cells_in_unicode_come_back(cells, delimiter, line_end, quote_all, codec):
    rows = [["Name", "Country", "Club"], *map(list, cells)]
    text = f"sep={delimiter}{line_end}" + write(rows, delimiter, line_end, quote_all=quote_all)
    want = [tuple(plain(cell.strip()) for cell in row) for row in rows]
    if any(cell.strip().startswith("=") for row in rows for cell in row):
        with pytest.raises(InvalidInput):
            read_sheet(text.encode(codec), "a.csv")
        return
    got = [row.cells for row in read_sheet(text.encode(codec), "a.csv").rows]
    trimmed = [row[: max((i + 1 for i, cell in enumerate(row) if cell), default=0)] for row in want]
    assert got == [row for row in trimmed if row]


@given(
    names=st.lists(st.sampled_from(WESTERN), min_size=2, max_size=12),
    delimiter=st.sampled_from(",;\t"),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]),
)
@settings(max_examples=60, deadline=None)
def test_western_lists_in_every_dialect(names, delimiter, line_end, codec):
    rows = [["Name", "Pays", "Club"], *([name, "FR", "Lyon"] for name in names)]
    sheet = read_sheet(write(rows, delimiter, line_end, quote_all=False).encode(codec), "a.csv")
    assert ([list(row.cells) for row in sheet.rows], sheet.delimiter) == (rows, delimiter)


@given(
    names=st.lists(st.sampled_from(JAPANESE), min_size=1, max_size=12),
    delimiter=st.sampled_from(",;\t"),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp932"]),
)
@settings(max_examples=60, deadline=None)
def test_japanese_lists_in_every_dialect(names, delimiter, codec):
    rows = [["選手名", "国", "所属"], *([name, "日本", "東京"] for name in names)]
    sheet = read_sheet(write(rows, delimiter, "\r\n", quote_all=False).encode(codec), "a.csv")
    assert ([list(row.cells) for row in sheet.rows], sheet.delimiter) == (rows, delimiter)


@pytest.mark.parametrize("name", ["Zoë", "Jürgen Groß", "Åse Ødegård", "Renée", "‘Jo’ – Ash", "Straße 5 €"])
def test_one_western_name_is_enough(name):
    assert decode_text(f"Name\n{name}\n".encode("cp1252")).text == f"Name\n{name}\n"


@pytest.mark.parametrize("name", ["山田", "さくら", "ケン", "ﾔﾏﾀﾞ"])
def test_one_japanese_name_is_enough(name):
    assert decode_text(f"Name\n{name}\n".encode("cp932")).text == f"Name\n{name}\n"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("Name;Punkte\nAnna;30,5\nBo;29,5\n", ";"),
        ("Name,Note\nAnna,a;b\nBo,c\n", ","),
        ("Name\tClub\nMoss, Ada\tGraz\n", "\t"),
        ("Spring Open\n\nName;Club\nAnna;Graz\n", ";"),
        ("Name;Land\nMoss, Ada;AT\nAsh, Jon;DE\n", ";"),
        ("name, country\nAda, AT\nJon, DE\n", ","),
        ('"Name","Club"\n"Moss, Ada","a;b;c"\n"Ash","d;e;f"\n', ","),
    ],
)
def test_delimiter_is_the_one_that_most_lines_agree_on(text, delimiter):
    assert guess_delimiter(text) == delimiter


def test_one_column_of_last_and_first_names_stays_one_column():
    sheet = read_sheet(b"Name\nMOSS, Ada\nASH, Jon\n", "a.csv")
    assert [row.cells for row in sheet.rows] == [("Name",), ("MOSS, Ada",), ("ASH, Jon",)]


def test_declared_separator_is_obeyed_and_not_a_row():
    assert split_declared("sep=;\r\nName;a,b\r\n") == ("Name;a,b\r\n", ";")
    assert split_declared("separate\n") == ("separate\n", "")


def test_number_wrapped_as_formula_to_keep_its_zeros():
    assert list(iter_rows('"=""04160092""",x\n', ",")) == [(1, ("04160092", "x"))]
