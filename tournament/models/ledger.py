"""Rows that are written once: ledger, paper sheets, audit trail. The model refuses a change; so does a trigger."""

from typing import Any, NoReturn

from django.db import models

from tournament.hash_chain import moment
from tournament.models.event import SheetNumbers


class AppendOnlyError(RuntimeError):
    """Somebody tried to change or delete a row that is written once."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """A queryset that inserts and reads."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} rows are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} rows are never deleted")


class AppendOnly(models.Model):
    """A row that can be inserted and read, nothing else."""

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raises AppendOnlyError if it is there already."""
        if not self._state.adding:
            raise AppendOnlyError(f"{type(self).__name__} rows are never changed")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise AppendOnlyError(f"{type(self).__name__} rows are never deleted")


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
