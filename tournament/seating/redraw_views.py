"""Redraw the remaining rounds after a player leaves, comes late or returns, and draw the next round by standing.

Nothing is written before the effect was shown; rounds that have begun never change.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.forms import warn_of_likes
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, to_uuid
from tournament.players.actions import NewPlayer, add_late_player
from tournament.seating.forms import OPEN_TO_ALL, new_seed, read_seed
from tournament.seating.messages import (
    APART,
    CARRIES,
    METHODS,
    OTHERS,
    figures_text,
    say_cut,
    say_missed,
    say_round_missed,
    say_wish,
)
from tournament.seating.messages import FILLS as FILL_LABELS
from tournament.seating.queries import get_redraw_field, get_standing_field
from tournament.seating.redraw_actions import cancel_cut, redraw_rounds, take_round
from tournament.seating.redraw_plan import APART as APART_KEYS
from tournament.seating.redraw_plan import (
    FILLS,
    CutAsked,
    FieldNow,
    Fill,
    NextAsked,
    NextPlan,
    RankedPlayer,
    RedrawAsked,
    RedrawPlan,
    StandingField,
    fills_for,
    plan_next,
    plan_redraw,
)
from tournament.seating.redraw_plan import METHODS as METHOD_KEYS
from tournament.seating.search.by_standing import RoundReport
from tournament.seating.search.quality import Tally
from tournament.seating.search.schedule import Round
from tournament.standings.queries import list_cuts
from tournament.text.languages import join_commas
from tournament.text.numbers import p
from tournament.text.problems import problem_text

MAX_SHOWN: Final = 12
Figure: TypeAlias = tuple[str, int, list[int]]  # term, value now, values then


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a round with number and name of each seat; `ranks` in words and `final` in rounds by standing."""

    number: int
    seats: list[tuple[int, str]]
    ranks: str = ""
    final: bool = False


@require_http_methods(["GET", "POST"])
@who_may(Right.DRAW_SEATS)
def redraw(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose who goes on, show what each way would change (`?look`), take one of them."""
    if request.method != "POST":
        return _redraw_page(request, event, request.GET)
    try:
        if request.POST.get("act") == "join":
            return _join(request, event)
        _take(request, event)
    except (InvalidInput, DomainError) as wrong:
        return _redraw_page(request, event, request.POST, [problem_text(problem) for problem in wrong.problems])
    messages.success(request, _("The remaining rounds are changed. Publish them when you are ready."))
    return redirect("desk:seating", event.slug)


def _join(request: DeskRequest, event: Event) -> HttpResponse:
    new = NewPlayer(request.POST.get("name", "")[:200])
    player = add_late_player(event=event, new=new, ranked="reserve" not in request.POST, by=request.user)
    said = _("%(name)s is player %(number)d, and has no seat yet: tick who continues, then check.")
    messages.success(request, said % {"name": player.person, "number": player.number})
    warn_of_likes(request, event, player)
    answer = redirect("desk:redraw", event.slug)
    answer["Location"] += f"?with={player.number}"
    return answer


def _take(request: DeskRequest, event: Event) -> None:
    fill: Fill = next((fill for fill in FILLS if fill == request.POST.get("fill")), "put_in")
    redraw_rounds(
        event=event,
        asked=_read_redraw(request.POST, fill),
        seen=request.POST.get("seen", ""),
        client_id=to_uuid(request.POST.get("client_id", "")),
        names=request.POST.get("names", "")[:2000].splitlines(),
        reason=request.POST.get("reason", ""),
        by=request.user,
    )


def _redraw_page(
    request: DeskRequest, event: Event, fields: QueryDict, errors: list[str] | None = None
) -> HttpResponse:
    field, problems = get_redraw_field(event), list(errors or [])
    look = "look" in fields
    going = numbers(fields, "on") if look else _usual(field, numbers(fields, "with"))
    published = numbers(fields, "published")
    plans = _plans(field, fields, problems) if look else []
    context: dict[str, Any] = {
        "people": [(guest, guest.number in going) for guest in field.guests],
        "kept": [each.number for each in field.rounds if each.stage == "begun"],
        "open": [each.number for each in field.rounds if each.stage == "open"],
        "published": [(each.number, each.number in published) for each in field.rounds if each.stage == "published"],
        "figures": compare_figures([plans[0].before, *(plan.after for plan in plans)]) if plans else [],
        "heads": [FILL_LABELS[plan.asked.fill] for plan in plans],
        "repeats": [plan.new_repeats for plan in plans],
        "plans": [_redraw_plan_context(field, plan) for plan in plans],
        "going": ",".join(map(str, going)),
        "published_text": ",".join(map(str, published)),
        "errors": problems,
        "seed": read_seed(fields.get("seed", "")) if look else new_seed(),
        "client_id": str(uuid.uuid4()),
        "reason": fields.get("reason", "")[:300],
        "names": fields.get("names", "")[:2000],
    }
    page = desk_context(request, event, "seating", **context)
    return render(request, "seating/redraw.html", page, status=UNPROCESSABLE if errors else 200)


# ---------------------------------------------------------------- a redraw: what is asked


def numbers(fields: QueryDict, name: str) -> list[int]:
    """Return the numbers sent under a name, in one field each or separated by commas."""
    parts = [part.strip() for text in fields.getlist(name) for part in text.split(",")]
    return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6]


def _read_redraw(fields: QueryDict, fill: Fill) -> RedrawAsked:
    return RedrawAsked(
        going=tuple(sorted(set(numbers(fields, "on")))),
        fill=fill,
        seed=read_seed(fields.get("seed", "")),
        published=tuple(sorted(set(numbers(fields, "published")))),
    )


def _usual(field: FieldNow, joining: list[int]) -> list[int]:
    """Return who is ticked at first: who has not left and is ranked or has a seat ahead, and who joins."""
    ahead = {who for each in field.left() for table in each.tables for who in table}
    stay = [each.number for each in field.guests if not each.withdrawn and (each.ranked or each.number in ahead)]
    return sorted({*stay, *joining})


def _plans(field: FieldNow, fields: QueryDict, problems: list[str]) -> list[RedrawPlan]:
    """Return a plan for each way that is possible; add to `problems` why another is not."""
    asked = _read_redraw(fields, "put_in")
    plans = []
    for fill in fills_for(field, asked.going, asked.published) or ("put_in",):
        try:
            plans.append(plan_redraw(field, _read_redraw(fields, fill)))
        except DomainError as refused:
            problems += [
                said for said in (problem_text(problem) for problem in refused.problems) if said not in problems
            ]
    return plans


# ---------------------------------------------------------------- a redraw: what would change


def compare_figures(tallies: Sequence[Tally]) -> list[Figure]:
    """Return each figure of a schedule now, the first tally, beside its value in the others."""
    columns = [figures_text(tally) for tally in tallies]
    return [(row[0][0], row[0][1], [value for _term, value in row[1:]]) for row in zip(*columns, strict=True)]


def named_tables(tables: Round, names: Mapping[int, str]) -> list[NamedTable]:
    """Return the tables of a round that have seats, as seating/redraw.html#tables lists them."""
    return [
        NamedTable(number, [(who, names.get(who, str(who))) for who in table])
        for number, table in enumerate(tables, start=1)
        if table
    ]


def names_with_substitutes(names: Mapping[int, str], substitutes: Sequence[int]) -> dict[int, str]:
    """Return names by number, new substitutes included."""
    return {**names, **{number: _("a substitute (%(number)d)") % {"number": number} for number in substitutes}}


def _redraw_plan_context(field: FieldNow, plan: RedrawPlan) -> dict[str, Any]:
    names = names_with_substitutes(field.names, plan.substitutes)
    again = [each for each in plan.again if each.new]
    return {
        "fill": plan.asked.fill,
        "label": FILL_LABELS[plan.asked.fill],
        "rounds": sorted(plan.rounds),
        "pairs": [(names[leaver], names[joiner]) for leaver, joiner in plan.pairs],
        "substitutes": len(plan.substitutes),
        "resting": [
            (number, join_commas(names[who] for who in resting)) for number, resting in plan.resting.items() if resting
        ],
        "again": [(" – ".join(names[who] for who in each.players), _rounds(each.rounds)) for each in again[:MAX_SHOWN]],
        "more_again": max(0, len(again) - MAX_SHOWN),
        "missed": [
            say_missed(each, say_wish(each.wish.key), plan.missed_before.get(each.wish.key, 0))
            for each in plan.missed
            if each.wish.key not in OPEN_TO_ALL
        ],
        "left": join_commas(names[who] for who in plan.left),
        "returned": join_commas(names[who] for who in plan.returned),
        "still": _still_seated(field, plan),
        "tables": [(number, named_tables(tables, names)) for number, tables in sorted(plan.rounds.items())],
        "seen": plan.fingerprint,
        "moves_published": any(each.stage == "published" and each.number in plan.rounds for each in field.rounds),
    }


def _still_seated(field: FieldNow, plan: RedrawPlan) -> list[tuple[str, str]]:
    """Return who has left but keeps a seat in a published round that does not change, with the rounds."""
    seated: dict[int, list[int]] = {}
    for each in field.rounds:
        if each.stage == "published" and each.number not in plan.asked.published:
            for who in {who for table in each.tables for who in table} & set(plan.left):
                seated.setdefault(who, []).append(each.number)
    return [(field.names[who], _rounds(rounds)) for who, rounds in sorted(seated.items())]


def _rounds(numbers: Sequence[int]) -> str:
    said = ngettext("round %(rounds)s", "rounds %(rounds)s", len(numbers))
    return said % {"rounds": join_commas(map(str, numbers))}


# ---------------------------------------------------------------- the next round by standing


SENT = ("method", "seed", "step", "numbering", "top", "carry", "others", "apart", "fill", "rest")


@require_http_methods(["GET", "POST"])
@who_may(Right.DRAW_SEATS)
def next_round(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose how the next round is drawn, show it (`?look`), take it; or cancel a cut."""
    if request.method != "POST":
        return _next_round_page(request, event, request.GET, [])
    try:
        if request.POST.get("act") == "cancel":
            return _cancel(request, event)
        take_round(
            event=event,
            asked=_read_next_round(request.POST),
            seen=request.POST.get("seen", ""),
            drop="drop" in request.POST,
            client_id=to_uuid(request.POST.get("client_id", "")),
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        return _next_round_page(request, event, request.POST, [problem_text(problem) for problem in wrong.problems])
    messages.success(request, _("The round is drawn. Publish it when you are ready."))
    return redirect("desk:seating", event.slug)


def _cancel(request: DeskRequest, event: Event) -> HttpResponse:
    number = _number(request.POST, "after", 0)
    cut = event.cuts.filter(after_round=number, cancelled_at=None).first()
    if cut:
        cancel_cut(cut=cut, reason=request.POST.get("reason", ""), by=request.user)
        messages.success(request, _("The cut is taken back."))
    return redirect("desk:next_round", event.slug)


def _next_round_page(request: DeskRequest, event: Event, fields: QueryDict, errors: list[str]) -> HttpResponse:
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
            context["plan"] = _next_plan_context(field, plan_next(field, _read_next_round(fields)))
    except DomainError as refused:
        errors = errors or [problem_text(problem) for problem in refused.problems]
    page = desk_context(request, event, "seating", **context, errors=errors)
    return render(request, "seating/next_round.html", page, status=status)


# ---------------------------------------------------------------- by standing: what is asked


def _read_next_round(fields: QueryDict) -> NextAsked:
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
        rest="rest" in fields,
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
        "rest": "rest" in fields,
        "drop": "drop" in fields,
        "playing": sum(map(len, field.groups)),
        "sent": [(name, value[:20]) for name in SENT for value in fields.getlist(name)],
    }


# ---------------------------------------------------------------- by standing: what would change


def _next_plan_context(field: StandingField, plan: NextPlan) -> dict[str, Any]:
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
            for each in report.met_again[:MAX_SHOWN]
        ],
        "more_again": max(0, len(report.met_again) - MAX_SHOWN),
        "missed": [
            say_round_missed(each.code, (names[who] for who in each.players), each.reason)
            for each in report.missed[:MAX_SHOWN]
        ],
        "through": [(names[each.number], p(each.points), p(each.of)) for each in plan.through],
        "tied_out": join_commas(names[who] for who in plan.tied_out),
        "stopped": len(plan.stopped),
        "sitting_out": join_commas(names[who] for who in plan.sitting_out),
        "resting": join_commas(names[who] for who in plan.resting),
        "seen": plan.fingerprint,
    }


def _ranks(table: NamedTable, people: Mapping[int, RankedPlayer]) -> str:
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
