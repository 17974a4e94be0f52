"""Write an event's results for the federation: the workbook in its layout, and the newer ranking site's csv.

What a place is worth there is in scoring.mers; what the federation would refuse is checked in ema_check.py.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from tournament.exports.files_csv_files import csv_file
from tournament.text.names_countries import two_letters
from tournament.text.numbers_figures import text_width

RULES: Final = "riichi"
DIGITS: Final = 8
EVENT_ROW: Final = 3  # where the layout wants what is known of the event, beside the second player
# K and O are not read; G is for the other rule set.
HEADINGS: Final = {
    "A": "Tournament", "B": "Players", "C": "Position", "D": "First name", "E": "Last name", "F": "EMA number",
    "G": "Table points", "H": "Score", "I": "EMA member", "J": "Country", "L": "Host country", "M": "Place",
    "N": "MERS weight", "P": "Rules", "Q": "Date", "R": "Days",
}  # fmt: skip
CSV_HEADINGS: Final = ("position", "ema_id", "last_name", "first_name", "nationality", "points", "mahjong")
_PARTICLES = frozenset(
    ("af", "av", "da", "das", "de", "degli", "del", "della", "der", "di", "dos", "du", "el", "la", "le", "op", "ten",
     "ter", "van", "vom", "von", "y", "zu")
)  # fmt: skip
_FRAMED = "CDEFGHIJ"  # the columns of the players
_NUMBERS = "BCGHINR"  # columns of numbers
_WIDEST = 40


@dataclass(frozen=True, slots=True)
class EmaEvent:
    """What the workbook says of the event; `halves` is the MERS weight in halves, `listed` counts substitutes, too.

    `country` is where it was played, by ISO code; `rounds` are those counted, of so many `planned`; `rules` is the key
    of the book, and so many play at a table.
    """

    name: str
    place: str
    country: str
    day: dt.date
    days: int
    halves: int
    listed: int
    rounds: int
    planned: int
    rules: str
    table_size: int = 4


@dataclass(frozen=True, slots=True)
class EmaPlayer:
    """One line: place, names, eight digits or "", total in points, ISO code of the country or "".

    `name` is what the desk calls the player; results, penalties and `cut`, whether a cut took something, explain the
    total.
    """

    position: int
    name: str
    first_name: str
    last_name: str
    ema_number: str
    country: str
    score: int
    results: tuple[int | None, ...] = ()
    penalties: int = 0
    cut: bool = False
    group: int = 0


def split_name(name: str) -> tuple[str, str]:
    """Part a name into first and last: words in capitals are the last name, else the last word with what belongs to it.

    A name of one word, or of signs without a gap, is a last name alone.

    >>> split_name("Ada MOSS"), split_name("MOSS FIR Ada"), split_name("Jo van der Elm"), split_name("東海林さくら")
    (('Ada', 'MOSS'), ('Ada', 'MOSS FIR'), ('Jo', 'van der Elm'), ('', '東海林さくら'))
    """
    words = name.split()
    loud = [word for word in words if len(word) > 1 and word.isupper()]
    if loud and len(loud) < len(words):
        return " ".join(word for word in words if word not in loud), " ".join(loud)
    first = max(len(words) - 1, 0)
    while first > 1 and words[first - 1].casefold() in _PARTICLES:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])


def date_words(first: dt.date, days: int) -> str:
    """Write the days of an event as the federation's lists do.

    >>> day = dt.date(2026, 9, 30)
    >>> date_words(day, 1), date_words(dt.date(2026, 9, 12), 2), date_words(day, 2)
    ('30 Sept. 2026', '12-13 Sept. 2026', '30 Sept. - 1 Oct. 2026')
    """
    last = first + dt.timedelta(days=max(days, 1) - 1)
    end = f"{last.day} {_MONTHS[last.month - 1]} {last.year}"
    if last == first:
        return end
    if (last.year, last.month) == (first.year, first.month):
        return f"{first.day}-{end}"
    year = "" if last.year == first.year else f" {first.year}"
    return f"{first.day} {_MONTHS[first.month - 1]}{year} - {end}"


def ema_workbook(event: EmaEvent, players: Sequence[EmaPlayer], made_at: dt.datetime) -> bytes:
    """Make the workbook: a line a player from row 2 on, and the event in row 3 of the outer columns."""
    # loaded when one is made, not with the desk: a tenth of its start
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Border, Font, Side

    from tournament.pages.spreadsheets import FONT, save_book, set_up_print, write_text

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Results"
    book.properties.title, book.properties.creator = event.name, "Hanchan Desk"
    columns = _columns(event, players)
    for letter, heading in HEADINGS.items():
        head = write_text(sheet[f"{letter}1"], heading)
        head.font, head.border = Font(name=FONT, bold=True), Border(bottom=Side(style="medium"))
        for row, value in columns[letter]:
            if isinstance(value, str):
                write_text(sheet[f"{letter}{row}"], value).alignment = Alignment(horizontal="left", indent=1)
            elif value is not None:
                sheet[f"{letter}{row}"].value = value
                sheet[f"{letter}{row}"].number_format = _FORMATS.get(letter, "General")
        shown = [heading, *(str(value) for _row, value in columns[letter])]
        sheet.column_dimensions[letter].width = min(max(map(text_width, shown)) + 4, _WIDEST)
        if letter not in _NUMBERS:
            head.alignment = Alignment(horizontal="left", indent=1)
    sheet.freeze_panes = "F2"
    sheet.auto_filter.ref = f"{_FRAMED[0]}1:{_FRAMED[-1]}{max(len(players), 1) + 1}"
    set_up_print(sheet, heading_row=1)
    return save_book(book, made_at)


def ranking_csv(players: Sequence[EmaPlayer]) -> bytes:
    """Make the newer ranking site's csv: countries by two letters, and the score in the column that it calls mahjong.

    What it calls points are table points, which this game has not.
    """
    return csv_file(
        CSV_HEADINGS,
        (
            (
                player.position,
                player.ema_number,
                player.last_name,
                player.first_name,
                two_letters(player.country) or player.country,
                0,
                player.score,
            )
            for player in players
        ),
    )


_MONTHS = ("Jan.", "Feb.", "March", "April", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_YES_NO = '"TRUE";"TRUE";"FALSE"'  # or LibreOffice shows 1 and 0
_FORMATS = {"I": _YES_NO, "B": "0", "C": "0", "H": "#,##0;-#,##0", "N": "0.0", "R": "0"}  # fmt: skip

_Value = str | int | bool | Decimal | None


def _columns(event: EmaEvent, players: Sequence[EmaPlayer]) -> dict[str, list[tuple[int, _Value]]]:
    """Return the cells below each heading as (row, value)."""
    outer: dict[str, _Value] = {
        "A": event.name, "B": len(players), "L": event.country, "M": event.place, "N": Decimal(event.halves) / 2,
        "P": RULES, "Q": date_words(event.day, event.days), "R": event.days,
    }  # fmt: skip
    columns: dict[str, list[tuple[int, _Value]]] = {letter: [] for letter in HEADINGS}
    for letter, value in outer.items():
        columns[letter].append((EVENT_ROW, value))
    for row, player in enumerate(players, start=2):
        line: dict[str, _Value] = {
            "C": player.position, "D": player.first_name, "E": player.last_name, "F": player.ema_number or None,
            "H": player.score, "I": bool(player.ema_number), "J": player.country or None,
        }  # fmt: skip
        for letter, value in line.items():
            columns[letter].append((row, value))
    return columns
