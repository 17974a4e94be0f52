"""Read a schedule made elsewhere, from xlsx, csv or `manage.py seat --json`, into rounds of tables.

A row is a table, a seat or a player. Every row has its verdict, one error stops the whole file, and the figures are
those of the judge of our own draws. Stores nothing.
"""

import dataclasses
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise
from typing import Any, Literal

from scoring.problems import InvalidInput, Problem, ProblemType
from tournament.core.limits import BYTES_LIMIT
from tournament.imports.entrants import (
    SCHEDULE_NOBODY,
    People,
    is_nothing,
    read_number,
    read_place,
    read_round,
    read_round_line,
    read_table,
    read_wind,
    seats_by_wind,
)
from tournament.imports.files import IMPORT_FILE_TOO_BIG, Sheet, SheetRow, cell_at, cell_name, is_date, read_sheet
from tournament.imports.listing import (
    PLAYER,
    ROUND,
    SEAT,
    TABLE,
    Chosen,
    Column,
    Header,
    ListKind,
    Preview,
    Vocabulary,
    find_header,
    list_headings,
    list_in,
    part_problems,
    wind_headings,
)
from tournament.imports.results import TABLE_SIZES
from tournament.seating.queries import SCHEDULE_REFUSED_BY_JUDGE
from tournament.seating.search.quality import Report, assess
from tournament.seating.search.schedule import Rounds, SeatingError
from tournament.tables.rows import Entrant
from tournament.text.names import printable

SCHEDULE_TOO_MANY_SEATS = ProblemType(
    "schedule.too_many_seats", "There are more than {limit} seats in this file. Is it the right one?"
)
SEATS_LIMIT = 60_000  # a thousand players in sixty rounds

SCHEDULE_NO_SEATS = ProblemType("schedule.no_seats", "There is no seat in this file.")
SCHEDULE_JSON_BROKEN = ProblemType("schedule.json_broken", "This is not JSON that can be read.")
SCHEDULE_JSON_SHAPE = ProblemType(
    "schedule.json_shape", "This JSON is not a schedule: “rounds” must be a list of rounds of tables of players."
)
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

_ROUNDS_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class MeetAgain:
    """Two players of the list, by number, who share a table more than once, and the rounds in which they do."""

    players: tuple[int, int]
    rounds: tuple[int, ...]


Layout = Literal["seats", "tables", "matrix", "blocks"]


@dataclass(frozen=True, slots=True)
class SchedulePreview(Preview):
    """A schedule as understood.

    `rounds` are tables of players' numbers in seat order; they, `report` and `again` are there only if it is sound.
    `columns` are those that can be chosen, none where the layout has no such columns.
    """

    layout: Layout | None = None
    rounds: Rounds = ()
    report: Report | None = None
    again: tuple[MeetAgain, ...] = ()

    @property
    def brings(self) -> Rounds:
        return self.rounds


def understand_schedule(
    sheet: Sheet,
    filename: str,
    *,
    entrants: Sequence[Entrant],
    table_size: int,
    planned: int,
    chosen: Chosen | None = None,
) -> SchedulePreview:
    """Understand a sheet as a schedule for these players, tables of `table_size` and at most `planned` rounds.

    Its layout is found out, or its columns are as `chosen`.
    """
    found = find_layout(sheet, chosen)
    preview = SchedulePreview(filename, sheet, found.columns, sheet.problems)
    if found.layout is None or found.header is None:
        return dataclasses.replace(preview, problems=found.problems)
    preview = dataclasses.replace(preview, header_row=found.header.row)
    try:
        reading = read_layout(found.layout, sheet.rows, found.header)
    except InvalidInput as refusal:
        return dataclasses.replace(preview, columns=(), problems=refusal.problems)
    people = People(entrants)
    seats, judged = _judge(reading, people, table_size=table_size, planned=planned)
    rows, of_file = part_problems(reading.rows, judged)
    preview = dataclasses.replace(preview, layout=reading.layout, rows=rows, problems=(*preview.problems, *of_file))
    return preview if preview.has_errors else _with_figures(preview, seats, people, table_size)


@dataclass(frozen=True, slots=True)
class SeatText:
    """One seat as written: `where` names its cell; `wind` as `read_wind` gives it, "" where none is written.

    `number` is a player's number beside the name, "" where there is none.
    """

    row: int
    where: str
    round: int
    table: int
    wind: str
    who: str
    number: str = ""


@dataclass(slots=True)
class Reading:
    """A schedule being read: its seats, and what is wrong with single rows; row 0 is the whole file."""

    layout: Layout
    seats: list[SeatText] = field(default_factory=list)
    faults: list[tuple[int, Problem]] = field(default_factory=list)
    rows: set[int] = field(default_factory=set)

    def take(self, seat: SeatText) -> None:
        """Keep a seat; raises InvalidInput where there are more than any event has."""
        if len(self.seats) == SEATS_LIMIT:
            raise InvalidInput([SCHEDULE_TOO_MANY_SEATS(limit=SEATS_LIMIT)])
        self.seats.append(seat)

    def fault(self, row: SheetRow, problem: Problem) -> None:
        """Keep what is wrong with a row."""
        self.faults.append((row.number, problem))
        self.rows.add(row.number)


Judged = tuple[int, Problem]  # row, 0 for the whole file; what is wrong


@dataclass(frozen=True, slots=True)
class PlacedSeat:
    """One seat as understood: seat from 0, None where no wind is written or it cannot be; player None if unknown.

    `guess` is who may be meant instead.
    """

    row: int
    where: str
    round: int
    table: int
    seat: int | None
    player: int | None
    guess: int | None = None


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
    people.from_zero = 0 in numbers and None not in numbers
    return [(0, SCHEDULE_PLAYERS_FROM_ZERO.warning())] if people.from_zero else []


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


def read_schedule_sheet(data: bytes, filename: str, entrants: Sequence[Entrant], table_size: int) -> Sheet:
    """Read the sheet of a file that holds a schedule.

    JSON, and lines of bare numbers, become one row a table; players count from 0 in JSON if any is 0. Raises
    InvalidInput with what is wrong.
    """
    active = [entrant.number for entrant in entrants if not entrant.left]
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        found = _json_rounds(data, table_size)
        first = min((player for tables in found for table in tables for player in table), default=0)
        numbers = dict(enumerate(active, start=min(first, 1)))
        last = max((entrant.number for entrant in entrants), default=0)
        rounds = [[[numbers.get(at, last + 1 + at) for at in table] for table in tables] for tables in found]
        return Sheet("xlsx", _table_rows([(0, table) for tables in rounds for table in tables], map(len, rounds)))
    sheet = read_sheet(data, filename, wanted=is_schedule)
    lines = [(row.number, _bare_numbers(row)) for row in sheet.rows]
    if is_schedule(sheet.rows) or {len(numbers) for _row, numbers in lines} != {table_size}:
        return sheet
    gaps = [at for at in range(1, len(lines)) if lines[at][0] > lines[at - 1][0] + 1]
    full = len(active) // table_size or 1
    starts = [0, *gaps] if gaps else list(range(0, len(lines), full))  # an empty line parts the rounds
    sizes = [end - start for start, end in pairwise([*starts, len(lines)])]
    return dataclasses.replace(sheet, rows=_table_rows(lines, sizes))


def _bare_numbers(row: SheetRow) -> list[int]:
    """Return the numbers of a line such as 1-2-3-4, with nothing else in it; none for any other."""
    text = " ".join(row.cells)
    return [int(number) for number in text.replace("-", " ").split()] if _NUMBERS.fullmatch(text) else []


_NUMBERS = re.compile(r"[0-9]{1,5}(?: ?[- ] ?[0-9]{1,5}){2,4}")


def _table_rows(tables: Iterable[tuple[int, Sequence[int]]], sizes: Iterable[int]) -> tuple[SheetRow, ...]:
    """Return rows with headings for (row, players) of tables, of which so many make each round."""
    rows, left = [SheetRow(1, ("Round", "Table", "East", "South", "West", "North"))], iter(tables)
    for round_, size in enumerate(sizes, start=1):
        for table, (_row, players) in enumerate(islice(left, size), start=1):
            rows.append(SheetRow(len(rows) + 1, (str(round_), str(table), *map(str, players))))
    return tuple(rows)


def _json_rounds(data: bytes, table_size: int) -> list[list[list[int]]]:
    """Return rounds of tables of players, counted from 0.

    That is what `manage.py seat --json` prints, or a seating template of the Mahjong Tournament Engine: a grid of seats
    and rounds, in which each round has every player once and a table's seats follow each other.
    """
    if len(data) > BYTES_LIMIT:
        raise InvalidInput([IMPORT_FILE_TOO_BIG(megabytes=BYTES_LIMIT // 1024**2)])
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as broken:
        raise InvalidInput([SCHEDULE_JSON_BROKEN()]) from broken
    rounds: Any = value.get("rounds") if isinstance(value, dict) else value
    if _is_lists(rounds) and not isinstance(value, dict) and not any(isinstance(each, list) for each in rounds[0]):
        rounds = _grid_rounds(rounds, table_size)
    if not _is_lists(rounds) or len(rounds) > _ROUNDS_LIMIT or not all(map(_is_json_round, rounds)):
        raise InvalidInput([SCHEDULE_JSON_SHAPE()])
    return list(rounds)


def _is_lists(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, list) and each for each in value)


def _grid_rounds(grid: list[list[Any]], table_size: int) -> list[list[list[Any]]]:
    """Return the rounds of a grid whose rows are seats and columns rounds, or the other way round."""
    if len({len(line) for line in grid}) > 1:
        return []
    columns = [list(column) for column in zip(*grid, strict=True)]
    lines = columns if len(grid) % table_size == 0 and (len(columns) % table_size or _is_whole(columns)) else grid
    return [[line[at : at + table_size] for at in range(0, len(line), table_size)] for line in lines]


def _is_whole(lines: list[list[Any]]) -> bool:
    """Say whether the first line has each player once."""
    return sorted(map(str, lines[0])) == sorted(map(str, range(len(lines[0]))))


def _is_json_round(tables: object) -> bool:
    return isinstance(tables, list) and all(
        isinstance(table, list)
        and len(table) <= max(TABLE_SIZES)
        and all(type(player) is int and player >= 0 for player in table)
        for table in tables
    )


# ---------------------------------------------------------------- seats against each other


SCHEDULE_WIND_BEYOND = ProblemType("schedule.wind_beyond", "{where}: there is no {start_wind} at a table of {size}.")
SCHEDULE_PLAYER_TWICE = ProblemType(
    "schedule.player_twice", "{where}: {who} sits in round {round} already, at table {table} ({first})."
)
SCHEDULE_SEAT_TWICE = ProblemType(
    "schedule.seat_twice", "{where}: {start_wind} at table {table} in round {round} is taken already ({first})."
)
SCHEDULE_PLAYERS_AT_TABLE = ProblemType(
    "schedule.players_at_table", "{where}: round {round}, table {table} has {found} of {size} players."
)
SCHEDULE_TABLE_SIZE = ProblemType(
    "schedule.table_size", "The tables in this file have {found} players; this event plays with {size}."
)
SCHEDULE_TABLE_GAP = ProblemType(
    "schedule.table_gap", "Round {round}: the tables go up to {last}; missing are {missing}."
)
SCHEDULE_TABLES_WRONG_NUMBER = ProblemType(
    "schedule.tables_wrong_number", "Round {round} has {found} tables; the players of this event fill {needed}."
)
SCHEDULE_PLAYERS_DO_NOT_FILL = ProblemType(
    "schedule.players_do_not_fill",
    "{players} players do not fill tables of {size}: {spare} would be left over. Correct the list of players first.",
)
SCHEDULE_ROUNDS_MISSING = ProblemType(
    "schedule.rounds_missing", "The file goes up to round {last}; missing are {missing}."
)
SCHEDULE_ROUNDS_TOO_MANY = ProblemType(
    "schedule.rounds_too_many", "{where}: the file goes up to round {rounds}; this event has {planned} rounds."
)
SCHEDULE_ROUNDS_TOO_FEW = ProblemType(
    "schedule.rounds_too_few", "The file has {rounds} of {planned} rounds: the others stay without seats."
)
SCHEDULE_NEVER_SEATED = ProblemType("schedule.never_seated", "Without a seat in any round ({count}): {who}.")
SCHEDULE_MISSING_IN_ROUND = ProblemType("schedule.missing_in_round", "Round {round}: without a seat ({count}): {who}.")

_MAX_NAMED = 8  # people or tables in one sentence


def judge_seats(seats: Sequence[PlacedSeat], people: People, *, table_size: int, planned: int) -> Iterator[Judged]:
    """Judge all seats together."""
    yield from _judge_rounds(seats, planned)
    yield from _judge_tables(seats, people, table_size)
    sizes = list(_judge_sizes(seats, table_size))
    yield from sizes
    if not any(problem.code == "schedule.table_size" for _, problem in sizes):
        yield from _judge_winds(seats, table_size)
    yield from _judge_players(seats, people)
    yield from _judge_missing([seat for seat in seats if seat.round <= planned], people)


def _judge_rounds(seats: Sequence[PlacedSeat], planned: int) -> Iterator[Judged]:
    rounds = {seat.round for seat in seats}
    last = max(rounds)
    missing = [number for number in range(1, min(last, planned) + 1) if number not in rounds]
    if missing:
        yield 0, SCHEDULE_ROUNDS_MISSING(last=last, missing=_named(missing))
    beyond = next((seat for seat in seats if seat.round > planned), None)
    if beyond:
        yield beyond.row, SCHEDULE_ROUNDS_TOO_MANY(where=beyond.where, rounds=last, planned=planned)
    if 0 < last < planned and not missing:
        yield 0, SCHEDULE_ROUNDS_TOO_FEW.warning(rounds=last, planned=planned)


def _judge_tables(seats: Sequence[PlacedSeat], people: People, table_size: int) -> Iterator[Judged]:
    """Refuse tables that are not numbered on from 1, and more or fewer than the players fill."""
    active = sum(not entrant.left for entrant in people.entrants)
    needed = active // table_size
    if active % table_size:
        yield 0, SCHEDULE_PLAYERS_DO_NOT_FILL(players=active, size=table_size, spare=active % table_size)
    for round_, tables in sorted(_tables_by_round(seats).items()):
        gaps = [number for number in range(1, max(tables) + 1) if number not in tables]
        if gaps:
            yield 0, SCHEDULE_TABLE_GAP(round=round_, last=max(tables), missing=_named(gaps))
        elif len(tables) != needed and not active % table_size:
            yield 0, SCHEDULE_TABLES_WRONG_NUMBER(round=round_, found=len(tables), needed=needed)


def _judge_sizes(seats: Sequence[PlacedSeat], table_size: int) -> Iterator[Judged]:
    tables = by_table(seats)
    sizes = Counter(map(len, tables.values()))
    usual = max(sizes, key=lambda size: sizes[size])
    if usual != table_size and usual in TABLE_SIZES and sizes[usual] * 2 > len(tables):
        yield 0, SCHEDULE_TABLE_SIZE(found=usual, size=table_size)
        return
    for (round_, table), here in sorted(tables.items()):
        winds = Counter(seat.seat for seat in here if seat.seat is not None)
        if len(here) == table_size or (len(here) > table_size and max(winds.values(), default=0) > 1):
            continue
        yield (
            here[0].row,
            SCHEDULE_PLAYERS_AT_TABLE(where=here[0].where, round=round_, table=table, found=len(here), size=table_size),
        )


def _judge_winds(seats: Sequence[PlacedSeat], table_size: int) -> Iterator[Judged]:
    taken: dict[tuple[int, int, int], PlacedSeat] = {}
    for seat in seats:
        if seat.seat is None:
            continue
        if not 0 <= seat.seat < table_size:
            letter = "ESWN"[seat.seat] if seat.seat in range(4) else str(seat.seat + 1)
            yield seat.row, SCHEDULE_WIND_BEYOND(where=seat.where, start_wind=letter, size=table_size)
            continue
        first = taken.setdefault((seat.round, seat.table, seat.seat), seat)
        if first is not seat:
            yield (
                seat.row,
                SCHEDULE_SEAT_TWICE(
                    round=seat.round,
                    table=seat.table,
                    where=seat.where,
                    start_wind="ESWN"[seat.seat],
                    first=first.where,
                ),
            )


def _judge_players(seats: Sequence[PlacedSeat], people: People) -> Iterator[Judged]:
    first: dict[tuple[int, int], PlacedSeat] = {}
    for seat in seats:
        if seat.player is None:
            continue
        there = first.setdefault((seat.round, seat.player), seat)
        if there is not seat:
            yield (
                seat.row,
                SCHEDULE_PLAYER_TWICE(
                    round=seat.round,
                    table=there.table,
                    where=seat.where,
                    who=people.text(seat.player),
                    first=there.where,
                ),
            )


def _judge_missing(seats: Sequence[PlacedSeat], people: People) -> Iterator[Judged]:
    """Name who has no seat, in no round or in some; who may be meant by a misspelt name counts as seated."""
    if not seats:
        return
    there: dict[int, set[int]] = defaultdict(set)
    for seat in seats:
        there[seat.round] |= {number for number in (seat.player, seat.guess) if number is not None}
    everybody = [entrant.number for entrant in people.entrants if not entrant.left]
    ever = set[int]().union(*there.values())
    never = [number for number in everybody if number not in ever]
    if never:
        yield 0, SCHEDULE_NEVER_SEATED(count=len(never), who=_people(never, people))
    for round_, seen in sorted(there.items()):
        missing = [number for number in everybody if number not in seen and number not in never]
        if missing:
            yield 0, SCHEDULE_MISSING_IN_ROUND(round=round_, count=len(missing), who=_people(missing, people))


def by_table(seats: Sequence[PlacedSeat]) -> dict[tuple[int, int], list[PlacedSeat]]:
    """Return the seats of each (round, table) in the order of the file."""
    tables: dict[tuple[int, int], list[PlacedSeat]] = defaultdict(list)
    for seat in seats:
        tables[seat.round, seat.table].append(seat)
    return tables


def _tables_by_round(seats: Sequence[PlacedSeat]) -> dict[int, set[int]]:
    tables: dict[int, set[int]] = defaultdict(set)
    for seat in seats:
        tables[seat.round].add(seat.table)
    return tables


def _named(numbers: Sequence[int]) -> tuple[str, ...]:
    more = ("…",) if len(numbers) > _MAX_NAMED else ()
    return (*map(str, numbers[:_MAX_NAMED]), *more)


def _people(numbers: Sequence[int], people: People) -> tuple[str, ...]:
    more = ("…",) if len(numbers) > _MAX_NAMED else ()
    return (*(people.text(number) for number in numbers[:_MAX_NAMED]), *more)


# ---------------------------------------------------------------- layouts


SCHEDULE_LAYOUT_UNKNOWN = ProblemType(
    "schedule.layout_unknown",
    "No schedule was found in this file. It needs headings such as Round, Table, Seat, Player; or Round, Table, "
    "East, South, West, North; or one row per player and one column per round; or a line “Round 1” above the "
    "tables. The columns are: {columns}.",
)
SCHEDULE_TAKEN_FROM_ABOVE = ProblemType(
    "schedule.taken_from_above",
    "{where} is empty: the value above it was used, as in merged cells (cells filled like this: {count}).",
)
SCHEDULE_ROW_LEFT_OUT = ProblemType("schedule.row_left_out", "Row {row} was left out: nobody is seated in it.")
SCHEDULE_NUMBER_MISSING = ProblemType("schedule.number_missing", "{where}: the {column} is missing.")
SCHEDULE_NUMBER_UNKNOWN = ProblemType("schedule.number_unknown", "{where}: “{given}” is not the number of a {column}.")
SCHEDULE_WIND_UNKNOWN = ProblemType(
    "schedule.wind_unknown", "{where}: “{given}” is not a wind. Write East, South, West or North, or the seat from 1."
)
SCHEDULE_PLACE_UNKNOWN = ProblemType(
    "schedule.place_unknown", "{where}: “{given}” is not a seat. Write the table and the wind, as in 5E."
)
SCHEDULE_CELL_DATE = ProblemType(
    "schedule.cell_date",
    "{where}: the spreadsheet made a date or an hour of this ({given}). Format the column as text and write it "
    "again, as in 5E.",
)
SCHEDULE_TABLE_EMPTY = ProblemType("schedule.table_empty", "{where}: nobody sits at this table.")

MEANINGS = ("round", "table", "seat", "player", "number", "wind0", "wind1", "wind2", "wind3")
_HEADER_DEPTH = 20
WIND_LETTERS = "ESWN5"  # the last for a seat that no table has
_WINDS = MEANINGS[-4:]
_WHO = ("player", "number", "line")

_NUMBERED = (
    "seat {}",
    "player {}",
    "p{}",
    "{}",
    "Spieler {}",
    "Platz {}",
    "joueur {}",
    "place {}",
    "選手{}",
    "プレイヤー{}",
)
_VOCABULARY = Vocabulary(
    {
        "round": ROUND,
        "table": TABLE,
        "number": (
            "player number|player no|player nr|player id|start number|Startnummer|Spielernummer|Spieler Nr|"
            "numéro du joueur|numéro de joueur|n° joueur|dossard|選手番号|プレイヤー番号"
        ),
        "player": f"{PLAYER}|participant|Teilnehmer",
        "seat": SEAT,
        "line": "no|nr|number|id|Nummer|numéro|番号",
        **{
            f"wind{seat}": "|".join(
                (
                    wind_headings("{}|{} seat|{} player|{} name", seat),
                    *(name.format(seat + 1) for name in _NUMBERED),
                )
            )
            for seat in range(4)
        },
        "windo": "O",
    },
    ignored={
        "other": "club|country|team|Verein|Land|pays|équipe|EMA|EMA number|rating|note|notes|所属|国|points|score|"
        "total",
    },
)


@dataclass(frozen=True, slots=True)
class LayoutMatch:
    """The layout that a sheet has, None for none; `columns` can be chosen from, where it has such columns."""

    layout: Layout | None
    header: Header | None = None
    columns: tuple[Column, ...] = ()
    problems: tuple[Problem, ...] = ()


def find_layout(sheet: Sheet, chosen: Chosen | None = None) -> LayoutMatch:
    """Find out which layout a sheet has; with columns as `chosen` it is a row a table or a row a seat."""
    listing = list_in(sheet, SCHEDULE, chosen=chosen)
    if listing.header is not None:
        return LayoutMatch(
            "tables" if _has_winds(listing.header.meanings) else "seats", listing.header, listing.columns
        )
    if chosen is None:
        if (matrix := _find_matrix(sheet.rows)) is not None:
            return LayoutMatch("matrix", matrix)
        if (blocks := _find_blocks(sheet.rows)) is not None:
            return LayoutMatch("blocks", blocks)
    return LayoutMatch(None, None, listing.columns, listing.problems)


def is_schedule(rows: Sequence[SheetRow]) -> bool:
    """Say whether rows have one of the layouts."""
    return SCHEDULE.suits(rows) or _find_matrix(rows) is not None or _find_blocks(rows) is not None


def read_layout(layout: Layout, rows: Sequence[SheetRow], header: Header) -> Reading:
    """Read the seats of a sheet; raises InvalidInput where there are too many."""
    reading = Reading(layout)
    if layout == "matrix":
        _read_matrix(reading, rows, header)
    elif layout == "seats":
        _read_seats(reading, rows, header)
    else:
        _read_tables(reading, rows, header)
    return reading


# ---------------------------------------------------------------- headings


def _has_winds(seen: frozenset[str]) -> bool:
    """Say whether there is a column for each wind of a table."""
    return len(seen & {*_WINDS, "windo"}) >= 3


def _is_complete(seen: frozenset[str]) -> bool:
    return seen >= {"round", "table"} and (_has_winds(seen) or not seen.isdisjoint(_WHO))


def _settle(header: Header) -> Header:
    """Settle what "O" is (Ost, or Ouest where East has a column), and take a bare "No." for the player's number."""
    seen = header.meanings
    meant = {"windo": "wind2" if "wind0" in seen else "wind0"}
    if "line" in seen and seen.isdisjoint({"player", "number"}):
        meant["line"] = "number"
    columns = tuple(
        dataclasses.replace(column, meaning=meant[column.meaning])
        if column.used and column.meaning in meant
        else column
        for column in header.columns
    )
    return dataclasses.replace(header, columns=columns)


SCHEDULE = ListKind(
    _VOCABULARY,
    complete=_is_complete,
    settle=_settle,
    lacking=lambda rows: SCHEDULE_LAYOUT_UNKNOWN(columns=list_headings(rows)),
    widest_only=True,
)
_BLOCKS = dataclasses.replace(SCHEDULE, complete=lambda seen: "table" in seen and _has_winds(seen))


def _find_blocks(rows: Sequence[SheetRow]) -> Header | None:
    """Find the headings of tables whose rounds are lines such as "Round 1"."""
    if all(_round_line(row) is None for row in rows):
        return None
    found = _BLOCKS.find(rows)
    return None if found and found.doubles else found  # rounds side by side: half of them would be lost


def _round_line(row: SheetRow) -> int | None:
    """Return the round that a row opens, None for any other row."""
    filled = [cell for cell in row.cells if cell]
    rounds = [number for cell in filled if (number := read_round_line(cell)) is not None]
    return rounds[0] if len(filled) <= 2 and len(rounds) == 1 and read_round_line(filled[0]) else None


def _find_matrix(rows: Sequence[SheetRow]) -> Header | None:
    """Find the headings of a list of one row a player; the columns of rounds mean the round's number."""
    return next((header for row in rows[:_HEADER_DEPTH] if (header := _matrix_header(row)) is not None), None)


def _matrix_header(row: SheetRow) -> Header | None:
    rounds = {index: str(number) for index, cell in enumerate(row.cells) if (number := read_round(cell)) is not None}
    bare = any(read_round_line(row.cells[index]) is None for index in rounds)
    if not rounds or (bare and list(rounds.values()) != [str(at) for at in range(1, max(len(rounds), 2) + 1)]):
        return None
    left = SheetRow(row.number, row.cells[: min(rounds)])
    named = find_header([left], _VOCABULARY, complete=lambda seen: not seen.isdisjoint(_WHO))
    if named is None:
        return None
    columns = (Column(index, "", row.cells[index], meaning, used=True) for index, meaning in rounds.items())
    return dataclasses.replace(named, columns=(*named.columns, *columns))


def _who_column(header: Header) -> int:
    """Return the column that says who sits there: names before numbers."""
    return next(index for meaning in _WHO if (index := header.index_of(meaning)) >= 0)


# ---------------------------------------------------------------- rows


@dataclass(slots=True)
class _Above:
    """What the rows above said, for cells that are empty below them."""

    reading: Reading
    values: dict[str, int] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)

    def place(self, row: SheetRow, header: Header) -> tuple[int, int] | None:
        """Return (round, table) of a row; None, and a problem, where one cannot be read."""
        round_, table = self._number(row, header, "round"), self._number(row, header, "table")
        return None if round_ is None or table is None else (round_, table)

    def _number(self, row: SheetRow, header: Header, meaning: str) -> int | None:
        index = header.index_of(meaning)
        text = cell_at(row, index)
        if not text and meaning in self.values:
            if index >= 0:
                self.taken.append(cell_name(row, index))
            return self.values[meaning]
        number = read_round(text) if meaning == "round" else read_table(text)
        if number is None:
            where = cell_name(row, max(index, 0))
            missing = SCHEDULE_NUMBER_MISSING(where=where, column=meaning)
            strange = SCHEDULE_NUMBER_UNKNOWN(where=where, column=meaning, given=printable(text))
            self.reading.fault(row, strange if text else missing)
            return None
        if meaning == "round" and self.values.get("round") != number:
            self.values.pop("table", None)
        self.values[meaning] = number
        return number

    def opens_round(self, row: SheetRow) -> bool:
        """Say whether a row only opens a round, and remember which."""
        number = _round_line(row)
        if number is None:
            return False
        self.values = {"round": number}
        return True

    def tell(self) -> None:
        """Say which empty cells were filled from above."""
        if self.taken:
            more = SCHEDULE_TAKEN_FROM_ABOVE.warning(where=self.taken[0], count=len(self.taken))
            self.reading.faults.append((0, more))


def _read_seats(reading: Reading, rows: Sequence[SheetRow], header: Header) -> None:
    above = _Above(reading)
    who, seat, number = _who_column(header), header.index_of("seat"), header.index_of("number")
    for row in rows:
        if row.number <= header.row or above.opens_round(row) or SCHEDULE.suits([row]):
            continue
        place = above.place(row, header)
        wind = _wind(reading, row, seat)
        text = cell_at(row, who)
        if not text:
            reading.fault(row, SCHEDULE_NOBODY(where=cell_name(row, who)))
        if place is None or wind is None or not text:
            continue
        beside = cell_at(row, number) if number not in (-1, who) else ""
        reading.take(SeatText(row.number, cell_name(row, who), *place, wind, text, beside))
        reading.rows.add(row.number)
    above.tell()


def _wind(reading: Reading, row: SheetRow, index: int) -> str | None:
    """Return the wind of a row, "" where the sheet has none; None, and a problem, where it cannot be read."""
    text = cell_at(row, index)
    if not text:
        return ""
    wind = read_wind(text)
    if wind is None:
        where, given = cell_name(row, index), printable(text)
        reading.fault(row, _date_in(text, where) or SCHEDULE_WIND_UNKNOWN(where=where, given=given))
    return wind


def _date_in(text: str, where: str) -> Problem | None:
    """Return that a spreadsheet made a date of a cell, which explains why it cannot be read."""
    return SCHEDULE_CELL_DATE(where=where, given=printable(text)) if is_date(text) else None


def _read_tables(reading: Reading, rows: Sequence[SheetRow], header: Header) -> None:
    above = _Above(reading)
    for row in rows:
        if above.opens_round(row) or row.number <= header.row:
            continue
        repeated = _BLOCKS.find([row])
        if repeated is not None:
            header = repeated
        else:
            _take_table_row(reading, above, row, header)
    above.tell()


def _take_table_row(reading: Reading, above: _Above, row: SheetRow, header: Header) -> None:
    """Take the seats of one row of a table."""
    columns = [(seat, index) for seat, name in enumerate(_WINDS) if (index := header.index_of(name)) >= 0]
    seats = [(seat, index) for seat, index in columns if not is_nothing(cell_at(row, index))]
    table = header.index_of("table")
    if not seats and not cell_at(row, table):
        reading.fault(row, SCHEDULE_ROW_LEFT_OUT.warning(row=row.number))
        return
    if not seats:
        reading.fault(row, SCHEDULE_TABLE_EMPTY(where=cell_name(row, table)))
        return
    place = above.place(row, header)
    if place is None:
        return
    reading.rows.add(row.number)
    for seat, index in seats:
        letter = WIND_LETTERS[seat]
        reading.take(SeatText(row.number, cell_name(row, index), *place, letter, cell_at(row, index)))


def _read_matrix(reading: Reading, rows: Sequence[SheetRow], header: Header) -> None:
    who, number = _who_column(header), header.index_of("number")
    rounds = [(column.index, int(column.meaning)) for column in header.columns if column.meaning.isdigit()]
    for row in (row for row in rows if row.number > header.row):
        text = cell_at(row, who)
        if not text:
            unread = SCHEDULE_ROW_LEFT_OUT.warning(row=row.number)
            stray = SCHEDULE_NOBODY(where=cell_name(row, who))
            reading.fault(row, stray if any(cell_at(row, index) for index, _ in rounds) else unread)
            continue
        reading.rows.add(row.number)
        beside = cell_at(row, number) if number != who else ""
        for index, round_ in rounds:
            cell = cell_at(row, index)
            if is_nothing(cell):
                continue
            place = read_place(cell)
            if place is None:
                where, given = cell_name(row, index), printable(cell)
                reading.fault(row, _date_in(cell, where) or SCHEDULE_PLACE_UNKNOWN(where=where, given=given))
                continue
            reading.take(SeatText(row.number, cell_name(row, index), round_, *place, text, beside))
