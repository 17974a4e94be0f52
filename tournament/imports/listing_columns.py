"""Find the header row of a list and what each column means; headings may be misspelt, long, in several languages.

Three grades: the heading is known, it looks like a known one, or it contains one as a word. Every column comes back,
with its meaning or with none.
"""

import dataclasses
import difflib
import functools
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from tournament.imports.files_cells import SheetRow, column_letter

_HEADER_DEPTH = 20  # titles and notes above the header
_CUT_OFF = 0.8  # "Nme" is 0.86 like "name", "game" 0.75
_KEPT = 60  # characters of a cell: what was guessed of longer ones is not kept
_LONGEST_QUESTION = 12  # words; a form's heading is a question, a longer text is a note


# headings that several kinds of list share: English, German, French, Japanese
ROUND = "round|rnd|rd|session|hanchan|Runde|Durchgang|ronde|manche|tour|partie|回戦|ラウンド|半荘"
TABLE = "table|table no|table number|tbl|Tisch|Tischnummer|Tisch Nr|numéro de table|卓|卓番号|テーブル"
SEAT = "seat|wind|seat no|start wind|Sitz|Sitzplatz|Platz|siège|vent|席|座席|風|家"
PLAYER = (
    "player|player name|name|full name|Spieler|Spielerin|Spielername|joueur|joueuse|nom|"
    "選手|選手名|プレイヤー|プレーヤー|名前|氏名"
)


class Vocabulary:
    """What columns can mean: meaning → the headings it goes by.

    The order decides where a long heading has words of several meanings.
    `ignored` are meanings that are recognised so that they are taken for nothing else.
    """

    def __init__(self, meanings: Mapping[str, str], *, ignored: Mapping[str, str]) -> None:
        """Take the headings of a meaning as one text with | between them."""
        self.meanings = tuple(meanings)
        self.ignored = frozenset(ignored)
        folded = {
            meaning: [_fold(text) for text in texts.split("|")] for meaning, texts in {**meanings, **ignored}.items()
        }
        self.known = {text.replace(" ", ""): meaning for meaning, texts in folded.items() for text in texts}
        self.phrases = [(meaning, text) for meaning, texts in folded.items() for text in texts]


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
    rows: Sequence[SheetRow], vocabulary: Vocabulary, *, complete: Callable[[frozenset[str]], bool]
) -> Header | None:
    """Find the row that is the header: the one whose headings say most, among those that are `complete`."""
    best: Header | None = None
    best_weight = 0
    for row in rows[:_HEADER_DEPTH]:
        header = _read_header(row, vocabulary)
        weight = sum(column.grade for column in header.columns if column.used)
        if weight > best_weight and complete(header.meanings):
            best, best_weight = header, weight
    return best


def _read_header(row: SheetRow, vocabulary: Vocabulary) -> Header:
    guesses = [
        (index, cell, *(_kept_guess if len(cell) <= _KEPT else _guess)(cell, vocabulary))
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
        alike = difflib.get_close_matches(joined, vocabulary.known, n=1, cutoff=_CUT_OFF)
        if alike:
            return vocabulary.known[alike[0]], Grade.ALIKE
    return _guess_by_word(words, vocabulary)


# a list may say the same on each of its 5,000 rows, and every row is asked whether it is a heading
_kept_guess = functools.lru_cache(maxsize=4_096)(_guess)


def _guess_by_word(words: str, vocabulary: Vocabulary) -> tuple[str, Grade]:
    """Take the first meaning, in the vocabulary's order, of which a name stands as a word in the heading."""
    for meaning, text in vocabulary.phrases:
        # Japanese has no gaps between words; a single sign there is too little to go by
        if f" {text} " in f" {words} " or (len(text) >= 2 and text[0] >= "\u2e80" and text in words):
            return meaning, Grade.WORD
    return "", Grade.NONE


def _fold(heading: str) -> str:
    """Fold a heading to lower-case words without accents and punctuation; signs of Asian scripts stay as they are."""
    spread = unicodedata.normalize("NFKD", heading.replace("№", "no").replace("#", " no ").casefold())
    bare = "".join(sign for sign in spread if not "\u0300" <= sign <= "\u036f")
    composed = unicodedata.normalize("NFC", bare)
    return " ".join("".join(sign if sign.isalnum() or sign == "ー" else " " for sign in composed).split())
