"""The standings as rows and columns: one declaration for workbook, JSON, command line, paper and pages.

To add a column: a field of `StandingRow`, filled in tournament/selectors/public/standings.py; a `Column`; and its key
in `SHOWN` for each output that has it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from scoring.standings import Carried
from tournament.sheets.figures import count_text

# the heading of a column by round has the round's number in it; that of the tie-break is shown by programs alone
Output = Literal["xlsx", "json", "text"]
Kind = Literal["place", "text", "count", "penalty", "result"]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of the standings: see scoring.standings.Standing.

    `results` are points by round, None where the player has none in it; `penalties` are points off, 0 or more.
    `moved` is how many ranks the player rose (positive) or fell since the round before, None where there was none.
    `group` counts from 0 for those who are through every cut, `carried` is what each cut left of the points.
    EMA number, country and club are "" where they are unknown or were not asked for.
    """

    rank: int
    shared: bool
    number: int
    name: str
    total: int
    games: int
    penalties: int
    results: tuple[int | None, ...]
    tie_break: str | None = None
    moved: int | None = None
    group: int = 0
    carried: tuple[Carried, ...] = ()
    ema_number: str = ""
    country: str = ""
    club: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A rank that may be shared."""

    number: int
    shared: bool


Value = str | int | Place | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key in JSON, its heading, the kind of its values; `by_round` has one value for each round.

    An `optional` column is left out of tables where no row has a value.
    """

    key: str
    heading: Callable[[], str]
    kind: Kind
    value: Callable[[StandingRow], Value | tuple[int | None, ...]]
    by_round: bool = False
    optional: bool = False


def _carried(row: StandingRow) -> str | None:
    """Say what each cut left of somebody's points."""
    said = (
        _("%(points)s of %(of)s after round %(round)d")
        % {"points": count_text(each.points), "of": count_text(each.of), "round": each.after_round}
        for each in row.carried
    )
    return "; ".join(said) or None


COLUMNS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column("rank", lambda: _("Place"), "place", lambda row: Place(row.rank, row.shared)),
        Column("player", lambda: _("Name"), "text", lambda row: row.name),
        Column("ema_number", lambda: _("EMA number"), "text", lambda row: row.ema_number),
        Column("country", lambda: _("Country"), "text", lambda row: row.country),
        Column("club", lambda: _("Club"), "text", lambda row: row.club),
        Column("total", lambda: _("Total"), "result", lambda row: row.total),
        Column("games", lambda: _("Games"), "count", lambda row: row.games),
        Column("penalties", lambda: _("Penalties"), "penalty", lambda row: row.penalties),
        Column("results", lambda: _("Round %(number)d"), "result", lambda row: row.results, by_round=True),
        Column("tie_break", lambda: "Tie-break", "text", lambda row: row.tie_break),
        Column("carried", lambda: _("Carried"), "text", _carried, optional=True),
    )
}
SHOWN: Mapping[Output, tuple[str, ...]] = {
    "xlsx": (
        "rank", "player", "ema_number", "country", "club", "total", "games", "penalties", "results", "carried",
    ),
    "json": ("rank", "player", "total", "games", "penalties", "results", "tie_break"),
    "text": ("rank", "player", "total", "results", "penalties", "tie_break"),
}  # fmt: skip


def columns_for(output: Output, rows: Sequence[StandingRow]) -> list[Column]:
    """Return the columns of an output in their order, optional ones only where a row has a value."""
    columns = [COLUMNS[key] for key in SHOWN[output]]
    return [column for column in columns if not column.optional or any(column.value(row) for row in rows)]


def cells_of(row: StandingRow, columns: Sequence[Column], rounds: Sequence[int]) -> Iterator[tuple[Column, Value]]:
    """Yield each cell of a row with its column; a column by round has a cell for each of these rounds."""
    for column in columns:
        value = column.value(row)
        if isinstance(value, tuple):
            yield from ((column, value[number - 1] if number <= len(value) else None) for number in rounds)
        else:
            yield column, value


def json_row(row: StandingRow) -> dict[str, object]:
    """Return a row as the contract's JSON has it."""
    return {column.key: _plain(column.value(row)) for column in columns_for("json", ())}


def _plain(value: Value | tuple[int | None, ...]) -> object:
    if isinstance(value, Place):
        return value.number
    return list(value) if isinstance(value, tuple) else value
