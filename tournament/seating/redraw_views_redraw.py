"""A player leaves, comes late or returns: choose who goes on, compare the ways to fill the gap, take one.

Nothing is written before the effect was shown; rounds that have begun never change.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.forms_similar_names import warn_of_likes
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.requests_tables import UNPROCESSABLE, to_uuid
from tournament.players.actions import NewPlayer, add_late_player
from tournament.seating.forms import OPEN_TO_ALL, new_seed, read_seed
from tournament.seating.messages_after_start import FILLS as FILL_LABELS
from tournament.seating.messages_after_start import say_figures, say_missed
from tournament.seating.messages_draw import say_wish
from tournament.seating.queries_redraws import get_field
from tournament.seating.redraw_actions_redraws import redraw_rounds
from tournament.seating.redraw_plan_redraw import FILLS, FieldNow, Fill, RedrawAsked, RedrawPlan, fills_for, plan_redraw
from tournament.seating.search.quality_1 import Tally
from tournament.seating.search.schedule_1 import Round
from tournament.text.problems_1 import say

MOST_SHOWN: Final = 12
Figure: TypeAlias = tuple[str, int, list[int]]  # term, value now, values then


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a round with number and name of each seat; `ranks` in words and `final` in rounds by standing."""

    number: int
    seats: list[tuple[int, str]]
    ranks: str = ""
    final: bool = False


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def redraw(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose who goes on, show what each way would change (`?look`), take one of them."""
    if request.method != "POST":
        return _page(request, event, request.GET)
    try:
        if request.POST.get("act") == "join":
            return _join(request, event)
        _take(request, event)
    except (InvalidInput, Refused) as wrong:
        return _page(request, event, request.POST, [say(problem) for problem in wrong.problems])
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
        asked=_asked(request.POST, fill),
        seen=request.POST.get("seen", ""),
        client_id=to_uuid(request.POST.get("client_id", "")),
        names=request.POST.get("names", "")[:2000].splitlines(),
        reason=request.POST.get("reason", ""),
        by=request.user,
    )


def _page(request: DeskRequest, event: Event, fields: QueryDict, errors: list[str] | None = None) -> HttpResponse:
    field, problems = get_field(event), list(errors or [])
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
        "plans": [_plan_context(field, plan) for plan in plans],
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


# ---------------------------------------------------------------- what is asked


def numbers(fields: QueryDict, name: str) -> list[int]:
    """Return the numbers sent under a name, in one field each or separated by commas."""
    parts = [part.strip() for text in fields.getlist(name) for part in text.split(",")]
    return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6]


def _asked(fields: QueryDict, fill: Fill) -> RedrawAsked:
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
    asked = _asked(fields, "put_in")
    plans = []
    for fill in fills_for(field, asked.going, asked.published) or ("put_in",):
        try:
            plans.append(plan_redraw(field, _asked(fields, fill)))
        except Refused as refused:
            problems += [said for said in (say(problem) for problem in refused.problems) if said not in problems]
    return plans


# ---------------------------------------------------------------- what would change


def compare_figures(tallies: Sequence[Tally]) -> list[Figure]:
    """Return each figure of a schedule now, the first tally, beside its value in the others."""
    columns = [say_figures(tally) for tally in tallies]
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


def _plan_context(field: FieldNow, plan: RedrawPlan) -> dict[str, Any]:
    names = names_with_substitutes(field.names, plan.substitutes)
    again = [each for each in plan.again if each.new]
    return {
        "fill": plan.asked.fill,
        "label": FILL_LABELS[plan.asked.fill],
        "rounds": sorted(plan.rounds),
        "pairs": [(names[leaver], names[joiner]) for leaver, joiner in plan.pairs],
        "substitutes": len(plan.substitutes),
        "resting": [
            (number, ", ".join(names[who] for who in resting)) for number, resting in plan.resting.items() if resting
        ],
        "again": [
            (" – ".join(names[who] for who in each.players), _rounds(each.rounds)) for each in again[:MOST_SHOWN]
        ],
        "more_again": max(0, len(again) - MOST_SHOWN),
        "missed": [
            say_missed(each, say_wish(each.wish.key), plan.missed_before.get(each.wish.key, 0))
            for each in plan.missed
            if each.wish.key not in OPEN_TO_ALL
        ],
        "left": ", ".join(names[who] for who in plan.left),
        "returned": ", ".join(names[who] for who in plan.returned),
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
    return said % {"rounds": ", ".join(map(str, numbers))}
