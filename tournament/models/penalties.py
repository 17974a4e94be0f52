"""The penalty register: dated, with amount, reason and giver. A cancelled one stays, marked."""

from django.db import models


class Penalty(models.Model):
    """Points off a player's tournament total, after uma; they never move a place at the table.

    Chombo are not here: they stand in a table's ledger and are counted from it.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="penalties")
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="penalties")
    round = models.ForeignKey("tournament.Round", on_delete=models.PROTECT, null=True, related_name="penalties")
    client_id = models.UUIDField(unique=True)
    points = models.PositiveIntegerField()
    reason = models.CharField(max_length=300)
    clause = models.CharField(max_length=60, blank=True)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]

    def __str__(self) -> str:
        return f"{self.points} points for {self.player}"
