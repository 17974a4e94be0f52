"""Read the results of a played event, `round,table,seat,player,points`, into rounds, tables and seats.

Points are the final points of a game, whole numbers. Sums and uma depend on the rule set and are checked in
tournament/imports/actions_results.py.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from scoring.problems import InvalidInput, Problem, errors_of
from tournament.imports.files_cells import SheetRow
from tournament.imports.files_sheet import Sheet
from tournament.imports.listing import Chosen, ListKind, Preview, RowVerdict, list_in, named_row, part_problems
from tournament.imports.listing_columns import PLAYER, ROUND, SEAT, TABLE, Header, Vocabulary
from tournament.imports.results_result_checks import judge_results, players_per_table
from tournament.imports.results_result_lines import ResultSeat, Seating, read_result_lines
from tournament.imports.results_tournament_engine import read_results_sheet

_MEANINGS = {
    "round": ROUND,
    "table": TABLE,
    "seat": SEAT,
    "player": PLAYER,
    "points": "points|final points|score|final score|raw score|raw points|table points|Punkte|Endpunkte|Punktestand|"
    "score final|点|点数|得点|持ち点|素点",
}
_NOT_USED = {
    "rank": "place|rank|position|Rang|classement|順位",
    "worth": "uma|oka|total|result|Ergebnis|résultat|penalty|penalties|chombo|Strafe|pénalité|スコア",
    "number": "no|nr|number|id|player number|player id|Nummer|Spielernummer|番号|EMA number|EMA",
    "remark": "remark|remarks|note|notes|comment|Bemerkung|Anmerkung|remarque|commentaire|備考",
}
_VOCABULARY = Vocabulary(_MEANINGS, ignored=_NOT_USED)
_TITLES = "by round|nach Runden|par ronde|回戦別|results|Ergebnisse|résultats|結果"
_SEAT_OR_RANK = "platz"  # to Germans a seat, and the rank


def _settle_seat(header: Header) -> Header:
    """Take a column for the rank that Germans call as they call a seat, where another one is the seat for certain."""
    seats = [column for column in header.columns if column.grade and column.meaning == "seat"]
    sure = [column for column in seats if column.heading.strip().casefold() != _SEAT_OR_RANK]
    if not sure or len(sure) == len(seats):
        return header
    ranks = {column.index for column in seats if column not in sure}
    columns = tuple(
        dataclasses.replace(column, meaning="rank", used=False)
        if column.index in ranks
        else dataclasses.replace(column, used=column.used or column.index == sure[0].index)
        for column in header.columns
    )
    doubles = tuple(double for double in header.doubles if double.index not in {*ranks, sure[0].index})
    return Header(header.row, columns, doubles)


def _list_of(*wanted: str) -> ListKind:
    return ListKind(_VOCABULARY, wanted, settle=_settle_seat, titles=_TITLES)


RESULTS = _list_of(*_MEANINGS)
SEATED_RESULTS = _list_of("player", "points")  # of an event whose seats say the rest
ROUND_RESULTS = _list_of("round", "player", "points")


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
    def is_sound(self) -> bool:
        """Say whether everything can be taken over."""
        return bool(self.rounds) and not self.has_errors


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

    return part_problems(preview.lines, [(row_of(problem), problem) for problem in (*preview.problems, *more)])


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
