"""Players as pages show them: the list, one player's way through the event, and where to sit next."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.compiled_queries import Prepared
from tournament.models import Event, Player, Round, Seat
from tournament.selectors.core.shown_names import name_of, shown_club, shown_country, shown_name
from tournament.selectors.core.visibility import read_seen
from tournament.selectors.rounds.calls import RulingRow, list_rulings
from tournament.selectors.rounds.clock import ClockRow, list_clocks
from tournament.selectors.rounds.rounds import SeatResult, table_result
from tournament.selectors.tables.penalties import PenaltyRow, list_penalties
from tournament.selectors.tables.tables import LoadedTable, Substitute, load_tables

# what changes the list of players itself, as the trail says it
LIST_VERBS = ("players_added", "players_taken_back", "player_removed", "player_renamed", "player_came_late")


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player in a list."""

    id: int
    number: int
    name: str
    legal_name: str
    ema_number: str
    country: str
    club: str
    withdrawn: bool
    ranked: bool
    here: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """How many players are checked in, of how many."""

    here: int
    players: int


@dataclass(frozen=True, slots=True)
class SeatAhead:
    """A seat that a player has in a published round: table, seat and who else sits there, by seat.

    `substitute` is who plays it instead.
    """

    round: int
    table: int
    seat: int
    others: tuple[SeatResult, ...]
    clock: ClockRow
    substitute: Substitute | None


@dataclass(frozen=True, slots=True)
class GameRow:
    """One released game of a player; where a substitute played it there is no place, and `hand` is their first."""

    round: int
    table: int
    seat: int
    score: int
    place: int | None
    shared: bool
    uma: int
    result: int
    substitute: Substitute | None
    hand: int | None


@dataclass(frozen=True, slots=True)
class PlayerStory:
    """One player: the seats ahead (rounds published and not released, in order), and the games of public rounds.

    `penalties` are those that count already, chombo among them: of public rounds, or of none. `rulings` are what
    referees said at the player's tables.
    """

    number: int
    name: str
    country: str
    club: str
    withdrawn: bool
    ranked: bool
    ahead: tuple[SeatAhead, ...]
    games: tuple[GameRow, ...]
    penalties: tuple[PenaltyRow, ...]
    rulings: tuple[RulingRow, ...]


def list_players(event: Event) -> list[PlayerRow]:
    """List the players of an event by number; one query."""
    return [
        PlayerRow(
            player.pk,
            player.number,
            shown_name(player),
            player.person.legal_name,
            player.person.ema_number,
            shown_country(player),
            shown_club(player),
            player.withdrawn_at is not None,
            player.ranked,
            player.checked_in_at is not None,
        )
        for player in event.players.select_related("person").order_by("number")
    ]


def list_added_last(event: Event, rows: Sequence[PlayerRow]) -> list[int]:
    """Return the numbers of those of these players who were added last, several in one act; one query.

    None once anything else has been done to the list: then each is taken out by hand.
    """
    newest = event.audit.filter(verb__in=LIST_VERBS).order_by("-seq").first()
    numbers = json.loads(newest.details)["numbers"] if newest and newest.verb == "players_added" else []
    tail = [row.number for row in rows][-len(numbers) :]
    return list(numbers) if len(numbers) > 1 and tail == numbers else []


_TICKS = Prepared(
    lambda event: Player.objects.filter(event=event, withdrawn_at=None).values_list("checked_in_at", flat=True)
)


def count_here(event: Event) -> Presence:
    """Count the players who have not withdrawn, and those of them who are checked in; one query."""
    ticks = _TICKS(event.pk)
    return Presence(sum(tick is not None for tick in ticks), len(ticks))


def list_names(event: Event) -> list[tuple[int, str]]:
    """List (number, name) of the players by name; one query."""
    rows = event.players.values_list("number", name_of())
    return sorted(rows, key=lambda row: row[1].casefold())


def get_story(event: Event, number: int) -> PlayerStory | None:
    """Return one player's way through the event as the public may see it; a constant number of queries."""
    player = event.players.filter(number=number).select_related("person").first()
    if player is None:
        return None
    rounds = {row.number: row for row in event.rounds.filter(published_at__isnull=False).select_related("event")}
    tables = _tables_of(event, player, rounds)
    clocks = list_clocks(event, [row for row in rounds.values() if not row.released_at])
    ahead = tuple(seat_ahead(table, number, clocks[table.round]) for table in tables if table.round in clocks)
    seen = read_seen(event).rounds
    played = [table for table in tables if table.round in seen]
    return PlayerStory(
        number=number,
        name=shown_name(player),
        country=shown_country(player),
        club=shown_club(player),
        withdrawn=player.withdrawn_at is not None,
        ranked=player.ranked,
        ahead=ahead,
        games=tuple(game_row(table, number) for table in played),
        penalties=_penalties(event, number, played, seen),
        rulings=list_rulings(player),
    )


def _penalties(event: Event, number: int, played: list[LoadedTable], rounds: Sequence[int]) -> tuple[PenaltyRow, ...]:
    """List the penalties of one player that count already."""
    found = list_penalties(event, played, rounds=rounds)
    return tuple(row for row in found if row.number == number and not row.cancelled)


def _tables_of(event: Event, player: Player, rounds: dict[int, Round]) -> list[LoadedTable]:
    """Load the player's own table of each of these rounds."""
    mine = Seat.objects.filter(player=player, round__number__in=list(rounds)).values_list("table_id", flat=True)
    return load_tables(event, ids=list(mine))


def seat_ahead(table: LoadedTable, number: int, clock: ClockRow) -> SeatAhead:
    """Return the seat of the player of this number at a table that is not played out."""
    seats = table_result(table, shown=False).seats
    mine = next(row for row in seats if row.player.number == number)
    return SeatAhead(table.round, table.number, mine.player.seat, seats, clock, mine.substitute)


def game_row(table: LoadedTable, number: int) -> GameRow:
    """Return the game of the player of this number at a table."""
    game = next(game for game in table.seat_games if game.player.number == number)
    return GameRow(
        round=table.round,
        table=table.number,
        seat=game.player.seat,
        score=game.score,
        place=game.place,
        shared=game.shared,
        uma=game.uma,
        result=game.result,
        substitute=game.substitute,
        hand=table.first_hand_of(game.substitute) if game.substitute else None,
    )
