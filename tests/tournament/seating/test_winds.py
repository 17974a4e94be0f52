"""Winds by colouring: any tables at all can be seated so that no block of rounds gives a player one wind twice."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.winds import seat_by_winds


@st.composite
def any_rounds(draw: st.DrawFn) -> list[list[list[int]]]:
    size, tables, rounds = draw(st.sampled_from([3, 4])), draw(st.integers(1, 6)), draw(st.integers(1, 9))
    orders = [draw(st.permutations(range(size * tables))) for _ in range(rounds)]
    return [[list(order[at : at + size]) for at in range(0, len(order), size)] for order in orders]


@given(any_rounds())
def test_tables_stay_and_winds_are_as_even_as_can_be(rounds):
    size = len(rounds[0][0])
    seated = seat_by_winds(rounds)
    assert [[sorted(table) for table in tables] for tables in seated] == [
        [sorted(table) for table in tables] for tables in rounds
    ]
    for begun in range(0, len(seated), size):
        block = Counter(
            (player, wind)
            for tables in seated[begun : begun + size]
            for table in tables
            for wind, player in enumerate(table)
        )
        assert set(block.values()) == {1}
