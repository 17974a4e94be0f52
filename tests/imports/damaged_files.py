"""Files as the world damages them, small and large, each with the code of what is said of it ("" where it is taken).

`main` reads a file under a limit of memory and prints what came of it, once Django is set up.
"""

import datetime as dt
import io
import json
import re
import resource
import sys
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from openpyxl import Workbook

from tests.imports.lists import read_penalties, read_players, read_schedule
from tests.processor_time import count_loops
from tournament.imports.results import read_results
from tournament.tables.rows import Entrant

MEGABYTE = 1024 * 1024
MEMORY = 300 * MEGABYTE
HEAD = ("round", "table", "seat", "player", "points")
LINES = [(1, 1, seat, name, 30000) for seat, name in enumerate(("Akelei", "Birk", "Cyan", "Distel"))]
TEXT = "\r\n".join(",".join(map(str, line)) for line in (HEAD, *LINES))
ENTRANTS = [Entrant(number, name) for number, name in enumerate(("Akelei", "Birk", "Cyan", "Distel"), start=1)]


File = tuple[str, bytes, str]


def workbook(rows: Iterable[Sequence[object]], change: Callable[[Workbook], object] = lambda book: book) -> bytes:
    """Return a workbook of these rows."""
    book, file = Workbook(), io.BytesIO()
    for row in rows:
        book.worksheets[0].append(list(row))
    change(book)
    book.save(file)
    return file.getvalue()


def zipped(parts: dict[str, bytes | int]) -> bytes:
    """Return a zip of these parts; a number stands for so many megabytes of nothing."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            with archive.open(name, "w", force_zip64=True) as part:
                for chunk in [content] if isinstance(content, bytes) else [bytes(MEGABYTE)] * content:
                    part.write(chunk)
    return file.getvalue()


def with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return a workbook with one part changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            content = old.read(part)
            new.writestr(part, change(content) if part == name else content)
    return file.getvalue()


def good() -> bytes:
    """Return results as a sound workbook."""
    return workbook([HEAD, *LINES])


def digits() -> bytes:
    """Return 20 MB of numbers that follow each other: they pack, but not like a bomb."""
    return b"".join(b"%08d" % number for number in range(2_500_000))


def _merged(book: Workbook) -> None:
    sheet = book.worksheets[0]
    for row in (3, 4, 5):
        sheet.cell(row, 1).value = sheet.cell(row, 2).value = None
    sheet.merge_cells("A2:A5")
    sheet.merge_cells("B2:B5")


def _hide(book: Workbook) -> None:
    book.create_sheet("Secret").append(["nobody sees this"])
    book.worksheets[1].sheet_state = "hidden"


def _empty_between() -> bytes:
    return workbook([HEAD, [], *[line for each in LINES for line in (each, [None, "  "], [])]])


def _formatted(count: int) -> bytes:
    """Return a sound workbook whose sheet goes on with `count` empty rows that carry a style."""
    rows = b"".join(b'<row r="%d" s="1" customFormat="1"/>' % number for number in range(6, 6 + count))
    return with_part(
        good(), "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b"</sheetData>", rows + b"</sheetData>")
    )


SMALL: dict[str, Callable[[], File]] = {
    "utf-8": lambda: ("r.csv", TEXT.encode(), ""),
    "utf-8 with a mark": lambda: ("r.csv", TEXT.encode("utf-8-sig"), ""),
    "utf-16": lambda: ("r.csv", TEXT.encode("utf-16"), ""),
    "utf-16 without a mark": lambda: ("r.csv", TEXT.encode("utf-16-be"), ""),
    "cp1252": lambda: ("r.csv", TEXT.replace("Birk", "Bjørk").encode("cp1252"), ""),
    "shift_jis": lambda: ("r.csv", TEXT.replace("Birk", "山田花子").encode("shift_jis"), ""),
    "semicolons": lambda: ("r.csv", TEXT.replace(",", ";").encode(), ""),
    "tabs": lambda: ("r.txt", TEXT.replace(",", "\t").encode(), ""),
    "old line ends": lambda: ("r.csv", TEXT.replace("\r\n", "\r").encode(), ""),
    "thousands": lambda: ("r.csv", TEXT.replace(",", ";").replace("30000", "30,0").encode(), ""),
    "parted thousands": lambda: ("r.csv", TEXT.replace("30000", '"30,000"').encode(), ""),
    "unquoted thousands": lambda: ("r.csv", TEXT.replace("30000", "30,000").encode(), "import.row_too_wide"),
    "noise": lambda: ("r.csv", bytes(range(256)) * 20, "import.not_text"),
    "noise called a workbook": lambda: ("r.xlsx", bytes(range(256)) * 20, "import.workbook_damaged"),
    "nothing": lambda: ("r.csv", b" \r\n", "import.file_empty"),
    "an open quote": lambda: ("r.csv", (TEXT + '\r\n2,1,0,"Akelei,30000').encode(), "import.csv_broken"),
    "a formula in text": lambda: ("r.csv", TEXT.replace("Birk", "=1+1").encode(), "import.formula"),
    "a web page": lambda: ("r.xls", b"<html><table><tr><td>Round</td></tr></table></html>", "import.not_table"),
    "a page behind a mark": lambda: ("r.csv", b"\xef\xbb\xbf<!DOCTYPE html>", "import.not_table"),
    "a dump in sql": lambda: ("r.csv", b"INSERT INTO player (id, name) VALUES (1, 'Ada');", "import.not_table"),
    "a pdf": lambda: ("r.xlsx", b"%PDF-1.7\n...", "import.not_table"),
    "an old workbook": lambda: ("r.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "import.old_workbook"),
    "a password": lambda: ("r.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "import.password"),
    "a sound workbook": lambda: ("r.xlsx", good(), ""),
    "hidden sheets": lambda: ("r.xlsx", workbook([HEAD, *LINES], _hide), ""),
    "empty rows": lambda: ("r.xlsx", _empty_between(), ""),
    "merged cells": lambda: ("r.xlsx", workbook([HEAD, *LINES], _merged), "import.number_missing"),
    "a date for a number": lambda: (
        "r.xlsx", workbook([HEAD, *LINES[:3], (1, 1, 3, "Distel", dt.date(1982, 2, 18))]), "import.cell_is_date",
    ),
    "a formula": lambda: ("r.xlsx", workbook([HEAD, *LINES[:3], (1, 1, 3, "Distel", "=E2")]), "import.formula"),
    "an error value": lambda: (
        "r.xlsx", workbook([HEAD, *LINES[:3], (1, 1, 3, "Distel", "#REF!")]), "import.cell_error",
    ),
    "headings twice": lambda: (
        "r.xlsx", workbook([(*HEAD, "points", "player"), *((*line, 1, "x") for line in LINES)]), "",
    ),
    "headings only": lambda: ("r.xlsx", workbook([HEAD]), "import.no_rows"),
    "other headings": lambda: ("r.xlsx", workbook([("a", "b"), (1, 2)]), "import.columns_missing"),
    "macros by name": lambda: ("r.XLSM", good(), "import.macros"),
    "macros inside": lambda: (
        "r.xlsx", zipped({"[Content_Types].xml": b"", "xl/vbaProject.bin": b"x"}), "import.macros",
    ),
    "another zip": lambda: ("r.xlsx", zipped({"a.txt": b"x"}), "import.not_workbook"),
    "cut off": lambda: ("r.xlsx", good()[:-300], "import.workbook_damaged"),
    "zeroes in the middle": lambda: ("r.xlsx", good()[:900] + bytes(400) + good()[1300:], "import.workbook_damaged"),
    "broken xml": lambda: (
        "r.xlsx", with_part(good(), "xl/worksheets/sheet1.xml", lambda xml: xml[:-40]), "import.workbook_damaged",
    ),
    "entities": lambda: (
        "r.xlsx",
        with_part(
            good(), "xl/workbook.xml",
            lambda xml: b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + xml.split(b"?>")[-1],
        ),
        "import.workbook_damaged",
    ),
    "a bomb": lambda: (
        "r.xlsx", zipped({"[Content_Types].xml": b"", "xl/worksheets/sheet1.xml": 40}), "import.unpacks_too_big",
    ),
    "6,000 rows": lambda: (
        "r.csv", "\n".join([",".join(HEAD)] + ["1,1,0,Akelei,30000"] * 6000).encode(), "import.too_many_rows",
    ),
    "300 columns": lambda: ("r.csv", (TEXT + "\n" + "x," * 300 + "x").encode(), "import.too_many_columns"),
}  # fmt: skip
LARGE: dict[str, Callable[[], File]] = {
    "100,000 rows of text": lambda: (
        "r.csv", "\n".join([",".join(HEAD)] + ["1,1,0,Akelei,30000"] * 100_000).encode(), "import.too_many_rows",
    ),
    "100,000 rows": lambda: ("r.xlsx", workbook([HEAD, *LINES * 25_000]), "import.sheet_too_long"),
    "a million empty formatted rows": lambda: ("r.xlsx", _formatted(1_000_000), "import.sheet_too_long"),
    "19,000 empty formatted rows": lambda: ("r.xlsx", _formatted(19_000), ""),
    "50 MB of text": lambda: ("r.csv", TEXT.encode() * (50 * MEGABYTE // len(TEXT)), "import.file_too_big"),
    "50 MB of zip": lambda: ("r.xlsx", good() + bytes(50 * MEGABYTE), "import.file_too_big"),
    "9 MB of one cell": lambda: ("r.csv", TEXT.encode() + b"x" * (9 * MEGABYTE), "import.line_too_long"),
    "9 MB of one line": lambda: ("r.csv", TEXT.encode() + b"," * (9 * MEGABYTE), "import.line_too_long"),
    "9 MB of lines": lambda: ("r.csv", b"\n" * (9 * MEGABYTE), "import.file_empty"),
    "9 MB of high bytes": lambda: ("r.csv", b"\xe4a;" * (3 * MEGABYTE), "import.line_too_long"),
    "9 MB of high bytes in lines": lambda: ("r.csv", b"\xe4\xf6;a\r\n" * (9 * MEGABYTE // 6), "import.too_many_rows"),
    "9 MB of wide lines": lambda: ("r.csv", (b"a;" * 15_000 + b"\n") * 300, "import.line_too_long"),
    "9 MB of one quoted cell": lambda: ("r.csv", b'"' + b"x\n" * (4 * MEGABYTE), "import.csv_broken"),
    "a bomb of 4 GB": lambda: (
        "r.xlsx", zipped({"[Content_Types].xml": b"", "xl/worksheets/sheet1.xml": 4096}), "import.unpacks_too_big",
    ),
    "20 MB in one cell": lambda: (
        "r.xlsx",
        with_part(
            workbook([HEAD, *LINES[:3], (1, 1, 3, "x", 30000)]), "xl/worksheets/sheet1.xml",
            lambda xml: re.sub(rb'<c r="D5".*?</c>', b'<c r="D5" t="inlineStr"><is><t>%s</t></is></c>' % digits(), xml),
        ),
        "import.cell_too_long",
    ),
}  # fmt: skip


def read_all(name: str, data: bytes) -> list[list[str]]:
    """Read a file with every importer of lists; return the codes of the errors of each, results first."""
    found = [
        read_results(data, name).problems,
        read_players(data, name).all_problems,
        read_schedule(data, name, entrants=ENTRANTS, table_size=4, planned=1).all_problems,
    ]
    penalties = read_penalties(data, name, entrants=ENTRANTS, rounds=[1])
    found.append((*penalties.problems, *(problem for row in penalties.rows for problem in row.problems)))
    return [list(dict.fromkeys(each.code for each in one if each.severity == "error")) for one in found]


def _peak() -> int:
    """Return the most memory of this program so far in MB; getrusage would count that of who started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s*([0-9]+) kB", status)[0]) // 1024


def measure(path: Path) -> dict[str, object]:
    """Read one file under the limit; return its problems, the loops of the processor and the megabytes that it took."""
    data = path.read_bytes()
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    codes, loops = count_loops(lambda: read_all(path.name, data))
    return {
        "codes": codes,
        "loops": round(loops, 1),
        "megabytes": _peak(),
    }


def main() -> None:
    """Read the file that the program is given."""
    print(json.dumps(measure(Path(sys.argv[1]))))  # noqa: T201
