"""Cuts: who plays on after a round, and with which points."""

from django.db import models

from tournament.core.models import Cancellable


class CutCarry(models.TextChoices):
    """The points that players through a cut carry over."""

    WHOLE = "whole"
    HALVED = "halved"
    CLEARED = "cleared"


class CutOthers(models.TextChoices):
    """What players do who are not through a cut."""

    PLAY_ON = "play_on"
    STOP = "stop"


class Cut(Cancellable):
    """A cut after a round. `through` are the player numbers of those who go on, best first.

    They are a decision, and stay when a hand of an earlier round is corrected.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="cuts")
    after_round = models.PositiveSmallIntegerField()
    through = models.JSONField()
    carry = models.CharField(max_length=7, choices=CutCarry)
    others = models.CharField(max_length=7, choices=CutOthers)
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["after_round", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "after_round"], condition=models.Q(cancelled_at=None), name="one_cut_after_a_round"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} cut to {len(self.through)} after round {self.after_round}"
