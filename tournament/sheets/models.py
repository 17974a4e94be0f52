"""Totals typed from paper, and the checks of a second person."""

from django.db import models

from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.models import AppendOnly
from tournament.events.models import SheetNumbers


class SheetRow(AppendOnly):
    """A table was signed with these totals, or reopened; the last row of a table is its present state.

    `totals` are final scores by seat in points, `leftover` the points left on the table, `ledger_hash` the hash of the
    last entry signed for.
    """

    hashed = ("seq", "signed", "totals", "leftover", "ledger_hash", "reason", "by", "at")

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="sheets")
    seq = models.PositiveIntegerField()
    signed = models.BooleanField()
    totals = models.JSONField(default=list)
    leftover = models.IntegerField(default=0)
    ledger_hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=MAX_LEDGER_REASON, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_sheet_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} {'signed' if self.signed else 'reopened'}"


class SheetCheck(AppendOnly):
    """A check of a sheet by another person than its signer: confirmed, or sent back with a reason."""

    sheet = models.OneToOneField(SheetRow, on_delete=models.PROTECT, related_name="checked")
    confirmed = models.BooleanField()
    reason = models.CharField(max_length=MAX_LEDGER_REASON, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.sheet} {'confirmed' if self.confirmed else 'sent back'}"


class TypedSheet(AppendOnly):
    """A table's sheet as one person typed it; only the ledger counts.

    `counts` are the paper's numbers by seat in points, as `numbers` says ("totals" or "differences"), `loans` those of
    each player, `leftover` the riichi sticks on the table. `players` are the numbers of the seated and `ledger_seq` the
    table's newest row then: once either differs, the sheet no longer waits for a second reading.
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
    reason = models.CharField(max_length=MAX_LEDGER_REASON, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_typed_sheet_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} typed"
