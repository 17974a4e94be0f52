"""Presence: which desk pages are open where, and who else is at the desk. For referees; players never see it."""

from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.accounts.queries import PresentRow, list_present
from tournament.calls.queries import count_open_calls
from tournament.core.rights import Verb
from tournament.hall.actions import Where, leave_desk, tell_where
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, who_may

TABLE, GRID = "table", "grid"
MOST = 9999  # no event has so many rounds or tables


def where_is(path: str, slug: str, *, typing: bool) -> Where:
    """Return the place of a desk page by its address; raises Http404 for any other address.

    Every page below a table is at that table, every page below the seating is at the seating.
    """
    try:
        found = resolve(path)
    except Resolver404 as wrong:
        raise Http404("There is no such page.") from wrong
    round_, table = found.kwargs.get("round_number", 0), found.kwargs.get("table_number", 0)
    if found.app_name != "desk" or found.kwargs.get("slug") != slug or max(round_, table) > MOST:
        raise Http404("There is no such page.")
    return Where(TABLE if table else _place(path, slug), round_, table, typing)


def _place(path: str, slug: str) -> str:
    parts = path.removeprefix(f"/desk/{slug}/").strip("/").split("/")
    return (parts[-1] if parts[0] == "rounds" else parts[0]) or GRID


def people_json(rows: list[PresentRow], here: Where) -> list[dict[str, Any]]:
    """Return who else is at the desk: `here` is the asking page's place, `say` the words for it, `at` for a tile."""
    return [
        {
            "name": _("You, in another window") if row.own else row.name,
            "place": row.place,
            "round": row.round,
            "table": row.table,
            "typing": row.typing,
            "here": _is_here(row, here),
            "say": _say(row, here),
            "at": _at(row),
        }
        for row in rows
    ]


def _is_here(row: PresentRow, here: Where) -> bool:
    return here.place != GRID and (row.place, row.round, row.table) == (here.place, here.round, here.table)


def _say(row: PresentRow, here: Where) -> str:
    if not _is_here(row, here):
        return _at(row)
    if row.own:
        return _("You have this page open in another window, too.")
    words = _("%(name)s is typing here.") if row.typing else _("%(name)s is here, too.")
    return words % {"name": row.name}


def _at(row: PresentRow) -> str:
    """Say who is at a table, "" for other places."""
    if row.place != TABLE:
        return ""
    if row.own:
        return _("You have table %(table)d open in another window.") % {"table": row.table}
    words = _("%(name)s is typing at table %(table)d.") if row.typing else _("%(name)s is at table %(table)d.")
    return words % {"name": row.name, "table": row.table}


@require_POST
@who_may(Verb.SEE_DESK)
def presence(request: DeskRequest, event: Event) -> HttpResponse:
    """Store where a page is (`tab`, `path`, `typing`), or that it closes (`gone`); return who else is at the desk.

    The answer also has the number of open calls for the navigation.
    """
    tab = request.POST.get("tab", "")
    if request.POST.get("gone"):
        leave_desk(event=event, tab=tab, by=request.user)
        return HttpResponse(status=204)
    here = where_is(request.POST.get("path", "")[:200], event.slug, typing=request.POST.get("typing") == "1")
    tell_where(event=event, tab=tab, where=here, by=request.user)
    rows = list_present(event, viewer=request.user, tab=tab, at=timezone.now())
    return JsonResponse({"people": people_json(rows, here), "calls": count_open_calls(event)})
