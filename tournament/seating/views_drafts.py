"""Drafts of a draw: cards with figures, one draft with its whole report, two of them compared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.players.actions import SUBSTITUTE
from tournament.seating.messages_draw import figure_lines, figure_rows, say_outcome, say_rounds, say_wish
from tournament.seating.plan_report import DrawReport
from tournament.seating.plan_wishes import Asked
from tournament.seating.queries_drafts import DraftRow, get_field, list_drafts
from tournament.seating.redraw_views_redraw import named_tables
from tournament.seating.search.draw_uneven import Way
from tournament.seating.views_draw_report import report_context
from tournament.text.problems_1 import say

Line = tuple[str, tuple[str, str], str, int | None]  # term, both values, which is better in words, and by how much
_BETTER = {"shared_least": -1}  # of all other figures less is better


@dataclass(frozen=True, slots=True)
class Card:
    """A draft as pages show it, with its letter: A for the oldest."""

    row: DraftRow
    letter: str

    @property
    def asked(self) -> list[str]:
        """What this draft was asked for beyond what every draw has."""
        ways = {Way.SUBSTITUTES.value: [_("with substitutes")], Way.RESTS.value: [_("with rests in turn")]}
        return asked_words(self.row.asked) + ways.get(self.row.way, [])

    @property
    def percent(self) -> int:
        """How far the search is."""
        return self.row.share // 10

    @property
    def best(self) -> list[str]:
        """The wishes that the best draw so far misses; empty until there is one."""
        if not self.row.best:
            return []
        missed = [(key, times) for key, times in self.row.best if times and key != "tables"]
        return [f"{say_wish(key)}: {times}" for key, times in missed] or [_("every wish is met so far")]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The first figures of the report."""
        return figure_lines(self.row.report)[:2] if self.row.report else []

    @property
    def met(self) -> str:
        """How many wishes are met."""
        if self.row.report is None:
            return ""
        wishes = self.row.report.wishes
        met = sum(not wish.missed for wish in wishes)
        return _("%(met)d of %(all)d wishes met") % {"met": met, "all": len(wishes)}

    @property
    def problem(self) -> str:
        """Why the search failed."""
        return say(self.row.problem) if self.row.problem else ""

    @property
    def takeable(self) -> bool:
        """Whether this draft fits the event and is not the draw yet."""
        return self.row.done and not self.row.stale and not self.row.taken

    @property
    def again(self) -> bool:
        """Whether its search can run again."""
        return (not self.row.searching and not self.row.done) or self.row.cut_short


@require_safe
@who_may(Verb.DRAW_SEATS)
def draft(request: DeskRequest, event: Event, draft_id: int) -> HttpResponse:
    """Show a draft: seats, figures, wishes met and missed, pictures."""
    field = get_field(event)
    rows = list_drafts(event, fingerprint=field.fingerprint, at=timezone.now())
    card = next((card for card in cards_of(rows) if card.row.id == draft_id), None)
    if card is None or (found := card.row.report) is None:
        raise Http404("There is no such draft, or its search is not over.")
    row = card.row
    # substitutes become players when a draft is taken, so until then their names are made up
    new = {field.last + at: f"{SUBSTITUTE} {at}" for at in range(1, row.substitutes + 1)}
    names = new | names_of(event)
    context = report_context(row.rounds, field.table_size, found, names, row.resting, page=request.GET.get("page", ""))
    context |= {
        "title": _("Draw %(letter)s") % {"letter": card.letter},
        "seed": row.seed,
        "draft": row,
        "asked": asked_words(row.asked),
        "published": is_published(event),
        "rounds": [named_tables(tables, names) for tables in row.rounds],
    }
    return render(request, "seating/seating_report.html", desk_context(request, event, "seating", **context))


@require_safe
@who_may(Verb.DRAW_SEATS)
def compare(request: DeskRequest, event: Event) -> HttpResponse:
    """Show two drafts side by side, and which is better in what."""
    cards = cards_of(list_drafts(event, fingerprint=get_field(event).fingerprint, at=timezone.now()))
    wanted = set(request.GET.getlist("draft"))
    done = [card for card in cards if card.row.done]
    chosen = [card for card in done if str(card.row.id) in wanted] if wanted else done[-2:]
    reports = [card.row.report for card in chosen if card.row.report]
    if len(reports) != 2:
        messages.error(request, _("Choose two draws to compare."))
        return redirect("desk:seating", event.slug)
    one, other = reports
    letters = (chosen[0].letter, chosen[1].letter)
    keys = dict.fromkeys(wish.key for report in reports for wish in report.wishes)
    context = {
        "cards": chosen,
        "letters": letters,
        "lines": list(_figure_lines(one, other, letters)),
        "wish_lines": [_wish_line(key, one, other, letters) for key in keys],
        "verdict": _verdict(one, other, letters),
        "published": is_published(event),
    }
    return render(request, "seating/seating_compare.html", desk_context(request, event, "seating", **context))


def drafts_context(rows: Sequence[DraftRow], *, published: bool) -> dict[str, Any]:
    """Return the context of seating/seating.html#drafts: cards, and whether a search is on."""
    return {
        "drafts": cards_of(rows),
        "searching": any(row.searching for row in rows),
        "comparable": sum(row.done for row in rows) > 1,
        "published": published,
    }


def cards_of(rows: Sequence[DraftRow]) -> list[Card]:
    """Return the drafts with their letters."""
    return [Card(row, chr(ord("A") + at % 26)) for at, row in enumerate(rows)]


def names_of(event: Event) -> dict[int, str]:
    """Return the name of each player of an event by number; one query."""
    return dict(event.players.order_by("number").values_list("number", "person__preferred_name"))


def is_published(event: Event) -> bool:
    """Whether a round of the event is published; one query."""
    return event.rounds.filter(published_at__isnull=False).exists()


def asked_words(asked: Asked) -> list[str]:
    """Return what is asked for beyond what every draw has, in order."""
    until = {"clubs": asked.clubs, "countries": asked.countries, "families": asked.families_until}
    return [
        f"{say_wish(key)} ({say_rounds(until[key])})" if key in until else say_wish(key)
        for key in asked.order
        if key in asked.used
    ]


# ---------------------------------------------------------------- two drafts compared


def _figure_lines(one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> Iterator[Line]:
    """Yield a line for each figure that either report has."""
    first, second = ({row[0]: row for row in figure_rows(report)} for report in (one, other))
    for key in dict.fromkeys([*first, *second]):
        none = ("", "", "–")
        values = (first.get(key, none)[2], second.get(key, none)[2])
        lead = (getattr(other.figures, key) or 0) - (getattr(one.figures, key) or 0)
        neither = key == "pairs_never"  # neither more nor fewer of these pairs is better
        term = first.get(key, second.get(key, none))[1]
        yield _line(term, values, None if neither else _BETTER.get(key, 1) * lead, letters)


def _wish_line(key: str, one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> Line:
    found = [next((wish for wish in report.wishes if wish.key == key), None) for report in (one, other)]
    said = [say_outcome(wish) if wish else _("not asked for") for wish in found]
    lead = found[1].missed - found[0].missed if found[0] and found[1] else 0
    return _line(say_wish(key), (said[0], said[1]), lead, letters)


def _line(term: str, values: tuple[str, str], lead: int | None, letters: tuple[str, str]) -> Line:
    if lead is None:
        better = "–"
    elif lead:
        better = _("%(letter)s is better") % {"letter": letters[0] if lead > 0 else letters[1]}
    else:
        better = _("alike")
    return term, values, better, lead


def _verdict(one: DrawReport, other: DrawReport, letters: tuple[str, str]) -> str:
    """Say which draw is better by the organiser's own order, if both were asked for the same."""
    keys = [wish.key for wish in one.wishes]
    if keys != [wish.key for wish in other.wishes]:
        return _("These two had different wishes, or another order: you decide what matters more.")
    for first, second in zip(one.wishes, other.wishes, strict=True):
        if first.missed != second.missed:
            better = letters[0] if first.missed < second.missed else letters[1]
            told = {"letter": better, "wish": say_wish(first.key)}
            told |= {"less": str(min(first.missed, second.missed)), "more": str(max(first.missed, second.missed))}
            return _("%(letter)s is better by your order: “%(wish)s” is missed %(less)s against %(more)s times.") % told
    return _("By your wishes the two are alike.")
