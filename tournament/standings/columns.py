"""The standings as rows and columns: one declaration for pages, workbook, JSON, command line and paper.

To add a column: a field of `StandingRow`, filled in tournament/standings/queries.py; a `Column`; and its key
in `SHOWN` for each output that has it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.standings import Carried
from tournament.text.languages import join_spaced
from tournament.text.numbers import Place, points

# "screen" is the ranking of pages, "phone" its part near one player, "wall" the projector's, "paper" the wall
# list's, "text" the command's
Output = Literal["screen", "phone", "wall", "paper", "xlsx", "json", "text"]
PAGES: tuple[Output, ...] = ("screen", "phone")
Kind = Literal["place", "moved", "text", "count", "penalty", "result", "gap", "placements"]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of the standings: see scoring.standings.Standing.

    `results` are points by round, None where the player has none in it; `penalties` are points off, 0 or more.
    `moved` is how many ranks the player rose (positive) or fell since the round before, None where there was none.
    `placements` counts the games by place, first places first ("2-0-1-0"); games of a substitute are left out. `above`
    are the points to the next better total and `first` those to the best one of the same `group`, None without one.
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
    placements: str = ""
    above: int | None = None
    first: int | None = None


Value = str | int | Place | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key in JSON, its heading, the kind of its values.

    A column `by_round` is one column a round where it is shown, each with its `round` from 1, which the heading names.
    `optional` are the outputs that leave it out where no row has a value, `on_page` and `on_paper` are the headings
    of pages and of the wall list where those differ. The heading of the tie-break is shown by programs alone.
    """

    key: str
    heading: Callable[[], str]
    kind: Kind
    value: Callable[[StandingRow], Value | tuple[int | None, ...]]
    by_round: bool = False
    optional: tuple[Output, ...] = ()
    on_page: Callable[[], str] | None = None
    on_paper: Callable[[], str] | None = None
    round: int = 0

    def title(self) -> str:
        """Return the heading, with the round's number where the column is one of a round."""
        return self._titled(self.heading)

    def title_on_paper(self) -> str:
        """Return the heading of the wall list."""
        return self._titled(self.on_paper or self.heading)

    def _titled(self, heading: Callable[[], str]) -> str:
        return heading() % {"number": self.round} if self.round else heading()

    def cell(self, row: StandingRow) -> Value:
        """Return the value of a row; None where it has none."""
        value = self.value(row)
        if isinstance(value, tuple):
            return value[self.round - 1] if 0 < self.round <= len(value) else None
        return value


def _carried(row: StandingRow) -> str | None:
    """Say what each cut left of somebody's points."""
    said = (
        _("%(points)s of %(of)s after round %(round)d")
        % {"points": points(each.points), "of": points(each.of), "round": each.after_round}
        for each in row.carried
    )
    return join_spaced(said) or None


COLUMNS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column(
            "rank", lambda: _("Place"), "place", lambda row: Place(row.rank, row.shared), on_paper=lambda: _("Rank")
        ),
        Column("player", lambda: _("Name"), "text", lambda row: row.name, on_page=lambda: _("Player")),
        Column("moved", lambda: pgettext("of a rank", "Change"), "moved", lambda row: row.moved, optional=PAGES),
        Column("ema_number", lambda: _("EMA number"), "text", lambda row: row.ema_number),
        Column("country", lambda: _("Country"), "text", lambda row: row.country, optional=PAGES),
        Column("club", lambda: _("Club"), "text", lambda row: row.club),
        Column("total", lambda: _("Total"), "result", lambda row: row.total),
        Column("above", lambda: _("To next"), "gap", lambda row: row.above, optional=PAGES),
        Column("first", lambda: _("To 1st"), "gap", lambda row: row.first, optional=("screen",)),
        Column("placements", lambda: _("Placements"), "placements", lambda row: row.placements, optional=PAGES),
        Column("games", lambda: _("Games"), "count", lambda row: row.games),
        Column("penalties", lambda: _("Penalties"), "penalty", lambda row: row.penalties, optional=("screen",)),
        Column(
            "results", lambda: _("Round %(number)d"), "result", lambda row: row.results, by_round=True,
            on_paper=lambda: pgettext("round, in a narrow column", "R%(number)s"),
        ),
        Column("tie_break", lambda: "Tie-break", "text", lambda row: row.tie_break),
        Column("carried", lambda: _("Carried"), "text", _carried, optional=("xlsx",)),
    )
}  # fmt: skip
SHOWN: Mapping[Output, tuple[str, ...]] = {
    "screen": (
        "rank", "moved", "country", "player", "total", "above", "first", "placements", "penalties", "results",
    ),
    "phone": ("rank", "moved", "country", "player", "total", "above", "placements"),
    "wall": ("rank", "player", "total"),
    "paper": ("rank", "player", "total", "penalties", "results"),
    "xlsx": (
        "rank", "player", "ema_number", "country", "club", "total", "games", "penalties", "results", "carried",
    ),
    "json": ("rank", "player", "total", "games", "penalties", "results", "tie_break"),
    "text": ("rank", "player", "total", "results", "penalties", "tie_break"),
}  # fmt: skip


def columns_for(output: Output, rows: Sequence[StandingRow], rounds: Iterable[int] = ()) -> list[Column]:
    """Return the columns of an output in their order, those by round once for each of these rounds."""
    columns = [COLUMNS[key] for key in SHOWN[output]]
    shown = [each for each in columns if output not in each.optional or any(_has(each, row) for row in rows)]
    numbers = list(rounds)
    return [
        column
        for each in shown
        for column in ([replace(each, round=number) for number in numbers] if each.by_round else [each])
    ]


def _has(column: Column, row: StandingRow) -> bool:
    value = column.value(row)
    return value is not None and value != "" and (value != 0 or column.kind in ("moved", "gap"))


def cells_of(row: StandingRow, columns: Iterable[Column]) -> list[tuple[Column, Value]]:
    """Return each column with the value of a row."""
    return [(column, column.cell(row)) for column in columns]


def json_row(row: StandingRow) -> dict[str, object]:
    """Return a row as the contract's JSON has it; a column by round is one list."""
    return {key: _plain(COLUMNS[key].value(row)) for key in SHOWN["json"]}


def _plain(value: Value | tuple[int | None, ...]) -> object:
    if isinstance(value, Place):
        return value.number
    return list(value) if isinstance(value, tuple) else value
