"""The choice among spare rounds: never worse than what chance drew, and counted as the judge counts."""

from hypothesis import given
from hypothesis import strategies as st

from tournament.seating.search.quality import assess
from tournament.seating.search.rotations import choose_rounds, merit, starters_for
from tournament.seating.search.schedule import Field, Rng, tables_of


@given(st.integers(0, 99), st.integers(2, 8))
def test_the_choice_is_of_these_rounds_and_no_worse_than_chance(seed, rounds):
    lines = starters_for(32, 4)[-1].lines()
    chosen = choose_rounds(lines, Field(32, 4, rounds), Rng(seed))
    by_lot = Rng(seed).shuffled(lines)[:rounds]
    assert sorted(set(map(tuple, chosen)) - set(map(tuple, lines))) == []
    assert len(set(map(tuple, chosen))) == rounds
    assert merit(chosen, 4) >= merit(by_lot, 4)


@given(st.integers(0, 99), st.integers(1, 6))
def test_the_worst_off_pair_is_that_of_the_judge(seed, rounds):
    rng = Rng(seed)
    lines = [rng.shuffled(range(24)) for _ in range(rounds)]
    report = assess([tables_of(line, 3) for line in lines], 24, 3)
    least, so_few = merit(lines, 3)
    assert (report.shared_least, 0 <= -so_few <= report.pairs_never) == (least, True)


def test_many_players_are_taken_as_chance_draws_them():
    lines = [list(range(at, 120)) + list(range(at)) for at in range(5)]
    assert choose_rounds(lines, Field(120, 4, 3), Rng(1)) == Rng(1).shuffled(lines)[:3]
