"""Referee calls: a table asked, somebody came, and this was the ruling. A call is never taken away."""

from django.db import models


class RefereeCall(models.Model):
    """A table called a referee; the round is the table's.

    `seq` ties the call to the hand: the first one that stands at or after that row of the table's ledger. `minutes` are
    what the ruling gives the table beyond the clock. A call that is closed without a ruling needed none.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="calls")
    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="calls")
    seq = models.PositiveIntegerField()
    client_id = models.UUIDField(unique=True)
    question = models.CharField(max_length=300, blank=True)
    called_by = models.CharField(max_length=36)
    called_at = models.DateTimeField()
    answered_by = models.CharField(max_length=36, blank=True)
    answered_at = models.DateTimeField(null=True)
    ruling = models.CharField(max_length=500, blank=True)
    clause = models.CharField(max_length=60, blank=True)
    minutes = models.PositiveSmallIntegerField(default=0)
    closed_by = models.CharField(max_length=36, blank=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(closed_at=None) | models.Q(answered_at__isnull=False), name="closed_call_is_answered"
            )
        ]

    def __str__(self) -> str:
        return f"call at {self.table}"
