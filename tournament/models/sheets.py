"""Paper sheets: typed as they are, signed as a balance assertion over the ledger, reopened, a second person's word."""

from typing import Any

from django.db import models

from tournament.hash_chain import moment
from tournament.models.append_only import AppendOnly
from tournament.models.event import SheetNumbers


class SheetRow(AppendOnly):
    """A table was signed with these totals, or reopened. The last row of a table says which it is now.

    `totals` are final scores by seat in points, `leftover` the points that still lay on the table. `ledger_hash` is the
    hash of the last entry that was signed for.
    """

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="sheets")
    seq = models.PositiveIntegerField()
    signed = models.BooleanField()
    totals = models.JSONField(default=list)
    leftover = models.IntegerField(default=0)
    ledger_hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_sheet_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} {'signed' if self.signed else 'reopened'}"

    def content(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return {
            "seq": self.seq,
            "signed": self.signed,
            "totals": self.totals,
            "leftover": self.leftover,
            "ledger_hash": self.ledger_hash,
            "reason": self.reason,
            "by": self.by,
            "at": moment(self.at),
        }


class SheetCheck(AppendOnly):
    """Another person than who signed a sheet has looked at it: confirmed it, or sent it back with a reason."""

    sheet = models.OneToOneField(SheetRow, on_delete=models.PROTECT, related_name="checked")
    confirmed = models.BooleanField()
    reason = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.sheet} {'confirmed' if self.confirmed else 'sent back'}"

    def content(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return {"confirmed": self.confirmed, "reason": self.reason, "by": self.by, "at": moment(self.at)}


class TypedSheet(AppendOnly):
    """A table's sheet as one person typed it; alone it counts nothing, the ledger does.

    `counts` is what stood on the paper by seat in points, as `numbers` says ("totals" or "differences"), `loans` what
    each player had borrowed, `leftover` the deposits on the table; `players` are the numbers of those who sat there and
    `ledger_seq` the table's newest row when it was typed: once either is another, the sheet waits for nobody any more.
    """

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="typed_sheets")
    seq = models.PositiveIntegerField()
    client_id = models.UUIDField(unique=True)
    numbers = models.CharField(max_length=12, choices=SheetNumbers.choices)
    counts = models.JSONField()
    loans = models.JSONField()
    leftover = models.IntegerField(default=0)
    players = models.JSONField()
    ledger_seq = models.PositiveIntegerField()
    reason = models.CharField(max_length=500, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_typed_sheet_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} typed"

    def content(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return {
            "seq": self.seq,
            "client_id": str(self.client_id),
            "numbers": self.numbers,
            "counts": self.counts,
            "loans": self.loans,
            "leftover": self.leftover,
            "players": self.players,
            "ledger_seq": self.ledger_seq,
            "reason": self.reason,
            "by": self.by,
            "at": moment(self.at),
        }
