"""What paper and files show of an event, as the plain rows that `sheets` and `exports` take.

Which rounds count is said by the standings that are handed in; nothing here opens what those leave out.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from scoring.player_stats import add_stats
from tournament.accounts.queries import account_names
from tournament.events.models import Event
from tournament.pages.files import NOBODY
from tournament.pages.tables import last_line, origin_text
from tournament.paper.event_log import LogHands
from tournament.paper.rows import LoggedHand
from tournament.penalties.queries import list_penalties
from tournament.players.queries import list_players
from tournament.public.rows import closing_lines
from tournament.standings.columns import StandingRow
from tournament.standings.queries import PlayedHands, Standings, sittings_of
from tournament.tables.messages import short_names_at
from tournament.tables.queries import HandRow, LoadedTable, SeatGame, list_hands, load_tables
from tournament.tables.rows import GameRow, LogRound, LogTable, PenaltyRow, ResultRound, ResultTable, StatisticRow


def list_standing_rows(event: Event, standings: Standings) -> list[StandingRow]:
    """Return the standings for files, with EMA number, country and club; one query."""
    people = {row.number: row for row in list_players(event)}
    return [
        replace(row, ema_number=about.ema_number, country=about.country, club=about.club)
        for row in standings.rows
        for about in (people[row.number],)
    ]


def load_round_results(event: Event, rounds: tuple[int, ...]) -> list[ResultRound]:
    """List the finished tables of these rounds; five queries."""
    return list_round_results(load_tables(event, rounds=rounds), rounds)


def list_round_results(tables: Sequence[LoadedTable], rounds: Iterable[int]) -> list[ResultRound]:
    """List those of these tables by round."""
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
    played: defaultdict[int, list[PlayedHands]] = defaultdict(list)
    places: defaultdict[int, Counter[int | None]] = defaultdict(Counter)
    for table in tables:
        for sitting in sittings_of(table):
            if sitting.number is not None:
                played[sitting.number].append(sitting)
        for game in table.seat_games:
            places[game.player.number][game.place] += 1
    seats = max(event.rulesets)
    names = {row.number: row.name for row in standings.rows} | {row.number: row.name for row in standings.unranked}
    return [
        StatisticRow(
            name=name,
            games=len({sitting.table.id for sitting in played[number] if sitting.table.game.hands}),
            places=tuple(places[number][place] for place in range(1, seats + 1)),
            stats=add_stats([sitting.stats for sitting in played[number]]),
        )
        for number, name in names.items()
        if number in played
    ]


def list_player_lines(event: Event) -> list[tuple[str, ...]]:
    """Return all that is known of the players, in the order of their numbers: see PLAYER_HEADINGS; one query."""
    columns = ("preferred_name", "legal_name", "ema_number", "country", "club")
    return list(event.players.order_by("number").values_list(*(f"person__{column}" for column in columns), "team"))


def log_rounds(event: Event, number: int = 0) -> list[LogRound]:
    """List every hand of every table, void ones and corrections, too, of a round or with 0 of all.

    Raises ValueError for a round that there is not.
    """
    tables = load_tables(event, rounds=[number] if number else None)
    if number and not tables:
        raise ValueError("There is no such round.")
    names = account_names({line.by for table in tables for line in table.lines})
    rounds = itertools.groupby(tables, key=attrgetter("round"))
    return [
        LogRound(at, tuple(_log_table(table, list_hands(table, names)) for table in played)) for at, played in rounds
    ]


def _log_table(table: LoadedTable, hands: Iterable[HandRow]) -> LogTable:
    rows = [
        LoggedHand(
            number=row.number,
            hand=row.hand,
            names=short_names_at(table, row.seq),
            line="" if row.hand else last_line(table, row.seq),
            origin=origin_text(row) if row.hand else "",
            reason=row.reason,
            by=row.by,
            at=row.at,
        )
        for row in hands
    ]
    names = tuple(player.name for player in table.seats)
    closing = tuple(closing_lines(table)) if table.signed else ()
    return LogTable(table.number, names, LogHands(rows, table.rules), closing)
