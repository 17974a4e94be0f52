"""The ledger: what was entered at a table, in order, for good; a correction is a row that supersedes a hand."""

from typing import Any

from django.db import models

from tournament.hash_chain import moment
from tournament.models.append_only import AppendOnly


class LedgerEntry(AppendOnly):
    """One row of a table's ledger.

    `payload` is an entry's canonical JSON, or empty where a hand is void. `supersedes` is the `seq` of the hand's first
    row; a row without it is a new hand. `by` is an account's uid.
    """

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="ledger")
    seq = models.PositiveIntegerField()
    payload = models.TextField(blank=True)
    supersedes = models.PositiveIntegerField(null=True)
    client_id = models.UUIDField(unique=True)
    reason = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_entry_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} entry {self.seq}"

    def content(self) -> dict[str, Any]:
        """Return what the row's hash is taken over."""
        return {
            "seq": self.seq,
            "payload": self.payload,
            "supersedes": self.supersedes,
            "client_id": str(self.client_id),
            "reason": self.reason,
            "by": self.by,
            "at": moment(self.at),
        }
