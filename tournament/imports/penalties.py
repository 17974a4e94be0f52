"""Read a list of penalties from xlsx or csv: who lost how many points and why, with what is wrong with each row.

Points off are written with or without a minus. Nothing is stored, and reasons are free text.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scoring.problems import Problem, ProblemType
from tournament.core.limits import MAX_CLAUSE, MAX_PENALTY, MAX_REASON
from tournament.imports.entrants import People
from tournament.imports.files import Sheet, SheetRow, cell_name, is_in_thousands, read_points, read_whole_number
from tournament.imports.listing import (
    IMPORT_NUMBER_UNKNOWN,
    PLAYER,
    ROUND,
    Chosen,
    Header,
    ListKind,
    Preview,
    Vocabulary,
    list_in,
    named_row,
    part_problems,
    read_number_cell,
    too_wide,
)
from tournament.tables.rows import Entrant
from tournament.text.names import clean_text, has_controls, printable

IMPORT_POINTS_IN_THOUSANDS = ProblemType(
    "import.points_in_thousands", "The points are written in thousands: 34.1 was read as 34,100."
)
IMPORT_PENALTY_SIGNS = ProblemType(
    "import.penalty_signs", "Some points have a minus, others none: all of them were read as points off."
)
IMPORT_PENALTY_NO_REASONS = ProblemType(
    "import.penalty_no_reasons", "There is no column of reasons: “{reason}” goes into the register."
)
IMPORT_PENALTY_CANCELLED = ProblemType("import.penalty_cancelled", "Row {row} is left out: the penalty was cancelled.")
IMPORT_PENALTY_TWICE = ProblemType(
    "import.penalty_twice", "Row {row} says the same as row {other_row}. Are they two penalties?"
)
IMPORT_REASON_MISSING = ProblemType("import.reason_missing", "Row {row} has no reason: every penalty needs one.")
IMPORT_REASON_TOO_LONG = ProblemType(
    "import.reason_too_long", "The reason in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_REASON_CONTROLS = ProblemType(
    "import.reason_controls", "The reason in row {row} has characters that cannot be printed (shown as □): {reason}."
)
IMPORT_NO_SUCH_ROUND = ProblemType("import.no_such_round", "Row {row}: this event has no round {round}.")
IMPORT_NUMBER_OUT_OF_RANGE = ProblemType(
    "import.number_out_of_range", "{given} in row {row} cannot be a {column}: it must lie between {least} and {most}."
)

_MEANINGS = {
    "player": f"{PLAYER}|number|no|nr|player number|Nummer|numéro|番号|選手番号",
    "points": "points|penalty|penalties|penalty points|amount|deduction|Punkte|Strafe|Strafpunkte|Abzug|points de "
    "pénalité|pénalité|pénalités|montant|点|点数|罰点|ペナルティ|減点",
    "reason": "reason|why|foul|offence|comment|note|Grund|Begründung|Vergehen|Bemerkung|raison|motif|faute|remarque|"
    "理由|反則|備考",
    "round": ROUND,
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
    """One row as understood: a player by number and name, points off (0: a warning), why, in which round if known."""

    row: int
    player: int
    points: int
    reason: str
    round: int | None = None
    clause: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class PenaltyPreview(Preview):
    """A list of penalties as understood; only where it is sound do the drafts hold every row of it."""

    drafts: tuple[PenaltyDraft, ...] = ()

    @property
    def brings(self) -> tuple[PenaltyDraft, ...]:
        return self.drafts


@dataclass(frozen=True, slots=True)
class _Event:
    """What rows are read against."""

    people: People
    rounds: Collection[int]
    filename: str
    thousands: bool


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
        return PenaltyPreview(filename, sheet, listing.columns, listing.problems)
    cells = [header.fields(row)["points"] for row in listing.rows if header.fields(row)["points"]]
    # who has left may have been punished before
    people = People([Entrant(entrant.number, entrant.name) for entrant in entrants])
    event = _Event(people, rounds, filename, thousands=is_in_thousands(cells))
    drafts: list[PenaltyDraft] = []
    problems = [*listing.problems, *_judge_columns(header, cells, filename, thousands=event.thousands)]
    faults: list[tuple[int, Problem]] = []
    for row in listing.rows:
        if header.fields(row).get("cancelled", "").casefold() not in _NOT_CANCELLED:
            faults.append((row.number, IMPORT_PENALTY_CANCELLED.warning(row=row.number)))
            continue
        draft, wrong = _read_row(row, header, event, is_text=sheet.kind == "csv")
        faults += [(row.number, problem) for problem in wrong]
        drafts += [draft] if draft else []
    faults += _judge_doubles(drafts)
    numbers = (row.number for row in listing.rows)
    rows, of_file = part_problems(numbers, [*((named_row(problem), problem) for problem in problems), *faults])
    return PenaltyPreview(filename, sheet, listing.columns, of_file, rows, tuple(drafts), header_row=listing.header_row)


def _judge_columns(header: Header, cells: Sequence[str], filename: str, *, thousands: bool) -> list[Problem]:
    """Say how the columns were taken: thousands, both signs, no column of reasons."""
    found = [IMPORT_POINTS_IN_THOUSANDS.warning()] if thousands else []
    numbers = [number for cell in cells if (number := read_points(cell, thousands=thousands))]
    if any(number < 0 for number in numbers) and any(number > 0 for number in numbers):
        found.append(IMPORT_PENALTY_SIGNS.warning())
    if "reason" not in header.meanings:
        found.append(IMPORT_PENALTY_NO_REASONS.warning(reason=_stand_in(filename)))
    return found


def _stand_in(filename: str) -> str:
    return printable(clean_text(filename))[:MAX_REASON] or "?"


def _read_row(
    row: SheetRow, header: Header, event: _Event, *, is_text: bool
) -> tuple[PenaltyDraft | None, list[Problem]]:
    wide = too_wide(row, header, is_text=is_text)
    if wide:
        return None, wide
    fields = header.fields(row)
    found = event.people.find(cell_name(row, header.index_of("player")), fields["player"])
    problems = [found.problem] if found.problem else []
    points = _read_amount(fields["points"], row.number, event, problems)
    round_ = _read_round(fields.get("round", ""), row.number, event, problems)
    reason = _read_reason(fields.get("reason"), row.number, event, problems)
    clause = clean_text(fields.get("clause", ""))[:MAX_CLAUSE]
    if problems or found.number is None:
        return None, problems
    name = event.people.by_number[found.number].name
    return PenaltyDraft(row.number, found.number, points, reason, round_, printable(clause), name), []


def _read_amount(text: str, row: int, event: _Event, problems: list[Problem]) -> int:
    number = read_number_cell(text, row, "points", problems, thousands=event.thousands) or 0
    if abs(number) > MAX_PENALTY:
        problems.append(IMPORT_NUMBER_OUT_OF_RANGE(row=row, column="points", given=number, least=0, most=MAX_PENALTY))
    return abs(number)


def _read_round(text: str, row: int, event: _Event, problems: list[Problem]) -> int | None:
    if not text:
        return None
    number = read_whole_number(text)
    if number is None:
        problems.append(IMPORT_NUMBER_UNKNOWN(row=row, column="round", given=printable(text)))
    elif number not in event.rounds:
        problems.append(IMPORT_NO_SUCH_ROUND(row=row, round=number))
    return number


def _read_reason(text: str | None, row: int, event: _Event, problems: list[Problem]) -> str:
    if text is None:
        return _stand_in(event.filename)
    reason = clean_text(text)
    if not reason:
        problems.append(IMPORT_REASON_MISSING(row=row))
    elif len(reason) > MAX_REASON:
        problems.append(IMPORT_REASON_TOO_LONG(row=row, letters=len(reason), limit=MAX_REASON))
    elif has_controls(reason):
        problems.append(IMPORT_REASON_CONTROLS(row=row, reason=printable(reason)))
    return reason


def _judge_doubles(drafts: Sequence[PenaltyDraft]) -> list[tuple[int, Problem]]:
    """Notice the same penalty twice: it may be meant, and it may be a line copied once too often."""
    first: dict[tuple[object, ...], int] = {}
    found: list[tuple[int, Problem]] = []
    for draft in drafts:
        key = (draft.player, draft.points, draft.reason, draft.round)
        other = first.setdefault(key, draft.row)
        if other != draft.row:
            found.append((draft.row, IMPORT_PENALTY_TWICE.warning(row=draft.row, other_row=other)))
    return found
