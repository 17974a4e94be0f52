"""Read one row of a list of players into a draft of that player, with what is wrong with the row."""

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from scoring.problems import Problem, ProblemType
from tournament.core.limits import MOST_CLUB, MOST_LEGAL_NAME, MOST_NAME
from tournament.imports.files_cells import SheetRow, is_date, read_day
from tournament.imports.listing import IMPORT_CELL_IS_DATE, too_wide
from tournament.imports.listing_columns import Header
from tournament.text.names_1 import clean_name, clean_text, has_controls, printable, repair_garbled
from tournament.text.names_countries import find_country, suggest_country

IMPORT_NAME_MISSING = ProblemType("import.name_missing", "Row {row} has no name.")
IMPORT_NAME_TOO_LONG = ProblemType(
    "import.name_too_long", "The name in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_LEGAL_NAME_TOO_LONG = ProblemType(
    "import.legal_name_too_long", "The legal name in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_NAME_CONTROLS = ProblemType(
    "import.name_controls", "The name in row {row} has characters that cannot be printed (shown as □): {name}."
)
IMPORT_NAME_GARBLED = ProblemType(
    "import.name_garbled", "“{name}” in row {row} looks wrongly decoded. Is it “{suggestion}”?"
)
IMPORT_NAME_LETTERS_LOST = ProblemType("import.name_letters_lost", "“{name}” in row {row} has lost letters (�).")
IMPORT_NAME_NO_LETTER = ProblemType(
    "import.name_no_letter", "“{name}” in row {row} has no letter. Is this the right column?"
)
IMPORT_EMA_NUMBER_ZERO_RESTORED = ProblemType(
    "import.ema_number_zero_restored",
    "EMA number {given} in row {row} has seven digits; the leading zero was put back: {number}.",
)
IMPORT_EMA_NUMBER_SHORT = ProblemType(
    "import.ema_number_short", "EMA number “{given}” in row {row} has {digits} digits instead of 8."
)
IMPORT_EMA_NUMBER_LONG = ProblemType(
    "import.ema_number_long", "EMA number “{given}” in row {row} has {digits} digits instead of 8."
)
IMPORT_EMA_NUMBER_NOT_DIGITS = ProblemType(
    "import.ema_number_not_digits", "“{given}” in row {row} is not an EMA number: it needs eight digits."
)
IMPORT_COUNTRY_UNKNOWN = ProblemType(
    "import.country_unknown", "The country “{given}” in row {row} is not known and is left empty."
)
IMPORT_COUNTRY_MISSPELT = ProblemType(
    "import.country_misspelt",
    "The country “{given}” in row {row} is not known and is left empty. Did you mean {country} ({suggestion})?",
)
IMPORT_CLUB_TOO_LONG = ProblemType(
    "import.club_too_long", "The club in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_CLUB_CONTROLS = ProblemType(
    "import.club_controls", "The club in row {row} has characters that cannot be printed (shown as □): {club}."
)
IMPORT_TEAM_TOO_LONG = ProblemType(
    "import.team_too_long", "The team in row {row} has {letters} letters; at most {limit} fit."
)
IMPORT_TEAM_CONTROLS = ProblemType(
    "import.team_controls", "The team in row {row} has characters that cannot be printed (shown as □): {team}."
)
IMPORT_FILMED_UNCLEAR = ProblemType(
    "import.filmed_unclear", "Row {row} says '{given}' of photos and stream; it counts as no. Write yes or no."
)
IMPORT_MINOR_UNCLEAR = ProblemType(
    "import.minor_unclear", "Row {row} says '{given}' of whether the player is a minor; it counts as yes."
)
IMPORT_DAY_UNCLEAR = ProblemType(
    "import.day_unclear", "Row {row}: '{given}' is not a date that the desk understands; write it as 2026-09-12."
)
IMPORT_GUARDIAN_TOO_LONG = ProblemType(
    "import.guardian_too_long", "Row {row}: the guardian's name has {letters} letters; at most {limit} fit."
)
IMPORT_CONSENT_UNCLEAR = ProblemType(
    "import.consent_unclear",
    "Row {row} says '{given}' of whether the name may be shown; it is not shown. Write yes or no to be understood.",
)

EMA_DIGITS = 8

_NOTHING = frozenset(
    {*"-–—/?0", "", "--", "n/a", "na", "none", "no", "nil", "new", "neu", "keine", "aucun", "なし", "無し"}
)
_YES = frozenset(
    {"yes", "y", "true", "1", "x", "ok", "ja", "j", "oui", "o", "vrai", "wahr", "はい", "可", "○", "〇", "✓"}
)
_NO = frozenset({"no", "n", "false", "0", "-", "nein", "non", "faux", "falsch", "いいえ", "不可", "否", "×", "✗"})
# the columns that say yes or no, and what is said of an unclear one
_UNCLEAR: Mapping[str, Callable[[int, str], Problem]] = {
    "shown_by_name": lambda row, given: IMPORT_CONSENT_UNCLEAR.warning(row=row, given=given),
    "filmed": lambda row, given: IMPORT_FILMED_UNCLEAR.warning(row=row, given=given),
    "minor": lambda row, given: IMPORT_MINOR_UNCLEAR.warning(row=row, given=given),
}


@dataclass(frozen=True, slots=True)
class PlayerDraft:
    """One row as understood; EMA number (eight digits) and country (ISO alpha-3) are "" if not given or not valid."""

    row: int
    preferred_name: str
    legal_name: str
    ema_number: str
    country: str
    club: str
    team: str = ""
    shown_by_name: bool = True
    filmed: bool = True
    minor: bool = False
    guardian: str = ""
    guardian_consent_on: dt.date | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def unguarded(self) -> bool:
        """Tell whether no guardian has agreed for a minor."""
        return self.minor and not (self.guardian and self.guardian_consent_on)

    @property
    def is_sound(self) -> bool:
        return all(problem.severity != "error" for problem in self.problems)


def read_draft(row: SheetRow, header: Header, *, is_text: bool, name: str = "") -> PlayerDraft:
    """Read one row; `is_text` where a row wider than its header is a mistake (csv), `name` instead of its own."""
    fields = header.fields(row)
    preferred, legal = _read_names(fields)
    preferred = clean_name(name) or preferred
    ema_number, ema_problems = _read_ema_number(fields.get("ema_number", ""), row.number)
    country, country_problems = _read_country(fields.get("country", ""), row.number)
    club = clean_text(fields.get("club", ""))
    team = clean_text(fields.get("team", ""))
    shown, filmed, minor, shown_problems = _read_consents(fields, row.number)
    guardian = clean_text(fields.get("guardian", ""))
    agreed, agreed_problems = _read_day(fields.get("guardian_consent_on", ""), row.number)
    problems = [
        *too_wide(row, header, is_text=is_text),
        *_judge_name(preferred, row.number),
        *_judge_legal_name(legal, row.number),
        *ema_problems,
        *country_problems,
        *shown_problems,
        *agreed_problems,
        *_judge_group("club", club, row.number),
        *_judge_group("team", team, row.number),
        *_judge_guardian(guardian, row.number),
    ]
    return PlayerDraft(
        row.number, preferred, legal, ema_number, country, club, team,
        shown, filmed, minor, guardian, agreed, tuple(problems),
    )  # fmt: skip


def _read_names(fields: Mapping[str, str]) -> tuple[str, str]:
    """Settle (preferred name, legal name): the full name is the legal one only where another is preferred."""
    parts = " ".join(clean_text(fields.get(part, "")) for part in ("first_name", "last_name")).strip()
    full = clean_name(fields.get("name", "")) or parts
    legal = clean_name(fields.get("legal_name", ""))
    chosen = clean_name(fields.get("preferred_name", ""))
    preferred = chosen or full or legal
    if not legal and chosen and full != chosen:
        legal = full
    return preferred, legal


def _read_ema_number(text: str, row: int) -> tuple[str, list[Problem]]:
    given = unicodedata.normalize("NFKC", clean_text(text)).lstrip("'")
    if given.casefold() in _NOTHING:
        return "", []
    if is_date(given):  # its digits would pass for a number
        return "", [IMPORT_CELL_IS_DATE(row=row, column="ema_number", given=printable(given))]
    digits = re.sub(
        r"[\s.\-/]", "", re.sub(r"\.0+$", "", re.sub(r"^(?:EMA|no|nr)\b[\s.:#-]*", "", given, flags=re.IGNORECASE))
    )
    if not re.fullmatch(r"[0-9]+", digits):
        return "", [IMPORT_EMA_NUMBER_NOT_DIGITS(row=row, given=given)]
    if len(digits) == EMA_DIGITS - 1:
        # the first two digits are the member federation's number, 01 to 17: a spreadsheet eats the zero
        return f"0{digits}", [IMPORT_EMA_NUMBER_ZERO_RESTORED.warning(row=row, given=given, number=f"0{digits}")]
    if len(digits) != EMA_DIGITS:
        return "", [
            (IMPORT_EMA_NUMBER_SHORT if len(digits) < EMA_DIGITS else IMPORT_EMA_NUMBER_LONG)(
                row=row, given=given, digits=len(digits)
            )
        ]
    return digits, []


def _read_country(text: str, row: int) -> tuple[str, list[Problem]]:
    given = clean_text(text)
    if given.casefold() in _NOTHING - {"no", "na"}:  # these two are Norway and Namibia
        return "", []
    known = find_country(given)
    if known:
        return known, []
    proposal = suggest_country(given)
    if proposal:
        return "", [IMPORT_COUNTRY_MISSPELT.warning(row=row, given=given, suggestion=proposal[0], country=proposal[1])]
    return "", [IMPORT_COUNTRY_UNKNOWN.warning(row=row, given=given)]


def _read_consents(fields: Mapping[str, str], row: int) -> tuple[bool, bool, bool, list[Problem]]:
    """Read whether a name may be shown, pictures may be taken, and the player is a minor.

    An empty cell says nothing against it; an unclear one is read as what shows less.
    """
    given = {name: clean_text(fields.get(name, "")) for name in _UNCLEAR}
    said = {name: _yes_or_no(text, empty=name != "minor") for name, text in given.items()}
    problems = [warn(row, printable(given[name])) for name, warn in _UNCLEAR.items() if said[name] is None]
    return bool(said["shown_by_name"]), bool(said["filmed"]), said["minor"] is not False, problems


def _yes_or_no(given: str, *, empty: bool) -> bool | None:
    """Return what a cell says, None where it is unclear."""
    if not given:
        return empty
    return given.casefold() in _YES if given.casefold() in _YES | _NO else None


def _read_day(text: str, row: int) -> tuple[dt.date | None, list[Problem]]:
    given = clean_text(text)
    day = read_day(given)
    return day, [IMPORT_DAY_UNCLEAR.warning(row=row, given=printable(given))] if given and day is None else []


def _judge_guardian(name: str, row: int) -> Iterator[Problem]:
    if len(name) > MOST_NAME:
        yield IMPORT_GUARDIAN_TOO_LONG(row=row, letters=len(name), limit=MOST_NAME)
    if has_controls(name):
        yield IMPORT_NAME_CONTROLS(row=row, name=printable(name))


def _judge_name(name: str, row: int) -> Iterator[Problem]:
    if not name:
        yield IMPORT_NAME_MISSING(row=row)
        return
    if len(name) > MOST_NAME:
        yield IMPORT_NAME_TOO_LONG(row=row, letters=len(name), limit=MOST_NAME)
    if has_controls(name):
        yield IMPORT_NAME_CONTROLS(row=row, name=printable(name))
    repaired = repair_garbled(name)
    if repaired:
        yield IMPORT_NAME_GARBLED.warning(row=row, name=printable(name), suggestion=repaired)
    elif "\ufffd" in name:
        yield IMPORT_NAME_LETTERS_LOST.warning(row=row, name=printable(name))
    if not any(sign.isalpha() for sign in name):
        yield IMPORT_NAME_NO_LETTER.warning(row=row, name=printable(name))


def _judge_legal_name(name: str, row: int) -> Iterator[Problem]:
    if len(name) > MOST_LEGAL_NAME:
        yield IMPORT_LEGAL_NAME_TOO_LONG(row=row, letters=len(name), limit=MOST_LEGAL_NAME)
    if has_controls(name):
        yield IMPORT_NAME_CONTROLS(row=row, name=printable(name))


def _judge_group(column: str, name: str, row: int) -> Iterator[Problem]:
    """Judge the name of a club or a team."""
    if len(name) > MOST_CLUB:
        yield (IMPORT_CLUB_TOO_LONG if column == "club" else IMPORT_TEAM_TOO_LONG)(
            row=row, letters=len(name), limit=MOST_CLUB
        )
    if has_controls(name):
        given = printable(name)
        yield (
            IMPORT_CLUB_CONTROLS(row=row, club=given) if column == "club" else IMPORT_TEAM_CONTROLS(row=row, team=given)
        )
