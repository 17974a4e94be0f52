"""The penalty register, referee calls and the drill of a crew. A cancelled penalty stays, marked."""

from django.db import models

from tournament.core.limits import MAX_CLAUSE, MAX_REASON
from tournament.core.models import RefereeDecision


class PenaltyKind(models.TextChoices):
    """The kind of a penalty."""

    WARNING = "warning"
    POINTS = "points"
    DEAD_HAND = "dead_hand"
    CHOMBO = "chombo"
    OTHER = "other"


class Penalty(RefereeDecision):
    """A penalty: points off a player's tournament total, after uma, a warning, a dead hand, a chombo.

    Places at a table never change. `foul` and `case` are keys of the event's catalogue, "" for none. `table` with `seq`
    is the hand: the first valid one at or after that ledger row. A chombo is itself that hand and costs what the ledger
    says; its `points` are the rest, which may be negative. A chombo that was only typed as a hand has no row here.
    `minutes` are those of being late, 0 if that is not known.

    `player` is whose seat it is. With a `substitution` that stands the substitute did it, and the player pays nothing,
    unless it was charged to the player by `charged_by`.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="penalties")
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="penalties")
    round = models.ForeignKey("tournament.Round", on_delete=models.PROTECT, null=True, related_name="penalties")
    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, null=True, related_name="penalties")
    seq = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=12, choices=PenaltyKind.choices, default=PenaltyKind.POINTS)
    foul = models.CharField(max_length=60, blank=True)
    case = models.CharField(max_length=60, blank=True)
    substitution = models.ForeignKey(
        "tournament.Substitution", on_delete=models.PROTECT, null=True, related_name="penalties"
    )
    charged_by = models.CharField(max_length=36, blank=True)
    charged_at = models.DateTimeField(null=True)
    charge_reason = models.CharField(max_length=MAX_REASON, blank=True)
    points = models.IntegerField()
    minutes = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=MAX_REASON)
    amount_reason = models.CharField(max_length=MAX_REASON, blank=True)
    clause = models.CharField(max_length=MAX_CLAUSE, blank=True)

    def __str__(self) -> str:
        return f"{self.points} points for {self.player}"
