"""The shapes that paper and files are made of: plain frozen rows, filled by selectors and read by sheets and exports.

They hold facts, never text ready for print, and never a model. Points are whole; seats run from 0, the first East.
"""

import datetime as dt
from dataclasses import dataclass

PAPERS = ("a4", "letter")


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One player at a table; `number` is the player's number in the event, 1..N."""

    seat: int
    name: str
    number: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of a round, its seats in seat order."""

    number: int
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class DrawOrigin:
    """What seats were drawn from, beside their seed.

    `by` is "draw" for the draw before the start, "redraw" after somebody left or came, "standing" for a round by rank.
    `players` are those of the list, without the `substitutes`; `ended_early` says that the seed alone does not give the
    draw again.
    """

    by: str = "draw"
    players: int = 0
    substitutes: int = 0
    wishes: bool = False
    rests: bool = False
    ended_early: bool = False


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round as drawn; `seed` is None where the seats were not drawn by this program.

    `origin` is None where nothing but the seed is known: a draw without wishes by an earlier desk.
    """

    number: int
    tables: tuple[TableRow, ...]
    seed: int | None
    origin: DrawOrigin | None = None


@dataclass(frozen=True, slots=True)
class EventHead:
    """What stands at the top of every page.

    `printed_at` is aware and is shown in the time zone that it carries: hand it over in the event's own zone.
    `paper` is one of PAPERS.
    """

    name: str
    slug: str
    date: dt.date
    ruleset_title: str
    players_per_table: int
    rounds: int
    start_points: int
    deposit: int
    minutes: int
    extra_hands: int
    printed_at: dt.datetime
    paper: str = "a4"


@dataclass(frozen=True, slots=True)
class PenaltySheetRow:
    """One row of the penalty register: points ≥ 0 that it costs, or cost before it was cancelled. `given_at` is aware.

    `kind` is "warning", "points", "dead_hand", "chombo" or "other"; round and table are those it belongs to, if any.
    `amount_reason` says why it costs another amount than usual.
    """

    given_at: dt.datetime
    round: int | None
    name: str
    points: int
    reason: str
    clause: str
    given_by: str
    table: int | None = None
    kind: str = "points"
    cancelled: bool = False
    cancel_reason: str = ""
    amount_reason: str = ""


@dataclass(frozen=True, slots=True)
class BadgeRow:
    """One player as a badge names him; country and club may be empty."""

    name: str
    number: int
    country: str = ""
    club: str = ""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One player's game in a list of results, in points; `place` is None where a substitute took the seat's game."""

    seat: int
    name: str
    points: int
    place: int | None
    shared: bool
    uma: int
    result: int
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A finished table, its games in seat order."""

    number: int
    games: tuple[GameRow, ...]


@dataclass(frozen=True, slots=True)
class ResultRound:
    """A round's finished tables."""

    number: int
    tables: tuple[ResultTable, ...]


@dataclass(frozen=True, slots=True)
class LogHand:
    """One hand in words. `changes` and `scores` are points by seat, both empty where the hand is void.

    `notes` say what was written beside it: payments, a correction, why it is void.
    """

    number: int
    hand: str
    what: str
    value: str
    by: str
    at: dt.datetime
    changes: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogTable:
    """A table's whole log; `names` by seat, `closing` says how it ended and what is signed."""

    number: int
    names: tuple[str, ...]
    hands: tuple[LogHand, ...]
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogRound:
    """A round of the log."""

    number: int
    tables: tuple[LogTable, ...]


@dataclass(frozen=True, slots=True)
class FoulRow:
    """A foul on the list for referees: what happened, what it costs as texts one a case, and the clause."""

    what: str
    costs: tuple[str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class FoulSection:
    """A section of the list of fouls."""

    number: int
    title: str
    fouls: tuple[FoulRow, ...]
