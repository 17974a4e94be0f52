"""The penalty register, referee calls and the drill of a crew. A cancelled penalty stays, marked."""

from django.db import models

from tournament.core.limits import MOST_CLAUSE, MOST_REASON


class PenaltyKind(models.TextChoices):
    """The kind of a penalty."""

    WARNING = "warning"
    POINTS = "points"
    DEAD_HAND = "dead_hand"
    CHOMBO = "chombo"
    OTHER = "other"


class Penalty(models.Model):
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
    client_id = models.UUIDField(unique=True)
    kind = models.CharField(max_length=12, choices=PenaltyKind.choices, default=PenaltyKind.POINTS)
    foul = models.CharField(max_length=60, blank=True)
    case = models.CharField(max_length=60, blank=True)
    substitution = models.ForeignKey(
        "tournament.Substitution", on_delete=models.PROTECT, null=True, related_name="penalties"
    )
    charged_by = models.CharField(max_length=36, blank=True)
    charged_at = models.DateTimeField(null=True)
    charge_reason = models.CharField(max_length=MOST_REASON, blank=True)
    points = models.IntegerField()
    minutes = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=MOST_REASON)
    amount_reason = models.CharField(max_length=MOST_REASON, blank=True)
    clause = models.CharField(max_length=MOST_CLAUSE, blank=True)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=MOST_REASON, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]

    def __str__(self) -> str:
        return f"{self.points} points for {self.player}"


class CallKind(models.TextChoices):
    """A call to a table, where somebody waits, or a complaint afterwards, where nobody does."""

    CALL = "call"
    COMPLAINT = "complaint"


class RefereeCall(models.Model):
    """A table's call for a referee, or a complaint about a game that was played there.

    `seq` ties it to the first valid hand at or after that ledger row, None (of a complaint) to the whole game. `player`
    is who complained, None for somebody else. `minutes` are given beyond the clock. A call closed without a ruling
    needed none; a complaint is closed by its ruling.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="calls")
    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="calls")
    kind = models.CharField(max_length=12, choices=CallKind.choices, default=CallKind.CALL)
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, null=True, related_name="complaints")
    seq = models.PositiveIntegerField(null=True)
    client_id = models.UUIDField(unique=True)
    question = models.CharField(max_length=1000, blank=True)
    called_by = models.CharField(max_length=36)
    called_at = models.DateTimeField()
    answered_by = models.CharField(max_length=36, blank=True)
    answered_at = models.DateTimeField(null=True)
    ruling = models.CharField(max_length=1000, blank=True)
    clause = models.CharField(max_length=MOST_CLAUSE, blank=True)
    minutes = models.PositiveSmallIntegerField(default=0)
    closed_by = models.CharField(max_length=36, blank=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(closed_at=None) | models.Q(answered_at__isnull=False), name="closed_call_is_answered"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="complaint") | models.Q(seq__isnull=False, player=None),
                name="call_has_its_hand",
            ),
        ]

    def __str__(self) -> str:
        return f"call at {self.table}"


class CrewDrill(models.Model):
    """A drill for the table crews of an event: by its link people answer the same questions until `ends_at`.

    `rules` and `foul_amounts` are the event's when it was made: a later change leaves questions and keys as they are.
    Files of the event leave it out.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="drills")
    token = models.CharField(max_length=32, unique=True)
    seed = models.PositiveIntegerField()
    count = models.PositiveSmallIntegerField()
    kinds = models.JSONField()
    rules = models.JSONField()
    foul_amounts = models.JSONField(default=dict)
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"drill {self.seed} of {self.event}"  # never its token, which lets people in


class CrewResult(models.Model):
    """What one person answered: the name as typed, and a letter for each question, "-" for none."""

    drill = models.ForeignKey(CrewDrill, on_delete=models.CASCADE, related_name="results")
    client_id = models.UUIDField(unique=True)
    name = models.CharField(max_length=40)
    answers = models.CharField(max_length=60)
    sent_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.answers}"
