"""The shapes that paper and files are made of: plain frozen rows, filled by selectors and read by sheets and exports.

They hold facts, never text ready for print, and never a model. Points are whole; seats run from 0, the first East.
"""

import datetime as dt
from dataclasses import dataclass


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
class RoundRow:
    """One round as drawn; `seed` is None where the seats were not drawn by this program."""

    number: int
    tables: tuple[TableRow, ...]
    seed: int | None


@dataclass(frozen=True, slots=True)
class EventHead:
    """What stands at the top of every page.

    `printed_at` is aware and is shown in the time zone that it carries: hand it over in the event's own zone.
    """

    name: str
    slug: str
    date: dt.date
    ruleset_title: str
    players_per_table: int
    rounds: int
    start_points: int
    minutes: int
    extra_hands: int
    printed_at: dt.datetime


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
class StandingSheetRow:
    """One line of the ranking.

    `results` are points by round, None where the player has none in it; `penalties` are what is taken off, 0 or more.
    """

    rank: int
    shared: bool
    name: str
    total: int
    games: int
    penalties: int
    results: tuple[int | None, ...]
