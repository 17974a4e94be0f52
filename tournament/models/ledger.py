"""Append-only rows: ledger, paper sheets, audit trail. The model refuses a change, as does a trigger."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

from django.db import models

from tournament.core.hash_chain import canonical, checksum, moment
from tournament.core.limits import MOST_LEDGER_REASON
from tournament.models.event import SheetNumbers

AS_TEXT: Mapping[str, Callable[[Any], str]] = {"at": moment, "client_id": str}


class AppendOnlyError(RuntimeError):
    """An attempt to change or delete an append-only row."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """A queryset that only inserts and reads."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} rows are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} rows are never deleted")


class AppendOnly(models.Model):
    """A row that can only be inserted and read."""

    hashed: ClassVar[tuple[str, ...]] = ()
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

    def content(self) -> dict[str, Any]:
        """Return the `hashed` columns as plain values, the input of the row's hash."""
        values = {name: getattr(self, name) for name in self.hashed}
        # a value that is no moment, after a foreign hand in the database, must raise and not be hashed as it is
        return {name: AS_TEXT[name](value) if name in AS_TEXT else value for name, value in values.items()}


class AuditRow(AppendOnly):
    """One act. `verb` is in the past tense; `details` is canonical JSON; without an event it is the site's own.

    `state` is canonical JSON of the rows that the act left changed: digests by key, null for a row that is gone (see
    `tournament.core.sealed_rows`). With a `salt` the hash covers act and person by a digest, so that the rest can be shown.
    """

    hashed = ("seq", "verb", "details", "by", "at")

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, null=True, related_name="audit")
    seq = models.PositiveIntegerField()
    verb = models.CharField(max_length=60)
    details = models.TextField()
    by = models.CharField(max_length=36)
    at = models.DateTimeField()
    state = models.TextField(blank=True, default="")
    salt = models.CharField(max_length=32, blank=True, default="")
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
        """Return what the hash is taken over; act, details and person only as a salted digest."""
        if not self.salt:
            return super().content()
        private = checksum([self.salt, self.verb, self.details, self.by])
        return {"seq": self.seq, "at": moment(self.at), "state": self.state, "private": private}


class RecordHead(AppendOnly):
    """The root over the first `size` rows of an event's trail, signed; `round` is the one released then, 0 for none."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="heads")
    size = models.PositiveIntegerField()
    root = models.CharField(max_length=64)
    round = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()
    public_key = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)

    class Meta:
        ordering = ["size"]
        constraints = [models.UniqueConstraint(fields=["event", "size"], name="one_head_a_size")]

    def __str__(self) -> str:
        return f"{self.event} after {self.size} acts"

    @property
    def statement(self) -> str:
        """The text that is signed."""
        of_head = {"event": self.event.slug, "size": self.size, "root": self.root, "round": self.round}
        return canonical({**of_head, "at": moment(self.at)})


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
    reason = models.CharField(max_length=MOST_LEDGER_REASON, blank=True)
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
    reason = models.CharField(max_length=MOST_LEDGER_REASON, blank=True)
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
    reason = models.CharField(max_length=MOST_LEDGER_REASON, blank=True)
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
    row; a row without it is a new hand. `by` is an account's uid, `judge` the version of the judge that took the row
    (`scoring.check.JUDGE`), 0 from before that was noted.
    """

    hashed = ("seq", "payload", "supersedes", "client_id", "reason", "by", "at")

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="ledger")
    seq = models.PositiveIntegerField()
    payload = models.TextField(blank=True)
    supersedes = models.PositiveIntegerField(null=True)
    client_id = models.UUIDField(unique=True)
    reason = models.CharField(max_length=MOST_LEDGER_REASON, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()
    judge = models.PositiveSmallIntegerField(default=0)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_entry_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} entry {self.seq}"

    def content(self) -> dict[str, Any]:
        """Return the hashed columns, with the judge where it is known."""
        return super().content() | ({"judge": self.judge} if self.judge else {})
