"""Which tiles of the grid are shown: by state, by a name. A filter hides tiles, never what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _

from tournament.selectors.rounds.rounds import Tile
from web.words.name_search import fold, matches

ALL = "all"
# key in the address, key on the keyboard, words
FILTERS = (
    (ALL, "a", _("All")),
    ("waiting", "w", _("no hand yet")),
    ("playing", "l", _("still playing")),
    ("time", "u", _("time is up")),
    ("sheet", "s", _("sheet due")),
    ("confirm", "c", _("to confirm")),
    ("trouble", "t", _("trouble or call")),
    ("signed", "d", _("signed")),
)
KEYS = frozenset(key for key, _letter, _words in FILTERS)
OF_STAGE = {
    "waiting": "waiting",
    "ready": "waiting",
    "playing": "playing",
    "over": "sheet",
    "unconfirmed": "confirm",
    "back": "trouble",
    "second": "sheet",
    "differs": "trouble",
    "signed": "signed",
    "confirmed": "signed",
    "released": "signed",
}


def groups_of(stage: str, left: int | None, *, called: bool) -> list[str]:
    """List the filters that a table belongs to, by its stage as the grid words it and the hands that it may still end.

    >>> groups_of("playing", 1, called=True), groups_of("back", None, called=False)
    (['playing', 'time', 'trouble'], ['trouble'])
    """
    found = [OF_STAGE[stage]]
    if left is not None and stage in ("playing", "waiting", "ready"):
        found.append("time")
    if called and "trouble" not in found:
        found.append("trouble")
    return found


def filter_of(asked: str) -> str:
    """Return the filter that is asked for, or all."""
    return asked if asked in KEYS else ALL


def filter_links(groups: Iterable[Sequence[str]], shown: str, round_: int) -> list[dict[str, Any]]:
    """Return the filters that have tables, with their number, and always all; `shown` is the open one."""
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


def found_names(tile: Tile, search: str) -> list[str]:
    """List the players of a table whose name has every word of a search, accents and case apart."""
    return [player.name for player in tile.seats if search.strip() and matches(search, player.name, -1)]


def is_shown(tile: Mapping[str, Any], shown: str, search: str) -> bool:
    """Tell whether a tile is shown: a search goes through all tables, by its number or a name; else the filter says."""
    wanted = search.strip()
    if wanted:
        return wanted == str(tile["number"]) or bool(tile["found"])
    return shown == ALL or shown in tile["groups"]


def folded_names(tile: Tile) -> str:
    """Write the names of a table as static/js/grid.js searches them."""
    return "|".join(fold(player.name) for player in tile.seats)
