"""Seat orders after a break, and table numbers with a past: nobody changes tables or rounds, and it gets more even."""

from collections import Counter
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.chance import Chance
from tournament.seating.effort import Effort
from tournament.seating.seat_order import seat_after
from tournament.seating.tabling import number_again
from tournament.seating.tally import winds_spread

NO_CLOCK = 3600.0


def rounds_by_chance(seed: int, sizes: tuple[int, ...], rounds: int) -> list[list[list[int]]]:
    chance = Chance(seed)
    made = []
    for _ in range(rounds):
        people = chance.shuffled(range(sum(sizes)))
        made.append([[people.pop() for _ in range(size)] for size in sizes])
    return made


def visits_again(rounds: list[list[list[int]]]) -> int:
    visits = Counter((player, at) for tables in rounds for at, table in enumerate(tables) for player in table)
    return sum(comb(times, 2) for times in visits.values())


@given(
    st.integers(0, 999),
    st.sampled_from([(4, 4, 4), (3, 3, 3), (4, 3, 3), (4, 0, 4)]),
    st.integers(0, 4),
    st.integers(1, 6),
)
def test_tables_keep_their_people(seed, sizes, played, left):
    rounds = rounds_by_chance(seed, sizes, played + left)
    seated = seat_after(rounds[played:], rounds[:played], Chance(seed))
    assert [[sorted(table) for table in tables] for tables in seated] == [
        [sorted(table) for table in tables] for tables in rounds[played:]
    ]
    assert seated == seat_after(rounds[played:], rounds[:played], Chance(seed))


def test_winds_had_before_are_made_up_for():
    rounds = rounds_by_chance(3, (4,) * 8, 8)
    uneven = [[[player, *rest] for player, *rest in tables] for tables in rounds[:2]]
    seated = seat_after(rounds[2:], uneven, Chance(1))
    assert winds_spread(rounds, 4, range(32)) > 3
    assert winds_spread([*uneven, *seated], 4, range(32)) <= 2
    assert winds_spread(seat_after(rounds, (), Chance(1)), 4, range(32)) <= 1


def test_tables_are_numbered_by_what_was_played_and_kept_where_somebody_is_pinned():
    rounds = rounds_by_chance(5, (4, 4, 4, 3, 3), 6)
    pinned = {rounds[at][1][0] for at in range(2, 6)}
    numbered = number_again(rounds[2:], rounds[:2], pinned, {}, 8000, Chance(1), Effort(NO_CLOCK))
    assert [sorted(map(sorted, tables)) for tables in numbered] == [
        sorted(map(sorted, tables)) for tables in rounds[2:]
    ]
    assert [list(map(len, tables)) for tables in numbered] == [[4, 4, 4, 3, 3]] * 4
    assert [tables[1] for tables in numbered] == [tables[1] for tables in rounds[2:]]
    assert visits_again([*rounds[:2], *numbered]) < visits_again(rounds)
