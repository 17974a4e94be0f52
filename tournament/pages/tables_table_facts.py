"""The state of tables that a laptop stores to work offline; static/js/table_facts.js reads it."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import ngettext

from tournament.models.event import Event
from tournament.tables.messages import names_on
from tournament.tables.queries_tables import LoadedTable
from tournament.tables.round_queries_rounds import Tile, tile_of
from tournament.text.numbers_formatting import points, seat_wind, wind_letter, wind_word


def facts_of(event: Event, round_: int, tiles: Iterable[Tile]) -> dict[str, Any]:
    """Return the tables of a round; each `seq` is the last ledger row counted in it."""
    return {
        "event": event.slug,
        "round": round_,
        "numbers": event.sheet_numbers,
        "tables": [_facts(event, round_, tile) for tile in tiles],
    }


def facts_of_table(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return one table in the form of `facts_of`."""
    return facts_of(event, table.round, [tile_of(table)])


def _facts(event: Event, round_: int, tile: Tile) -> dict[str, Any]:
    going = tile.stage in ("playing", "waiting")
    dealer = tile.kyoku - 1 if going else 0
    honba = ngettext("%(count)d honba", "%(count)d honba", tile.honba) % {"count": tile.honba}
    sticks = ngettext("%(count)d riichi stick", "%(count)d riichi sticks", tile.sticks) % {"count": tile.sticks}
    winds = [seat_wind(player.seat, dealer, len(tile.seats)) for player in tile.seats]
    return {
        "table": tile.number,
        "action": reverse("desk:table", args=[event.slug, round_, tile.number]),
        "seq": tile.last_seq,
        "stage": tile.stage,
        "hands": tile.hands,
        "hand": f"{wind_word(tile.round_wind)} {tile.kyoku}" if going else "",
        "honba_and_sticks": " · ".join([*([honba] if tile.honba else []), *([sticks] if tile.sticks else [])]),
        "seats": [
            {
                "name": name,
                "letter": wind_letter(wind),
                "wind": wind_word(wind),
                "score": points(tile.scores[player.seat]),
                "dealer": going and player.seat == dealer,
            }
            for player, name, wind in zip(tile.seats, names_on(tile), winds, strict=True)
        ],
    }
