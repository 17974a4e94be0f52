"""People and their places in events. A name shown anywhere comes from here, so that it can be replaced everywhere."""

from django.db import models
from django.db.models.functions import Length

models.CharField.register_lookup(Length)


class Person(models.Model):
    """A human being: the name to be called by, the legal name only if given, the EMA number as eight digits of text.

    At `forgotten_at` all of that was taken away, and the name is a stand-in with a number.
    """

    preferred_name = models.CharField(max_length=60)
    legal_name = models.CharField(max_length=120, blank=True)
    ema_number = models.CharField(max_length=8, blank=True)
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=80, blank=True)
    forgotten_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ema_number="") | models.Q(ema_number__length=8), name="ema_number_has_8_digits"
            )
        ]

    def __str__(self) -> str:
        return self.preferred_name


class Player(models.Model):
    """A person in an event, with the number that the draw uses.

    Who is not checked in is a player all the same: the tick says who is in the hall, and moves nobody. Who is not
    `ranked`, such as a house player, plays and is scored as any, and has no place in the standings. `team` is the name
    of a team of this event, empty for none. Who is not `shown_by_name` has a stand-in wherever everybody may look: see
    `tournament.selectors.core.shown_names`.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="players")
    number = models.PositiveSmallIntegerField()
    withdrawn_at = models.DateTimeField(null=True)
    checked_in_at = models.DateTimeField(null=True)
    ranked = models.BooleanField(default=True)
    team = models.CharField(max_length=80, blank=True)
    shown_by_name = models.BooleanField(default=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_player_a_number")]

    def __str__(self) -> str:
        return f"{self.number} {self.person}"
