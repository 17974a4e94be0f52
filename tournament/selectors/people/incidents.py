"""Where a player is and what an exchange of two would change: what the desk looks at before anybody presses a button.

It looks and writes nothing.
"""

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tournament.models import Event, Penalty, PenaltyKind, Player, Seat
from tournament.selectors.core.shown_names import shown_name
from tournament.selectors.people.substitutions import RankMove, rank_moves
from tournament.selectors.public.standings import read_standings
from tournament.selectors.tables.tables import LoadedTable, SeatedPlayer, Substitute, TableStage, load_tables


@dataclass(frozen=True, slots=True)
class SeatNow:
    """A player's seat in a published round: how far the table has come, its hands, and who plays instead."""

    table_id: int
    round: int
    table: int
    seat: int
    stage: TableStage
    hands: int
    released: bool
    substitute: Substitute | None

    @property
    def place(self) -> tuple[int, int]:
        """Table and seat, as the verbs take them."""
        return self.table, self.seat

    @property
    def is_ahead(self) -> bool:
        """Whether nothing is written there yet."""
        return self.stage == "waiting" and not self.released


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """One player with the seats of all published rounds, in their order."""

    number: int
    name: str
    ranked: bool
    withdrawn: bool
    here: bool
    seats: tuple[SeatNow, ...]

    @property
    def now(self) -> SeatNow | None:
        """The seat that the player has now: the first in a round that is not released and not signed at the table."""
        return next((seat for seat in self.seats if not seat.released and seat.stage != "signed"), None)

    @property
    def ahead(self) -> tuple[SeatNow, ...]:
        """The seats at which nothing is written yet."""
        return tuple(seat for seat in self.seats if seat.is_ahead)

    def in_round(self, number: int) -> SeatNow | None:
        """Return the seat in a round, None where the player rests."""
        return next((seat for seat in self.seats if seat.round == number), None)


@dataclass(frozen=True, slots=True)
class ExchangedRound:
    """What two players have in one round now: their places and results in points, None where one has no seat."""

    round: int
    one: SeatNow | None
    other: SeatNow | None
    one_result: int | None
    other_result: int | None


@dataclass(frozen=True, slots=True)
class ExchangeEffect:
    """What an exchange of two players changes; `staying` counts the penalties that stay with each of the two."""

    rounds: tuple[ExchangedRound, ...]
    moves: tuple[RankMove, ...]
    staying: tuple[int, int]


def get_whereabouts(event: Event, number: int) -> Whereabouts | None:
    """Return where a player is; a constant number of queries."""
    player = event.players.filter(number=number).select_related("person").first()
    if player is None:
        return None
    released = dict(event.rounds.filter(published_at__isnull=False).values_list("number", "released_at"))
    mine = Seat.objects.filter(player=player, round__number__in=list(released)).values_list("table_id", flat=True)
    seats = (_seat(table, player, released=bool(released[table.round])) for table in load_tables(event, ids=mine))
    return Whereabouts(
        player.number,
        shown_name(player),
        player.ranked,
        player.withdrawn_at is not None,
        player.checked_in_at is not None,
        tuple(seats),
    )


def effect_of_exchange(event: Event, one: Whereabouts, other: Whereabouts, rounds: Collection[int]) -> ExchangeEffect:
    """Return what would change if two players had each other's games of these rounds."""
    ids = {seat.table_id for who in (one, other) for seat in who.seats if seat.round in rounds}
    tables = {table.id: table for table in load_tables(event, ids=ids)}
    named = {each.number: each for each in (one, other)}
    before = read_standings(event, released_only=False)
    after = read_standings(event, released_only=False, instead=[_exchanged(table, named) for table in tables.values()])
    return ExchangeEffect(
        rounds=tuple(_round(number, one, other, tables) for number in sorted(rounds)),
        moves=rank_moves(before, after),
        staying=(_staying(event, one.number), _staying(event, other.number)),
    )


def _seat(table: LoadedTable, player: Player, *, released: bool) -> SeatNow:
    mine = next(each for each in table.seats if each.number == player.number)
    return SeatNow(
        table.id,
        table.round,
        table.number,
        mine.seat,
        table.stage,
        len(table.game.hands),
        released,
        table.replaced.get(mine.seat),
    )


def _exchanged(table: LoadedTable, two: Mapping[int, Whereabouts]) -> LoadedTable:
    """Return a table at which the two have changed names."""

    def renamed(seat: SeatedPlayer) -> SeatedPlayer:
        new = next((each for each in two.values() if seat.number in two and each.number != seat.number), None)
        return SeatedPlayer(seat.seat, new.number, new.name, new.ranked) if new else seat

    return dataclasses.replace(table, seats=tuple(renamed(seat) for seat in table.seats))


def _round(number: int, one: Whereabouts, other: Whereabouts, tables: Mapping[int, LoadedTable]) -> ExchangedRound:
    here, there = one.in_round(number), other.in_round(number)
    return ExchangedRound(number, here, there, _result(here, tables), _result(there, tables))


def _result(seat: SeatNow | None, tables: Mapping[int, LoadedTable]) -> int | None:
    if seat is None or seat.stage == "waiting":
        return None
    return tables[seat.table_id].seat_games[seat.seat].result


def _staying(event: Event, number: int) -> int:
    """Count the penalties that were given to a person, and not to a seat."""
    bound = (PenaltyKind.CHOMBO, PenaltyKind.DEAD_HAND)
    given = Penalty.objects.filter(event=event, player__number=number, cancelled_at=None)
    return given.exclude(kind__in=bound).count()
