"""Signed heads: the root over an event's trail at a release, and at each later act that moves what was released."""

from datetime import datetime

from tournament.models import AuditRow, Event, RecordHead
from tournament.record import keys, merkle


def add_head(event: Event, at: datetime, round_: int = 0) -> RecordHead:
    """Sign the root over the trail of an event that the caller has locked; `round_` is the one released, 0 for none."""
    leaves = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("hash", flat=True))
    head = RecordHead(event=event, size=len(leaves), root=merkle.root(leaves), round=round_, at=at)
    head.public_key, head.signature = keys.sign(head.statement)
    head.save()
    return head
