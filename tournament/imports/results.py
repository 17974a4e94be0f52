"""Read results, in our columns or as the Mahjong Tournament Engine writes them, into rounds, tables and seats.

Each line gives one seat or what is wrong with it; then whole rounds and tables are checked, each player once a round.
With the `Seating` of an event a file needs only players and points. Stores nothing.
"""

import dataclasses
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, islice
from typing import Any

from scoring.problems import InvalidInput, Problem, ProblemType, errors_of
from tournament.core.limits import BYTES_LIMIT, MAX_NAME
from tournament.imports.entrants import People, fold_cell, is_nothing, read_wind, seats_by_wind
from tournament.imports.files import (
    COLUMN_LIMIT,
    Sheet,
    SheetRow,
    cell_at,
    cell_name,
    is_in_thousands,
    read_points,
    read_whole_number,
)
from tournament.imports.listing import (
    IMPORT_NUMBER_UNKNOWN,
    PLACES,
    PLAYER,
    ROUND,
    SEAT,
    TABLE,
    WRONG_FORM,
    Chosen,
    Grade,
    Header,
    ListKind,
    Preview,
    RowVerdict,
    Vocabulary,
    find_header,
    kept_guess,
    list_in,
    named_row,
    part_problems,
    read_number_cell,
    too_wide,
    wind_headings,
)
from tournament.imports.penalties import IMPORT_NUMBER_OUT_OF_RANGE, IMPORT_POINTS_IN_THOUSANDS
from tournament.imports.players import (
    IMPORT_NAME_CONTROLS,
    IMPORT_NAME_MISSING,
    IMPORT_NAME_SIMILAR,
    IMPORT_NAME_TOO_LONG,
)
from tournament.tables.rows import Entrant
from tournament.text.languages import join_commas
from tournament.text.names import clean_name, find_similar, first_index_by_key, has_controls, printable, same_name_keys

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

IMPORT_GAMES_IN_TURN = ProblemType(
    "import.games_in_turn", "No column says the round: each row was read as a round of its own, from the top."
)
IMPORT_GAMES_NUMBERED = ProblemType(
    "import.games_numbered",
    "No column says the round: each row was read as a round of its own, in the order of column {column}.",
)
IMPORT_GAMES_UNPLAYED = ProblemType(
    "import.games_unplayed", "Games without any points are left out ({count}, the first in row {row})."
)
IMPORT_SEATS_IN_TURN = ProblemType(
    "import.seats_in_turn",
    "The file does not say who sat where: the first player of each game was read as East, and so on.",
)

IMPORT_GAME_SIZE = ProblemType(
    "import.game_size",
    "Row {row} has the points of {count} players; a game has those of 3 or 4, and a row of sums “Total”.",
)
IMPORT_NAME_OVER_TWO_COLUMNS = ProblemType(
    "import.name_over_two_columns", "Two columns are called “{name}”. Are they two people? Give each a name of its own."
)

SeatNumber = tuple[int, int]  # table, seat

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
    places: Mapping[tuple[int, int], SeatNumber]
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
            # with its row beside the cell that it names, so that it is shown there
            told = found.problem and replace(found.problem, params={**found.problem.params, "row": row.number})
            return filled, [told] if told else []
        name, round_ = self.people.by_number[found.number].name, read_whole_number(filled["round"])
        place = self.places.get((round_ or 0, found.number))
        if place is None:
            return filled, [RESULTS_NOT_SEATED(row=row.number, name=name, round=filled["round"])]
        table, seat = place
        filled["player"] = name
        filled.setdefault("table", str(table))
        filled.setdefault("seat", str(seat))
        return filled, []


def read_result_lines(
    rows: Sequence[SheetRow], header: Header, *, is_text: bool, seating: Seating | None = None
) -> tuple[tuple[ResultSeat, ...], tuple[Problem, ...]]:
    """Read every line that can be read, seats counted from 0 whichever way the file counts them.

    With a `seating` the players are those of the event, and what it knows may be missing from the file.
    """
    problems: list[Problem] = []
    seats: list[ResultSeat] = []
    views, places, by_place = _views_of(header), dict[int, dict[str, str]](), _names_places(header)
    if len(views) > 1:
        unplayed = [row for row in rows if not any(view.fields(row)["points"] for view in views)]
        named = [row for row in unplayed if not all(is_nothing(view.fields(row)["player"]) for view in views)]
        if named:
            problems.append(IMPORT_GAMES_UNPLAYED.warning(row=named[0].number, count=len(named)))
        gone = {row.number for row in unplayed}
        rows = [row for row in rows if row.number not in gone]
    whole = (row for row in rows if not is_text or len(row.cells) <= len(header.columns))
    thousands = is_in_thousands(view.fields(row)["points"] for row in whole for view in views)
    if thousands:
        problems.append(IMPORT_POINTS_IN_THOUSANDS.warning())
    problems += _judge_remarks(rows, header)
    written = {read_wind(header.fields(row).get("seat", "")) for row in rows}
    winds = seats_by_wind({wind for wind in written if wind})  # by all of the file: what "O" stands for differs
    if len(views) > 1 and seating is None:
        places, told = _number_games(rows, header)
        problems += [*told, *([IMPORT_SEATS_IN_TURN.warning()] if by_place else [])]
    for row in rows:
        wide = too_wide(row, header, is_text=is_text)
        problems += wide
        for at, view in enumerate(views if not wide else ()):
            fields = view.fields(row)
            if len(views) > 1:
                if is_nothing(fields["player"]) and not fields["points"]:
                    continue  # the fourth of a table of three
                fields = {**places.get(row.number, {}), **fields}
                if not (seating and by_place):
                    fields["seat"] = str(at)
            seat, faults = _read_line(row, view, fields, seating, winds, thousands=thousands)
            problems += faults
            seats += [seat] if seat and not faults else []
    numbers = {seat.seat for seat in seats}
    if seats and "seat" in header.meanings and min(numbers) == 1 and max(numbers) in TABLE_SIZES:
        problems.append(IMPORT_SEATS_FROM_ONE.warning(last=max(numbers)))
        seats = [replace(seat, seat=seat.seat - 1) for seat in seats]
    return tuple(seats), tuple(problems)


def _views_of(header: Header) -> list[Header]:
    """Return the header, or where a row is a game one for each seat, with the columns of its player and its points."""
    if not _is_by_game(header.meanings):
        return [header]
    views = []
    for seat in range(4):
        meant = {f"wind{seat}": "player", f"points{seat}": "points", "round": "round", "table": "table"}
        columns = tuple(
            replace(column, meaning=meant.get(column.meaning, ""), used=column.used and column.meaning in meant)
            for column in header.columns
        )
        views.append(replace(header, columns=columns))
    return [view for view in views if view.meanings >= {"player", "points"}]


def _names_places(header: Header) -> bool:
    """Say whether the columns of players are named by the place that they took."""
    first = [column.heading for column in header.columns if column.used and column.meaning == "wind0"]
    return any(mark in fold_cell(heading) for heading in first for mark in PLACES[0])


def _number_games(rows: Sequence[SheetRow], header: Header) -> tuple[dict[int, dict[str, str]], list[Problem]]:
    """Return the round and the table of each game in a row of its own, where no column says them.

    Tables are counted in each round; without a round each game is a round of its own, in the order of their numbers,
    else of the file.
    """
    if "round" in header.meanings:
        counted: Counter[str] = Counter()
        places = {}
        for row in rows:
            round_ = header.fields(row).get("round", "")
            counted[round_] += 1
            places[row.number] = {"table": str(counted[round_])}
        return places, []
    order, told = list(rows), IMPORT_GAMES_IN_TURN.warning()
    for games in (column for column in header.columns if column.meaning == "game"):
        numbers = {row.number: read_whole_number(cell_at(row, games.index)) for row in rows}
        if None not in numbers.values() and len(set(numbers.values())) == len(rows):
            order.sort(key=lambda row: numbers[row.number] or 0)
            told = IMPORT_GAMES_NUMBERED.warning(column=games.text)
            break
    return {row.number: {"round": str(at), "table": "1"} for at, row in enumerate(order, start=1)}, [told]


def _read_line(
    row: SheetRow,
    header: Header,
    fields: Mapping[str, str],
    seating: Seating | None,
    winds: Mapping[str, int],
    *,
    thousands: bool,
) -> tuple[ResultSeat | None, list[Problem]]:
    """Return the seat of a line, and every problem of it: with one the seat is never used."""
    if seating:
        fields, unknown = seating.fill(fields, row, header)
        if unknown:
            return None, unknown
    problems: list[Problem] = []

    def number(column: str) -> int:
        small = thousands and column == "points"
        found = read_number_cell(fields[column], row.number, column, problems, thousands=small)
        least, most = _BOUNDS[column]
        if found is not None and not least <= found <= most:
            wrong = IMPORT_NUMBER_OUT_OF_RANGE(row=row.number, column=column, given=found, least=least, most=most)
            problems.append(wrong)
        return found or 0

    round_, table, wind = number("round"), number("table"), read_wind(fields["seat"]) or ""
    seat = number("seat") if not wind or wind.isdigit() else winds[wind]
    name = clean_name(fields["player"])
    if not name:
        problems.append(IMPORT_NAME_MISSING(row=row.number))
    if len(name) > MAX_NAME:
        problems.append(IMPORT_NAME_TOO_LONG(row=row.number, letters=len(name), limit=MAX_NAME))
    if has_controls(name):
        problems.append(IMPORT_NAME_CONTROLS(row=row.number, name=printable(name)))
    return ResultSeat(row.number, round_, table, seat, name, number("points")), problems


def _judge_remarks(rows: Sequence[SheetRow], header: Header) -> Iterator[Problem]:
    """Say that remarks are left out: our own tell of substitutes and of who is not ranked, which a game does not."""
    index = next((column.index for column in header.columns if column.meaning == "remark" and not column.used), None)
    filled = [row for row in rows if index is not None and cell_at(row, index)]
    if filled and index is not None:
        first = filled[0]
        yield IMPORT_REMARKS_LEFT_OUT.warning(count=len(filled), row=first.number, given=cell_at(first, index)[:60])


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

TableNumber = tuple[int, int]  # round number, table number


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


def _by_table(seats: Sequence[ResultSeat]) -> dict[TableNumber, list[ResultSeat]]:
    tables: dict[TableNumber, list[ResultSeat]] = defaultdict(list)
    for seat in seats:
        tables[seat.round_number, seat.table_number].append(seat)
    return tables


def _whole_size(table: Sequence[ResultSeat]) -> int:
    """Give the size of a table that has each seat from 0 on once, else 0."""
    taken = sorted(seat.seat for seat in table)
    return len(taken) if taken == list(range(len(taken))) and len(taken) in TABLE_SIZES else 0


def _listed(numbers: Sequence[int]) -> str:
    return join_commas(map(str, numbers[:10])) + (" …" if len(numbers) > 10 else "")


RESULTS_ENGINE_UNREADABLE = ProblemType(
    "results.engine_unreadable", "This file of the Mahjong Tournament Engine cannot be read."
)
RESULTS_ENGINE_VERSION = ProblemType(
    "results.engine_version",
    "Open this file in the Mahjong Tournament Engine and save it again: version {known} is needed.",
)
RESULTS_AFTER_UMA = ProblemType(
    "results.after_uma",
    "These are a lobby's results after uma, without points. Import the logs of the games (Imported from files → Online "
    "games), or write the points that each game ended with.",
)
RESULTS_ENGINE_UNPLAYED = ProblemType("results.engine_unplayed", "No game of this file is finished.")
RESULTS_ENGINE_PENALTIES = ProblemType(
    "results.engine_penalties", "Penalties in the file were not read ({count}): give them here."
)

VERSION = 3
HEADINGS = ("round", "table", "seat", "player", "points")


def read_results_sheet(data: bytes, filename: str, kind: ListKind, *, start: int) -> Sheet:
    """Read a list of results, or the file of the other desk for an event that starts with so many points.

    Raises InvalidInput as `ListKind.read`, and for such a file that is of another version or unreadable.
    """
    file = _engine_file(data)
    if file is None:
        sheet = kind.read(data, filename)
        if any(_LOBBY_LINE.match(" ".join(row.cells)[:300]) for row in sheet.rows[:20]):
            raise InvalidInput([RESULTS_AFTER_UMA()])
        return sheet if kind.suits(sheet.rows) else one_row_a_seat(sheet) or sheet
    try:
        rows = [*_rows(file, start)]
        penalties = sum(bool(each["score"]["penalty"]) for game in file["games"] for each in game["participants"])
        version = file["meta"]["dataFormatVersion"]
    except WRONG_FORM as wrong:
        raise InvalidInput([RESULTS_ENGINE_UNREADABLE()]) from wrong
    if version != VERSION:
        raise InvalidInput([RESULTS_ENGINE_VERSION(known=VERSION)])
    if not rows:
        raise InvalidInput([RESULTS_ENGINE_UNPLAYED()])
    lines = tuple(SheetRow(number, cells) for number, cells in enumerate([HEADINGS, *rows], start=1))
    told = (RESULTS_ENGINE_PENALTIES.warning(count=penalties),) if penalties else ()
    return Sheet("csv", lines, problems=told)


# Tenhou's list of a lobby's games
_LOBBY_LINE = re.compile(
    r"[LC]?[0-9]{4,} ?\| ?[0-9:]{5} ?\| ?[^|]{2,12}\|(?: ?[^ (|]{1,20}\([+-][0-9.]{1,6}[^)]{0,12}\)){3,4}"
)


def one_row_a_seat(sheet: Sheet) -> Sheet | None:
    """Return games without tables and seats with one row a seat: a row for each player, or a column for each.

    Each game becomes a round of its own, its players in the order of the file; None where there are no such games.
    """
    games, wrong = _games_by_number(sheet.rows), list[Problem]()
    if not games:
        games, wrong = _games_by_column(sheet.rows)
    if not games and not wrong:
        return None
    rows = [
        (str(number), "1", str(seat), player, points)
        for number, game in enumerate(games, start=1)
        for seat, (player, points) in enumerate(game)
    ]
    lines = tuple(SheetRow(number, cells) for number, cells in enumerate([HEADINGS, *rows], start=1))
    told = (*sheet.problems, *wrong, IMPORT_GAMES_IN_TURN.warning(), IMPORT_SEATS_IN_TURN.warning())
    return replace(sheet, rows=lines, problems=told)


_Games = list[list[tuple[str, str]]]  # player and points


def _games_by_number(rows: Sequence[SheetRow]) -> _Games:
    """Return the games of rows that name their game, a player and points."""
    wanted = {"game", "player", "points"}
    header = find_header(rows, _BY_NUMBER, complete=lambda seen: seen >= wanted and "round" not in seen)
    games: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows if header else ():
        if header and row.number > header.row:
            fields = header.fields(row)
            games[fields["game"]].append((fields["player"], fields["points"]))
    return list(games.values()) if all(len(game) in TABLE_SIZES for game in games.values()) else []


def _games_by_column(rows: Sequence[SheetRow]) -> tuple[_Games, list[Problem]]:
    """Return the games of rows that have the points of each player below the name, and the rows that are none."""
    columns = find_player_columns(rows)
    if columns is None:
        return [], []
    twice = [name for name, count in Counter(columns.names.values()).items() if count > 1]
    games, problems = _Games(), [IMPORT_NAME_OVER_TWO_COLUMNS(name=printable(name)[:_SHOWN]) for name in twice]
    for row in columns.rows:
        game = columns.game(row)
        if len(game) not in TABLE_SIZES:
            problems.append(IMPORT_GAME_SIZE(row=row.number, count=len(game)))
        elif wrong := [text for _player, text in game if read_points(text, thousands=columns.thousands) is None]:
            problems.append(IMPORT_NUMBER_UNKNOWN(row=row.number, column="points", given=printable(wrong[0][:_SHOWN])))
        else:
            games.append(game)
    return games, problems


_LEAST_SUM = 60_000  # of the scores of a game
_MOST_MISSING = 20_000  # from 0 in the results of one: sticks, or an oka that is not in them
_SAMPLE = 200  # rows by which a column is known
_SHOWN = 60  # characters of a cell in a message
TOTAL_WORDS = frozenset(
    ["total", "totals", "sum", "sums", "gesamt", "summe", "somme", "合計", "計", "累計", "総計", "小計", "トータル"]
)


@dataclass(frozen=True, slots=True)
class PlayerColumns:
    """A table with the points of each player in a column below the name.

    `rows` are those of games; `totals` are the sums below them, name → as written.
    """

    top: tuple[SheetRow, ...]
    names: Mapping[int, str]
    thousands: bool
    rows: tuple[SheetRow, ...]
    totals: Mapping[str, str]

    @property
    def with_head(self) -> tuple[SheetRow, ...]:
        """The rows without those of totals."""
        return self.top + self.rows

    def game(self, row: SheetRow) -> list[tuple[str, str]]:
        """Return who played with the points as written; where more than four have some, a nought is nobody's."""
        cells = [(name, cell_at(row, at)) for at, name in self.names.items()]
        game = [(name, text) for name, text in cells if not _is_missing(text)]
        others = [(name, text) for name, text in game if read_points(text, thousands=self.thousands) != 0]
        return others if len(game) > max(TABLE_SIZES) == len(others) else game


def find_player_columns(rows: Sequence[SheetRow]) -> PlayerColumns | None:
    """Find the row of names above columns of points: most of the rows below have three or four, with one sum."""
    tried = 0
    for at, head in enumerate(rows[:20]):
        if sum(map(_may_be_name, head.cells)) < min(TABLE_SIZES) or (tried := tried + 1) > 3:
            continue
        below = [row for row in rows[at + 1 :] if row.cells != head.cells]
        names = {
            index: clean_name(text)
            for index, text in enumerate(head.cells)
            if _may_be_name(text) and _holds_points(cell_at(row, index) for row in below)
        }
        others = set(range(max((len(row.cells) for row in below[:_SAMPLE]), default=0))) - names.keys()
        texts = [index for index in others if _holds_names(cell_at(row, index) for row in below)]
        if not len(texts) < min(TABLE_SIZES) <= len(names):
            continue  # columns of names: these are the points of winds under headings that are not known
        columns = _without_totals(rows[: at + 1], names, below[:_SAMPLE])
        games = [game for row in columns.rows if len(game := columns.game(row)) in TABLE_SIZES]
        sums = Counter(
            sum(read_points(text, thousands=columns.thousands) or 0 for _name, text in game) for game in games
        )
        usual, count = sums.most_common(1)[0] if sums else (0, 0)
        if count * 2 > len(columns.rows) and (-_MOST_MISSING <= usual <= 0 or usual >= _LEAST_SUM):
            return _without_totals(rows[: at + 1], names, below)
    return None


def people_in_columns(sheet: Sheet) -> Sheet:
    """Return a sheet with a row for each player and a column for each game turned on its side; any other as it is."""
    if RESULTS.suits(sheet.rows) or len(sheet.rows) > COLUMN_LIMIT or find_player_columns(sheet.rows):
        return sheet
    width = max((len(row.cells) for row in sheet.rows), default=0)
    turned = [tuple(cell_at(row, at) for row in sheet.rows) for at in range(width)]
    first = next((at for at, cells in enumerate(turned) if sum(map(_may_be_name, cells)) >= min(TABLE_SIZES)), width)
    # the columns of games are numbered or dated; others are figures of a player
    games = [cells for cells in turned[first + 1 :] if _GAME.fullmatch(cells[0]) or fold_cell(cells[0]) in TOTAL_WORDS]
    rows = tuple(SheetRow(number, cells) for number, cells in enumerate([*turned[first : first + 1], *games], start=1))
    return replace(sheet, rows=rows) if len(games) > 1 and find_player_columns(rows) else sheet


# "3", "Game 3", "第3回", a day; no "1st" or "4位", which counts places
_GAME = re.compile(r"(?!.*(?:1st|2nd|3rd|4th|位))(?:.{0,20}[0-9].{0,20})?", re.IGNORECASE)


def _without_totals(top: Sequence[SheetRow], names: Mapping[int, str], rows: Sequence[SheetRow]) -> PlayerColumns:
    """Part the rows into games and totals: those called so, and those that are the sums of the rows above."""
    games: list[SheetRow] = []
    totals: dict[str, str] = {}
    large = [read_points(text, thousands=True) is None for text in _filled(names, rows) if _is_points(text)]
    thousands = sum(large) * 2 < len(large)
    part, full, since = Counter[int](), Counter[int](), 0
    for row in rows:
        cells = {at: text for at in names if not _is_missing(text := cell_at(row, at))}
        given = {at: read_points(text, thousands=thousands) for at, text in cells.items()}
        called = any(fold_cell(text) in TOTAL_WORDS for at, text in enumerate(row.cells) if at not in names)
        summed = since > 1 and any(all(given.get(at, 0) == sums[at] for at in names) for sums in (part, full))
        if called or (summed and given):
            totals = {names[at]: cell_at(row, at) for at in given}
            part, since = Counter[int](), 0
        elif given:
            games.append(row)
            part.update({at: points or 0 for at, points in given.items()})
            full.update({at: points or 0 for at, points in given.items()})
            since += 1
    return PlayerColumns(tuple(top), names, thousands, tuple(games), totals)


def _may_be_name(text: str) -> bool:
    """Say whether a heading may be a player's name: it has a letter and no other meaning that is known."""
    meaning, grade = kept_guess(text[:_SHOWN], _VOCABULARY)
    other = grade == Grade.KNOWN and (not meaning.startswith("wind") or any(map(str.isdigit, text)))
    return any(map(str.isalpha, text)) and not other and fold_cell(text) not in TOTAL_WORDS


def _holds_points(texts: Iterable[str]) -> bool:
    """Say whether most of the filled cells are points."""
    read = [_is_points(text) for text in islice(texts, _SAMPLE) if not _is_missing(text)]
    return sum(read) * 2 > len(read)


def _filled(names: Iterable[int], rows: Sequence[SheetRow]) -> Iterator[str]:
    return (text for row in rows for at in names if not _is_missing(text := cell_at(row, at)))


def _holds_names(texts: Iterable[str]) -> bool:
    filled = [text for text in islice(texts, _SAMPLE) if text]
    named = [any(map(str.isalpha, text)) and fold_cell(text) not in TOTAL_WORDS for text in filled]
    return sum(named) * 2 > len(named)


def _is_missing(text: str) -> bool:
    return is_nothing(text) or text.casefold() in {"na", "n/a"}


@lru_cache(maxsize=4_096)
def _is_points(text: str) -> bool:
    return any(read_points(text, thousands=thousands) is not None for thousands in (False, True))


def _engine_file(data: bytes) -> dict[str, Any] | None:
    """Return the values of a file that says it is the other desk's; None for any other."""
    if len(data) > BYTES_LIMIT or not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and {"games", "playerList", "meta"} <= value.keys() else None


def _rows(file: dict[str, Any], start: int) -> Iterator[tuple[str, ...]]:
    names = [str(player["name"]) for player in file["playerList"]]
    for game in file["games"]:
        if not game["finished"]:
            continue
        for seat, each in enumerate(game["participants"]):
            player, raw = each["playerId"], each["score"]["raw"]
            if type(player) is not int or player < 0 or type(raw) is not int:
                raise ValueError("no whole number")
            place = (int(game["round"]) + 1, int(game["table"]) + 1, seat)
            yield (*map(str, place), names[player], str(start + raw))


_MEANINGS = {
    # a game in one row: the points of each wind before its player, for "East points" is no player
    **{
        f"points{seat}": wind_headings(
            "{} points|points {}|{} score|score {}|scr {}|{} pts|pts {}|{} Punkte|Punkte {}|"
            "{}点|{}の点|{}点数|点{}|素点{}",
            seat,
        )
        for seat in range(4)
    },
    "round": ROUND,
    "table": TABLE,
    "seat": SEAT,
    "player": PLAYER,
    "points": "points|final points|score|scores|final score|raw score|raw points|table points|Punkte|Endpunkte|"
    "Punktestand|score final|点|点数|得点|持ち点|素点",
    **{f"wind{seat}": wind_headings("{}|{} name|name {}|{} player|player {}|{} seat", seat) for seat in range(4)},
    "windo": "O",
}
_NOT_USED = {
    "rank": "place|rank|position|Rang|classement|順位",
    "worth": "uma|oka|total|result|Ergebnis|résultat|penalty|penalties|chombo|Strafe|pénalité|スコア",
    "game": "game|game id|gid|game no|match|match id|match no|Spiel|Spiel Nr|Partie|試合|対局|局|no|nr|#|id",
    "number": "player number|player id|Nummer|Spielernummer|番号|EMA number|EMA|number",
    "remark": "remark|remarks|note|notes|comment|Bemerkung|Anmerkung|remarque|commentaire|備考",
}
_VOCABULARY = Vocabulary(_MEANINGS, ignored=_NOT_USED)
_BY_NUMBER = Vocabulary(
    {"game": f"{_NOT_USED['game']}|ゲームID|ゲーム", **{key: _MEANINGS[key] for key in ("round", "player", "points")}},
    ignored={key: _NOT_USED[key] for key in ("rank", "worth")},
)
_TITLES = "by round|nach Runden|par ronde|回戦別|results|Ergebnisse|résultats|結果"
_SEAT_OR_RANK = "platz"  # to Germans a seat, and the rank


def _settle(header: Header) -> Header:
    """Settle what a "Platz" and an "O" are, and which points are whose where each wind has a column of them."""
    seats = [column for column in header.columns if column.grade and column.meaning == "seat"]
    sure = [column for column in seats if column.heading.strip().casefold() != _SEAT_OR_RANK]
    meant: dict[int, str] = {}
    if sure and len(sure) < len(seats):
        meant = {column.index: "rank" if column not in sure else "" for column in seats} | {sure[0].index: "seat"}
    winds = {column.meaning: column.index for column in header.columns if column.used}
    if "windo" in winds:  # Ost, or Ouest where East has a column
        wind = "wind2" if "wind0" in winds else "wind0"
        meant[winds["windo"]] = wind
        winds[wind] = winds["windo"]
    players = [name for name in _WINDS if name in winds]
    of_points = [column.index for column in header.columns if column.meaning == "points" and column.grade]
    if "points0" not in winds and len(of_points) >= len(players) >= 3:
        # "East, Points, South, Points": each column of points behind its player, or all behind the last
        for name in players:
            behind = [index for index in of_points if index > winds[name] and index not in meant]
            if behind:
                meant[behind[0]] = name.replace("wind", "points")
    columns = tuple(
        dataclasses.replace(column, meaning=meant[column.index], used=meant[column.index] in _VOCABULARY.meanings)
        if column.index in meant
        else column
        for column in header.columns
    )
    return Header(header.row, columns, tuple(double for double in header.doubles if double.index not in meant))


_WINDS = ("wind0", "wind1", "wind2", "wind3")


def _is_by_game(seen: frozenset[str]) -> bool:
    """Say whether there are columns of a player and of points for each seat of a table."""
    return {*_WINDS[:3], "points0", "points1", "points2"} <= seen


def _list_of(*wanted: str, by_game: tuple[str, ...] = ()) -> ListKind:
    return ListKind(
        _VOCABULARY,
        wanted,
        complete=lambda seen: seen.issuperset(wanted) or (_is_by_game(seen) and seen.issuperset(by_game)),
        settle=_settle,
        titles=_TITLES,
    )


RESULTS = _list_of("round", "table", "seat", "player", "points")
SEATED_RESULTS = _list_of("player", "points")  # of an event whose seats say the rest
ROUND_RESULTS = _list_of("round", "player", "points", by_game=("round",))


@dataclass(frozen=True, slots=True)
class ResultTable:
    """One table of one round, in seat order."""

    number: int
    seats: tuple[ResultSeat, ...]


@dataclass(frozen=True, slots=True)
class ResultRound:
    """One round, by table number."""

    number: int
    tables: tuple[ResultTable, ...]


@dataclass(frozen=True, slots=True)
class ResultsPreview(Preview):
    """Results as understood; only where `is_sound` do the rounds hold every line of the file.

    `players` are the names in order of first appearance; `players_per_table` is 0 where nothing could be read.
    `problems` are all there are; `list_verdicts` puts them beside the `lines` they are about.
    """

    rounds: tuple[ResultRound, ...] = ()
    players: tuple[str, ...] = ()
    players_per_table: int = 0
    lines: tuple[SheetRow, ...] = ()

    @property
    def brings(self) -> tuple[ResultRound, ...]:
        return self.rounds


def read_results(data: bytes, filename: str, *, start: int = 0) -> ResultsPreview:
    """Read the results of an event. Raises nothing: what is wrong is in the preview.

    A file that has differences alone counts them from the `start`.
    """
    try:
        sheet = read_results_sheet(data, filename, RESULTS, start=start)
    except InvalidInput as refusal:
        return ResultsPreview(filename, None, problems=refusal.problems)
    return understand_results(sheet, filename)


def kind_of(seating: Seating | None) -> ListKind:
    """Return the kind of list to look for: what the event's seats say already need not be in the file."""
    if seating is None:
        return RESULTS
    return ROUND_RESULTS if seating.only is None else SEATED_RESULTS


def understand_results(
    sheet: Sheet, filename: str, *, chosen: Chosen | None = None, seating: Seating | None = None
) -> ResultsPreview:
    """Understand a sheet as results, its columns guessed or as `chosen`; with a `seating` of players of that event."""
    listing = list_in(sheet, kind_of(seating), chosen=chosen)
    if listing.header is None:
        return ResultsPreview(filename, sheet, listing.columns, listing.problems)
    is_text = sheet.kind == "csv"
    seats, faults = read_result_lines(listing.rows, listing.header, is_text=is_text, seating=seating)
    # a seat whose line cannot be read would be missed at its table as well: that says nothing new
    whole = seating is None or not errors_of(faults)
    judged = judge_results(seats, seated=seating is not None) if whole else ()
    problems = (*listing.problems, *faults, *judged)
    players = tuple(dict.fromkeys(seat.player for seat in seats))
    return ResultsPreview(
        filename,
        sheet,
        listing.columns,
        problems,
        rounds=_group(seats),
        players=players,
        players_per_table=players_per_table(seats),
        lines=listing.rows,
        header_row=listing.header_row,
    )


def list_verdicts(
    preview: ResultsPreview, more: Sequence[Problem] = ()
) -> tuple[tuple[RowVerdict, ...], tuple[Problem, ...]]:
    """Return (verdicts row by row, problems of the whole file); what a table lacks is said at its first row."""
    first: dict[tuple[object, object], int] = {}
    for round_ in preview.rounds:
        for table in round_.tables:
            first[round_.number, table.number] = min(seat.row for seat in table.seats)

    def row_of(problem: Problem) -> int:
        place = problem.params.get("round"), problem.params.get("table")
        return named_row(problem) or first.get(place, 0)

    numbers = (line.number for line in preview.lines)
    return part_problems(numbers, [(row_of(problem), problem) for problem in (*preview.problems, *more)])


def _group(seats: Sequence[ResultSeat]) -> tuple[ResultRound, ...]:
    ordered = sorted(seats, key=lambda seat: (seat.round_number, seat.table_number, seat.seat, seat.row))
    return tuple(
        ResultRound(
            number,
            tuple(
                ResultTable(table, tuple(lines))
                for table, lines in groupby(of_round, key=lambda seat: seat.table_number)
            ),
        )
        for number, of_round in groupby(ordered, key=lambda seat: seat.round_number)
    )
