"""Who is at the desk just now, and where: one row for every open page that is looked at. It says nothing of the event.

It is no part of the record: rows are overwritten and thrown away, raise no version, are not audited (where somebody
looked is nobody's business afterwards) and are in no file of the event.
"""

from django.conf import settings
from django.db import models


class DeskPresence(models.Model):
    """An account looks at a page of an event; `tab` is a number that the page drew for itself.

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
