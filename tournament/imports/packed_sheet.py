"""A sheet as plain JSON values and back, so that a page can carry it from the first look to the last.

It checks nothing: what it unpacks must have been signed by us.
"""

from collections.abc import Mapping
from typing import Any

from scoring.problems import Problem
from tournament.imports.cells import SheetRow
from tournament.imports.sheet import Sheet


def sheet_as_json(sheet: Sheet) -> dict[str, Any]:
    """Return a sheet as plain values."""
    return {
        "kind": sheet.kind,
        "rows": [[row.number, *row.cells] for row in sheet.rows],
        "worksheet": sheet.worksheet,
        "other_worksheets": sheet.other_worksheets,
        "encoding": sheet.encoding,
        "delimiter": sheet.delimiter,
        "problems": [[each.code, dict(each.params), each.severity] for each in sheet.problems],
    }


def sheet_from_json(value: Mapping[str, Any]) -> Sheet:
    """Return the sheet of which `sheet_as_json` made these values."""
    return Sheet(
        kind=value["kind"],
        rows=tuple(SheetRow(number, tuple(cells)) for number, *cells in value["rows"]),
        worksheet=value["worksheet"],
        other_worksheets=tuple(value["other_worksheets"]),
        encoding=value["encoding"],
        delimiter=value["delimiter"],
        problems=tuple(Problem(code, params, severity) for code, params, severity in value["problems"]),
    )
