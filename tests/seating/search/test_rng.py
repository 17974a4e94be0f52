"""Random numbers are the same everywhere, and fair."""

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.search.schedule import Rng, shuffle_players


@given(st.lists(st.text()), st.integers())
def test_a_shuffle_keeps_everybody_and_repeats(names, seed):
    shuffled = shuffle_players(names, seed)
    assert sorted(shuffled) == sorted(names)
    assert shuffle_players(names, seed) == shuffled


def test_a_known_seed_gives_the_order_that_it_always_gave():
    assert "".join(shuffle_players("ABCDEFGH", 2026)) == "GHDAFECB"


def test_each_order_is_as_likely_as_the_next():
    rng = Rng(1)
    seen = Counter(tuple(rng.shuffled("ABC")) for _ in range(6000))
    assert set(seen) == set(permutations("ABC"))
    assert all(900 < times < 1100 for times in seen.values())
