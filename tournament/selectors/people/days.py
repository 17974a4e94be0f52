"""Every player's way through an event at once: what all phones of a hall show, from the questions that one would ask.

After a release 500 phones ask for 200 players. `get_story` tells one player's; this tells the same of everybody. What
the public may see decides `seen_by_public`.
"""

from collections import defaultdict
from collections.abc import Iterable

from tournament.models import Event, RefereeCall
from tournament.selectors.core.shown_names import shown_club, shown_country, shown_name
from tournament.selectors.core.visibility import read_seen
from tournament.selectors.people.players import PlayerStory, game_row, seat_ahead
from tournament.selectors.rounds.calls import RulingRow
from tournament.selectors.rounds.clock import list_clocks
from tournament.selectors.tables.penalties import PenaltyRow, list_penalties
from tournament.selectors.tables.tables import LoadedTable, load_tables


def list_stories(event: Event) -> dict[int, PlayerStory]:
    """Return all players' ways through the event by number; a constant number of queries."""
    rounds = list(event.rounds.filter(published_at__isnull=False).select_related("event"))
    tables = load_tables(event, rounds=[row.number for row in rounds])
    clocks = list_clocks(event, [row for row in rounds if not row.released_at])
    seen = read_seen(event).rounds
    ahead = _by_player(table for table in tables if table.round in clocks)
    played = [table for table in tables if table.round in seen]
    games = _by_player(played)
    penalties = _penalties(list_penalties(event, played, rounds=seen))
    rulings = _rulings(event)
    return {
        player.number: PlayerStory(
            number=player.number,
            name=shown_name(player),
            country=shown_country(player),
            club=shown_club(player),
            withdrawn=player.withdrawn_at is not None,
            ranked=player.ranked,
            ahead=tuple(seat_ahead(table, player.number, clocks[table.round]) for table in ahead[player.number]),
            games=tuple(game_row(table, player.number) for table in games[player.number]),
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


def _penalties(rows: Iterable[PenaltyRow]) -> defaultdict[int, list[PenaltyRow]]:
    found: defaultdict[int, list[PenaltyRow]] = defaultdict(list)
    for row in rows:
        if not row.cancelled:
            found[row.number].append(row)
    return found


def _rulings(event: Event) -> defaultdict[int, list[RulingRow]]:
    """Return what was ruled at each player's tables, in order, by the player's key; see `calls.list_rulings`."""
    found: defaultdict[int, list[RulingRow]] = defaultdict(list)
    calls = RefereeCall.objects.filter(table__round__event=event, closed_at__isnull=False).exclude(ruling="")
    columns = ("table__round__number", "table__number", "question", "ruling", "clause", "minutes")
    for player, *row in calls.order_by("called_at", "pk").values_list("table__seats__player", *columns):
        found[player].append(RulingRow(*row))
    return found
