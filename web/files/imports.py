"""What came into an event from files: the list of it, where more is brought in, and taking one of it back."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.files.imports import get_import, list_imports
from tournament.selectors.tables.tables import names_of
from tournament.services.files.take_back import problems_of_taking_back, take_import_back
from web.files.import_page import say_taken, say_taken_back
from web.frame.page_context import desk_context
from web.frame.reauthentication import reauthenticate
from web.gateways import DeskRequest, who_may
from web.words.imports import KIND_WORDS
from web.words.problems import say


@require_GET
@who_may(Verb.IMPORT)
def imports(request: DeskRequest, event: Event) -> HttpResponse:
    """List the files that were taken, newest first, and the ways to bring more."""
    rows = list_imports(event)
    names = names_of({row.by for row in rows})
    items = [
        {"row": row, "kind": _(KIND_WORDS[row.kind]), "taken": say_taken(row), "by": names.get(row.by, "")}
        for row in rows
    ]
    ways = [
        (_("Players"), "desk:players"),
        (_("Seats"), "desk:import_seats"),
        (_("Results"), "desk:import_results"),
        (_("Penalties"), "desk:import_penalties"),
    ]
    links = [(word, reverse(name, args=[event.slug])) for word, name in ways]
    context = desk_context(request, event, "settings", items=items, links=links)
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
    problems = problems_of_taking_back(event, row)
    errors: list[str] = []
    if request.method == "POST":
        try:
            take_import_back(event=event, seq=import_id, reason=request.POST.get("reason", ""), by=request.user)
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
