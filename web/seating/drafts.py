"""One draft of a draw with everything that is counted about it, and two of them side by side."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.models import Event
from tournament.rights import Verb
from tournament.selectors.draws.drafts import DraftRow, get_field, list_drafts
from tournament.services.people.people import SUBSTITUTE
from web.frame.page_context import desk_context
from web.gateways import DeskRequest, who_may
from web.seating.draw_page import asked_words, compare_context, letter, report_context
from web.seating.seating import names_of


@require_safe
@who_may(Verb.DRAW_SEATS)
def draft(request: DeskRequest, event: Event, draft_id: int) -> HttpResponse:
    """Show a draft: seats, figures, wishes met and missed, pictures."""
    field = get_field(event)
    rows = list_drafts(event, fingerprint=field.fingerprint, at=timezone.now())
    row = next((each for each in rows if each.id == draft_id and each.done), None)
    if row is None or row.report is None:
        raise Http404("There is no such draft, or its search is not over.")
    names = _with_substitutes(names_of(event), row, field.last)
    context = report_context(row.rounds, field.table_size, row.report, names, row.resting)
    context |= {
        "title": _("Draw %(letter)s") % {"letter": letter(rows, row.id)},
        "seed": row.seed,
        "draft": row,
        "asked": asked_words(row.asked),
        "published": event.rounds.filter(published_at__isnull=False).exists(),
        "rounds": [
            [
                (number, [(who, names.get(who, str(who))) for who in table])
                for number, table in enumerate(tables, start=1)
            ]
            for tables in row.rounds
        ],
    }
    return render(request, "seating/seating_report.html", desk_context(request, event, "seating", **context))


@require_safe
@who_may(Verb.DRAW_SEATS)
def compare(request: DeskRequest, event: Event) -> HttpResponse:
    """Show two drafts side by side, and which is better in what."""
    rows = list_drafts(event, fingerprint=get_field(event).fingerprint, at=timezone.now())
    wanted = set(request.GET.getlist("draft"))
    done = [row for row in rows if row.done]
    chosen = [row for row in done if str(row.id) in wanted] if wanted else done[-2:]
    reports = [row.report for row in chosen if row.report]
    if len(reports) != 2:
        messages.error(request, _("Choose two draws to compare."))
        return redirect("desk:seating", event.slug)
    context = compare_context(event, rows, (chosen[0], chosen[1]), (reports[0], reports[1]))
    context["published"] = event.rounds.filter(published_at__isnull=False).exists()
    return render(request, "seating/seating_compare.html", desk_context(request, event, "seating", **context))


def _with_substitutes(names: dict[int, str], row: DraftRow, last: int) -> dict[int, str]:
    """Return the names with those that substitutes will have where the draft is not taken yet."""
    more = {last + at: f"{SUBSTITUTE} {at}" for at in range(1, row.substitutes + 1)}
    return {**more, **names}
