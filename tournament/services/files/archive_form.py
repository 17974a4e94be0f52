"""The form of an event's file: which keys there are, and of what type each value must be.

It looks at form alone and at no database; whether hashes, hands and sheets fit is for those who walk them.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, NoReturn
from uuid import UUID

from scoring.problems import Problem, error, shown
from tournament.refusal import Refused
from tournament.selectors.files.archive import FORMAT, VERSION, checksum

MOST_NUMBER = 2_147_483_647
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_HASH = re.compile(r"[0-9a-f]{64}")


def read_event_file(data: bytes) -> dict[str, Any]:
    """Return the content of an event's file; raises Refused with what is wrong with it."""
    try:
        file = json.loads(data.decode("utf-8"), parse_float=_strange, parse_constant=_strange, object_pairs_hook=_once)
    except UnicodeDecodeError as wrong:
        raise Refused(error("archive.not_text")) from wrong
    except json.JSONDecodeError as wrong:
        raise Refused(error("archive.not_json", line=wrong.lineno, column=wrong.colno)) from wrong
    except (ValueError, RecursionError) as wrong:
        raise Refused(error("archive.not_event")) from wrong
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise Refused(error("archive.not_event"))
    if file.get("version") != VERSION or type(file["version"]) is not int:
        raise Refused(error("archive.version", given=shown(str(file.get("version")), 20), known=VERSION))
    content: Any = file.get("content")
    if not _encodable(content) or set(file) != {"format", "version", "checksum", "content"}:
        raise Refused(error("archive.not_event"))
    if checksum(content) != file["checksum"]:
        raise Refused(error("archive.checksum"))
    content = _completed(content)
    for problem in _misfits(content, CONTENT, "content"):
        raise Refused(problem)
    return dict(content)


def moment_of(text: str | None) -> datetime | None:
    """Read a moment as it stands in a file."""
    return None if text is None else datetime.fromisoformat(text)


def _strange(_text: str) -> NoReturn:
    raise ValueError("not a whole number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key twice")
    return made


def _encodable(content: Any) -> bool:
    try:
        checksum(content)
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


# ---------------------------------------------------------------- forms

Test = Callable[[Any], bool]
Form = tuple[str, Test]  # what it must be, in words, and the test of it


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST_NUMBER


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and bool(_MOMENT.fullmatch(value)) and _reads(datetime.fromisoformat, value)


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 10 and _reads(date.fromisoformat, value)


def _is_uuid(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 36 and _reads(UUID, value) and str(UUID(value)) == value


def _is_start(value: Any) -> bool:
    """Tell whether it is a start in an event's timetable: a moment that names its zone, or nothing known."""
    return value == "" or (
        isinstance(value, str) and len(value) <= 40 and _reads(datetime.fromisoformat, value) and _zoned(value)
    )


def _zoned(value: str) -> bool:
    return datetime.fromisoformat(value).tzinfo is not None


def _reads(read: Callable[[str], object], value: str) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True


def _or_null(form: Form) -> Form:
    words, fits = form
    return f"{words} or null", lambda value: value is None or fits(value)


TEXT: Form = ("a text", _is_text)
NUMBER: Form = ("a whole number", _is_number)
FLAG: Form = ("true or false", lambda value: type(value) is bool)
MOMENT: Form = ("a moment like 2026-09-12T09:30:00.000000Z", _is_moment)
DATE: Form = ("a date like 2026-09-12", _is_date)
UID: Form = ("a UUID", _is_uuid)
HASH: Form = ("a SHA-256 in hexadecimal", lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)))
WRITER: Form = ("an account's uid or empty", lambda value: value == "" or _is_uuid(value))
OBJECT: Form = ("an object", lambda value: isinstance(value, dict))
TIMES: Form = ("a list of moments or empty texts", lambda value: isinstance(value, list) and all(map(_is_start, value)))
AMOUNTS: Form = ("an object of points", lambda value: isinstance(value, dict) and all(map(_is_number, value.values())))

LEDGER_ROW = {
    "seq": NUMBER, "payload": TEXT, "supersedes": _or_null(NUMBER), "client_id": UID, "reason": TEXT, "by": WRITER,
    "at": MOMENT, "previous_hash": HASH, "hash": HASH,
}  # fmt: skip
SHEET_CHECK = {"confirmed": FLAG, "reason": TEXT, "by": WRITER, "at": MOMENT}
SHEET_ROW = {
    "seq": NUMBER, "signed": FLAG, "totals": [NUMBER], "leftover": NUMBER, "ledger_hash": HASH, "reason": TEXT,
    "by": WRITER, "at": MOMENT, "checks": [SHEET_CHECK],
}  # fmt: skip
AUDIT_ROW = {
    "seq": NUMBER, "verb": TEXT, "details": TEXT, "by": WRITER, "at": MOMENT, "previous_hash": HASH, "hash": HASH,
}  # fmt: skip
PENALTY = {
    "client_id": UID, "player": NUMBER, "round": _or_null(NUMBER), "table": _or_null(NUMBER), "seq": _or_null(NUMBER),
    "kind": TEXT, "foul": TEXT, "case": TEXT, "points": NUMBER, "reason": TEXT, "amount_reason": TEXT, "clause": TEXT,
    "given_by": WRITER, "given_at": MOMENT, "cancelled_by": WRITER, "cancelled_at": _or_null(MOMENT),
    "cancel_reason": TEXT,
}  # fmt: skip
SUBSTITUTION = {
    "client_id": UID, "round": NUMBER, "table": NUMBER, "player": NUMBER, "substitute": _or_null(NUMBER), "name": TEXT,
    "when": TEXT, "seq": _or_null(NUMBER), "reason": TEXT, "given_by": WRITER, "given_at": MOMENT,
    "cancelled_by": WRITER, "cancelled_at": _or_null(MOMENT), "cancel_reason": TEXT,
}  # fmt: skip
CALL = {
    "client_id": UID, "round": NUMBER, "table": NUMBER, "seq": NUMBER, "question": TEXT, "called_by": WRITER,
    "called_at": MOMENT, "answered_by": WRITER, "answered_at": _or_null(MOMENT), "ruling": TEXT, "clause": TEXT,
    "minutes": NUMBER, "closed_by": WRITER, "closed_at": _or_null(MOMENT),
}  # fmt: skip
CUT = {
    "client_id": UID, "after_round": NUMBER, "through": [NUMBER], "carry": TEXT, "others": TEXT, "made_by": WRITER,
    "made_at": MOMENT, "cancelled_by": WRITER, "cancelled_at": _or_null(MOMENT), "cancel_reason": TEXT,
}  # fmt: skip
TABLE_TIME = {
    "client_id": UID, "minutes": NUMBER, "reason": TEXT, "given_by": WRITER, "given_at": MOMENT,
    "cancelled_by": WRITER, "cancelled_at": _or_null(MOMENT), "cancel_reason": TEXT,
}  # fmt: skip
CLOCK_PAUSE = {
    "reason": TEXT, "paused_by": WRITER, "paused_at": MOMENT, "resumed_by": WRITER, "resumed_at": _or_null(MOMENT),
}  # fmt: skip
TYPED_SHEET = {
    "seq": NUMBER, "client_id": UID, "numbers": TEXT, "counts": [NUMBER], "loans": [NUMBER], "leftover": NUMBER,
    "players": [NUMBER], "ledger_seq": NUMBER, "reason": TEXT, "by": WRITER, "at": MOMENT,
}  # fmt: skip
TABLE = {
    "number": NUMBER, "ready_at": _or_null(MOMENT), "seats": [{"seat": NUMBER, "player": NUMBER}],
    "ledger": [LEDGER_ROW], "sheets": [SHEET_ROW], "times": [TABLE_TIME], "typed": [TYPED_SHEET],
}  # fmt: skip
ROUND = {
    "number": NUMBER, "published_at": _or_null(MOMENT), "started_at": _or_null(MOMENT),
    "start_taken_back": _or_null(MOMENT), "released_at": _or_null(MOMENT), "drawn": OBJECT, "pauses": [CLOCK_PAUSE],
    "tables": [TABLE],
}  # fmt: skip
PLAYER = {
    "number": NUMBER, "withdrawn_at": _or_null(MOMENT), "checked_in_at": _or_null(MOMENT), "ranked": FLAG,
    "team": TEXT, "preferred_name": TEXT, "legal_name": TEXT, "ema_number": TEXT, "country": TEXT, "club": TEXT,
    "shown_by_name": FLAG, "forgotten_at": _or_null(MOMENT),
}  # fmt: skip
EVENT = {
    "slug": TEXT, "name": TEXT, "date": DATE, "place": TEXT, "rules": OBJECT, "rules_frozen_at": _or_null(MOMENT),
    "rounds_planned": NUMBER, "seed": _or_null(NUMBER), "foul_amounts": AMOUNTS, "team_best": NUMBER, "wishes": OBJECT,
    "drawn": OBJECT, "second_person": TEXT, "sheet_numbers": TEXT, "clock_sound": FLAG, "clock_signals": [NUMBER],
    "language": TEXT, "second_language": TEXT, "live_tables": TEXT, "live_others": TEXT, "hold": TEXT,
    "shown_through": NUMBER, "show_needs": FLAG, "ema_certified": FLAG, "timetable": TIMES,
    "keep_months": _or_null(NUMBER), "version": NUMBER, "created_at": MOMENT,
}  # fmt: skip
ANNOUNCEMENT = {
    "client_id": UID, "position": NUMBER, "title": TEXT, "text": TEXT, "second_title": TEXT, "second_text": TEXT,
    "at_once": FLAG, "shown_from": MOMENT, "shown_until": _or_null(MOMENT), "written_by": WRITER, "written_at": MOMENT,
    "taken_back_by": WRITER, "taken_back_at": _or_null(MOMENT),
}  # fmt: skip
WALL = {
    "pages": [{"page": TEXT, "seconds": NUMBER}], "prizes_open": FLAG, "prizes_top": NUMBER, "prizes_step": NUMBER,
    "prizes_mark": TEXT,
}  # fmt: skip
CONTENT = {
    "event": EVENT, "accounts": [{"uid": UID, "display_name": TEXT}], "memberships": [{"account": UID, "role": TEXT}],
    "players": [PLAYER], "rounds": [ROUND], "penalties": [PENALTY],
    "substitutions": [SUBSTITUTION], "cuts": [CUT], "calls": [CALL], "announcements": [ANNOUNCEMENT],
    "wall": [WALL], "audit": [AUDIT_ROW],
}  # fmt: skip


EVENT_OF_OLD = {
    "foul_amounts": {}, "team_best": 0, "wishes": {}, "drawn": {},
    "second_person": "off", "sheet_numbers": "totals", "clock_sound": True, "clock_signals": [15, 5, 0],
    "language": "en-gb", "second_language": "", "live_tables": "nothing", "live_others": "own", "hold": "nothing",
    "shown_through": 0, "show_needs": False, "ema_certified": False, "timetable": [], "keep_months": None,
}  # fmt: skip

PLAYER_OF_OLD = {"ranked": True, "team": "", "checked_in_at": None, "shown_by_name": True, "forgotten_at": None}


def _completed(content: Any) -> Any:
    """Return the content in today's form.

    Files of an earlier desk know no fouls, substitutes, teams or cuts, nothing of the day's line, of calls and of
    pauses, and name tie-breaks of their own.
    """
    if not isinstance(content, dict):
        return content
    event, penalties, players = content.get("event"), content.get("penalties"), content.get("players")
    lists = ("substitutions", "cuts", "calls", "announcements", "wall")
    added: dict[str, Any] = {key: [] for key in lists if key not in content}
    if isinstance(players, list):
        added["players"] = _each_with(players, PLAYER_OF_OLD)
    if isinstance(content.get("rounds"), list):
        added["rounds"] = [_with_day_line(each) if isinstance(each, dict) else each for each in content["rounds"]]
    if isinstance(event, dict):
        known = {key: value for key, value in event.items() if key != "tie_breaks"}
        added["event"] = {**EVENT_OF_OLD, **known}
    if isinstance(penalties, list):
        added["penalties"] = [_with_kind(each) if isinstance(each, dict) else each for each in penalties]
    return {**content, **added}


def _each_with(rows: list[Any], defaults: dict[str, Any]) -> list[Any]:
    """Return rows with these defaults where a row does not say otherwise; what is no object stays as it is."""
    return [{**defaults, **each} if isinstance(each, dict) else each for each in rows]


def _with_day_line(round_: dict[str, Any]) -> dict[str, Any]:
    """Return a round with pauses, whose tables say when they were ready and what minutes they were given.

    Their sheets say what a second person said.
    """
    known = {"start_taken_back": None, "pauses": [], "drawn": {}, **round_}
    if not isinstance(round_.get("tables"), list):
        return known
    tables = _each_with(round_["tables"], {"ready_at": None, "times": [], "typed": []})
    for table in tables:
        if isinstance(table, dict) and isinstance(table.get("sheets"), list):
            table["sheets"] = _each_with(table["sheets"], {"checks": []})
    return {**known, "tables": tables}


def _with_kind(penalty: dict[str, Any]) -> dict[str, Any]:
    if "kind" in penalty:
        return penalty
    kind = "points" if penalty.get("points") else "warning"
    return {"table": None, "seq": None, "kind": kind, "foul": "", "case": "", "amount_reason": "", **penalty}


def _misfits(value: Any, form: Any, where: str) -> Iterator[Problem]:
    """Yield where a value is not of its form: an object with just these keys, a list, or a single value."""
    if isinstance(form, dict):
        yield from _object_misfits(value, form, where)
    elif isinstance(form, list):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from _misfits(item, form[0], f"{where}[{index}]")
        else:
            yield error("archive.form", where=where, wanted="a list")
    elif not form[1](value):
        yield error("archive.form", where=where, wanted=form[0])


def _object_misfits(value: Any, form: dict[str, Any], where: str) -> Iterator[Problem]:
    if not isinstance(value, dict) or set(value) != set(form):
        yield error("archive.form", where=where, wanted=f"an object with the keys {', '.join(form)}")
        return
    for key, inner in form.items():
        yield from _misfits(value[key], inner, f"{where}.{key}")
