"""Draws with wishes: the cases that the desk promises, the same again from the same seed, and stopping early."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.search.annealing import BestSoFar, SearchCallbacks
from tournament.seating.search.draw import Schedule, draw_schedule
from tournament.seating.search.outcome import judge_wishes
from tournament.seating.search.quality import assess
from tournament.seating.search.wishes import (
    Wishes,
    bring_together,
    keep_apart,
    keep_tables,
    mix_rooms,
    preset,
    spread_seeds,
)

pytestmark = pytest.mark.whole_run

LONG = 20.0  # seconds: steps decide, and a busy machine must not


def groups_of(sizes: Sequence[int], people: Sequence[int]) -> list[list[int]]:
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    return [list(people[start : start + size]) for start, size in zip(starts, sizes, strict=True)]


def ever_together(schedule: Schedule, groups: Sequence[Sequence[int]], rounds: int | None = None) -> list[list[int]]:
    """Count with nothing but sets: the members of a group at one table, where they are more than one."""
    tables = (set(table) for tables in schedule.rounds[:rounds] for table in tables)
    return [sorted(table & set(group)) for table in tables for group in groups if len(table & set(group)) > 1]


def forty_in_clubs(seed: int) -> None:
    chance = Random(seed)
    people = chance.sample(range(40), 40)
    clubs = groups_of([(8, 8, 8, 8, 8), (10, 9, 8, 7, 6), (10, 10, 10, 5, 5)][seed % 3], people)
    one, other = chance.sample(range(40), 2)
    fixed = dict(zip((one, other), chance.sample(range(10), 2), strict=True))
    never = [chance.sample(range(40), 2) for _ in range(4)]
    asked = [keep_apart("clubs", clubs, (1, 2, 3)), keep_apart("never", never), keep_tables(fixed)]
    wishes = preset("apart" if seed % 2 else "meetings", asked)
    schedule = draw_schedule(players=40, table_size=4, rounds=8, seed=seed, time_limit=LONG, wishes=wishes)
    report = assess(schedule.rounds, 40, 4, fixed_tables=fixed)
    assert (report.repeats, report.winds_spread) == (0, 0)
    assert ever_together(schedule, clubs, 3) == []
    assert ever_together(schedule, never) == []


def sanma_families(seed: int) -> None:
    sizes = [(2, 3, 4), (3, 3, 3), (4, 4, 4), (5, 4, 3), (6, 2, 2)][seed % 5]
    families = groups_of(sizes, Random(seed).sample(range(24), 24))
    wishes = preset("apart", [keep_apart("families", families)])
    schedule = draw_schedule(players=24, table_size=3, rounds=6, seed=seed, time_limit=LONG, wishes=wishes)
    assert (schedule.report.repeats, ever_together(schedule, families)) == (0, [])


def six_teams(seed: int) -> None:
    teams = groups_of((4,) * 6, Random(seed).sample(range(24), 24))
    wishes = preset("apart", [keep_apart("teams", teams)])
    schedule = draw_schedule(players=24, table_size=4, rounds=6, seed=seed, time_limit=LONG, wishes=wishes)
    assert (schedule.report.repeats, ever_together(schedule, teams)) == (0, [])


CASES = [forty_in_clubs, sanma_families, six_teams]


@pytest.mark.parametrize("case", CASES)
def test_promised_cases(case):
    case(4)


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(20, 40))
def test_promised_cases_for_twenty_seeds_and_shapes(case, seed):
    case(seed)


@given(
    table_size=st.sampled_from([3, 4]),
    tables=st.integers(3, 7),
    rounds=st.integers(1, 5),
    seed=st.integers(0, 999),
    data=st.data(),
)
@settings(max_examples=8, deadline=None)
def test_what_is_reported_met_is_met(table_size, tables, rounds, seed, data):
    players = table_size * tables
    pair = st.lists(st.integers(0, players - 1), min_size=2, max_size=3, unique=True)
    never, friends = data.draw(st.lists(pair, min_size=1, max_size=3)), data.draw(pair)
    wishes = preset("apart", [keep_apart("never", never), bring_together("friends", [friends], (1,))])
    schedule = draw_schedule(
        players=players, table_size=table_size, rounds=rounds, seed=seed, time_limit=0.3, wishes=wishes
    )
    for drawn in schedule.rounds:
        assert sorted(player for table in drawn for player in table) == list(range(players))
    outcomes = {outcome.wish.key: outcome for outcome in judge_wishes(schedule.rounds, wishes, table_size)}
    assert outcomes["never"].met == (ever_together(schedule, never) == [])
    assert outcomes["friends"].met == any(set(friends) <= set(table) for table in schedule.rounds[0])
    assert outcomes["winds"].met


def test_the_strong_are_spread_and_friends_sit_together_in_round_one():
    asked = [spread_seeds(range(30), tables=10, tiers=3), bring_together("friends", [(0, 15, 38)], (1,))]
    wishes = preset("apart", asked)
    schedule = draw_schedule(players=40, table_size=4, rounds=6, seed=1, time_limit=LONG, wishes=wishes)
    tiers = [sorted(player // 10 for player in table) for table in schedule.rounds[0]]
    assert tiers == [[0, 1, 2, 3]] * 10
    assert any({0, 15, 38} <= set(table) for table in schedule.rounds[0])
    assert schedule.report.repeats == 0


def test_rooms_are_mixed_and_tables_stay_spread():
    rooms = {table: table // 5 for table in range(10)}
    wishes = preset("meetings", [mix_rooms(rooms)])
    plain = draw_schedule(players=40, table_size=4, rounds=8, seed=2)
    mixed = draw_schedule(players=40, table_size=4, rounds=8, seed=2, wishes=wishes)
    assert (mixed.report.repeats, mixed.report.tables_most) == (0, plain.report.tables_most)
    for player in range(40):
        path = [rooms[at] for drawn in mixed.rounds for at, table in enumerate(drawn) if player in table]
        assert 0 < sum(before != after for before, after in pairwise(path)) < 7


def test_a_club_that_fills_the_hall_is_split_as_far_as_can_be():
    wishes = preset("apart", [keep_apart("club", [range(12)], (1,))])
    schedule = draw_schedule(players=24, table_size=4, rounds=3, seed=1, time_limit=1, wishes=wishes)
    outcome = judge_wishes(schedule.rounds, wishes, 4)[0]
    assert (outcome.missed, outcome.least, outcome.why) == (6, 6, "group_larger_than_tables")
    assert sorted(sum(player < 12 for player in table) for table in schedule.rounds[0]) == [2] * 6


def test_a_seed_repeats_its_schedule_with_wishes():
    wishes = preset("apart", [keep_apart("clubs", groups_of((7, 7, 7, 7), range(28)), (1, 2))])

    def drawn(seed: int) -> Schedule:
        return draw_schedule(players=28, table_size=4, rounds=7, seed=seed, time_limit=LONG, wishes=wishes)

    first, again, other = map(drawn, (3, 3, 4))
    assert first == again
    assert first.rounds != other.rounds


def test_no_wish_about_pairs_changes_no_draw():
    plain = draw_schedule(players=24, table_size=4, rounds=6, seed=9)
    assert draw_schedule(players=24, table_size=4, rounds=6, seed=9, wishes=Wishes()).rounds == plain.rounds


def test_who_looks_on_is_told_and_may_stop():
    told: list[tuple[BestSoFar | None, int]] = []
    wishes = preset("apart", [keep_apart("club", [range(12)])])  # cannot be met: the search would go on

    def drawn(stop_after: int) -> Schedule:
        told.clear()
        watch = SearchCallbacks(lambda best, share: told.append((best, share)), lambda: len(told) >= stop_after)
        return draw_schedule(players=24, table_size=4, rounds=6, seed=1, time_limit=LONG, wishes=wishes, watch=watch)

    stopped = drawn(5)
    assert len(told) == 5
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert [key for key, _ in told[-1][0].missed] == ["club", "repeats"]
    assert stopped.report.method.endswith(", stopped by hand")
    assert (stopped.report.cut_short, stopped.report.winds_spread) == (True, 1)
