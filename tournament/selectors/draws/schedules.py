"""What a schedule made elsewhere is read against, and where the seats of an event came from if from a file."""

import json
from dataclasses import dataclass
from datetime import datetime

from tournament.draws.plan import read_drawn
from tournament.imports.people import Entrant
from tournament.models import Event

_SEATING_VERBS = ("schedule_taken", "seats_drawn", "draw_discarded", "results_imported")


@dataclass(frozen=True, slots=True)
class TakenSchedule:
    """The file that an event's seats were taken from, as its audit row has it."""

    filename: str
    digest: str
    at: datetime


def list_entrants(event: Event) -> list[Entrant]:
    """List the players that a schedule has to seat, and those who have left, by number; one query.

    Substitutes that an unpublished draw brought are left out: they go when it goes.
    """
    drawn = read_drawn(event.drawn)
    rows = event.players.exclude(number__in=drawn.substitutes if drawn else ()).order_by("number")
    return [
        Entrant(number, name, left is not None)
        for number, name, left in rows.values_list("number", "person__preferred_name", "withdrawn_at")
    ]


def get_player_ids(event: Event) -> dict[int, int]:
    """Return the primary key of each player by number; one query."""
    return dict(event.players.values_list("number", "pk"))


def get_taken_schedule(event: Event) -> TakenSchedule | None:
    """Return the file that the seats were taken from, None where they were drawn here; at most two queries."""
    if event.seed is not None or not event.rounds.exists():
        return None
    row = event.audit.filter(verb__in=_SEATING_VERBS).order_by("-seq").first()
    if row is None or row.verb != "schedule_taken":
        return None
    details = json.loads(row.details)
    return TakenSchedule(details["file"], details["digest"], row.at)
