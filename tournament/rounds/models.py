"""Pauses of the clock, and extra time of single tables."""

from django.db import models

from tournament.core.limits import MAX_REASON
from tournament.core.models import RefereeDecision


class ClockPause(models.Model):
    """A pause of a round's clock; still on while `resumed_at` is empty."""

    round = models.ForeignKey("tournament.Round", on_delete=models.CASCADE, related_name="pauses")
    reason = models.CharField(max_length=MAX_REASON)
    paused_by = models.CharField(max_length=36)
    paused_at = models.DateTimeField()
    resumed_by = models.CharField(max_length=36, blank=True)
    resumed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["paused_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round"], condition=models.Q(resumed_at=None), name="one_pause_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.round} paused: {self.reason}"


class TableTime(RefereeDecision):
    """Minutes of one table beyond the clock of its round; those of a referee's ruling are in the call."""

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="times")
    minutes = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=MAX_REASON)

    def __str__(self) -> str:
        return f"{self.minutes} minutes for {self.table}"
