"""Wishes as data: their order, presets, plain form, and what is refused."""

import pytest

from tournament.seating.search.schedule import SeatingError
from tournament.seating.search.wishes import (
    PRESETS,
    Kind,
    Wishes,
    bring_together,
    keep_apart,
    keep_tables,
    mix_rooms,
    preset,
    share_opponents,
    spread_seeds,
)

EVERY = [
    keep_apart("clubs", [(0, 1, 2), (3, 4)], rounds=(3, 1, 2)),
    bring_together("friends", [(5, 6)], rounds=(4,)),
    keep_tables({7: 1}),
    mix_rooms({0: 0, 1: 1}),
    spread_seeds([8, 1, 5, 2], tables=2, tiers=2),
    share_opponents(2),
]


def test_every_preset_orders_every_kind():
    assert all(sorted(order) == sorted(Kind) for order in PRESETS.values())


def test_presets_differ_in_what_comes_first():
    firsts = {name: [wish.key for wish in preset(name, EVERY).order][2:4] for name in PRESETS}
    assert firsts == {"meetings": ["repeats", "winds"], "apart": ["clubs", "seeds"], "tables": ["tables", "rooms"]}


def test_seeds_are_spread_in_tiers_as_far_as_people_are_rated():
    assert spread_seeds(range(7), tables=3, tiers=9).groups == ((0, 1, 2), (3, 4, 5))
    assert spread_seeds(range(7), tables=3).groups == ((0, 1, 2),)


def test_pairs_are_named_once():
    assert list(keep_apart("clubs", [(2, 0, 1), (1, 0)]).pairs()) == [(0, 1), (0, 2), (1, 2)]


BAD = [
    (keep_apart("clubs", [(0, 24)]), "Wish clubs: there is no player 24."),
    (keep_apart("clubs", [(0, 1)], (7,)), "Wish clubs: there is no round 7, only 1 to 6."),
    (mix_rooms({6: 0}), "Wish rooms: there is no table 6."),
]


@pytest.mark.parametrize(("wish", "words"), BAD)
def test_a_wish_about_nobody_is_refused_in_words(wish, words):
    with pytest.raises(SeatingError) as raised:
        preset("apart", [wish]).check(24, 6, 6)
    assert str(raised.value) == words


def test_two_wishes_of_one_name_are_refused():
    with pytest.raises(SeatingError) as raised:
        Wishes((keep_apart("clubs", [(0, 1)]), keep_apart("clubs", [(2, 3)])))
    assert raised.value.problem.code == "seating.wish_twice"
