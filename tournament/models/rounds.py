"""Rounds, tables and seats, with drafts of a draw, cuts, pauses of the clock and extra minutes."""

from typing import Literal

from django.db import models

from tournament.core.limits import MOST_REASON

RoundState = Literal["drawn", "published", "running", "released"]


class Round(models.Model):
    """One round of an event.

    `start_taken_back` is the start of a stopped clock, so that it can be put back. `drawn` is the origin of seats that
    were drawn after the event's start: "by" what, "seed", and more.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    published_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    start_taken_back = models.DateTimeField(null=True)
    released_at = models.DateTimeField(null=True)
    drawn = models.JSONField(default=dict)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_a_number")]

    def __str__(self) -> str:
        return f"{self.event} round {self.number}"

    @property
    def state(self) -> RoundState:
        """The state of the round."""
        if self.released_at:
            return "released"
        if self.started_at:
            return "running"
        return "published" if self.published_at else "drawn"


class Table(models.Model):
    """One table in one round, with its ledger and sheets; ready once its players sit and the walls are built."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    ready_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_table_a_number")]

    def __str__(self) -> str:
        return f"{self.round} table {self.number}"

    @property
    def chain(self) -> str:
        """The name of this table's hash chain: event, round and table as in its URL."""
        return f"{self.round.event.slug}/rounds/{self.round.number}/tables/{self.number}"


class Seat(models.Model):
    """A player in a seat, 0 for the first East. `round` repeats the table's, so that the database forbids two seats."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey("tournament.Player", on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="one_player_a_seat"),
            models.UniqueConstraint(fields=["round", "player"], name="one_seat_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.table} seat {self.seat + 1}"


class SeatCode(models.Model):
    """A code by which the player of one seat signs a finished game on a phone; only its hash is stored.

    The codes of a `batch` are made for the game as it is: `ledger_seq` and `sheet` are the `seq` of its last entry and
    its last sheet, 0 for none, and `player` is in that seat. They count while that holds and no newer batch is made: a
    hand corrected afterwards takes what was said back. `typed_by` is the account that gave the answer from its own
    session, "" for a phone that nobody is signed in on. Files of the event leave them out.
    """

    class Answer(models.TextChoices):
        """What the player said; nothing yet while it is empty."""

        YES = "yes"
        NO = "no"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="codes")
    batch = models.UUIDField()
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey("tournament.Player", on_delete=models.CASCADE, related_name="codes")
    code_hash = models.CharField(max_length=64, unique=True)
    ledger_seq = models.PositiveIntegerField()
    sheet = models.PositiveIntegerField()
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    answer = models.CharField(max_length=3, choices=Answer, blank=True)
    answered_at = models.DateTimeField(null=True)
    typed_by = models.CharField(max_length=36, blank=True, default="")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["batch", "seat"], name="one_code_a_seat")]

    def __str__(self) -> str:
        return f"code of {self.table} seat {self.seat + 1}"  # never the code, of which nothing is known


class ClockPause(models.Model):
    """A pause of a round's clock; still on while `resumed_at` is empty."""

    round = models.ForeignKey("tournament.Round", on_delete=models.CASCADE, related_name="pauses")
    reason = models.CharField(max_length=MOST_REASON)
    paused_by = models.CharField(max_length=36)
    paused_at = models.DateTimeField()
    resumed_by = models.CharField(max_length=36, blank=True)
    resumed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["paused_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round"], condition=models.Q(resumed_at=None), name="one_pause_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.round} paused: {self.reason}"


class TableTime(models.Model):
    """Minutes of one table beyond the clock of its round; those of a referee's ruling are in the call."""

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="times")
    client_id = models.UUIDField(unique=True)
    minutes = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=MOST_REASON)
    given_by = models.CharField(max_length=36)
    given_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=MOST_REASON, blank=True)

    class Meta:
        ordering = ["given_at", "pk"]

    def __str__(self) -> str:
        return f"{self.minutes} minutes for {self.table}"


class CutCarry(models.TextChoices):
    """The points that players through a cut carry over."""

    WHOLE = "whole"
    HALVED = "halved"
    CLEARED = "cleared"


class CutOthers(models.TextChoices):
    """What players do who are not through a cut."""

    PLAY_ON = "play_on"
    STOP = "stop"


class Cut(models.Model):
    """A cut after a round. `through` are the player numbers of those who go on, best first.

    They are a decision, and stay when a hand of an earlier round is corrected.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="cuts")
    after_round = models.PositiveSmallIntegerField()
    through = models.JSONField()
    carry = models.CharField(max_length=7, choices=CutCarry)
    others = models.CharField(max_length=7, choices=CutOthers)
    client_id = models.UUIDField(unique=True)
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    cancelled_by = models.CharField(max_length=36, blank=True)
    cancelled_at = models.DateTimeField(null=True)
    cancel_reason = models.CharField(max_length=MOST_REASON, blank=True)

    class Meta:
        ordering = ["after_round", "made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "after_round"], condition=models.Q(cancelled_at=None), name="one_cut_after_a_round"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} cut to {len(self.through)} after round {self.after_round}"


class DraftState(models.TextChoices):
    """The state of a search; one whose process died stays "searching" with an old `seen_at`."""

    SEARCHING = "searching"
    DONE = "done"
    STOPPED = "stopped"  # "good enough": ended by hand with its best result
    FAILED = "failed"


class DrawDraft(models.Model):
    """One search for a draw. Numbers of `rounds` and `resting` are player numbers of the event.

    `asked` is `draws.wishes.Asked` as JSON, `way` how an uneven field is seated, `substitutes` how many are needed.
    `share` is the progress in thousandths, `best` pairs of wish and its misses so far. `attempt` counts searches, so
    that one of an earlier attempt writes nothing.
    """

    event = models.ForeignKey("tournament.Event", on_delete=models.CASCADE, related_name="drafts")
    seed = models.PositiveIntegerField()
    asked = models.JSONField(default=dict)
    way = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=DraftState, default=DraftState.SEARCHING)
    attempt = models.PositiveSmallIntegerField(default=1)
    share = models.PositiveSmallIntegerField(default=0)
    best = models.JSONField(default=list)
    stop_asked = models.BooleanField(default=False)
    problem = models.JSONField(default=dict)
    rounds = models.JSONField(default=list)
    resting = models.JSONField(default=list)
    substitutes = models.PositiveSmallIntegerField(default=0)
    report = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    made_by = models.CharField(max_length=36)
    made_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event} draft from seed {self.seed}"
