"""Short ways to give a foul in a test and to look at what came of it. Nothing is judged here."""

from typing import Any
from uuid import uuid4

from tests.factories import (
    last_seq,
    table_of,
    writer_of,
)
from tournament.events.models import Event
from tournament.penalties.actions import GivenFoul, give_foul
from tournament.penalties.queries import Offence, count_points, list_penalties
from tournament.tables.queries import load_tables


def give(event: Event, number: int = 2, *, at: int | None = 1, **told: Any) -> GivenFoul:
    """Give a foul to a player at a table of round 1 as somebody who has seen everything."""
    table = None if at is None else table_of(event, at)
    client_id = told.pop("client_id", None) or uuid4()
    seen = told.pop("expected_seq", last_seq(table) if table else 0)
    return give_foul(
        player=event.players.get(number=number),
        table=table,
        offence=Offence(**told),
        client_id=client_id,
        expected_seq=seen,
        by=writer_of(event),
    )


def points(event: Event) -> dict[int, int]:
    """Return what each player pays, those who pay nothing left out."""
    return {number: paid for number, paid in count_points(event, load_tables(event)).items() if paid}


def shown(event: Event) -> list[tuple[int, str, int, bool]]:
    return [(row.number, row.kind, row.points, row.cancelled) for row in list_penalties(event, load_tables(event))]


def verbs(event: Event) -> list[str]:
    return list(event.audit.values_list("verb", flat=True))
