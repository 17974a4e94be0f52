"""When the rounds of an event start: as planned, and as they did. Nothing here is a secret; seats are elsewhere."""

import datetime as dt
from dataclasses import dataclass

from tournament.models import Event


@dataclass(frozen=True, slots=True)
class RoundTime:
    """A round's start, planned and real, and when it is over by the rules; None where that is not known."""

    number: int
    planned: dt.datetime | None
    started_at: dt.datetime | None
    minutes: int

    @property
    def starts(self) -> dt.datetime | None:
        """When it starts: what has happened, else what is planned."""
        return self.started_at or self.planned


def list_round_times(event: Event) -> list[RoundTime]:
    """List every round, drawn or only planned, with its start; one query."""
    started = dict(event.rounds.values_list("number", "started_at"))
    rounds = max(event.rounds_planned, *started, 0)
    planned = [dt.datetime.fromisoformat(text) if text else None for text in event.timetable]
    planned += [None] * (rounds - len(planned))
    minutes = event.ruleset.minutes
    return [RoundTime(number, planned[number - 1], started.get(number), minutes) for number in range(1, rounds + 1)]


def planned_start(event: Event, round_: int) -> dt.datetime | None:
    """Return when a round is to start; no query."""
    text = event.timetable[round_ - 1] if 0 < round_ <= len(event.timetable) else ""
    return dt.datetime.fromisoformat(text) if text else None
