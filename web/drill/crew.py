"""A drill for table crews: the organiser makes one, people answer it by its link, the organiser reads the results."""

import secrets
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from rules.books import Book
from scoring.drill import KINDS, Question
from scoring.problems import InvalidInput, error
from tournament.models import CrewDrill, CrewResult, Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.files.paper import get_head
from tournament.selectors.people.drills import find_drill, get_drill_rules
from tournament.selectors.tables.fouls import get_catalogue
from tournament.services.core.rate_limits import TooMany
from tournament.services.people.drills import (
    KEPT,
    LETTERS,
    MOST_NAME,
    MOST_QUESTIONS,
    MOST_SEED,
    NONE,
    delete_drill,
    delete_result,
    hand_in,
    make_drill,
)
from tournament.sheets.svg import code_svg
from web.drill.drill_paper import drill_pdf
from web.drill.practice import USUAL_COUNT, kind_choices, read_kinds
from web.drill.shown import count_right, key_of, make_questions, shown_questions
from web.frame.page_context import desk_context
from web.frame.public_page import public_context
from web.frame.rate_limits import client_address, too_many
from web.frame.tables import UNPROCESSABLE, flash_problems, to_int, to_uuid
from web.gateways import DeskRequest, for_public, who_may
from web.hands.calculator import event_book
from web.server.host_addresses import hall_url
from web.words.languages import listed
from web.words.problems import say


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
    book, asked = _questions(drill)
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
    book, asked = _questions(drill)
    return drill_pdf(request, shown_questions(asked, book), get_head(event), book, seed=drill.seed)


@require_http_methods(["GET", "POST"])
@for_public
def answer(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Ask all questions of a crew's drill on one page, take the answers, and show what was wrong."""
    drill = find_drill(event, token)
    if drill is None:
        raise Http404("There is no such drill.")
    book, asked = _questions(drill)
    given = "".join(_letter(request.POST.get(f"q{number}", "")) for number in range(1, len(asked) + 1))
    context: dict[str, Any] = {
        **public_context(event, ""),
        "version_url": "",
        "questions": shown_questions(asked, book, given),
        "name": request.POST.get("name", "")[:MOST_NAME],
        "most_name": MOST_NAME,
        "client_id": request.POST.get("client_id") or str(uuid.uuid4()),
        "rules": book.ruleset,
        "kept_days": KEPT.days,
    }
    status = 200
    if request.method == "POST":
        try:
            context |= _hand_in(request, drill, key_of(asked), given)
        except TooMany as many:
            return too_many(request, say(many.problems[0]), many.wait)
        except (Refused, InvalidInput) as refused:
            context["errors"], status = [say(problem) for problem in refused.problems], UNPROCESSABLE
            context["anyway"] = any(problem.code == "drill.unanswered" for problem in refused.problems)
    response = render(request, "drill/crew.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _hand_in(request: HttpRequest, drill: CrewDrill, key: str, given: str) -> dict[str, Any]:
    """Keep the answers and return what came of them; raises Refused the first time that some are missing."""
    empty = [str(number) for number, letter in enumerate(given, start=1) if letter == NONE]
    if empty and "anyway" not in request.POST:
        raise Refused(error("drill.unanswered", questions=listed(empty)))
    kept = hand_in(
        drill=drill,
        client_id=to_uuid(request.POST.get("client_id", "")),
        name=request.POST.get("name", ""),
        answers=given,
        sender=client_address(request),
    )
    return {"sent": True, "right": count_right(key, kept.answers), "total": len(key)}


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


def _questions(drill: CrewDrill) -> tuple[Book, list[Question]]:
    """Return the questions of a drill by the rules that it was made with."""
    rules, fouls = get_drill_rules(drill)
    book = event_book(rules)
    kinds = [kind for kind in KINDS if kind in drill.kinds]
    return book, make_questions(book, fouls, seed=drill.seed, count=drill.count, kinds=kinds)


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


def _letter(text: str) -> str:
    return text if len(text) == 1 and text in LETTERS else NONE
