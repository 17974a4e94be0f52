"""Who is at the desk, and on which page."""

from django.conf import settings
from django.db import models


class DeskPresence(models.Model):
    """A page of the desk that an account has open; `tab` is a random number of the page.

    `place` names the page: "table" with round and table, else a part of its address ("seating", "release").
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="presences")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="presences")
    tab = models.CharField(max_length=32)
    place = models.CharField(max_length=20)
    round = models.PositiveSmallIntegerField(default=0)
    table = models.PositiveSmallIntegerField(default=0)
    typing = models.BooleanField(default=False)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "account", "tab"], name="one_presence_a_tab")]

    def __str__(self) -> str:
        return f"{self.account} at {self.place}"
