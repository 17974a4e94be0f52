"""What each player needs in the last hand: at the desk, on paper, and for the public where the event shows it."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from tournament.models import Event
from tournament.rights import Verb
from tournament.selectors.files import paper
from tournament.selectors.public.needs import get_needs, get_rank_needs, list_needs, public_needs
from tournament.selectors.rounds.clock import get_clock
from tournament.selectors.rounds.rounds import get_round
from tournament.sheets.alllast import filled_all_last_leaves
from web.frame.file_answers import print_now
from web.frame.page_context import current_round, desk_context
from web.frame.public_page import follows, get_me, show
from web.frame.tables import load_or_404, to_int
from web.gateways import DeskRequest, for_public, who_may
from web.paper.paper import paper_size
from web.rounds.needs_page import needs_context, paper_sheet, rank_context
from web.words.readback import hand_name


@require_GET
@who_may(Verb.SEE_DESK)
def last(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what each player of a table needs; `?riichi=S` for each seat that put a deposit down in this hand."""
    table, round_ = load_or_404(event, round_number, table_number), get_round(event, round_number)
    if round_ is None:
        raise Http404("There is no such round.")
    asked = request.GET.getlist("riichi")
    riichi = tuple(player.seat for player in table.seats if str(player.seat) in asked)
    needs = get_needs(table, get_clock(round_), riichi=riichi)
    context: dict[str, Any] = {"table": table, "needs": None, "hand": hand_name(table.state)}
    if needs:
        context |= {"needs": needs_context(needs), **rank_context(needs, get_rank_needs(event, table, riichi=riichi))}
    return render(request, "paper/needs_desk.html", desk_context(request, event, "desk", **context))


@require_GET
@who_may(Verb.PRINT)
def last_sheets(request: DeskRequest, event: Event) -> HttpResponse:
    """Make the all-last sheets of the tables in their last hand, filled; `?round=N`, and `?table=N` for one alone."""
    now = current_round(event)
    round_ = get_round(event, to_int(request.GET.get("round"))) or (get_round(event, now.number) if now else None)
    needs = list_needs(round_) if round_ else []
    wanted = to_int(request.GET.get("table"))
    needs = [each for each in needs if wanted in (0, each.number)]
    if not needs:
        messages.info(request, _("No table is in its last hand now: there is no sheet to fill."))
        return redirect("desk:paper", slug=event.slug)
    head = replace(paper.get_head(event), paper=paper_size(request))
    leaves = filled_all_last_leaves(head, [paper_sheet(each) for each in needs])
    return print_now(request, event, "all-last-filled", leaves, head)


@require_safe
@for_public
def public_last(request: HttpRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show what each player of a table needs, where the event shows it to this phone.

    A page that is open when the hand is over, or when it is hidden, says so instead of standing there as it was.
    """
    address = (round_number, table_number)
    found = (each for each in public_needs(event, follows(request, event)) if (each.round, each.number) == address)
    needs = next(found, None)
    if needs is None and not request.headers.get("HX-Request"):
        raise Http404("There is no such page now.")

    def make() -> dict[str, Any]:
        me = get_me(request, event)
        return {"needs": needs_context(needs, me=me.number if me else None) if needs else None, "me": me}

    return show(request, event, "paper/needs.html", make, tab="rounds", clock=True, live=True)
