"""The command palette of the desk (static/js/palette.js), and presence: which desk pages are open where.

The palette finds what its reader may open. Presence is for referees; players never see it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from tournament.accounts.queries import PresentRow, list_present
from tournament.calls.queries import count_open_calls
from tournament.core.rights import Right, Rights
from tournament.events.models import Event
from tournament.hall.actions import OpenPage, leave_desk, tell_where
from tournament.incidents.models import Substitution
from tournament.pages.hooks import find_address
from tournament.pages.permissions import DESK_TABS, SECTIONS, DeskRequest, current_round, opens, who_may
from tournament.publication.names import list_names
from tournament.tables.models import Seat
from tournament.text.names import search_text

# pages that are neither a tab nor a section of the settings, by their headings
PAGES = (
    (gettext_lazy("Check players in"), "desk:check_in"),
    (gettext_lazy("Sign-ups"), "desk:sign_ups"),
    (gettext_lazy("Fees"), "desk:fees"),
    (gettext_lazy("Letters"), "desk:letters"),
    (gettext_lazy("Give a penalty"), "desk:give_foul"),
    (gettext_lazy("Try three hands"), "desk:tour"),
    (gettext_lazy("Something went wrong"), "desk:mishaps"),
    (gettext_lazy("Substitutes"), "desk:all_substitutes"),
    (gettext_lazy("Import players"), "desk:import_players"),
    (gettext_lazy("Teams"), "desk:teams"),
    (gettext_lazy("The next round by standing, finals"), "desk:next_round"),
    (gettext_lazy("Somebody leaves or comes late: redraw the rest"), "desk:redraw"),
    (gettext_lazy("Exchange two people by hand"), "desk:swap_players"),
    (gettext_lazy("Import a seating schedule"), "desk:import_seats"),
    (gettext_lazy("EMA and other rankings"), "desk:rankings"),
    (gettext_lazy("Observer's report"), "desk:observer_report"),
    (gettext_lazy("Points preview"), "desk:ema_points"),
    (gettext_lazy("Find in the book"), "desk:book"),
    (gettext_lazy("Complaint"), "desk:complaint"),
    (gettext_lazy("Register of complaints"), "desk:complaints"),
    (gettext_lazy("Two names exchanged"), "desk:wrong_person"),
    (gettext_lazy("Amounts of penalties"), "desk:foul_amounts"),
    (gettext_lazy("Change the rules"), "desk:rules"),
    (gettext_lazy("Import results"), "desk:import_results"),
    (gettext_lazy("Import penalties"), "desk:import_penalties"),
    (gettext_lazy("Cards for table devices"), "desk:device_cards"),
)
OF_ROUND = (
    (gettext_lazy("Enter sheets"), "desk:sheets"),
    (gettext_lazy("Clock"), "desk:clock"),
    (gettext_lazy("Release round %(number)d"), "desk:release_round"),
)


@require_GET
@who_may(Right.SEE_DESK)
def palette(request: DeskRequest, event: Event) -> HttpResponse:
    """Answer with {"items": [{"label", "more", "fold", "url", "keys"}]}: pages, tables, players; five queries.

    `more` is searched as well, `fold` is both in plain letters, `keys` is what opens the item without the palette.
    """
    now = current_round(event)
    number = now.number if now else 0
    tables = event.rounds.filter(released_at=None).values_list("number", flat=True) if event.is_open else [number]
    found = [*_pages(event, number, request.rights), *_seated(event, list(tables), request.rights)]
    answer = JsonResponse({"items": found})
    answer["Cache-Control"] = "private, no-store"
    return answer


def _pages(event: Event, round_: int, rights: Rights) -> list[dict[str, Any]]:
    listed = [(label, name) for _key, label, name, *_rest in (*DESK_TABS, *SECTIONS)] + list(PAGES)
    found = [(str(label), address) for label, name in listed if (address := find_address(name, event.slug))]
    if round_:
        found += [(label % {"number": round_}, reverse(name, args=[event.slug, round_])) for label, name in OF_ROUND]
    pages = [_item(label, url) for label, url in found if opens(rights, url)]
    return [*pages, _item(_("What players see"), reverse("public:phone", args=[event.slug]))]


def _seated(event: Event, rounds: Sequence[int], rights: Rights) -> list[dict[str, Any]]:
    """List the tables of rounds with who sits there, and the players and substitutes with their tables.

    No two tables of these rounds have the same number.
    """
    names, tables = dict(list_names(event)), defaultdict(list)
    seats = Seat.objects.filter(round__event=event, round__number__in=rounds).order_by("table__number", "seat")
    url_of = dict[int, str]()
    for round_, table, player in seats.values_list("round__number", "table__number", "player__number"):
        tables[table].append(player)
        url_of[table] = reverse("desk:table", args=[event.slug, round_, table])
    at = {player: table for table, players in tables.items() for player in players}
    people = {table: [names.get(number, "") for number in players] for table, players in tables.items()}
    guests = []
    for table, replaced, substitute, free_name in _substitutes(event, rounds):
        if substitute:
            at[substitute] = table
        else:
            guests.append((free_name, table, names.get(replaced, "")))
        people[table].append(names.get(substitute or 0, free_name))
    found = [
        _item(_("Table %(number)d") % {"number": table}, url_of[table], " · ".join(people[table]), f"{table} Enter")
        for table in tables
    ]
    for guest, table, absent in guests:
        where = _("Table %(number)d") % {"number": table}
        found.append(_item(guest, url_of[table], f"{where} · {absent}"))
    for number, name in names.items():
        own = reverse("desk:player", args=[event.slug, number])
        url = own if opens(rights, own) else url_of.get(at.get(number, 0), "")
        where = _("Table %(number)d") % {"number": at[number]} if number in at else ""
        if url:
            found.append(_item(f"{number} {name}", url, where))
    return found


def _substitutes(event: Event, rounds: Sequence[int]) -> Iterable[tuple[int, int, int | None, str]]:
    """Return table, replaced player, and who plays: a player by number, or somebody by name alone; empty seats not."""
    rows = Substitution.objects.filter(event=event, table__round__number__in=rounds, cancelled_at=None).order_by("pk")
    found = rows.values_list("table__number", "player__number", "substitute__number", "name")
    return (row for row in found if row[2] or row[3])


def _item(label: str, url: str, more: str = "", keys: str = "") -> dict[str, Any]:
    return {"label": label, "more": more, "fold": search_text(f"{label} {more}"), "url": url, "keys": keys}


TABLE, GRID = "table", "grid"
MOST = 9999  # no event has so many rounds or tables


def where_is(path: str, slug: str, *, typing: bool) -> OpenPage:
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
    return OpenPage(TABLE if table else _place(path, slug), round_, table, typing)


def _place(path: str, slug: str) -> str:
    parts = path.removeprefix(f"/desk/{slug}/").strip("/").split("/")
    return (parts[-1] if parts[0] == "rounds" else parts[0]) or GRID


def people_json(rows: list[PresentRow], here: OpenPage) -> list[dict[str, Any]]:
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


def _is_here(row: PresentRow, here: OpenPage) -> bool:
    return here.place != GRID and (row.place, row.round, row.table) == (here.place, here.round, here.table)


def _say(row: PresentRow, here: OpenPage) -> str:
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
@who_may(Right.SEE_DESK)
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
