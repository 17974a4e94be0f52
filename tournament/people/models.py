"""People over events: a lasting id for one human being, what else people call them, and pairs that are two people."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.core.limits import MAX_NAME


class KnownPerson(models.Model):
    """One human being over the events of this desk; `people` are the rows that single events have.

    `merged_into` is who it turned out to be, until that is undone. Without `agreed_at` there is no public page.
    """

    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    merged_into = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="merged")
    agreed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return str(self.uid)


MAX_ALIASES = 1000  # characters of all names of a kind, as a page takes them


class AliasKind(models.TextChoices):
    """What kind of name an alias is."""

    SPELLING = "spelling", _("Spellings")
    TENHOU = "tenhou", _("Names at Tenhou")
    MAHJONG_SOUL = "majsoul", _("Names at Mahjong Soul")


ONLINE = (AliasKind.TENHOU, AliasKind.MAHJONG_SOUL)  # of one account, so of one person


class Alias(models.Model):
    """Another name of a known person: a spelling, or the name at an online client. `key` is the folded text."""

    known = models.ForeignKey(KnownPerson, on_delete=models.CASCADE, related_name="aliases")
    kind = models.CharField(max_length=8, choices=AliasKind.choices)
    text = models.CharField(max_length=MAX_NAME)
    key = models.CharField(max_length=MAX_NAME)

    class Meta:
        ordering = ["kind", "text"]
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="one_person_an_alias")]

    def __str__(self) -> str:
        return self.text


class Namesakes(models.Model):
    """Two rows of people that somebody has said are two human beings: they are not proposed again."""

    one = models.ForeignKey("tournament.Person", on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey("tournament.Person", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="namesakes_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="namesakes_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} is not {self.other_id}"
