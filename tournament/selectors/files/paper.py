"""What paper and files show of an event, as the plain rows that `sheets` and `exports` take."""

import datetime as dt
from dataclasses import replace

from django.utils import timezone

from tournament.exports.result_rows import GameSheetRow, RoundResultRow, TableResultRow
from tournament.models import Event
from tournament.selectors.draws.seating import DrawnRound, get_draw
from tournament.selectors.people.players import list_players
from tournament.selectors.public.standings import Standings
from tournament.selectors.tables.penalties import list_penalties
from tournament.selectors.tables.tables import LoadedTable, SeatGame, load_tables
from tournament.sheets.columns import StandingRow
from tournament.sheets.rows import EventHead, PenaltySheetRow, RoundRow, SeatRow, TableRow

NOBODY = "\N{EN DASH}"


def get_head(event: Event) -> EventHead:
    """Return what stands at the top of every page, printed now."""
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
        printed_at=timezone.localtime(),
    )


def list_drawn_rounds(event: Event) -> list[RoundRow]:
    """List the rounds of the draw for print; two queries."""
    draw = get_draw(event)
    return [_round_row(row) for row in draw.rounds]


def list_standing_rows(event: Event, standings: Standings) -> list[StandingRow]:
    """Return the standings for files, with EMA number, country and club; one query."""
    people = {row.number: row for row in list_players(event)}
    return [
        replace(row, ema_number=about.ema_number, country=about.country, club=about.club)
        for row in standings.rows
        for about in (people[row.number],)
    ]


def list_round_results(event: Event, rounds: tuple[int, ...]) -> list[RoundResultRow]:
    """List the finished tables of these rounds for the workbook; five queries."""
    tables = load_tables(event, rounds=rounds)
    return [
        RoundResultRow(number, tuple(_table_row(table) for table in tables if table.round == number))
        for number in rounds
    ]


def list_penalty_rows(event: Event, rounds: tuple[int, ...] | None = None) -> list[PenaltySheetRow]:
    """List the penalties for print and files, cancelled ones among them: of these rounds and of none, or all."""
    tables = load_tables(event, rounds=rounds)
    return [
        PenaltySheetRow(
            given_at=row.at,
            round=row.round,
            name=row.name,
            points=row.points,
            reason=row.reason,
            clause=row.clause,
            given_by=row.by,
            table=row.table,
            kind=str(row.kind),
            cancelled=row.cancelled,
            cancel_reason=row.cancel_reason,
            amount_reason=row.amount_reason,
        )
        for row in list_penalties(event, tables, rounds=rounds)
    ]


def print_name(event: Event, what: str, made_at: dt.datetime, suffix: str) -> str:
    """Name a file: event, what it is, and when it was made."""
    return f"{event.slug}-{what}-{made_at:%Y%m%d-%H%M}.{suffix}"


def _round_row(row: DrawnRound) -> RoundRow:
    tables = tuple(
        TableRow(table.number, tuple(SeatRow(player.seat, player.name, player.number) for player in table.seats))
        for table in row.tables
    )
    return RoundRow(row.number, tables, row.seed, row.origin)


def _table_row(table: LoadedTable) -> TableResultRow:
    games = tuple(
        GameSheetRow(
            seat=game.player.seat,
            name=game.player.name,
            points=game.score,
            place=game.place,
            shared=game.shared,
            uma=game.uma,
            result=game.result,
            substitute=_substitute(game),
            ranked=game.player.ranked,
        )
        for game in table.seat_games
    )
    return TableResultRow(table.number, games, table.final.leftover)


def _substitute(game: SeatGame) -> str:
    """Return who played instead of a seat's player, "" where the player did; nobody named is a dash."""
    return (game.substitute.name or NOBODY) if game.substitute else ""
