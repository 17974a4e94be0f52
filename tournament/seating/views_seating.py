"""Seats before the start: wishes, drafts of a draw, the draw and its report, publication.

A search runs in a thread of this process; the page polls its progress.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.models.rounds import DrawDraft
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, flash_problems, to_int
from tournament.pages.sign_in_ask import ask_first
from tournament.publication.names_shown_names import names_mark
from tournament.publication.queries import by_version
from tournament.seating.actions_drafts import (
    discard_draft,
    restart_draft,
    search_in_background,
    start_draft,
    stop_draft,
    take_draft,
)
from tournament.seating.actions_draw import discard_draw, draw_seats, publish_rounds
from tournament.seating.forms import (
    DrawForm,
    asked_by,
    form_of,
    new_seed,
    read_form,
    read_seed,
    wishes_context,
    with_line,
)
from tournament.seating.plan_1 import Plan
from tournament.seating.plan_report import DrawReport
from tournament.seating.plan_wishes import KINDS, Asked, read_asked
from tournament.seating.queries_drafts import DraftRow, get_field, list_drafts
from tournament.seating.queries_seating import Draw, count_draw, get_draw
from tournament.seating.search.draw_uneven import Way
from tournament.seating.search.wishes_1 import PRESETS
from tournament.seating.views_drafts import drafts_context, is_published, names_of
from tournament.seating.views_draw_report import figures_context, report_context
from tournament.text.problems_1 import say

MOST_TABLES = 600  # of all rounds that are shown together
FORM_ACTS = ("up", "down", "preset", "add", "look")  # acts that only change the form


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def seating(request: DeskRequest, event: Event) -> HttpResponse:
    """Show wishes, drafts and the draw; act on them."""
    if request.method != "POST":
        return _page(request, event)
    act, _colon, what = request.POST.get("act", "").partition(":")
    try:
        if act in FORM_ACTS or act == "start":
            return _act_on_form(request, event, act, what)
        if act in DRAFT_ACTS:
            DRAFT_ACTS[act](request, _draft(event, request.POST.get("draft", "")))
        elif act == "publish" and "sure" not in request.POST:
            return _ask_to_publish(request, event)
        elif act in DRAW_ACTS:
            DRAW_ACTS[act](request, event)
    except Refused as refused:
        flash_problems(request, refused)
    return redirect("desk:seating", event.slug)


@require_safe
@who_may(Verb.DRAW_SEATS)
def progress(request: DeskRequest, event: Event) -> HttpResponse:
    """Return the drafts alone, for the page that polls during a search."""
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("desk:seating", event.slug)
    context = drafts_context(_list_drafts(event, get_field(event)), published=is_published(event))
    answer = render(request, "seating/seating.html#drafts", {"event": event, **context})
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
@who_may(Verb.DRAW_SEATS)
def report(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the whole report of the event's draw."""
    field, draw = get_field(event), get_draw(event)
    counted = _counted(event, field, draw)
    if counted is None:
        raise Http404("There is no draw yet.")
    names, page = names_of(event), request.GET.get("page", "")
    context = report_context(draw.numbers, field.table_size, counted, names, _resting(field, draw), page=page)
    context |= {"title": _("The draw"), "seed": draw.seed, "draft": None}
    return render(request, "seating/seating_report.html", desk_context(request, event, "seating", **context))


def _counted(event: Event, field: Plan, draw: Draw) -> DrawReport | None:
    """Return the quality of the draw, counted once for each version of the event."""
    return by_version(
        event,
        f"draw-counted:{names_mark()}",
        lambda: count_draw(draw, table_size=field.table_size, entrants=field.entrants),
    )


def _resting(field: Plan, draw: Draw) -> list[list[int]]:
    """List who has no seat in each round of a draw in which players rest."""
    if draw.drawn is None or draw.drawn.way != Way.RESTS:
        return []
    seated = [{who for table in tables for who in table} for tables in draw.numbers]
    return [[each.number for each in field.entrants if each.number not in here] for here in seated]


def _page(
    request: DeskRequest, event: Event, form: DrawForm | None = None, errors: list[str] | None = None
) -> HttpResponse:
    field, draw, names = get_field(event), get_draw(event), names_of(event)
    asked = read_asked(event.wishes)
    odd = len(field.entrants) % field.table_size
    way = Way.SUBSTITUTES if odd else Way.FULL
    form = form or form_of(asked, names, seed=new_seed(), way=way.value)
    published = any(row.state != "drawn" for row in draw.rounds)
    wishes = wishes_context(event, form, field.entrants, names, asked_by(form, names)[0])
    context = {
        **_draw(event, field, draw, names),
        "round_shown": _round_shown(draw, request.GET.get("round", "")),
        **wishes,
        **drafts_context(_list_drafts(event, field), published=published),
        "errors": errors or [],
        "form_open": bool(request.method == "POST" or wishes["wishes_used"] or wishes["odd"]),
        "quick": not wishes["wishes_used"] and not wishes["odd"],
        "new_seed": new_seed(),
    }
    fragment = bool(request.htmx) and request.method == "POST"  # type: ignore[attr-defined]
    template = "seating/seating.html#wishes" if fragment else "seating/seating.html"
    page = desk_context(request, event, "seating", **context)
    return render(request, template, page, status=UNPROCESSABLE if errors else 200)


def _round_shown(draw: Draw, asked: str) -> int | None:
    """Return the one round whose tables stand on the page, None for all: seats of many rounds make it slow."""
    if sum(len(row.tables) for row in draw.rounds) <= MOST_TABLES:
        return None
    numbers = {row.number: row.state for row in draw.rounds}
    if to_int(asked) in numbers:
        return to_int(asked)
    return next((number for number, state in numbers.items() if state != "released"), max(numbers))


def _draw(event: Event, field: Plan, draw: Draw, names: dict[int, str]) -> dict[str, Any]:
    counted = _counted(event, field, draw)
    context: dict[str, Any] = {
        "draw": draw,
        "players": len(field.entrants),
        "table_size": field.table_size,
        "unpublished": [row.number for row in draw.rounds if row.state == "drawn"],
        "open_round": next((row.number for row in draw.rounds if row.state != "released"), None),
    }
    if counted:
        context |= figures_context(draw.numbers, counted, names)
        seed = _("none") if draw.seed is None else str(draw.seed)
        context["figures"] = [(_("Seed"), seed), *context["figures"]]
    return context


def _list_drafts(event: Event, field: Plan) -> list[DraftRow]:
    return list_drafts(event, fingerprint=field.fingerprint, at=timezone.now())


# ---------------------------------------------------------------- acts


def _act_on_form(request: DeskRequest, event: Event, act: str, what: str) -> HttpResponse:
    """Change the form and show it again, or start the search that it asks for."""
    names = names_of(event)
    form = read_form(request.POST)
    if act == "add":
        form = with_line(form, what, request.POST)
    asked, problems = asked_by(form, names)
    if act in ("up", "down", "preset"):
        asked = _moved(asked, act, what)
        form = replace(form, order=asked.order, clubs=asked.clubs)
    if act != "start":
        return _page(request, event, form)
    if problems:
        return _page(request, event, form, [say(problem) for problem in problems])
    try:
        draft = start_draft(event=event, seed=read_seed(form.seed), asked=asked, way=form.way, by=request.user)
    except Refused as refused:
        return _page(request, event, form, [say(problem) for problem in refused.problems])
    search_in_background(draft)
    answer = redirect("desk:seating", event.slug)
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": answer["Location"]})
    return answer


def _moved(asked: Asked, act: str, what: str) -> Asked:
    if act == "preset":
        return asked.preset(what) if what in PRESETS else asked
    return asked.moved(what, -1 if act == "up" else 1) if what in KINDS else asked


def _draft(event: Event, text: str) -> DrawDraft:
    draft = event.drafts.select_related("event").filter(pk=to_int(text)).first()
    if draft is None:
        raise Http404("There is no such draft.")
    return draft


def _take(request: DeskRequest, draft: DrawDraft) -> None:
    take_draft(draft=draft, by=request.user)
    messages.success(request, _("Seats are drawn from seed %(seed)d.") % {"seed": draft.seed})


def _discard_draft(request: DeskRequest, draft: DrawDraft) -> None:
    discard_draft(draft=draft, by=request.user)
    messages.success(request, _("This draw is discarded."))


def _search_again(request: DeskRequest, draft: DrawDraft) -> None:
    search_in_background(restart_draft(draft=draft, by=request.user))


def _stop(request: DeskRequest, draft: DrawDraft) -> None:
    stop_draft(draft=draft, by=request.user)


def _draw_plainly(request: DeskRequest, event: Event) -> None:
    seed = read_seed(request.POST.get("seed", ""))
    draw_seats(event=event, seed=seed, by=request.user)
    messages.success(request, _("Seats are drawn from seed %(seed)d.") % {"seed": seed})


def _discard(request: DeskRequest, event: Event) -> None:
    discard_draw(event=event, by=request.user)
    messages.success(request, _("The draw is discarded; the list of players is open again."))


def _ask_to_publish(request: DeskRequest, event: Event) -> HttpResponse:
    return ask_first(
        request,
        event,
        title=_("Publish the seats?"),
        text=_("Players see them at once. Published seats are final and cannot be drawn again."),
        submit=_("Publish for good"),
        back=request.path,
        tab="seating",
    )


def _publish(request: DeskRequest, event: Event) -> None:
    numbers = [int(text[:4]) for text in request.POST.getlist("rounds") if text.isascii() and text.isdigit()]
    publish_rounds(event=event, numbers=numbers, by=request.user)
    messages.success(request, _("The seats are published: players see them now."))


DRAFT_ACTS: dict[str, Callable[[DeskRequest, DrawDraft], None]] = {
    "take": _take,
    "stop": _stop,
    "again": _search_again,
    "discard_draft": _discard_draft,
}
DRAW_ACTS: dict[str, Callable[[DeskRequest, Event], None]] = {
    "draw": _draw_plainly,
    "discard": _discard,
    "publish": _publish,
}
