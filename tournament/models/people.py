"""People, players, substitutions, and presence at the desk."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Length

from tournament.core.limits import MOST_CLAUSE, MOST_CLUB, MOST_LEGAL_NAME, MOST_NAME, MOST_REASON, MOST_TEAM


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


class SubstituteWhen(models.TextChoices):
    """When a substitute came in: before the first hand, or during the game."""

    BEFORE = "before"
    DURING = "during"


class Substitution(models.Model):
    """A substitute plays the seat of `player` at a table; seat and ledger stay the player's.

    The substitute is an unranked player of the event, a free `name`, or neither: an empty seat, which is counted too.
    `seq` is where a substitute came in during the game: the first valid hand at or after that ledger row. It is shown,
    and says who `answers` for a chombo; it changes no other figure. Substitutions from before the offender paid do not
    answer: what the event charged then stays charged.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="substitutions")
    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="substitutions")
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="replacements")
    substitute = models.ForeignKey(
        "tournament.Player", on_delete=models.PROTECT, null=True, related_name="substitutions"
    )
    name = models.CharField(max_length=MOST_NAME, blank=True)
    when = models.CharField(max_length=6, choices=SubstituteWhen.choices)
    seq = models.PositiveIntegerField(null=True)
    answers = models.BooleanField(default=False)
    reason = models.CharField(max_length=MOST_REASON)
    client_id = models.UUIDField(unique=True)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=MOST_REASON, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player"], condition=models.Q(cancelled_at=None), name="one_substitute_a_seat"
            ),
            models.CheckConstraint(
                condition=models.Q(substitute=None) | models.Q(name=""), name="substitute_has_one_name"
            ),
        ]

    def __str__(self) -> str:
        return f"somebody for {self.player} at {self.table}"


models.CharField.register_lookup(Length)


class Person(models.Model):
    """A human being: preferred name, legal name if given, EMA number as eight digits of text.

    At `forgotten_at` all of that was erased, and the name became a stand-in with a number. `salt` is
    that of the digests in trails: without it nobody can guess what they are of, so it is erased, too.
    """

    preferred_name = models.CharField(max_length=MOST_NAME)
    legal_name = models.CharField(max_length=MOST_LEGAL_NAME, blank=True)
    ema_number = models.CharField(max_length=8, blank=True)
    country = models.CharField(max_length=3, blank=True)
    club = models.CharField(max_length=MOST_CLUB, blank=True)
    forgotten_at = models.DateTimeField(null=True)
    salt = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ema_number="") | models.Q(ema_number__length=8), name="ema_number_has_8_digits"
            )
        ]

    def __str__(self) -> str:
        return self.preferred_name


class Disqualification(models.Model):
    """A player is out of the ranking from then on; games played stay. A cancelled one stays, marked.

    `was_ranked` and `was_withdrawn` are what the player is again when it is taken back. `shown` says what the public
    reads; an event's file takes it along as it is.
    """

    class Shown(models.TextChoices):
        """What the public reads: nothing, the name, the name with the reason."""

        NOTHING = "nothing"
        NAME = "name"
        REASON = "reason"

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="disqualifications")
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="disqualifications")
    after_round = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=MOST_REASON)
    clause = models.CharField(max_length=MOST_CLAUSE, blank=True)
    shown = models.CharField(max_length=7, choices=Shown.choices, default=Shown.NOTHING)
    was_ranked = models.BooleanField()
    was_withdrawn = models.BooleanField()
    client_id = models.UUIDField(unique=True)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=MOST_REASON, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(cancelled_at=None), name="one_disqualification_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} disqualified"


UNGUARDED = models.Q(minor=True) & (models.Q(guardian="") | models.Q(guardian_consent_on=None))
"""A minor for whom no guardian has agreed: neither shown by name nor filmed."""


class Player(models.Model):
    """A person in an event, with the number that the draw uses.

    `checked_in_at` only notes presence in the hall. A player who is not `ranked`, such as a house player, is scored
    but has no place in the standings. `team` is "" for none. Without `shown_by_name` public pages show a stand-in: see
    `tournament.publication.names_shown_names`. Of a minor it is noted which guardian agreed, and when.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="players")
    number = models.PositiveSmallIntegerField()
    withdrawn_at = models.DateTimeField(null=True)
    checked_in_at = models.DateTimeField(null=True)
    ranked = models.BooleanField(default=True)
    team = models.CharField(max_length=MOST_TEAM, blank=True)
    shown_by_name = models.BooleanField(default=True)
    filmed = models.BooleanField(default=True)
    minor = models.BooleanField(default=False)
    guardian = models.CharField(max_length=MOST_NAME, blank=True)
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
