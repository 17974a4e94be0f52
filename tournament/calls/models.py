"""Calls for a referee, complaints and rulings."""

from django.db import models

from tournament.core.limits import MAX_CLAUSE


class CallKind(models.TextChoices):
    """A call to a table, where somebody waits, or a complaint afterwards, where nobody does."""

    CALL = "call"
    COMPLAINT = "complaint"


class RefereeCall(models.Model):
    """A table's call for a referee, or a complaint about a game that was played there.

    `seq` ties it to the first valid hand at or after that ledger row, None (of a complaint) to the whole game. `player`
    is who complained, None for somebody else. `minutes` are given beyond the clock. A call closed without a ruling
    needed none; a complaint is closed by its ruling.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="calls")
    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="calls")
    kind = models.CharField(max_length=12, choices=CallKind.choices, default=CallKind.CALL)
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, null=True, related_name="complaints")
    seq = models.PositiveIntegerField(null=True)
    client_id = models.UUIDField(unique=True)
    question = models.CharField(max_length=1000, blank=True)
    called_by = models.CharField(max_length=36)
    called_at = models.DateTimeField()
    answered_by = models.CharField(max_length=36, blank=True)
    answered_at = models.DateTimeField(null=True)
    ruling = models.CharField(max_length=1000, blank=True)
    clause = models.CharField(max_length=MAX_CLAUSE, blank=True)
    minutes = models.PositiveSmallIntegerField(default=0)
    closed_by = models.CharField(max_length=36, blank=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(closed_at=None) | models.Q(answered_at__isnull=False), name="closed_call_is_answered"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="complaint") | models.Q(seq__isnull=False, player=None),
                name="call_has_its_hand",
            ),
        ]

    def __str__(self) -> str:
        return f"call at {self.table}"
