"""The desk's grid put together: the tables of a round as tiles, under the day's line. It words and never decides."""

import datetime as dt
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.models import Event, Round
from tournament.selectors.calls import list_open_calls
from tournament.selectors.clock import ClockRow, get_clock
from tournament.selectors.players import count_here
from tournament.selectors.rounds import Tile, list_rounds, list_tiles
from web.clock_page import more_time, tile_state, tile_time
from web.day_line import Day, day_line, missing_words, next_acts
from web.formatting import seat_wind, wind_word
from web.page_context import current_round

ROOMY = 16  # up to so many tables a tile also shows who sits there
LONG_AGO = 100  # minutes
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
}


def grid_context(event: Event, wanted: int | None, search: str, *, organiser: bool, viewer: str = "") -> dict[str, Any]:
    """Return what the grid shows of a round: the wanted one, or the one that the desk is at; twelve queries.

    `viewer` is the reader's uid, `organiser` says whether they may do what only organisers may.
    """
    rounds = list_rounds(event)
    shown = _shown_round(event, wanted)
    tiles = list_tiles(event, shown.number) if shown else []
    clock = get_clock(shown) if shown else None
    calls = list_open_calls(event, shown.number) if shown else {}
    day = Day(event, rounds, shown, tiles, count_here(event), calls, viewer, organiser)
    return {
        "rounds": rounds,
        "round": shown,
        "clock": clock,
        "steps": day_line(day),
        "missing": missing_words(day),
        "acts": next_acts(day),
        "tables": _tiles(day, clock, search) if shown else [],
        "roomy": len(tiles) <= ROOMY,
        "search": search,
        "calls": len(calls),
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


def _tiles(day: Day, clock: ClockRow | None, search: str) -> list[dict[str, Any]]:
    roomy = len(day.tiles) <= ROOMY
    return [_tile(day, tile, clock, roomy=roomy) for tile in day.tiles if _found(tile, search)]


def _tile(day: Day, tile: Tile, clock: ClockRow | None, *, roomy: bool) -> dict[str, Any]:
    """Return one table as templates/ui/table_tile.html shows it."""
    going = tile.stage in ("playing", "waiting")
    time = tile_time(clock, tile) if clock else {}
    icon, word = _state(day, tile, time.get("left"), roomy=roomy)
    return {
        "number": tile.number,
        "ready": tile.ready,
        "call": tile.number in day.calls,
        "url": reverse("desk:table", args=[day.event.slug, day.shown.number if day.shown else 0, tile.number]),
        "state": icon,
        "state_word": word,
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "counters": _counters(tile.honba) if going else "",
        "elapsed": _elapsed(tile.last_at) if tile.stage == "playing" else "",
        "warnings": tile.warnings,
        "extra": time.get("extra_words"),
        "signals_at": time.get("signals_at"),
        "people": _people(tile, going=going) if roomy else [],
    }


def _state(day: Day, tile: Tile, left: int | None, *, roomy: bool) -> tuple[str, Any]:
    """Return icon and words of how far a table has come; `left` hands may still end once its time is up."""
    state = _stage(day, tile)
    return (tile_state(left, roomy=roomy) if state in ("playing", "waiting") else None) or STATES[state]


def _stage(day: Day, tile: Tile) -> str:
    """Name how far a table has come, as STATES words it."""
    if day.shown and day.shown.released_at:
        return "released"
    if tile.sent_back:
        return "back"
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


def _found(tile: Tile, search: str) -> bool:
    wanted = search.strip().casefold()
    return not wanted or wanted == str(tile.number) or any(wanted in player.name.casefold() for player in tile.seats)
