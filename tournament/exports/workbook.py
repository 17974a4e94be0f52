"""The results of an event as an xlsx workbook: standings, every round, every table, penalties.

It writes what it is given in the order given, points as whole numbers; it never ranks, adds up or rounds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from openpyxl import Workbook

from tournament.exports.cells import Place, SheetColumn, Value, add_sheet, save_book
from tournament.selectors.teams import TeamMember, TeamRow
from tournament.sheets.figures import KIND_WORDS, WINDS, count_text, date_text, moment_text
from tournament.sheets.rows import EventHead, PenaltySheetRow, StandingSheetRow

_Rows = list[Sequence[Value | Place]]


@dataclass(frozen=True, slots=True)
class GameSheetRow:
    """One player's game: seat from 0, final points, place at the table, uma, result before penalties.

    Where a `substitute` played it, result and uma are the player's own, and there is no place.
    """

    seat: int
    name: str
    points: int
    place: int | None
    shared: bool
    uma: int
    result: int
    substitute: str = ""
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class TableResultRow:
    """One finished table in seat order; `leftover` are points on the table that nobody got."""

    number: int
    games: tuple[GameSheetRow, ...]
    leftover: int = 0


@dataclass(frozen=True, slots=True)
class RoundResultRow:
    """One round's finished tables."""

    number: int
    tables: tuple[TableResultRow, ...]


@dataclass(frozen=True, slots=True)
class PlayerSheetRow:
    """What is known of a player beside the name; the EMA number is text of eight digits."""

    name: str
    ema_number: str
    country: str
    club: str


def results_workbook(
    head: EventHead,
    standings: Sequence[StandingSheetRow],
    rounds: Sequence[RoundResultRow],
    *,
    penalties: Sequence[PenaltySheetRow] = (),
    players: Sequence[PlayerSheetRow] = (),
    teams: Sequence[TeamRow] = (),
) -> bytes:
    """Make the workbook. With `players` the standings carry EMA number, country and club, matched by name.

    Times are shown in the zone of `head.printed_at`. The same rows give the same bytes.
    """
    book = Workbook()
    book.remove(book.worksheets[0])
    book.properties.title = head.name
    book.properties.creator = "Hanchan Desk"
    _add_standings(book, head, standings, _by_unique_name(players))
    _add_rounds(book, head, rounds)
    _add_tables(book, head, rounds)
    _add_penalties(book, head, penalties)
    if teams:
        _add_teams(book, head, teams)
    return save_book(book, head.printed_at)


def _add_standings(
    book: Workbook, head: EventHead, standings: Sequence[StandingSheetRow], players: Mapping[str, PlayerSheetRow]
) -> None:
    played = max((len(row.results) for row in standings), default=0)
    cut = any(row.carried for row in standings)
    columns = [
        SheetColumn("Place", "count"),
        SheetColumn("Name", "text"),
        *([SheetColumn(heading, "text") for heading in ("EMA number", "Country", "Club")] if players else []),
        SheetColumn("Total", "result"),
        SheetColumn("Games", "count"),
        SheetColumn("Penalties", "points"),
        *(SheetColumn(f"Round {number}", "result") for number in range(1, played + 1)),
        *([SheetColumn("Carried", "text")] if cut else []),
    ]
    rows: _Rows = [
        [
            Place(row.rank, row.shared),
            row.name,
            *_about(players.get(row.name), wanted=bool(players)),
            row.total,
            row.games,
            row.penalties,
            *row.results,
            *[None] * (played - len(row.results)),
            *([_carried(row)] if cut else []),
        ]
        for row in standings
    ]
    note = "results in points after uma; total = results − penalties"
    note += " from a cut on, and what was carried before it" if cut else ""
    add_sheet(book, "Standings", _lines(head, note), columns, rows, frozen_columns=2)


def _by_unique_name(players: Sequence[PlayerSheetRow]) -> dict[str, PlayerSheetRow]:
    """Key players by name, without those who share one (removed people do): rather no number than another's."""
    count = Counter(player.name for player in players)
    return {player.name: player for player in players if count[player.name] == 1}


def _about(player: PlayerSheetRow | None, *, wanted: bool) -> list[Value]:
    if not wanted:
        return []
    return [player.ema_number, player.country, player.club] if player else [None, None, None]


def _add_teams(book: Workbook, head: EventHead, teams: Sequence[TeamRow]) -> None:
    columns = [
        SheetColumn("Place", "count"),
        SheetColumn("Team", "text"),
        SheetColumn("Total", "result"),
        SheetColumn("Players", "text"),
    ]
    rows: _Rows = [
        [Place(row.rank, row.shared), row.team, row.total, ", ".join(_member(each) for each in row.members)]
        for row in teams
    ]
    add_sheet(book, "Teams", _lines(head, "the best members of each team"), columns, rows, frozen_columns=2)


def _member(member: TeamMember) -> str:
    return f"{member.name} {count_text(member.total)}" + ("" if member.counts else " (does not count)")


def _carried(row: StandingSheetRow) -> str | None:
    """Say what each cut left of somebody's points."""
    said = (f"{count_text(points)} of {count_text(of)} after round {after}" for points, of, after in row.carried)
    return "; ".join(said) or None


def _add_rounds(book: Workbook, head: EventHead, rounds: Sequence[RoundResultRow]) -> None:
    columns = [
        SheetColumn("Round", "count"),
        SheetColumn("Name", "text"),
        SheetColumn("Table", "count"),
        SheetColumn("Seat", "text"),
        SheetColumn("Points", "points"),
        SheetColumn("Place", "count"),
        SheetColumn("Uma", "result"),
        SheetColumn("Result", "result"),
    ]
    games = list(_games_by_round(rounds))
    remarked = any(_remark(game) for _number, _table, game in games)
    rows: _Rows = [
        [
            number, game.name, table, WINDS[game.seat].word, game.points,
            Place(game.place, game.shared) if game.place else None, game.uma, game.result,
            *([_remark(game)] if remarked else []),
        ]
        for number, table, game in games
    ]  # fmt: skip
    columns += [SheetColumn("Remark", "text")] if remarked else []
    add_sheet(book, "By round", _lines(head, "each round, best result first"), columns, rows, frozen_columns=2)


def _remark(game: GameSheetRow) -> str | None:
    """Say of a game why it is no ordinary one: somebody else played it, or the player is not ranked."""
    if game.substitute:
        return f"substitute: {game.substitute}"
    return None if game.ranked else "not ranked"


def _games_by_round(rounds: Sequence[RoundResultRow]) -> Iterator[tuple[int, int, GameSheetRow]]:
    for of_round in rounds:
        games = [(table.number, game) for table in of_round.tables for game in table.games]
        for table, game in sorted(games, key=lambda pair: (-pair[1].result, pair[0], pair[1].seat)):
            yield of_round.number, table, game


def _add_tables(book: Workbook, head: EventHead, rounds: Sequence[RoundResultRow]) -> None:
    columns = [
        SheetColumn("Round", "count"),
        SheetColumn("Table", "count"),
        *(
            column
            for wind in WINDS[: head.players_per_table]
            for column in (SheetColumn(wind.word, "text"), SheetColumn(f"Points {wind.letter}", "points"))
        ),
        SheetColumn("Leftover", "points"),
    ]
    rows: _Rows = []
    for of_round in rounds:
        for table in of_round.tables:
            games = {game.seat: (game.name, game.points) for game in table.games}
            pairs = [games.get(seat, (None, None)) for seat in range(head.players_per_table)]
            rows.append([of_round.number, table.number, *chain.from_iterable(pairs), table.leftover])
    note = "final points of each seat; leftover: points that nobody got"
    add_sheet(book, "By table", _lines(head, note), columns, rows, frozen_columns=2)


def _add_penalties(book: Workbook, head: EventHead, penalties: Sequence[PenaltySheetRow]) -> None:
    columns = [
        SheetColumn("Given at", "moment"),
        SheetColumn("Round", "count"),
        SheetColumn("Table", "count"),
        SheetColumn("Name", "text"),
        SheetColumn("Kind", "text"),
        SheetColumn("Points", "points"),
        SheetColumn("Reason", "text"),
        SheetColumn("Clause", "text"),
        SheetColumn("Given by", "text"),
        SheetColumn("Cancelled", "text"),
    ]
    zone = head.printed_at.tzinfo
    rows: _Rows = [
        [
            # the format knows no time zones
            row.given_at.astimezone(zone).replace(tzinfo=None, microsecond=0),
            row.round, row.table, row.name, KIND_WORDS[row.kind], None if row.cancelled else row.points, _reason(row),
            row.clause, row.given_by, _cancelled(row),
        ]
        for row in penalties
    ]  # fmt: skip
    note = "points off the total, after uma" if penalties else "none"
    add_sheet(book, "Penalties", _lines(head, note), columns, rows, frozen_columns=0)


def _reason(row: PenaltySheetRow) -> str:
    """Say what it was for, and why it costs another amount than usual."""
    return f"{row.reason}; amount: {row.amount_reason}" if row.amount_reason else row.reason


def _cancelled(row: PenaltySheetRow) -> str | None:
    """Say what was cancelled and why: it counts no more, so it stands in no column that somebody may add up."""
    return f"{count_text(row.points)} points: {row.cancel_reason}" if row.cancelled else None


def _lines(head: EventHead, note: str) -> tuple[str, str]:
    about = (date_text(head.date), head.ruleset_title, note, f"made {moment_text(head.printed_at)}")
    return head.name, " · ".join(about)
