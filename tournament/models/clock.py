"""What moves a round's clock: pauses, and minutes given to single tables. When it signals follows from them."""

from django.db import models


class ClockPause(models.Model):
    """The clock of a round stood still for this reason; it still does while `resumed_at` is empty."""

    round = models.ForeignKey("tournament.Round", on_delete=models.CASCADE, related_name="pauses")
    reason = models.CharField(max_length=300)
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


class TableTime(models.Model):
    """Minutes that one table has beyond the clock of its round; taken back, the row stays, marked.

    What a referee's ruling gives stands in the call and counts beside these.
    """

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="times")
    client_id = models.UUIDField(unique=True)
    minutes = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=300)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]

    def __str__(self) -> str:
        return f"{self.minutes} minutes for {self.table}"
