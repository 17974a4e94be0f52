"""What paper and files show of an event, as the plain rows that `sheets` and `exports` take.

Which rounds count is said by the standings that are handed in; nothing here opens what those leave out.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils import timezone

from scoring.player_stats import player_stats
from tournament.core.time_zones import zone_of
from tournament.ema.files_ema import EmaPlayer, split_name
from tournament.models.event import Event
from tournament.pages.files_look import get_logo
from tournament.penalties.queries_penalties import list_penalties
from tournament.players.queries import list_players
from tournament.standings.columns import StandingRow
from tournament.standings.queries import Standings
from tournament.stats.queries_stories import Sitting, list_stand_ins, sittings_of
from tournament.tables.queries_tables import LoadedTable, SeatGame, load_tables
from tournament.tables.rows import EventHead, GameRow, PenaltyRow, ResultRound, ResultTable, StatisticRow

NOBODY = "\N{EN DASH}"


def get_head(event: Event) -> EventHead:
    """Return the head of every page, printed now."""
    rules = event.ruleset
    return EventHead(
        name=event.name,
        slug=event.slug,
        date=event.date,
        ruleset_title=rules.title,
        players_per_table=rules.players,
        rounds=event.rounds_planned,
        start_points=rules.start_points,
        deposit=rules.riichi_deposit,
        minutes=rules.minutes,
        extra_hands=rules.extra_hands,
        printed_at=timezone.localtime(timezone=zone_of(event)),
        colour=event.colour,
        logo=get_logo(event),
    )


def list_standing_rows(event: Event, standings: Standings) -> list[StandingRow]:
    """Return the standings for files, with EMA number, country and club; one query."""
    people = {row.number: row for row in list_players(event)}
    return [
        replace(row, ema_number=about.ema_number, country=about.country, club=about.club)
        for row in standings.rows
        for about in (people[row.number],)
    ]


def list_round_results(event: Event, rounds: tuple[int, ...]) -> list[ResultRound]:
    """List the finished tables of these rounds; five queries."""
    tables = load_tables(event, rounds=rounds)
    return [
        ResultRound(number, tuple(_result_table(table) for table in tables if table.round == number))
        for number in rounds
    ]


def _result_table(table: LoadedTable) -> ResultTable:
    return ResultTable(table.number, tuple(map(_game_row, table.seat_games)), table.final.leftover)


def _game_row(game: SeatGame) -> GameRow:
    return GameRow(
        seat=game.player.seat,
        name=game.player.name,
        points=game.score,
        place=game.place,
        shared=game.shared,
        uma=game.uma,
        result=game.result,
        substitute=(game.substitute.name or NOBODY) if game.substitute else "",
        ranked=game.player.ranked,
    )


def list_penalty_rows(event: Event, rounds: tuple[int, ...] | None = None) -> list[PenaltyRow]:
    """List the penalties for print and files, cancelled ones among them: of these rounds and of none, or all."""
    return list_penalties(event, load_tables(event, rounds=rounds), rounds=rounds)


def list_statistics(event: Event, standings: Standings, tables: Sequence[LoadedTable]) -> list[StatisticRow]:
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
            *split_name(people[row.number].legal_name or row.name),
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


def list_player_lines(event: Event) -> list[tuple[str, ...]]:
    """Return all that is known of the players, in the order of their numbers: see PLAYER_HEADINGS; one query."""
    columns = ("preferred_name", "legal_name", "ema_number", "country", "club")
    return list(event.players.order_by("number").values_list(*(f"person__{column}" for column in columns), "team"))


def guess_host(countries: Iterable[str]) -> str:
    """Return the country that most players are from: where an event is, as a rule; "" where nobody has said one."""
    known = Counter(country for country in countries if country)
    return known.most_common(1)[0][0] if known else ""


def _places(tables: Iterable[LoadedTable], number: int) -> list[int]:
    games = (game for table in tables for game in table.seat_games if game.player.number == number)
    return [game.place for game in games if game.place is not None]


def _statistic(name: str, sittings: Sequence[Sitting], places: Sequence[int], event: Event) -> StatisticRow:
    rules = event.ruleset
    return StatisticRow(
        name=name,
        games=len({sitting.table.id for sitting in sittings if sitting.table.game.hands}),
        places=tuple(places.count(place) for place in range(1, rules.players + 1)),
        stats=player_stats([sitting.part for sitting in sittings], rules),
    )


def print_name(event: Event, what: str, made_at: dt.datetime, suffix: str) -> str:
    """Name a file: event, what it is, and when it was made."""
    return f"{event.slug}-{what}-{made_at:%Y%m%d-%H%M}.{suffix}"
