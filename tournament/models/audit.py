"""The audit trail: who did what and when, one row a verb, chained like the ledger."""

from typing import Any

from django.db import models

from tournament.hash_chain import moment
from tournament.models.append_only import AppendOnly


class AuditRow(AppendOnly):
    """One act. `verb` is in the past tense; `details` is canonical JSON; without an event it is the site's own."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, null=True, related_name="audit")
    seq = models.PositiveIntegerField()
    verb = models.CharField(max_length=60)
    details = models.TextField()
    by = models.CharField(max_length=36)
    at = models.DateTimeField()
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["event", "seq"], name="one_audit_row_a_seq"),
            models.UniqueConstraint(fields=["seq"], condition=models.Q(event=None), name="one_site_audit_row_a_seq"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.verb}"

    def content(self) -> dict[str, Any]:
        """Return what the row's hash is taken over."""
        return {"seq": self.seq, "verb": self.verb, "details": self.details, "by": self.by, "at": moment(self.at)}
