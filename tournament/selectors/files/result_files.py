"""What the files of results show beside the standings: statistics by person, and the federation's lines.

Which rounds count is said by the standings that are handed in; it opens nothing that those leave out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from django.utils import timezone

from scoring.player_stats import player_stats
from tournament.exports.csv_files import PlayerLine
from tournament.exports.ema import EmaPlayer, split_name
from tournament.exports.result_rows import StatisticSheetRow
from tournament.models import Event
from tournament.selectors.people.players import PlayerRow, list_players
from tournament.selectors.public.standings import Standings
from tournament.selectors.rounds.timetable import list_round_times
from tournament.selectors.tables.sittings import Sitting, list_stand_ins, sittings_of
from tournament.selectors.tables.tables import LoadedTable


def list_statistics(event: Event, standings: Standings, tables: Sequence[LoadedTable]) -> list[StatisticSheetRow]:
    """Return what everybody's hands at these tables come to, ranked players first in their order; one query.

    Games of a substitute are the substitute's; who is no player of the event has no row.
    """
    stand_ins = list_stand_ins(tables)
    played: defaultdict[int, list[Sitting]] = defaultdict(list)
    for table in tables:
        for sitting in sittings_of(table, stand_ins):
            if sitting.number is not None:
                played[sitting.number].append(sitting)
    names = {row.number: row.name for row in standings.rows} | {row.number: row.name for row in standings.unranked}
    return [
        _statistic(name, played[number], _places(tables, number), event)
        for number, name in names.items()
        if played[number]
    ]


def list_ema_players(event: Event, standings: Standings) -> list[EmaPlayer]:
    """Return the federation's lines in the order of the standings, shared places by the better number; one query.

    The full name counts where one was given, else the one that the player is called by.
    """
    people = {row.number: row for row in list_players(event)}
    return [
        EmaPlayer(
            row.rank,
            row.name,
            *split_name(_full_name(people[row.number])),
            ema_number=people[row.number].ema_number,
            country=people[row.number].country,
            score=row.total,
            results=tuple(row.results[number - 1] for number in standings.rounds),
            penalties=row.penalties,
            cut=any(each.points != each.of for each in row.carried),
            group=row.group,
        )
        for row in standings.rows
    ]


def list_player_lines(event: Event) -> list[PlayerLine]:
    """Return all that is known of the players, in the order of their numbers; one query."""
    return [
        PlayerLine(
            player.person.preferred_name,
            player.person.legal_name,
            player.person.ema_number,
            player.person.country,
            player.person.club,
            player.team,
        )
        for player in event.players.select_related("person").order_by("number")
    ]


def list_days(event: Event) -> list[date]:
    """List the days on which rounds started or are to start, as the hall's clock says; the event's own where none is.

    One query.
    """
    zone = timezone.get_current_timezone()
    starts = [round_.planned or round_.started_at for round_ in list_round_times(event)]
    days = {start.astimezone(zone).date() for start in starts if start is not None}
    return sorted(day for day in days if day >= event.date) or [event.date]


def guess_host(countries: Iterable[str]) -> str:
    """Return the country that most players are from: where an event is, as a rule; "" where nobody has said one."""
    known = Counter(country for country in countries if country)
    return known.most_common(1)[0][0] if known else ""


def _full_name(row: PlayerRow) -> str:
    return row.legal_name or row.name


def _places(tables: Iterable[LoadedTable], number: int) -> list[int]:
    games = (game for table in tables for game in table.seat_games if game.player.number == number)
    return [game.place for game in games if game.place is not None]


def _statistic(name: str, sittings: Sequence[Sitting], places: Sequence[int], event: Event) -> StatisticSheetRow:
    rules = event.ruleset
    story = player_stats([sitting.part for sitting in sittings], rules)
    return StatisticSheetRow(
        name=name,
        games=len({sitting.table.id for sitting in sittings if sitting.table.game.hands}),
        places=tuple(places.count(place) for place in range(1, rules.players + 1)),
        hands=story.hands,
        ron_wins=story.ron_wins,
        tsumo_wins=story.tsumo_wins,
        win_points=story.win_points,
        deal_ins=story.deal_ins,
        deal_in_points=story.deal_in_points,
        riichi=story.riichi,
        riichi_won=story.riichi_won,
        tenpai=story.tenpai,
        noten=story.noten,
        dealer_hands=story.dealer_hands,
        chombo=story.chombo,
        best=story.best.figure if story.best else None,
    )
