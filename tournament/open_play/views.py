"""The page of an open evening: who waits, who plays, who is not here; tables made by tapping names or by *Suggest*."""

import re
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.suggest import suggest_tables, turn_winds
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.open_play.actions import seat_tables, take_table_back
from tournament.open_play.queries import OpenEvening, get_evening
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import flash_refusal, to_int, to_uuid
from tournament.players.actions import check_in
from tournament.tables.models import Table
from tournament.text.languages import join_and, join_commas

MAX_PLAN = 1500  # characters: some 300 people
MOST_PAIRS = 3  # that are named of a table
_PLAN = re.compile(r"[0-9]{1,5}(?:[.-][0-9]{1,5})*-?")

Plan = list[list[int]]


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.CHECK_IN)
def evening(request: DeskRequest, event: Event) -> HttpResponse:
    """Show who waits, plays and is not here; `?plan=1.2.3.4-5.6` are tables being made, `?suggest` fills them.

    `&move=7&to=1&on=5` puts a player at the second of these tables, where it is full in the place of another one.
    """
    if request.method == "POST":
        return _post(request, event)
    if not event.is_open:
        return redirect("desk:grid", event.slug)
    now = get_evening(event, timezone.now())
    sizes = tuple(event.rulesets)
    if "suggest" in request.GET:
        waiting = [each.waiting for each in now.waiting]
        tables = [list(table) for table in suggest_tables(waiting, now.weights, sizes=sizes).tables]
        return redirect(_address(event, tables))
    plan = _read_plan(request.GET.get("plan", ""), now, sizes)
    if "move" in request.GET:
        number, to, on = (to_int(request.GET.get(name)) for name in ("move", "to", "on"))
        to = to if request.GET.get("to") else len(plan) + 1
        plan = _read_plan(_write_plan(_move(plan, number, sizes, to, on)), now, sizes)
        return redirect(_address(event, plan))
    page = desk_context(request, event, "desk", **_context(event, now, plan))
    part = "#evening" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"open_play/evening.html{part}", page)


def _context(event: Event, now: OpenEvening, plan: Plan) -> dict[str, Any]:
    at, rulesets = timezone.now(), event.rulesets
    planned = {number for table in plan for number in table}
    used = {table.number for table in now.playing}
    free = [number for number in range(1, len(used) + len(plan) + 1) if number not in used]
    # where a tap puts a name: at the first table that lacks one, else at the first with room
    rooms = (index for most in (min(rulesets), max(rulesets)) for index, each in enumerate(plan) if len(each) < most)
    room, out = next(rooms, len(plan)), len(plan) + 1
    rows = {
        each.number: {
            "number": each.number,
            "name": each.name,
            "minutes": each.waiting.minutes,
            "games": each.waiting.games,
            "moved": _write_plan(_move(plan, each.number, rulesets, out if each.number in planned else room)),
        }
        for each in now.waiting
    }
    full = [table for table in plan if len(table) in rulesets]
    return {
        "evening": now,
        "waiting": [row for number, row in rows.items() if number not in planned],
        "plan": [
            {
                "people": [rows[number] for number in table],
                "missing": max(min(rulesets) - len(table), 0),
                "rules": rulesets[len(table)].title if len(rulesets) > 1 and table in full else "",
                "at": free[index],
                "met": _say_meetings(now, table),
            }
            for index, table in enumerate(plan)
        ],
        "sent": _write_plan(full),
        "written": _write_plan(plan),
        "full": len(full),
        "another": _address(event, [*plan, []]) if full == plan and len(rulesets) > 1 else "",
        "may_suggest": len(now.waiting) >= min(rulesets),
        "playing": [
            {
                "table": table,
                "minutes": int((at - table.started_at).total_seconds() // 60) if table.started_at else 0,
                "url": reverse("desk:table", args=[event.slug, table.round, table.number]),
            }
            for table in now.playing
        ],
        "client_id": uuid4(),
    }


def _say_meetings(now: OpenEvening, table: Sequence[int]) -> str:
    """Say how often the players of a table have met in the season, with the pairs that met most."""
    names = {each.number: each.name for each in now.waiting}
    pairs = [(now.meetings[pair], pair) for pair in combinations(sorted(table), 2)]
    total = sum(count for count, _pair in pairs)
    if not total:
        return _("nobody has met in this season") if len(table) > 1 else ""
    most = sorted((each for each in pairs if each[0]), key=lambda each: -each[0])[:MOST_PAIRS]
    named = join_commas(f"{join_and([names[one], names[other]])} {count}×" for count, (one, other) in most)
    said = ngettext(
        "met %(count)d time in this season: %(pairs)s", "met %(count)d times in this season: %(pairs)s", total
    )
    return said % {"count": total, "pairs": named}


def _read_plan(text: str, now: OpenEvening, sizes: Sequence[int]) -> Plan:
    """Return the tables of an address; who no longer waits is left out, and full tables are in the order of winds.

    A "-" at its end is a table that nobody has yet.
    """
    waiting = {each.number: each.waiting for each in now.waiting}
    found = text if len(text) <= MAX_PLAN and _PLAN.fullmatch(text) else ""
    plan: Plan = []
    seen: set[int] = set()
    for part in filter(None, found.split("-")):
        table = [
            number for number in dict.fromkeys(map(int, part.split("."))) if number in waiting and number not in seen
        ]
        seen.update(table[: max(sizes)])
        plan.append(table[: max(sizes)])
    tables = [
        list(turn_winds([waiting[number] for number in table])) if len(table) in sizes else table
        for table in plan
        if table
    ]
    return [*tables, []] if tables and found.endswith("-") else tables


def _move(plan: Plan, number: int, sizes: Collection[int], to: int, on: int = 0) -> Plan:
    """Return a plan with a player at table `to`, its length for a new one; more is out of all tables.

    Where the table is full the player changes places with `on` there, and with nobody else.
    """
    tables = [*map(list, plan), []]
    there = next((table for table in tables if number in table), [])
    table = tables[to] if 0 <= to < len(tables) else []
    if table is there and there:
        return plan
    if len(table) < max(sizes):
        if there:
            there.remove(number)
        table.append(number)
    elif on in table:
        table[table.index(on)] = number
        if there:
            there[there.index(number)] = on
    return [each for each in tables if each]


def _write_plan(plan: Plan) -> str:
    return "-".join(".".join(map(str, table)) for table in plan)


def _address(event: Event, plan: Plan) -> str:
    address = reverse("desk:open_play", args=[event.slug])
    return f"{address}?{urlencode({'plan': _write_plan(plan)})}" if plan else address


def _post(request: DeskRequest, event: Event) -> HttpResponse:
    """Check somebody in or out, seat the full tables of a plan, or take a table back."""
    data, back = request.POST, _address(event, [])
    with flash_refusal(request):
        if "seat" in data:
            return _seat(request, event)
        if "undo" in data:
            table = Table.objects.filter(round__event=event, round__number=to_int(data["undo"])).first()
            if table is None:
                raise Http404("There is no such table.")
            take_table_back(table=table, by=request.user)
            messages.success(
                request, _("Table %(number)d is undone: its players wait again.") % {"number": table.number}
            )
        else:
            here = "here" in data
            player = event.players.filter(number=to_int(data.get("here" if here else "gone"))).first()
            if player is None:
                raise Http404("There is no such player.")
            check_in(player=player, here=here, by=request.user)
    return redirect(back)


def _seat(request: DeskRequest, event: Event) -> HttpResponse:
    """Seat the tables that were sent, each `at` a table of the hall; a refusal goes back to them."""
    text = request.POST["seat"]
    if len(text) > MAX_PLAN or not _PLAN.fullmatch(text):
        raise Http404("There is no such plan.")
    plan = [[int(number) for number in part.split(".")] for part in text.split("-") if part]
    players = {player.number: player for player in event.players.all()}
    if not all(number in players for table in plan for number in table):
        raise Http404("There is no such player.")
    typed = [to_int(value) or None for value in request.POST.getlist("at")]
    places = [*typed, *[None] * len(plan)][: len(plan)]
    tables = [([players[number] for number in table], at) for table, at in zip(plan, places, strict=True)]
    with flash_refusal(request):
        seated = seat_tables(
            event=event, tables=tables, client_id=to_uuid(request.POST.get("client_id", "")), by=request.user
        )
        numbers = join_and([str(table.number) for table in seated])
        said = ngettext("Table %(numbers)s plays.", "Tables %(numbers)s play.", len(seated))
        messages.success(request, said % {"numbers": numbers})
        plan = []
    return redirect(_address(event, plan))
