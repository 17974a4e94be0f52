"""The next round by standing: choose the format and perhaps a cut, see the effect, take an unpublished round.

It is drawn only from standings that are public.
"""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, to_uuid
from tournament.seating.forms import new_seed, read_seed
from tournament.seating.messages_after_start import APART, CARRIES, METHODS, OTHERS, say_cut, say_round_missed
from tournament.seating.queries_redraws import get_standing_field
from tournament.seating.redraw_actions_by_standing import cancel_cut, take_round
from tournament.seating.redraw_plan_by_standing import APART as APART_KEYS
from tournament.seating.redraw_plan_by_standing import METHODS as METHOD_KEYS
from tournament.seating.redraw_plan_by_standing import CutAsked, NextAsked, NextPlan, Standee, StandingField, plan_next
from tournament.seating.redraw_views_redraw import MOST_SHOWN, NamedTable, named_tables, names_with_substitutes
from tournament.seating.search.swiss_round_report import RoundReport
from tournament.standings.queries import list_cuts
from tournament.text.numbers_formatting import p
from tournament.text.problems_1 import say

SENT = ("method", "seed", "step", "numbering", "top", "carry", "others", "apart", "fill")


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def next_round(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose how the next round is drawn, show it (`?look`), take it; or cancel a cut."""
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
        "cuts": [(cut.after_round, say_cut(cut)) for cut in list_cuts(event)],
        "client_id": str(uuid.uuid4()),
        "field": None,
    }
    status = UNPROCESSABLE if errors else 200
    try:
        field = get_standing_field(event)
        context |= {"field": field, **_choices(fields, field)}
        if "look" in fields:
            context["plan"] = _plan_context(field, plan_next(field, _asked(fields)))
    except Refused as refused:
        errors = errors or [say(problem) for problem in refused.problems]
    page = desk_context(request, event, "seating", **context, errors=errors)
    return render(request, "seating/next_round.html", page, status=status)


# ---------------------------------------------------------------- what is asked


def _asked(fields: QueryDict) -> NextAsked:
    """Read the form; an unreadable value becomes the form's default."""
    method = fields.get("method", "")
    return NextAsked(
        method=next((each for each in METHOD_KEYS if each == method), "swiss"),
        seed=read_seed(fields.get("seed", "")),
        step=_number(fields, "step", 2),
        numbering="spread" if fields.get("numbering") == "spread" else "by_rank",
        cut=_cut(fields),
        apart=tuple(key for key in APART_KEYS if key in fields.getlist("apart")),
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


def _choices(fields: QueryDict, field: StandingField) -> dict[str, Any]:
    """Return the form's choices with what is chosen, and `sent`, the same as hidden fields of the act."""
    seed = fields.get("seed", "") or new_seed()
    return {
        "seed": seed[:10],
        "waiting_rounds": field.drawn,
        "methods": [(key, label, about) for key, (label, about) in METHODS.items()],
        "method": fields.get("method", "swiss"),
        "carries": CARRIES.items(),
        "carry": fields.get("carry", "whole"),
        "others": OTHERS.items(),
        "other": fields.get("others", "stop"),
        "apart": APART.items(),
        "apart_chosen": fields.getlist("apart"),
        "step": fields.get("step", "2")[:5],
        "top": fields.get("top", "")[:5],
        "spread": fields.get("numbering") == "spread",
        "fill": "fill" in fields,
        "drop": "drop" in fields,
        "playing": sum(map(len, field.groups)),
        "sent": [(name, value[:20]) for name in SENT for value in fields.getlist(name)],
    }


# ---------------------------------------------------------------- what would change


def _plan_context(field: StandingField, plan: NextPlan) -> dict[str, Any]:
    """Return a plan in names: tables with ranks, figures, who meets again, who is through and with what."""
    people = {each.number: each for group in (*field.groups, field.reserves) for each in group}
    names = names_with_substitutes({number: each.name for number, each in people.items()}, plan.substitutes)
    report = plan.report
    return {
        "number": plan.number,
        "tables": [
            replace(table, final=table.number <= plan.finals, ranks=_ranks(table, people))
            for table in named_tables(plan.tables, names)
        ],
        "figures": _figures(report),
        "again": [
            _("%(names)s: %(times)d times with this round")
            % {"names": " – ".join(names[who] for who in each.players), "times": each.times}
            for each in report.met_again[:MOST_SHOWN]
        ],
        "more_again": max(0, len(report.met_again) - MOST_SHOWN),
        "missed": [
            say_round_missed(each.code, (names[who] for who in each.players), each.reason)
            for each in report.missed[:MOST_SHOWN]
        ],
        "through": [(names[each.number], p(each.points), p(each.of)) for each in plan.through],
        "tied_out": ", ".join(names[who] for who in plan.tied_out),
        "stopped": len(plan.stopped),
        "sitting_out": ", ".join(names[who] for who in plan.sitting_out),
        "seen": plan.fingerprint,
    }


def _ranks(table: NamedTable, people: Mapping[int, Standee]) -> str:
    """Return the ranks at a table in order, a dash for each player without one."""
    ranks = [people[who].rank if who in people else 0 for who, _name in table.seats]
    return " · ".join([*(str(rank) for rank in sorted(filter(None, ranks))), *("–" for rank in ranks if not rank)])


def _figures(report: RoundReport) -> list[tuple[str, str]]:
    return [
        (_("New repeat meetings"), str(report.repeats)),
        (_("Most often together"), str(report.met_most)),
        (_("Widest table, in ranks"), str(report.rank_width_most)),
        (_("Mean table, in ranks"), f"{report.rank_spread:.1f}"),
        (_("One wind, most to least"), str(report.winds_spread)),
        (_("Players at their last table"), str(report.tables_kept)),
    ]
