"""The rows of which the results of an event are made as a workbook: games, teams, hands, statistics.

They are apart from the module that writes a workbook because loading that takes a tenth of the desk's start.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameSheetRow:
    """One player's game: seat from 0, final points, place at the table, uma, result before penalties.

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
class TableResultRow:
    """One finished table in seat order; `leftover` are points on the table that nobody got."""

    number: int
    games: tuple[GameSheetRow, ...]
    leftover: int = 0


@dataclass(frozen=True, slots=True)
class RoundResultRow:
    """One round's finished tables."""

    number: int
    tables: tuple[TableResultRow, ...]


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
class HandSheetRow:
    """One hand that stands, in points; changes and scores by seat, `number` from 1 among the hands of its table."""

    round: int
    table: int
    number: int
    name: str
    counters: int
    deposits: int
    what: str
    value: str
    riichi: str
    changes: tuple[int, ...]
    scores: tuple[int, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class StatisticSheetRow:
    """What one person's hands come to; `places` counts games by place, and points are of hands, counters aside."""

    name: str
    games: int
    places: tuple[int, ...]
    hands: int
    ron_wins: int
    tsumo_wins: int
    win_points: int
    deal_ins: int
    deal_in_points: int
    riichi: int
    riichi_won: int
    tenpai: int
    noten: int
    dealer_hands: int
    chombo: int
    best: int | None
