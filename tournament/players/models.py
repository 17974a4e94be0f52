"""People, players, substitutions, and presence at the desk."""

from django.db import models
from django.db.models.functions import Length

from tournament.core.limits import MAX_CLUB, MAX_LEGAL_NAME, MAX_NAME, MAX_TEAM

models.CharField.register_lookup(Length)


class Person(models.Model):
    """A human being: preferred name, legal name if given, EMA number as eight digits of text.

    Each event has rows of its own; those of one human being have the same `known` person. At `forgotten_at` all of that
    was erased, and the name became a stand-in with a number. `salt` is that of the digests in trails: without it nobody
    can guess what they are of, so it is erased, too.
    """

    preferred_name = models.CharField(max_length=MAX_NAME)
    legal_name = models.CharField(max_length=MAX_LEGAL_NAME, blank=True)
    ema_number = models.CharField(max_length=8, blank=True)
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=MAX_CLUB, blank=True)
    forgotten_at = models.DateTimeField(null=True)
    salt = models.CharField(max_length=32, blank=True, default="")
    known = models.ForeignKey(
        "tournament.KnownPerson", null=True, blank=True, on_delete=models.SET_NULL, related_name="people"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ema_number="") | models.Q(ema_number__length=8), name="ema_number_has_8_digits"
            )
        ]

    def __str__(self) -> str:
        return self.preferred_name


UNGUARDED = models.Q(minor=True) & (models.Q(guardian="") | models.Q(guardian_consent_on=None))
"""A minor for whom no guardian has agreed: neither shown by name nor filmed."""


class Player(models.Model):
    """A person in an event, with the number that the draw uses.

    `checked_in_at` notes presence in the hall: it moves nobody, and a sheet asks once about who is not here. A player
    who is not `ranked`, such as a house player, is scored but has no place in the standings. `team` is "" for none.
    Without `shown_by_name` public pages show a stand-in: see `tournament.publication.names`. Of a minor it is noted
    which guardian agreed, and when.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="players")
    number = models.PositiveSmallIntegerField()
    withdrawn_at = models.DateTimeField(null=True)
    checked_in_at = models.DateTimeField(null=True)
    ranked = models.BooleanField(default=True)
    team = models.CharField(max_length=MAX_TEAM, blank=True)
    shown_by_name = models.BooleanField(default=True)
    filmed = models.BooleanField(default=True)
    minor = models.BooleanField(default=False)
    guardian = models.CharField(max_length=MAX_NAME, blank=True)
    guardian_consent_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_player_a_number"),
            models.CheckConstraint(
                condition=~UNGUARDED | models.Q(shown_by_name=False, filmed=False), name="minor_is_hidden"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.person}"
