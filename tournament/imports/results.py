"""Results of a played event, `round,table,seat,player,points`, from csv or xlsx → rounds, tables and seats.

Points are final points of a game, whole numbers; what is wrong comes back as problems. It knows no rule set: what a
table's sum must be and what the points are worth is judged by those who do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.problems import InvalidInput, Problem, error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.columns import Column, Header, Vocabulary, find_header, list_headings
from tournament.imports.result_checks import judge_results, players_per_table
from tournament.imports.result_lines import ResultSeat, read_result_lines
from tournament.imports.sheet import Sheet, read_sheet

_MEANINGS = {
    "round": "round|rnd|rd|session|hanchan|Runde|Durchgang|ronde|manche|tour|partie|回戦|ラウンド|半荘",
    "table": "table|table no|table number|tbl|Tisch|Tischnummer|卓|卓番号|テーブル",
    "seat": "seat|wind|seat no|start wind|Sitz|Sitzplatz|Platz|siège|vent|席|座席|風|家",
    "player": "player|player name|name|full name|Spieler|Spielerin|Spielername|joueur|joueuse|nom|選手|選手名|"
    "プレイヤー|プレーヤー|名前|氏名",
    "points": "points|final points|score|final score|raw score|raw points|table points|Punkte|Endpunkte|Punktestand|"
    "score final|点|点数|得点|持ち点|素点",
}
_NOT_USED = {
    "rank": "place|rank|position|Rang|classement|順位",
    "worth": "uma|oka|total|result|Ergebnis|résultat|penalty|penalties|chombo|Strafe|pénalité|スコア",
    "number": "no|nr|number|id|player number|player id|Nummer|Spielernummer|番号|EMA number|EMA",
}
_VOCABULARY = Vocabulary(_MEANINGS, ignored=_NOT_USED)


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
class ResultsPreview:
    """A whole file as understood; only where `is_sound` do the rounds hold every line of it.

    `players` are the names in order of first appearance; `players_per_table` is 0 where nothing could be read.
    """

    filename: str
    sheet: Sheet | None
    header_row: int | None
    columns: tuple[Column, ...]
    rounds: tuple[ResultRound, ...]
    players: tuple[str, ...]
    players_per_table: int
    problems: tuple[Problem, ...]

    @property
    def is_sound(self) -> bool:
        """Say whether everything can be taken over."""
        return bool(self.rounds) and all(problem.severity != "error" for problem in self.problems)


def read_results(data: bytes, filename: str) -> ResultsPreview:
    """Read the results of an event. Raises nothing: what is wrong is in the preview."""
    try:
        sheet = read_sheet(data, filename, wanted=lambda rows: _find_results_header(rows) is not None)
    except InvalidInput as refusal:
        return ResultsPreview(filename, None, None, (), (), (), 0, refusal.problems)
    header = _find_results_header(sheet.rows)
    if header is None:
        missing = _judge_columns(sheet.rows)
        return ResultsPreview(filename, sheet, None, (), (), (), 0, (*sheet.problems, missing))
    return _preview(filename, sheet, header)


def _preview(filename: str, sheet: Sheet, header: Header) -> ResultsPreview:
    rows = [row for row in sheet.rows if row.number > header.row]
    seats, faults = read_result_lines(rows, header, is_text=sheet.kind == "csv")
    problems = (
        *sheet.problems,
        *(warning("import.column_twice", column=double.text, meaning=double.meaning) for double in header.doubles),
        *([] if rows else [error("import.no_rows", row=header.row)]),
        *faults,
        *judge_results(seats),
    )
    players = tuple(dict.fromkeys(seat.player for seat in seats))
    size = players_per_table(seats)
    return ResultsPreview(filename, sheet, header.row, header.columns, _group(seats), players, size, problems)


def _find_results_header(rows: Sequence[SheetRow]) -> Header | None:
    return find_header(rows, _VOCABULARY, complete=lambda meanings: meanings.issuperset(_MEANINGS))


def _judge_columns(rows: Sequence[SheetRow]) -> Problem:
    """Say which columns are missing, going by the row that comes closest to a header."""
    nearest = find_header(rows, _VOCABULARY, complete=bool)
    seen = nearest.meanings if nearest else frozenset()
    missing = ", ".join(meaning for meaning in _MEANINGS if meaning not in seen)
    return error("import.columns_missing", missing=missing, columns=list_headings(rows))


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
