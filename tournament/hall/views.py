"""The desk's grid: every table of the round, what is missing, and the acts that move the round on."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament.accounts.models import Account
from tournament.alllast.queries import list_last_tables
from tournament.calls.queries import list_open_calls
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.rights import Right, Rights
from tournament.events.models import Event
from tournament.hall.day_line import Day, day_line, missing_words, next_acts
from tournament.pages.permissions import DeskRequest, current_round, desk_context, opens, who_may
from tournament.pages.requests import MAX_QUERY_LENGTH, SentAct, answer_acts, flash_refusal, to_int, wants_json
from tournament.pages.sign_in import last_round, reauthenticate
from tournament.pages.tables import facts_of
from tournament.players.queries import get_presence
from tournament.publication.messages import say_hold_conflict
from tournament.publication.queries import get_public_view, would_hold
from tournament.rounds.actions import release_round, set_ready, start_round
from tournament.rounds.missing import ask_for_missing, list_missing
from tournament.rounds.views import ask_to_start, more_time, tile_state, tile_time
from tournament.sheets.queries import list_waiting
from tournament.tables.messages import names_on
from tournament.tables.models import Round
from tournament.tables.round_queries import ClockRow, Tile, get_clock, get_round, list_rounds, list_tiles
from tournament.text.names import matches, search_text
from tournament.text.numbers import seat_wind, wind_word

ALL = "all"
# key in the address, key on the keyboard, words
FILTERS = (
    (ALL, "a", gettext_lazy("All")),
    ("waiting", "w", gettext_lazy("no hand yet")),
    ("playing", "l", gettext_lazy("still playing")),
    ("time", "u", gettext_lazy("time is up")),
    ("sheet", "s", gettext_lazy("sheet due")),
    ("confirm", "c", gettext_lazy("to confirm")),
    ("trouble", "t", gettext_lazy("trouble or call")),
    ("signed", "d", gettext_lazy("signed")),
)
KEYS = frozenset(key for key, _letter, _words in FILTERS)
# stage: icon, words, filter
STATES = {
    "waiting": ("waiting", gettext_lazy("waiting"), "waiting"),
    "begun": ("waiting", gettext_lazy("no hands yet"), "waiting"),
    "playing": ("playing", gettext_lazy("playing"), "playing"),
    "over": ("sheet", gettext_lazy("sheet due"), "sheet"),
    "signed": ("signed", gettext_lazy("signed"), "signed"),
    "released": ("released", gettext_lazy("released"), "signed"),
    "ready": ("ready", gettext_lazy("ready"), "waiting"),
    "unconfirmed": ("sheet", gettext_lazy("to confirm"), "confirm"),
    "confirmed": ("signed", gettext_lazy("confirmed"), "signed"),
    "back": ("trouble", gettext_lazy("sent back"), "trouble"),
    "second": ("sheet", gettext_lazy("second entry"), "sheet"),
    "differs": ("trouble", gettext_lazy("entries differ"), "trouble"),
}
ROOMY, MEDIUM = 16, 24  # most tables with names and scores on each tile, and with names
LONG_AGO = 100  # minutes
OPEN = ("waiting", "playing")  # where a sheet may wait for its second entry: before any hand, or after a chombo alone


@dataclass(frozen=True, slots=True)
class GridQuery:
    """The query of the grid: a round (None for the current one), a filter, a name or table number."""

    round: int | None = None
    show: str = ALL
    search: str = ""


def groups_of(stage: str, left: int | None, *, called: bool) -> list[str]:
    """List the filters that a table belongs to, by its stage (a key of `STATES`) and the hands it may still end.

    >>> groups_of("playing", 1, called=True), groups_of("back", None, called=False)
    (['playing', 'time', 'trouble'], ['trouble'])
    """
    found = [STATES[stage][2]]
    if left is not None and stage in ("playing", "waiting", "ready"):
        found.append("time")
    if called and "trouble" not in found:
        found.append("trouble")
    return found


def filter_links(groups: Iterable[Sequence[str]], shown: str, round_: int) -> list[dict[str, Any]]:
    """Return the filters that have tables, with their counts; `ALL` and the current one, `shown`, always."""
    tables = list(groups)
    counts = {key: sum(key in each for each in tables) for key in KEYS} | {ALL: len(tables)}
    return [
        {
            "key": key,
            "letter": letter,
            "words": words,
            "count": counts[key],
            "current": key == shown,
            "query": urlencode({"round": round_} | ({} if key == ALL else {"show": key})),
        }
        for key, letter, words in FILTERS
        if counts[key] or key in (ALL, shown)
    ]


def is_shown(tile: Mapping[str, Any], shown: str, search: str) -> bool:
    """Return whether a tile is shown; a search by number or name goes through all tables, whatever the filter."""
    wanted = search.strip()
    if wanted:
        return wanted == str(tile["number"]) or bool(tile["found"])
    return shown == ALL or shown in tile["groups"]


def grid_context(event: Event, asked: GridQuery, *, organiser: bool, viewer: str = "") -> dict[str, Any]:
    """Return the context of hall/grid.html for a reader with this uid; twelve queries."""
    rounds = list_rounds(event)
    shown = (event.rounds.filter(number=asked.round).first() if asked.round else None) or current_round(event)
    if shown:
        shown.event = event
    tiles = list_tiles(event, shown.number) if shown else []
    clock = get_clock(shown) if shown else None
    calls = list_open_calls(event, shown.number) if shown else {}
    unplayed = {tile.number: tuple(each.number for each in tile.seats) for tile in tiles if tile.stage in OPEN}
    typed = list_waiting(event, shown.number, unplayed) if shown else {}
    presence = get_presence(event)
    missing = list_missing(event, presence, tiles, clock) if shown and not shown.released_at else []
    day = Day(event, rounds, shown, tiles, presence, calls, viewer, organiser, typed, missing)
    rows = [_tile(day, tile, clock, asked) for tile in tiles]
    return {
        "rounds": rounds,
        "round": shown,
        "clock": clock,
        "steps": day_line(day),
        "missing": missing_words(day),
        "acts": next_acts(day),
        "calls": sorted(calls.values(), key=lambda call: call.called_at),
        "tables": rows,
        "last_tables": list_last_tables(tiles, clock),
        "size": _size(len(tiles)),
        "filters": filter_links([row["groups"] for row in rows], asked.show, shown.number) if shown else [],
        "show": asked.show,
        "none_shown": all(row["hidden"] for row in rows),
        "unseen_trouble": [row["number"] for row in rows if row["hidden"] and "trouble" in row["groups"]],
        "search": asked.search,
        "seat_heads": [_("Seat %(number)d") % {"number": seat + 1} for seat in range(max(event.rulesets))],
        "made_at": timezone.now(),
        "facts": facts_of(event, shown.number, tiles) if shown else None,
        **(more_time(event, shown.number) if shown else {}),
        "ready_url": reverse("desk:ready", args=[event.slug, shown.number])
        if shown and shown.state == "published" and not day.begun
        else "",
    }


def _size(tables: int) -> str:
    """Return the class of the grid, by how much a tile can show."""
    return "is-roomy" if tables <= ROOMY else "is-medium" if tables <= MEDIUM else "is-dense"


def _tile(day: Day, tile: Tile, clock: ClockRow | None, asked: GridQuery) -> dict[str, Any]:
    """Return one table as the tile of hall/grid.html shows it, and `paper`, its row of the printed state."""
    going, size = tile.stage in ("playing", "waiting"), _size(len(day.tiles))
    time = tile_time(clock, tile) if clock else {}
    stage, left = _stage(day, tile), time.get("left")
    time_is_up = tile_state(left, roomy=size == "is-roomy") if stage in ("playing", "waiting", "begun") else None
    icon, word = time_is_up or STATES[stage][:2]
    called = tile.number in day.calls
    hand = f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else ""
    people = _people(tile, going=going)
    row = {
        "number": tile.number,
        "ready": tile.ready,
        "call": called,
        "url": reverse("desk:table", args=[day.event.slug, day.shown.number if day.shown else 0, tile.number]),
        "state": icon,
        "state_word": word,
        "hand": hand,
        "honba_and_sticks": ngettext("%(count)d honba", "%(count)d honba", tile.honba) % {"count": tile.honba}
        if going and tile.honba
        else "",
        "elapsed": _elapsed(tile.last_at) if tile.stage == "playing" else "",
        "last_at": tile.last_at if tile.stage == "playing" else None,
        "warnings": tile.warnings,
        "missing": [each.name for each in day.missing if each.table == tile.number],
        "extra": time.get("extra_words"),
        "signals_at": time.get("signals_at"),
        "people": people if size != "is-dense" else [],
        "groups": groups_of(stage, left, called=called),
        "found": [name for name in names_on(tile) if asked.search.strip() and matches(asked.search, name, -1)],
        "fold": "|".join(search_text(name) for name in names_on(tile)),  # as static/hall/grid.js searches it
        "paper": {
            "number": tile.number,
            "state": str(word),
            "hand": hand,
            "honba": tile.honba,
            "sticks": tile.sticks if tile.stage != "signed" else "",
            "hands": tile.hands,
            "signed": tile.stage == "signed",
            "people": people,
        },
    }
    return {**row, "hidden": not is_shown(row, asked.show, asked.search)}


def _stage(day: Day, tile: Tile) -> str:
    """Return the stage of a table, a key of STATES."""
    if day.shown and day.shown.released_at:
        return "released"
    if day.stage_of(tile) in ("back", "second", "differs"):
        return day.stage_of(tile)
    if tile.stage == "signed" and day.event.confirms:
        return "confirmed" if tile.confirmed else "unconfirmed"
    if tile.stage == "waiting" and (day.begun or tile.ready):
        return "begun" if day.begun else "ready"
    return tile.stage


def _people(tile: Tile, *, going: bool) -> list[dict[str, Any]]:
    """Return the players in seat order, with the wind of the hand in play, or of the first hand once it is over."""
    dealer = tile.kyoku - 1 if going else 0
    return [
        {
            "name": name,
            "wind": seat_wind(player.seat, dealer, len(tile.seats)),
            "score": tile.scores[player.seat],
        }
        for player, name in zip(tile.seats, names_on(tile), strict=True)
    ]


def _elapsed(last_at: dt.datetime | None) -> str:
    if last_at is None:
        return ""
    minutes = int((timezone.now() - last_at).total_seconds() // 60)
    return _("%(count)d min") % {"count": minutes} if minutes < LONG_AGO else _("long ago")


@require_GET
@who_may(Right.SEE_DESK)
def grid(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the tables of the current round, or of `?round=N`.

    The tables of an open event are on a page of their own.

    `?show=` filters by state, `?q=` by name or number; with `open` a single table found opens at once.
    """
    number, search = to_int(request.GET.get("round")) or None, request.GET.get("q", "")[:MAX_QUERY_LENGTH]
    if event.is_open and number is None:
        return redirect("desk:open_play", event.slug)
    show = request.GET.get("show", "")
    page = desk_context(request, event, "desk")
    asked = GridQuery(number, show if show in KEYS else ALL, search)
    page |= grid_context(event, asked, organiser=page["organiser"], viewer=str(request.user.uid))
    page |= _allowed(request.rights, page)
    found = [row["url"] for row in page["tables"] if not row["hidden"]]
    if search.strip() and "open" in request.GET and len(found) == 1:
        return redirect(found[0])
    part = "#grid" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"hall/grid.html{part}", page)


@require_GET
@who_may(Right.SEE_DESK)
def jump(request: DeskRequest, event: Event) -> HttpResponse:
    """Open a table of the current round by its number."""
    number, now = request.GET.get("table", "").strip(), current_round(event)
    if event.is_open and number.isascii() and number.isdigit():  # the newest of the tables with this number
        now = event.rounds.filter(tables__number=int(number[:4])).order_by("number").last()
    if now and number.isascii() and number.isdigit() and now.tables.filter(number=int(number[:4])).exists():
        return redirect("desk:table", event.slug, now.number, int(number[:4]))
    messages.error(request, _("There is no table %(number)s in this round.") % {"number": number[:10] or "?"})
    return redirect("desk:grid", event.slug)


@require_POST
@who_may(Right.RUN_CLOCK)
def start(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Start the clock of a round."""
    round_ = get_round(event, round_number)
    back = f"{reverse('desk:grid', args=[event.slug])}?round={round_number}"
    if round_:
        asked = ask_to_start(request, event, round_, back)
        if asked:
            return asked
        with flash_refusal(request):
            start_round(round_=round_, by=request.user)
            messages.success(request, _("The clock of round %(number)d is running.") % {"number": round_number})
    return redirect(back)


@require_POST
@who_may(Right.CHECK_IN)
def ready(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Tick tables as ready, or untick them; `back=table` returns to the table's page. JSON: `answer_acts`."""
    round_ = get_round(event, round_number)
    if wants_json(request):
        return answer_acts(request, partial(_ready_sent, round_, request.user))
    ticked = "ready" in request.POST
    numbers = [to_int(text) for text in request.POST.getlist("ready" if ticked else "not_ready")]
    htmx = request.htmx  # type: ignore[attr-defined]
    if round_ and ticked and not htmx and (asked := ask_for_missing(request, event, round_, "ready", tables=numbers)):
        return asked
    if round_ and numbers:
        with flash_refusal(request):
            set_ready(round_=round_, tables=numbers, ready=ticked, by=request.user)
    if request.POST.get("back") == "table" and numbers:
        return redirect("desk:table", event.slug, round_number, numbers[0])
    return redirect(f"{reverse('desk:grid', args=[event.slug])}?round={round_number}")


def _ready_sent(round_: Round | None, by: Account, act: SentAct) -> None:
    """Tick or untick the table of an act, `ready=T` or `not_ready=T`."""
    if round_ is None:
        raise DomainError(FORM_STALE())
    ready = "ready" in act.fields
    tables = [to_int(act.fields.get("ready" if ready else "not_ready"))]
    set_ready(round_=round_, tables=tables, ready=ready, client_id=act.client_id, by=by)


@require_http_methods(["GET", "POST"])
@who_may(Right.RELEASE_ROUNDS)
@reauthenticate(last_round)
def release(request: DeskRequest, event: Event, round_number: int) -> HttpResponse:
    """Confirm, then make the results of a round public, all tables at once."""
    round_ = get_round(event, round_number)
    if round_ is None:
        return redirect("desk:grid", event.slug)
    back = f"{reverse('desk:grid', args=[event.slug])}?round={round_number}"
    if request.method == "GET":
        held = event.hold if would_hold(event, round_number) else ""
        conflict = say_hold_conflict(hold=held, ema_certified=event.ema_certified)
        context = {"round": round_, "back": back, "held": held, "conflict": conflict}
        return render(request, "hall/release.html", desk_context(request, event, "desk", **context))
    with flash_refusal(request):
        release_round(round_=round_, by=request.user)
        if round_number in get_public_view(event).held_rounds:
            words = _("Round %(number)d is released for the desk; its results are held until you show them.")
        else:
            words = _("Round %(number)d is released: players see it now.")
        messages.success(request, words % {"number": round_number})
    return redirect(back)


def _allowed(rights: Rights, page: dict[str, Any]) -> dict[str, Any]:
    """Return acts, steps and the address of the ready ticks, without what the reader may not do."""
    steps = [
        {**step, "url": step["url"] if step["url"] and opens(rights, step["url"]) else ""} for step in page["steps"]
    ]
    acts = [act for act in page["acts"] if opens(rights, act["url"])]
    return {"steps": steps, "acts": acts, "ready_url": page["ready_url"] if rights.may(Right.CHECK_IN) else ""}
