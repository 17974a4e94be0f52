"""Rounds, tables and who sits where. Seats that are published never move by themselves."""

from typing import Literal

from django.db import models

RoundState = Literal["drawn", "published", "running", "released"]


class Round(models.Model):
    """One round of an event; its state follows from what has happened to it.

    `start_taken_back` is the start of a clock that was stopped, so that it can be put back.
    `drawn` says how its seats came about where that was after the start: "by" what, from which "seed", and how.
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
        """How far the round has come."""
        if self.released_at:
            return "released"
        if self.started_at:
            return "running"
        return "published" if self.published_at else "drawn"


class Table(models.Model):
    """One table in one round; its ledger and its sheets hang on it. It is ready when its players sit and have built."""

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
        """The name of this table's hash chain: event, round and table as they stand in an address."""
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
