"""The draw of an event: its tables round by round, its quality, and the players to be seated."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from tournament.core.prepared import Prepared
from tournament.imports.entrants_people import Entrant as ListedPlayer
from tournament.models.event import Event
from tournament.models.rounds import Round, Seat, Table
from tournament.publication.names_shown_names import name_of
from tournament.seating.plan_1 import Drawn, read_drawn
from tournament.seating.plan_report import DrawReport, report_on
from tournament.seating.plan_wishes import PLAIN, Entrant
from tournament.seating.search.draw_uneven import Way
from tournament.tables.rows import DrawOrigin, RoundRow, SeatedPlayer, TableRow


@dataclass(frozen=True, slots=True)
class Draw:
    """All rounds drawn; `drawn` says what from, None for seats made elsewhere or by an earlier desk."""

    seed: int | None
    rounds: tuple[RoundRow, ...]
    drawn: Drawn | None

    @property
    def numbers(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The rounds as tables of player numbers in seat order."""
        return tuple(
            tuple(tuple(player.number for player in table.seats) for table in row.tables) for row in self.rounds
        )


def get_draw(event: Event) -> Draw:
    """Return the draw of an event; two queries."""
    states = {row.pk: row for row in event.rounds.all()}
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    grouped: dict[int, dict[int, list[SeatedPlayer]]] = {pk: {} for pk in states}
    for round_, table, seat, number, name in found.values_list(
        "round_id", "table__number", "seat", "player__number", name_of("player__")
    ):
        grouped[round_].setdefault(table, []).append(SeatedPlayer(seat, number, name))
    rounds = tuple(
        RoundRow(
            states[pk].number,
            tuple(TableRow(number, tuple(seats)) for number, seats in tables.items()),
            *get_origin(event, states[pk]),
            states[pk].state,
        )
        for pk, tables in grouped.items()
    )
    return Draw(event.seed, rounds, read_drawn(event.drawn))


def get_origin(event: Event, round_: Round) -> tuple[int | None, DrawOrigin | None]:
    """Return the seed of a round and what else its seats were drawn from, as far as it is known; without a query."""
    if round_.drawn:
        seed = round_.drawn.get("seed")
        return (seed if isinstance(seed, int) else None), DrawOrigin(by=str(round_.drawn.get("by", "draw")))
    drawn = read_drawn(event.drawn)
    if drawn is None:
        return event.seed, None
    return event.seed, DrawOrigin(
        players=drawn.players,
        substitutes=len(drawn.substitutes),
        wishes=bool(drawn.asked.used),
        rests=drawn.way == Way.RESTS,
        ended_early=drawn.cut_short,
    )


def _ask_count(event: int, round_: int) -> QuerySet[Table, Any]:
    found = Table.objects.filter(round__event=event, round__number=round_).order_by().values("round")
    return found.annotate(count=Count("pk")).values_list("count")


_COUNT = Prepared(_ask_count)


def count_tables(event: Event, round_: int) -> int:
    """Count the tables of a round; one query."""
    (count,) = _COUNT.first(event.pk, round_) or (0,)
    return int(count)


def count_draw(draw: Draw, *, table_size: int, entrants: Sequence[Entrant]) -> DrawReport | None:
    """Count the quality of a draw from its seats, None where nobody has one; without a query."""
    if not any(row.tables for row in draw.rounds):
        return None
    asked = draw.drawn.asked if draw.drawn else PLAIN
    brought = draw.drawn.substitutes if draw.drawn else ()
    return report_on(draw.numbers, table_size, asked=asked, entrants=entrants, substitutes=brought)


def list_entrants(event: Event) -> list[ListedPlayer]:
    """List the players that a schedule has to seat, and those who have left, by number; one query.

    Substitutes that an unpublished draw brought are left out: they go when it goes.
    """
    drawn = read_drawn(event.drawn)
    rows = event.players.exclude(number__in=drawn.substitutes if drawn else ()).order_by("number")
    return [
        ListedPlayer(number, name, left is not None)
        for number, name, left in rows.values_list("number", "person__preferred_name", "withdrawn_at")
    ]


def get_player_ids(event: Event) -> dict[int, int]:
    """Return the primary key of each player by number; one query."""
    return dict(event.players.values_list("number", "pk"))
