"""The record of the whole desk: seal what an older program left, note how far it goes, accept what took its place."""

from dataclasses import replace
from pathlib import Path

from django.conf import settings
from django.db import transaction

from scoring.problems import CommandProblemType, Problem
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.audit import append_audit
from tournament.core.hash_chain import moment
from tournament.core.heads import mark_of, note_sealed
from tournament.core.now import now
from tournament.core.sealed_marks import SITE, Marks, read_marks, write_marks
from tournament.core.signing_key import bind_older
from tournament.core.transaction import require_text, seal_event
from tournament.events.models import Event
from tournament.record.verify import differences, signed_until

RECORD_ACCEPTED = Act("record_accepted", "accepted the record as it is in the database ({found}): {reason}")

RECORD_REASON_MISSING = CommandProblemType("record.reason_missing", "Say why the record is to be accepted as it is.")


def seal_older(*, by: Account) -> None:
    """Seal the events that an older program left without seals, but none that this desk has noted as sealed.

    Raises SealedFileError and OSError where it cannot be read what was noted.
    """
    marks = read_marks(settings.DATA_DIR)
    for event in Event.objects.filter(record_salt=""):
        if event.slug not in marks or marks[event.slug].deleted:
            seal_event(event, by=str(by.uid))


def note_all() -> None:
    """Note outside the database how far every trail goes, and which keys of other desks have signed what.

    Raises SealedFileError and OSError.
    """
    bind_older(settings.DATA_DIR, signed_until())
    note_sealed(Event.objects.order_by("slug").values_list("pk", "slug"))


def accept_record(*, reason: str, by: Account) -> list[Problem]:
    """Accept the record as the database has it, with a row in the site's trail; return how it differs from the noted.

    Events without seals are sealed. Raises DomainError without a reason.
    """
    why = require_text(reason, RECORD_REASON_MISSING)
    with transaction.atomic():
        found, marks = compare_record(settings.DATA_DIR, reason=why, by=by)
        if found:
            transaction.on_commit(lambda: write_marks(settings.DATA_DIR, marks))
    return found


def compare_record(data: Path, *, reason: str, by: Account) -> tuple[list[Problem], Marks]:
    """Return how the database differs from what the desk of a data directory noted, and what it is to note instead.

    Where it differs a row of the site's trail says so, and events without seals are sealed.
    """
    found, marks = differences(data)
    at = now()
    for event in Event.objects.filter(record_salt=""):
        seal_event(event, by=str(by.uid))
    if found:
        details = {"reason": reason, "found": sorted({str(problem.params["where"]) for problem in found})}
        append_audit(None, RECORD_ACCEPTED, details, by=str(by.uid), at=at)
    here = [(SITE, None), *Event.objects.values_list("slug", "pk")]
    gone = {slug: replace(mark, deleted=mark.deleted or moment(at)) for slug, mark in marks.items()}
    return found, {**gone, **{slug: mark for slug, pk in here if (mark := mark_of(pk)).acts}}
