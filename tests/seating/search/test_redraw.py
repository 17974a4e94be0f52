"""Redraws after the start: played rounds stay, those who go on sit once a round, and nobody meets again."""

from collections import Counter
from itertools import combinations
from random import Random
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.search.annealing import SearchCallbacks
from tournament.seating.search.draw import UnevenSeating, draw_schedule
from tournament.seating.search.quality import Tally, tally
from tournament.seating.search.redraw import Redrawn, Remainder, count_new_repeats, redraw
from tournament.seating.search.schedule import Rounds, SeatingError
from tournament.seating.search.wishes import keep_apart, preset

pytestmark = pytest.mark.whole_run
LONG = 20.0  # where the search ends by itself
SHORT = 1.0  # where it would go on for what cannot be had


def remainder(rounds: Rounds, after: int, gone: set[int], new: tuple[int, ...] = (), **more) -> Remainder:
    size = len(rounds[0][0])
    stay = tuple(sorted({player for table in rounds[0] for player in table} - gone)) + new
    more.setdefault("planned", rounds[after:])
    return Remainder(rounds[:after], stay, size, len(rounds) - after, **more)


def check(left: Remainder, drawn: Redrawn, *, repeats: int | None = None) -> Tally:
    """Count everything again with nothing but the rounds; return the figures of those who go on."""
    played = len(left.played)
    assert drawn.rounds[:played] == left.played
    assert len(drawn.rounds) == played + left.rounds
    everybody = sorted([*left.players, *drawn.substitutes])
    met = Counter(pair for tables in left.played for table in tables for pair in combinations(sorted(table), 2))
    again = 0
    for tables, resting in zip(drawn.rounds[played:], drawn.resting, strict=True):
        assert sorted([*(player for table in tables for player in table), *resting]) == everybody
        for pair in (pair for table in tables for pair in combinations(sorted(table), 2)):
            again += met[pair]
            met[pair] += 1
    assert count_new_repeats(drawn.rounds, played) == again
    assert repeats in {None, again}
    winds = Counter((who, seat) for tables in drawn.rounds for table in tables for seat, who in enumerate(table))
    counts = [[winds[who, seat] for seat in range(left.table_size)] for who in left.players]
    figures = tally(drawn.rounds, left.table_size, left.players)
    assert figures.winds_spread == max(max(each) - min(each) for each in counts)
    return figures


def drop_out_case(seed: int, *, planned: bool = True) -> None:
    chance = Random(seed)
    rounds = draw_schedule(players=40, table_size=4, rounds=8, seed=seed).rounds
    after, lost = chance.choice([2, 3, 5]), chance.randrange(1, 5)
    more = {} if planned else {"planned": ()}
    left = remainder(rounds, after, set(chance.sample(range(40), lost)), **more)
    drawn = redraw(left, seed=seed, time_limit=LONG)
    assert check(left, drawn, repeats=0).winds_spread <= 2
    assert (drawn.cut_short, len(drawn.substitutes)) == (False, lost % 4)


@pytest.mark.parametrize("seed", range(2))
def test_drop_outs_cost_nobody_a_repeat(seed):
    drop_out_case(seed)


def test_without_the_old_plan_as_well():
    drop_out_case(7, planned=False)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(200))
def test_two_hundred_drop_outs(seed):
    drop_out_case(seed)


def test_on_a_slow_machine_the_same_comes_of_it():
    """What was looked at is drawn once more before it is written, and must then be what was seen."""
    slices = []

    def work_for_long(_best: object, _share: int) -> None:
        slices.append(begun := monotonic())
        while monotonic() < begun + 0.05:
            pass

    left = remainder(ROUNDS, 2, {1, 5, 9})
    quick = redraw(left, seed=3, time_limit=0.1)
    slow = redraw(left, seed=3, time_limit=0.1, watch=SearchCallbacks(progress=work_for_long))
    assert len(slices) > 1, "else the clock would not have been looked at again"
    assert (slow, slow.cut_short) == (quick, False)


ROUNDS = draw_schedule(players=24, table_size=4, rounds=6, seed=1).rounds


@given(
    after=st.integers(0, 5),
    gone=st.sets(st.integers(0, 23), max_size=9),
    new=st.sets(st.integers(24, 60), max_size=4),
    way=st.sampled_from([UnevenSeating.SUBSTITUTES, UnevenSeating.RESTS]),
    seed=st.integers(0, 99),
)
@settings(max_examples=6, deadline=None)
def test_whoever_comes_and_goes(after, gone, new, way, seed):
    left = remainder(ROUNDS, after, gone, tuple(sorted(new)), way=way)
    check(left, redraw(left, seed=seed, time_limit=0.5))


def test_nobody_lost_costs_nothing():
    left = remainder(ROUNDS, 2, set())
    drawn = redraw(left, seed=1)
    assert (check(left, drawn, repeats=0).repeats, drawn.substitutes) == (0, ())


def test_who_returns_meets_nobody_met_before():
    first = redraw(remainder(ROUNDS, 1, {5}), seed=1, time_limit=SHORT)
    assert first.substitutes == (24,)
    back = Remainder(first.rounds[:3], tuple(range(24)), 4, 3, planned=ROUNDS[3:])
    drawn = redraw(back, seed=1, time_limit=SHORT)
    check(back, drawn, repeats=0)
    assert drawn.substitutes == ()


def test_a_kept_table_is_kept_where_others_close():
    rounds = draw_schedule(players=40, table_size=4, rounds=6, seed=4, fixed_tables={7: 9}).rounds
    left = remainder(rounds, 3, {0, 1, 2, 3}, fixed={7: 9})
    drawn = redraw(left, seed=1, time_limit=LONG)
    check(left, drawn, repeats=0)
    assert {at for tables in drawn.rounds for at, table in enumerate(tables) if 7 in table} == {9}
    assert [[at for at, table in enumerate(tables) if not table] for tables in drawn.rounds[3:]] == [[8]] * 3


def test_tables_of_three_instead_of_substitutes():
    left = remainder(ROUNDS, 2, {0, 9}, way=UnevenSeating.OTHER_TABLES)
    drawn = redraw(left, seed=1, time_limit=SHORT)
    check(left, drawn)
    threes = Counter(who for tables in drawn.rounds for table in tables if len(table) == 3 for who in table)
    assert max(threes.values()) <= 2
    assert [sorted(map(len, tables)) for tables in drawn.rounds[2:]] == [[3, 3, 4, 4, 4, 4]] * 4


def test_those_who_rested_do_not_rest_again():
    left = remainder(ROUNDS, 2, {0, 1}, way=UnevenSeating.RESTS, rested=dict.fromkeys(range(2, 14), 1))
    drawn = redraw(left, seed=1, time_limit=SHORT)
    check(left, drawn)
    rests = Counter(player for resting in drawn.resting for player in resting)
    assert {rests[player] for player in range(2, 14)} == {0}
    assert max(rests.values()) == 1


def test_wishes_go_on_under_the_peoples_own_numbers():
    wishes = preset("apart", [keep_apart("family", [(9, 14, 22, 0)], (4, 5, 6))])
    left = remainder(draw_schedule(players=40, table_size=4, rounds=6, seed=5).rounds, 3, {0, 1, 2, 3})
    drawn = redraw(left, seed=1, wishes=wishes, time_limit=LONG)
    check(left, drawn)
    assert all(len({9, 14, 22} & set(table)) < 2 for tables in drawn.rounds[3:] for table in tables)


def test_a_seed_repeats_its_redraw():
    rounds = draw_schedule(players=40, table_size=4, rounds=6, seed=5).rounds
    left = remainder(rounds, 3, {3, 4, 5, 6})
    first, again, other = (redraw(left, seed=seed, time_limit=LONG) for seed in (8, 8, 9))
    assert first == again
    assert first.rounds != other.rounds


BAD = [
    ({"fixed": {7: 6}}, "seating.fixed_table_unknown"),
    ({"fixed": dict.fromkeys([5, 6, 7, 8, 9], 0)}, "seating.fixed_table_full"),
    ({"fixed": {player: player - 4 for player in range(4, 10)}}, "seating.fixed_tables_too_many"),
    ({"new": (23,)}, "seating.player_twice"),
    ({"way": UnevenSeating.OTHER_TABLES, "new": (30,)}, None),
]


@pytest.mark.parametrize(("change", "code"), BAD)
def test_what_cannot_be_seated_is_refused_in_words(change, code):
    left = remainder(ROUNDS, 2, {0, 1, 2, 3}, change.pop("new", ()), **change)
    if code is None:
        check(left, redraw(left, seed=1, time_limit=SHORT))
        return
    with pytest.raises(SeatingError) as raised:
        redraw(left, seed=1)
    assert raised.value.problem.code == code
