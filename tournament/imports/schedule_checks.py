"""Check the seats of a schedule against each other: everybody once a round, whole tables, each wind once a table."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.problems import Problem, error, warning
from tournament.imports.people import People
from tournament.imports.result_lines import TABLE_SIZES

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
        yield 0, error("schedule.rounds_missing", last=last, missing=_named(missing))
    beyond = next((seat for seat in seats if seat.round > planned), None)
    if beyond:
        yield beyond.row, error("schedule.rounds_too_many", where=beyond.where, rounds=last, planned=planned)
    if 0 < last < planned and not missing:
        yield 0, warning("schedule.rounds_too_few", rounds=last, planned=planned)


def _judge_tables(seats: Sequence[PlacedSeat], people: People, table_size: int) -> Iterator[Judged]:
    """Refuse tables that are not numbered on from 1, and more or fewer than the players fill."""
    active = sum(not entrant.left for entrant in people.entrants)
    needed = active // table_size
    if active % table_size:
        yield 0, error("schedule.players_do_not_fill", players=active, size=table_size, spare=active % table_size)
    for round_, tables in sorted(_tables_by_round(seats).items()):
        gaps = [number for number in range(1, max(tables) + 1) if number not in tables]
        if gaps:
            yield 0, error("schedule.table_gap", round=round_, last=max(tables), missing=_named(gaps))
        elif len(tables) != needed and not active % table_size:
            yield 0, error("schedule.tables_wrong_number", round=round_, found=len(tables), needed=needed)


def _judge_sizes(seats: Sequence[PlacedSeat], table_size: int) -> Iterator[Judged]:
    tables = by_table(seats)
    sizes = Counter(map(len, tables.values()))
    usual = max(sizes, key=lambda size: sizes[size])
    if usual != table_size and usual in TABLE_SIZES and sizes[usual] * 2 > len(tables):
        yield 0, error("schedule.table_size", found=usual, size=table_size)
        return
    for (round_, table), here in sorted(tables.items()):
        winds = Counter(seat.seat for seat in here if seat.seat is not None)
        if len(here) == table_size or (len(here) > table_size and max(winds.values(), default=0) > 1):
            continue
        place = {"round": round_, "table": table, "found": len(here), "size": table_size}
        yield here[0].row, error("schedule.players_at_table", where=here[0].where, **place)


def _judge_winds(seats: Sequence[PlacedSeat], table_size: int) -> Iterator[Judged]:
    taken: dict[tuple[int, int, int], PlacedSeat] = {}
    for seat in seats:
        if seat.seat is None:
            continue
        if not 0 <= seat.seat < table_size:
            letter = "ESWN"[seat.seat] if seat.seat in range(4) else str(seat.seat + 1)
            yield seat.row, error("schedule.wind_beyond", where=seat.where, start_wind=letter, size=table_size)
            continue
        first = taken.setdefault((seat.round, seat.table, seat.seat), seat)
        if first is not seat:
            told = {"where": seat.where, "start_wind": "ESWN"[seat.seat], "first": first.where}
            yield seat.row, error("schedule.seat_twice", round=seat.round, table=seat.table, **told)


def _judge_players(seats: Sequence[PlacedSeat], people: People) -> Iterator[Judged]:
    first: dict[tuple[int, int], PlacedSeat] = {}
    for seat in seats:
        if seat.player is None:
            continue
        there = first.setdefault((seat.round, seat.player), seat)
        if there is not seat:
            told = {"where": seat.where, "who": people.text(seat.player), "first": there.where}
            yield seat.row, error("schedule.player_twice", round=seat.round, table=there.table, **told)


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
        yield 0, error("schedule.never_seated", count=len(never), who=_people(never, people))
    for round_, seen in sorted(there.items()):
        missing = [number for number in everybody if number not in seen and number not in never]
        if missing:
            yield 0, error("schedule.missing_in_round", round=round_, count=len(missing), who=_people(missing, people))


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
