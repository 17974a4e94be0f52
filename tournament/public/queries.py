"""What a player's public page shows: the seats to come and the games played."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tournament.calls.queries import RulingRow, list_rulings
from tournament.events.models import Event
from tournament.penalties.queries import list_penalties
from tournament.publication.names import shown_club, shown_country, shown_name
from tournament.publication.queries import by_public_state, get_public_view
from tournament.tables.queries import LoadedTable, list_public_tables, load_tables
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


def get_story(event: Event, number: int) -> PlayerStory | None:
    """Return one player's way through the event as the public may see it; None for an unknown number."""
    return by_public_state(event, "stories", lambda: list_stories(event)).get(number)


def list_stories(event: Event) -> dict[int, PlayerStory]:
    """Return every player's way through the event by number; 22 queries at most."""
    open_rounds = event.rounds.filter(published_at__isnull=False, released_at=None).select_related("event")
    clocks = list_clocks(event, list(open_rounds))
    played, seen = list_public_tables(event), get_public_view(event).rounds
    ahead, games = _by_player(load_tables(event, rounds=clocks)), _by_player(played)
    penalties: defaultdict[int, list[PenaltyRow]] = defaultdict(list)
    for row in list_penalties(event, played, rounds=seen):
        if not row.cancelled:
            penalties[row.number].append(row)
    rulings = list_rulings(event.players.all())
    return {
        player.number: PlayerStory(
            number=player.number,
            name=shown_name(player),
            country=shown_country(player),
            club=shown_club(player),
            withdrawn=player.withdrawn_at is not None,
            ranked=player.ranked,
            ahead=tuple(_seat_ahead(table, player.number, clocks[table.round]) for table in ahead[player.number]),
            games=tuple(_game_row(table, player.number) for table in games[player.number]),
            penalties=tuple(penalties[player.number]),
            rulings=tuple(rulings[player.pk]),
        )
        for player in event.players.select_related("person")
    }


def _by_player(tables: Iterable[LoadedTable]) -> defaultdict[int, list[LoadedTable]]:
    found: defaultdict[int, list[LoadedTable]] = defaultdict(list)
    for table in tables:
        for player in table.seats:
            found[player.number].append(table)
    return found


def _seat_ahead(table: LoadedTable, number: int, clock: ClockRow) -> SeatAhead:
    """Return the seat of the player of this number at a table that is not played out."""
    seats = table_result(table, shown=False).seats
    mine = next(row for row in seats if row.player.number == number)
    return SeatAhead(table.round, table.number, mine.player.seat, seats, clock, mine.substitute)


def _game_row(table: LoadedTable, number: int) -> GameRow:
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
