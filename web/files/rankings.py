"""Results for others: the federation's workbook with its check, the ranking site's csv, plain results, a site's copy.

What is held or not released is in none of them unless the desk asks for it; a club's site never has it.
"""

import io

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from tournament.exports.csv_files import penalties_csv, players_csv, results_csv
from tournament.exports.ema import ema_workbook, ranking_csv
from tournament.models import Event
from tournament.rights import Verb
from tournament.selectors.core.public import seen_by_public
from tournament.selectors.files import paper as rows
from tournament.selectors.files.paper import list_player_lines
from web.files.ema_page import ema_context, read_ema_file
from web.files.files import standings_for_files
from web.frame.file_answers import XLSX, file_answer
from web.frame.page_context import desk_context
from web.gateways import DeskRequest, who_may
from web.public.site_copy import write_site
from web.words.visibility import say_held_at_desk

CSV = "text/csv; charset=utf-8"


@require_GET
@who_may(Verb.EXPORT)
def rankings(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what the federation would stumble over, and what the places are worth; and give the files."""
    file = read_ema_file(event, standings_for_files(request, event), request.GET)
    address = request.GET.copy()
    address.update({} if "days" in address else {"days": str(file.event.days), "country": file.event.country})
    context = {
        **ema_context(file),
        "asked": f"?{address.urlencode()}",
        "with_held": "held" in request.GET,
        "held": say_held_at_desk(seen_by_public(event)),
        "languages": len(settings.LANGUAGES),
    }
    return render(request, "files/results_rankings.html", desk_context(request, event, "results", **context))


@require_GET
@who_may(Verb.EXPORT)
def ema_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the federation's workbook, filled as the address says."""
    file = read_ema_file(event, standings_for_files(request, event), request.GET)
    made = ema_workbook(file.event, file.players, timezone.localtime())
    return file_answer(made, XLSX, rows.print_name(event, "ema", timezone.localtime(), "xlsx"))


@require_GET
@who_may(Verb.EXPORT)
def rankings_csv(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the lines of the newer ranking site."""
    file = read_ema_file(event, standings_for_files(request, event), request.GET)
    return file_answer(ranking_csv(file.players), CSV, rows.print_name(event, "ranking", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def plain_csv(request: DeskRequest, event: Event) -> HttpResponse:
    """Give every game as `manage.py import_results` reads it."""
    rounds = rows.list_round_results(event, standings_for_files(request, event).rounds)
    return file_answer(results_csv(rounds), CSV, rows.print_name(event, "results", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def plain_players(_request: DeskRequest, event: Event) -> HttpResponse:
    """Give the list of players as the desk reads it."""
    made = players_csv(list_player_lines(event))
    return file_answer(made, CSV, rows.print_name(event, "players", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def plain_penalties(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the penalties that stand as the desk reads them, of the rounds that the results have."""
    made = penalties_csv(rows.list_penalty_rows(event, standings_for_files(request, event).rounds))
    return file_answer(made, CSV, rows.print_name(event, "penalties", timezone.localtime(), "csv"))


@require_GET
@who_may(Verb.EXPORT)
def site_zip(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the public pages as files: in the event's language, with `?languages=all` in every one."""
    others = [code for code, _name in settings.LANGUAGES if code != event.language]
    languages = [event.language, *(others if request.GET.get("languages") == "all" else ())]
    file = io.BytesIO()
    write_site(event, languages, file)
    return file_answer(file.getvalue(), "application/zip", rows.print_name(event, "site", timezone.localtime(), "zip"))
