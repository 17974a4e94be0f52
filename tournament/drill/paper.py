"""The drill on paper: its questions, then the key on a page of its own.

The referee's drill on paper: questions with answers to choose from, and the key on a page of its own.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from rules.books import Book
from rules.ruleset import Ruleset
from scoring.problems import ProblemType
from tournament.calculator.views import answer_hand, hand_faces
from tournament.core.rate_limits import TooMany
from tournament.core.shared_cache import count_shared
from tournament.drill.messages import Clause
from tournament.drill.questions import ShownOption, ShownQuestion
from tournament.hands.call_slip import laid_out
from tournament.pages.files import PDF, file_answer, paper_size
from tournament.pages.priority import stand_aside
from tournament.pages.sign_in import client_network, too_many
from tournament.pdf.drawings import drawn
from tournament.pdf.printers import BrokenOff, printers
from tournament.pdf.render import Leaves, PaperUnavailable
from tournament.pdf.rows import Faces
from tournament.tables.rows import EventHead
from tournament.text.languages import in_turn, side_by_side, stated

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
        return too_many(request, TooMany(DRILL_TOO_MANY_PRINTS, wait=PRINT_SPAN))
    head = replace(head, ruleset_title=book.ruleset.title, paper=paper_size(request))
    try:
        with stand_aside():
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
        facts=stated(question.facts),
        tiles=tuple(laid_out(hand_faces(question.hand))) if question.hand else (),
        options=tuple((option.letter.upper(), _say(option)) for option in question.options),
        key=question.key.letter.upper(),
        answer=_say(question.key),
        why=side_by_side(_why(question, book)),
        clauses=side_by_side(_clause(each, named=not question.english) for each in question.clauses),
    )


def _clause(clause: Clause, *, named: bool) -> str:
    text = clause.text or _("this event’s own value")
    return f"{clause.name} {text}" if named else text


def _say(option: ShownOption) -> str:
    return option.text or in_turn(f"{seat} {change}" for seat, change in option.changes)


def _why(question: ShownQuestion, book: Book) -> Iterable[str]:
    """Yield yaku, dora and fu of a hand."""
    if question.hand is None:
        return
    counted = answer_hand(question.hand, book)
    yield in_turn(f"{row.name} {row.han or ''}".strip() for row in counted["yaku"])
    yield in_turn(f"{name} {han}" for name, han in counted["dora"])
    if counted["fu"] and counted["fu"].matters:
        items = in_turn(f"{why} {fu}" for why, fu, _tiles in counted["fu"].items)
        yield _("%(fu)d fu") % {"fu": counted["fu"].rounded} + f" ({items})"


def drill_leaves(items: Sequence[DrillItem], seed: int) -> Leaves:
    """Give the questions and then the key. Raises ValueError for no question."""
    if not items:
        raise ValueError("there is nothing to ask")
    shown = [(item, [(each.word, [drawn(tile) for tile in each.tiles]) for each in item["tiles"]]) for item in items]
    return Leaves("drill", ({"items": shown, "seed": seed},))
