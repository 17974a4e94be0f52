"""Winds: by colouring, no block of rounds gives a player one wind twice; after a break, they get more even."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.search.placing import seat_after, seat_by_winds
from tournament.seating.search.quality import tally
from tournament.seating.search.schedule import Rng


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


def random_rounds(seed: int, sizes: tuple[int, ...], rounds: int) -> list[list[list[int]]]:
    rng = Rng(seed)
    made = []
    for _ in range(rounds):
        people = rng.shuffled(range(sum(sizes)))
        made.append([[people.pop() for _ in range(size)] for size in sizes])
    return made


@given(
    st.integers(0, 999),
    st.sampled_from([(4, 4, 4), (3, 3, 3), (4, 3, 3), (4, 0, 4)]),
    st.integers(0, 4),
    st.integers(1, 6),
)
def test_tables_keep_their_people(seed, sizes, played, left):
    rounds = random_rounds(seed, sizes, played + left)
    seated = seat_after(rounds[played:], rounds[:played], Rng(seed))
    assert [[sorted(table) for table in tables] for tables in seated] == [
        [sorted(table) for table in tables] for tables in rounds[played:]
    ]
    assert seated == seat_after(rounds[played:], rounds[:played], Rng(seed))


def test_winds_had_before_are_made_up_for():
    rounds = random_rounds(3, (4,) * 8, 8)
    uneven = [[[player, *rest] for player, *rest in tables] for tables in rounds[:2]]
    seated = seat_after(rounds[2:], uneven, Rng(1))
    assert tally(rounds, 4, range(32)).winds_spread > 3
    assert tally([*uneven, *seated], 4, range(32)).winds_spread <= 2
    assert tally(seat_after(rounds, (), Rng(1)), 4, range(32)).winds_spread <= 1
