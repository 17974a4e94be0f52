"""Seats made elsewhere: a schedule from a file is looked at, judged row by row, and taken once confirmed."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament.exports.csv_files import template_csv, template_xlsx
from tournament.imports.listing import Source
from tournament.imports.schedule import SchedulePreview, read_schedule, understand_schedule
from tournament.imports.schedule_layouts import MEANINGS
from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.draws.seating import get_player_ids, list_entrants
from tournament.services.draws.schedules import take_schedule
from web.files import imports_form as forms_imports
from web.files.import_page import column_items
from web.files.imports_form import read_upload
from web.files.schedule_form import ScheduleForm, pack, unpack
from web.files.schedule_page import preview_context
from web.frame.file_answers import XLSX, file_answer
from web.frame.page_context import desk_context
from web.gateways import DeskRequest, who_may
from web.words.problems import say

KIND = "seats"


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def import_seats(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask for a file, show what was understood of it, take it; `?template=xlsx` or `csv` gives one to fill in."""
    if request.method == "GET" and request.GET.get("template") in ("xlsx", "csv"):
        return _template(event, request.GET["template"])
    if "confirmed" in request.POST:
        return _confirm(request, event, request.POST["confirmed"])
    if "sheet" in request.POST:
        return _look_again(request, event, request.POST["sheet"])
    form = ScheduleForm(request.POST, request.FILES) if request.method == "POST" else ScheduleForm()
    if not form.is_valid():
        context = _page(event, form=form)
        status = 422 if form.is_bound else 200
        return render(
            request, "files/seats_import.html", desk_context(request, event, "seating", **context), status=status
        )
    file = form.cleaned_data["file"]
    preview = read_schedule(
        read_upload(file),
        file.name,
        entrants=list_entrants(event),
        table_size=event.ruleset.players,
        planned=event.rounds_planned,
    )
    return _show(request, event, preview)


def _look_again(request: DeskRequest, event: Event, packed: str) -> HttpResponse:
    """Show the same sheet with the columns that were chosen."""
    carried = forms_imports.unpack(packed, event.slug, KIND)
    if carried is None:
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect("desk:import_seats", event.slug)
    preview = understand_schedule(
        carried.sheet,
        carried.source,
        entrants=list_entrants(event),
        table_size=event.ruleset.players,
        planned=event.rounds_planned,
        chosen=forms_imports.read_chosen(request.POST, MEANINGS),
    )
    return _show(request, event, preview)


def _show(request: DeskRequest, event: Event, preview: SchedulePreview) -> HttpResponse:
    sheet, source = preview.sheet, Source(preview.filename, preview.digest)
    context = {
        **_page(event, form=ScheduleForm()),
        **preview_context(preview, {each.number: each.name for each in list_entrants(event)}, event.ruleset.players),
        "packed": pack(preview, event.slug, get_player_ids(event)) if preview.is_sound else "",
        "columns": column_items(preview.columns, MEANINGS),
        "sheet": forms_imports.pack(forms_imports.Carried(sheet, source), event.slug, KIND) if sheet else "",
    }
    return render(request, "files/seats_import_look.html", desk_context(request, event, "seating", **context))


def _page(event: Event, **extra: Any) -> dict[str, Any]:
    return {
        "players": len([entrant for entrant in list_entrants(event) if not entrant.left]),
        "table_size": event.ruleset.players,
        "drawn": event.rounds.exists(),
        "published": event.rounds.filter(published_at__isnull=False).exists(),
        **extra,
    }


def _template(event: Event, kind: str) -> HttpResponse:
    players = [(entrant.number, entrant.name) for entrant in list_entrants(event) if not entrant.left]
    name = f"{event.slug}-seats.{kind}"
    if kind == "csv":
        return file_answer(template_csv(players, event.rounds_planned), "text/csv; charset=utf-8", name)
    return file_answer(template_xlsx(event.name, players, event.rounds_planned, timezone.now()), XLSX, name)


def _confirm(request: DeskRequest, event: Event, packed: str) -> HttpResponse:
    taken = unpack(packed, event.slug)
    if taken is None:
        messages.error(request, _("The preview is too old: choose the file again."))
        return redirect("desk:import_seats", event.slug)
    rounds, digest, filename = taken
    try:
        take_schedule(event=event, rounds=rounds, digest=digest, filename=filename, by=request.user)
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, say(problem))
        return redirect("desk:import_seats", event.slug)
    said = ngettext(
        "The seats of %(count)d round are taken from the file. Look at them, then publish.",
        "The seats of %(count)d rounds are taken from the file. Look at them, then publish.",
        len(rounds),
    )
    messages.success(request, said % {"count": len(rounds)})
    return redirect("desk:seating", event.slug)
