"""The call slip: one small page on which a referee writes down a call, with the counted hand if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournament.pdf.drawings import Face, drawn
from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves
from tournament.text.numbers_figures import WINDS

NAME = Room(56, 4.6, 10, bold=True)


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


def empty_slip(players: int) -> Slip:
    """Return a slip on which all is written by hand."""
    return Slip(tuple(SlipSeat(number) for number in range(1, players + 1)))


def call_slip_leaves(slips: Sequence[Slip]) -> Leaves:
    """Give call slips, a page each unless a hand has more to say."""
    return Leaves("call_slip", ({"slips": [_slip(slip) for slip in slips]},))


def _slip(slip: Slip) -> dict[str, Any]:
    seats = [(seat, WINDS[seat.wind] if seat.wind is not None else None, fit(seat.name, NAME)) for seat in slip.seats]
    return {"slip": slip, "seats": seats, "count": _count(slip.count) if slip.count else None}


def _count(count: SlipCount) -> dict[str, Any]:
    return {
        "words": count,
        "hand": [(each.word, _drawn(each.tiles)) for each in count.hand],
        "yaku": [(item, ()) for item in count.yaku],
        "fu": [(item, _drawn(item.tiles)) for item in count.fu],
    }


def _drawn(tiles: Sequence[Face]) -> list[str]:
    return [drawn(tile) for tile in tiles]
