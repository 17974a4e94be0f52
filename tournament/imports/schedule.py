"""A schedule made elsewhere, from xlsx, csv or `manage.py seat --json`, → rounds of tables, or what is wrong.

It shows before it acts: nothing is stored, every row has its verdict, and one error stops the whole file. The figures
are counted by the judge of our own draws.
"""

import dataclasses
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from scoring.problems import InvalidInput, Problem, error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.columns import Column, Header, list_headings
from tournament.imports.listing import Chosen
from tournament.imports.schedule_blocks import find_blocks, read_blocks
from tournament.imports.schedule_cells import seats_by_wind
from tournament.imports.schedule_checks import Judged, PlacedSeat, by_table, judge_seats
from tournament.imports.schedule_columns import choose_reader, columns_of
from tournament.imports.schedule_headings import (
    find_matrix_header,
    find_seat_header,
    find_table_header,
    index_of,
)
from tournament.imports.schedule_json import is_json, read_json
from tournament.imports.schedule_matrix import read_matrix
from tournament.imports.schedule_people import Entrant, People, read_number
from tournament.imports.schedule_reading import Layout, Reading
from tournament.imports.schedule_rows import read_seat_rows, read_table_rows
from tournament.imports.sheet import Sheet, read_sheet
from tournament.imports.source import Source
from tournament.imports.verdicts import RowVerdict, verdicts_of
from tournament.seating.errors import SeatingError
from tournament.seating.quality import assess
from tournament.seating.schedule import Report, Rounds

Read = Callable[[Sequence[SheetRow]], Reading]


@dataclass(frozen=True, slots=True)
class MeetAgain:
    """Two players of the list, by number, who share a table more than once, and the rounds in which they do."""

    players: tuple[int, int]
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SchedulePreview:
    """A whole file as understood; `problems` concern the file, each row carries its own.

    `rounds` are tables of players' numbers in seat order; they, `report` and `again` are there only if it is sound.
    `columns` are those that can be chosen, none where the layout has no such columns.
    """

    filename: str
    digest: str
    layout: Layout | None
    sheet: Sheet | None
    rows: tuple[RowVerdict, ...]
    problems: tuple[Problem, ...]
    rounds: Rounds = ()
    report: Report | None = None
    again: tuple[MeetAgain, ...] = ()
    columns: tuple[Column, ...] = ()

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        return self.problems + tuple(problem for row in self.rows for problem in row.problems)

    @property
    def is_sound(self) -> bool:
        """Say whether it can be taken as it is."""
        return bool(self.rounds)


def read_schedule(
    data: bytes, filename: str, *, entrants: Sequence[Entrant], table_size: int, planned: int
) -> SchedulePreview:
    """Read a schedule for these players, tables of `table_size` and at most `planned` rounds.

    Raises nothing: what is wrong is in the preview.
    """
    source = Source(filename, hashlib.sha256(data).hexdigest())
    try:
        if is_json(data):
            return _understand(read_json(data), None, source, entrants, (table_size, planned))
        sheet = read_sheet(data, filename, wanted=lambda rows: find_reader(rows, table_size) is not None)
    except InvalidInput as refusal:
        return SchedulePreview(filename, source.digest, None, None, (), refusal.problems)
    return understand_schedule(sheet, source, entrants=entrants, table_size=table_size, planned=planned)


def understand_schedule(
    sheet: Sheet,
    source: Source,
    *,
    entrants: Sequence[Entrant],
    table_size: int,
    planned: int,
    chosen: Chosen | None = None,
) -> SchedulePreview:
    """Understand a sheet as a schedule, its layout found out or its columns as `chosen`."""
    reader, columns = find_reader(sheet.rows, table_size), None
    if chosen is not None:
        reader, columns = choose_reader(sheet.rows, chosen)
    try:
        reading = reader(sheet.rows) if reader else None
    except InvalidInput as refusal:
        return SchedulePreview(source.filename, source.digest, None, sheet, (), refusal.problems)
    if columns is None:
        columns = columns_of(sheet.rows, reading.layout if reading else None)
    if reading is None:
        unknown = error("schedule.layout_unknown", columns=list_headings(sheet.rows))
        return SchedulePreview(
            source.filename, source.digest, None, sheet, (), (*sheet.problems, unknown), columns=columns
        )
    made = _understand(reading, sheet, source, entrants, (table_size, planned))
    return dataclasses.replace(made, columns=columns)


def _understand(
    reading: Reading, sheet: Sheet | None, source: Source, entrants: Sequence[Entrant], size: tuple[int, int]
) -> SchedulePreview:
    """Judge what was read of a schedule of tables and rounds of this (table size, most rounds)."""
    table_size, planned = size
    people = People(entrants)
    seats, judged = _judge(reading, people, table_size=table_size, planned=planned)
    told = (*(sheet.problems if sheet else ()), *(problem for row, problem in judged if not row))
    preview = SchedulePreview(source.filename, source.digest, reading.layout, sheet, _verdicts(reading, judged), told)
    if any(problem.severity == "error" for problem in preview.all_problems):
        return preview
    return _with_figures(preview, seats, people, table_size)


def find_reader(rows: Sequence[SheetRow], table_size: int) -> Read | None:
    """Find out which layout a sheet has; None for none."""
    tables = find_table_header(rows)
    if tables is not None and index_of(tables, "round") >= 0:
        return partial(read_table_rows, header=tables)
    matrix = find_matrix_header(rows)
    if matrix is not None:
        return partial(read_matrix, header=matrix)
    seats = find_seat_header(rows)
    if seats is not None:
        return partial(read_seat_rows, header=seats)
    return partial(_read_blocks, tables=tables, table_size=table_size) if find_blocks(rows) else None


def _read_blocks(rows: Sequence[SheetRow], tables: Header | None, table_size: int) -> Reading:
    blocks = find_blocks(rows)
    first = blocks[0].rows[0].number
    return read_blocks(blocks, table_size, tables if tables is not None and tables.row < first else None)


def _judge(reading: Reading, people: People, *, table_size: int, planned: int) -> tuple[list[PlacedSeat], list[Judged]]:
    """Find out who sits where, and judge it: row by row, then all together."""
    judged: list[Judged] = list(reading.faults)
    if not reading.seats:
        return [], [*judged, (0, error("schedule.no_seats"))]
    judged += _count_from_zero(reading, people)
    unnumbered = {seat.row: seat.where for seat in reversed(reading.seats) if not seat.round}
    judged += [(row, error("schedule.round_zero", where=where)) for row, where in sorted(unnumbered.items())]
    seats = _place(reading, people, table_size, judged)
    judged += judge_seats(seats, people, table_size=table_size, planned=planned)
    return seats, judged


def _count_from_zero(reading: Reading, people: People) -> list[Judged]:
    """Notice that a file counts players from 0, as programs do, and say so."""
    numbers = {read_number(seat.who) for seat in reading.seats}
    people.from_zero = reading.layout == "json" or (0 in numbers and None not in numbers)
    return [(0, warning("schedule.players_from_zero"))] if people.from_zero and reading.layout != "json" else []


def _place(reading: Reading, people: People, table_size: int, judged: list[Judged]) -> list[PlacedSeat]:
    """Settle the player and the seat of every line; what is wrong is added to `judged`."""
    winds = seats_by_wind({seat.wind for seat in reading.seats})
    from_zero = any(seat.table == 0 for seat in reading.seats)
    if from_zero:
        judged.append((0, warning("schedule.tables_from_zero")))
    placed: list[PlacedSeat] = []
    for seat in reading.seats:
        found = people.find(seat)
        if found.problem:
            judged.append((seat.row, found.problem))
        table = seat.table + from_zero
        placed.append(
            PlacedSeat(seat.row, seat.where, seat.round, table, winds.get(seat.wind), found.number, found.guess)
        )
    return _seat_in_turn(placed, table_size, judged)


def _seat_in_turn(seats: list[PlacedSeat], table_size: int, judged: list[Judged]) -> list[PlacedSeat]:
    """Give seats in the order of the file where no wind is written anywhere; where only some lack one, say which."""
    if any(seat.seat is not None for seat in seats):
        judged += [(seat.row, error("schedule.wind_missing", where=seat.where)) for seat in seats if seat.seat is None]
        return seats
    judged.append((0, warning("schedule.no_winds")))
    counted: Counter[tuple[int, int]] = Counter()
    placed = []
    for seat in seats:
        turn = counted[seat.round, seat.table]
        counted[seat.round, seat.table] += 1
        # one too many at a table is said as such, not as a wind that there is not
        placed.append(dataclasses.replace(seat, seat=turn if turn < table_size else None))
    return placed


def _verdicts(reading: Reading, judged: Sequence[Judged]) -> tuple[RowVerdict, ...]:
    return verdicts_of(reading.texts, judged, reading.names)


def _with_figures(
    preview: SchedulePreview, seats: Sequence[PlacedSeat], people: People, table_size: int
) -> SchedulePreview:
    """Add rounds, report and repeats to a preview without an error."""
    rounds = _rounds(seats)
    numbers = sorted(entrant.number for entrant in people.entrants if not entrant.left)
    place = {number: index for index, number in enumerate(numbers)}
    try:
        report = assess(
            [[[place[number] for number in table] for table in tables] for tables in rounds], len(numbers), table_size
        )
    except SeatingError as wrong:  # a net below the checks: what the judge refuses is never taken
        refused = error("schedule.refused_by_judge", why=str(wrong))
        return dataclasses.replace(preview, problems=(*preview.problems, refused))
    return dataclasses.replace(preview, rounds=rounds, report=report, again=_again(rounds))


def _rounds(seats: Sequence[PlacedSeat]) -> Rounds:
    """Return tables of players by seat; the checks have seen to it that none is missing."""
    rounds: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for (round_, _table), here in sorted(by_table(seats).items()):
        order = sorted(here, key=lambda seat: seat.seat or 0)
        rounds[round_].append(tuple(seat.player or 0 for seat in order))
    return tuple(tuple(rounds[number]) for number in sorted(rounds))


def _again(rounds: Rounds) -> tuple[MeetAgain, ...]:
    met: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, tables in enumerate(rounds, start=1):
        for table in tables:
            for one, two in combinations(sorted(table), 2):
                met[one, two].append(number)
    return tuple(MeetAgain(pair, tuple(when)) for pair, when in sorted(met.items()) if len(when) > 1)
