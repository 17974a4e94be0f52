"""What can be printed: each sheet with its name, its rows and whether it is a booklet. It reads, and writes nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models import Event
from tournament.selectors.draws.seating import get_draw
from tournament.selectors.files import paper as rows
from tournament.selectors.people.players import list_players
from tournament.selectors.public.standings import Standings, get_released_standings, get_standings
from tournament.selectors.rounds.clock import list_round_times
from tournament.sheets.alllast import all_last_leaves
from tournament.sheets.call_slip import call_slip_leaves, empty_slip
from tournament.sheets.cards import badges_leaves, player_cards_leaves, table_tents_leaves
from tournament.sheets.penalties import fouls_leaves, penalties_leaves, penalty_slips_leaves
from tournament.sheets.render import Leaves
from tournament.sheets.report import report_leaves, totals_leaves
from tournament.sheets.results import certificates_leaves, event_log_leaves, results_leaves, standings_leaves
from tournament.sheets.rows import BadgeRow, EventHead, RoundRow
from tournament.sheets.seating import poster_leaves, seating_leaves
from web.paper.paper_rows import foul_sections, log_rounds, result_rounds


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody wants printed: of which event and round, for codes below which address, and the best how many."""

    event: Event
    head: EventHead
    round: int
    base: str
    best: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of sheet. `make` raises ValueError or Http404 where there is nothing to print."""

    title: Callable[[], str]
    about: Callable[[], str]
    make: Callable[[Ask], Leaves]
    by_round: bool = False
    booklet: bool = False


def _drawn(ask: Ask, number: int | None = None) -> list[RoundRow]:
    """Return the rounds that are drawn, or one of them; raises Http404 where there are none."""
    drawn = [row for row in get_draw(ask.event).rounds if number is None or row.number == number]
    if not drawn:
        raise Http404(_("No seats are drawn yet."))
    return drawn


def _addresses(ask: Ask, played: RoundRow) -> dict[int, str]:
    """Return where the desk enters each table of a round, as codes on paper open it."""
    return {
        table.number: ask.base + reverse("desk:table", args=[ask.event.slug, played.number, table.number])
        for table in played.tables
    }


def _seating(parts: str) -> Callable[[Ask], Leaves]:
    return lambda ask: seating_leaves(ask.head, tuple(_drawn(ask)), parts)


def _report_sheets(ask: Ask) -> Leaves:
    (played,) = _drawn(ask, ask.round)
    return report_leaves(ask.head, played, _addresses(ask, played))


def _result_sheets(ask: Ask) -> Leaves:
    (played,) = _drawn(ask, ask.round)
    return totals_leaves(ask.head, played, _addresses(ask, played))


def _player_cards(ask: Ask) -> Leaves:
    starts = {each.number: each.planned for each in list_round_times(ask.event) if each.planned}
    return player_cards_leaves(ask.head, _drawn(ask), starts)


def _badges(ask: Ask) -> Leaves:
    return badges_leaves([BadgeRow(row.name, row.number, row.country, row.club) for row in list_players(ask.event)])


def _table_tents(ask: Ask) -> Leaves:
    return table_tents_leaves(max((table.number for row in _drawn(ask) for table in row.tables), default=0))


def _ranking(ask: Ask, standings: Standings) -> Leaves:
    return standings_leaves(ask.head, standings.rows, max(standings.rounds, default=0))


def _certificates(ask: Ask) -> Leaves:
    return certificates_leaves(get_released_standings(ask.event).rows, ask.best)


SHEETS: dict[str, Sheet] = {
    "seating": Sheet(
        lambda: _("Seating list"),
        lambda: _("All rounds by table and by player, with the seed of the draw. For the wall."),
        _seating("both"),
    ),
    "seating-by-table": Sheet(lambda: _("By table"), lambda: "", _seating("tables")),
    "seating-by-player": Sheet(lambda: _("By player"), lambda: "", _seating("players")),
    "seating-poster": Sheet(
        lambda: _("Wall poster"),
        lambda: _("One round in large letters, ten tables to a page."),
        lambda ask: poster_leaves(ask.head, _drawn(ask, ask.round)[0]),
        by_round=True,
    ),
    "player-cards": Sheet(
        lambda: _("Player cards"),
        lambda: _("Nine to a page, to be cut: each player’s tables and seats of all rounds."),
        _player_cards,
        booklet=True,
    ),
    "badges": Sheet(lambda: _("Badges"), lambda: _("Ten to a page, to be cut, 90 mm wide."), _badges, booklet=True),
    "table-signs": Sheet(
        lambda: _("Table signs"),
        lambda: _("One page a table, folded across the middle, so that the number is read from both sides."),
        _table_tents,
        booklet=True,
    ),
    "report-sheets": Sheet(
        lambda: _("Report sheets"),
        lambda: _(
            "One page a table with names and seats, a line for every hand, the sum, the signatures, and a code that "
            "opens the table’s page."
        ),
        _report_sheets,
        by_round=True,
        booklet=True,
    ),
    "result-sheets": Sheet(
        lambda: _("Result sheets"),
        lambda: _("The same without hands: two to a page, to be cut."),
        _result_sheets,
        by_round=True,
        booklet=True,
    ),
    "all-last": Sheet(
        lambda: _("All-last sheets"),
        lambda: _("Two to a page, to be cut: every player writes the score before the last hand."),
        lambda ask: all_last_leaves(ask.head, _drawn(ask, ask.round)[0]),
        by_round=True,
        booklet=True,
    ),
    "fouls": Sheet(
        lambda: _("Fouls"),
        lambda: _("The foul catalogue with this event’s amounts on one page, for the referees’ table."),
        lambda ask: fouls_leaves(foul_sections(ask.event)),
    ),
    "call-slip": Sheet(
        lambda: _("Call slips"),
        lambda: _(
            "An empty slip for a referee's calls. With a counted hand on it: from Count tiles on the page of a table."
        ),
        lambda ask: call_slip_leaves([empty_slip(ask.head.players_per_table)]),
    ),
    "penalty-slips": Sheet(
        lambda: _("Penalty slips"), lambda: _("Four to a page, to be cut and filled in by hand."),
        lambda _ask: penalty_slips_leaves(),
    ),
    "penalties": Sheet(
        lambda: _("Penalties"),
        lambda: _("The register with reason, giver and time, for the referees' table."),
        lambda ask: penalties_leaves(ask.head, rows.list_penalty_rows(ask.event)),
    ),
    "standings": Sheet(
        lambda: _("Standings"),
        lambda: _("After the released rounds."),
        lambda ask: _ranking(ask, get_standings(ask.event)),
    ),
    "standings-held": Sheet(
        lambda: _("Standings"),
        lambda: _("After the released rounds."),
        lambda ask: _ranking(ask, get_released_standings(ask.event)),
    ),
    "results": Sheet(
        lambda: _("Results by round"),
        lambda: _("Every table of the rounds that the public sees: points, place, uma, result."),
        lambda ask: results_leaves(result_rounds(ask.event)),
        booklet=True,
    ),
    "certificates": Sheet(
        lambda: _("Certificates"),
        lambda: _("For the first three, held results among them."),
        _certificates,
        booklet=True,
    ),
    "event-log": Sheet(
        lambda: _("Event log"),
        lambda: _("Every hand of every table as it was entered, with corrections. For the archive, not for the wall."),
        lambda ask: event_log_leaves(ask.head, log_rounds(ask.event)),
        booklet=True,
    ),
}  # fmt: skip
ON_PAGE: tuple[tuple[Callable[[], str], tuple[str, ...]], ...] = (
    (lambda: _("Before the event"), ("seating", "seating-poster", "player-cards", "badges", "table-signs")),
    (lambda: _("For the tables"), ("report-sheets", "result-sheets", "all-last")),
    (lambda: _("For the referees"), ("fouls", "call-slip", "penalty-slips", "penalties")),
    (lambda: _("Results"), ("standings", "results", "certificates", "event-log")),
)
BESIDE = {"seating": ("seating-by-table", "seating-by-player")}


def paper_sections(event: Event, rounds: Sequence[int], now: int) -> list[dict[str, Any]]:
    """Return the sections of the page of what can be printed, each sheet with its buttons; no query."""
    return [{"title": title(), "sheets": [_item(event, key, rounds, now) for key in keys]} for title, keys in ON_PAGE]


def _item(event: Event, key: str, rounds: Sequence[int], now: int) -> dict[str, Any]:
    sheet = SHEETS[key]
    address = _address(event, key)
    if sheet.by_round:
        buttons = [
            {"url": f"{address}?round={number}", "name": _("Round %(number)d") % {"number": number},
             "main": number == now}
            for number in rounds
        ]  # fmt: skip
    else:
        buttons = [{"url": address, "name": sheet.title(), "main": False}]
    buttons += [{"url": _address(event, other), "name": SHEETS[other].title()} for other in BESIDE.get(key, ())]
    if key == "certificates":
        buttons.append({"url": f"{address}?all=1", "name": _("For everybody")})
    return {"key": key, "title": sheet.title(), "about": sheet.about(), "buttons": buttons}


def _address(event: Event, key: str) -> str:
    return reverse("desk:booklet" if SHEETS[key].booklet else "desk:print", args=[event.slug, key])
