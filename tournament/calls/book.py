"""What the event's book says about a question at a table: a few letters find it, and it closes the call.

Searched are rulings, fouls, the set-up of a table and every rule, in the desk's language and in English.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET

from rules.fouls import rank_text
from rules.rulings import list_rulings
from tournament.calls.models import CallKind
from tournament.core.limits import MAX_CLAUSE
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import MAX_QUERY_LENGTH, to_int
from tournament.penalties.foul_views import MAX_HITS, foul_rows
from tournament.penalties.queries import get_catalogue
from tournament.rulesets.views import own_book, sections_of
from tournament.text.fouls import say_fouls
from tournament.text.languages import sentences
from tournament.text.rules import say_procedure, say_source


@dataclass(frozen=True, slots=True)
class Answer:
    """What the book says about one question; `yes` is None where the sentence is no yes or no.

    `foul` names a foul as forms send it; `more` is only searched.
    """

    pick: str
    question: str
    yes: bool | None
    sentence: str
    clause: str
    more: str = ""
    code: str = ""
    foul: str = ""
    note: str = ""

    @property
    def verdict(self) -> str:
        """Return yes or no as a word, "" for neither."""
        return "" if self.yes is None else pgettext("answer", "Yes.") if self.yes else pgettext("answer", "No.")

    @property
    def ruling(self) -> str:
        """The answer as it is kept with a call."""
        return sentences([self.verdict, self.sentence])


def list_answers(event: Event) -> Iterator[Answer]:
    """Yield all that the event's book says: rulings first, then fouls, the set-up of a table, rules."""
    rules, fouls = event.ruleset, say_fouls(get_catalogue(event))
    for each in list_rulings(rules):
        more = f"{each.question} {each.sentence} {each.words}"
        yield Answer(f"ruling.{each.key}", _(each.question), each.yes, _(each.sentence), each.clause, more)
    words = {foul.key: foul.words for foul in fouls.fouls}
    for row in foul_rows(fouls):
        key = row.pick.partition(".")[0]
        what = f"{row.what} ({row.when})" if row.when else row.what
        more = f"{words[key]} {row.does}"
        note = fouls.penalties[key].note
        does = capfirst(row.does)
        yield Answer(f"foul.{row.pick}", what, None, does, row.clause, more, row.code, row.pick, note)
    for step in say_procedure(rules):
        yield Answer(f"step.{step.name}", step.name, None, step.words, say_source(step.citation.text))
    for section in sections_of(rules, own_book(event)):
        for rule in (*section.rows, *section.not_played):
            value, said = getattr(rules, rule.field), rule.here
            yes = value if isinstance(value, bool) else None
            sentence = "" if yes is not None else capfirst(said.words)
            more = f"{rule.field.replace('_', ' ')} {rule.gloss} {section.title}"
            yield Answer(f"rule.{rule.field}", capfirst(rule.name), yes, sentence, said.clause, more, note=rule.gloss)


def find_answers(event: Event, text: str) -> list[Answer]:
    """Return the answers that match every word of the text, best first; none for an empty text."""
    asked = text.strip()[:MAX_QUERY_LENGTH]
    if not asked:
        return []
    ranked = []
    for place, each in enumerate(list_answers(event)):  # ties: in their order, so that a ruling comes before a rule
        more = f"{each.more} {each.sentence} {each.clause}"
        rank = (-1, 0) if each.code == asked.casefold() else rank_text(asked, each.question, more)
        if rank:
            length = len(each.question) if rank[1] else 0
            ranked.append((rank[0], each.pick.partition(".")[0] != "ruling", length, place, each))
    return [row[-1] for row in sorted(ranked, key=lambda row: row[:-1])]


@require_GET
@who_may(Right.SEE_DESK)
def book(request: DeskRequest, event: Event) -> HttpResponse:
    """Find what the book says, `?q=`, and show the answer `?pick=` large, with the open calls that it can close.

    `?call=` is the only call that it is about.
    """
    query, pick = request.GET.get("q", "")[:MAX_QUERY_LENGTH], request.GET.get("pick", "")
    found, call = find_answers(event, query), to_int(request.GET.get("call"))
    answer = next((each for each in list_answers(event) if each.pick == pick), None)
    if answer is None and "look" in request.GET:
        answer = next(iter(found), None)
    context: dict[str, Any] = {"query": query, "call": call, "hits": found[:MAX_HITS], "more": len(found) - MAX_HITS}
    if answer:
        calls = event.calls.filter(kind=CallKind.CALL, closed_at=None).select_related("table__round")
        context |= {
            "answer": answer,
            "clause": answer.clause if len(answer.clause) <= MAX_CLAUSE else f"{answer.clause[: MAX_CLAUSE - 1]}…",
            "calls": calls.filter(pk=call) if call else calls,
        }
    part = "#found" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"calls/book.html{part}", desk_context(request, event, "calls", **context))
