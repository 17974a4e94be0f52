"""Rows that are only appended, and the audit trail."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn

from django.db import models

from tournament.core.hash_chain import checksum, moment
from tournament.core.limits import MAX_REASON

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


class Cancellable(models.Model):
    """A decision that is taken back by a mark on its row, which stays; `client_id` lets it be sent twice."""

    client_id = models.UUIDField(unique=True)
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=MAX_REASON, blank=True)

    class Meta:
        abstract = True


class RefereeDecision(Cancellable):
    """A decision of a referee about a player or a table; they are in the order in which they were given."""

    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ["given_at", "pk"]


class AuditRow(AppendOnly):
    """One act. `verb` is in the past tense; `details` is canonical JSON; without an event it is the site's own.

    `state` is canonical JSON of the rows that the act left changed: digests by key, null for a row that is gone (see
    `core.sealed_rows`). With a `salt` the hash covers act and person by a digest, so that the rest can be shown.
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
