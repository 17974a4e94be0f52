"""When a ron may be on the discarder's riichi tile: then, and only then, the desk asks (E25 3.3.10)."""

import dataclasses

import pytest

from rules.books import load
from scoring.check import may_be_riichi_tile
from scoring.entries import Entry, Ron, Win
from scoring.shorthand import parse

EMA = load("ema-2025")
KEPT = dataclasses.replace(EMA, deposit_back_on_ron=False)
UNTIL_THE_LAST = dataclasses.replace(EMA, riichi_tiles_left=0)


def ron(**win: object) -> Entry:
    """Return a ron off a player with riichi."""
    return Ron(loser=2, winners=(Win(seat=1, han=3, fu=40, **win),), riichi=(2,))  # type: ignore[arg-type]


@pytest.mark.states("riichi_tile")
@pytest.mark.parametrize("key", ["ema-2016", "sanma-rule-book"])
def test_a_book_whose_source_gives_the_stick_back_asks(key: str):
    assert may_be_riichi_tile(parse("2r3 330/3"), load(key))


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        ("2r3 340/3", True),
        ("2r3 340/23", True),
        ("2r3 340+4 5/3", True),
        ("2r3 340", False),
        ("2r3 340/2", False),
        ("2r3 340/23b", False),
        ("2t 230/3", False),
        ("d3/3", False),
        ("c3/3", False),
    ],
)
def test_a_ron_off_a_player_with_riichi_may_be_on_the_tile(line: str, asks: bool):
    assert may_be_riichi_tile(parse(line), EMA) is asks
    assert may_be_riichi_tile(parse(line), KEPT) is False


@pytest.mark.parametrize(
    ("win", "asks"),
    [
        ({"yaku": ("chankan",)}, False),
        ({"yaku": ("houtei",)}, False),
        ({"yaku": ("riichi",)}, True),
        ({"hand": {"chankan": True}}, False),
        ({"hand": {"houtei": True}}, False),
        ({"hand": {"chankan": False, "houtei": False}}, True),
    ],
)
def test_the_tile_of_a_quad_and_the_last_discard_are_none(win: dict[str, object], asks: bool):
    assert may_be_riichi_tile(ron(**win), EMA) is asks


def test_where_riichi_needs_no_tile_in_the_wall_the_last_discard_may_be_it():
    assert may_be_riichi_tile(ron(yaku=("houtei",)), UNTIL_THE_LAST)
    assert not may_be_riichi_tile(ron(yaku=("chankan",)), UNTIL_THE_LAST)
