"""Read each line of a results file into one seat, or say what is wrong with it.

With the `Seating` of an event a file needs only players and points. Lines are compared in result_checks.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.problems import Problem, ProblemType
from tournament.core.limits import MOST_NAME
from tournament.imports.entrants_people import Entrant, People
from tournament.imports.entrants_schedule_cells import read_wind, seats_by_wind
from tournament.imports.files_cells import SheetRow, cell_name, cell_of, is_in_thousands, read_whole_number
from tournament.imports.listing import read_number_cell, too_wide
from tournament.imports.listing_columns import Header
from tournament.imports.penalties import IMPORT_NUMBER_OUT_OF_RANGE, IMPORT_POINTS_IN_THOUSANDS
from tournament.imports.players_player_rows import IMPORT_NAME_CONTROLS, IMPORT_NAME_MISSING, IMPORT_NAME_TOO_LONG
from tournament.text.names_1 import clean_name, has_controls, printable

IMPORT_REMARKS_LEFT_OUT = ProblemType(
    "import.remarks_left_out",
    "{count} rows carry a remark, which is left out (row {row}: {given}). Where a substitute played or somebody "
    "is not ranked, say so here afterwards.",
)
RESULTS_NOT_SEATED = ProblemType(
    "results.not_seated", "Row {row}: {name} has no seat in round “{round}” of this event."
)
IMPORT_SEATS_FROM_ONE = ProblemType(
    "import.seats_from_one", "The file counts seats from 1 to {last}; seat 1 was read as East."
)

Place = tuple[int, int]  # table, seat

TABLE_SIZES = (3, 4)
_BOUNDS = {"round": (1, 1_000), "table": (1, 10_000), "seat": (0, max(TABLE_SIZES)), "points": (-1_000_000, 1_000_000)}


@dataclass(frozen=True, slots=True)
class ResultSeat:
    """One line: who sat where (0 = first East) and the points that the game ended with."""

    row: int
    round_number: int
    table_number: int
    seat: int
    player: str
    points: int


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of an event: (round, player's number) → place. `only`: the one round that a file is about, if it is."""

    entrants: Sequence[Entrant]
    places: Mapping[tuple[int, int], Place]
    only: int | None = None
    people: People = field(init=False)

    def __post_init__(self) -> None:
        # who has left still has results of the rounds before
        everybody = [Entrant(entrant.number, entrant.name) for entrant in self.entrants]
        object.__setattr__(self, "people", People(everybody))

    def fill(self, fields: Mapping[str, str], row: SheetRow, header: Header) -> tuple[dict[str, str], list[Problem]]:
        """Return a line's fields with the name of the list, and with round, table and seat where it has none."""
        filled = dict(fields)
        if "round" not in header.meanings:
            filled["round"] = str(self.only or "")
        if not fields["player"]:
            return filled | {"table": fields.get("table") or "1", "seat": fields.get("seat") or "0"}, []
        found = self.people.find(cell_name(row, header.index_of("player")), fields["player"])
        if found.problem or found.number is None:
            return filled, [_in_row(found.problem, row)] if found.problem else []
        name, round_ = self.people.by_number[found.number].name, read_whole_number(filled["round"])
        place = self.places.get((round_ or 0, found.number))
        if place is None:
            return filled, [RESULTS_NOT_SEATED(row=row.number, name=name, round=filled["round"])]
        table, seat = place
        filled["player"] = name
        filled.setdefault("table", str(table))
        filled.setdefault("seat", str(seat))
        return filled, []


def _in_row(problem: Problem, row: SheetRow) -> Problem:
    """Return a problem that names a cell with the number of its row beside, so that it is shown there."""
    return replace(problem, params={**problem.params, "row": row.number})


@dataclass(slots=True)
class _Line:
    """A line being read, collecting its problems."""

    row: int
    fields: Mapping[str, str]
    thousands: bool = False
    winds: Mapping[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def number(self, column: str) -> int:
        """Read a number within its bounds; 0 stands for one that is wrong, and is never used."""
        thousands = self.thousands and column == "points"
        number = read_number_cell(self.fields[column], self.row, column, self.problems, thousands=thousands)
        least, most = _BOUNDS[column]
        if number is not None and not least <= number <= most:
            self.problems.append(
                IMPORT_NUMBER_OUT_OF_RANGE(row=self.row, column=column, given=number, least=least, most=most)
            )
        return number or 0

    def seat(self) -> int:
        wind = read_wind(self.fields["seat"]) or ""
        return self.number("seat") if not wind or wind.isdigit() else self.winds[wind]

    def player(self) -> str:
        name = clean_name(self.fields["player"])
        if not name:
            self.problems.append(IMPORT_NAME_MISSING(row=self.row))
        if len(name) > MOST_NAME:
            self.problems.append(IMPORT_NAME_TOO_LONG(row=self.row, letters=len(name), limit=MOST_NAME))
        if has_controls(name):
            self.problems.append(IMPORT_NAME_CONTROLS(row=self.row, name=printable(name)))
        return name


def read_result_lines(
    rows: Sequence[SheetRow], header: Header, *, is_text: bool, seating: Seating | None = None
) -> tuple[tuple[ResultSeat, ...], tuple[Problem, ...]]:
    """Read every line that can be read, seats counted from 0 whichever way the file counts them.

    With a `seating` the players are those of the event, and what it knows may be missing from the file.
    """
    problems: list[Problem] = []
    seats: list[ResultSeat] = []
    whole = (row for row in rows if not is_text or len(row.cells) <= len(header.columns))
    thousands = is_in_thousands(header.fields(row)["points"] for row in whole)
    if thousands:
        problems.append(IMPORT_POINTS_IN_THOUSANDS.warning())
    problems += _judge_remarks(rows, header)
    winds = _winds_of(rows, header)
    for row in rows:
        seat, faults = None, too_wide(row, header, is_text=is_text)
        if not faults:
            seat, faults = _read_line(row, header, seating, winds, thousands=thousands)
        problems += faults
        seats += [seat] if seat and not faults else []
    numbers = {seat.seat for seat in seats}
    if seats and "seat" in header.meanings and min(numbers) == 1 and max(numbers) in TABLE_SIZES:
        problems.append(IMPORT_SEATS_FROM_ONE.warning(last=max(numbers)))
        seats = [replace(seat, seat=seat.seat - 1) for seat in seats]
    return tuple(seats), tuple(problems)


def _read_line(
    row: SheetRow, header: Header, seating: Seating | None, winds: Mapping[str, int], *, thousands: bool
) -> tuple[ResultSeat | None, list[Problem]]:
    fields: Mapping[str, str] = header.fields(row)
    if seating:
        fields, unknown = seating.fill(fields, row, header)
        if unknown:
            return None, unknown
    line = _Line(row.number, fields, thousands, winds)
    seat = ResultSeat(
        row.number, line.number("round"), line.number("table"), line.seat(), line.player(), line.number("points")
    )
    return seat, line.problems


def _winds_of(rows: Sequence[SheetRow], header: Header) -> dict[str, int]:
    """Return the seat of each wind, going by all winds of the file: what "O" stands for differs."""
    written = {read_wind(header.fields(row).get("seat", "")) for row in rows}
    return seats_by_wind({wind for wind in written if wind})


def _judge_remarks(rows: Sequence[SheetRow], header: Header) -> Iterator[Problem]:
    """Say that remarks are left out: our own tell of substitutes and of who is not ranked, which a game does not."""
    index = next((column.index for column in header.columns if column.meaning == "remark" and not column.used), None)
    filled = [row for row in rows if index is not None and cell_of(row, index)]
    if filled and index is not None:
        first = filled[0]
        yield IMPORT_REMARKS_LEFT_OUT.warning(count=len(filled), row=first.number, given=cell_of(first, index)[:60])
