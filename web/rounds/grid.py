"""The desk's grid: every table of the round, what is missing, and the acts that move the round on."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament.models import Event, Round
from tournament.refusal import Refused
from tournament.rights import Rights, Verb
from tournament.selectors.core.public import seen_by_public
from tournament.selectors.core.visibility import would_hold
from tournament.selectors.people.players import count_here
from tournament.selectors.public.needs import list_last_tables
from tournament.selectors.rounds.calls import list_open_calls
from tournament.selectors.rounds.clock import ClockRow, get_clock
from tournament.selectors.rounds.rounds import Tile, get_round, list_rounds, list_tiles
from tournament.selectors.tables.typed_sheets import list_waiting
from tournament.services.draws.draw import release_round, start_round
from tournament.services.rounds.day_line import set_ready
from web.frame.page_context import current_round, desk_context
from web.frame.reauthentication import asks_again, last_round
from web.frame.table_facts import facts_of
from web.frame.tables import to_int
from web.gateways import DeskRequest, opens, who_may
from web.rounds.clock import more_time, tile_state, tile_time
from web.rounds.day_line import Day, day_line, missing_words, next_acts
from web.rounds.grid_filters import ALL, filter_links, filter_of, folded_names, found_names, groups_of, is_shown
from web.words.formatting import points, seat_wind, wind_letter, wind_word
from web.words.problems import say
from web.words.visibility import say_hold_conflict


def print_row(tile: Tile, state_word: str) -> dict[str, Any]:
    """Return a table as a row on paper: the hand to be played, counters, deposits, hands so far, and every seat."""
    going = tile.stage in ("playing", "waiting")
    dealer = tile.kyoku - 1 if going else 0
    return {
        "number": tile.number,
        "state": state_word,
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "honba": tile.honba if going else "",
        "sticks": tile.sticks if tile.stage != "signed" else "",
        "hands": tile.hands,
        "signed": tile.stage == "signed",
        "people": [
            {
                "wind": wind_letter(seat_wind(player.seat, dealer, len(tile.seats))),
                "number": player.number,
                "name": player.name,
                "score": points(tile.scores[player.seat]),
            }
            for player in tile.seats
        ],
    }


def seat_heads(players: int) -> list[str]:
    """Name the columns of the seats, first East first."""
    return [_("Seat %(number)d") % {"number": seat + 1} for seat in range(players)]


ROOMY = 16  # up to so many tables a tile also shows who sits there, with scores
MEDIUM = 24  # up to so many it shows the names
LONG_AGO = 100  # minutes
OPEN = ("waiting", "playing")  # where a sheet may wait for its second entry: before any hand, or after a chombo alone
STATES = {
    "waiting": ("waiting", gettext_lazy("waiting")),
    "playing": ("playing", gettext_lazy("playing")),
    "over": ("sheet", gettext_lazy("sheet due")),
    "signed": ("signed", gettext_lazy("signed")),
    "released": ("released", gettext_lazy("released")),
    "ready": ("ready", gettext_lazy("ready")),
    "unconfirmed": ("sheet", gettext_lazy("to confirm")),
    "confirmed": ("signed", gettext_lazy("confirmed")),
    "back": ("trouble", gettext_lazy("sent back")),
    "second": ("sheet", gettext_lazy("second entry")),
    "differs": ("trouble", gettext_lazy("entries differ")),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader asks the grid for: a round (None for the one that the desk is at), a filter, a name or number."""

    round: int | None = None
    show: str = ALL
    search: str = ""


def grid_context(event: Event, asked: Asked, *, organiser: bool, viewer: str = "") -> dict[str, Any]:
    """Return what the grid shows of a round; twelve queries.

    `viewer` is the reader's uid, `organiser` says whether they may do what only organisers may.
    """
    rounds = list_rounds(event)
    shown = _shown_round(event, asked.round)
    tiles = list_tiles(event, shown.number) if shown else []
    clock = get_clock(shown) if shown else None
    calls = list_open_calls(event, shown.number) if shown else {}
    unplayed = {tile.number: tuple(each.number for each in tile.seats) for tile in tiles if tile.stage in OPEN}
    typed = list_waiting(event, shown.number, unplayed) if shown else {}
    day = Day(event, rounds, shown, tiles, count_here(event), calls, viewer, organiser, typed)
    rows = [_tile(day, tile, clock, asked) for tile in tiles]
    return {
        "rounds": rounds,
        "round": shown,
        "clock": clock,
        "steps": day_line(day),
        "missing": missing_words(day),
        "acts": next_acts(day),
        "tables": rows,
        "last_tables": list_last_tables(tiles, clock),
        "size": _size(len(tiles)),
        "filters": filter_links([row["groups"] for row in rows], asked.show, shown.number) if shown else [],
        "show": asked.show,
        "none_shown": all(row["hidden"] for row in rows),
        "unseen_trouble": [row["number"] for row in rows if row["hidden"] and "trouble" in row["groups"]],
        "search": asked.search,
        "seat_heads": seat_heads(event.ruleset.players),
        "made_at": timezone.now(),
        "facts": facts_of(event, shown.number, tiles) if shown else None,
        **(more_time(event, shown.number) if shown else {}),
        "ready_url": reverse("desk:ready", args=[event.slug, shown.number])
        if shown and shown.state == "published" and not day.begun
        else "",
    }


def _shown_round(event: Event, wanted: int | None) -> Round | None:
    found = event.rounds.filter(number=wanted).first() if wanted else None
    shown = found or current_round(event)
    if shown:
        shown.event = event
    return shown


def _size(tables: int) -> str:
    """Return the class of the grid: how much a tile can show."""
    return "is-roomy" if tables <= ROOMY else "is-medium" if tables <= MEDIUM else "is-dense"


def _tile(day: Day, tile: Tile, clock: ClockRow | None, asked: Asked) -> dict[str, Any]:
    """Return one table as templates/ui/table_tile.html shows it, and as a row on paper."""
    going, size = tile.stage in ("playing", "waiting"), _size(len(day.tiles))
    time = tile_time(clock, tile) if clock else {}
    icon, word = _state(day, tile, time.get("left"), roomy=size == "is-roomy")
    called = tile.number in day.calls
    row = {
        "number": tile.number,
        "ready": tile.ready,
        "call": called,
        "url": reverse("desk:table", args=[day.event.slug, day.shown.number if day.shown else 0, tile.number]),
        "state": icon,
        "state_word": word,
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "counters": _counters(tile.honba) if going else "",
        "elapsed": _elapsed(tile.last_at) if tile.stage == "playing" else "",
        "last_at": tile.last_at if tile.stage == "playing" else None,
        "warnings": tile.warnings,
        "extra": time.get("extra_words"),
        "signals_at": time.get("signals_at"),
        "people": _people(tile, going=going) if size != "is-dense" else [],
        "groups": groups_of(_stage(day, tile), time.get("left"), called=called),
        "found": found_names(tile, asked.search),
        "fold": folded_names(tile),
        "paper": print_row(tile, str(word)),
    }
    return {**row, "hidden": not is_shown(row, asked.show, asked.search)}


def _state(day: Day, tile: Tile, left: int | None, *, roomy: bool) -> tuple[str, Any]:
    """Return icon and words of how far a table has come; `left` hands may still end once its time is up."""
    state = _stage(day, tile)
    return (tile_state(left, roomy=roomy) if state in ("playing", "waiting") else None) or STATES[state]


def _stage(day: Day, tile: Tile) -> str:
    """Name how far a table has come, as STATES words it."""
    if day.shown and day.shown.released_at:
        return "released"
    if day.stage_of(tile) in ("back", "second", "differs"):
        return day.stage_of(tile)
    if tile.stage == "signed" and day.event.confirms:
        return "confirmed" if tile.confirmed else "unconfirmed"
    return "ready" if tile.stage == "waiting" and tile.ready and not day.begun else tile.stage


def _people(tile: Tile, *, going: bool) -> list[dict[str, Any]]:
    """Return who sits there in seat order: with the wind of the hand in play, or of the first hand once it is over."""
    dealer = tile.kyoku - 1 if going else 0
    return [
        {
            "name": player.name,
            "wind": seat_wind(player.seat, dealer, len(tile.seats)),
            "score": tile.scores[player.seat],
        }
        for player in tile.seats
    ]


def _counters(honba: int) -> str:
    return ngettext("%(count)d counter", "%(count)d counters", honba) % {"count": honba} if honba else ""


def _elapsed(last_at: dt.datetime | None) -> str:
    if last_at is None:
        return ""
    minutes = int((timezone.now() - last_at).total_seconds() // 60)
    return _("%(count)d min") % {"count": minutes} if minutes < LONG_AGO else _("long ago")


@require_GET
@who_may(Verb.SEE_DESK)
def grid(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the tables of the round that the desk is at, or of `?round=N`.

    `?show=` shows those of one state, `?q=` those with a name or number; `open` opens the table where there is but one.
    """
    wanted, search = request.GET.get("round", ""), request.GET.get("q", "")[:60]
    number = int(wanted[:4]) if wanted.isascii() and wanted.isdigit() else None
    page = desk_context(request, event, "desk")
    asked = Asked(number, filter_of(request.GET.get("show", "")), search)
    page |= grid_context(event, asked, organiser=page["organiser"], viewer=str(request.user.uid))
    page |= _doors(request.rights, page)
    found = [row["url"] for row in page["tables"] if not row["hidden"]]
    if search.strip() and "open" in request.GET and len(found) == 1:
        return redirect(found[0])
    part = "#grid" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"rounds/grid.html{part}", page)


@require_GET
@who_may(Verb.SEE_DESK)
def jump(request: DeskRequest, event: Event) -> HttpResponse:
    """Open a table of the current round by its number."""
    number, now = request.GET.get("table", "").strip(), current_round(event)
    if now and number.isascii() and number.isdigit() and now.tables.filter(number=int(number[:4])).exists():
        return redirect("desk:table", event.slug, now.number, int(number[:4]))
    messages.error(request, _("There is no table %(number)s in this round.") % {"number": number[:10] or "?"})
    return redirect("desk:grid", event.slug)


@require_POST
@who_may(Verb.RUN_CLOCK)
def start(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Start the clock of a round."""
    round_ = get_round(event, round_number)
    if round_:
        try:
            start_round(round_=round_, by=request.user)
            messages.success(request, _("The clock of round %(number)d is running.") % {"number": round_number})
        except Refused as refused:
            _tell(request, refused)
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_number}")


@require_POST
@who_may(Verb.CHECK_IN)
def ready(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Tick tables as ready, or take the ticks away; `back=table` returns to the table's page."""
    round_ = get_round(event, round_number)
    ticked = "ready" in request.POST
    numbers = [to_int(text) for text in request.POST.getlist("ready" if ticked else "not_ready")]
    if round_ and numbers:
        try:
            set_ready(round_=round_, tables=numbers, ready=ticked, by=request.user)
        except Refused as refused:
            _tell(request, refused)
    if request.POST.get("back") == "table" and numbers:
        return redirect("desk:table", event.slug, round_number, numbers[0])
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_number}")


@require_http_methods(["GET", "POST"])
@who_may(Verb.RELEASE_ROUNDS)
@asks_again(last_round)
def release(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Ask, then make the results of a round public, all tables at once."""
    round_ = get_round(event, round_number)
    if round_ is None:
        return redirect("desk:grid", event.slug)
    back = f"{reverse('desk:grid', args=[event.slug])}?round={round_number}"
    if request.method == "GET":
        held = event.hold if would_hold(event, round_number) else ""
        conflict = say_hold_conflict(hold=held, ema_certified=event.ema_certified)
        context = {"round": round_, "back": back, "held": held, "conflict": conflict}
        return render(request, "rounds/release.html", desk_context(request, event, "desk", **context))
    try:
        release_round(round_=round_, by=request.user)
        if round_number in seen_by_public(event).held_rounds:
            words = _("Round %(number)d is released for the desk; its results are held until you show them.")
        else:
            words = _("Round %(number)d is released: players see it now.")
        messages.success(request, words % {"number": round_number})
    except Refused as refused:
        _tell(request, refused)
    return redirect(back)


def _doors(rights: Rights, page: dict[str, Any]) -> dict[str, Any]:
    """Keep of the acts, of the steps' addresses and of the ticks what the reader may do."""
    steps = [
        {**step, "url": step["url"] if step["url"] and opens(rights, step["url"]) else ""} for step in page["steps"]
    ]
    acts = [act for act in page["acts"] if opens(rights, act["url"])]
    return {"steps": steps, "acts": acts, "ready_url": page["ready_url"] if rights.may(Verb.CHECK_IN) else ""}


def _tell(request: HttpRequest, refused: Refused) -> None:
    for problem in refused.problems:
        messages.error(request, say(problem))
