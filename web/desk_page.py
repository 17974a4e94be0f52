"""The desk's grid put together: the day's line, what is missing, the tiles. It words and never decides."""

import datetime as dt
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.models import Event, Round
from tournament.selectors.clock import ClockRow, get_clock
from tournament.selectors.rounds import RoundRow, Tile, list_rounds, list_tiles
from web.formatting import seat_wind, wind_word
from web.page_context import current_round

ROOMY = 16  # up to so many tables a tile also shows who sits there
LONG_AGO = 100  # minutes
STATES = {
    "waiting": ("waiting", gettext_lazy("waiting")),
    "playing": ("playing", gettext_lazy("playing")),
    "time": ("time", gettext_lazy("time is up")),
    "over": ("sheet", gettext_lazy("sheet due")),
    "signed": ("signed", gettext_lazy("signed")),
    "released": ("released", gettext_lazy("released")),
}


def grid_context(event: Event, wanted: int | None, search: str, *, organiser: bool) -> dict[str, Any]:
    """Return what the grid shows of a round: the wanted one, or the one that the desk is at; eight queries."""
    rounds = list_rounds(event)
    shown = _shown_round(event, wanted)
    tiles = list_tiles(event, shown.number) if shown else []
    clock = get_clock(shown) if shown else None
    signed = bool(tiles) and all(tile.stage == "signed" for tile in tiles)
    return {
        "rounds": rounds,
        "round": shown,
        "clock": clock,
        "steps": day_line(event, rounds, shown, tiles, links=organiser),
        "missing": missing_words(shown, tiles),
        "tables": _tiles(event, shown, clock, tiles, search) if shown else [],
        "roomy": len(tiles) <= ROOMY,
        "search": search,
        "can_start": bool(shown and shown.state == "published"),
        "can_publish": bool(organiser and shown and shown.state == "drawn"),
        "can_release": bool(organiser and shown and not shown.released_at and signed),
    }


def day_line(
    event: Event, rounds: Sequence[RoundRow], shown: Round | None, tiles: Sequence[Tile], *, links: bool
) -> list[dict[str, Any]]:
    """Return the steps of the day: players, seats, published, playing, in, released; `links` to where one can act."""
    players, size = event.players.count(), event.ruleset.players
    signed = sum(tile.stage == "signed" for tile in tiles)
    full = bool(rounds) or (players > 0 and players % size == 0)
    all_signed = bool(tiles) and signed == len(tiles)
    released = bool(shown and shown.released_at)
    done = [full, bool(rounds), bool(shown and shown.published_at), all_signed, all_signed, released]
    now = next((index for index, each in enumerate(done) if not each), len(done))
    names = [_("Players"), _("Seats drawn"), _("Published"), _("Playing"), _("Sheets in"), _("Released")]
    missing = "" if full or not players else " · " + _("%(count)d missing") % {"count": -players % size}
    drawn = ngettext("%(count)d round", "%(count)d rounds", len(rounds)) % {"count": len(rounds)} if rounds else ""
    sheets = _("%(signed)d of %(all)d") % {"signed": signed, "all": len(tiles)} if tiles else ""
    notes = [f"{players}{missing}", drawn, "", "", sheets, ""]
    seating = reverse("desk:seating", args=[event.slug])
    urls = [reverse("desk:players", args=[event.slug]), seating, seating, "", "", ""]
    states = ["done" if index < now else "now" if index == now else "todo" for index in range(len(done))]
    if missing:
        states[0] = "blocked"
    return [
        {"name": name, "note": note, "url": url if links else "", "state": state}
        for name, note, url, state in zip(names, notes, urls, states, strict=True)
    ]


def missing_words(shown: Round | None, tiles: Sequence[Tile]) -> str:
    """Say in one line what keeps the round from going on."""
    if shown is None:
        return _("No seats are drawn yet.")
    if shown.released_at:
        return _("Round %(number)d is released.") % {"number": shown.number}
    if shown.published_at is None:
        return _("The seats are drawn and not published yet.")
    at = {stage: [tile.number for tile in tiles if tile.stage == stage] for stage in ("waiting", "playing", "over")}
    parts = [
        _tables_say(at["waiting"], _("has no hand yet"), _("have no hand yet")),
        _tables_say(at["playing"], _("still plays"), _("still play")),
        _tables_say(at["over"], _("waits for its sheet"), _("wait for their sheets")),
    ]
    if len(at["waiting"]) == len(tiles):
        parts[0] = _("no hand is entered yet")
    words = "; ".join(part for part in parts if part)
    return f"{words[0].upper()}{words[1:]}." if words else _("All tables are signed: the round can be released.")


def _tables_say(numbers: Sequence[int], one: str, many: str) -> str:
    """Say something of these tables, in the middle of a sentence; nothing where there are none."""
    if not numbers:
        return ""
    runs = [_run(first, last) for first, last in _runs(numbers)]
    listed = f" {_('and')} ".join([", ".join(runs[:-1]), runs[-1]] if runs[1:] else runs)
    return f"{ngettext('table', 'tables', len(numbers))} {listed} {one if len(numbers) == 1 else many}"


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Part numbers into runs without a gap; two neighbours are no run.

    >>> _runs([1, 2, 4, 5, 6, 9])
    [(1, 1), (2, 2), (4, 6), (9, 9)]
    """
    found: list[tuple[int, int]] = []
    for _step, group in itertools.groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        run = [number for _index, number in group]
        found += [(run[0], run[-1])] if len(run) > 2 else [(number, number) for number in run]
    return found


def _run(first: int, last: int) -> str:
    return str(first) if first == last else _("%(first)d to %(last)d") % {"first": first, "last": last}


def _shown_round(event: Event, wanted: int | None) -> Round | None:
    found = event.rounds.filter(number=wanted).first() if wanted else None
    shown = found or current_round(event)
    if shown:
        shown.event = event
    return shown


def _tiles(
    event: Event, shown: Round, clock: ClockRow | None, tiles: Sequence[Tile], search: str
) -> list[dict[str, Any]]:
    late = bool(clock and clock.ends_at and clock.ends_at <= timezone.now())
    roomy = len(tiles) <= ROOMY
    return [_tile(event, shown, tile, late=late, roomy=roomy) for tile in tiles if _found(tile, search)]


def _tile(event: Event, shown: Round, tile: Tile, *, late: bool, roomy: bool) -> dict[str, Any]:
    """Return one table as templates/ui/table_tile.html shows it."""
    going = tile.stage in ("playing", "waiting")
    icon, word = STATES["released" if shown.released_at else "time" if going and late else tile.stage]
    return {
        "number": tile.number,
        "url": reverse("desk:table", args=[event.slug, shown.number, tile.number]),
        "state": icon,
        "state_word": word,
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "counters": _counters(tile.honba) if going else "",
        "elapsed": _elapsed(tile.last_at) if tile.stage == "playing" else "",
        "warnings": tile.warnings,
        "people": _people(tile, going=going) if roomy else [],
    }


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
