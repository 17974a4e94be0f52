"""The event that is played under load: many tables of four, eight rounds released, the ninth running, a referee.

Made in the database of the server that is measured: the released games at once, the rest by the desk's own verbs.
"""

from dataclasses import dataclass
from random import Random
from uuid import uuid4

from scoring.shorthand import write
from tests.factories import make_account, make_event, round_of, writer_of
from tests.pages.at_desk import session_of
from tools.bench.games import game_of
from tools.bench.standings import play_at_once
from tools.load.tables import ROUND
from tournament.accounts.models import Account
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.penalties.actions import give_penalty
from tournament.rounds.actions import start_round
from tournament.tables.models import Seat

HANDS = 12  # a table, in the running round
GAMES = 40  # different ones in the released rounds


@dataclass(frozen=True, slots=True)
class Hall:
    """An event with the session of a referee, and by table its players and the lines of the game that is entered."""

    slug: str
    session: str
    lines: dict[int, list[str]]
    players: dict[int, list[int]]


def make_hall(tables: int, account: Account, *, live: bool = True) -> Hall:
    """Make an event of this account, whose phones follow their own table if it is live; slow, and not measured."""
    event = make_event("rakkii-nomi-2026", tables=tables, rounds=ROUND, by=account)
    if live:
        event.live_tables, event.live_others = LiveTables.HANDS, LiveOthers.OWN
    event.save()
    play_at_once(event, ROUND - 1, games=GAMES)
    start_round(round_=round_of(event, ROUND), by=writer_of(event))
    chance = Random(500)
    lines = {table: [write(entry) for entry in game_of(event.ruleset, chance, HANDS)] for table in range(1, tables + 1)}
    seats = Seat.objects.filter(table__round__event=event, table__round__number=ROUND)
    players: dict[int, list[int]] = {}
    for table, player in seats.values_list("table__number", "player__number"):
        players.setdefault(table, []).append(player)
    return Hall(event.slug, session_of(account), lines, players)


def make_referee() -> Account:
    """Make who enters and prints."""
    return make_account("Referee", superuser=True)


def change_for_all(hall: Hall) -> None:
    """Do something that every public page shows: a penalty that belongs to a released round."""
    event = Event.objects.get(slug=hall.slug)
    player = event.players.select_related("event").get(number=1)
    by = writer_of(event)
    give_penalty(player=player, points=1000, reason="late", round_=round_of(event, 1), client_id=uuid4(), by=by)
