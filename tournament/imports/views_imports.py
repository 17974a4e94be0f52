"""The files that an event has taken: list them, lead to each way of importing, take one back."""

from dataclasses import dataclass
from typing import ClassVar

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.imports.actions_imports import undo_import, undo_problems
from tournament.imports.messages import KIND_WORDS
from tournament.imports.queries import ImportRow, get_import, list_imports
from tournament.models.event import Event
from tournament.models.people import Person
from tournament.pages.hooks import find_address
from tournament.pages.lists import ListColumn, ListTable, acts_column
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.sign_in_reauthentication import reauthenticate
from tournament.tables.queries_tables import names_of
from tournament.text.languages import counted
from tournament.text.problems_1 import say

MOST_NAMES = 40


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that was taken, in words."""

    row: ImportRow
    kind: str
    taken: str
    by: str


class ImportsTable(ListTable):
    """The files that were taken."""

    title = gettext_lazy("Imports")
    file_name = ListColumn(gettext_lazy("File"), value=lambda each: each.row.filename)
    kind = ListColumn(gettext_lazy("Kind"), value=lambda each: each.kind, on_screen=False)
    taken = ListColumn(gettext_lazy("What it brought"), value=lambda each: each.taken)
    by = ListColumn(gettext_lazy("By"), value=lambda each: each.by)
    at = ListColumn(gettext_lazy("When"), value=lambda each: each.row.at, sort=lambda each: each.row.seq, kind="moment")
    acts = acts_column("files/imports.html#acts")

    class Meta(ListTable.Meta):
        attrs: ClassVar = {"class": "is-stack"}
        order_by = "-at"


@require_GET
@who_may(Verb.IMPORT)
def imports(request: DeskRequest, event: Event) -> HttpResponse:
    """List the files that were taken, newest first, and the ways to bring more."""
    rows = list_imports(event)
    names = names_of({row.by for row in rows})
    taken = [Taken(row, _(KIND_WORDS[row.kind]), say_taken(row), names.get(row.by, "")) for row in rows]
    table = ImportsTable(taken, request)
    if file := table.file(event.name):
        return file
    ways = [
        (_("Players"), "desk:players"),
        (_("Seats"), "desk:import_seats"),
        (_("Results"), "desk:import_results"),
        (_("Penalties"), "desk:import_penalties"),
        (_("Online games"), "desk:import_games"),
    ]
    links = [(word, address) for word, name in ways if (address := find_address(name, event.slug))]
    context = desk_context(request, event, "settings", table=table, links=links)
    return render(request, "files/imports.html", context)


@require_http_methods(["GET", "POST"])
@who_may(Verb.IMPORT)
@reauthenticate()
def take_back(request: DeskRequest, event: Event, import_id: int) -> HttpResponse:
    """Say what would be taken back, ask why, then do it."""
    row = get_import(event, import_id)
    if row is None:
        raise Http404("There is no such import.")
    if row.taken_back:
        messages.info(request, _("This was taken back already."))
        return redirect("desk:imports", event.slug)
    problems = undo_problems(event, row)
    errors: list[str] = []
    if request.method == "POST":
        try:
            undo_import(event=event, seq=import_id, reason=request.POST.get("reason", ""), by=request.user)
            messages.success(request, _("What came from %(file)s is taken back.") % {"file": row.filename})
            return redirect("desk:imports", event.slug)
        except Refused as refused:
            errors = [say(problem) for problem in refused.problems]
    context = {
        "row": row,
        "title": _("Take back: %(taken)s?") % {"taken": say_taken(row)},
        "lines": say_taken_back(event, row),
        "problems": [say(problem) for problem in problems],
        "errors": errors,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "files/import_back.html", page, status=422 if errors else 200)


def say_taken(row: ImportRow) -> str:
    """Say what an import brought, in short."""
    details = row.details
    if row.kind == "players":
        count = len(details["numbers"])
        return counted("%(count)d player", "%(count)d players", count)
    if row.kind == "penalties":
        count = len(details["penalties"])
        return counted("%(count)d penalty", "%(count)d penalties", count)
    if row.kind == "seats":
        count = details["rounds"]
        return counted("the seats of %(count)d round", "the seats of %(count)d rounds", count)
    if row.kind == "game":
        place = {"round": details["round"], "table": details["table"], "hands": details["hands"]}
        return _("%(hands)d hands of round %(round)d, table %(table)d") % place
    count = len(details.get("tables", []))
    return counted("the results of %(count)d table", "the results of %(count)d tables", count)


def say_taken_back(event: Event, row: ImportRow) -> list[str]:
    """Say line by line what taking an import back does, and what it leaves."""
    if row.kind == "players":
        people = Person.objects.filter(players__event=event, players__number__in=row.details["numbers"])
        names = list(people.order_by("players__number").values_list("preferred_name", flat=True))
        more = [_("and %(count)d more") % {"count": len(names) - MOST_NAMES}] if len(names) > MOST_NAMES else []
        return [
            _("These players are taken out of the list: %(names)s") % {"names": ", ".join(names[:MOST_NAMES] + more)}
        ]
    if row.kind == "seats":
        return [_("All seats are removed; the list of players opens again.")]
    if row.kind == "penalties":
        return [
            _("Each of its penalties is cancelled; the rows stay in the register, crossed out."),
            _("Those that somebody cancelled already stay as they are."),
        ]
    if row.kind == "game":
        return [_("Every hand of it is made void; the table is empty again."), _("The ledger keeps what was entered.")]
    lines = [_("Its tables are reopened and their scores made void; the ledger keeps what was entered.")]
    if row.details.get("released"):
        rounds = ", ".join(map(str, row.details["released"]))
        lines.append(_("The results of rounds %(rounds)s are no longer public.") % {"rounds": rounds})
        lines.append(_("Players and seats stay: a corrected file with the same seats can be imported afterwards."))
    return lines
