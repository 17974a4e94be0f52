"""The tour of the hand page: three hands on an invented table, by line or by cards. Nothing is stored but a cookie."""

import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from rules.ruleset import Ruleset
from scoring.entries import to_json
from scoring.game import fold
from scoring.problems import InvalidInput, errors_of
from scoring.shorthand import parse
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.hands.draft import Draft, count_at, preview_context, read_draft, read_draft_back
from tournament.hands.pad import cards_context
from tournament.hands.page import seat_cards
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, to_int
from tournament.tables.actions import check_new_hand
from tournament.tables.messages import short_names_at
from tournament.tables.queries import LoadedTable
from tournament.tables.rows import SeatedPlayer
from tournament.tables.table_queries import LedgerLine
from tournament.text.readback import hand_name, honba_and_sticks

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PLAYERS = (gettext_lazy("Ash"), gettext_lazy("Birch"), gettext_lazy("Cedar"), gettext_lazy("Dogwood"))
COOKIE = "hand-tour"
COOKIE_AGE = 400 * 24 * 3600  # as long as browsers keep one


@dataclass(frozen=True, slots=True)
class Stop:
    """A hand of the tour: the line that it asks for, what the table says, and what to type and to tap."""

    line: str
    told: "StrOrPromise"
    typed: "StrOrPromise"
    tapped: "StrOrPromise"


STOPS = (
    Stop(
        "2r3 340/2",
        gettext_lazy("Birch ron from Cedar: 3 han 40 fu. Birch had riichi."),
        gettext_lazy("2 wins, r: by ron from 3, 3 han 40 fu, / the riichi of 2"),
        gettext_lazy("Birch, Cedar, 3 han 40 fu; then Birch for the riichi"),
    ),
    Stop(
        "1t m",
        gettext_lazy("Ash wins by tsumo: a mangan."),
        gettext_lazy("1 wins, t: by tsumo, m: mangan (h haneman, b baiman, y yakuman)"),
        gettext_lazy("Ash, Tsumo, mangan"),
    ),
    Stop(
        "d13/3",
        gettext_lazy("A draw. Ash and Cedar are tenpai, Cedar had riichi."),
        gettext_lazy("d: draw, 1 and 3 tenpai, / the riichi of 3; d alone: nobody tenpai"),
        gettext_lazy("Draw, Ash’s card, and the stick below Cedar: riichi and tenpai in one"),
    ),
)


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_TABLE)
def tour(request: DeskRequest, event: Event, round_number: int = 0, table_number: int = 0) -> HttpResponse:
    """Ask for the hand `?stop=`, read a line back (htmx), or go on; `?leave=` does not offer the tour again."""
    back = reverse("desk:grid", args=[event.slug]) if request.rights.may(Right.SEE_DESK) else reverse("events")
    if table_number:
        back = reverse("desk:table", args=[event.slug, round_number, table_number])
    if "leave" in request.GET:
        return remember_tour(request, redirect(back))
    fields = request.POST if request.method == "POST" else request.GET
    done = min(max(to_int(fields.get("stop")) - 1, 0), len(STOPS))
    table = invented_table(event.ruleset, done)
    draft = read_draft(fields) if fields.get("line", "").strip() else Draft()
    count_at(draft, table.state, table.rules)
    if draft.entry is not None:
        draft.problems = check_new_hand(table, draft.entry)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "hands/table.html#preview", preview_context(table, draft))
    status = 200
    context = {"back": back, "table": table, "done": done, "stops": len(STOPS), "draft": draft}
    if request.method == "POST" and done < len(STOPS):
        if _is_asked_for(draft, table, STOPS[done]):
            return redirect(f"{request.path}?stop={done + 2}")
        draft.sent, status = True, UNPROCESSABLE
    context |= _stop_context(request, table, draft, done)
    page = render(request, "hands/tour.html", desk_context(request, event, "desk", **context), status=status)
    return remember_tour(request, page)


def invented_table(rules: Ruleset, done: int) -> LoadedTable:
    """Return the table of the tour after so many hands."""
    seats = tuple(SeatedPlayer(seat, seat + 1, str(PLAYERS[seat])) for seat in range(rules.players))
    lines = tuple(
        LedgerLine(at, json.dumps(to_json(parse(stop.line))), None, "", "", str(timezone.now()))
        for at, stop in enumerate(STOPS[:done], start=1)
    )
    return LoadedTable(id=0, round=1, number=1, rules=rules, seats=seats, lines=lines, sheet=None)


def offers_tour(request: HttpRequest) -> bool:
    """Tell whether this browser opens a hand page and has neither seen the tour nor entered a hand."""
    return request.method == "GET" and COOKIE not in request.COOKIES


def remember_tour(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let this browser be offered no tour any more."""
    if COOKIE in request.COOKIES:
        return response
    response.set_cookie(
        COOKIE,
        "1",
        max_age=COOKIE_AGE,
        path="/desk/",
        samesite="Lax",
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def _is_asked_for(draft: Draft, table: LoadedTable, stop: Stop) -> bool:
    """Tell whether a hand leads where the asked one does; two spellings of a mangan do."""
    if draft.entry is None or errors_of(draft.problems):
        return False
    entries = [item.entry for item in table.items if item.entry is not None]
    asked = parse(stop.line)
    wanted, found = (fold([*entries, entry], table.rules).state for entry in (asked, draft.entry))
    return draft.entry.kind == asked.kind and wanted == found


def _stop_context(request: DeskRequest, table: LoadedTable, draft: Draft, done: int) -> dict[str, Any]:
    """Return what a stop shows: the hand asked for, the one before it in words, the line and the cards."""
    said = ""
    if done:
        with contextlib.suppress(InvalidInput):
            before = Draft(entry=parse(STOPS[done - 1].line))
            last = read_draft_back(invented_table(table.rules, done - 1), before, short_names_at(table))
            said = last.say if last else ""
    found = preview_context(table, draft)
    if draft.sent and not found["errors"]:
        found["errors"] = [_("This is not the hand of the table: change the line, or clear it with Esc.")]
    return {
        "said": said,
        "stop": STOPS[done] if done < len(STOPS) else None,
        "now": hand_name(table.state),
        "honba_and_sticks": honba_and_sticks(table.state),
        "seats": seat_cards(table),
        "cards": cards_context(table, table.state),
        "action": request.path,
        "preview_url": request.path,
        **found,
    }
