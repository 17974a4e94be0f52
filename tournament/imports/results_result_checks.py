"""Check the lines of a results file against each other: whole rounds, whole tables, each player once a round."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from scoring.problems import Problem, ProblemType
from tournament.imports.players import IMPORT_NAME_SIMILAR
from tournament.imports.results_result_lines import TABLE_SIZES, ResultSeat
from tournament.text.names_1 import find_similar, first_index_by_key, same_name_keys

IMPORT_ROUNDS_MISSING = ProblemType(
    "import.rounds_missing", "The file goes up to round {last}, but these rounds are missing: {missing}."
)
IMPORT_TABLES_MISSING = ProblemType(
    "import.tables_missing", "Round {round} has {tables} tables; most rounds have {usual}."
)
IMPORT_TABLE_SIZES_MIXED = ProblemType(
    "import.table_sizes_mixed",
    "Round {round}, table {table} has {size} players, most tables have {usual} ({count} differ). Is a line missing?",
    ("row",),
)
IMPORT_SEAT_MISSING = ProblemType(
    "import.seat_missing", "Round {round}, table {table}: nobody sits at {seat}.", ("row",)
)
IMPORT_SEAT_TWICE = ProblemType(
    "import.seat_twice", "Row {row}: {seat} at round {round}, table {table} is already taken by row {other_row}."
)
IMPORT_SEAT_UNKNOWN = ProblemType(
    "import.seat_unknown", "Row {row}: round {round}, table {table} has {usual} seats; there is no {seat}."
)
IMPORT_PLAYER_TWICE_IN_ROUND = ProblemType(
    "import.player_twice_in_round",
    "“{name}” in row {row} already plays in round {round}, at table {table} (row {other_row}).",
)
IMPORT_PLAYER_TWO_SPELLINGS = ProblemType(
    "import.player_two_spellings",
    "“{name}” in row {row} and “{other}” in row {other_row} are one name in two spellings. Write it one way.",
)
IMPORT_TABLE_SUM_DIFFERS = ProblemType(
    "import.table_sum_differs", "Round {round}, table {table} adds up to {sum}; most tables to {usual}."
)

Place = tuple[int, int]  # round number, table number


def players_per_table(seats: Sequence[ResultSeat]) -> int:
    """Find the size that most tables have; 0 without any."""
    sizes = Counter(len({seat.seat for seat in table}) for table in _by_table(seats).values())
    return max(sizes, key=lambda size: (sizes[size], size), default=0)


def judge_results(seats: Sequence[ResultSeat], *, seated: bool = False) -> Iterator[Problem]:
    """Judge all lines together; where the event's own seats are known a file need not be about all of its rounds."""
    if not seated:
        yield from _judge_rounds(seats)
        yield from _judge_spellings(seats)
    yield from _judge_sizes(seats)
    yield from _judge_seats(seats)
    yield from _judge_players(seats)
    yield from _judge_sums(seats)


def _judge_rounds(seats: Sequence[ResultSeat]) -> Iterator[Problem]:
    tables: dict[int, set[int]] = defaultdict(set)
    for seat in seats:
        tables[seat.round_number].add(seat.table_number)
    missing = [number for number in range(1, max(tables, default=0)) if number not in tables]
    if missing:
        yield IMPORT_ROUNDS_MISSING(missing=_listed(missing), last=max(tables))
    usual = Counter(map(len, tables.values())).most_common(1)[0][0] if tables else 0
    for number in sorted(tables):
        if len(tables[number]) < usual:
            yield IMPORT_TABLES_MISSING.warning(round=number, tables=len(tables[number]), usual=usual)


def _judge_sizes(seats: Sequence[ResultSeat]) -> Iterator[Problem]:
    """Refuse whole tables of different sizes in one event; a table without its last player looks the same."""
    whole = {place: size for place, table in _by_table(seats).items() if (size := _whole_size(table))}
    usual = players_per_table(seats)
    others = sorted(place for place, size in whole.items() if size != usual)
    if others and usual:
        first = others[0]
        row = min(seat.row for seat in seats if (seat.round_number, seat.table_number) == first)
        yield IMPORT_TABLE_SIZES_MIXED(
            usual=usual, count=len(others), round=first[0], table=first[1], size=whole[first], row=row
        )


def _judge_seats(seats: Sequence[ResultSeat]) -> Iterator[Problem]:
    usual = max(players_per_table(seats), min(TABLE_SIZES))
    for (round_number, table_number), table in sorted(_by_table(seats).items()):
        taken: dict[int, ResultSeat] = {}
        for seat in table:
            other = taken.setdefault(seat.seat, seat)
            if other is not seat:
                yield IMPORT_SEAT_TWICE(
                    row=seat.row, round=round_number, table=table_number, seat=seat.seat, other_row=other.row
                )
        if _whole_size(table):
            continue  # sizes are judged together
        for number in sorted(set(range(usual)) - set(taken)):
            yield IMPORT_SEAT_MISSING(row=table[0].row, round=round_number, table=table_number, seat=number)
        for number in sorted(set(taken) - set(range(usual))):
            yield IMPORT_SEAT_UNKNOWN(
                row=taken[number].row, round=round_number, table=table_number, seat=number, usual=usual
            )


def _judge_players(seats: Sequence[ResultSeat]) -> Iterator[Problem]:
    first: dict[tuple[int, str], ResultSeat] = {}
    for seat in seats:
        other = first.setdefault((seat.round_number, seat.player), seat)
        if other is not seat:
            yield IMPORT_PLAYER_TWICE_IN_ROUND(
                row=seat.row, round=seat.round_number, name=seat.player, other_row=other.row, table=other.table_number
            )


def _judge_spellings(seats: Sequence[ResultSeat]) -> Iterator[Problem]:
    """Notice what may be one player under two spellings, each spelling once, at its first line."""
    rows: dict[str, int] = {}
    for seat in seats:
        rows.setdefault(seat.player, seat.row)
    names = list(rows)
    first = first_index_by_key(names)
    for index, name in enumerate(names):
        same = min((first[key] for key in same_name_keys(name)), default=index)
        if same < index:
            yield IMPORT_PLAYER_TWO_SPELLINGS(row=rows[name], name=name, other=names[same], other_row=rows[names[same]])
    for index, like in find_similar(names):
        name, other = names[index], names[like]
        yield IMPORT_NAME_SIMILAR.warning(row=rows[name], name=name, other=other, other_row=rows[other])


def _judge_sums(seats: Sequence[ResultSeat]) -> Iterator[Problem]:
    """Point at tables whose sum differs from most: a mistyped number, or riichi sticks that nobody got."""
    sums = {
        place: sum(seat.points for seat in table) for place, table in _by_table(seats).items() if _whole_size(table)
    }
    if not sums:
        return
    usual = Counter(sums.values()).most_common(1)[0][0]
    for (round_number, table_number), total in sorted(sums.items()):
        if total != usual:
            yield IMPORT_TABLE_SUM_DIFFERS.warning(round=round_number, table=table_number, sum=total, usual=usual)


def _by_table(seats: Sequence[ResultSeat]) -> dict[Place, list[ResultSeat]]:
    tables: dict[Place, list[ResultSeat]] = defaultdict(list)
    for seat in seats:
        tables[seat.round_number, seat.table_number].append(seat)
    return tables


def _whole_size(table: Sequence[ResultSeat]) -> int:
    """Give the size of a table that has each seat from 0 on once, else 0."""
    taken = sorted(seat.seat for seat in table)
    return len(taken) if taken == list(range(len(taken))) and len(taken) in TABLE_SIZES else 0


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:10])) + (" …" if len(numbers) > 10 else "")
