"""Rounds, tables, seats, and the append-only ledger of hands, where model and trigger refuse a change."""

from typing import Any, Literal

from django.db import models

from rules.ruleset import Ruleset
from tournament.core.limits import MAX_LEDGER_REASON
from tournament.core.models import AppendOnly
from tournament.events.models import Event

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

    def rules_in(self, event: Event) -> Ruleset:
        """Return the table's rules by its event as it is now; one query where the event has a second rule set."""
        return event.rules_for(self.seats.count()) if event.second_rules else event.ruleset


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


class LedgerEntry(AppendOnly):
    """One row of a table's ledger.

    `payload` is an entry's canonical JSON, or empty where a hand is void. `supersedes` is the `seq` of the hand's first
    row; a row without it is a new hand. `by` is an account's uid, `judge` the version of the judge that took the row
    (`scoring.check.JUDGE`), 0 from before that was noted.
    """

    hashed = ("seq", "payload", "supersedes", "client_id", "reason", "by", "at")

    table = models.ForeignKey("tournament.Table", on_delete=models.PROTECT, related_name="ledger")
    seq = models.PositiveIntegerField()
    payload = models.TextField(blank=True)
    supersedes = models.PositiveIntegerField(null=True)
    client_id = models.UUIDField(unique=True)
    reason = models.CharField(max_length=MAX_LEDGER_REASON, blank=True)
    by = models.CharField(max_length=36)
    at = models.DateTimeField()
    judge = models.PositiveSmallIntegerField(default=0)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_entry_a_seq")]

    def __str__(self) -> str:
        return f"{self.table} entry {self.seq}"

    def content(self) -> dict[str, Any]:
        """Return the hashed columns, with the judge where it is known."""
        return super().content() | ({"judge": self.judge} if self.judge else {})
