"""Hold the database against what this desk noted outside it: how far each trail went, and which events there were."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.db.models import Max

from scoring.problems import CommandProblemType, Problem
from tournament.core.sealed_marks import SITE as SITE_MARK
from tournament.core.sealed_marks import Mark, Marks, SealedFileError, read_marks
from tournament.models.event import Event
from tournament.models.ledger import AuditRow, RecordHead
from tournament.record.verify_verify_record import VERIFY_HEAD_GONE, VERIFY_UNSEALED, Verification

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
