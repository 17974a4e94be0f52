"""Write results as csv that tournament/imports reads back, as a workbook, and as the Mahjong Tournament Engine does.

Headings of csv are English and points whole numbers; a text that a spreadsheet would run gets an apostrophe.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.pages.spreadsheets import Kind, Sheet, SheetColumn, Value
from tournament.penalties.messages import PENALTY_COLUMNS
from tournament.standings.columns import StandingRow, columns_for
from tournament.tables.rows import EventHead, GameRow, PenaltyRow, ResultRound, StatisticRow, TeamMember, TeamRow
from tournament.text.numbers import WINDS, Place, date_text, out_text, points, stamp_text

_SHEET_KINDS: Mapping[str, Kind] = {"place": "count", "count": "count", "penalty": "points", "result": "result"}
_Rows = list[Sequence[Value | Place]]


def results_sheets(
    head: EventHead,
    standings: Sequence[StandingRow],
    rounds: Sequence[ResultRound],
    *,
    hands: Collection[Sequence[Value]] = (),
    penalties: Sequence[PenaltyRow] = (),
    statistics: Sequence[StatisticRow] = (),
    teams: Sequence[TeamRow] = (),
    disqualified: Sequence[str] = (),
) -> list[Sheet]:
    """Return the worksheets of the workbook of results.

    Times are shown in the zone of `head.printed_at`.
    """
    return [
        _standings(head, standings, disqualified),
        _rounds(head, rounds),
        _tables(head, rounds),
        _hands(head, hands),
        _penalties(head, penalties),
        _statistics(head, statistics),
        *([_teams(head, teams)] if teams else []),
    ]


def _standings(head: EventHead, standings: Sequence[StandingRow], disqualified: Sequence[str]) -> Sheet:
    rounds = range(1, max((len(row.results) for row in standings), default=0) + 1)
    columns = columns_for("xlsx", standings, rounds)
    headings = [SheetColumn(column.title(), _SHEET_KINDS.get(column.kind, "text")) for column in columns]
    rows: _Rows = [[column.cell(row) for column in columns] for row in standings]
    note = _("results in points after uma; total = results − penalties")
    if any(row.carried for row in standings):
        note = _(
            "results in points after uma; total = results − penalties from a cut on, and what was carried before it"
        )
    if disqualified:
        note = f"{note}; {out_text(disqualified)}"
    return Sheet(_("Standings"), _lines(head, note), headings, rows, frozen_columns=2)


def _teams(head: EventHead, teams: Sequence[TeamRow]) -> Sheet:
    columns = [
        SheetColumn(_("Place"), "count"),
        SheetColumn(_("Team"), "text"),
        SheetColumn(_("Total"), "result"),
        SheetColumn(_("Players"), "text"),
    ]
    rows: _Rows = [
        [Place(row.rank, row.shared), row.team, row.total, ", ".join(_member(each) for each in row.members)]
        for row in teams
    ]
    return Sheet(_("Teams"), _lines(head, _("the best members of each team")), columns, rows, frozen_columns=2)


def _member(member: TeamMember) -> str:
    said = {"name": member.name, "points": points(member.total)}
    return f"{member.name} {said['points']}" if member.counts else _("%(name)s %(points)s (does not count)") % said


def _rounds(head: EventHead, rounds: Sequence[ResultRound]) -> Sheet:
    columns = [
        SheetColumn(_("Round"), "count"),
        SheetColumn(_("Name"), "text"),
        SheetColumn(_("Table"), "count"),
        SheetColumn(pgettext("column", "Seat"), "text"),  # not the word for a rank
        SheetColumn(_("Points"), "points"),
        SheetColumn(_("Place"), "count"),
        SheetColumn(_("Uma"), "result"),
        SheetColumn(_("Result"), "result"),
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
    columns += [SheetColumn(_("Remark"), "text")] if remarked else []
    return Sheet(_("By round"), _lines(head, _("each round, best result first")), columns, rows, frozen_columns=2)


def _remark(game: GameRow) -> str | None:
    """Say of a game why it is no ordinary one: somebody else played it, or the player is not ranked."""
    if game.substitute:
        return _("substitute: %(name)s") % {"name": game.substitute}
    return None if game.ranked else _("not ranked")


def _games_by_round(rounds: Sequence[ResultRound]) -> Iterator[tuple[int, int, GameRow]]:
    for of_round in rounds:
        games = [(table.number, game) for table in of_round.tables for game in table.games]
        for table, game in sorted(games, key=lambda pair: (-pair[1].result, pair[0], pair[1].seat)):
            yield of_round.number, table, game


def _tables(head: EventHead, rounds: Sequence[ResultRound]) -> Sheet:
    columns = [
        SheetColumn(_("Round"), "count"),
        SheetColumn(_("Table"), "count"),
        *(
            column
            for wind in WINDS[: head.players_per_table]
            for column in (
                SheetColumn(wind.word, "text"),
                SheetColumn(_("Points %(wind)s") % {"wind": wind.letter or wind.sign}, "points"),
            )
        ),
        SheetColumn(_("Leftover"), "points"),
    ]
    rows: _Rows = []
    for of_round in rounds:
        for table in of_round.tables:
            games = {game.seat: (game.name, game.points) for game in table.games}
            pairs = [games.get(seat, (None, None)) for seat in range(head.players_per_table)]
            rows.append([of_round.number, table.number, *chain.from_iterable(pairs), table.leftover])
    note = _("final points of each seat; leftover: points that nobody got")
    return Sheet(_("By table"), _lines(head, note), columns, rows, frozen_columns=2)


def _hands(head: EventHead, rows: Collection[Sequence[Value]]) -> Sheet:
    winds = [wind.letter or wind.sign for wind in WINDS[: head.players_per_table]]
    columns = [
        SheetColumn(_("Round"), "count"),
        SheetColumn(_("Table"), "count"),
        SheetColumn(_("Number"), "count"),
        SheetColumn(_("Hand"), "text"),
        SheetColumn(_("Honba"), "count"),
        SheetColumn(_("Riichi sticks"), "count"),
        SheetColumn(_("What happened"), "sentence"),
        SheetColumn(_("Value"), "text"),
        SheetColumn(_("Riichi"), "sentence"),
        *(SheetColumn(_("Change %(wind)s") % {"wind": wind}, "result") for wind in winds),
        *(SheetColumn(_("Points %(wind)s") % {"wind": wind}, "points") for wind in winds),
        SheetColumn(_("Remark"), "sentence"),
    ]
    note = _("change and points after each hand, by seat from first East on") if rows else _("none")
    return Sheet(pgettext("worksheet", "Hands"), _lines(head, note), columns, rows, frozen_columns=4)


def _statistics(head: EventHead, rows: Sequence[StatisticRow]) -> Sheet:
    columns = [
        SheetColumn(_("Name"), "text"),
        SheetColumn(_("Games"), "count"),
        *(
            SheetColumn(_("Place %(number)d") % {"number": place}, "count")
            for place in range(1, head.players_per_table + 1)
        ),
        SheetColumn(_("Hands"), "count"),
        SheetColumn(_("Wins by ron"), "count"),
        SheetColumn(_("Wins by tsumo"), "count"),
        SheetColumn(_("Points won"), "points"),
        SheetColumn(_("Deal-ins"), "count"),
        SheetColumn(_("Points dealt in"), "points"),
        SheetColumn(_("Riichi"), "count"),
        SheetColumn(_("Riichi won"), "count"),
        SheetColumn(_("Tenpai at a draw"), "count"),
        SheetColumn(_("Noten at a draw"), "count"),
        SheetColumn(_("Hands as dealer"), "count"),
        SheetColumn(_("Chombo"), "count"),
        SheetColumn(_("Best hand"), "result"),
    ]
    written: _Rows = [
        [
            row.name, row.games, *row.places, stats.hands, stats.ron_wins, stats.tsumo_wins, stats.win_points,
            stats.deal_ins, stats.deal_in_points, stats.riichi, stats.riichi_won, stats.tenpai, stats.noten,
            stats.dealer_hands, stats.chombo, stats.best.figure if stats.best else None,
        ]
        for row in rows
        for stats in (row.stats,)
    ]  # fmt: skip
    note = _("from hands as entered; honba and riichi sticks are not part of a hand's points")
    return Sheet(_("Statistics"), _lines(head, note), columns, written, frozen_columns=1)


def _penalties(head: EventHead, penalties: Sequence[PenaltyRow]) -> Sheet:
    columns = [SheetColumn(column.heading(), column.kind) for column in PENALTY_COLUMNS.values()]
    zone = head.printed_at.tzinfo
    # the format knows no time zones
    local = [replace(row, at=row.at.astimezone(zone).replace(tzinfo=None, microsecond=0)) for row in penalties]
    rows: _Rows = [[column.value(row) for column in PENALTY_COLUMNS.values()] for row in local]
    note = _("points off the total, after uma") if penalties else _("none")
    return Sheet(_("Penalties"), _lines(head, note), columns, rows)


def _lines(head: EventHead, note: str) -> tuple[str, str]:
    about = (
        date_text(head.date),
        head.ruleset_title,
        note,
        _("made %(when)s") % {"when": stamp_text(head.printed_at)},
    )
    return head.name, " · ".join(about)
