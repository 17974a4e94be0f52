"""Find the header row of a list and the meaning of each column, and go through the steps that all lists share.

Headings may be misspelt, long, in several languages: known, similar to a known one, or with one as a word. Every column
comes back, with its meaning or with none.
"""

import dataclasses
import difflib
import functools
import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from scoring.problems import Problem, ProblemType
from tournament.core.limits import MAX_FILENAME
from tournament.imports.files import (
    ROW_LIMIT,
    Sheet,
    SheetRow,
    cell_at,
    column_letter,
    is_date,
    read_points,
    read_sheet,
)
from tournament.text.names import printable

_HEADER_DEPTH = 20  # titles and notes above the header
_CUT_OFF = 0.8  # "Nme" is 0.86 like "name", "game" 0.75
_KEPT = 60  # characters of a cell: what was guessed of longer ones is not kept
_LONGEST_QUESTION = 12  # words; a form's heading is a question, a longer text is a note


# headings that several kinds of list share: English, German, French, Japanese
ROUND = "round|rnd|rd|session|hanchan|Runde|Durchgang|ronde|manche|tour|partie|回戦|ラウンド|半荘"
TABLE = "table|table no|table number|tbl|Tisch|Tischnummer|Tisch Nr|numéro de table|卓|卓番号|テーブル"
SEAT = "seat|wind|seat no|start wind|Sitz|Sitzplatz|Platz|siège|vent|席|座席|風|家"
WINDS = (
    "east|E|Ost|est|東|東家|起家",
    "south|S|Süd|Sued|sud|南|南家",
    "west|W|ouest|西|西家",
    "north|N|Nord|北|北家",
)
PLACES = (("1st", "1位"), ("2nd", "2位"), ("3rd", "3位"), ("4th", "4位"))
PLAYER = (
    "player|player name|name|full name|Spieler|Spielerin|Spielername|joueur|joueuse|nom|"
    "選手|選手名|プレイヤー|プレーヤー|名前|氏名"
)


def wind_headings(forms: str, seat: int) -> str:
    """Return headings of a seat: `forms` with {} for the names of its wind, for its number, and for a place."""
    names = (*WINDS[seat].split("|"), f"player {seat + 1}", f"p{seat + 1}", str(seat + 1), *PLACES[seat])
    return "|".join(form.format(name) for form in forms.split("|") for name in names)


class Vocabulary:
    """What columns can mean: meaning → the headings it goes by.

    The order decides where a long heading has words of several meanings.
    `ignored` are meanings that are recognised so that they are taken for nothing else. `given_names` are headings that
    are given names or like one: neither "Nick Berg" nor "Elias" is a heading. `family_names` are those that are family
    names: nor is "Gary Player".
    """

    def __init__(
        self,
        meanings: Mapping[str, str],
        *,
        ignored: Mapping[str, str],
        given_names: frozenset[str] = frozenset(),
        family_names: frozenset[str] = frozenset(),
    ) -> None:
        """Take the headings of a meaning as one text with | between them."""
        self.meanings = tuple(meanings)
        self.ignored = frozenset(ignored)
        folded = {
            meaning: [_fold(text) for text in texts.split("|")] for meaning, texts in {**meanings, **ignored}.items()
        }
        self.known = {text.replace(" ", ""): meaning for meaning, texts in folded.items() for text in texts}
        self.given_names, self.family_names = given_names, family_names
        # a misspelt heading may be like these; "Noam" and "Emma" are names, not "nom" and "EMA"
        self.fuzzy_headings = [text for text in self.known if len(text) > 3 and text not in given_names]
        self.phrases = [
            (meaning, text) for meaning, texts in folded.items() for text in texts if text not in given_names
        ]

    def may_be_row(self, header: "Header", rows: Sequence[SheetRow]) -> bool:
        """Return whether all that is known of a header is a name, as in a row of the list."""
        known = [column for column in header.columns if column.grade]
        return len(known) == 1 and self._may_be_name(known[0], rows)

    def _may_be_name(self, column: "Column", rows: Sequence[SheetRow]) -> bool:
        """Return whether a heading is a given name, ends in a family name, or is only like a heading as one word among
        others is.
        """
        *given, last = _fold(column.heading).split()
        if not given:
            alike = column.grade is Grade.ALIKE and all(" " not in cell_at(row, column.index) for row in rows)
            return last in self.given_names or alike
        return len(given) == 1 and last in self.family_names and not column.heading.split()[0].islower()


class Grade(IntEnum):
    """How sure a guess is; also its weight when the header row is looked for."""

    NONE = 0
    WORD = 1
    ALIKE = 2
    KNOWN = 3


@dataclass(frozen=True, slots=True)
class Column:
    """One column: letter, heading as written, meaning ("" if not understood) and whether it is used."""

    index: int
    letter: str
    heading: str
    meaning: str = ""
    used: bool = False
    grade: Grade = Grade.NONE

    @property
    def text(self) -> str:
        return f"{self.letter} “{self.heading[:40]}”" if self.heading else self.letter


@dataclass(frozen=True, slots=True)
class Header:
    """The header row and its columns; `doubles` are columns whose meaning another one already has."""

    row: int
    columns: tuple[Column, ...]
    doubles: tuple[Column, ...] = ()

    @property
    def meanings(self) -> frozenset[str]:
        return frozenset(column.meaning for column in self.columns if column.used)

    def index_of(self, meaning: str) -> int:
        """Return the column used for a meaning, -1 for none."""
        return next((column.index for column in self.columns if column.used and column.meaning == meaning), -1)

    def fields(self, row: SheetRow) -> dict[str, str]:
        """Take the used cells of a row: meaning → text, "" where the cell is empty or missing."""
        return {
            column.meaning: row.cells[column.index] if column.index < len(row.cells) else ""
            for column in self.columns
            if column.used
        }


def likely_header(rows: Sequence[SheetRow]) -> Header:
    """Return what may have been meant as the header where nothing is understood: the widest of the first rows."""
    likely = max(rows[:_HEADER_DEPTH], key=lambda row: sum(bool(cell) for cell in row.cells))
    columns = tuple(Column(index, column_letter(index), cell) for index, cell in enumerate(likely.cells))
    return Header(likely.number, columns)


def all_columns(header: Header, rows: Sequence[SheetRow]) -> Header:
    """Add the columns that have no heading but something below it, so that each can be chosen."""
    width = max((len(row.cells) for row in rows if row.number > header.row), default=0)
    bare = (Column(index, column_letter(index), "") for index in range(len(header.columns), width))
    return dataclasses.replace(header, columns=(*header.columns, *bare))


def list_headings(rows: Sequence[SheetRow]) -> str:
    """List the columns of what may have been meant as the header, for a message."""
    seen = [column.text for column in likely_header(rows).columns if column.heading]
    return ", ".join(seen[:12]) + (" …" if len(seen) > 12 else "")


def find_header(
    rows: Sequence[SheetRow],
    vocabulary: Vocabulary,
    *,
    complete: Callable[[frozenset[str]], bool],
    settle: Callable[[Header], Header] = lambda header: header,
) -> Header | None:
    """Find the row that is the header, settled: the one whose headings say most, among those that are `complete`."""
    best: Header | None = None
    best_weight = 0
    for row in rows[:_HEADER_DEPTH]:
        header = settle(_read_header(row, vocabulary))
        weight = sum(column.grade for column in header.columns if column.used)
        if weight > best_weight and complete(header.meanings):
            best, best_weight = header, weight
    return best


def _read_header(row: SheetRow, vocabulary: Vocabulary) -> Header:
    guesses = [
        (index, cell, *(kept_guess if len(cell) <= _KEPT else _guess)(cell, vocabulary))
        for index, cell in enumerate(row.cells)
    ]
    chosen: dict[str, int] = {}
    for index, _, meaning, grade in sorted(guesses, key=lambda guess: (-guess[3], guess[0])):
        if grade and meaning not in vocabulary.ignored:
            chosen.setdefault(meaning, index)
    columns = tuple(
        Column(index, column_letter(index), cell, meaning, chosen.get(meaning) == index, grade)
        for index, cell, meaning, grade in guesses
    )
    doubles = tuple(column for column in columns if column.grade and column.meaning in chosen and not column.used)
    return Header(row.number, columns, doubles)


def _guess(heading: str, vocabulary: Vocabulary) -> tuple[str, Grade]:
    words = _fold(heading)
    joined = words.replace(" ", "")
    if not joined or words.count(" ") > _LONGEST_QUESTION:
        return "", Grade.NONE
    if joined in vocabulary.known:
        return vocabulary.known[joined], Grade.KNOWN
    if any(sign.isdigit() for sign in joined):
        return "", Grade.NONE  # "Player 001" is a player, not a heading
    if 3 <= len(joined) <= 30:
        alike = difflib.get_close_matches(joined, vocabulary.fuzzy_headings, n=1, cutoff=_CUT_OFF)
        if alike:
            return vocabulary.known[alike[0]], Grade.ALIKE
    return _guess_by_word(words, vocabulary)


def _guess_by_word(words: str, vocabulary: Vocabulary) -> tuple[str, Grade]:
    """Take the first meaning, in the vocabulary's order, of which a name stands as a word in the heading."""
    for meaning, text in vocabulary.phrases:
        # Japanese has no gaps between words; a single sign is too little to go by
        if len(text) >= 2 and (f" {text} " in f" {words} " or (text[0] >= "\u2e80" and text in words)):
            return meaning, Grade.WORD
    return "", Grade.NONE


def _fold(heading: str) -> str:
    """Fold a heading to lower-case words without accents and punctuation; signs of Asian scripts stay as they are."""
    spread = unicodedata.normalize("NFKD", heading.replace("№", "no").replace("#", " no ").casefold())
    bare = "".join(sign for sign in spread if not "\u0300" <= sign <= "\u036f")
    composed = unicodedata.normalize("NFC", bare)
    return " ".join("".join(sign if sign.isalnum() or sign == "ー" else " " for sign in composed).split())


# a list may say the same on each of its 5,000 rows, and every row is asked whether it is a heading
kept_guess = functools.lru_cache(maxsize=4_096)(_guess)

IMPORT_CELL_IS_DATE = ProblemType(
    "import.cell_is_date",
    "The spreadsheet made a date of the {column} in row {row} ({given}). Format the column as text or number and "
    "write it again.",
)
IMPORT_COLUMNS_MISSING = ProblemType(
    "import.columns_missing", "These columns are missing: {missing}. The columns found are: {columns}."
)
IMPORT_COLUMN_TWICE = ProblemType(
    "import.column_twice", "Column {column} was left out: another column is already read as {meaning}."
)
IMPORT_NO_HEADINGS = ProblemType(
    "import.no_headings", "The list has no headings: row {row} (“{given}”) was read like the others."
)
IMPORT_NO_ROWS = ProblemType("import.no_rows", "There is nothing below the headings in row {row}.")
IMPORT_ROW_TOO_WIDE = ProblemType(
    "import.row_too_wide",
    "Row {row} has {cells} cells under {columns} headings: a name or number with a separator in it needs "
    "quotation marks.",
)
IMPORT_NUMBER_MISSING = ProblemType("import.number_missing", "Row {row} has no {column}.")
IMPORT_NUMBER_UNKNOWN = ProblemType("import.number_unknown", "“{given}” in row {row} is not a whole number ({column}).")

Chosen = Mapping[int, str]  # column, counted from 0 → meaning, "" for none


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was imported, as the audit trail names it: `digest` is its SHA-256, "" where it was not kept."""

    filename: str
    digest: str = ""

    def details(self) -> dict[str, Any]:
        """Return what an audit row says of it."""
        said = {"file": printable(self.filename)[:MAX_FILENAME]}
        return said | ({"digest": self.digest} if self.digest else {})


def make_source(data: bytes, filename: str) -> Source:
    """Return the source for a file's content."""
    return Source(filename, hashlib.sha256(data).hexdigest())


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """One row by its number in the sheet, and what is wrong with it."""

    row: int
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """A whole file as understood; `problems` concern the file, each row carries its own; no sheet: it was refused.

    `header_row` is the row taken for the headings, 0 or None for none.
    """

    filename: str
    sheet: Sheet | None
    columns: tuple[Column, ...] = ()
    problems: tuple[Problem, ...] = ()
    rows: tuple[RowVerdict, ...] = ()
    header_row: int | None = field(default=None, kw_only=True)

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        return self.problems + tuple(problem for row in self.rows for problem in row.problems)

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self.all_problems)

    @property
    def brings(self) -> tuple[object, ...]:
        """Return what an import of this would write; by it an unchanged preview is known."""
        return ()

    @property
    def is_sound(self) -> bool:
        """Say whether everything can be imported."""
        return bool(self.brings) and not self.has_errors


@dataclass(frozen=True, slots=True)
class ListKind:
    """A kind of list: what its columns can mean, and which of them it requires.

    `settle` may change what a header was taken for; `complete` and `lacking` replace "all of `wanted`"; `titles` are
    names of worksheets that hold such a list, with | between them. With `widest_only` headings that are not complete
    are looked for in the widest row alone: where bare numbers are headings, rows of numbers would pass for them.
    `bare` returns the columns of a list that has no headings.
    """

    vocabulary: Vocabulary
    wanted: tuple[str, ...] = ()
    settle: Callable[[Header], Header] = lambda header: header
    complete: Callable[[frozenset[str]], bool] | None = None
    lacking: Callable[[Sequence[SheetRow]], Problem] | None = None
    titles: str = ""
    widest_only: bool = False
    bare: Callable[[Sequence[SheetRow]], Header | None] = lambda _rows: None
    most_rows: int = ROW_LIMIT

    def read(self, data: bytes, filename: str) -> Sheet:
        """Read the sheet of a file that holds such a list, else the first. Raises InvalidInput with what is wrong."""
        titles = self.titles.casefold().split("|")
        return read_sheet(data, filename, wanted=self.suits, titles=titles, most_rows=self.most_rows)

    def suits(self, rows: Sequence[SheetRow]) -> bool:
        """Say whether these rows hold such a list."""
        return self.find(rows) is not None

    def is_complete(self, meanings: frozenset[str]) -> bool:
        """Say whether these columns are enough."""
        return self.complete(meanings) if self.complete else meanings.issuperset(self.wanted)

    def find(self, rows: Sequence[SheetRow]) -> Header | None:
        """Find the headings."""
        return find_header(rows, self.vocabulary, complete=self.is_complete, settle=self.settle)

    def nearest(self, rows: Sequence[SheetRow]) -> Header:
        """Return what may have been meant as the headings where none are complete."""
        likely = likely_header(rows)
        tried = [row for row in rows if row.number == likely.row] if self.widest_only else rows
        return find_header(tried, self.vocabulary, complete=bool, settle=self.settle) or likely

    def say_lacking(self, meanings: frozenset[str], rows: Sequence[SheetRow]) -> Problem:
        """Say which columns are missing."""
        if self.lacking:
            return self.lacking(rows)
        missing = ", ".join(meaning for meaning in self.wanted if meaning not in meanings)
        return IMPORT_COLUMNS_MISSING(missing=missing, columns=list_headings(rows))


@dataclass(frozen=True, slots=True)
class Listing:
    """A list found in a sheet: without a `header` it cannot be read, and `columns` are what can be chosen from."""

    header: Header | None
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]
    problems: tuple[Problem, ...]

    @property
    def header_row(self) -> int | None:
        return self.header.row if self.header else None


def list_in(sheet: Sheet, kind: ListKind, *, chosen: Chosen | None = None) -> Listing:
    """Find the list in a sheet; `problems` say what keeps it from being one."""
    header = kind.find(sheet.rows)
    if sheet.rows and (header is None or kind.vocabulary.may_be_row(header, sheet.rows)):
        header = kind.bare(sheet.rows) or header
    nearest = all_columns(header or kind.nearest(sheet.rows), sheet.rows)
    if chosen is not None:
        nearest = choose(nearest, chosen)
        header = (_without_tail(nearest) if nearest.row else nearest) if kind.is_complete(nearest.meanings) else None
    if header is None:
        lacking = kind.say_lacking(nearest.meanings, sheet.rows)
        return Listing(None, nearest.columns, (), (*sheet.problems, lacking))
    rows = tuple(row for row in sheet.rows if row.number > header.row)
    doubles = (IMPORT_COLUMN_TWICE.warning(column=one.text, meaning=one.meaning) for one in header.doubles)
    empty = () if rows else (IMPORT_NO_ROWS(row=header.row),)
    bare = () if header.row else (IMPORT_NO_HEADINGS.warning(row=rows[0].number, given=printable(rows[0].cells[0])),)
    return Listing(header, nearest.columns, rows, (*sheet.problems, *doubles, *empty, *bare))


def _without_tail(header: Header) -> Header:
    """Drop unused columns without a heading at the end: in text a row that reaches there has too many separators."""
    last = max((column.index for column in header.columns if column.heading or column.used), default=-1)
    return dataclasses.replace(header, columns=header.columns[: last + 1])


def choose(header: Header, chosen: Chosen) -> Header:
    """Give the columns of a header the chosen meanings; of two with the same meaning the first is used."""
    first: dict[str, int] = {}
    for column in header.columns:
        first.setdefault(chosen.get(column.index, ""), column.index)
    columns = tuple(
        dataclasses.replace(
            column,
            meaning=meaning,
            used=bool(meaning) and first[meaning] == column.index,
            grade=Grade.KNOWN if meaning else Grade.NONE,
        )
        for column in header.columns
        for meaning in (chosen.get(column.index, ""),)
    )
    return Header(header.row, columns, tuple(column for column in columns if column.meaning and not column.used))


def too_wide(row: SheetRow, header: Header, *, is_text: bool) -> list[Problem]:
    """Refuse a row of text that is wider than its header: an unquoted separator has moved every cell behind it."""
    if not is_text or len(row.cells) <= len(header.columns):
        return []
    return [IMPORT_ROW_TOO_WIDE(row=row.number, cells=len(row.cells), columns=len(header.columns))]


def read_number_cell(
    text: str, row: int, column: str, problems: list[Problem], *, thousands: bool = False
) -> int | None:
    """Read a number that must be there; None and a problem for anything else."""
    number = read_points(text, thousands=thousands)
    if not text:
        problems.append(IMPORT_NUMBER_MISSING(row=row, column=column))
    elif number is None:
        kind = IMPORT_CELL_IS_DATE if is_date(text) else IMPORT_NUMBER_UNKNOWN
        problems.append(kind(row=row, column=column, given=printable(text)))
    return number


def part_problems(
    rows: Iterable[int], judged: Iterable[tuple[int, Problem]]
) -> tuple[tuple[RowVerdict, ...], tuple[Problem, ...]]:
    """Part (row, problem) pairs into the verdicts of these rows and the problems that concern the whole file."""
    by_row: dict[int, list[Problem]] = {row: [] for row in sorted(rows)}
    of_file: list[Problem] = []
    for row, problem in judged:
        by_row.get(row, of_file).append(problem)
    return tuple(RowVerdict(row, tuple(problems)) for row, problems in by_row.items()), tuple(of_file)


def named_row(problem: Problem) -> int:
    """Return the row that a problem names, 0 for none."""
    row = problem.params.get("row", 0)
    return row if isinstance(row, int) else 0


# the mistakes by which a log that is not of its form shows itself, of any kind
WRONG_FORM = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
