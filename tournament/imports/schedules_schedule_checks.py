"""Check the seats of a schedule against each other: everybody once a round, whole tables, each wind once a table.

In the problems `where` names a cell as spreadsheets do, or a place in a JSON file.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.problems import Problem, ProblemType
from tournament.imports.entrants_people import People
from tournament.imports.results_result_lines import TABLE_SIZES

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

_MOST_NAMED = 8  # people or tables in one sentence

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
    more = ("…",) if len(numbers) > _MOST_NAMED else ()
    return (*map(str, numbers[:_MOST_NAMED]), *more)


def _people(numbers: Sequence[int], people: People) -> tuple[str, ...]:
    more = ("…",) if len(numbers) > _MOST_NAMED else ()
    return (*(people.text(number) for number in numbers[:_MOST_NAMED]), *more)
