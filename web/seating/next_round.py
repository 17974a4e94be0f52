"""The next round by standing: the format, perhaps a cut, a look at the report, then a round that is not published.

It draws only from standings that everybody can see.
"""

import secrets
import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.draws.by_standing import APART, METHODS, CutAsked, NextAsked, NextPlan, StandingField, plan_next
from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.draws.redraws import get_standing_field
from tournament.selectors.public.standings import list_cuts
from tournament.services.draws.cuts import cancel_cut
from tournament.services.draws.rounds_by_standing import take_round
from web.frame.page_context import desk_context
from web.frame.tables import UNPROCESSABLE, to_uuid
from web.gateways import DeskRequest, who_may
from web.seating.next_round_page import choices, plan_context
from web.words.after_start import say_cut
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def next_round(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose how the next round is drawn, look at it (`?look`), take it; or take a cut back."""
    if request.method != "POST":
        return _page(request, event, request.GET, [])
    try:
        if request.POST.get("act") == "cancel":
            return _cancel(request, event)
        take_round(
            event=event,
            asked=_asked(request.POST),
            seen=request.POST.get("seen", ""),
            drop="drop" in request.POST,
            client_id=to_uuid(request.POST.get("client_id", "")),
            by=request.user,
        )
    except (InvalidInput, Refused) as wrong:
        return _page(request, event, request.POST, [say(problem) for problem in wrong.problems])
    messages.success(request, _("The round is drawn. Publish it when you are ready."))
    return redirect("desk:seating", event.slug)


def _cancel(request: DeskRequest, event: Event) -> HttpResponse:
    number = _number(request.POST, "after", 0)
    cut = event.cuts.filter(after_round=number, cancelled_at=None).first()
    if cut:
        cancel_cut(cut=cut, reason=request.POST.get("reason", ""), by=request.user)
        messages.success(request, _("The cut is taken back."))
    return redirect("desk:next_round", event.slug)


def _page(request: DeskRequest, event: Event, fields: QueryDict, errors: list[str]) -> HttpResponse:
    context: dict[str, Any] = {
        "cuts": [{"after": cut.after_round, "text": say_cut(cut)} for cut in list_cuts(event)],
        "client_id": str(uuid.uuid4()),
        "looked": "look" in fields,
    }
    field, plan, status = None, None, UNPROCESSABLE if errors else 200
    try:
        field = get_standing_field(event)
        plan = plan_next(field, _asked(fields)) if "look" in fields else None
    except Refused as refused:
        errors = errors or [say(problem) for problem in refused.problems]
    context |= {"errors": errors, "field": field, **_field_context(fields, field), **_plan(field, plan)}
    return render(request, "seating/next_round.html", desk_context(request, event, "seating", **context), status=status)


def _field_context(fields: QueryDict, field: StandingField | None) -> dict[str, Any]:
    if field is None:
        return {}
    seed = fields.get("seed", "") or str(secrets.randbelow(900_000) + 100_000)
    return {"seed": seed[:10], "waiting_rounds": field.drawn, **choices(fields, field)}


def _plan(field: StandingField | None, plan: NextPlan | None) -> dict[str, Any]:
    return {"plan": plan_context(field, plan)} if field and plan else {}


def _asked(fields: QueryDict) -> NextAsked:
    """Return what was asked; what cannot be read asks for what the form has at first."""
    text = fields.get("seed", "").strip()
    method = fields.get("method", "")
    return NextAsked(
        method=next((each for each in METHODS if each == method), "swiss"),
        seed=int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1,
        step=_number(fields, "step", 2),
        numbering="spread" if fields.get("numbering") == "spread" else "by_rank",
        cut=_cut(fields),
        apart=tuple(key for key in APART if key in fields.getlist("apart")),
        fill="fill" in fields,
    )


def _cut(fields: QueryDict) -> CutAsked | None:
    if not fields.get("top", "").strip():
        return None
    carry, others = fields.get("carry"), fields.get("others")
    return CutAsked(
        top=_number(fields, "top", 0),
        carry="halved" if carry == "halved" else "cleared" if carry == "cleared" else "whole",
        others="play_on" if others == "play_on" else "stop",
    )


def _number(fields: QueryDict, name: str, usual: int) -> int:
    text = fields.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else usual
