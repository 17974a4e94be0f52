"""Verify an event: its rows against what the acts sealed and against each other, its trail against its signed heads.

The database is also compared with what this desk noted outside it: how far each trail went, and which events existed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F, Max, Model, Q

from scoring.problems import CommandProblemType, InvalidInput, Param, Problem, ProblemType
from tournament.calls.models import RefereeCall
from tournament.core import heads as merkle
from tournament.core.models import AuditRow
from tournament.core.sealed_marks import SITE as SITE_MARK
from tournament.core.sealed_marks import Mark, Marks, SealedFileError, read_marks
from tournament.core.sealed_rows import KINDS, LATER, NOTE, Found, Rows, digest, opening, read_sealed_hands
from tournament.core.signing_key import TrustedKeys, is_signed, trusted_keys
from tournament.events.models import Event
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.publication.queries import ROUND_RELEASED, ROUNDS_HIDDEN
from tournament.record.models import RecordHead
from tournament.record.queries import is_head
from tournament.tables.models import Round, Seat

VERIFY_PAYLOAD = CommandProblemType("verify.payload", "{where} row {row}: its entry cannot be read.")
VERIFY_DATABASE = CommandProblemType("verify.database", "The database's own file is damaged: {why}", ("where",))
VERIFY_UNREADABLE = CommandProblemType("verify.unreadable", "{where}: rows of the kind '{what}' cannot be read.")
VERIFY_NOT_SEALED = CommandProblemType("verify.not_sealed", "{where}: {what} is in no chained act.", ("act",))
VERIFY_GONE = CommandProblemType(
    "verify.gone", "{where}: {what} is gone; act {act} of the trail was the last to change it."
)
VERIFY_CHANGED = CommandProblemType("verify.changed", "{where}: {what} is not what act {act} of the trail left.")
VERIFY_HEAD_SHORT = CommandProblemType(
    "verify.head_short", "{where}: a head was signed after {row} acts, and the trail has {acts}."
)
VERIFY_HEAD_ROOT = CommandProblemType(
    "verify.head_root", "{where}: the trail is not the one whose head was signed after act {row}.", ("round",)
)
VERIFY_HEAD_SIGNATURE = CommandProblemType(
    "verify.head_signature", "{where}: the signature of the head after act {row} is not valid."
)
VERIFY_HEAD_KEY = CommandProblemType(
    "verify.head_key",
    "{where}: the head after act {row} is signed with a key that this desk does not know for it ({key}). If it "
    "is another desk's of yours, `verify_ledger {where} --trust {key}` notes it for this event.",
)
VERIFY_NO_HEAD = CommandProblemType(
    "verify.no_head", "{where}: act {row} released a round, and its signed head is gone."
)
VERIFY_HEAD_GONE = CommandProblemType("verify.head_gone", "{where}: the signed head after act {row} is gone.")
VERIFY_UNSIGNED = CommandProblemType(
    "verify.unsigned", "{where}: act {row} changes what was signed before, and no head is signed after it."
)
VERIFY_HEADLESS = CommandProblemType("verify.headless", "{where}: a round is released, and no head is signed.")
VERIFY_TWICE = CommandProblemType("verify.twice", "{where}: {what} is there twice.")
VERIFY_UNSEALED = CommandProblemType(
    "verify.unsealed",
    "{where}: nothing is sealed: its seals were taken off, or an upgrade was cut short. If you know why, "
    "`verify_ledger --accept REASON` seals it as it is.",
)
VERIFY_SEALED_FROM = CommandProblemType(
    "verify.sealed_from",
    "{where}: sealed from act {act} on ({at}); what was done before is covered as it was then, not act by act.",
)

# what was worked out at the time and is in no table, and that a head follows, which `check_heads` looks for
OF_THE_MOMENT = ("standings", "head")
# kinds that change while a round is played, and those of them that change what a released round shows
IN_PLAY, SIGNED = ("hand", "sheet", "check"), ("sheet", "check")
# these name no table, and what is wrong with a seat says nothing of the hands
OF_THE_EVENT = ("verify.seats",)
# what reading a value raises that somebody has damaged: text for a number, no date, no UUID, no JSON
UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, RecursionError, InvalidInput, DatabaseError)


@dataclass(slots=True)
class Verification:
    """What was walked, and what is wrong with it: no problems, no fault.

    `remarks` are no faults: what today's judge would say of an old hand, and what the seals do not cover. `signed` is
    how far heads were signed with each key, by key and event.
    """

    events: int = 0
    tables: int = 0
    entries: int = 0
    sheets: int = 0
    audit_rows: int = 0
    heads: int = 0
    problems: list[Problem] = field(default_factory=list)
    remarks: list[Problem] = field(default_factory=list)
    signed: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def keys(self) -> set[str]:
        """The keys that heads were signed with."""
        return {key for key, _slug in self.signed}

    def add(self, kind: ProblemType, where: str, /, **params: Param) -> None:
        """Note something that is wrong at a place."""
        self.problems.append(kind(where=where, **params))


@dataclass(frozen=True, slots=True)
class Known:
    """A head that was asked for, found again: after so many acts of this event, and how many came since."""

    event: str
    size: int
    since: int


def check_database(report: Verification) -> None:
    """Let SQLite look at its own file."""
    if connection.vendor != "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check(5)")
            found = [str(row[0]) for row in cursor.fetchall()]
    except DatabaseError as wrong:
        found = [str(wrong)]
    if found != ["ok"]:
        report.add(VERIFY_DATABASE, "database", why="; ".join(" ".join(each.split()) for each in found)[:300])


# ---------------------------------------------------------------- what the acts sealed


def check_state(event: int, slug: str, trail: Sequence[AuditRow], report: Verification) -> None:
    """Refold what the acts sealed, and name each row of a table that is not what its last act left."""
    sealed = _refold(slug, trail, report)
    if not any(not _is_of_the_moment(key) for key in sealed):
        report.add(VERIFY_UNSEALED, slug)
        return
    salt = Event.objects.values_list("record_salt", flat=True).get(pk=event)
    named = {str(problem.params["where"]) for problem in report.problems if problem.code not in OF_THE_EVENT}
    named |= {"rules" for problem in report.problems if problem.code == "verify.rules_unusable"}
    found = _each_once(_found(event, slug, report), slug, report)
    for key in sorted({*sealed, *found}):
        digest_then, act = sealed.get(key, (None, 0))
        if _is_named(slug, key, named) or _is_of_the_moment(key) or (key not in sealed and key.startswith(LATER)):
            continue
        row = found.get(key)
        now = None if row is None else digest(opening(salt, key, row), key, row.content)
        if now == digest_then:
            continue
        kind = VERIFY_GONE if row is None else VERIFY_NOT_SEALED if digest_then is None else VERIFY_CHANGED
        report.add(kind, slug, what=_words(key, found), act=act)


def _is_of_the_moment(key: str) -> bool:
    return key.partition(" ")[0] in OF_THE_MOMENT


def _each_once(rows: Found, slug: str, report: Verification) -> Rows:
    """Return the rows by key; two rows of one key are a fault, for only one of them is what was sealed."""
    found: Rows = {}
    twins = set()
    for key, row in rows:
        if key in found:
            twins.add(key)
        found[key] = row
    for key in sorted(twins):
        report.add(VERIFY_TWICE, slug, what=_words(key, found))
    return found


def _refold(slug: str, trail: Sequence[AuditRow], report: Verification) -> dict[str, tuple[str | None, int]]:
    """Return the digest of each key with the act that sealed it last."""
    sealed: dict[str, tuple[str | None, int]] = {}
    for row in trail:
        try:
            state = json.loads(row.state) if row.state else {}
            if state and not sealed and row.seq > 1:
                report.remarks.append(VERIFY_SEALED_FROM(where=slug, act=row.seq, at=f"{row.at:%Y-%m-%d}"))
            sealed.update({str(key): (each, row.seq) for key, each in state.items()})
        except UNREADABLE:
            report.add(VERIFY_PAYLOAD, f"{slug}/audit", row=row.seq)
    return sealed


def _found(event: int, slug: str, report: Verification) -> Found:
    for kind, read in {**KINDS, "hand": read_sealed_hands}.items():
        try:
            yield from list(read(event))
        except UNREADABLE:
            report.add(VERIFY_UNREADABLE, slug, what=kind)


def _is_named(slug: str, key: str, named: set[str]) -> bool:
    """Tell whether a fault of this table, or of this kind of rows, is named already."""
    kind, _space, place = key.replace(NOTE, "", 1).partition(" ")
    if not place:
        return kind in named
    if kind not in ("hand", "sheet", "check"):
        return False
    round_, table, *_seq = place.split("/")
    return f"{slug}/rounds/{round_}/tables/{table}" in named


def _words(key: str, found: Rows) -> str:
    row = found.get(key.replace(NOTE, "", 1))
    player = row.content.get("player__number") if row and isinstance(row.content, dict) else None
    return f"{key} (player {player})" if player else key


# ---------------------------------------------------------------- heads


def check_heads(event: int, slug: str, trail: Sequence[AuditRow], mark: Mark | None, report: Verification) -> None:
    """Hold the trail against the heads that were signed over it; `mark` is what was noted outside the database."""
    roots = list(merkle.roots([row.hash for row in trail]))
    heads = list(RecordHead.objects.filter(event=event).select_related("event").order_by("size"))
    trusted = trusted_keys()
    report.heads += len(heads)
    report.signed.update({(head.public_key, slug): head.size for head in heads})
    faults: dict[
        ProblemType, tuple[RecordHead, dict[str, Param]]
    ] = {}  # the first of each kind: what follows has it, too
    for head in heads:
        for kind, params in _faults_of(head, roots, trusted):
            faults.setdefault(kind, (head, params))
    for kind, (head, params) in faults.items():
        report.add(kind, slug, row=head.size, **params)
    signed = {head.size for head in heads}
    _miss_heads(signed, slug, trail, mark, report)
    released = Round.objects.filter(event=event, released_at__isnull=False)
    if not heads and any(row.state for row in trail) and released.exists():
        report.add(VERIFY_HEADLESS, slug)
    for seq in _unsigned(trail, signed):
        report.add(VERIFY_UNSIGNED, slug, row=seq)


def _miss_heads(
    signed: set[int], slug: str, trail: Sequence[AuditRow], mark: Mark | None, report: Verification
) -> None:
    """Name each head that was signed, by the trail or by what was noted, and is not there."""
    missed = {row.seq for row in trail if '"head":' in row.state} | {
        size for size in (mark.heads if mark else ()) if size <= len(trail)
    }
    released = {row.seq for row in trail if row.verb == ROUND_RELEASED.name and row.salt}
    for seq in sorted((missed | released) - signed):
        report.add(VERIFY_NO_HEAD if seq in released else VERIFY_HEAD_GONE, slug, row=seq)


def _unsigned(trail: Sequence[AuditRow], signed: set[int]) -> Iterator[int]:
    """Yield acts that change what heads were signed for, and are followed by none: anybody can write such an act.

    Acts before the first that says of its own head that it follows are an older program's, which said nothing.
    """
    signs, shown = False, set[str]()
    for row in trail:
        try:
            state = json.loads(row.state) if row.state else {}
            if "head" in state:
                signs = True
                if row.verb == ROUND_RELEASED.name:
                    shown.add(str(json.loads(row.details)["round"]))
                elif row.verb == ROUNDS_HIDDEN.name:
                    shown.difference_update(map(str, json.loads(row.details)["rounds"]))
            elif signs and row.seq not in signed and any(_moves_results(key, shown) for key in state):
                yield row.seq
        except UNREADABLE:
            continue  # named as a payload that cannot be read


def _moves_results(key: str, shown: set[str]) -> bool:
    """Tell whether an act that leaves this key changed signs a head; of hands and sheets those of a released round."""
    kind, _space, place = key.replace(NOTE, "", 1).partition(" ")
    return kind not in IN_PLAY or (kind in SIGNED and place.partition("/")[0] in shown)


def _faults_of(
    head: RecordHead, roots: Sequence[str], trusted: TrustedKeys
) -> Iterator[tuple[ProblemType, dict[str, Param]]]:
    if not 0 < head.size <= len(roots):
        yield VERIFY_HEAD_SHORT, {"acts": len(roots)}
    elif roots[head.size - 1] != head.root:
        yield VERIFY_HEAD_ROOT, {"round": head.round}
    if not is_signed(head.statement, head.public_key, head.signature):
        yield VERIFY_HEAD_SIGNATURE, {}
    elif trusted and not trusted.may_sign(head.public_key, head.event.slug, head.size):
        yield VERIFY_HEAD_KEY, {"key": head.public_key}


def find_head(asked: str, *, event: Event | None = None) -> Known | None:
    """Return where in the record of an event, or of any, a head stands that `read_head` has read."""
    for each in [event] if event else Event.objects.order_by("slug"):
        hashes = list(AuditRow.objects.filter(event=each).order_by("seq").values_list("hash", flat=True))
        for size, root in enumerate(merkle.roots(hashes), start=1):
            if is_head(root, asked):
                return Known(each.slug, size, len(hashes) - size)
    return None


VERIFY_OUTSIDE_UNREADABLE = CommandProblemType(
    "verify.outside_unreadable",
    "{where}, which says how far this desk sealed, cannot be used: {why}. If you know why, `verify_ledger "
    "--accept REASON` writes it again.",
)
VERIFY_OUTSIDE_SHORT = CommandProblemType(
    "verify.outside_short",
    "{where}: this desk noted {acts} acts, and the trail has {now}. If you put an older database here yourself, "
    "`verify_ledger --accept REASON` notes it.",
)
VERIFY_OUTSIDE_OTHER = CommandProblemType(
    "verify.outside_other",
    "{where}: act {act} of the trail is not the one that this desk noted. If you put another database here "
    "yourself, `verify_ledger --accept REASON` notes it.",
)
VERIFY_OUTSIDE_GONE = CommandProblemType(
    "verify.outside_gone",
    "{where}: this desk noted {acts} acts of this event, which is not in the database. If another desk on it "
    "deleted it, or you put an older one here, `verify_ledger --accept REASON` notes it.",
)

SITE = "site"


def marks_of_desk(report: Verification, data: Path | None = None) -> Marks:
    """Return what a desk noted; a file that it did not write is a fault."""
    try:
        return read_marks(data or settings.DATA_DIR)
    except (SealedFileError, OSError) as wrong:
        report.add(VERIFY_OUTSIDE_UNREADABLE, "record.sealed", why=str(wrong))
        return {}


def check_trail(where: str, hashes: Sequence[str], mark: Mark | None, report: Verification) -> None:
    """Name a trail that is shorter than was noted, or that is another one."""
    if mark is None:
        return
    if len(hashes) < mark.acts:
        report.add(VERIFY_OUTSIDE_SHORT, where, acts=mark.acts, now=len(hashes))
    elif hashes[mark.acts - 1] != mark.hash:
        report.add(VERIFY_OUTSIDE_OTHER, where, act=mark.acts)


# ---------------------------------------------------------------- what this desk noted outside the database


def check_events(slugs: set[str], marks: Marks, report: Verification) -> None:
    """Name each event that this desk noted, did not delete, and no longer has."""
    gone = {slug for slug in marks.keys() - slugs - {SITE_MARK} if not marks[slug].deleted}
    again = marks_of_desk(report) if gone else {}  # the desk may have deleted one since
    for slug in sorted(gone & again.keys()):
        if not again[slug].deleted:
            report.add(VERIFY_OUTSIDE_GONE, slug, acts=again[slug].acts)


def differences(data: Path) -> tuple[list[Problem], Marks]:
    """Return how the database differs from what the desk of a data directory noted, and all that it noted."""
    report = Verification()
    marks = marks_of_desk(report, data)
    events: dict[str, int | None] = {SITE_MARK: None, **dict(Event.objects.values_list("slug", "pk"))}
    for slug, mark in marks.items():
        if mark.deleted:
            continue
        if slug in events:
            _compare(slug or SITE, events[slug], mark, report)
        else:
            report.add(VERIFY_OUTSIDE_GONE, slug, acts=mark.acts)
    for slug in Event.objects.filter(record_salt="").order_by("slug").values_list("slug", flat=True):
        report.add(VERIFY_UNSEALED, slug)
    return report.problems, marks


def _compare(where: str, event: int | None, mark: Mark, report: Verification) -> None:
    """Hold the trail and the heads of an event, or the site's trail, against what was noted."""
    hashes = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("hash", flat=True))
    check_trail(where, hashes, mark, report)
    heads = RecordHead.objects.filter(event=event)
    there = set(heads.values_list("size", flat=True))
    for row in sorted(size for size in mark.heads if size <= len(hashes) and size not in there):
        report.add(VERIFY_HEAD_GONE, where, row=row)


def signed_until() -> dict[tuple[str, str], int]:
    """Return how far heads were signed with each key, by key and event."""
    rows = RecordHead.objects.order_by().values_list("public_key", "event__slug").annotate(Max("size"))
    return {(key, slug): acts for key, slug, acts in rows}


# ---------------------------------------------------------------- rows against each other


VERIFY_ASTRAY = CommandProblemType("verify.astray", "{where}: {what} points at another event or round ({column}).")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A column that must lead to the same place as another one; `home` leads to the row's event."""

    model: type[Model]
    kind: str
    home: str
    column: str
    leads_to: str
    same_as: str


def _of_event(model: type[Model], kind: str, home: str, **columns: str) -> list[Pointer]:
    return [Pointer(model, kind, home, name, path, home) for name, path in columns.items()]


ROUND, TABLE = "round__event", "table__round__event"
POINTERS = (
    *_of_event(Seat, "seat", TABLE, player="player__event"),
    Pointer(Seat, "seat", TABLE, "round", "round", "table__round"),
    *_of_event(
        Penalty,
        "penalty",
        "event",
        player="player__event",
        round=ROUND,
        table=TABLE,
        substitution="substitution__event",
    ),
    Pointer(Penalty, "penalty", "event", "table", "table__round", "round"),
    *_of_event(
        Substitution, "substitution", "event", table=TABLE, player="player__event", substitute="substitute__event"
    ),
    *_of_event(Disqualification, "disqualification", "event", player="player__event"),
    *_of_event(RefereeCall, "call", "event", table=TABLE, player="player__event"),
)


def check_places(event: int, slug: str, report: Verification) -> None:
    """Name each row of an event that points at another event, or at another round than its table's."""
    for pointer in POINTERS:
        try:
            astray = _rows_of(pointer, event)
        except UNREADABLE:
            report.add(VERIFY_UNREADABLE, slug, what=pointer.kind)
            continue
        for row in astray:
            report.add(VERIFY_ASTRAY, slug, what=f"{pointer.kind} {row}", column=pointer.column)


def _rows_of(pointer: Pointer, event: int) -> list[Any]:
    """Return what names the rows astray: the place of a seat, the key of an act."""
    rows: Any = pointer.model._default_manager
    there = Q(**{f"{pointer.column}__isnull": False})
    astray = rows.filter(there, **{pointer.home: event}).exclude(**{pointer.leads_to: F(pointer.same_as)})
    if pointer.model is Seat:
        places = astray.values_list("table__round__number", "table__number", "seat").order_by("pk")
        return [f"{round_}/{table}/{seat}" for round_, table, seat in places]
    return list(astray.order_by("pk").values_list("client_id", flat=True))
