"""The page of results and files, and the plain files that it offers. They are made from the same rows as the pages.

EMA's files are in tournament.ema, paper is in tournament.paper.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from tournament.archive.queries import get_event_file
from tournament.core.rights import Right
from tournament.events import actions as settings
from tournament.events.models import Event
from tournament.exports.csv_files import engine_file, penalties_csv, players_csv, results_csv
from tournament.exports.hand_rows import HandRows, PlayedHand
from tournament.incidents.queries import count_listed
from tournament.pages.files import book_answer, file_answer, get_head, print_name
from tournament.pages.lists import ListColumn, ListTable
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.sign_in import reauthenticate
from tournament.paper.queries import (
    list_penalty_rows,
    list_player_lines,
    list_round_results,
    list_standing_rows,
    list_statistics,
    load_round_results,
)
from tournament.penalties.queries import list_penalties
from tournament.public.rows import StandingLine, standings_context
from tournament.publication.messages import say_held_at_desk, say_hold_conflict
from tournament.publication.queries import get_public_view
from tournament.standings.columns import Column, columns_for
from tournament.standings.queries import (
    Standings,
    get_desk_standings,
    get_released_standings,
    get_standings,
    has_teams,
    list_disqualified,
    rank_event_teams,
)
from tournament.tables.messages import short_names_at
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.names import alphabetical
from tournament.text.numbers import Place


def list_hands(tables: Iterable[LoadedTable]) -> list[PlayedHand]:
    """List every hand that stands at these tables, in order; no query."""
    return [
        PlayedHand(
            table.round, table.number, number, hand, short_names_at(table, item.seq), table.origins[item.seq].rows > 1
        )
        for table in tables
        for number, (item, hand) in enumerate(
            zip([item for item in table.items if item.entry is not None], table.game.hands, strict=True), start=1
        )
    ]


class ResultsTable(ListTable):
    """The standings with the columns of `COLUMNS`: those of the screen, and in files those of the workbook, too."""

    title = gettext_lazy("Standings")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "final-list"}
        order_by = "rank"

    def css_of(self, record: StandingLine) -> str:
        """Mark the podium, and who is out."""
        return " ".join(["is-podium"] * (record.row.rank <= PODIUM) + ["is-out"] * bool(record.out))


PODIUM = 3
_KINDS = {
    "place": "count",
    "moved": "count",
    "count": "count",
    "gap": "points",
    "penalty": "result",
    "result": "result",
}
_CELLS = {"rank": "place", "player": "who"}
_ON_DESK = ("rank", "player", "results", "penalties", "total")  # the rest is in the files, and on the public page


def _results_table(request: HttpRequest, lines: Sequence[StandingLine], rounds: Iterable[int]) -> ResultsTable:
    rows = [line.row for line in lines]
    public, filed = columns_for("screen", rows, rounds), columns_for("xlsx", rows, rounds)
    shown = sorted((each for each in public if each.key in _ON_DESK), key=lambda each: _ON_DESK.index(each.key))
    on_screen = {(column.key, column.round) for column in shown}
    others = [column for column in filed if (column.key, column.round) not in on_screen]
    columns = [(f"{column.key}{column.round or ''}", _of_standings(column, on_screen)) for column in [*shown, *others]]
    return ResultsTable(lines, request, extra_columns=columns)


def _of_standings(column: Column, on_screen: Collection[tuple[str, int]]) -> ListColumn:
    def value(line: StandingLine) -> Any:
        found = column.cell(line.row)
        if column.kind == "penalty":
            return -found if isinstance(found, int) and found else None
        return found.number if isinstance(found, Place) else found

    cell = _CELLS.get(column.key) or ("figure" if column.kind in ("penalty", "result") else "")
    return ListColumn(
        column.on_page() if column.on_page else column.title(),
        value=value,
        kind=_KINDS.get(column.kind, "text"),
        sort=(lambda line: alphabetical(line.row.name)) if column.key == "player" else True,
        cell=f"exports/results.html#{cell}" if cell else "",
        css=f"at-{'round' if column.round else column.key}",
        on_screen=(column.key, column.round) in on_screen,
    )


@require_GET
@who_may(Right.SEE_DESK)
def results(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the standings with signed tables that are not public yet, and the files to take away."""
    public, standings, seen = get_standings(event), get_desk_standings(event), get_public_view(event)
    known = replace(standings, rows=tuple(list_standing_rows(event, standings)))
    lines = standings_context(event, known, cells=False)
    table = _results_table(request, lines["rows"], lines["rounds"])
    if file := table.file(event.name):
        return file
    context = {
        "table": table,
        "rounds": lines["rounds"],
        "unranked": standings.unranked,
        "ranked": len(standings.rows),
        "listed": count_listed(event),
        "has_teams": has_teams(event),
        "unreleased": [number for number in standings.rounds if number not in {*public.rounds, *seen.held_rounds}],
        "held": say_held_at_desk(seen),
        "held_conflict": say_hold_conflict(hold=seen.held, ema_certified=event.ema_certified),
    }
    return render(request, "exports/results.html", desk_context(request, event, "results", **context))


@require_POST
@who_may(Right.PUBLISH)
@reauthenticate()
def show_results(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the public the results that are held."""
    if settings.show_results(event=event, by=request.user):
        messages.success(request, _("The held results are public: players see them now."))
    else:
        messages.info(request, _("No results are held."))
    return redirect("desk:results", event.slug)


@require_GET
@who_may(Right.EXPORT)
def results_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the results that the public sees as a workbook; with `?held` every released round."""
    from tournament.exports.files import results_sheets  # its package is a tenth of the desk's start

    standings = standings_for_files(request, event)
    tables = load_tables(event, rounds=standings.rounds)
    head = replace(get_head(event), players_per_table=max(event.rulesets))
    sheets = results_sheets(
        head,
        list_standing_rows(event, standings),
        list_round_results(tables, standings.rounds),
        hands=HandRows(list_hands(tables), event.rulesets),
        penalties=list_penalties(event, tables, rounds=standings.rounds),
        statistics=list_statistics(event, standings, tables),
        teams=rank_event_teams(event, standings).rows,
        disqualified=list_disqualified(standings),
    )
    return book_answer(sheets, head.printed_at, print_name(event, "results", timezone.localtime(), "xlsx"))


@require_GET
@who_may(Right.EXPORT)
def event_json(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the whole event as one file, the same as `manage.py export_event`; with `?online_names` for another desk."""
    name = print_name(event, "event", timezone.localtime(), "json")
    text = get_event_file(event, online_names="online_names" in request.GET)
    return file_answer(text.encode(), "application/json", name)


def standings_for_files(request: HttpRequest, event: Event) -> Standings:
    """Return the standings that a file is made of: what the public sees; with `?held` every released round."""
    return get_released_standings(event) if "held" in request.GET else get_standings(event)


CSV = "text/csv; charset=utf-8"
ENGINE_TABLE: Final = 4
MINUTE: Final = len("2026-09-12T10:00")


@require_GET
@who_may(Right.EXPORT)
def plain_csv(request: DeskRequest, event: Event) -> HttpResponse:
    """Give every game as `manage.py import_results` reads it."""
    rounds = load_round_results(event, standings_for_files(request, event).rounds)
    return file_answer(results_csv(rounds), CSV, print_name(event, "results", timezone.localtime(), "csv"))


@require_GET
@who_may(Right.EXPORT)
def engine_json(request: DeskRequest, event: Event) -> HttpResponse:
    """Give players and games as the Mahjong Tournament Engine opens them, which knows tables of four alone."""
    if set(event.rulesets) != {ENGINE_TABLE}:
        raise Http404("Tables of four alone.")
    rounds = load_round_results(event, standings_for_files(request, event).rounds)
    players = dict(event.players.order_by("number").values_list("person__preferred_name", "ranked"))
    starts = [start[:MINUTE] for start in event.timetable] + [""] * event.rounds_planned
    made = engine_file(event.name, event.ruleset, starts[: event.rounds_planned], players, rounds)
    name = print_name(event, "tournament-engine", timezone.localtime(), "json")
    return file_answer(made, "application/json", name)


@require_GET
@who_may(Right.EXPORT)
def plain_players(_request: DeskRequest, event: Event) -> HttpResponse:
    """Give the list of players as the desk reads it."""
    made = players_csv(list_player_lines(event))
    return file_answer(made, CSV, print_name(event, "players", timezone.localtime(), "csv"))


@require_GET
@who_may(Right.EXPORT)
def plain_penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the penalties that stand as the desk reads them, of the rounds that the results have."""
    made = penalties_csv(list_penalty_rows(event, standings_for_files(request, event).rounds))
    return file_answer(made, CSV, print_name(event, "penalties", timezone.localtime(), "csv"))
