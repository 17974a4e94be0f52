"""Short ways to play rounds with substitutes in a test and to look at what came of it. Nothing is judged here."""

import json
from typing import Any
from uuid import uuid4

from scoring.entries import Totals
from scoring.placement import When
from tests.factories import enter, make_event, round_of, sign, table_of, writer_of
from tournament.archive.queries import get_event_file
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.incidents.models import Substitution
from tournament.players.models import Player
from tournament.rounds.actions import release_round
from tournament.standings.queries import read_standings
from tournament.tables.models import Table
from tournament.tables.queries import load_tables

FOUR = (45_000, 35_000, 25_000, 15_000)  # all start and return with 30,000: +15, +5, -5, -15 before uma


def played(key: str, *scores: tuple[int, ...], slug: str = "cup") -> Event:
    """Return an event of one table whose rounds, all released, ended with these scores by player 1, 2, 3…"""
    event = make_event(key, slug=slug, tables=1, rounds=len(scores))
    for number, by_player in enumerate(scores, start=1):
        table = table_of(event, 1, round_=number)
        seats = table.seats.order_by("seat").values_list("player__number", flat=True)
        enter(table, Totals(scores=tuple(by_player[player - 1] for player in seats), leftover=0))
        sign(table)
        release_round(round_=round_of(event, number), by=writer_of(event))
    event.refresh_from_db()
    return event


def replace(event: Event, number: int, when: When, *, round_: int = 1, **fields: Any) -> Substitution:
    """Put a substitute in for a player."""
    wanted = {"reason": "fell ill", "name": "Kay Fir", **fields}
    return put_substitute_in(
        table=table_at(event, number, round_),
        player=player(event, number),
        replacement=Replacement(when=when, **wanted),
        client_id=uuid4(),
        by=writer_of(event),
    )[0]


def player(event: Event, number: int) -> Player:
    return event.players.select_related("event").get(number=number)


def table_at(event: Event, number: int, round_: int = 1) -> Table:
    """Return the table where a player sits in a round."""
    return Table.objects.select_related("round__event").get(
        round__event=event, round__number=round_, seats__player__number=number
    )


def results(event: Event, round_: int = 1) -> dict[int, int]:
    """Return the counted results of a round by player."""
    (table,) = load_tables(event, rounds=[round_])
    return dict(sorted((game.player.number, game.result) for game in table.seat_games))


def totals(event: Event) -> dict[int, tuple[int, int]]:
    """Return rank and total of each player in the standings."""
    return dict(sorted((row.number, (row.rank, row.total)) for row in read_standings(event).rows))


def export(event: Event) -> dict[str, Any]:
    """Return the event's file without what says what was done: the register of substitutes, the trail, the version."""
    content: dict[str, Any] = json.loads(get_event_file(event))["content"]
    del content["substitutions"], content["audit"], content["heads"], content["event"]["version"]
    return content
