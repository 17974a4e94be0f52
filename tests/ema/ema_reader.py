"""A reader of the federation's workbook, written from the layout alone: columns by letter, the event in row 3."""

import io
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from openpyxl import load_workbook


@dataclass(frozen=True)
class ReadLine:
    """One player as the federation sees it."""

    position: int
    first_name: str
    last_name: str
    ema_number: str
    score: int
    member: bool
    country: str


@dataclass(frozen=True)
class ReadEvent:
    """The event as the federation sees it."""

    name: str
    country: str
    town: str
    weight: Decimal
    rules: str
    date: str
    days: int
    lines: tuple[ReadLine, ...]


def read_ema(data: bytes) -> ReadEvent:
    """Read as many lines from row 2 on as the number of players says; numbers get their leading noughts back."""
    (sheet,) = load_workbook(io.BytesIO(data)).worksheets

    def cell(letter: str, row: int) -> Any:
        return sheet[f"{letter}{row}"].value

    lines = tuple(
        ReadLine(
            position=int(cell("C", row)),
            first_name=cell("D", row) or "",
            last_name=cell("E", row) or "",
            ema_number=str(cell("F", row)).zfill(8) if cell("F", row) is not None else "",
            score=int(cell("H", row)),
            member=bool(cell("I", row)),
            country=cell("J", row) or "",
        )
        for row in range(2, 2 + int(cell("B", 3)))
    )
    return ReadEvent(
        name=cell("A", 3),
        country=cell("L", 3),
        town=cell("M", 3),
        weight=Decimal(str(cell("N", 3))),
        rules=cell("P", 3),
        date=cell("Q", 3),
        days=int(cell("R", 3)),
        lines=lines,
    )
