"""A swap by hand: its effect in figures, and the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.search.draw import draw_schedule
from tournament.seating.search.redraw import put_in, swap, try_swap
from tournament.seating.search.schedule import SeatingError
from tournament.seating.search.wishes import keep_apart, preset

ROUNDS = draw_schedule(players=24, table_size=4, rounds=6, seed=1).rounds
person = st.integers(0, 23)


@given(st.integers(1, 6), person, person)
def test_a_swap_back_is_the_identity(number, one, other):
    swapped = swap(ROUNDS, number, one, other)
    assert swap(swapped, number, one, other) == ROUNDS
    assert swap(ROUNDS, number, other, one) == swapped
    assert swapped[: number - 1] + swapped[number:] == ROUNDS[: number - 1] + ROUNDS[number:]


def test_the_effect_is_shown():
    one, mate = ROUNDS[0][0][:2]
    other = next(player for player in ROUNDS[1][0] if player != one)
    where = next(table for table in ROUNDS[1] if mate in table)
    stranger = next(player for player in where if player not in {mate, one})
    wishes = preset("apart", [keep_apart("never", [(one, mate)], (2,))])
    effect = try_swap(ROUNDS, 2, one, stranger, table_size=4, wishes=wishes)
    assert effect.rounds == swap(ROUNDS, 2, one, stranger)
    assert (effect.before.repeats, effect.outcomes_before[0].missed) == (0, 0)
    assert effect.after.repeats > 0
    assert effect.outcomes_after[0].missed == 1
    assert mate in effect.again[0]
    assert other in {player for table in effect.rounds[1] for player in table}


def test_within_a_table_only_winds_move():
    one, _, third, _ = ROUNDS[2][1]
    effect = try_swap(ROUNDS, 3, one, third, table_size=4)
    assert (effect.after.repeats, effect.after.tables_most) == (effect.before.repeats, effect.before.tables_most)
    assert effect.after.winds_spread > effect.before.winds_spread


def test_one_who_rests_takes_a_seat():
    swapped = swap((((0, 1, 2),),), 1, 2, 9)
    assert swapped == (((0, 1, 9),),)


def test_a_substitute_takes_all_seats_of_one_who_left():
    rounds = put_in(ROUNDS, 3, 5, 99)
    assert rounds[:2] == ROUNDS[:2]
    assert put_in(rounds, 3, 99, 5) == ROUNDS


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda: swap(ROUNDS, 7, 0, 1), "seating.round_unknown"),
        (lambda: swap(ROUNDS, 0, 0, 1), "seating.round_unknown"),
        (lambda: swap(ROUNDS, 1, 50, 51), "seating.player_missing"),
        (lambda: put_in(ROUNDS, 3, 5, 6), "seating.player_twice"),
    ],
)
def test_what_cannot_be_is_refused(act, code):
    with pytest.raises(SeatingError) as raised:
        act()
    assert raised.value.problem.code == code
