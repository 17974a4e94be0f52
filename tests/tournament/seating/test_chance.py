"""Chance that is the same everywhere, and fair."""

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.chance import Chance, shuffle_players
from tournament.seating.heat import ALWAYS, chances, cooling


@given(st.lists(st.text()), st.integers())
def test_a_shuffle_keeps_everybody_and_repeats(names, seed):
    shuffled = shuffle_players(names, seed)
    assert sorted(shuffled) == sorted(names)
    assert shuffle_players(names, seed) == shuffled


def test_a_known_seed_gives_the_order_that_it_always_gave():
    assert "".join(shuffle_players("ABCDEFGH", 2026)) == "GHDAFECB"


def test_each_order_is_as_likely_as_the_next():
    chance = Chance(1)
    seen = Counter(tuple(chance.shuffled("ABC")) for _ in range(6000))
    assert set(seen) == set(permutations("ABC"))
    assert all(900 < times < 1100 for times in seen.values())


def test_chances_fall_with_the_cost_and_cool_down():
    assert chances(1, 2)[:4] == (ALWAYS, ALWAYS // 2, ALWAYS // 4, ALWAYS // 8)
    temper = cooling(8, 2, whole=16, slices=3)
    assert [next(temper)[1] for _ in range(4)] == [ALWAYS // 2, ALWAYS * 5 // 16, ALWAYS // 8, ALWAYS // 2]
