"""A player leaves, comes late or returns: who goes on, what each way to fill the gap would change, then one act.

Nothing is written before it was looked at; rounds that have begun never move.
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
from tournament.draws.redraw import FILLS, FieldNow, Fill, RedrawAsked, RedrawPlan, fills_for, plan_redraw
from tournament.models import Event
from tournament.refusal import Refused
from tournament.rights import Verb
from tournament.selectors.draws.redraws import get_field
from tournament.services.draws.redraws import redraw_rounds
from tournament.services.people.people import NewPlayer, add_late_player
from web.frame.page_context import desk_context
from web.frame.similar_names import warn_of_likes
from web.frame.tables import UNPROCESSABLE, to_uuid
from web.gateways import DeskRequest, who_may
from web.seating.after_start_page import redraw_context
from web.words.problems import say


@require_http_methods(["GET", "POST"])
@who_may(Verb.DRAW_SEATS)
def redraw(request: DeskRequest, event: Event) -> HttpResponse:
    """Choose who goes on, look at what each way would change (`?look`), do one of them."""
    if request.method != "POST":
        return _page(request, event, request.GET)
    try:
        if request.POST.get("act") == "join":
            return _join(request, event)
        _take(request, event)
    except (InvalidInput, Refused) as wrong:
        return _page(request, event, request.POST, [say(problem) for problem in wrong.problems])
    messages.success(request, _("The rounds that were left are changed. Publish them when you are ready."))
    return redirect("desk:seating", event.slug)


def _join(request: DeskRequest, event: Event) -> HttpResponse:
    new = NewPlayer(request.POST.get("name", "")[:200])
    player = add_late_player(event=event, new=new, ranked="reserve" not in request.POST, by=request.user)
    said = _("%(name)s is player %(number)d, and has no seat yet: tick who goes on, and look.")
    messages.success(request, said % {"name": player.person, "number": player.number})
    warn_of_likes(request, event, player)
    answer = redirect("desk:redraw", event.slug)
    answer["Location"] += f"?with={player.number}"
    return answer


def _take(request: DeskRequest, event: Event) -> None:
    redraw_rounds(
        event=event,
        asked=_asked(request.POST, _fill(request.POST.get("fill", ""))),
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
    plans = _plans(field, fields, problems) if look else []
    context: dict[str, Any] = {
        **redraw_context(field, going, numbers(fields, "published"), plans),
        "looked": look,
        "errors": problems,
        "seed": _seed(fields) if look else secrets.randbelow(900_000) + 100_000,
        "client_id": str(uuid.uuid4()),
        "reason": fields.get("reason", "")[:300],
        "names": fields.get("names", "")[:2000],
    }
    page = desk_context(request, event, "seating", **context)
    return render(request, "seating/redraw.html", page, status=UNPROCESSABLE if errors else 200)


def _plans(field: FieldNow, fields: QueryDict, problems: list[str]) -> list[RedrawPlan]:
    """Return what each way would change; why there is none goes to `problems`."""
    asked = _asked(fields, "put_in")
    fills = fills_for(field, asked.going, asked.published) or ("put_in",)
    plans = []
    for fill in fills:
        try:
            plans.append(plan_redraw(field, _asked(fields, fill)))
        except Refused as refused:
            problems += [said for said in (say(problem) for problem in refused.problems) if said not in problems]
    return plans


def _asked(fields: QueryDict, fill: Fill) -> RedrawAsked:
    return RedrawAsked(
        going=tuple(sorted(set(numbers(fields, "on")))),
        fill=fill,
        seed=_seed(fields),
        published=tuple(sorted(set(numbers(fields, "published")))),
    )


def _fill(text: str) -> Fill:
    return next((fill for fill in FILLS if fill == text), "put_in")


def _seed(fields: QueryDict) -> int:
    text = fields.get("seed", "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else -1


def _usual(field: FieldNow, joining: list[int]) -> list[int]:
    """Return who is ticked at first: all who have not left, of those not ranked who has a seat ahead, and who joins."""
    ahead = {who for each in field.left() for table in each.tables for who in table}
    stay = [each.number for each in field.guests if not each.withdrawn and (each.ranked or each.number in ahead)]
    return sorted({*stay, *joining})


def numbers(fields: QueryDict, name: str) -> list[int]:
    """Return the numbers sent under a name, one by one or parted by commas."""
    parts = [part.strip() for text in fields.getlist(name) for part in text.split(",")]
    return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6]
