"""Paper and files: what can be printed or taken away, made from the same rows as the pages."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from tournament.exports.workbook import results_workbook
from tournament.models import Event
from tournament.selectors import paper as rows
from tournament.selectors.archive import get_event_file
from tournament.selectors.public import seen_by_public
from tournament.selectors.rounds import list_rounds
from tournament.selectors.standings import Standings, get_desk_standings, get_released_standings, get_standings
from tournament.selectors.substitutions import count_listed
from tournament.selectors.teams import has_teams, rank_event_teams
from tournament.services import publication
from tournament.sheets.alllast import all_last_pdf
from tournament.sheets.call_slip import call_slip_pdf, empty_slip
from tournament.sheets.penalties import penalties_pdf
from tournament.sheets.render import PaperUnavailable
from tournament.sheets.report import report_sheets_pdf
from tournament.sheets.rows import RoundRow
from tournament.sheets.seating import seating_pdf
from tournament.sheets.standings import standings_pdf
from web.gateways import DeskRequest, for_organiser, for_referee
from web.page_context import current_round, desk_context
from web.public_rows import standing_lines, unranked_items
from web.seen_wording import say_held_at_desk, say_hold_conflict

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_GET
@for_referee
def paper(request: DeskRequest, event: Event) -> HttpResponse:
    """List what can be printed."""
    now = current_round(event)
    context = {"rounds": list_rounds(event), "now": now.number if now else None}
    return render(request, "desk/paper.html", desk_context(request, event, "paper", **context))


@require_GET
@for_referee
def results(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the standings with signed tables that are not public yet, and the files to take away."""
    public, standings, seen = get_standings(event), get_desk_standings(event), seen_by_public(event)
    context = {
        "standings": standings,
        "rows": standing_lines(event, standings),
        "rounds": list(range(1, max(standings.rounds, default=0) + 1)),
        "has_penalties": any(row.penalties for row in standings.rows),
        "unranked": unranked_items(event, standings),
        "ranked": len(standings.rows),
        "listed": count_listed(event),
        "has_teams": has_teams(event),
        "unreleased": [number for number in standings.rounds if number not in {*public.rounds, *seen.held_rounds}],
        "held": say_held_at_desk(seen),
        "held_conflict": say_hold_conflict(hold=seen.held, ema_certified=event.ema_certified),
    }
    return render(request, "desk/results.html", desk_context(request, event, "results", **context))


@require_POST
@for_organiser
def show_results(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the public the results that are held."""
    if publication.show_results(event=event, by=request.user):
        messages.success(request, _("The held results are public: players see them now."))
    else:
        messages.info(request, _("No results are held."))
    return redirect("desk:results", event.slug)


@require_GET
@for_referee
def print_sheet(request: DeskRequest, event: Event, sheet: str) -> HttpResponse:
    """Make one PDF; `?round=N` chooses the round of report and all-last sheets."""
    if sheet not in SHEETS:
        raise Http404("There is no such sheet.")
    try:
        made = SHEETS[sheet](event, _round_number(request, event))
    except PaperUnavailable as missing:
        return render(
            request, "desk/paper_unavailable.html", desk_context(request, event, "paper", why=str(missing)), status=503
        )
    return file_answer(made, "application/pdf", rows.print_name(event, sheet, timezone.localtime(), "pdf"), inline=True)


@require_GET
@for_organiser
def results_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the results that the public sees as a workbook; with `?held` every released round."""
    standings = get_released_standings(event) if "held" in request.GET else get_standings(event)
    made = results_workbook(
        rows.get_head(event),
        rows.list_standing_rows(standings),
        rows.list_round_results(event, standings.rounds),
        penalties=rows.list_penalty_rows(event, standings.rounds),
        players=rows.list_player_rows(event),
        teams=rank_event_teams(event, standings).rows,
    )
    return file_answer(made, XLSX, rows.print_name(event, "results", timezone.localtime(), "xlsx"))


@require_GET
@for_organiser
def event_json(_request: DeskRequest, event: Event) -> HttpResponse:
    """Give the whole event as one file, the same as `manage.py export_event`."""
    name = rows.print_name(event, "event", timezone.localtime(), "json")
    return file_answer(get_event_file(event).encode(), "application/json", name)


def _seating(event: Event, _round: int) -> bytes:
    return seating_pdf(rows.get_head(event), tuple(_drawn(event)))


def _report_sheets(event: Event, number: int) -> bytes:
    return report_sheets_pdf(rows.get_head(event), _drawn(event, number)[0])


def _all_last(event: Event, number: int) -> bytes:
    return all_last_pdf(rows.get_head(event), _drawn(event, number)[0])


def _standings(event: Event, _round: int) -> bytes:
    return _ranking(event, get_standings(event))


def _held_standings(event: Event, _round: int) -> bytes:
    return _ranking(event, get_released_standings(event))


def _ranking(event: Event, standings: Standings) -> bytes:
    return standings_pdf(rows.get_head(event), rows.list_standing_rows(standings), max(standings.rounds, default=0))


def _call_slip(event: Event, _round: int) -> bytes:
    head = rows.get_head(event)
    return call_slip_pdf(head, [empty_slip(head.players_per_table)])


def _penalties(event: Event, _round: int) -> bytes:
    return penalties_pdf(rows.get_head(event), rows.list_penalty_rows(event))


SHEETS: dict[str, Callable[[Event, int], bytes]] = {
    "seating": _seating,
    "report-sheets": _report_sheets,
    "all-last": _all_last,
    "standings": _standings,
    "standings-held": _held_standings,
    "call-slip": _call_slip,
    "penalties": _penalties,
}


def _drawn(event: Event, number: int | None = None) -> list[RoundRow]:
    """Return the rounds that are drawn, or one of them; raises Http404 where there are none."""
    drawn = [row for row in rows.list_drawn_rounds(event) if number is None or row.number == number]
    if not drawn:
        raise Http404(_("No seats are drawn yet."))
    return drawn


def _round_number(request: HttpRequest, event: Event) -> int:
    text, now = request.GET.get("round", ""), current_round(event)
    return int(text[:4]) if text.isascii() and text.isdigit() else (now.number if now else 0)


def file_answer(content: bytes, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    """Answer with a file: one to look at `inline`, or one to take away."""
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer
