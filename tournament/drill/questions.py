"""The drill's questions in words, answers checked against their keys, and the page of a crew's drill.

All questions are on one page, found by a link; it shows what was wrong once the answers are handed in.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rules.books import Book
from rules.fouls import Catalogue
from rules.ruleset import Ruleset
from scoring.drill import KINDS, HandAsked, Kind, Option, Question, questions
from scoring.hand import to_json
from scoring.problems import InvalidInput, ProblemType
from tournament.calculator.views import answer_hand, event_book
from tournament.core.errors import DomainError
from tournament.core.rate_limits import RateLimitedError
from tournament.drill.actions import KEPT, LETTERS, MAX_NAME, NONE, hand_in
from tournament.drill.messages import ASKS, Clause, clauses_text, facts_text, option_text, seat_words, slip_text
from tournament.drill.models import CrewDrill
from tournament.events.models import Event
from tournament.pages.permissions import for_public
from tournament.pages.public_page import answer_one
from tournament.pages.requests import UNPROCESSABLE, to_uuid
from tournament.pages.sign_in import client_network, too_many
from tournament.penalties.queries import get_catalogue
from tournament.text.languages import join_and
from tournament.text.numbers import signed
from tournament.text.problems import problem_text


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An answer on offer: in words, or each seat with its change; `slip` is what leads to a wrong one."""

    letter: str
    text: str
    changes: Sequence[tuple[str, str]]
    right: bool
    chosen: bool
    slip: str


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question; `given` is the letter that was answered, empty for none."""

    number: int
    kind: Kind
    ask: str
    facts: Sequence[str]
    is_foul: bool
    hand: Mapping[str, Any] | None
    options: Sequence[ShownOption]
    given: str
    clauses: Sequence[Clause]

    @property
    def correct(self) -> bool:
        """Whether the given answer is the right one."""
        return any(option.right and option.chosen for option in self.options)

    @property
    def key(self) -> ShownOption:
        """The right answer."""
        return next(option for option in self.options if option.right)


def make_questions(book: Book, fouls: Catalogue, *, seed: int, count: int, kinds: Iterable[Kind]) -> list[Question]:
    """Return the questions of a drill, fewer where there are not so many fouls."""
    return list(islice(questions(book, fouls, seed=seed, kinds=kinds), count))


def key_of(asked: Iterable[Question]) -> str:
    """Return the right letters in order."""
    return "".join(LETTERS[question.key] for question in asked)


def count_right(key: str, answers: str) -> int:
    """Count the answers that are right.

    >>> count_right("abca", "ab-c")
    2
    """
    return sum(wanted == given for wanted, given in zip(key, answers, strict=False))


def shown_question(question: Question, number: int, book: Book, given: str = "") -> ShownQuestion:
    """Put a question into words."""
    hand = to_json(question.asked.hand) if isinstance(question.asked, HandAsked) else None
    options = [
        _option(option, LETTERS[index], given, book, right=index == question.key)
        for index, option in enumerate(question.options)
    ]
    return ShownQuestion(
        number=number,
        kind=question.kind,
        ask=_(ASKS[question.kind]),
        facts=facts_text(question, book.ruleset),
        is_foul=question.kind == "foul",
        hand=hand,
        options=options,
        given=given,
        clauses=clauses_text(question),
    )


def shown_questions(asked: Sequence[Question], book: Book, answers: str = "") -> list[ShownQuestion]:
    """Put all questions into words, with the answers given."""
    given = answers or NONE * len(asked)
    return [
        shown_question(question, number, book, letter)
        for number, (question, letter) in enumerate(zip(asked, given, strict=True), start=1)
    ]


def explained(question: ShownQuestion, book: Book) -> dict[str, Any] | None:
    """Return the count of a hand with its reasons, as ui/count.html shows it; None for the other kinds."""
    return answer_hand(question.hand, book) if question.hand else None


def _option(option: Option, letter: str, given: str, book: Book, *, right: bool) -> ShownOption:
    changes: list[tuple[str, str]] = []
    if isinstance(option.answer, tuple):
        seats = seat_words(book.ruleset.players)
        changes = [(seat, signed(change)) for seat, change in zip(seats, option.answer, strict=True)]
    return ShownOption(
        letter, option_text(option), changes, right=right, chosen=letter == given, slip=slip_text(option.cause)
    )


DRILL_UNANSWERED = ProblemType("drill.unanswered", "Without an answer yet: {questions}.")


@require_http_methods(["GET", "POST"])
@for_public
def answer(request: HttpRequest, event: Event, token: str) -> HttpResponse:
    """Ask all questions of a crew's drill on one page, take the answers, and show what was wrong."""
    drill = get_object_or_404(event.drills, token=token, ends_at__gt=timezone.now())
    book, asked = questions_of(drill)
    given = "".join(_letter(request.POST.get(f"q{number}", "")) for number in range(1, len(asked) + 1))
    context: dict[str, Any] = {
        "questions": shown_questions(asked, book, given),
        "name": request.POST.get("name", "")[:MAX_NAME],
        "most_name": MAX_NAME,
        "client_id": request.POST.get("client_id") or str(uuid.uuid4()),
        "rules": book.ruleset,
        "kept_days": KEPT.days,
    }
    status = 200
    if request.method == "POST":
        try:
            context |= _hand_in(request, drill, key_of(asked), given)
        except RateLimitedError as many:
            return too_many(request, many)
        except (DomainError, InvalidInput) as refused:
            context["errors"], status = [problem_text(problem) for problem in refused.problems], UNPROCESSABLE
            context["anyway"] = any(problem.code == "drill.unanswered" for problem in refused.problems)
    return answer_one(request, event, "drill/crew.html", context, status=status)


def _hand_in(request: HttpRequest, drill: CrewDrill, key: str, given: str) -> dict[str, Any]:
    """Keep the answers and return what came of them; raises DomainError the first time that some are missing."""
    empty = [str(number) for number, letter in enumerate(given, start=1) if letter == NONE]
    if empty and "anyway" not in request.POST:
        raise DomainError(DRILL_UNANSWERED(questions=join_and(empty)))
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


def get_drill_rules(drill: CrewDrill) -> tuple[Ruleset, Catalogue]:
    """Return rules and fouls as they were when the drill was made."""
    then = Event(slug=drill.event.slug, rules=drill.rules, foul_amounts=drill.foul_amounts)
    return then.ruleset, get_catalogue(then)
