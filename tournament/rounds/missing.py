"""Who has a seat in a round and is not here: at which table, by how many minutes late, and what the book takes for it.

The page comes before tables are marked ready and before the clock starts; it moves no seat.
"""

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from rules.fouls import of_lateness
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import flash_refusal, round_or_404, to_int
from tournament.penalties.messages import SHORT
from tournament.penalties.queries import LATE, get_catalogue
from tournament.players.actions import check_in
from tournament.players.queries import Presence, get_presence
from tournament.tables.models import Round
from tournament.tables.queries import LoadedTable, load_tables
from tournament.tables.round_queries import ClockRow, Tile, get_clock
from tournament.text.languages import join_commas
from tournament.text.numbers import points


@dataclass(frozen=True, slots=True)
class MissingPlayer:
    """A player with a seat who is not here; `minutes` late by the clock, those begun, 0 before it starts.

    `pick` is the foul as the page that gives it takes it, "" where the book has none; without minutes it asks for them.
    `costs` says what the book takes, "" for nothing; `over`: it asks for a replacement.
    """

    table: int
    seat: int
    number: int
    name: str
    minutes: int = 0
    costs: str = ""
    clause: str = ""
    over: bool = False
    pick: str = ""


def list_missing(
    event: Event, presence: Presence, tables: Iterable[LoadedTable | Tile], clock: ClockRow | None
) -> list[MissingPlayer]:
    """List who is missing at those of these tables that are not signed; no query."""
    found = [(table.number, each) for table in tables if table.stage != "signed" for each in presence.missing_at(table)]
    late = _lateness(event, begun_minutes(clock, timezone.now()) if clock else 0) if found else {}
    return [MissingPlayer(table, each.seat, each.number, each.name, **late) for table, each in found]


def _lateness(event: Event, minutes: int) -> dict[str, Any]:
    """Return what the book takes for being late by these minutes, as columns of MissingPlayer."""
    fouls = get_catalogue(event)
    late = of_lateness(fouls, minutes)
    if late is None:
        return {"pick": LATE if LATE in fouls.penalties else ""}
    foul, case = late
    over = "substitute" in case.acts
    amount = case.amount(minutes) or (event.ruleset.replaced_points if over else 0)
    said = _("%(points)s points") % {"points": points(amount)}
    return {
        "minutes": minutes,
        "costs": join_commas([said, _(SHORT["substitute"])]) if over else said,
        "clause": fouls.penalties[foul.key].clause,
        "over": over,
        "pick": f"{foul.key}.{minutes}",
    }


def begun_minutes(clock: ClockRow, now: dt.datetime) -> int:
    """Return the minutes of a clock that have begun, without its pauses; 0 before it starts."""
    if clock.started_at is None:
        return 0
    paused = sum(((each.until or now) - each.since for each in clock.pauses), dt.timedelta())
    return -(-max(dt.timedelta(), now - clock.started_at - paused) // dt.timedelta(minutes=1))


def ask_for_missing(
    request: DeskRequest, event: Event, round_: Round, then: str, *, tables: Collection[int] | None = None
) -> HttpResponse | None:
    """Show who is missing at these tables (None: all) before an act, "ready" or "start"; None to go on at once."""
    if round_.started_at or "seen" in request.POST or not round_.published_at:
        return None
    presence = get_presence(event)
    loaded = load_tables(event, rounds=[round_.number]) if presence.absent else []
    if not any(presence.missing_at(each) for each in loaded if tables is None or each.number in tables):
        return None
    return redirect(f"{reverse('desk:missing', args=[event.slug, round_.number])}?then={then}")


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.CHECK_IN)
def missing(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Show who is missing in a round, and what comes `then`; check one in (`here=N`), with `late` on to the penalty.

    `table` returns to the page of that table.
    """
    round_ = round_or_404(event, round_number)
    asked = (request.POST if request.method == "POST" else request.GET).get("then", "")
    then = asked if asked in ("ready", "start") else ""
    if request.method == "POST":
        number, table = to_int(request.POST.get("here")), to_int(request.POST.get("table"))
        player = event.players.select_related("event").filter(number=number).first()
        with flash_refusal(request):
            if player:
                check_in(player=player, here=True, by=request.user)
        if player and "late" in request.POST and request.rights.may(Right.RULE):
            place = {"round": round_.number, "table": to_int(request.POST.get("at")), "player": number}
            query = urlencode({**place, "pick": request.POST["late"][:20]})
            return redirect(f"{reverse('desk:give_foul', args=[event.slug])}?{query}")
        if table and round_.tables.filter(number=table).exists():
            return redirect("desk:table", event.slug, round_.number, table)
        query = f"?then={then}" if then else ""
        return redirect(reverse("desk:missing", args=[event.slug, round_.number]) + query)
    tables = load_tables(event, rounds=[round_number]) if round_.published_at else []
    clock = get_clock(round_)
    presence = get_presence(event)
    rows = list_missing(event, presence, tables, clock)
    waiting = [table for table in tables if table.ready_at is None]
    at = {row.table for row in rows}
    context = {
        "round": round_,
        "rows": rows,
        "check_in": presence.here > 0,
        "then": then if round_.published_at and not round_.started_at else "",
        "complete": [table.number for table in waiting if table.number not in at],
        "waiting": [table.number for table in waiting],
        "back": f"{reverse('desk:grid', args=[event.slug])}?round={round_number}",
    }
    return render(request, "rounds/missing.html", desk_context(request, event, "desk", **context))
