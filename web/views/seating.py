"""Seats: draw them from a seed, look at the draw and its report, publish it for good."""

import secrets

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.models import Event
from tournament.refusal import Refused
from tournament.selectors.seating import Draw, get_draw
from tournament.services.draw import MOST_SEED, discard_draw, draw_seats, publish_rounds
from web.gateways import DeskRequest, for_organiser
from web.page_context import desk_context
from web.wording import say


@require_http_methods(["GET", "POST"])
@for_organiser
def seating(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the draw; draw anew, throw it away, or publish rounds."""
    if request.method == "POST":
        try:
            _act(request, event)
        except Refused as refused:
            for problem in refused.problems:
                messages.error(request, say(problem))
        return redirect("desk:seating", event.slug)
    draw = get_draw(event)
    context = {
        "draw": draw,
        "players": event.players.filter(withdrawn_at=None).count(),
        "table_size": event.ruleset.players,
        "report": _report_words(draw),
        "unpublished": [row.number for row in draw.rounds if row.state == "drawn"],
        "open_round": next((row.number for row in draw.rounds if row.state != "released"), None),
        "published": any(row.state != "drawn" for row in draw.rounds),
        "new_seed": secrets.randbelow(900_000) + 100_000,
        "most_seed": MOST_SEED,
    }
    return render(request, "desk/seating.html", desk_context(request, event, "seating", **context))


def _act(request: DeskRequest, event: Event) -> None:
    act = request.POST.get("act", "")
    if act == "draw":
        text = request.POST.get("seed", "").strip()
        seed = int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1
        draw_seats(event=event, seed=seed, by=request.user)
        messages.success(request, _("Seats are drawn from seed %(seed)d.") % {"seed": seed})
    elif act == "discard":
        discard_draw(event=event, by=request.user)
        messages.success(request, _("The draw is thrown away; the list of players is open again."))
    elif act == "publish":
        numbers = [int(text[:4]) for text in request.POST.getlist("rounds") if text.isascii() and text.isdigit()]
        publish_rounds(event=event, numbers=numbers, by=request.user)
        messages.success(request, _("The seats are published: players see them now."))


def _report_words(draw: Draw) -> list[tuple[str, str]]:
    """Return the report of a draw as terms and values."""
    report = draw.report
    if report is None:
        return []
    repeats = _("nobody meets twice") if not report.repeats else str(report.repeats)
    bound = _("proven least: %(bound)d") % {"bound": report.repeats_bound}
    return [
        (_("Seed"), str(draw.seed)),
        (_("Repeat meetings"), f"{repeats} ({bound})"),
        (
            _("Most often together"),
            _("%(times)d times") % {"times": report.met_most} if report.met_most > 1 else _("once"),
        ),
        (_("One wind, most to least"), _("differ by %(count)d") % {"count": report.winds_spread}),
        (_("One table, most to least"), _("differ by %(count)d") % {"count": report.tables_spread}),
    ]
