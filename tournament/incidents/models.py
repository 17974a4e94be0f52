"""Substitutes and disqualifications."""

from django.db import models

from tournament.core.limits import MAX_CLAUSE, MAX_NAME, MAX_REASON
from tournament.core.models import RefereeDecision


class SubstituteWhen(models.TextChoices):
    """When a substitute came in: before the first hand, or during the game."""

    BEFORE = "before"
    DURING = "during"


class Substitution(RefereeDecision):
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
    name = models.CharField(max_length=MAX_NAME, blank=True)
    when = models.CharField(max_length=6, choices=SubstituteWhen.choices)
    seq = models.PositiveIntegerField(null=True)
    answers = models.BooleanField(default=False)
    reason = models.CharField(max_length=MAX_REASON)

    class Meta(RefereeDecision.Meta):
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


class Disqualification(RefereeDecision):
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
    reason = models.CharField(max_length=MAX_REASON)
    clause = models.CharField(max_length=MAX_CLAUSE, blank=True)
    shown = models.CharField(max_length=7, choices=Shown.choices, default=Shown.NOTHING)
    was_ranked = models.BooleanField()
    was_withdrawn = models.BooleanField()

    class Meta(RefereeDecision.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(cancelled_at=None), name="one_disqualification_a_player"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} disqualified"
