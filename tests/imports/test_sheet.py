import datetime as dt
import io
import random
import zipfile

import pytest
from openpyxl import Workbook, load_workbook

from scoring.problems import InvalidInput, Problem
from tests.processor_time import count_loops
from tournament.core.limits import BYTES_LIMIT
from tournament.imports.files import COLUMN_LIMIT, ROW_LIMIT, read_sheet

pytestmark = pytest.mark.whole_run


def refusal(data: bytes, filename: str = "players.xlsx") -> tuple[Problem, ...]:
    with pytest.raises(InvalidInput) as caught:
        read_sheet(data, filename)
    return caught.value.problems


def cells(data: bytes, filename: str = "players.xlsx") -> list[tuple[int, tuple[str, ...]]]:
    return [(row.number, row.cells) for row in read_sheet(data, filename).rows]


def rezip(data: bytes, **changed: bytes) -> bytes:
    """Replace or add parts of a workbook; `xl__x.xml` stands for xl/x.xml."""
    parts = {name.replace("__", "/").replace("_dot_", "."): content for name, content in changed.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, parts.pop(name) if name in parts else old.read(name))
        for name, content in parts.items():
            new.writestr(name, content)
    return file.getvalue()


def with_raw_rows(data: bytes, rows: bytes) -> bytes:
    """Put rows into a workbook that nobody would write by hand, much faster than openpyxl does."""
    namespace = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = b'<worksheet xmlns="' + namespace + b'"><sheetData>' + rows + b"</sheetData></worksheet>"
    # a comment that does not pack keeps the bomb's ratio out of the matter
    padding = b"<!--" + random.Random(1).randbytes(150_000).hex().encode() + b"-->"
    return rezip(data, xl__worksheets__sheet1_dot_xml=sheet + padding)


def outcome(data: bytes) -> tuple[object, ...]:
    """Give the rows, or the problems of a refusal; any other exception is a failure."""
    try:
        return read_sheet(data, "players.xlsx").rows
    except InvalidInput as refused:
        return refused.problems


def save(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


class TestWorkbook:
    def test_cells_become_the_text_that_was_typed(self, make_xlsx):
        data = make_xlsx(
            [
                [
                    "  Name ",
                    4160092,
                    30000.0,
                    -0.5,
                    True,
                    dt.date(2026, 9, 12),
                    dt.datetime.fromisoformat("2026-09-12T14:05"),
                ],
                ["Anna", 33300.000000000004],
            ]
        )
        assert cells(data) == [
            (1, ("Name", "4160092", "30000", "-0.5", "TRUE", "2026-09-12", "2026-09-12 14:05:00")),
            (2, ("Anna", "33300")),
        ]

    def test_empty_rows_go_and_numbers_stay(self, make_xlsx):
        assert cells(make_xlsx([["Name"], [], ["  ", None], ["Anna"]])) == [(1, ("Name",)), (4, ("Anna",))]

    def test_merged_title_is_a_row_with_one_cell(self):
        book = Workbook()
        sheet = book.worksheets[0]
        sheet["A1"] = "Spring Open"
        sheet.merge_cells("A1:C1")
        sheet["A2"], sheet["B2"] = "Name", "Club"
        assert cells(save(book)) == [(1, ("Spring Open",)), (2, ("Name", "Club"))]

    def test_size_written_in_the_file_is_not_believed(self, make_xlsx):
        data = make_xlsx([["Name"], ["Anna"], ["Bo"]])
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            lying = parts.read("xl/worksheets/sheet1.xml").replace(b'ref="A1:A3"', b'ref="A1:A2"')
        assert cells(rezip(data, xl__worksheets__sheet1_dot_xml=lying)) == cells(data)

    def test_first_worksheet_with_anything_in_it(self, make_xlsx):
        sheet = read_sheet(make_xlsx(Blank=[], Info=[["hello"]], Players=[["Name"]]), "a.xlsx")
        assert (sheet.worksheet, sheet.other_worksheets) == ("Info", ("Players",))
        assert sheet.problems == (
            Problem("import.other_worksheets", {"worksheet": "Info", "others": "Players"}, "warning"),
        )

    def test_wanted_worksheet_wins(self, make_xlsx):
        data = make_xlsx(Info=[["=1+1"]], Players=[["Name"]])
        assert read_sheet(data, "a.xlsx", wanted=lambda rows: rows[0].cells == ("Name",)).worksheet == "Players"

    def test_without_a_wanted_one_the_first_is_judged(self, make_xlsx):
        data = make_xlsx(Info=[["=1+1"]], Players=[["Name"]])
        with pytest.raises(InvalidInput) as caught:
            read_sheet(data, "a.xlsx", wanted=lambda rows: False)
        assert caught.value.problems == (Problem("import.formula", {"cell": "A1"}),)

    def test_hidden_worksheets_are_left_alone(self):
        book = Workbook()
        book.worksheets[0].append(["secret"])
        book.worksheets[0].sheet_state = "hidden"
        book.create_sheet("Players").append(["Name"])
        assert read_sheet(save(book), "a.xlsx").worksheet == "Players"

    def test_formula_is_refused_and_its_cell_named(self, make_xlsx):
        assert refusal(make_xlsx([["Name", "Total"], ["Anna", "=SUM(A1:A2)"]])) == (
            Problem("import.formula", {"cell": "B2"}),
        )

    def test_text_that_only_looks_like_a_formula_is_text(self):
        book = Workbook()
        cell = book.worksheets[0]["A1"]
        cell.value, cell.data_type = "=Anna", "s"
        assert cells(save(book)) == [(1, ("=Anna",))]

    def test_error_value_is_refused_and_its_cell_named(self, make_xlsx):
        assert refusal(make_xlsx([["Name"], ["#REF!"]])) == (
            Problem("import.cell_error", {"cell": "A2", "value": "#REF!"}),
        )

    def test_limit_of_rows(self, make_xlsx):
        assert len(read_sheet(make_xlsx([["x"]] * ROW_LIMIT), "a.xlsx").rows) == ROW_LIMIT
        assert refusal(make_xlsx([["x"]] * (ROW_LIMIT + 1))) == (Problem("import.too_many_rows", {"limit": ROW_LIMIT}),)

    def test_stray_cell_far_below(self):
        book = Workbook()
        book.worksheets[0]["A1"] = "Name"
        book.worksheets[0]["A1000000"] = "x"
        assert refusal(save(book)) == (Problem("import.sheet_too_long", {"limit": 20_000}),)

    def test_limit_of_columns(self, make_xlsx):
        data = make_xlsx([["Name"], ["x"] * (COLUMN_LIMIT + 1)])
        assert refusal(data) == (Problem("import.too_many_columns", {"row": 2, "limit": COLUMN_LIMIT}),)

    def test_a_hundred_thousand_rows_are_refused_quickly(self, make_xlsx):
        data = with_raw_rows(make_xlsx([["Name"]]), b"<row><c><v>1</v></c></row>" * 100_000)
        problems, loops = count_loops(lambda: refusal(data))
        assert problems == (Problem("import.sheet_too_long", {"limit": 20_000}),)
        assert loops < 60

    def test_too_many_cells(self, make_xlsx):
        data = with_raw_rows(make_xlsx([["Name"]]), (b"<row>" + b"<c><v>1</v></c>" * 100 + b"</row>") * 2_001)
        assert refusal(data) == (Problem("import.too_many_cells", {"limit": 200_000}),)


class TestRefusedWorkbooks:
    def test_other_spreadsheet_in_a_zip(self):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr("content.xml", "<x/>")
        assert refusal(file.getvalue(), "players.ods") == (Problem("import.other_spreadsheet", {}),)

    def test_bomb_by_size(self, make_xlsx):
        data = rezip(make_xlsx([["Name"]]), xl__bomb_dot_xml=b"0" * (50 * 1024 * 1024))
        assert len(data) < 100_000
        assert refusal(data) == (Problem("import.unpacks_too_big", {"megabytes": 50}),)

    def test_every_damaged_byte_ends_in_words_or_in_the_rows(self, make_xlsx):
        data = make_xlsx([["Name"], ["Anna"], ["Bo"]])
        chance = random.Random(2026)
        for _ in range(150):
            damaged = bytearray(data)
            damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            assert outcome(bytes(damaged))

    def test_workbook_without_anything(self, make_xlsx):
        assert refusal(make_xlsx([])) == (Problem("import.file_empty", {}),)


class TestText:
    def test_row_numbers_are_those_of_a_spreadsheet(self):
        data = b'Name,Note\n\n"Anna","two\nlines"\n , \nBo,\n'
        assert cells(data, "a.csv") == [(1, ("Name", "Note")), (3, ("Anna", "two\nlines")), (5, ("Bo",))]

    def test_how_it_was_read_is_told(self):
        sheet = read_sheet("Name;Verein\nJörg;Graz\n".encode("cp1252"), "a.csv")
        assert (sheet.kind, sheet.encoding, sheet.delimiter) == ("csv", "Windows-1252", ";")
        assert sheet.problems == (Problem("import.encoding_guessed", {"encoding": "Windows-1252"}, "warning"),)

    def test_text_called_xls_is_read_all_the_same(self):
        assert cells(b"Name\tClub\nAnna\tGraz\n", "players.xls") == [(1, ("Name", "Club")), (2, ("Anna", "Graz"))]

    @pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\r\n", b",,\n,,\n", b"\xef\xbb\xbf"])
    def test_nothing_in_it(self, data):
        assert refusal(data, "a.csv") == (Problem("import.file_empty", {}),)

    def test_too_big(self):
        assert refusal(b"x" * (BYTES_LIMIT + 1), "a.csv") == (Problem("import.file_too_big", {"megabytes": 10}),)


def test_workbook_of_another_library_with_inline_strings(make_xlsx):
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Players")
    sheet.append(["Name"])
    sheet.append(["Anna"])
    data = save(book)
    assert load_workbook(io.BytesIO(data)).sheetnames == ["Players"]
    assert cells(data) == [(1, ("Name",)), (2, ("Anna",))]
