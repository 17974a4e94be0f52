"""Rounds as pages show them: the list, the grid of tables, seating and results."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from scoring.entries import Entry
from tournament.core.prepared import Prepared
from tournament.models.event import Event
from tournament.models.rounds import Round, RoundState
from tournament.publication.queries import seen_by_public
from tournament.tables.queries_tables import LoadedTable, TableStage, load_tables
from tournament.tables.round_queries_clock import hands_in_time
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import Substitute


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round on the day's line."""

    number: int
    state: RoundState
    started_at: dt.datetime | None
    tables: int


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the desk's grid; wind, kyoku, honba and sticks are of the hand about to be played.

    `confirmed` says that another person has confirmed the signed sheet, `sent_back` that one has rejected it, and
    `signed_by` who signed: an account's uid. `timed` are the hands that stand with the moments at which they came,
    `replaced` the substitutes by seat.
    """

    number: int
    stage: TableStage
    seats: tuple[SeatedPlayer, ...]
    scores: tuple[int, ...]
    round_wind: str
    kyoku: int
    honba: int
    sticks: int
    hands: int
    last_at: dt.datetime | None
    warnings: int
    ready: bool
    confirmed: bool
    sent_back: bool
    signed_by: str
    timed: tuple[tuple[Entry, dt.datetime], ...] = ()
    last_seq: int = 0
    replaced: Mapping[int, Substitute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One player's result at a table, in points; place and the rest are None while the round is not released.

    A player who was replaced has no place; `substitute` is who plays in the seat.
    """

    player: SeatedPlayer
    score: int | None
    place: int | None
    shared: bool
    uma: int | None
    result: int | None
    substitute: Substitute | None = None


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table of a round: who sits there, and how it ended if that may be shown (`shown`).

    `live` says that the round is not released whole and the table may be looked at all the same.
    """

    number: int
    seats: tuple[SeatResult, ...]
    hands: int
    shown: bool = False
    live: bool = False


def _ask_tables_of(event: int) -> QuerySet[Round, Any]:
    return Round.objects.filter(event=event).values_list("tables__round_id")


def _ask_played(event: int) -> QuerySet[Round, Any]:
    open_ = Round.objects.filter(event=event, published_at__isnull=False, released_at=None)
    return open_.order_by("number").values_list("number")[:1]


_TABLES_OF, _PLAYED = Prepared(_ask_tables_of), Prepared(_ask_played)
_ROUNDS = Prepared(lambda event: Round.objects.filter(event=event))
_ROUND = Prepared(lambda event, number: Round.objects.filter(event=event, number=number))


def list_rounds(event: Event) -> list[RoundRow]:
    """List the rounds of an event with the number of their tables; two queries."""
    counts = Counter(round_ for (round_,) in _TABLES_OF(event.pk))
    return [RoundRow(row.number, row.state, row.started_at, counts[row.pk]) for row in _ROUNDS(event.pk)]


def get_played_round(event: Event) -> int | None:
    """Return the number of the round that is played: the first that is published and not released; one query."""
    (number,) = _PLAYED.first(event.pk) or (None,)
    return number


def get_round(event: Event, number: int) -> Round | None:
    """Return a round by its number."""
    found = _ROUND.first(event.pk, number)
    if found:
        found.event = event
    return found


def list_tiles(event: Event, round_: int) -> list[Tile]:
    """List the tables of a round for the grid; five queries."""
    return [tile_of(table) for table in load_tables(event, rounds=[round_])]


def tile_of(table: LoadedTable) -> Tile:
    """Return a table as a tile of the grid."""
    state = table.state
    return Tile(
        number=table.number,
        stage=table.stage,
        seats=table.seats,
        scores=table.final.scores if table.signed else state.scores,
        round_wind=state.round_wind,
        kyoku=state.kyoku,
        honba=state.honba,
        sticks=state.sticks,
        hands=len(table.game.hands),
        last_at=table.lines[-1].at if table.lines else None,
        warnings=len(table.warned),
        ready=table.ready_at is not None,
        confirmed=table.confirmed,
        sent_back=table.sent_back,
        signed_by=table.sheet.by if table.sheet and table.signed else "",
        timed=hands_in_time(table.lines),
        last_seq=table.last_seq,
        replaced=table.replaced,
    )


def list_results(event: Event, round_: Round, *, follows: int | None = None) -> list[TableResult]:
    """List the tables of a round: with results where the public may see them, else with seats alone.

    `follows` is the number of the player that the asking phone follows: see `Seen.live_for`.
    """
    seen = seen_by_public(event)
    public = seen.shows(round_.number)
    live = {} if public else {each.number: each for each in seen.live_for(follows) if each.round == round_.number}
    return [
        table_result(
            table, shown=public or (table.number in live and live[table.number].signed), live=table.number in live
        )
        for table in load_tables(event, rounds=[round_.number])
    ]


def table_result(table: LoadedTable, *, shown: bool, live: bool = False) -> TableResult:
    """Return a table's seats, and its results where they may be shown."""
    if not shown:
        replaced = table.replaced
        seats = tuple(
            SeatResult(player, None, None, False, None, None, replaced.get(player.seat)) for player in table.seats
        )
        return TableResult(table.number, seats, 0, live=live)
    seats = tuple(
        SeatResult(game.player, game.score, game.place, game.shared, game.uma, game.result, game.substitute)
        for game in table.seat_games
    )
    return TableResult(table.number, seats, len(table.game.hands), shown=True, live=live)
