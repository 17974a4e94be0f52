"""The paper sheets of a round: which are due or wait for a second entry, and the page that confirms a signed one."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.rounds import Round
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, load_or_404, row_of, to_int
from tournament.sheets.actions import confirm_sheet, reject_sheet
from tournament.sheets.queries import Waiting, list_waiting
from tournament.tables.messages import names_at
from tournament.tables.queries_tables import LoadedTable, load_tables, names_of
from tournament.tables.round_queries_rounds import get_round, list_tiles
from tournament.text.problems_1 import say


class PileRow(NamedTuple):
    """A table in the pile; `state` names its icon, `words` say it; `due`: the viewer may type its sheet."""

    number: int
    names: str
    state: str
    words: str
    url: str
    due: bool


@require_GET
@who_may(Verb.SEE_DESK)
def sheets(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Show which sheets of a round are due; `?table=N` opens one, an empty N the next one behind `?after=N`."""
    round_ = get_round(event, round_number)
    if round_ is None:
        raise Http404("There is no such round.")
    page = _pile_context(event, round_, after=to_int(request.GET.get("after")), viewer=str(request.user.uid))
    if "table" in request.GET:
        typed = request.GET["table"].strip()
        wanted = to_int(typed) if typed else page["next"]
        if wanted in {row.number for row in page["tables"]}:
            return redirect("desk:totals", event.slug, round_number, wanted)
        words = _("There is no table %(number)s in this round.") % {"number": typed[:10]} if typed else ""
        messages.error(request, words or _("No sheet is due."))
    return render(request, "totals/totals_pile.html", desk_context(request, event, "desk", **page))


@require_http_methods(["GET", "POST"])
@who_may(Verb.ENTER_SHEETS)
def confirm(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show a signed sheet to another person than its signer, who confirms it or rejects it with a reason."""
    loaded = load_or_404(event, round_number, table_number)
    if request.method == "GET":
        return render(request, "totals/confirm.html", _confirm_context(request, event, loaded))
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
        page = _confirm_context(request, event, fresh, errors=[say(problem) for problem in refused.problems])
        return render(request, "totals/confirm.html", page, status=UNPROCESSABLE)
    messages.success(request, said % {"number": table_number})
    return redirect(_next_to_confirm(request, event, round_number))


def next_due(event: Event, round_: int, *, after: int, viewer: str) -> int | None:
    """Return the next table, behind `after` or from the front, whose sheet this person may type."""
    tables = load_tables(event, rounds=[round_])
    waiting = _waiting(event, round_, tables)
    due = [
        table.number for table in tables if table.number != after and _is_due(table, waiting.get(table.number), viewer)
    ]
    return _following(due, after)


def _pile_context(event: Event, round_: Round, *, after: int, viewer: str) -> dict[str, Any]:
    tables = load_tables(event, rounds=[round_.number])
    waiting = _waiting(event, round_.number, tables)
    due = [table.number for table in tables if _is_due(table, waiting.get(table.number), viewer)]
    return {
        "round": round_,
        "tables": [_pile_row(event, table, waiting.get(table.number), viewer) for table in tables],
        "due": len(due),
        "in": sum(table.signed for table in tables),
        "all": len(tables),
        "next": _following(due, after),
        "complete": not round_.released_at and all(table.signed and _is_checked(event, table) for table in tables),
        "after": after,
        "jump_url": reverse("desk:sheets", args=[event.slug, round_.number]),
    }


def _is_checked(event: Event, table: LoadedTable) -> bool:
    return table.confirmed or not event.confirms


def _waiting(event: Event, round_: int, tables: Sequence[LoadedTable]) -> dict[int, Waiting]:
    open_ = {table.number: table.player_numbers() for table in tables if not table.played and not table.signed}
    return list_waiting(event, round_, open_)


def _is_due(table: LoadedTable, waiting: Waiting | None, viewer: str) -> bool:
    """Tell whether a person has a sheet to type: nothing is entered, and their own entry does not wait for another."""
    if table.signed or table.played:
        return False
    return waiting is None or waiting.of(viewer) is None or bool(waiting.differs)


def _following(due: Sequence[int], after: int) -> int | None:
    return next((number for number in due if number > after), due[0] if due else None)


def _pile_row(event: Event, table: LoadedTable, waiting: Waiting | None, viewer: str) -> PileRow:
    names = " · ".join(names_at(table))
    url = reverse("desk:totals", args=[event.slug, table.round, table.number])
    due = _is_due(table, waiting, viewer)
    return PileRow(table.number, names, *_pile_state(event, table, waiting, viewer), url, due)


def _pile_state(event: Event, table: LoadedTable, waiting: Waiting | None, viewer: str) -> tuple[str, str]:
    if table.signed:
        words = _("confirmed") if table.confirmed else _("to confirm")
        return ("signed", words if event.confirms else _("signed"))
    if table.played:
        return ("playing", _("has hands"))
    if waiting and waiting.differs:
        return ("trouble", _("two entries differ"))
    if waiting and waiting.of(viewer):
        return ("sheet", _("waits for another person"))
    return ("sheet", _("second entry is due")) if waiting else ("waiting", _("sheet due"))


def _next_to_confirm(request: DeskRequest, event: Event, round_: int) -> str:
    """Return the address of the next sheet that this person may confirm, else of the desk."""
    for tile in list_tiles(event, round_):
        if tile.stage == "signed" and not tile.confirmed and tile.signed_by != str(request.user.uid):
            return reverse("desk:confirm", args=[event.slug, round_, tile.number])
    return f"{reverse('desk:grid', args=[event.slug])}?round={round_}"


def _confirm_context(
    request: DeskRequest, event: Event, table: LoadedTable, *, errors: Sequence[str] = ()
) -> dict[str, Any]:
    sheet = table.sheet if table.signed else None
    signed_by = sheet.by if sheet else ""
    checked_by = table.check.by if table.confirmed and table.check else ""
    names, own = names_of([signed_by, checked_by]), signed_by == str(request.user.uid)
    context = {
        "table": table,
        "sheet": sheet,
        "rows": table.seat_games if sheet else (),
        "sum": sum(table.final.scores) if sheet else 0,
        "leftover": sheet.leftover if sheet else 0,
        "wanted": table.rules.start_points * table.rules.players,
        "signed_by": names.get(signed_by, "") if signed_by else _("the players, on their phones"),
        "checked_by": names.get(checked_by, ""),
        "may": bool(sheet) and event.confirms and not table.confirmed and not own,
        "own": own,
        "asked": event.confirms,
        "errors": errors,
        "back": f"{reverse('desk:grid', args=[event.slug])}?round={table.round}",
    }
    return desk_context(request, event, "desk", **context)
