"""Signed heads: the root over an event's trail at a release, and at each later act that moves what was released.

What was sealed is also noted outside the database, after each of them.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.db import transaction

from tournament.core.hash_chain import moment
from tournament.core.heads_merkle import root
from tournament.core.sealed_marks import SITE, Mark, Marks, change_marks
from tournament.core.signing_key import own_public_key, sign
from tournament.models.event import Event
from tournament.models.ledger import AuditRow, RecordHead


def add_head(event: Event, at: datetime, round_: int = 0) -> RecordHead:
    """Sign the root over the trail of an event that the caller has locked; `round_` is the one released, 0 for none."""
    leaves = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("hash", flat=True))
    head = RecordHead(event=event, size=len(leaves), root=root(leaves), round=round_, at=at)
    head.public_key, head.signature = sign(head.statement)
    head.save()
    pk, slug = event.pk, event.slug
    # after the commit: a file that says more than the database would be a fault that nobody made
    transaction.on_commit(lambda: note_sealed([(pk, slug)]), robust=True)
    return head


def note_sealed(events: Iterable[tuple[int, str]]) -> None:
    """Note outside the database how far these events (pk and slug) and the site's trail go.

    A trail that is not the one noted before keeps its old mark, by which `verify_ledger` finds it. A desk that has
    never signed notes nothing. Raises OSError and SealedFileError.
    """
    if not own_public_key(settings.DATA_DIR):
        return
    trails = [(pk, slug) for pk, slug in events]

    def noted(marks: Marks) -> Marks:
        for pk, slug in [(None, SITE), *trails]:
            now = mark_of(pk)
            known = marks.get(slug)
            if now.acts and (known is None or known.deleted or _continues(pk, known, now)):
                marks[slug] = now if known is None or known.deleted else _joined(known, now)
        return marks

    change_marks(settings.DATA_DIR, noted)


def note_deleted(slug: str, at: datetime) -> None:
    """Note outside the database that the desk deleted an event, after the commit."""

    def noted(marks: Marks) -> Marks:
        return {**marks, slug: replace(marks[slug], deleted=moment(at))} if slug in marks else marks

    def write() -> None:
        change_marks(settings.DATA_DIR, noted)
        note_sealed([])  # the site's trail, which says who deleted it

    transaction.on_commit(write, robust=True)


def mark_of(event: int | None) -> Mark:
    """Return how far the trail of an event, or the site's, goes in the database."""
    last = AuditRow.objects.filter(event=event).order_by("-seq").values_list("seq", "hash").first()
    heads = RecordHead.objects.filter(event=event).order_by("size").values_list("size", flat=True) if event else ()
    return Mark(*(last or (0, "")), tuple(heads))


def _continues(event: int | None, known: Mark, now: Mark) -> bool:
    if now.acts < known.acts:
        return False
    return AuditRow.objects.filter(event=event, seq=known.acts, hash=known.hash).exists()


def _joined(known: Mark, now: Mark) -> Mark:
    """Return the present mark with the heads that were noted before: one that was deleted since is not forgotten."""
    return replace(now, heads=tuple(sorted({*known.heads, *now.heads})))
