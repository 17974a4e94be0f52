"""Who was replaced at a table, by whom and from when. One that was taken back stays, marked; no seat ever moves."""

from django.db import models


class SubstituteWhen(models.TextChoices):
    """When a substitute came in: before the first hand, or during the game."""

    BEFORE = "before"
    DURING = "during"


class Substitution(models.Model):
    """Somebody else plays the seat of `player` at a table; the seat, and the ledger, stay the player's.

    The substitute is a player of the event who is not ranked, or a free `name`, or nobody: then nobody could sit in,
    and the seat is counted all the same. `seq` is the ledger row at which a substitute came in during the game: the
    first hand that stands at or after it. It is shown and changes no figure.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="substitutions")
    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="substitutions")
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="replacements")
    substitute = models.ForeignKey(
        "tournament.Player", on_delete=models.PROTECT, null=True, related_name="substitutions"
    )
    name = models.CharField(max_length=60, blank=True)
    when = models.CharField(max_length=6, choices=SubstituteWhen.choices)
    seq = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=300)
    client_id = models.UUIDField(unique=True)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player"], condition=models.Q(cancelled_at=None), name="one_substitute_a_seat"
            ),
            models.CheckConstraint(
                condition=models.Q(substitute=None) | models.Q(name=""), name="substitute_has_one_name"
            ),
        ]

    def __str__(self) -> str:
        return f"somebody for {self.player} at {self.table}"
