"""The format of an event's file: a record for each model, its keys from the model's fields, and the form of each value.

Writing, reading, checking and completing a file all follow `CONTENT`: a new field of a model is in the file, and has
its default in older files, without another line. Never touches the database.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, datetime
from typing import Any, NoReturn
from uuid import UUID

from django.db import models

from scoring.problems import CommandProblemType, Problem, printable_excerpt
from tournament.calls.models import RefereeCall
from tournament.core.errors import DomainError
from tournament.core.hash_chain import canonical, checksum, moment
from tournament.core.limits import MAX_INTEGER, MAX_NAME
from tournament.core.models import AuditRow
from tournament.events.models import Event, Logo, Photo
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.people.models import ONLINE
from tournament.players.models import Person, Player
from tournament.record.models import RecordHead
from tournament.rounds.models import ClockPause, TableTime
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.signup.models import SignUpPage
from tournament.standings.models import Cut
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.wall.models import Announcement, Wall

ARCHIVE_NOT_TEXT = CommandProblemType("archive.not_text", "This is not an event file: it is not UTF-8 text.")
ARCHIVE_NOT_JSON = CommandProblemType(
    "archive.not_json",
    "This is not an event file, or it was cut off: it cannot be read as JSON from line {line}, column {column} on.",
)
ARCHIVE_NOT_EVENT = CommandProblemType("archive.not_event", "This is not an event file of Hanchan Desk.")
ARCHIVE_VERSION = CommandProblemType(
    "archive.version", "This event file has format version {given}; this desk reads version {known}."
)
ARCHIVE_CHECKSUM = CommandProblemType(
    "archive.checksum", "The event file is damaged: its content does not fit its checksum."
)
ARCHIVE_FORM = CommandProblemType("archive.form", "The event file cannot be used: {where} must be {wanted}.")

FORMAT = "hanchan-desk-event"
VERSION = 1


# ---------------------------------------------------------------- records


@dataclass(frozen=True, slots=True)
class Record:
    """An object of the file: `keys` with the form of each value, `later` with the values of keys that a file may lack.

    A form is a Form, a Record, or a list of the one form of all items. `own` are the keys that are fields of the model,
    whose name and docstring are `name` and `says`.
    """

    keys: Mapping[str, Any]
    later: Mapping[str, Any]
    own: tuple[str, ...] = ()
    name: str = ""
    says: str = ""

    def write(self, row: models.Model, **others: Any) -> dict[str, Any]:
        """Return a row as an object of the file; `others` are the keys that are not its fields."""
        return {name: _written(getattr(row, name)) for name in self.own} | others

    def read(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the model as Django takes them."""
        forms = {name: self.keys[name] for name in self.own}
        return {name: form.read(facts[name]) if isinstance(form, Form) else facts[name] for name, form in forms.items()}


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    return str(value) if isinstance(value, date | UUID) else value


def record_for_model(
    model: type[models.Model], *, omit: str = "", forms: Mapping[str, Any] | None = None, first: str | None = None
) -> Record:
    """Make the record of a model: its own columns except `omit`, with `forms` for JSON columns and for further keys.

    `first` are the keys that every file has had; others take the field's default where a file lacks them. Without
    `first` no key may be missing.
    """
    given, fields = dict(forms or {}), {}
    for field in model._meta.concrete_fields:
        if not (field.primary_key or field.is_relation or field.name in omit.split()):
            fields[field.name] = field
    keys = {name: given[name] if name in given else form_of(field) for name, field in fields.items()} | given
    late = set() if first is None else set(keys) - set(first.split())
    later = {name: _default(fields[name]) if name in fields else [] for name in keys if name in late}
    says = " ".join((model.__doc__ or "").split())
    return Record(keys, later, tuple(name for name in fields if name in keys), model.__name__, says)


def _default(field: Any) -> Any:
    value = field.get_default()
    return str(value) if isinstance(value, str) else value  # a choice is its text


# ---------------------------------------------------------------- forms of values


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_HASH = re.compile(r"[0-9a-f]{64}")
_UID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a value: `words` for the refusal, `fits` as the test, `read` to make the model's value.

    `schema` says as JSON Schema what `fits` tests, as far as a schema can.
    """

    words: str
    fits: Callable[[Any], bool]
    schema: Mapping[str, Any]
    read: Callable[[Any], Any] = lambda value: value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= MAX_INTEGER


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and bool(_MOMENT.fullmatch(value)) and _reads(datetime.fromisoformat, value)


def _is_uuid(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 36 and _reads(UUID, value) and str(UUID(value)) == value


def _reads(read: Callable[[str], object], value: str) -> bool:
    try:
        read(value)
    except ValueError:
        return False
    return True


def or_null(form: Form) -> Form:
    """Return the form of a value that may be missing."""
    return Form(
        f"{form.words} or null",
        lambda value: value is None or form.fits(value),
        {"anyOf": [form.schema, {"type": "null"}]},
        lambda value: None if value is None else form.read(value),
    )


TEXT = Form("a text", _is_text, {"type": "string"})
NUMBER = Form("a whole number", _is_number, {"type": "integer", "minimum": -MAX_INTEGER, "maximum": MAX_INTEGER})
FLAG = Form("true or false", lambda value: type(value) is bool, {"type": "boolean"})
MOMENT = Form(
    "a moment like 2026-09-12T09:30:00.000000Z",
    _is_moment,
    {"type": "string", "pattern": f"^{_MOMENT.pattern}$"},
    datetime.fromisoformat,
)
DATE = Form(
    "a date like 2026-09-12",
    lambda value: isinstance(value, str) and len(value) == 10 and _reads(date.fromisoformat, value),
    {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
    date.fromisoformat,
)
UID = Form("a UUID", _is_uuid, {"type": "string", "pattern": f"^{_UID}$"})
HASH = Form(
    "a SHA-256 in hexadecimal",
    lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)),
    {"type": "string", "pattern": f"^{_HASH.pattern}$"},
)
WRITER = Form(
    "an account's uid or empty",
    lambda value: value == "" or _is_uuid(value),
    {"type": "string", "pattern": f"^({_UID})?$"},
)

_OF_FIELD: tuple[tuple[type, Form], ...] = (
    (models.BooleanField, FLAG),
    (models.IntegerField, NUMBER),
    (models.DateTimeField, MOMENT),
    (models.DateField, DATE),
    (models.UUIDField, UID),
    (models.CharField, TEXT),
    (models.TextField, TEXT),
)


def form_of(field: Any) -> Form:
    """Return the form of a column; a JSONField has none, its record names one."""
    name = field.name
    if name == "by" or name.endswith("_by"):
        return WRITER
    if name.endswith("hash"):
        return HASH
    form = next(form for kind, form in _OF_FIELD if isinstance(field, kind))
    if field.choices and form is TEXT:
        form = replace(form, schema={"enum": [*dict(field.flatchoices), *([""] if field.blank else [])]})
    return or_null(form) if field.null else form


LEDGER_ROW = record_for_model(LedgerEntry, first="seq payload supersedes client_id reason by at previous_hash hash")
SHEET_CHECK = record_for_model(SheetCheck)
SHEET_ROW = record_for_model(
    SheetRow,
    forms={"totals": [NUMBER], "checks": [SHEET_CHECK]},
    first="seq signed totals leftover ledger_hash reason by at",
)
TYPED_SHEET = record_for_model(TypedSheet, forms={"counts": [NUMBER], "loans": [NUMBER], "players": [NUMBER]})
AUDIT_ROW = record_for_model(AuditRow, first="seq verb details by at previous_hash hash")
HEAD = record_for_model(RecordHead)
PENALTY = record_for_model(
    Penalty,
    forms={"player": NUMBER, "round": or_null(NUMBER), "table": or_null(NUMBER), "substitution": or_null(UID)},
    first="player round table seq client_id kind foul case points reason amount_reason clause given_by given_at "
    "cancelled_by cancelled_at cancel_reason",
)
PENALTY = replace(PENALTY, later={**PENALTY.later, "minutes": 0, "substitution": None})
# what penalties had not, and `kind`, before there was a catalogue of fouls
BEFORE_FOULS = {"table": None, "seq": None, "foul": "", "case": "", "amount_reason": ""}
SUBSTITUTION = record_for_model(
    Substitution,
    forms={"round": NUMBER, "table": NUMBER, "player": NUMBER, "substitute": or_null(NUMBER)},
    first="round table player substitute name when seq reason client_id given_by given_at cancelled_by cancelled_at "
    "cancel_reason",
)
CALL = record_for_model(
    RefereeCall,
    forms={"round": NUMBER, "table": NUMBER, "player": or_null(NUMBER)},
    first="round table seq client_id question called_by called_at answered_by answered_at ruling clause minutes "
    "closed_by closed_at",
)
CALL = replace(CALL, later={**CALL.later, "player": None})
DISQUALIFICATION = record_for_model(Disqualification, forms={"player": NUMBER})
CUT = record_for_model(Cut, forms={"through": [NUMBER]})
TABLE_TIME = record_for_model(TableTime)
CLOCK_PAUSE = record_for_model(ClockPause)
ANNOUNCEMENT = record_for_model(Announcement)
SEAT = record_for_model(Seat, forms={"player": NUMBER})
TABLE = record_for_model(
    Table,
    forms={
        "seats": [SEAT],
        "ledger": [LEDGER_ROW],
        "sheets": [SHEET_ROW],
        "times": [TABLE_TIME],
        "typed": [TYPED_SHEET],
    },
    first="number seats ledger sheets",
)
OBJECT = Form("an object", lambda value: isinstance(value, dict), {"type": "object"})
ROUND = record_for_model(
    Round,
    forms={"drawn": OBJECT, "pauses": [CLOCK_PAUSE], "tables": [TABLE]},
    first="number published_at started_at released_at tables",
)
CLIENT = Form(
    f"one of {', '.join(ONLINE)}", lambda value: value in list(ONLINE), {"enum": [str(kind) for kind in ONLINE]}
)
NAME = Form(
    f"a name of at most {MAX_NAME} characters",
    lambda value: _is_text(value) and value.strip() != "" and len(value) <= MAX_NAME,
    {"type": "string", "pattern": r"\S", "maxLength": MAX_NAME},
)
ONLINE_NAME = Record({"kind": CLIENT, "text": NAME}, {})
PERSON = record_for_model(Person)
PLAYER = record_for_model(
    Player,
    forms={**PERSON.keys, "online_names": [ONLINE_NAME]},
    first="number withdrawn_at preferred_name legal_name ema_number country club",
)
PLAYER = replace(PLAYER, later={**PLAYER.later, "forgotten_at": None, "salt": ""})


def _is_start(value: Any) -> bool:
    """Tell whether it is a start in a timetable: a moment with its zone, or "" for an unknown one."""
    if value == "":
        return True
    if not (isinstance(value, str) and len(value) <= 40 and _reads(datetime.fromisoformat, value)):
        return False
    start = datetime.fromisoformat(value)
    return start.tzinfo is not None and MINYEAR < start.year < MAXYEAR  # other zones show it, too


KNOWN_START = Form(
    "a moment with its zone",
    lambda value: value != "" and _is_start(value),
    {"type": "string", "format": "date-time"},
)
KEPT_AMOUNTS = Record({"until": KNOWN_START, "chombo_points": NUMBER, "replaced_points": NUMBER}, {})


def _all(kind: type, fits: Callable[[Any], bool], parts: Callable[[Any], Any] = iter) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind) and all(map(fits, parts(value)))


TIMES = Form(
    "a list of moments or empty texts",
    _all(list, _is_start),
    {"type": "array", "items": {"type": "string", "description": "a moment with its zone, or empty"}},
)
TEXTS = Form(
    "an object of texts",
    _all(dict, _is_text, dict.values),
    {"type": "object", "additionalProperties": TEXT.schema},
)
AMOUNTS = Form(
    "an object of points",
    _all(dict, _is_number, dict.values),
    {"type": "object", "additionalProperties": NUMBER.schema},
)
DAY_ROUNDS = Form(
    "a list of up to 31 numbers",
    lambda value: isinstance(value, list) and len(value) <= 31 and all(_is_number(each) and each > 0 for each in value),
    {"type": "array", "maxItems": 31, "items": {**NUMBER.schema, "minimum": 1}},
)
EQUIPMENT = Record({"who": TEXT, "what": TEXT, "table": NUMBER, "mat": FLAG, "sticks": FLAG, "returned": FLAG}, {})
REFEREE = Record({"name": TEXT, "player": NUMBER, "rounds": TEXTS}, {})
EVENT = record_for_model(
    Event,
    omit="other_address club_code",
    forms={
        "rules": OBJECT, "foul_amounts": AMOUNTS, "clock_signals": [NUMBER], "timetable": TIMES, "prizes": OBJECT,
        "second_rules": OBJECT, "day_rounds": DAY_ROUNDS, "wishes": OBJECT,
        "drawn": OBJECT, "house_rules": TEXTS, "contact": TEXTS, "observer_report": TEXTS,
        "redactions": TEXTS,
        "kept_amounts": [KEPT_AMOUNTS], "equipment": [EQUIPMENT], "rota": [REFEREE],
    },
    first="slug name date place rules rules_frozen_at rounds_planned seed version created_at",
)  # fmt: skip
GONE = ("tie_breaks",)  # keys of events in older files that are not read
WALL_PAGE = Record({"page": TEXT, "seconds": NUMBER}, {})
WALL = record_for_model(Wall, omit="network network_password", forms={"pages": [WALL_PAGE]})  # the hall's, and a secret
LOGO = record_for_model(Logo)
PHOTO = record_for_model(Photo)
LISTED = Form("a list", lambda value: isinstance(value, list), {"type": "array"})
# what is offered, not who signed up: those are few people's business and go soon
SIGN_UP_PAGE = record_for_model(SignUpPage, forms={"texts": OBJECT, "questions": LISTED})
ACCOUNT = Record({"uid": UID, "display_name": TEXT}, {})
MEMBERSHIP = Record({"account": UID, "role": TEXT}, {})
CONTENT = Record(
    {
        "event": EVENT, "accounts": [ACCOUNT], "memberships": [MEMBERSHIP], "players": [PLAYER], "rounds": [ROUND],
        "penalties": [PENALTY], "substitutions": [SUBSTITUTION],
        "disqualifications": [DISQUALIFICATION], "cuts": [CUT], "calls": [CALL],
        "announcements": [ANNOUNCEMENT], "wall": [WALL], "logo": [LOGO], "photo": [PHOTO],
        "sign_up_page": [SIGN_UP_PAGE], "audit": [AUDIT_ROW], "heads": [HEAD],
    },
    {
        key: []
        for key in (
            "substitutions", "disqualifications", "cuts", "calls", "announcements", "wall", "logo", "photo",
            "sign_up_page", "heads",
        )
    },
    (),
)  # fmt: skip


# ---------------------------------------------------------------- files


def write_event_file(content: Mapping[str, Any]) -> str:
    """Return the text of an event's file: one line of canonical JSON with a checksum over its content."""
    return canonical({"format": FORMAT, "version": VERSION, "checksum": checksum(content), "content": content}) + "\n"


def read_event_file(data: bytes) -> dict[str, Any]:
    """Return the content of an event's file, completed to today's form.

    Raises DomainError with what is wrong with it.
    """
    try:
        file = json.loads(data.decode("utf-8"), parse_float=_strange, parse_constant=_strange, object_pairs_hook=_once)
    except UnicodeDecodeError as wrong:
        raise DomainError(ARCHIVE_NOT_TEXT()) from wrong
    except json.JSONDecodeError as wrong:
        raise DomainError(ARCHIVE_NOT_JSON(line=wrong.lineno, column=wrong.colno)) from wrong
    except (ValueError, RecursionError) as wrong:
        raise DomainError(ARCHIVE_NOT_EVENT()) from wrong
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise DomainError(ARCHIVE_NOT_EVENT())
    if file.get("version") != VERSION or type(file["version"]) is not int:
        raise DomainError(ARCHIVE_VERSION(given=printable_excerpt(str(file.get("version")), 20), known=VERSION))
    content: Any = file.get("content")
    if not _encodable(content) or set(file) != {"format", "version", "checksum", "content"}:
        raise DomainError(ARCHIVE_NOT_EVENT())
    if checksum(content) != file["checksum"]:
        raise DomainError(ARCHIVE_CHECKSUM())
    content = _completed(content, CONTENT)
    for problem in _misfits(content, CONTENT, "content"):
        raise DomainError(problem)
    return dict(content)


def find_misfits(facts: Mapping[str, Any], record: Record) -> Iterator[str]:
    """Yield the keys of an object, of all or some of a record's keys, whose values are not of their form."""
    for key, value in facts.items():
        if key not in record.keys or next(_misfits(value, record.keys[key], key), None):
            yield key


def writers_in(value: Any, form: Any = CONTENT) -> Iterator[str]:
    """Yield every account that a content names, "" for none."""
    if form is WRITER:
        yield value
    elif isinstance(form, list):
        for item in value:
            yield from writers_in(item, form[0])
    elif isinstance(form, Record):
        for key in form.keys & value.keys():
            yield from writers_in(value[key], form.keys[key])


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


def _completed(value: Any, form: Any) -> Any:
    """Return a value with the keys that older files lack; what is not of its form stays as it is."""
    if isinstance(form, list) and isinstance(value, list):
        return [_completed(item, form[0]) for item in value]
    if not (isinstance(form, Record) and isinstance(value, dict)):
        return value
    known = {key: item for key, item in value.items() if not (form is EVENT and key in GONE)}
    if form is PENALTY and "kind" not in value:
        known = {**BEFORE_FOULS, "kind": "points" if value.get("points") else "warning", **known}
    return {key: _completed(item, form.keys.get(key)) for key, item in {**form.later, **known}.items()}


def _misfits(value: Any, form: Any, where: str) -> Iterator[Problem]:
    """Yield where a value is not of its form: an object with just these keys, a list, or a single value."""
    if isinstance(form, Record):
        if not isinstance(value, dict) or set(value) != set(form.keys):
            yield ARCHIVE_FORM(where=where, wanted=f"an object with the keys {', '.join(form.keys)}")
            return
        for key, inner in form.keys.items():
            yield from _misfits(value[key], inner, f"{where}.{key}")
    elif not isinstance(form, list):
        if not form.fits(value):
            yield ARCHIVE_FORM(where=where, wanted=form.words)
    elif not isinstance(value, list):
        yield ARCHIVE_FORM(where=where, wanted="a list")
    else:
        for index, item in enumerate(value):
            yield from _misfits(item, form[0], f"{where}[{index}]")
