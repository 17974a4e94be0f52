"""Sheets of rules for players, at the desk and for everybody: what is different, house rules, setting up a table."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.procedure import procedure_of
from tournament.events.models import Event
from tournament.pages.caches import build_id, keep
from tournament.pages.files import get_head, pdf_answer
from tournament.pages.permissions import for_public
from tournament.pages.priority import stand_aside
from tournament.paper.handouts import differences_leaves, house_rules_leaves, table_setup_leaves
from tournament.pdf.printers import BrokenOff, printers
from tournament.pdf.render import Leaves, PaperUnavailable, Printed
from tournament.publication.queries import public_state
from tournament.rulesets.differences import Differences, list_differences
from tournament.rulesets.messages import Stated
from tournament.rulesets.public_views import house_rules_of
from tournament.rulesets.views import preset_of
from tournament.tables.rows import PAPERS, DifferenceRow, DifferenceTable, SetupStep, StatedLines
from tournament.text.rules import say_procedure


def differences_sheet(event: Event) -> Leaves:
    """Make the sheet of what is different from the event's book, and from the one it is compared with."""
    found, own = list_differences(event), preset_of(event.ruleset)
    same = [each.book.ruleset.title for each in found if not each]
    same_as = [_("As in %(title)s: nothing is changed for this event.") % {"title": title} for title in same]
    return differences_leaves([_table(each, own=each.book is own) for each in found if each], same_as)


def house_rules_sheet(event: Event) -> Leaves:
    """Make the sheet of the house rules in the language in use, or in one that they are written in."""
    found = house_rules_of(event)
    return house_rules_leaves(found.language, found.blocks)


def table_setup_sheet(event: Event) -> Leaves:
    """Make the sheet of how a table is set up."""
    rules = event.ruleset
    found = procedure_of(rules).procedure
    steps = [
        SetupStep(step.name, step.words, _source(step.citation.text, ours=step.citation.ours))
        for step in say_procedure(rules)
    ]
    return table_setup_leaves(steps, found.dead_wall // 2, found.indicator)


FOR_EVERYBODY: Mapping[str, Callable[[Event], Leaves]] = {
    "differences": differences_sheet,
    "house-rules": house_rules_sheet,
    "table-setup": table_setup_sheet,
}


@require_safe
@for_public
def public_sheet(request: HttpRequest, event: Event, sheet: str) -> HttpResponse:
    """Answer with a sheet of rules as PDF in the reader's language, printed once for everybody."""
    if sheet not in FOR_EVERYBODY:
        raise Http404("There is no such sheet.")
    paper = request.GET.get("paper", "")
    paper = paper if paper in PAPERS else PAPERS[0]

    def make() -> Printed:
        with stand_aside():
            return printers.print(FOR_EVERYBODY[sheet](event), replace(get_head(event), paper=paper))

    key = ("sheet", build_id(), str(event.pk), public_state(event).mark, sheet, paper, get_language() or "")
    try:
        return pdf_answer(event, sheet, keep(" ".join(key), make))
    except (PaperUnavailable, BrokenOff):
        words = _("Printing is not possible now. The page of the rules has the same text.")
        return HttpResponse(words, content_type="text/plain; charset=utf-8", status=503)


def _table(each: Differences, *, own: bool) -> DifferenceTable:
    words = {"title": each.book.ruleset.title, "counts": each.counts}
    title = _("Changed from %(title)s: %(counts)s") if own else _("Different from %(title)s: %(counts)s")
    rules = (
        (section.title, tuple(DifferenceRow(row.name, _stated(row.here), _stated(row.other)) for row in section.rows))
        for section in each.compared.sections
    )
    fouls = (
        (
            _("Fouls: %(section)s") % {"section": section.title},
            tuple(
                DifferenceRow(
                    row.what,
                    StatedLines(tuple(row.here), row.clause),
                    StatedLines(tuple(row.there), row.other_clause),
                    english=True,
                )
                for row in section.rows
            ),
        )
        for section in each.fouls
    )
    return DifferenceTable(
        title % words, each.compared.here, each.compared.there, (*rules, *fouls), tuple(each.left_out)
    )


def _stated(stated: Stated | None) -> StatedLines:
    if stated is None:
        return StatedLines((), "")
    lines = [" ".join(line) for line in stated.limits] or [stated.words]
    source = _("organiser") if stated.origin == "event" else _source(stated.clause, ours=stated.origin == "ours")
    return StatedLines(tuple(lines), source)


def _source(text: str, *, ours: bool) -> str:
    return _("ours: %(why)s") % {"why": text} if ours else text
