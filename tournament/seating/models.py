"""Drafts of a draw."""

from django.db import models


class DraftState(models.TextChoices):
    """The state of a search; one whose process died stays "searching" with an old `seen_at`."""

    SEARCHING = "searching"
    DONE = "done"
    STOPPED = "stopped"  # "good enough": ended by hand with its best result
    FAILED = "failed"


class DrawDraft(models.Model):
    """One search for a draw. Numbers of `rounds` and `resting` are player numbers of the event.

    `asked` is `draws.wishes.Asked` as JSON, `way` how an uneven field is seated, `substitutes` how many are needed.
    `share` is the progress in thousandths, `best` pairs of wish and its misses so far. `attempt` counts searches, so
    that one of an earlier attempt writes nothing.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="drafts")
    seed = models.PositiveIntegerField()
    asked = models.JSONField(default=dict)
    way = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=DraftState, default=DraftState.SEARCHING)
    attempt = models.PositiveSmallIntegerField(default=1)
    share = models.PositiveSmallIntegerField(default=0)
    best = models.JSONField(default=list)
    stop_asked = models.BooleanField(default=False)
    problem = models.JSONField(default=dict)
    rounds = models.JSONField(default=list)
    resting = models.JSONField(default=list)
    substitutes = models.PositiveSmallIntegerField(default=0)
    report = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event} draft from seed {self.seed}"
