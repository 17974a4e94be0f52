"""The practice of a crew, and its results."""

from django.db import models


class CrewDrill(models.Model):
    """A drill for the table crews of an event: by its link people answer the same questions until `ends_at`.

    `rules` and `foul_amounts` are the event's when it was made: a later change leaves questions and keys as they are.
    Files of the event leave it out.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="drills")
    token = models.CharField(max_length=32, unique=True)
    seed = models.PositiveIntegerField()
    count = models.PositiveSmallIntegerField()
    kinds = models.JSONField()
    rules = models.JSONField()
    foul_amounts = models.JSONField(default=dict)
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"drill {self.seed} of {self.event}"  # never its token, which lets people in


class CrewResult(models.Model):
    """What one person answered: the name as typed, and a letter for each question, "-" for none."""

    drill = models.ForeignKey(CrewDrill, on_delete=models.CASCADE, related_name="results")
    client_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=40)
    answers = models.CharField(max_length=60)
    sent_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.answers}"
