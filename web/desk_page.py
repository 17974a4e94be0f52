"""The desk's grid put together: the day's line, what is missing, the tiles. It words and never decides."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.utils.translation import ngettext

from tournament.models import Event, Round
from tournament.selectors.events import get_clock
from tournament.selectors.rounds import RoundRow, Tile, list_rounds, list_tiles
from web.formatting import wind_word
from web.page_context import current_round

ROOMY = 16
STATE_WORDS = {
    "waiting": gettext_lazy("waiting"),
    "playing": gettext_lazy("playing"),
    "over": gettext_lazy("sheet due"),
    "signed": gettext_lazy("signed"),
}
STATE_ICONS = {"waiting": "waiting", "playing": "playing", "over": "sheet", "signed": "signed"}


def grid_context(event: Event, wanted: int | None, search: str) -> dict[str, Any]:
    """Return what the grid shows of a round: the wanted one, or the one that the desk is at."""
    rounds = list_rounds(event)
    shown = _shown_round(event, wanted)
    tiles = list_tiles(event, shown.number) if shown else []
    return {
        "rounds": rounds,
        "round": shown,
        "clock": get_clock(shown) if shown else None,
        "steps": day_line(event, rounds, shown, tiles),
        "missing": missing_words(shown, tiles),
        "tables": [_tile(event, shown, tile) for tile in tiles if shown and _found(tile, search)],
        "roomy": len(tiles) <= ROOMY,
        "search": search,
        "can_start": bool(shown and shown.state == "published"),
        "can_release": bool(shown and not shown.released_at and tiles and all(tile.stage == "signed" for tile in tiles)),
    }


def day_line(event: Event, rounds: Sequence[RoundRow], shown: Round | None, tiles: Sequence[Tile]) -> list[dict[str, Any]]:
    """Return the steps of the day: players, seats, published, playing, in, released."""
    players = event.players.count()
    signed = sum(tile.stage == "signed" for tile in tiles)
    done = [
        bool(rounds) or players > 0,
        bool(rounds),
        bool(shown and shown.published_at),
        bool(shown and tiles and signed == len(tiles)),
        bool(shown and tiles and signed == len(tiles)),
        bool(shown and shown.released_at),
    ]
    now = next((index for index, each in enumerate(done) if not each), len(done))
    names = [_("Players"), _("Seats drawn"), _("Published"), _("Playing"), _("Sheets in"), _("Released")]
    notes = [str(players), _("%(count)d rounds") % {"count": len(rounds)} if rounds else "", "", "", "", ""]
    if tiles:
        notes[4] = _("%(signed)d of %(all)d") % {"signed": signed, "all": len(tiles)}
    urls = [reverse("desk:players", args=[event.slug]), *[reverse("desk:seating", args=[event.slug])] * 2, "", "", ""]
    return [
        {"name": name, "note": note, "url": url, "state": "done" if index < now else "now" if index == now else "todo"}
        for index, (name, note, url) in enumerate(zip(names, notes, urls, strict=True))
    ]


def missing_words(shown: Round | None, tiles: Sequence[Tile]) -> str:
    """Say in one line what keeps the round from going on."""
    if shown is None:
        return _("No seats are drawn yet.")
    if shown.released_at:
        return _("Round %(number)d is released.") % {"number": shown.number}
    if shown.published_at is None:
        return _("The seats are drawn and not published yet.")
    waiting = [tile.number for tile in tiles if tile.stage == "waiting"]
    playing = [tile.number for tile in tiles if tile.stage == "playing"]
    due = [tile.number for tile in tiles if tile.stage == "over"]
    parts = []
    if waiting and len(waiting) == len(tiles):
        parts.append(_("No hand is entered yet"))
    elif waiting:
        parts.append(_tables_say(waiting, _("has no hand yet"), _("have no hand yet")))
    if playing:
        parts.append(_tables_say(playing, _("still plays"), _("still play")))
    if due:
        parts.append(_tables_say(due, _("waits for its sheet"), _("wait for their sheets")))
    return "; ".join(parts) + "." if parts else _("All tables are signed: the round can be released.")


def _tables_say(numbers: Sequence[int], one: str, many: str) -> str:
    shown = [str(number) for number in numbers[:12]]
    rest = len(numbers) - len(shown)
    listed = ", ".join(shown) if rest else f" {_('and')} ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
    more = " " + _("and %(count)d more") % {"count": rest} if rest else ""
    noun = ngettext("table", "tables", len(numbers))
    return f"{noun} {listed}{more} {one if len(numbers) == 1 else many}".capitalize()


def _shown_round(event: Event, wanted: int | None) -> Round | None:
    found = event.rounds.filter(number=wanted).first() if wanted else None
    shown = found or current_round(event)
    if shown:
        shown.event = event
    return shown


def _tile(event: Event, shown: Round, tile: Tile) -> dict[str, Any]:
    """Return one table as templates/ui/table_tile.html shows it."""
    stage = "released" if shown.released_at else tile.stage
    counters = ngettext("%(count)d counter", "%(count)d counters", tile.honba) % {"count": tile.honba} if tile.honba else ""
    going = tile.stage in ("playing", "waiting")
    return {
        "number": tile.number,
        "url": reverse("desk:table", args=[event.slug, shown.number, tile.number]),
        "state": "released" if shown.released_at else STATE_ICONS[tile.stage],
        "state_word": _("released") if stage == "released" else STATE_WORDS[tile.stage],
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "counters": counters if going else "",
        "elapsed": _elapsed(tile.last_at) if tile.stage == "playing" else "",
        "warnings": tile.warnings,
        "people": [
            {"name": player.name, "wind": player.seat, "score": tile.scores[player.seat]} for player in tile.seats
        ],
    }


def _elapsed(last_at: dt.datetime | None) -> str:
    if last_at is None:
        return ""
    minutes = int((timezone.now() - last_at).total_seconds() // 60)
    return _("%(count)d min") % {"count": minutes} if minutes < 100 else _("long ago")


def _found(tile: Tile, search: str) -> bool:
    wanted = search.strip().casefold()
    return not wanted or wanted == str(tile.number) or any(wanted in player.name.casefold() for player in tile.seats)
