"""The drill as everybody can play it: one question after another, by a book or by the rules of an event.

The address holds all: rule set, seed, kinds and the answers so far. Nothing is kept.
"""

import re
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.books import Book, book_keys, load_book
from rules.foul_books import catalogue
from rules.fouls import Catalogue
from scoring.drill import KINDS, Kind
from tournament.calculator.views import USUAL_RULES, event_book
from tournament.drill.actions import LETTERS, MOST_QUESTIONS, MOST_SEED
from tournament.drill.messages import KIND_WORDS
from tournament.drill.paper_drill_paper import drill_pdf, head_of_nothing
from tournament.drill.questions_shown import (
    count_right,
    explained,
    key_of,
    make_questions,
    shown_question,
    shown_questions,
)
from tournament.models.event import Event
from tournament.pages.permissions_gateways import for_anyone, for_public
from tournament.pages.public_page import public_context
from tournament.pages.requests_tables import to_int
from tournament.paper.queries import get_head
from tournament.penalties.queries_fouls import get_catalogue
from tournament.tables.rows import EventHead

USUAL_COUNT = 10
COUNTS = (10, 20, 40, MOST_QUESTIONS)
_ANSWERS = re.compile(rf"[{LETTERS}]{{0,{MOST_QUESTIONS}}}")


@dataclass(frozen=True, slots=True)
class Run:
    """A drill as its address names it, with the answers so far; `see`: the last one is looked at."""

    seed: int
    count: int
    kinds: tuple[Kind, ...]
    answers: str = ""
    see: bool = False


@dataclass(frozen=True, slots=True)
class Where:
    """Whose rules a drill asks about: `event` is None for a book."""

    book: Book
    fouls: Catalogue
    page: str
    sheet: str
    event: Event | None = None

    def query(self, run: Run) -> str:
        """Return the query of an address for a run."""
        rules = [] if self.event else [("rules", self.book.ruleset.key)]
        kinds = [("kind", kind) for kind in run.kinds]
        return urlencode([*rules, ("seed", run.seed), ("n", run.count), *kinds])


@require_safe
@for_anyone
def drill(request: HttpRequest) -> HttpResponse:
    """Ask by the book of `?rules=`; without a seed show what can be chosen."""
    return _page(request, _by_book(request))


@require_safe
@for_public
def event_drill(request: HttpRequest, event: Event) -> HttpResponse:
    """Ask by the event's own rules and foul amounts."""
    return _page(request, _by_event(event))


@require_safe
@for_anyone
def sheet(request: HttpRequest) -> HttpResponse:
    """Print a drill by a book, its key on a page of its own; without a seed lead to where one is chosen."""
    where = _by_book(request)
    return _sheet(request, where, head_of_nothing(where.book.ruleset))


@require_safe
@for_public
def event_sheet(request: HttpRequest, event: Event) -> HttpResponse:
    """Print a drill by the event's rules."""
    return _sheet(request, _by_event(event), get_head(event))


def read_kinds(fields: QueryDict) -> tuple[Kind, ...]:
    """Return the kinds that are asked for, all where none is."""
    chosen = set(fields.getlist("kind"))
    return tuple(kind for kind in KINDS if kind in chosen) or KINDS


def kind_choices(chosen: tuple[Kind, ...], fouls: Catalogue) -> list[tuple[Kind, str, bool]]:
    """Return the kinds to tick: key, name, whether it is ticked; fouls only where the book names any."""
    return [(kind, _(KIND_WORDS[kind]), kind in chosen) for kind in KINDS if kind != "foul" or fouls.fouls]


def read_count(text: str) -> int:
    """Return how many questions are asked for, the usual number for anything else."""
    count = to_int(text)
    return count if 1 <= count <= MOST_QUESTIONS else USUAL_COUNT


def _by_book(request: HttpRequest) -> Where:
    key = request.GET.get("rules", USUAL_RULES)
    book = load_book(key if key in book_keys() else USUAL_RULES)
    return Where(book, catalogue(book.ruleset.key), reverse("drill"), reverse("drill_sheet"))


def _by_event(event: Event) -> Where:
    page, paper = (reverse(name, args=[event.slug]) for name in ("public:drill", "public:drill_sheet"))
    return Where(event_book(event.ruleset), get_catalogue(event), page, paper, event)


def _read(fields: QueryDict) -> Run | None:
    """Return the run of an address; None where it names no seed."""
    typed, answers = str(fields.get("seed", "")).strip(), str(fields.get("a", ""))
    if not typed:
        return None
    return Run(
        seed=to_int(typed) % (MOST_SEED + 1),
        count=read_count(fields.get("n", "")),
        kinds=read_kinds(fields),
        answers=answers if _ANSWERS.fullmatch(answers) else "",
        see=bool(fields.get("see")),
    )


def _page(request: HttpRequest, where: Where) -> HttpResponse:
    run = _read(request.GET)
    if run is None and "n" in request.GET:  # the form with an empty seed
        seed = secrets.randbelow(MOST_SEED + 1)
        run = Run(seed, read_count(request.GET.get("n", "")), read_kinds(request.GET))
        return redirect(f"{where.page}?{where.query(run)}")
    context: dict[str, Any] = _start(where) if run is None else _asked(where, run)
    event = {**public_context(where.event, ""), "version_url": ""} if where.event else {}
    shared = {"rules": where.book.ruleset, "page_url": where.page, "csrf_token": ""}
    response = render(request, "drill/drill.html", {**event, **shared, **context})
    response["Cache-Control"] = "no-cache"
    return response


def _start(where: Where) -> dict[str, Any]:
    books = [] if where.event else [load_book(key).ruleset for key in book_keys()]
    return {
        "books": books,
        "kinds": [(kind, _(KIND_WORDS[kind]), True) for kind in KINDS],
        "counts": [(count, count == USUAL_COUNT) for count in COUNTS],
        "no_fouls": bool(where.event) and not where.fouls.fouls,
        "most_seed": MOST_SEED,
    }


def _asked(where: Where, run: Run) -> dict[str, Any]:
    """Return the context of a question, of what came of the last answer, or of the end."""
    asked = make_questions(where.book, where.fouls, seed=run.seed, count=run.count, kinds=run.kinds)
    answers, query = run.answers[: len(asked)], where.query(run)
    done = len(answers) == len(asked)
    at = len(answers) - 1 if answers and (run.see or done) else len(answers)
    context: dict[str, Any] = {
        "run": run,
        "total": len(asked),
        "answers": answers,
        "right": count_right(key_of(asked), answers),
        "next_url": f"{where.page}?{query}&a={answers}",
        "sheet_url": f"{where.sheet}?{query}",
        "again_url": where.page if where.event else f"{where.page}?rules={where.book.ruleset.key}",
    }
    if not asked or (done and not run.see):
        wrong = [each for each in shown_questions(asked, where.book, answers) if not each.correct]
        return {**context, "done": True, "wrong": wrong}
    question = shown_question(asked[at], at + 1, where.book, answers[at] if run.see and answers else "")
    return {
        **context,
        "question": question,
        "last": done,
        "count": explained(question, where.book) if question.given else None,
    }


def _sheet(request: HttpRequest, where: Where, head: EventHead) -> HttpResponse:
    run = _read(request.GET)
    if run is None:
        return redirect(where.page)
    asked = make_questions(where.book, where.fouls, seed=run.seed, count=run.count, kinds=run.kinds)
    return drill_pdf(request, shown_questions(asked, where.book), head, where.book, seed=run.seed)
