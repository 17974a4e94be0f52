"""The clock: its full screen for the hall, the desk's page that runs it, and more minutes for one table."""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from scoring.problems import InvalidInput, Problem, ProblemType
from scoring.time_limit import hands_left
from tournament.accounts.models import Account
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.actions import set_clock_options
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_public, rights_context, who_may
from tournament.pages.public_page import show
from tournament.pages.requests import (
    UNPROCESSABLE,
    SentAct,
    answer_acts,
    load_or_404,
    round_or_404,
    to_int,
    to_uuid,
    wants_json,
)
from tournament.pages.sign_in import confirm_first
from tournament.rounds.actions import (
    cancel_time,
    give_time,
    pause_clock,
    put_clock_back,
    resume_clock,
    start_round,
    stop_clock,
)
from tournament.rounds.messages import (
    say_extra_hands,
    say_hand_begins,
    say_left,
    say_left_shortly,
    say_minutes_left,
    say_up,
)
from tournament.rounds.missing import ask_for_missing
from tournament.rounds.models import TableTime
from tournament.tables.models import Round, Table
from tournament.tables.queries import LoadedTable, load_tables
from tournament.tables.round_queries import ClockRow, Tile, get_clock, get_clock_at, list_times
from tournament.text.languages import follow_wall, in_language, known_language
from tournament.text.problems import problem_text

CLOCK_TABLE_UNKNOWN = ProblemType("clock.table_unknown", "There is no such table in this round.")
CLOCK_SIGNALS_UNREADABLE = ProblemType(
    "clock.signals_unreadable", "Write the minutes as numbers with spaces between them, such as 15 5 0."
)

QUICK_MINUTES = (2, 5, 10)
# each act with whether it takes a reason, and the message after it
ACTS: dict[str, tuple[Callable[..., None], bool, str]] = {
    "start": (start_round, False, "The clock of round %(number)d is running."),
    "pause": (pause_clock, True, "The clock of round %(number)d stands still."),
    "resume": (resume_clock, False, "The clock of round %(number)d goes on."),
    "stop": (stop_clock, True, "The clock of round %(number)d is stopped, as if it had never started."),
    "put_back": (put_clock_back, False, "The clock of round %(number)d runs as if it had never been stopped."),
}


def wall_context(clock: ClockRow, second_language: str = "") -> dict[str, Any]:
    """Return the context of the clock's full screen; the wall shows the same."""
    ends = clock.ends_at
    speaks = [minutes for minutes in clock.signals if minutes < clock.minutes]
    return {
        "clock": clock,
        "up": say_up(clock.extra_hands),
        "up_second": in_language(second_language, lambda: say_up(clock.extra_hands)),
        "after": say_extra_hands(clock.extra_hands) if clock.minutes else "",
        "signals": [
            {"minutes": minutes, "words": say_minutes_left(minutes), "at": ends - dt.timedelta(minutes=minutes)}
            for minutes in speaks
            if ends
        ],
        "tables": later_tables(clock),
    }


def round_now(event: Event) -> Round | None:
    """Return the first published round that is not released; None for an open event, which plays many at once."""
    if event.is_open:
        return None
    found = event.rounds.filter(published_at__isnull=False, released_at=None).first()
    if found:
        found.event = event
    return found


def later_tables(clock: ClockRow) -> list[dict[str, Any]]:
    """List the tables that have extra minutes, by number, with the minutes and the table's own end."""
    return [
        {"number": number, "minutes": clock.extra_of(number), "ends_at": clock.ends_at_of(number)}
        for number in clock.tables()
        if clock.minutes
    ]


def ask_to_start(request: DeskRequest, event: Event, round_: Round, back: str) -> HttpResponse | None:
    """Ask before a round starts while players are missing, or an earlier one misses sheets; None to start at once."""
    asked = ask_for_missing(request, event, round_, "start")
    if asked:
        return asked
    playing = event.rounds.filter(number__lt=round_.number, started_at__isnull=False, released_at=None).first()
    if playing is None or round_.started_at:
        return None
    tables = load_tables(event, rounds=[playing.number])
    sheets = sum(table.signed for table in tables)
    if sheets == len(tables):
        return None
    numbers = {"number": round_.number, "earlier": playing.number, "sheets": sheets, "tables": len(tables)}
    return confirm_first(
        request,
        event,
        title=_("Start the clock of round %(number)d?") % numbers,
        text=_("Round %(earlier)d is still being played: %(sheets)d of %(tables)d sheets are in.") % numbers,
        submit=_("Start the clock of round %(number)d") % numbers,
        back=back,
    )


def controls_context(event: Event, round_: Round) -> dict[str, Any]:
    """Return the context of rounds/clock.html."""
    clock = get_clock(round_)
    return {
        "round": round_,
        "clock": clock,
        "begins": say_hand_begins(clock.rules.next_hand_begins) if clock.minutes else "",
        "later": later_tables(clock),
        "can_start": round_.state == "published",
        "can_change": bool(round_.started_at and not round_.released_at),
        "times": list_times(round_),
        "rulings": [each for each in clock.extras if each.id is None],
        "act_url": reverse("desk:clock", args=[event.slug, round_.number]),
        "signals": " ".join(str(minutes) for minutes in clock.signals),
        **more_time(event, round_.number),
    }


def time_bar(event: Event, table: LoadedTable, clock: ClockRow | None = None) -> dict[str, Any]:
    """Return the context of rounds/time_bar.html; queries as `get_clock_at` where no clock is given."""
    found = clock or get_clock_at(table)
    ends_at = found.ends_at_of(table.number)
    is_up = ends_at is not None and ends_at <= timezone.now() and not (table.signed or table.state.ended)
    left = still_left(found, table) if is_up else None
    return {
        "clock": found,
        "time_closed": table.signed or found.released,
        "time_ends_at": ends_at,
        "time_extra": [each for each in found.extras if each.table == table.number],
        "time_left": say_left(left),
        "time_over": left == 0,
        "begins": say_hand_begins(found.rules.next_hand_begins) if left else "",
        "time_bar_url": reverse("desk:time_bar", args=[event.slug, table.round, table.number]),
        "can_give_time": not found.released and not table.signed,
        **more_time(event, table.round),
    }


def more_time(event: Event, round_: int) -> dict[str, Any]:
    """Return the context of rounds/more_time.html."""
    return {
        "time_url": reverse("desk:give_time", args=[event.slug, round_]),
        "time_id": str(uuid.uuid4()),
        "quick_minutes": QUICK_MINUTES,
    }


def tile_time(clock: ClockRow, tile: Tile) -> dict[str, Any]:
    """Return the time of a tile: hands left, minutes beyond the clock, and its own signal where it has such minutes."""
    going = tile.stage in ("playing", "waiting")
    left = still_left(clock, tile) if going else None
    extra = clock.extra_of(tile.number) if going and clock.minutes else 0
    return {
        "left": left,
        "extra": extra,
        "extra_words": _("+%(count)d min") % {"count": extra} if extra else "",
        "signals_at": clock.ends_at_of(tile.number) if extra else None,
    }


def tile_state(left: int | None, *, roomy: bool) -> tuple[str, str] | None:
    """Return icon and words of a tile whose time is up, short unless the grid is roomy; None before."""
    if left is None:
        return None
    return {0: "sheet", 1: "last"}.get(left, "time"), say_left(left) if roomy else say_left_shortly(left)


def still_left(clock: ClockRow, table: LoadedTable | Tile) -> int | None:
    """Return how many hands a table may still end, None while its time is not up."""
    return hands_left(clock.limit_of(table, timezone.now()), clock.rules)


@require_safe
@for_public
def wall(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the clock of the current round on the full screen, in the event's language."""
    follow_wall(event.language)

    def make() -> dict[str, Any]:
        now = round_now(event)
        second = known_language(event.second_language)
        words = {} if now is None else wall_context(get_clock(now), second)
        return {"round": now, "second_language": second, **words}

    return show(request, event, "rounds/clock_public.html", make, tab="", clock=True)


@require_http_methods(["GET", "POST"])
@who_may(Right.SEE_DESK, post=Right.RUN_CLOCK)
def clock(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Show a round's clock, and start, pause, resume or stop it."""
    round_ = round_or_404(event, round_number)
    if request.method == "POST":
        act, needs_reason, done = ACTS.get(request.POST.get("act", ""), (None, False, ""))
        if act is None:
            raise Http404("There is no such act.")
        asked = act is start_round and ask_to_start(request, event, round_, request.path)
        if asked:
            return asked
        reason = {"reason": request.POST.get("reason", "")} if needs_reason else {}
        try:
            act(round_=round_, by=request.user, **reason)
        except DomainError as refused:
            return _page(request, event, round_, refused.problems)
        messages.success(request, _(done) % {"number": round_number})
        return redirect("desk:clock", event.slug, round_number)
    return _page(request, event, round_)


@require_GET
@who_may(Right.SEE_TABLE)
def bar(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Show the time of one table, as a fragment of its page."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    return render(request, "rounds/time_bar.html#state", {"event": event, "table": loaded, **time_bar(event, loaded)})


@require_POST
@who_may(Right.RUN_CLOCK)
def give(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Give a table more minutes; `back` names the page of the form: grid, table or clock. JSON: `answer_acts`."""
    round_ = round_or_404(event, round_number)
    if wants_json(request):
        return answer_acts(request, partial(_time_sent, round_, request.user))
    problems: tuple[Problem, ...] = ()
    number = to_int(request.POST.get("table", "").strip())
    minutes = _minutes(request.POST)
    try:
        give_time(
            table=_table(round_, number),
            minutes=minutes,
            reason=request.POST.get("reason", ""),
            client_id=to_uuid(request.POST.get("time_id", "")),
            by=request.user,
        )
    except (InvalidInput, DomainError) as wrong:
        problems = wrong.problems
    if request.htmx and request.POST.get("back") == "table":  # type: ignore[attr-defined]
        loaded = load_or_404(event, round_.number, number)
        context = {"event": event, "table": loaded, "time_errors": [problem_text(each) for each in problems]}
        context |= {**time_bar(event, loaded), **rights_context(request, event)}
        return render(request, "rounds/time_bar.html", context, status=UNPROCESSABLE if problems else 200)
    for problem in problems:
        messages.error(request, problem_text(problem))
    if not problems:
        words = ngettext(
            "Table %(number)d has %(count)d minute more.", "Table %(number)d has %(count)d minutes more.", minutes
        )
        messages.success(request, words % {"number": number, "count": minutes})
    back = request.POST.get("back")
    if back == "table" and round_.tables.filter(number=number).exists():
        return redirect("desk:table", event.slug, round_.number, number)
    if back == "clock":
        return redirect("desk:clock", event.slug, round_.number)
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_.number}")


def _time_sent(round_: Round, by: Account, act: SentAct) -> None:
    """Give minutes as an act says, or take back those that the act `undo` gave; one that was never given is none."""
    if "undo" not in act.fields:
        give_time(
            table=_table(round_, to_int(act.fields.get("table"))),
            minutes=_minutes(act.fields),
            reason=act.fields.get("reason", ""),
            client_id=act.client_id,
            by=by,
        )
        return
    times = TableTime.objects.select_related("table__round__event").filter(table__round=round_)
    if found := times.filter(client_id=to_uuid(act.fields["undo"])).first():
        cancel_time(time=found, reason=_("undone at once"), by=by)


def _minutes(fields: Mapping[str, str]) -> int:
    return to_int((fields.get("minutes") or fields.get("other", "")).strip())


@require_POST
@who_may(Right.RUN_CLOCK)
def take_back(request: DeskRequest, event: Event, round_number: int, time_id: int) -> HttpResponse:
    """Take minutes of a table back, with a reason."""
    round_ = round_or_404(event, round_number)
    found = get_object_or_404(TableTime.objects.select_related("table__round__event"), pk=time_id, table__round=round_)
    try:
        cancel_time(time=found, reason=request.POST.get("reason", ""), by=request.user)
    except DomainError as refused:
        return _page(request, event, round_, refused.problems)
    messages.success(request, _("The minutes of table %(number)d are taken back.") % {"number": found.table.number})
    return redirect("desk:clock", event.slug, round_number)


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def options(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Set whether the clock sounds, and the minutes left at which it speaks."""
    round_ = round_or_404(event, round_number)
    try:
        signals = _signals(request.POST.get("signals", ""))
        set_clock_options(event=event, sound=request.POST.get("sound") == "on", signals=signals, by=request.user)
    except DomainError as refused:
        return _page(request, event, round_, refused.problems)
    messages.success(request, _("The announcements of the clock are set."))
    return redirect("desk:clock", event.slug, round_number)


def _page(request: DeskRequest, event: Event, round_: Round, problems: tuple[Problem, ...] = ()) -> HttpResponse:
    context = {"errors": [problem_text(problem) for problem in problems], **controls_context(event, round_)}
    template = "rounds/clock.html#clock" if request.htmx else "rounds/clock.html"  # type: ignore[attr-defined]
    page = desk_context(request, event, "desk", **context)
    return render(request, template, page, status=UNPROCESSABLE if problems else 200)


def _table(round_: Round, number: int) -> Table:
    """Return a table of a round; raises DomainError where there is none."""
    found = Table.objects.select_related("round__event").filter(round=round_, number=number).first()
    if found is None:
        raise DomainError(CLOCK_TABLE_UNKNOWN())
    return found


def _signals(text: str) -> list[int]:
    """Read minutes, typed with spaces or commas; raises DomainError for anything else."""
    words = text.replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        raise DomainError(CLOCK_SIGNALS_UNREADABLE())
    return [int(word) for word in words]
