"""The sheets that can be printed, each with its texts and rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.http import Http404
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.fouls import Catalogue
from scoring.sticks import stick_set
from tournament.events.models import Event
from tournament.paper.all_last import all_last_leaves
from tournament.paper.call_slip import call_slip_leaves, empty_slip
from tournament.paper.event_log import event_log_leaves
from tournament.paper.handouts import (
    badges_leaves,
    differences_sheet,
    house_rules_sheet,
    markers_leaves,
    player_cards_leaves,
    pocket_cards_leaves,
    sticks_leaves,
    table_setup_sheet,
    table_tents_leaves,
    values_leaves,
    yaku_leaves,
)
from tournament.paper.queries import list_penalty_rows, load_round_results, log_rounds
from tournament.paper.rows import RecordMark
from tournament.paper.sheets import (
    certificates_leaves,
    fouls_leaves,
    penalties_leaves,
    penalty_slips_leaves,
    poster_leaves,
    report_leaves,
    results_leaves,
    seating_leaves,
    standings_leaves,
    totals_leaves,
)
from tournament.pdf.render import Leaves
from tournament.penalties.messages import say_short
from tournament.penalties.queries import get_catalogue
from tournament.players.queries import list_players
from tournament.record.queries import get_head
from tournament.record.views import record_address
from tournament.seating.queries import get_draw
from tournament.standings.queries import Standings, get_released_standings, get_standings, list_disqualified
from tournament.tables.messages import seated_now
from tournament.tables.queries import load_tables
from tournament.tables.round_queries import list_round_times
from tournament.tables.rows import BadgeRow, EventHead, FoulRow, FoulSection, ResultRound, RoundRow, TableRow
from tournament.text.fouls import say_fouls
from tournament.text.rules import say_source
from tournament.text.values import value_sheet, yaku_sheet


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """A request to print: event and round, the address below which codes lead, and how many certificates (0: all)."""

    event: Event
    head: EventHead
    round: int
    base: str
    best: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A kind of sheet. `make` raises ValueError or Http404 where there is nothing to print.

    One that is `of_rules` can be printed before seats are drawn, one by round with `all_rounds` of the event, too.
    """

    title: str | Promise
    about: str | Promise
    make: Callable[[PrintRequest], Leaves]
    by_round: bool = False
    booklet: bool = False
    of_rules: bool = False
    all_rounds: bool = False


def _fouls(catalogue: Catalogue) -> Leaves:
    """Return the foul catalogue; its source is put into words here: the process that prints knows no tag of ours."""
    return fouls_leaves(foul_sections(catalogue), say_source(catalogue.derived) if catalogue.derived else "")


def _drawn(ask: PrintRequest, number: int | None = None) -> list[RoundRow]:
    """Return the drawn rounds, or the one with this number; raises Http404 for none."""
    drawn = [row for row in get_draw(ask.event).rounds if number is None or row.number == number]
    if not drawn:
        raise Http404(_("No seats are drawn yet."))
    return drawn


def _sitting(ask: PrintRequest) -> tuple[EventHead, RoundRow, dict[int, str]]:
    """Return the head, the round with those who sit there now, and what the code on paper opens, by table.

    Substitutes sign the sheets.
    """
    (played,) = _drawn(ask, ask.round)
    tables = tuple(
        TableRow(table.number, tuple(seated_now(table))) for table in load_tables(ask.event, rounds=[played.number])
    )
    addresses = {
        table.number: ask.base + reverse("desk:table", args=[ask.event.slug, played.number, table.number])
        for table in played.tables
    }
    return ask.head, replace(played, tables=tables), addresses


def _seating(parts: str) -> Callable[[PrintRequest], Leaves]:
    return lambda ask: seating_leaves(ask.head, tuple(_drawn(ask)), parts)


def _whole_round(ask: PrintRequest) -> Leaves:
    """Return poster, report sheets and all-last sheets of a round, as they are handed out."""
    (played,) = _drawn(ask, ask.round)
    return replace(
        poster_leaves(ask.head, played), then=(report_leaves(*_sitting(ask)), all_last_leaves(ask.head, played))
    )


def _player_cards(ask: PrintRequest) -> Leaves:
    starts = {each.number: each.planned for each in list_round_times(ask.event) if each.planned}
    return player_cards_leaves(ask.head, _drawn(ask), starts)


def _ranking(ask: PrintRequest, standings: Standings) -> Leaves:
    out = list_disqualified(standings)
    as_of = max(standings.rounds, default=0)
    return standings_leaves(ask.head, standings.rows, as_of, disqualified=out, record=_record(ask))


def _record(ask: PrintRequest) -> RecordMark | None:
    head = get_head(ask.event)
    if head is None:
        return None
    base = ask.event.other_address.rstrip("/") or ask.base  # at the relay, where there is one: paper outlives the hall
    return RecordMark(head.words, base + record_address(ask.event, head))


def _results(ask: PrintRequest) -> Leaves:
    """Return the results by round; of an open event, where a table is a round, all tables in one list."""
    rounds = load_round_results(ask.event, get_standings(ask.event).rounds)
    if ask.event.is_open:
        rounds = [ResultRound(0, tuple(replace(table, number=each.number) for each in rounds for table in each.tables))]
    return results_leaves(rounds, record=_record(ask))


def _certificates(ask: PrintRequest) -> Leaves:
    standings = get_released_standings(ask.event)
    return certificates_leaves(ask.head, standings.rows, max(standings.rounds, default=0), ask.best)


def _sticks(ask: PrintRequest) -> Leaves:
    sets = [stick_set(ask.head.start_points, five_hundreds=those) for those in (True, False)]
    drawn = max((table.number for row in get_draw(ask.event).rounds for table in row.tables), default=0)
    tables = drawn or len(list_players(ask.event)) // ask.head.players_per_table
    brought = sum(row["sticks"] for row in ask.event.equipment) if ask.event.equipment else None
    return sticks_leaves(ask.head, [each for each in sets if each], tables, brought)


SHEETS: dict[str, Sheet] = {
    "values": Sheet(
        _("Table of values"),
        _("What each hand pays by this event’s rules, on one page; and four pocket cards to a page, to be cut."),
        lambda ask: values_leaves(value_sheet(ask.event.ruleset)),
        of_rules=True,
    ),
    "pocket-cards": Sheet(
        _("Pocket cards"), "", lambda ask: pocket_cards_leaves(value_sheet(ask.event.ruleset)), of_rules=True
    ),
    "yaku": Sheet(
        _("List of yaku"),
        _("The yaku that this event plays, closed and open, with examples, and the kinds of dora."),
        lambda ask: yaku_leaves(yaku_sheet(ask.event.ruleset)),
        of_rules=True,
    ),
    "sticks": Sheet(
        _("Point sticks"),
        _("How many sticks and markers each table needs; and markers to be printed on card and cut."),
        _sticks,
        of_rules=True,
    ),
    "markers": Sheet(
        _("Markers"),
        "",
        lambda ask: markers_leaves(ask.head, ask.event.ruleset.rounds + ask.event.ruleset.extra_rounds),
        of_rules=True,
    ),
    "seating": Sheet(
        _("Seating list"),
        _("All rounds by table, then by player. For the wall."),
        _seating("both"),
    ),
    "seating-by-table": Sheet(_("By table"), "", _seating("tables")),
    "seating-by-player": Sheet(_("By player"), "", _seating("players")),
    "seating-poster": Sheet(
        _("Wall poster"),
        _("One round in large letters, ten tables to a page."),
        lambda ask: poster_leaves(ask.head, _drawn(ask, ask.round)[0]),
        by_round=True,
    ),
    "player-cards": Sheet(
        _("Player cards"),
        _("Nine to a page, to be cut: each player’s tables and seats of all rounds."),
        _player_cards,
        booklet=True,
    ),
    "badges": Sheet(
        _("Badges"),
        _("Ten to a page, to be cut, 90 mm wide."),
        lambda ask: badges_leaves(
            [BadgeRow(row.name, row.number, row.country, row.club) for row in list_players(ask.event)]
        ),
        booklet=True,
    ),
    "table-signs": Sheet(
        _("Table signs"),
        _("One page per table, folded across the middle, so that the number is read from both sides."),
        lambda ask: table_tents_leaves(max(table.number for row in _drawn(ask) for table in row.tables)),
        booklet=True,
    ),
    "whole-round": Sheet(
        _("Everything for the round"),
        _("Wall poster, report sheets and all-last sheets of one round in one booklet."),
        _whole_round,
        by_round=True,
        booklet=True,
    ),
    "report-sheets": Sheet(
        _("Report sheets"),
        _(
            "One page per table with names and seats, a line for every hand, the sum, the signatures, and a code that "
            "opens the table’s page."
        ),
        lambda ask: report_leaves(*_sitting(ask)),
        by_round=True,
        booklet=True,
    ),
    "result-sheets": Sheet(
        _("Result sheets"),
        _("The same without hands: two to a page, to be cut."),
        lambda ask: totals_leaves(*_sitting(ask)),
        by_round=True,
        booklet=True,
    ),
    "all-last": Sheet(
        _("All-last sheets"),
        _("Two to a page, to be cut: every player writes the score before the last hand."),
        lambda ask: all_last_leaves(ask.head, _drawn(ask, ask.round)[0]),
        by_round=True,
        booklet=True,
    ),
    "differences": Sheet(
        _("What is different here"),
        _("Every rule and foul that differs from the event's rule set, or from the one it is compared with."),
        lambda ask: differences_sheet(ask.event),
    ),
    "house-rules": Sheet(
        _("House rules"),
        _("The event's own text, in large letters."),
        lambda ask: house_rules_sheet(ask.event),
    ),
    "table-setup": Sheet(
        _("Setting up a table"),
        _("Walls, dead wall, dora indicator and deal by the event's rule set, with a picture."),
        lambda ask: table_setup_sheet(ask.event),
    ),
    "fouls": Sheet(
        _("Fouls and penalties"),
        _("The foul catalogue with this event’s amounts and its notes, for the referees’ table."),
        lambda ask: _fouls(say_fouls(get_catalogue(ask.event))),
        of_rules=True,
    ),
    "call-slip": Sheet(
        _("Call slips"),
        _(
            "An empty slip for a referee's calls. With a counted hand on it: from Count tiles on the page of a table."
        ),
        lambda ask: call_slip_leaves([empty_slip(ask.head.players_per_table)]),
        of_rules=True,
    ),
    "penalty-slips": Sheet(
        _("Penalty slips"), _("Four to a page, to be cut and filled in by hand."),
        lambda _ask: penalty_slips_leaves(), of_rules=True,
    ),
    "penalties": Sheet(
        _("Penalties"),
        _("The register with reason, giver and time, for the referees' table."),
        lambda ask: penalties_leaves(ask.head, list_penalty_rows(ask.event)),
    ),
    "standings": Sheet(
        _("Standings"),
        _("After the released rounds."),
        lambda ask: _ranking(ask, get_standings(ask.event)),
    ),
    "standings-held": Sheet(
        _("Standings"),
        _("After the released rounds."),
        lambda ask: _ranking(ask, get_released_standings(ask.event)),
    ),
    "results": Sheet(
        _("Results by round"),
        _("Every table of the rounds that the public sees: points, place, uma, result."),
        _results,
        booklet=True,
    ),
    "certificates": Sheet(
        _("Certificates"),
        _("For the first three, including held results."),
        _certificates,
        booklet=True,
    ),
    "event-log": Sheet(
        _("Event log"),
        _("Every hand of every table as it was entered, with corrections. For the archive, not for the wall."),
        lambda ask: event_log_leaves(ask.head, log_rounds(ask.event, ask.round)),
        by_round=True,
        booklet=True,
        all_rounds=True,
    ),
}  # fmt: skip
ON_PAGE: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (_("Before the event"), ("seating", "seating-poster", "player-cards", "badges", "table-signs")),
    (_("For the tables"), ("whole-round", "report-sheets", "result-sheets", "all-last")),
    (_("Hand-outs"), ("values", "yaku", "differences", "house-rules", "table-setup", "sticks")),
    (_("For the referees"), ("fouls", "call-slip", "penalty-slips", "penalties")),
    (_("Results"), ("standings", "results", "certificates", "event-log")),
)
BESIDE = {
    "seating": ("seating-by-player",),
    "values": ("pocket-cards",),
    "sticks": ("markers",),
}


class SheetButton(NamedTuple):
    """A link to a sheet; `main` where it is of the round that is played now."""

    url: str
    name: str | Promise
    main: bool = False


class SheetLine(NamedTuple):
    """A sheet on the page of what can be printed."""

    key: str
    sheet: Sheet
    buttons: list[SheetButton]


def paper_sections(event: Event, rounds: Sequence[int], now: int) -> list[tuple[str | Promise, list[SheetLine]]]:
    """Return the sections of paper/paper.html, fewer sheets before the draw; no query."""
    sections, empty = [], set() if event.house_rules else {"house-rules"}
    for title, keys in ON_PAGE:
        there = [key for key in keys if key not in empty and (rounds or SHEETS[key].of_rules)]
        lines = [_sheet_line(event, key, rounds, now) for key in there]
        sections += [(title, lines)] if lines else []
    return sections


def _sheet_line(event: Event, key: str, rounds: Sequence[int], now: int) -> SheetLine:
    sheet, address = SHEETS[key], _address(event, key)
    buttons = [SheetButton(address, sheet.title)]
    if sheet.by_round:
        words = _("Round %(number)d")
        buttons = buttons * sheet.all_rounds + [
            SheetButton(f"{address}?round={number}", words % {"number": number}, number == now) for number in rounds
        ]
    buttons += [SheetButton(_address(event, other), SHEETS[other].title) for other in BESIDE.get(key, ())]
    if key == "certificates":
        buttons.append(SheetButton(f"{address}?all=1", _("For everybody")))
    return SheetLine(key, sheet, buttons)


def _address(event: Event, key: str) -> str:
    return reverse("desk:booklet" if SHEETS[key].booklet else "desk:print", args=[event.slug, key])


def foul_sections(fouls: Catalogue) -> list[FoulSection]:
    """List the fouls of a catalogue, by section."""
    titles = {foul.section: foul.section_title for foul in fouls.fouls}
    rows: dict[int, list[FoulRow]] = {number: [] for number in titles}
    for foul in fouls.fouls:
        penalty = fouls.penalties[foul.key]
        ours = _("Our reading: %(why)s.") % {"why": say_source(penalty.ours)} if penalty.ours else ""
        notes = tuple(filter(None, (penalty.note, ours)))
        rows[foul.section].append(FoulRow(foul.what, tuple(say_short(penalty)), penalty.clause, notes))
    return [FoulSection(number, title, tuple(rows[number])) for number, title in titles.items()]
