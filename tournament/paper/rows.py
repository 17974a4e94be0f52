"""Rows that sheets send to the process that prints, beside those of `tournament.tables.rows`.

Nothing here or in what is imported here may import a model: that process loads no app.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.game import Hand
from tournament.pdf.drawings import Face
from tournament.text.numbers import Wind


@dataclass(frozen=True, slots=True)
class SlipSeat:
    """One seat of the table: its number from 1, its wind in this hand, who sits there and what he did, as a word."""

    number: int
    wind: int | None = None
    name: str = ""
    does: str = ""
    change: str = ""


@dataclass(frozen=True, slots=True)
class Faces:
    """Tiles that lie together, with a word for them or none."""

    tiles: tuple[Face, ...]
    word: str = ""


@dataclass(frozen=True, slots=True)
class SlipItem:
    """One line of yaku or fu: what it is, its figure, its clause or its tiles."""

    what: str
    figure: str
    clause: str = ""
    tiles: tuple[Face, ...] = ()
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class SlipCount:
    """A counted hand in words: its tiles, what it is worth, and why; `aside` one line a reading."""

    hand: tuple[Faces, ...]
    value: str
    how: str
    yaku: tuple[SlipItem, ...]
    fu: tuple[SlipItem, ...]
    fu_note: str
    reading: str
    aside: tuple[str, ...]
    liable: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip; what is empty is left to be written by hand. `what` happened and who `pays` are sentences."""

    seats: tuple[SlipSeat, ...]
    round: int | None = None
    table: int | None = None
    hand: str = ""
    honba_and_sticks: str = ""
    what: str = ""
    pays: tuple[str, ...] = ()
    count: SlipCount | None = None


@dataclass(frozen=True, slots=True)
class RecordMark:
    """The head of the record that stands on released results: eight words, and the address that a code leads to."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class PlayerPlaces:
    """One player's line: for each round the table and wind, or None where the player does not sit."""

    name: str
    letters: str
    number: int
    places: tuple[tuple[int, Wind] | None, ...]


class LoggedHand(NamedTuple):
    """A hand as it was entered: `hand` as it was played, None where it is void; `line` is that of a void one.

    `names` are those of who played it, by seat; `origin` says whether it was corrected, `reason` why.
    """

    number: int
    hand: Hand | None
    names: Sequence[str]
    line: str
    origin: str
    reason: str
    by: str
    at: dt.datetime
