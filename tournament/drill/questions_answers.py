"""A drill that table crews answer by its link: all questions on one page, what was wrong once they are handed in."""

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from rules.books import Book
from scoring.drill import KINDS, Question
from scoring.problems import InvalidInput, ProblemType
from tournament.calculator.views import event_book
from tournament.core.errors import Refused
from tournament.core.rate_limits import TooMany
from tournament.drill.actions import KEPT, LETTERS, MOST_NAME, NONE, hand_in
from tournament.drill.queries import find_drill, get_drill_rules
from tournament.drill.questions_shown import count_right, key_of, make_questions, shown_questions
from tournament.models.event import Event
from tournament.models.referee import CrewDrill
from tournament.pages.permissions_gateways import for_public
from tournament.pages.public_page import answer_one
from tournament.pages.requests_tables import UNPROCESSABLE, to_uuid
from tournament.pages.sign_in_rate_limits import client_network, too_many
from tournament.text.languages import listed
from tournament.text.problems_1 import say

DRILL_UNANSWERED = ProblemType("drill.unanswered", "Without an answer yet: {questions}.")


@require_http_methods(["GET", "POST"])
@for_public
def answer(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Ask all questions of a crew's drill on one page, take the answers, and show what was wrong."""
    drill = find_drill(event, token)
    if drill is None:
        raise Http404("There is no such drill.")
    book, asked = questions_of(drill)
    given = "".join(_letter(request.POST.get(f"q{number}", "")) for number in range(1, len(asked) + 1))
    context: dict[str, Any] = {
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
            return too_many(request, many)
        except (Refused, InvalidInput) as refused:
            context["errors"], status = [say(problem) for problem in refused.problems], UNPROCESSABLE
            context["anyway"] = any(problem.code == "drill.unanswered" for problem in refused.problems)
    return answer_one(request, event, "drill/crew.html", context, status=status)


def _hand_in(request: HttpRequest, drill: CrewDrill, key: str, given: str) -> dict[str, Any]:
    """Keep the answers and return what came of them; raises Refused the first time that some are missing."""
    empty = [str(number) for number, letter in enumerate(given, start=1) if letter == NONE]
    if empty and "anyway" not in request.POST:
        raise Refused(DRILL_UNANSWERED(questions=listed(empty)))
    kept = hand_in(
        drill=drill,
        client_id=to_uuid(request.POST.get("client_id", "")),
        name=request.POST.get("name", ""),
        answers=given,
        sender=client_network(request),
    )
    return {"sent": True, "right": count_right(key, kept.answers), "total": len(key)}


def questions_of(drill: CrewDrill) -> tuple[Book, list[Question]]:
    """Return the questions of a drill by the rules that it was made with."""
    rules, fouls = get_drill_rules(drill)
    book = event_book(rules)
    kinds = [kind for kind in KINDS if kind in drill.kinds]
    return book, make_questions(book, fouls, seed=drill.seed, count=drill.count, kinds=kinds)


def _letter(text: str) -> str:
    return text if len(text) == 1 and text in LETTERS else NONE
