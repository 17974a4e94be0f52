"""A list of penalties from xlsx or csv → who lost how many points and why, row by row, with what is wrong.

Points off are written with or without a minus. It stores nothing and knows no catalogue of fouls.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scoring.problems import InvalidInput, Problem, error, warning
from tournament.imports.cells import SheetRow
from tournament.imports.columns import Column, Header, Vocabulary
from tournament.imports.listing import Chosen, ListKind, list_in
from tournament.imports.names import clean_text, has_controls, printable
from tournament.imports.numbers import read_whole_number
from tournament.imports.points_column import is_in_thousands, read_points
from tournament.imports.result_seats import player_text
from tournament.imports.schedule_cells import is_date
from tournament.imports.schedule_people import Entrant, People
from tournament.imports.sheet import Sheet
from tournament.imports.verdicts import RowVerdict, named_row, part_problems

MOST_POINTS = 100_000
MOST_REASON = 300
MOST_CLAUSE = 60

_MEANINGS = {
    "player": "player|player name|name|full name|number|no|nr|player number|Spieler|Spielerin|Spielername|Name|Nummer|"
    "joueur|joueuse|nom|numéro|選手|選手名|プレイヤー|プレーヤー|名前|氏名|番号|選手番号",
    "points": "points|penalty|penalties|penalty points|amount|deduction|Punkte|Strafe|Strafpunkte|Abzug|points de "
    "pénalité|pénalité|pénalités|montant|点|点数|罰点|ペナルティ|減点",
    "reason": "reason|why|foul|offence|comment|note|Grund|Begründung|Vergehen|Bemerkung|raison|motif|faute|remarque|"
    "理由|反則|備考",
    "round": "round|rnd|rd|session|hanchan|Runde|Durchgang|ronde|manche|tour|partie|回戦|ラウンド|半荘",
    "clause": "clause|rule|paragraph|Regel|Paragraph|Stelle|règle|article|条項|規則",
    "cancelled": "cancelled|canceled|withdrawn|aufgehoben|zurückgenommen|annulée|annulé|levée|取り消し|取消",
}
_NOT_USED = {
    "other": "table|Tisch|卓|date|Datum|time|Zeit|heure|日時|referee|given by|Schiedsrichter|arbitre|審判|country|"
    "club|EMA|EMA number|total|kind|Art|type|種類|hand",
}
PENALTIES = ListKind(
    Vocabulary(_MEANINGS, ignored=_NOT_USED),
    ("player", "points"),
    titles="penalties|penalty|Strafen|pénalités|ペナルティ|罰則",
)
_NOT_CANCELLED = frozenset({"", "-", "–", "—", "0", "no", "nein", "non", "いいえ", "false"})


@dataclass(frozen=True, slots=True)
class PenaltyDraft:
    """One row as understood: a player by number, points off (0: a warning), why, in which round if it says so."""

    row: int
    player: int
    points: int
    reason: str
    round: int | None = None
    clause: str = ""


@dataclass(frozen=True, slots=True)
class PenaltyPreview:
    """A whole file as understood; only where it is sound do the drafts hold every row of it."""

    filename: str
    sheet: Sheet | None
    columns: tuple[Column, ...]
    drafts: tuple[PenaltyDraft, ...]
    rows: tuple[RowVerdict, ...]
    problems: tuple[Problem, ...]

    @property
    def is_sound(self) -> bool:
        """Say whether everything can be taken over."""
        found = (*self.problems, *(problem for row in self.rows for problem in row.problems))
        return bool(self.drafts) and all(problem.severity != "error" for problem in found)


@dataclass(frozen=True, slots=True)
class _Event:
    """What rows are read against."""

    people: People
    rounds: Collection[int]
    filename: str
    thousands: bool


def read_penalties(
    data: bytes, filename: str, *, entrants: Sequence[Entrant], rounds: Collection[int]
) -> PenaltyPreview:
    """Read a list of penalties of these players in these rounds. Raises nothing: what is wrong is in the preview."""
    try:
        sheet = PENALTIES.read(data, filename)
    except InvalidInput as refusal:
        return PenaltyPreview(filename, None, (), (), (), refusal.problems)
    return understand_penalties(sheet, filename, entrants=entrants, rounds=rounds)


def understand_penalties(
    sheet: Sheet,
    filename: str,
    *,
    entrants: Sequence[Entrant],
    rounds: Collection[int],
    chosen: Chosen | None = None,
) -> PenaltyPreview:
    """Understand a sheet as penalties, its columns guessed or as `chosen`."""
    listing = list_in(sheet, PENALTIES, chosen=chosen)
    header = listing.header
    if header is None:
        return PenaltyPreview(filename, sheet, listing.columns, (), (), listing.problems)
    cells = [header.fields(row)["points"] for row in listing.rows if header.fields(row)["points"]]
    # who has left may have been punished before
    people = People([Entrant(entrant.number, entrant.name) for entrant in entrants])
    event = _Event(people, rounds, filename, thousands=is_in_thousands(cells))
    drafts: list[PenaltyDraft] = []
    problems = [*listing.problems, *_judge_columns(header, cells, filename, thousands=event.thousands)]
    faults: list[tuple[int, Problem]] = []
    for row in listing.rows:
        if header.fields(row).get("cancelled", "").casefold() not in _NOT_CANCELLED:
            faults.append((row.number, warning("import.penalty_cancelled", row=row.number)))
            continue
        draft, wrong = _read_row(row, header, event, is_text=sheet.kind == "csv")
        faults += [(row.number, problem) for problem in wrong]
        drafts += [draft] if draft else []
    faults += _judge_doubles(drafts)
    at = {id(problem): row for row, problem in faults}
    rows, of_file = part_problems(
        listing.rows,
        [*problems, *(problem for _, problem in faults)],
        lambda problem: at.get(id(problem)) or named_row(problem),
    )
    return PenaltyPreview(filename, sheet, listing.columns, tuple(drafts), rows, of_file)


def _judge_columns(header: Header, cells: Sequence[str], filename: str, *, thousands: bool) -> list[Problem]:
    """Say how the columns were taken: thousands, both signs, no column of reasons."""
    found = [warning("import.points_in_thousands")] if thousands else []
    numbers = [number for cell in cells if (number := read_points(cell, thousands=thousands))]
    if any(number < 0 for number in numbers) and any(number > 0 for number in numbers):
        found.append(warning("import.penalty_signs"))
    if "reason" not in header.meanings:
        found.append(warning("import.penalty_no_reasons", reason=_stand_in(filename)))
    return found


def _stand_in(filename: str) -> str:
    return printable(clean_text(filename))[:MOST_REASON] or "?"


def _read_row(
    row: SheetRow, header: Header, event: _Event, *, is_text: bool
) -> tuple[PenaltyDraft | None, list[Problem]]:
    if is_text and len(row.cells) > len(header.columns):
        width = {"cells": len(row.cells), "columns": len(header.columns)}
        return None, [error("import.row_too_wide", row=row.number, **width)]
    fields = header.fields(row)
    problems: list[Problem] = []
    found = event.people.find(player_text(fields["player"], row, header))
    problems += [found.problem] if found.problem else []
    points = _read_amount(fields["points"], row.number, event, problems)
    round_ = _read_round(fields.get("round", ""), row.number, event, problems)
    reason = _read_reason(fields.get("reason"), row.number, event, problems)
    clause = clean_text(fields.get("clause", ""))[:MOST_CLAUSE]
    if problems or found.number is None:
        return None, problems
    return PenaltyDraft(row.number, found.number, points, reason, round_, printable(clause)), []


def _read_amount(text: str, row: int, event: _Event, problems: list[Problem]) -> int:
    if not text:
        problems.append(error("import.number_missing", row=row, column="points"))
        return 0
    number = read_points(text, thousands=event.thousands)
    if number is None and is_date(text):
        problems.append(error("import.cell_is_date", row=row, column="points", given=printable(text)))
        return 0
    if number is None:
        problems.append(error("import.number_unknown", row=row, column="points", given=printable(text)))
        return 0
    if abs(number) > MOST_POINTS:
        problems.append(
            error("import.number_out_of_range", row=row, column="points", given=number, least=0, most=MOST_POINTS)
        )
    return abs(number)


def _read_round(text: str, row: int, event: _Event, problems: list[Problem]) -> int | None:
    if not text:
        return None
    number = read_whole_number(text)
    if number is None:
        problems.append(error("import.number_unknown", row=row, column="round", given=printable(text)))
    elif number not in event.rounds:
        problems.append(error("import.no_such_round", row=row, round=number))
    return number


def _read_reason(text: str | None, row: int, event: _Event, problems: list[Problem]) -> str:
    if text is None:
        return _stand_in(event.filename)
    reason = clean_text(text)
    if not reason:
        problems.append(error("import.reason_missing", row=row))
    elif len(reason) > MOST_REASON:
        problems.append(error("import.reason_too_long", row=row, letters=len(reason), limit=MOST_REASON))
    elif has_controls(reason):
        problems.append(error("import.reason_controls", row=row, reason=printable(reason)))
    return reason


def _judge_doubles(drafts: Sequence[PenaltyDraft]) -> list[tuple[int, Problem]]:
    """Notice the same penalty twice: it may be meant, and it may be a line copied once too often."""
    first: dict[tuple[object, ...], int] = {}
    found: list[tuple[int, Problem]] = []
    for draft in drafts:
        key = (draft.player, draft.points, draft.reason, draft.round)
        other = first.setdefault(key, draft.row)
        if other != draft.row:
            found.append((draft.row, warning("import.penalty_twice", row=draft.row, other_row=other)))
    return found
