"""Read a schedule made elsewhere, from xlsx, csv or `manage.py seat --json`, into rounds of tables.

Nothing is stored, every row has its verdict, and one error stops the whole file. The figures are counted by the judge
of our own draws. Layouts are read in schedule_layouts.py.
"""

import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scoring.problems import InvalidInput, ProblemType
from tournament.imports.entrants_people import Entrant, People, read_number
from tournament.imports.entrants_schedule_cells import seats_by_wind
from tournament.imports.files_sheet import BYTES_LIMIT, IMPORT_FILE_TOO_BIG, Sheet, read_sheet
from tournament.imports.listing import Chosen, Preview, Source, source_of, verdicts_of
from tournament.imports.schedules_schedule_checks import Judged, PlacedSeat, by_table, judge_seats
from tournament.imports.schedules_schedule_layouts import (
    WIND_LETTERS,
    Layout,
    Reading,
    SeatText,
    find_layout,
    is_schedule,
    read_layout,
)
from tournament.seating.search.quality_1 import assess
from tournament.seating.search.schedule_1 import Report, Rounds
from tournament.seating.search.schedule_errors import SeatingError

SCHEDULE_NO_SEATS = ProblemType("schedule.no_seats", "There is no seat in this file.")
SCHEDULE_JSON_BROKEN = ProblemType("schedule.json_broken", "This is not JSON that can be read.")
SCHEDULE_JSON_SHAPE = ProblemType(
    "schedule.json_shape", "This JSON is not a schedule: “rounds” must be a list of rounds of tables of players."
)
SCHEDULE_JSON_PLAYER = ProblemType("schedule.json_player", "{where}: “{given}” is not the number of a player.")
SCHEDULE_PLAYERS_FROM_ZERO = ProblemType(
    "schedule.players_from_zero", "The file numbers players from 0: 0 was read as player 1."
)
SCHEDULE_TABLES_FROM_ZERO = ProblemType(
    "schedule.tables_from_zero", "The file numbers tables from 0: 0 was read as table 1."
)
SCHEDULE_NO_WINDS = ProblemType(
    "schedule.no_winds", "The file says no winds: the first player at a table was read as East, and so on."
)
SCHEDULE_ROUND_ZERO = ProblemType("schedule.round_zero", "{where}: rounds are numbered from 1.")
SCHEDULE_WIND_MISSING = ProblemType("schedule.wind_missing", "{where}: the wind is missing, or unknown.")
SCHEDULE_REFUSED_BY_JUDGE = ProblemType("schedule.refused_by_judge", "The schedule cannot be used: {why}")

_ROUNDS_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class MeetAgain:
    """Two players of the list, by number, who share a table more than once, and the rounds in which they do."""

    players: tuple[int, int]
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SchedulePreview(Preview):
    """A schedule as understood.

    `rounds` are tables of players' numbers in seat order; they, `report` and `again` are there only if it is sound.
    `columns` are those that can be chosen, none where the layout has no such columns.
    """

    digest: str = ""
    layout: Layout | None = None
    rounds: Rounds = ()
    report: Report | None = None
    again: tuple[MeetAgain, ...] = ()

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
    source = source_of(data, filename)
    refused = SchedulePreview(filename, None, digest=source.digest)
    try:
        if is_json(data):
            return _understand(read_json(data), refused, entrants, table_size=table_size, planned=planned)
        sheet = read_sheet(data, filename, wanted=is_schedule)
    except InvalidInput as refusal:
        return dataclasses.replace(refused, problems=refusal.problems)
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
    found = find_layout(sheet, chosen)
    preview = SchedulePreview(source.filename, sheet, found.columns, sheet.problems, digest=source.digest)
    if found.layout is None or found.header is None:
        return dataclasses.replace(preview, problems=found.problems)
    try:
        reading = read_layout(found.layout, sheet.rows, found.header)
    except InvalidInput as refusal:
        return dataclasses.replace(preview, columns=(), problems=refusal.problems)
    return _understand(reading, preview, entrants, table_size=table_size, planned=planned)


def _understand(
    reading: Reading, preview: SchedulePreview, entrants: Sequence[Entrant], *, table_size: int, planned: int
) -> SchedulePreview:
    """Judge what was read of a schedule."""
    people = People(entrants)
    seats, judged = _judge(reading, people, table_size=table_size, planned=planned)
    told = (*preview.problems, *(problem for row, problem in judged if not row))
    verdicts = verdicts_of(reading.texts, judged, reading.names)
    preview = dataclasses.replace(preview, layout=reading.layout, rows=verdicts, problems=told)
    return preview if preview.has_errors else _with_figures(preview, seats, people, table_size)


def _judge(reading: Reading, people: People, *, table_size: int, planned: int) -> tuple[list[PlacedSeat], list[Judged]]:
    """Find out who sits where, and judge it: row by row, then all together."""
    judged: list[Judged] = list(reading.faults)
    if not reading.seats:
        return [], [*judged, (0, SCHEDULE_NO_SEATS())]
    judged += _count_from_zero(reading, people)
    unnumbered = {seat.row: seat.where for seat in reversed(reading.seats) if not seat.round}
    judged += [(row, SCHEDULE_ROUND_ZERO(where=where)) for row, where in sorted(unnumbered.items())]
    seats = _place(reading, people, table_size, judged)
    judged += judge_seats(seats, people, table_size=table_size, planned=planned)
    return seats, judged


def _count_from_zero(reading: Reading, people: People) -> list[Judged]:
    """Notice that a file counts players from 0, as programs do, and say so."""
    numbers = {read_number(seat.who) for seat in reading.seats}
    people.from_zero = reading.layout == "json" or (0 in numbers and None not in numbers)
    return [(0, SCHEDULE_PLAYERS_FROM_ZERO.warning())] if people.from_zero and reading.layout != "json" else []


def _place(reading: Reading, people: People, table_size: int, judged: list[Judged]) -> list[PlacedSeat]:
    """Settle the player and the seat of every line; what is wrong is added to `judged`."""
    winds = seats_by_wind({seat.wind for seat in reading.seats})
    from_zero = any(seat.table == 0 for seat in reading.seats)
    if from_zero:
        judged.append((0, SCHEDULE_TABLES_FROM_ZERO.warning()))
    placed: list[PlacedSeat] = []
    for seat in reading.seats:
        found = people.find(seat.where, seat.who, seat.number)
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
        judged += [(seat.row, SCHEDULE_WIND_MISSING(where=seat.where)) for seat in seats if seat.seat is None]
        return seats
    judged.append((0, SCHEDULE_NO_WINDS.warning()))
    counted: Counter[tuple[int, int]] = Counter()
    placed = []
    for seat in seats:
        turn = counted[seat.round, seat.table]
        counted[seat.round, seat.table] += 1
        # one too many at a table is said as such, not as a wind that there is not
        placed.append(dataclasses.replace(seat, seat=turn if turn < table_size else None))
    return placed


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
        refused = SCHEDULE_REFUSED_BY_JUDGE(why=str(wrong))
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


def is_json(data: bytes) -> bool:
    """Say whether a file means to be JSON."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def read_json(data: bytes) -> Reading:
    """Read what `manage.py seat --json` prints; raises InvalidInput where a file is none.

    Players and tables count from 0 there. The figures in it are not read: they are counted again.
    """
    reading = Reading("json")
    for round_, tables in enumerate(_json_rounds(data), start=1):
        for table, players in enumerate(tables, start=1):
            _take_json_table(reading, players, round_, table)
    return reading


def _take_json_table(reading: Reading, players: list[Any], round_: int, table: int) -> None:
    row, path = len(reading.names) + 1, f"rounds[{round_ - 1}][{table - 1}]"
    reading.names[row], reading.texts[row] = path, " · ".join(str(player)[:12] for player in players[:10])
    for seat, player in enumerate(players):
        where = f"{path}[{seat}]"
        if not isinstance(player, int) or isinstance(player, bool):
            reading.faults.append((row, SCHEDULE_JSON_PLAYER(where=where, given=str(player)[:20])))
            continue
        reading.take(SeatText(row, where, round_, table, WIND_LETTERS[min(seat, 4)], str(player)))


def _json_rounds(data: bytes) -> list[list[list[Any]]]:
    """Return rounds of tables of whatever is in them."""
    if len(data) > BYTES_LIMIT:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=BYTES_LIMIT // 1024**2)])
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as broken:
        raise InvalidInput([SCHEDULE_JSON_BROKEN()]) from broken
    rounds = value.get("rounds") if isinstance(value, dict) else None
    shaped = isinstance(rounds, list) and all(
        isinstance(tables, list) and all(isinstance(table, list) for table in tables) for tables in rounds
    )
    if not shaped or not rounds or len(rounds) > _ROUNDS_LIMIT:
        raise InvalidInput([SCHEDULE_JSON_SHAPE()])
    return list(rounds)
