"""The codes by which players sign a finished game on their phones."""

from django.db import models

from tournament.tables.models import Table


class SeatCode(models.Model):
    """A code by which the player of one seat signs a finished game on a phone; only its hash is stored.

    The codes of a `batch` are made for the game as it is: `ledger_seq` and `sheet` are the `seq` of its last entry and
    its last sheet, 0 for none, and `player` is in that seat. They count while that holds and no newer batch is made: a
    hand corrected afterwards takes what was said back. `typed_by` is the account that gave the answer from its own
    session, "" for a phone that nobody is signed in on. Files of the event leave them out.
    """

    class Answer(models.TextChoices):
        """What the player said; nothing yet while it is empty."""

        YES = "yes"
        NO = "no"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="codes")
    batch = models.UUIDField()
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="codes")
    code_hash = models.CharField(max_length=64, unique=True)
    ledger_seq = models.PositiveIntegerField()
    sheet = models.PositiveIntegerField()
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    answer = models.CharField(max_length=3, choices=Answer, blank=True)
    answered_at = models.DateTimeField(null=True)
    typed_by = models.CharField(max_length=36, blank=True, default="")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["batch", "seat"], name="one_code_a_seat")]

    def __str__(self) -> str:
        return f"code of {self.table} seat {self.seat + 1}"  # never the code, of which nothing is known
