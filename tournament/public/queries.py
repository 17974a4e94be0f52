"""What a player's public page shows: the seats to come and the games played."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import NamedTuple

from tournament.calls.queries import RulingRow, list_rulings
from tournament.events.models import Event
from tournament.penalties.queries import list_penalties
from tournament.players.queries import list_players
from tournament.publication.names import without_hidden_names
from tournament.publication.queries import by_public_state, get_public_view
from tournament.tables.queries import LoadedTable, SeatGame, list_public_tables, load_tables
from tournament.tables.round_queries import ClockRow, SeatResult, list_clocks, table_result
from tournament.tables.rows import PenaltyRow
from tournament.tables.table_queries import Substitute


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


class GameRow(NamedTuple):
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


def get_story(event: Event, number: int) -> PlayerStory | None:
    """Return one player's way through the event as the public may see it; None for an unknown number."""
    return by_public_state(event, "stories", lambda: list_stories(event)).get(number)


def list_stories(event: Event) -> dict[int, PlayerStory]:
    """Return every player's way through the event by number; 23 queries at most."""
    open_rounds = event.rounds.filter(published_at__isnull=False, released_at=None).select_related("event")
    clocks = list_clocks(event, list(open_rounds))
    played, seen = list_public_tables(event), get_public_view(event).rounds
    ahead, games = defaultdict[int, list[SeatAhead]](list), defaultdict[int, list[GameRow]](list)
    for table in load_tables(event, rounds=clocks):
        for seat in _seats_ahead(table, clocks[table.round]):
            ahead[table.seats[seat.seat].number].append(seat)
    for table in played:
        for game in table.seat_games:
            games[game.player.number].append(_game_row(table, game))
    penalties: defaultdict[int, list[PenaltyRow]] = defaultdict(list)
    for row in list_penalties(event, played, rounds=seen):
        if not row.cancelled:
            penalties[row.number].append(row)
    rulings, say = list_rulings(event.players.all()), without_hidden_names(event)
    return {
        player.number: PlayerStory(
            number=player.number,
            name=player.name,
            country=player.country,
            club=player.club,
            withdrawn=player.withdrawn,
            ranked=player.ranked,
            ahead=tuple(ahead[player.number]),
            games=tuple(games[player.number]),
            penalties=tuple(penalties[player.number]),
            rulings=tuple(
                replace(row, question=say(row.question), ruling=say(row.ruling)) for row in rulings[player.id]
            ),
        )
        for player in list_players(event)
    }


def _seats_ahead(table: LoadedTable, clock: ClockRow) -> list[SeatAhead]:
    """Return the seats of a table that is not played out."""
    seats = table_result(table, shown=False).seats
    return [SeatAhead(table.round, table.number, row.player.seat, seats, clock, row.substitute) for row in seats]


def _game_row(table: LoadedTable, game: SeatGame) -> GameRow:
    """Return a seat's game of a released table."""
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
