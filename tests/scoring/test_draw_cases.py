"""Draw cases cover exactly the draws that they were made of."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scoring.alllast import DrawCase, draw_cases


def all_draws(players: int, riichi: tuple[int, ...]) -> list[tuple[int, ...]]:
    sets = [seats for size in range(players + 1) for seats in combinations(range(players), size)]
    return [seats for seats in sets if set(riichi) <= set(seats)]


def held_by(cases: tuple[DrawCase, ...], draws: list[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {
        draw
        for draw in draws
        if any(set(case.tenpai) <= set(draw) and not set(case.noten) & set(draw) for case in cases)
    }


@given(st.data())
def test_the_cases_hold_the_draws_and_no_other(data: st.DataObject):
    players = data.draw(st.sampled_from([3, 4]))
    riichi = tuple(data.draw(st.sets(st.integers(0, players - 1))))
    draws = all_draws(players, riichi)
    wanted = data.draw(st.sets(st.sampled_from(draws)))
    cases = draw_cases(wanted, players, riichi)
    assert held_by(cases, draws) == wanted
    assert {seat for case in cases for seat in case.tenpai + case.noten} & set(riichi) == set()
    assert len(cases) <= len(wanted)


def test_the_shortest_is_found_where_one_case_is_enough():
    assert draw_cases([(1,), (1, 2), (1, 3), (1, 2, 3)], 4) == (DrawCase((1,), (0,)),)
    assert draw_cases(all_draws(4, ()), 4) == (DrawCase((), ()),)
    assert draw_cases([(2,)], 4, riichi=(2,)) == (DrawCase((), (0, 1, 3)),)
