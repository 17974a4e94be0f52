"""A second person looks at a signed sheet, its names, scores, sum and places: to confirm or reject, never to change."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.rounds.rounds import list_tiles
from tournament.selectors.tables.tables import LoadedTable, names_of
from tournament.services.tables.sheets import confirm_sheet, reject_sheet
from web.frame.page_context import desk_context
from web.frame.tables import load_or_404, row_of, to_int
from web.gateways import DeskRequest, who_may
from web.words.problems import say

UNPROCESSABLE = 422


@require_http_methods(["GET", "POST"])
@who_may(Verb.ENTER_SHEETS)
def confirm(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show a signed sheet to another person than who signed it; take their yes, or their no with a reason."""
    loaded = load_or_404(event, round_number, table_number)
    if request.method == "GET":
        return render(request, "hands/confirm.html", _page(request, event, loaded))
    row, sheet = row_of(loaded), to_int(request.POST.get("sheet"))
    try:
        if request.POST.get("act") == "reject":
            reject_sheet(table=row, sheet=sheet, reason=request.POST.get("reason", ""), by=request.user)
            said = _("The sheet of table %(number)d is sent back: the table is open again.")
        else:
            confirm_sheet(table=row, sheet=sheet, by=request.user)
            said = _("The sheet of table %(number)d is confirmed.")
    except Refused as refused:
        fresh = load_or_404(event, round_number, table_number)
        page = _page(request, event, fresh, errors=[say(problem) for problem in refused.problems])
        return render(request, "hands/confirm.html", page, status=UNPROCESSABLE)
    messages.success(request, said % {"number": table_number})
    return redirect(_next(request, event, round_number))


def _next(request: DeskRequest, event: Event, round_: int) -> str:
    """Return where to go on: the next sheet that this person may confirm, or the desk."""
    for tile in list_tiles(event, round_):
        if tile.stage == "signed" and not tile.confirmed and tile.signed_by != str(request.user.uid):
            return reverse("desk:confirm", args=[event.slug, round_, tile.number])
    return f"{reverse('desk:grid', args=[event.slug])}?round={round_}"


def _page(request: DeskRequest, event: Event, table: LoadedTable, *, errors: list[str] | None = None) -> dict[str, Any]:
    rules, sheet = table.rules, table.sheet if table.signed else None
    leftover = sheet.leftover if sheet else 0
    signed_by = sheet.by if sheet else ""
    checked_by = table.check.by if table.confirmed and table.check else ""
    names = names_of([signed_by, checked_by])
    context = {
        "table": table,
        "sheet": sheet,
        "rows": table.seat_games if sheet else (),
        "sum": sum(table.final.scores) if sheet else 0,
        "leftover": leftover,
        "wanted": rules.start_points * rules.players,
        "signed_by": names.get(signed_by, ""),
        "checked_by": names.get(checked_by, ""),
        "may": bool(sheet) and event.confirms and not table.confirmed and signed_by != str(request.user.uid),
        "own": signed_by == str(request.user.uid),
        "asked": event.confirms,
        "errors": errors or [],
        "back": f"{reverse('desk:grid', args=[event.slug])}?round={table.round}",
    }
    return desk_context(request, event, "desk", **context)
