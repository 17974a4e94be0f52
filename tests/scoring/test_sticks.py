"""The stick set of a seat: it adds up, and it is the one that a book states."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.books import book_keys, load
from scoring.sticks import stick_set


@pytest.mark.states("stick_set")
def test_rakkii_nomi_states_its_set() -> None:
    """RK 2.5."""
    assert stick_set(load("rakkii-nomi-2026").start_points) == {10_000: 1, 5000: 2, 1000: 7, 500: 5, 100: 5}


@pytest.mark.parametrize("key", book_keys())
def test_every_seat_can_pay_a_riichi_and_the_least_ron(key: str) -> None:
    for five_hundreds in (True, False):
        sticks = stick_set(load(key).start_points, five_hundreds=five_hundreds)
        assert sticks is not None
        assert sticks[1000] >= 4
        assert sticks[100] >= 5


@pytest.mark.states("stick_set_without_500")
@given(st.integers(0, 10_000), st.booleans())
def test_a_set_adds_up_to_the_points(hundreds: int, five_hundreds: bool) -> None:
    sticks = stick_set(100 * hundreds, five_hundreds=five_hundreds)
    assert sticks is not None
    assert sum(stick * count for stick, count in sticks.items()) == 100 * hundreds
    assert min(sticks.values()) >= 0
    assert (500 in sticks) is five_hundreds


def test_there_is_no_set_for_points_that_sticks_do_not_make() -> None:
    assert stick_set(30_050) is stick_set(-100) is None
