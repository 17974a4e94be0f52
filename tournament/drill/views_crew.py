"""The drills of table crews at the desk: the organiser makes one, and reads who answered what."""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.drill.actions import KEPT, MOST_QUESTIONS, MOST_SEED, delete_drill, delete_result, make_drill
from tournament.drill.paper_drill_paper import drill_pdf
from tournament.drill.questions_answers import questions_of
from tournament.drill.questions_shown import count_right, key_of, shown_questions
from tournament.drill.views_practice import USUAL_COUNT, kind_choices, read_kinds
from tournament.models.event import Event
from tournament.models.referee import CrewDrill, CrewResult
from tournament.pages.addresses import hall_url
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, flash_problems, to_int
from tournament.paper.queries import get_head
from tournament.pdf.drawings import code_svg
from tournament.penalties.queries_fouls import get_catalogue
from tournament.text.problems_1 import say


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What one person answered, held against the key; `wrong` are the numbers of the questions."""

    result: CrewResult
    right: int
    wrong: Sequence[int]


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def drills(request: DeskRequest, event: Event) -> HttpResponse:
    """List the drills of the event's crews, and make one."""
    fouls, problems = get_catalogue(event), []
    if request.method == "POST":
        typed = request.POST.get("seed", "").strip()
        try:
            made = make_drill(
                event=event,
                seed=to_int(typed) if typed else secrets.randbelow(MOST_SEED + 1),
                count=to_int(request.POST.get("count")),
                kinds=request.POST.getlist("kind"),
                by=request.user,
            )
            return redirect("desk:drill", event.slug, made.pk)
        except Refused as refused:
            problems = [say(problem) for problem in refused.problems]
    context = {
        "drills": [(drill, drill.results.count()) for drill in event.drills.all()],
        "kinds": kind_choices(read_kinds(request.POST), fouls),
        "count": request.POST.get("count", USUAL_COUNT),
        "seed": request.POST.get("seed", ""),
        "most": MOST_QUESTIONS,
        "most_seed": MOST_SEED,
        "kept_days": KEPT.days,
        "errors": problems,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "drill/drills.html", page, status=UNPROCESSABLE if problems else 200)


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def crew_drill(request: DeskRequest, event: Event, drill_id: int) -> HttpResponse:
    """Show a drill's link and its results; delete one result, or the whole drill."""
    drill = get_object_or_404(event.drills, pk=drill_id)
    if request.method == "POST":
        return _delete(request, event, drill)
    book, asked = questions_of(drill)
    rows = _rows(drill, key_of(asked))
    missed = Counter(number for row in rows for number in row.wrong)
    url = hall_url(request, reverse("public:crew_drill", args=[event.slug, drill.token]))
    context = {
        "drill": drill,
        "total": len(asked),
        "rows": rows,
        "missed": [(missed[each.number], each) for each in shown_questions(asked, book) if missed[each.number]],
        "url": url,
        "svg": code_svg(url),
        "kept_days": KEPT.days,
    }
    return render(request, "drill/crew_results.html", desk_context(request, event, "settings", **context))


@require_GET
@who_may(Verb.CHANGE_SETTINGS)
def crew_sheet(request: DeskRequest, event: Event, drill_id: int) -> HttpResponse:
    """Print a drill of the crews with its key."""
    drill = get_object_or_404(event.drills, pk=drill_id)
    book, asked = questions_of(drill)
    return drill_pdf(request, shown_questions(asked, book), get_head(event), book, seed=drill.seed)


def _delete(request: DeskRequest, event: Event, drill: CrewDrill) -> HttpResponse:
    if "result" in request.POST:
        result = get_object_or_404(drill.results, pk=to_int(request.POST["result"]))
        delete_result(result=result, by=request.user)
        messages.success(request, _("The result is deleted."))
        return redirect("desk:drill", event.slug, drill.pk)
    try:
        delete_drill(drill=drill, by=request.user)
        messages.success(request, _("The drill and its results are deleted."))
    except Refused as refused:
        flash_problems(request, refused)
    return redirect("desk:drills", event.slug)


def _rows(drill: CrewDrill, key: str) -> list[ResultRow]:
    """Return the results, best first."""
    rows = [
        ResultRow(
            result,
            count_right(key, result.answers),
            [at for at, (wanted, said) in enumerate(zip(key, result.answers, strict=False), start=1) if wanted != said],
        )
        for result in drill.results.all()
    ]
    return sorted(rows, key=lambda row: (-row.right, row.result.pk))
