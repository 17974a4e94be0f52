"""Import seats made elsewhere: a schedule from a file is looked at, judged row by row, and taken once confirmed."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods

from tournament.core.rights import Verb
from tournament.exports.files_csv_files import template_csv
from tournament.imports.files_sheet import Sheet
from tournament.imports.list_views_list_import import Importer, run_import
from tournament.imports.listing import Chosen, Source
from tournament.imports.messages import LAYOUT_WORDS
from tournament.imports.schedules_schedule import SchedulePreview, read_schedule, understand_schedule
from tournament.imports.schedules_schedule_layouts import MEANINGS
from tournament.imports.views_import_page import Carried, Look, ScheduleForm, pack
from tournament.models.event import Event
from tournament.pages.files_file_answers import XLSX, file_answer
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.seating.actions_schedules import take_schedule
from tournament.seating.queries_seating import get_player_ids, list_entrants
from tournament.seating.search.schedule_1 import Report, Rounds
from tournament.text.languages import counted

MOST_NAMES = 40


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def import_seats(request: DeskRequest, event: Event) -> HttpResponse:
    """Import a schedule; `?template=xlsx` or `csv` gives a file to fill in."""
    if request.method == "GET" and request.GET.get("template") in ("xlsx", "csv"):
        return _template(event, request.GET["template"])
    return run_import(request, event, _SEATS, ScheduleForm)


def _template(event: Event, kind: str) -> HttpResponse:
    players = [(entrant.number, entrant.name) for entrant in list_entrants(event) if not entrant.left]
    name = f"{event.slug}-seats.{kind}"
    if kind == "csv":
        return file_answer(template_csv(players, event.rounds_planned), "text/csv; charset=utf-8", name)
    from tournament.exports.files_workbook import template_xlsx  # openpyxl is a tenth of the start of the desk

    return file_answer(template_xlsx(event.name, players, event.rounds_planned, timezone.now()), XLSX, name)


def _wanted(event: Event) -> dict[str, Any]:
    """Return what a schedule of this event is held against."""
    return {
        "entrants": list_entrants(event),
        "table_size": event.ruleset.players,
        "planned": event.rounds_planned,
    }


def _read(event: Event, data: bytes, filename: str, _only: int | None) -> tuple[SchedulePreview, Carried | None]:
    preview = read_schedule(data, filename, **_wanted(event))
    carried = Carried(preview.sheet, Source(preview.filename, preview.digest)) if preview.sheet else None
    return preview, carried


def _understand(event: Event, sheet: Sheet, carried: Carried, chosen: Chosen | None) -> SchedulePreview:
    return understand_schedule(sheet, carried.source, **_wanted(event), chosen=chosen)


def _look(event: Event, preview: SchedulePreview) -> Look:
    names = {each.number: each.name for each in list_entrants(event)}
    more = {
        "preview": preview,
        "layout": LAYOUT_WORDS.get(str(preview.layout), ""),
        "rounds": _rounds(preview.rounds, names),
        "figures": _figures(preview.report) if preview.report else [],
        "again": [
            {"names": [names[number] for number in pair.players], "rounds": pair.rounds}
            for pair in preview.again[:MOST_NAMES]
        ],
        "again_count": len(preview.again),
        "again_more": max(0, len(preview.again) - MOST_NAMES),
        "winds": _uneven_winds(preview.rounds, names, event.ruleset.players),
        "confirmed": pack(_confirmed(event, preview), event.slug, _SEATS.name) if preview.is_sound else "",
    }
    return Look(preview.columns, preview.rows, preview.problems, sound=preview.is_sound, more=more)


def _confirmed(event: Event, preview: SchedulePreview) -> Carried:
    """Return the seats as primary keys of players: no change of the list gives one to somebody else."""
    keys = get_player_ids(event)
    seats = [[[keys[number] for number in table] for table in tables] for tables in preview.rounds]
    return Carried(None, Source(preview.filename, preview.digest), seats=seats)


def _take(event: Event, _preview: Any, carried: Carried, request: DeskRequest) -> str:
    file = {"digest": carried.source.digest, "filename": carried.source.filename}
    take_schedule(event=event, rounds=carried.seats, **file, by=request.user)
    said = ngettext(
        "The seats of %(count)d round are imported. Check them, then publish.",
        "The seats of %(count)d rounds are imported. Check them, then publish.",
        len(carried.seats),
    )
    return said % {"count": len(carried.seats)}


def _page(event: Event) -> dict[str, Any]:
    return {
        "players": len([entrant for entrant in list_entrants(event) if not entrant.left]),
        "table_size": event.ruleset.players,
        "drawn": event.rounds.exists(),
        "published": event.rounds.filter(published_at__isnull=False).exists(),
    }


def _rounds(rounds: Rounds, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return rounds of tables of seats with number and name."""
    return [
        {
            "number": round_,
            "tables": [
                {
                    "number": table,
                    "seats": [
                        {"seat": seat, "number": number, "name": names[number]} for seat, number in enumerate(players)
                    ],
                }
                for table, players in enumerate(tables, start=1)
            ],
        }
        for round_, tables in enumerate(rounds, start=1)
    ]


def _figures(report: Report) -> list[tuple[str, str]]:
    """Return the report as terms and values."""
    repeats = _("nobody meets twice") if not report.repeats else str(report.repeats)
    bound = _("proven least: %(bound)d") % {"bound": report.repeats_bound}
    once = pgettext("how often two meet", "once")
    most = _("%(times)d times") % {"times": report.met_most} if report.met_most > 1 else once
    kept = counted("%(count)d time", "%(count)d times", report.tables_kept)
    possible = _("possible: %(bound)d") % {"bound": report.winds_bound}
    winds = _("differ by %(count)d") % {"count": report.winds_spread}
    return [
        (_("Repeat meetings"), f"{repeats} ({bound})"),
        (_("Most often together"), most),
        (_("One wind, most to least"), f"{winds} ({possible})"),
        (_("One table, most to least"), _("differ by %(count)d") % {"count": report.tables_spread}),
        (_("Somebody stays at a table"), kept),
    ]


def _uneven_winds(rounds: Rounds, names: Mapping[int, str], table_size: int) -> list[dict[str, Any]]:
    """List who has one wind at least twice more often than another, the most uneven first, with the counts by seat."""
    had = Counter((player, seat) for tables in rounds for table in tables for seat, player in enumerate(table))
    players = sorted({player for player, _seat in had})
    counts = {player: [had[player, seat] for seat in range(table_size)] for player in players}
    uneven = [player for player in players if max(counts[player]) - min(counts[player]) > 1]
    uneven.sort(key=lambda player: min(counts[player]) - max(counts[player]))
    return [{"name": names[player], "counts": list(enumerate(counts[player]))} for player in uneven[:MOST_NAMES]]


_SEATS = Importer(
    name="seats",
    tab="seating",
    title=lambda: _("Import seating"),
    address="desk:import_seats",
    home="desk:seating",
    after="desk:import_seats",
    meanings=lambda _event, _only: MEANINGS,
    read=_read,
    understand=_understand,
    look=_look,
    take=_take,
    file_template="files/seats_import.html",
    template="files/seats_import_look.html",
    context=_page,
)
