"""The state of a round for paper, as the grid's page holds it ready: what is needed to go on by hand. Words only."""

from typing import Any

from django.utils.translation import gettext as _

from tournament.selectors.rounds.rounds import Tile
from web.words.formatting import points, seat_wind, wind_letter, wind_word


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
