"""Rows that paper and files are made of: filled by queries, read by sheets and exports.

They hold facts, not text for print, and no model: the process that prints has none. Points are whole; seats run from 0,
the first East.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.player_stats import PlayerStats

PAPERS = ("a4", "letter")


class SeatedPlayer(NamedTuple):
    """Who sits in a seat; `number` is the player's number in the event, 1..N."""

    seat: int
    number: int
    name: str
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class TableRow:
    """One table of a round, its seats in seat order."""

    number: int
    seats: tuple[SeatedPlayer, ...]


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
    """One round as drawn; `state` is a RoundState, "" where nobody needs it."""

    number: int
    tables: tuple[TableRow, ...]
    state: str = ""


@dataclass(frozen=True, slots=True)
class EventHead:
    """The head of every page.

    `printed_at` is aware and is shown in the time zone that it carries: hand it over in the event's own zone.
    `rounds` is 0 for an open event, which has no last one.
    `paper` is one of PAPERS. `colour` is the event's own, as "#1f5a44", and `logo` a PNG; both are empty without one.
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
    colour: str = ""
    logo: bytes = b""
    last_date: dt.date | None = None


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """One penalty: points ≥ 0 that it costs in all, or cost before it was cancelled. `at` is aware.

    `kind` is a PenaltyKind; round and table are those it belongs to, if any. `amount_reason` says why it costs another
    amount than usual. `id` is None for what has no row in the register: a chombo that was typed as a hand, and what
    being replaced costs (`replaced`), which goes with the substitute.

    A foul of a substitute is under the substitute's `number`, 0 for none, and name, which may be empty; `plays_for` is
    the replaced player, who pays nothing. Charged to the player it is the player's, with `charge_reason` and the
    substitute as `done_by`. `hand` is the `seq` of a chombo's hand; `seat_number` is whose seat it is.
    """

    at: dt.datetime
    round: int | None
    name: str
    points: int
    reason: str
    clause: str
    by: str
    table: int | None = None
    kind: str = "points"
    cancelled: bool = False
    cancel_reason: str = ""
    amount_reason: str = ""
    id: int | None = None
    number: int = 0
    foul: str = ""
    replaced: bool = False
    plays_for: str = ""
    done_by: str = ""
    charge_reason: str = ""
    seat_number: int = 0
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class BadgeRow:
    """One player as a badge names him; country and club may be empty."""

    name: str
    number: int
    country: str = ""
    club: str = ""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One player's game: final points, place at the table, uma, result before penalties.

    Where a `substitute` played it, result and uma are the player's own, and there is no place.
    """

    seat: int
    name: str
    points: int
    place: int | None
    shared: bool
    uma: int
    result: int
    substitute: str = ""
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A finished table, its games in seat order; `leftover` are points on the table that nobody got."""

    number: int
    games: tuple[GameRow, ...]
    leftover: int = 0


@dataclass(frozen=True, slots=True)
class ResultRound:
    """A round's finished tables."""

    number: int
    tables: tuple[ResultTable, ...]


@dataclass(frozen=True, slots=True)
class TeamMember:
    """A member of a team with the total in points; `counts` where it makes the team's."""

    number: int
    name: str
    total: int
    counts: bool


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One line of the team ranking; `missing` is how many members are short, `members` best first."""

    rank: int
    shared: bool
    team: str
    total: int
    missing: int
    members: tuple[TeamMember, ...]


@dataclass(frozen=True, slots=True)
class StatisticRow:
    """What one person's hands come to; `places` counts games by place, `games` those that are known by their hands."""

    name: str
    games: int
    places: tuple[int, ...]
    stats: PlayerStats


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
    hands: Sequence[LogHand]
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogRound:
    """A round of the log."""

    number: int
    tables: tuple[LogTable, ...]


@dataclass(frozen=True, slots=True)
class FoulRow:
    """A foul on the list for referees: what happened, what it costs as texts one a case, the clause, and the notes.

    `notes` are the catalogue's: they say what counts, such as that only the first call can be carried out.
    """

    what: str
    costs: tuple[str, ...]
    clause: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoulSection:
    """A section of the list of fouls."""

    number: int
    title: str
    fouls: tuple[FoulRow, ...]


@dataclass(frozen=True, slots=True)
class StatedLines:
    """What a book states of a rule or foul: lines in words, none where it does not name it, and their source."""

    lines: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One rule or foul that is different."""

    what: str
    here: StatedLines
    there: StatedLines


@dataclass(frozen=True, slots=True)
class DifferenceTable:
    """All that differs from one book, by section: title and rows; `notes` are what is not in the rows."""

    title: str
    here: str
    there: str
    sections: tuple[tuple[str, tuple[DifferenceRow, ...]], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetupStep:
    """One thing to do when a table is set up, and where it stands."""

    name: str
    words: str
    source: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the event, as the list has them; who has left cannot be seated."""

    number: int
    name: str
    left: bool = False

    @property
    def text(self) -> str:
        return f"{self.name} ({self.number})"
