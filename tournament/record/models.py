"""The signed heads of an event's record."""

from django.db import models

from tournament.core.hash_chain import canonical, moment
from tournament.core.models import AppendOnly


class RecordHead(AppendOnly):
    """The root over the first `size` rows of an event's trail, signed; `round` is the one released then, 0 for none."""

    event = models.ForeignKey("tournament.Event", on_delete=models.PROTECT, related_name="heads")
    size = models.PositiveIntegerField()
    root = models.CharField(max_length=64)
    round = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField()
    public_key = models.CharField(max_length=64)
    signature = models.CharField(max_length=128)

    class Meta:
        ordering = ["size"]
        constraints = [models.UniqueConstraint(fields=["event", "size"], name="one_head_a_size")]

    def __str__(self) -> str:
        return f"{self.event} after {self.size} acts"

    @property
    def statement(self) -> str:
        """The text that is signed."""
        of_head = {"event": self.event.slug, "size": self.size, "root": self.root, "round": self.round}
        return canonical({**of_head, "at": moment(self.at)})
