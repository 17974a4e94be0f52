"""The desk's grid put together: the tables of a round as tiles, under the day's line. It words and never decides."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.models import Event, Round
from tournament.selectors.people.players import count_here
from tournament.selectors.public.needs import list_last_tables
from tournament.selectors.rounds.calls import list_open_calls
from tournament.selectors.rounds.clock import ClockRow, get_clock
from tournament.selectors.rounds.rounds import Tile, list_rounds, list_tiles
from tournament.selectors.tables.sheets import list_waiting
from web.frame.page_context import current_round
from web.frame.table_facts import facts_of
from web.rounds.clock_page import more_time, tile_state, tile_time
from web.rounds.day_line import Day, day_line, missing_words, next_acts
from web.rounds.grid_filters import ALL, filter_links, folded_names, found_names, groups_of, is_shown
from web.rounds.grid_print import print_row, seat_heads
from web.words.formatting import seat_wind, wind_word

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
