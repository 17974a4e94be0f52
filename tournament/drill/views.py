"""The referee's drill: question after question for everybody, drills of table crews at the desk, and both on paper.

The address of a public drill holds rule set, seed, kinds and answers. Nothing of it is stored.
"""

import datetime as dt
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from rules.books import Book, book_keys, load_book
from rules.foul_books import catalogue
from rules.fouls import Catalogue
from rules.ruleset import Ruleset
from scoring.drill import KINDS, Kind
from scoring.problems import ProblemType
from tournament.calculator.views import USUAL_RULES, answer_hand, event_book, hand_faces
from tournament.core.errors import DomainError
from tournament.core.rate_limits import RateLimitedError
from tournament.core.rights import Right
from tournament.core.shared_cache import count_shared
from tournament.drill.actions import KEPT, LETTERS, MAX_QUESTIONS, MAX_SEED, delete_drill, delete_result, make_drill
from tournament.drill.messages import KIND_WORDS, Clause
from tournament.drill.models import CrewDrill, CrewResult
from tournament.drill.questions import (
    ShownOption,
    ShownQuestion,
    count_right,
    explained,
    key_of,
    make_questions,
    questions_of,
    shown_question,
    shown_questions,
)
from tournament.events.models import Event
from tournament.pages.addresses import hall_url
from tournament.pages.files import PDF, file_answer, get_head, paper_size
from tournament.pages.permissions import DeskRequest, desk_context, for_anyone, for_public, who_may
from tournament.pages.priority import yield_priority
from tournament.pages.public_page import public_context
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, to_int
from tournament.pages.sign_in import client_network, confirm_first, too_many
from tournament.paper.call_slip import laid_out
from tournament.paper.rows import Faces
from tournament.pdf.drawings import code_svg, drawn
from tournament.pdf.printers import BrokenOff, printers
from tournament.pdf.render import Leaves, PaperUnavailable
from tournament.penalties.queries import get_catalogue
from tournament.tables.rows import EventHead
from tournament.text.languages import join_commas, join_sentences, join_spaced
from tournament.text.problems import problem_text
from tournament.text.rules import say_source

USUAL_COUNT = 10
COUNTS = (10, 20, 40, MAX_QUESTIONS)
_ANSWERS = re.compile(rf"[{LETTERS}]{{0,{MAX_QUESTIONS}}}")


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
    return count if 1 <= count <= MAX_QUESTIONS else USUAL_COUNT


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
        seed=to_int(typed) % (MAX_SEED + 1),
        count=read_count(fields.get("n", "")),
        kinds=read_kinds(fields),
        answers=answers if _ANSWERS.fullmatch(answers) else "",
        see=bool(fields.get("see")),
    )


def _page(request: HttpRequest, where: Where) -> HttpResponse:
    run = _read(request.GET)
    if run is None and "n" in request.GET:  # the form with an empty seed
        seed = secrets.randbelow(MAX_SEED + 1)
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
        "most_seed": MAX_SEED,
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


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What one person answered, held against the key; `wrong` are the numbers of the questions."""

    result: CrewResult
    right: int
    wrong: Sequence[int]


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def drills(request: DeskRequest, event: Event) -> HttpResponse:
    """List the drills of the event's crews, and make one."""
    fouls, problems = get_catalogue(event), []
    if request.method == "POST":
        typed = request.POST.get("seed", "").strip()
        try:
            made = make_drill(
                event=event,
                seed=to_int(typed) if typed else secrets.randbelow(MAX_SEED + 1),
                count=to_int(request.POST.get("count")),
                kinds=request.POST.getlist("kind"),
                by=request.user,
            )
            return redirect("desk:drill", event.slug, made.pk)
        except DomainError as refused:
            problems = [problem_text(problem) for problem in refused.problems]
    context = {
        "drills": [(drill, drill.results.count()) for drill in event.drills.all()],
        "kinds": kind_choices(read_kinds(request.POST), fouls),
        "count": request.POST.get("count", USUAL_COUNT),
        "seed": request.POST.get("seed", ""),
        "most": MAX_QUESTIONS,
        "most_seed": MAX_SEED,
        "kept_days": KEPT.days,
        "errors": problems,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "drill/drills.html", page, status=UNPROCESSABLE if problems else 200)


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
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
@who_may(Right.CHANGE_SETTINGS)
def crew_sheet(request: DeskRequest, event: Event, drill_id: int) -> HttpResponse:
    """Print a drill of the crews with its key."""
    drill = get_object_or_404(event.drills, pk=drill_id)
    book, asked = questions_of(drill)
    return drill_pdf(request, shown_questions(asked, book), get_head(event), book, seed=drill.seed)


def _delete(request: DeskRequest, event: Event, drill: CrewDrill) -> HttpResponse:
    one = "result" in request.POST
    title = _("Delete this result?") if one else _("Delete the drill and its results?")
    if asked := confirm_first(request, event, title=title, back=request.path, tab="settings", danger=True):
        return asked
    if one:
        result = get_object_or_404(drill.results, pk=to_int(request.POST["result"]))
        delete_result(result=result, by=request.user)
        messages.success(request, _("The result is deleted."))
        return redirect("desk:drill", event.slug, drill.pk)
    with flash_refusal(request):
        delete_drill(drill=drill, by=request.user)
        messages.success(request, _("The drill and its results are deleted."))
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


DRILL_TOO_MANY_PRINTS = ProblemType(
    "drill.too_many_prints", "Too many sheets were printed from here. Try again in {wait}."
)

PRINTS, PRINT_SPAN = 30, 600  # of one address: a print takes a processor for a second


def head_of_nothing(rules: Ruleset) -> EventHead:
    """Return the head of a sheet that belongs to no event."""
    today: dt.date = timezone.localdate()
    return EventHead(
        name="Hanchan Desk",
        slug="drill",
        date=today,
        ruleset_title=rules.title,
        players_per_table=rules.players,
        rounds=0,
        start_points=rules.start_points,
        deposit=rules.riichi_deposit,
        minutes=rules.minutes,
        extra_hands=rules.extra_hands,
        printed_at=timezone.localtime(),
    )


def drill_pdf(
    request: HttpRequest, shown: Sequence[ShownQuestion], head: EventHead, book: Book, *, seed: int
) -> HttpResponse:
    """Answer with the drill as PDF; 429 for too many from one address, 503 where nothing can be printed."""
    if count_shared(f"drills.{client_network(request)}", seconds=PRINT_SPAN) > PRINTS:
        return too_many(request, RateLimitedError(DRILL_TOO_MANY_PRINTS, wait=PRINT_SPAN))
    head = replace(head, ruleset_title=book.ruleset.title, paper=paper_size(request))
    try:
        with yield_priority():
            printed = printers.print(drill_leaves([_item(each, book) for each in shown], seed), head)
    except (PaperUnavailable, BrokenOff) as wrong:
        return render(request, "drill/no_paper.html", {"why": str(wrong)}, status=503)
    return file_answer(printed.pdf, PDF, f"{head.slug}-drill-{book.ruleset.key}-{seed}.pdf", inline=True)


class DrillItem(TypedDict):
    """A question in words; `options` are letters with answers, `key` the right letter.

    `tiles` are the parts of a hand as they lie; `why` and `clauses` the reasons of the answer. A plain dictionary: the
    process that prints cannot import this module, which knows models.
    """

    number: int
    ask: str
    facts: str
    tiles: tuple[Faces, ...]
    options: tuple[tuple[str, str], ...]
    key: str
    answer: str
    why: str
    clauses: str


def _item(question: ShownQuestion, book: Book) -> DrillItem:
    return DrillItem(
        number=question.number,
        ask=question.ask,
        facts=join_sentences(question.facts),
        tiles=tuple(laid_out(hand_faces(question.hand))) if question.hand else (),
        options=tuple((option.letter.upper(), _say(option)) for option in question.options),
        key=question.key.letter.upper(),
        answer=_say(question.key),
        why=join_spaced(_why(question, book)),
        clauses=join_spaced(_clause(each, named=not question.is_foul) for each in question.clauses),
    )


def _clause(clause: Clause, *, named: bool) -> str:
    text = say_source(clause.text) or _("this event’s own value")
    return f"{clause.name} {text}" if named else text


def _say(option: ShownOption) -> str:
    return option.text or join_commas(f"{seat} {change}" for seat, change in option.changes)


def _why(question: ShownQuestion, book: Book) -> Iterable[str]:
    """Yield yaku, dora and fu of a hand."""
    if question.hand is None:
        return
    counted = answer_hand(question.hand, book)
    yield join_commas(f"{row.name} {row.han or ''}".strip() for row in counted["yaku"])
    yield join_commas(f"{name} {han}" for name, han in counted["dora"])
    if counted["fu"] and counted["fu"].matters:
        items = join_commas(f"{why} {fu}" for why, fu, _tiles in counted["fu"].items)
        yield _("%(fu)d fu") % {"fu": counted["fu"].rounded} + f" ({items})"


def drill_leaves(items: Sequence[DrillItem], seed: int) -> Leaves:
    """Give the questions and then the key, as plain values. Raises ValueError for no question."""
    if not items:
        raise ValueError("there is nothing to ask")
    shown = [(item, [(each.word, [drawn(tile) for tile in each.tiles]) for each in item["tiles"]]) for item in items]
    return Leaves("drill", ({"items": shown, "seed": seed},))
