"""The edges of the seating: what is refused or missed in words, and searches that are stopped or find nothing."""

import runpy
import sys
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from scripts import find_schedules as find_stored
from tournament.seating.search.annealing import Costs, Past, SearchBudget, Shape, Task, improve, reduce_repeats
from tournament.seating.search.by_standing import (
    LargeNeighbourhoodSearch,
    Pairing,
    TableCosts,
    count_round,
    finish,
    rank_by_order,
)
from tournament.seating.search.draw import UnevenDraw, UnevenSeating, options_for
from tournament.seating.search.outcome import Frame, search_by_wishes
from tournament.seating.search.placing import SWEEPS, seat_after
from tournament.seating.search.quality import assess, even_repeats, tally
from tournament.seating.search.redraw import Remainder, redraw
from tournament.seating.search.rotations import parse_starters
from tournament.seating.search.schedule import Rng, SeatingError
from tournament.seating.search.wishes import REPEATS, TABLES, Wishes, keep_apart, keep_tables, relabel

NO_CLOCK = 3600.0
SIX = Pairing(
    rank_by_order(range(6)), 3, fixed={0: 1}, apart={frozenset((1, 2))}, groups={4: ("Pandas",), 5: ("Pandas",)}
)


@pytest.mark.parametrize(
    ("tables", "code"),
    [
        ([[0, 1, 2]], "seating.tables_wrong_number"),
        ([[0, 1, 2, 3], [4, 5]], "seating.table_wrong_size"),
        ([[0, 1, 2], [3, 4, 9]], "seating.player_unranked"),
        ([[0, 1, 2], [3, 4, 0]], "seating.player_twice"),
    ],
)
def test_a_round_with_wrong_seats_is_refused_in_words(tables, code):
    with pytest.raises(SeatingError) as raised:
        count_round(tables, SIX)
    assert raised.value.problem.code == code


def test_wishes_that_a_round_misses_are_named_with_their_players():
    report = count_round([[0, 1, 2], [3, 4, 5]], SIX)
    assert [tuple(missed) for missed in report.missed] == [
        ("round.apart", (1, 2), "conflict"),
        ("round.fixed_table", (0,), "conflict"),
        ("round.group", (4, 5), "conflict"),
    ]


def test_the_spread_of_ranks_is_the_mean_width_of_a_table():
    assert count_round([[1, 3, 5], [0, 2, 4]], SIX).rank_spread == 4
    assert count_round([[3, 4, 5], [0, 1, 2]], SIX).rank_spread == 2


def test_a_schedule_tells_as_json_what_the_command_promises():
    rounds = (((0, 1, 2), (3, 4, 5)), ((0, 1, 3), (2, 4, 5)))
    (option,) = options_for(6, 3, 2)
    told = UnevenDraw(rounds, ((), ()), (), assess(rounds, 6, 3)).as_json(option, 7)
    report = told.pop("report")
    assert told == {"players": 6, "table_size": 3, "seed": 7, "rounds": rounds}
    assert report == {
        "repeats": 2,
        "repeats_bound": 2,
        "met_most": 2,
        "winds_spread": 2,
        "tables_spread": 2,
        "method": "given",
        "seconds": 0.0,
    }


def test_the_search_for_stored_schedules_runs_as_a_script(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["find_stored", "3", "15", "7"])
    runpy.run_path(find_stored.__file__, run_name="__main__")
    assert parse_starters(capsys.readouterr().out.strip()).repeats == 0


def test_rounds_that_are_good_enough_are_not_searched():
    task = Task([[0, 1, 2, 3], [0, 1, 2, 3]], Shape((2, 2), 2), Costs(), goal=1000)
    budget = SearchBudget(NO_CLOCK)
    assert improve(task, 1000, Rng(1), budget) == [[0, 1, 2, 3], [0, 1, 2, 3]]
    assert budget.used == 0


def test_fewer_repeats_never_pay_for_a_wish_that_goes_before_them():
    """Only two who should be apart have not met yet: by weight alone, they would sit together."""
    played = [[[0, 2], [1, 3]], [[0, 3], [1, 2]]] * 3
    met = dict.fromkeys([(0, 2), (1, 3), (0, 3), (1, 2)], 3)
    frame = Frame(Shape((2, 2), 2), Wishes((keep_apart("family", [(0, 1)]), REPEATS)), played, Past(met))
    assert search_by_wishes([[0, 2, 1, 3]], frame, 4000, Rng(1), SearchBudget(NO_CLOCK)) == [[0, 2, 1, 3]]


def test_visits_to_tables_are_paid_for_where_they_go_before_repeats():
    rng = Rng(5)
    begun = [rng.shuffled(range(24)) for _ in range(3)]

    def again(order: Wishes) -> int:
        found = search_by_wishes(begun, Frame(Shape((4,) * 6, 4), order), 40_000, Rng(1), SearchBudget(NO_CLOCK))
        visits = Counter((player, place // 4) for line in found for place, player in enumerate(line))
        return sum(comb(times, 2) for times in visits.values())

    assert again(Wishes((TABLES, REPEATS))) < again(Wishes((REPEATS, TABLES)))


def test_a_wish_for_rounds_that_there_are_not_costs_no_names():
    lines = [[0, 1, 2, 3, 4, 5], [0, 3, 4, 1, 2, 5]]
    weights = {keep_apart("family", [(0, 1)], rounds=[3]): 4}
    assert relabel(lines, 3, weights, (), 1000, Rng(1), SearchBudget(NO_CLOCK)) == (lines, 0)


def test_tables_stay_as_they_are_where_everybody_has_met_everybody():
    tables = [[at, at + 4, at + 8, at + 12] for at in range(4)]
    search = LargeNeighbourhoodSearch(tables, TableCosts(range(16), [[400] * 16] * 16), set(), Rng(1))
    search.mend()
    assert search.tables == tables


def test_a_repeat_is_mended_among_more_tables_than_can_be_weighed():
    """The sixteen of the free tables may all meet but two; those of the kept tables may meet nobody."""
    tables = [[at, at + 1, at + 2, at + 3] for at in range(0, 48, 4)]
    prices = [
        [400 if max(one, other) > 15 or {one, other} == {0, 1} else 0 for other in range(48)] for one in range(48)
    ]
    costs = TableCosts([0] * 48, prices)
    search = LargeNeighbourhoodSearch(tables, costs, set(range(4, 12)), Rng(1))
    search.mend()
    free, kept = search.tables[:4], search.tables[4:]
    assert sorted(player for table in free for player in table) == list(range(16))
    assert not any({0, 1} == set(pair) for table in free for pair in combinations(table, 2))
    assert kept == tables[4:]


def test_sweeps_end_after_so_many_even_where_each_makes_one_more_table_better():
    """A chain of tables for two: each wants to turn round as soon as the next has done so, the last at once."""
    last = SWEEPS + 1
    east = {0: last + 1, last + 1: 0} | {player: last + 2 - player for player in range(1, last + 1)}
    played = [[[player, 99]] for player, times in east.items() for _ in range(times)]
    chain = [[[player, player + 1]] for player in range(last + 1)]
    seated = seat_after(chain, played, Rng(1))
    assert [tables[0] for tables in seated[1:]] == [(player + 1, player) for player in range(1, last + 1)]


def test_a_player_who_sat_twice_in_a_round_already_played_is_refused_in_words():
    with pytest.raises(SeatingError) as raised:
        redraw(Remainder((((0, 1, 2), (3, 4, 0)),), tuple(range(6)), 3, 1), seed=1)
    assert raised.value.problem.code == "seating.player_twice"
    assert raised.value.problem.params == {"round": 1, "player": 0}


def test_a_wish_to_keep_a_table_holds_in_a_redraw_where_others_have_left():
    played = (((0, 1, 2), (3, 4, 5), (6, 7, 8)),)
    rest = Remainder(played, (0, 1, 2, 4, 5, 6), 3, 2)
    drawn = redraw(rest, seed=1, wishes=Wishes((keep_tables({4: 1, 8: 2}), REPEATS)), time_limit=0.05)
    assert [4 in tables[1] for tables in drawn.rounds[1:]] == [True, True]
    assert [sorted(player for table in tables for player in table) for tables in drawn.rounds[1:]] == [
        [0, 1, 2, 4, 5, 6]
    ] * 2


def test_a_table_kept_for_somebody_who_left_is_free():
    rest = Remainder((((0, 1, 2), (3, 4, 5), (6, 7, 8)),), (0, 1, 2, 4, 5, 6), 3, 2, fixed={8: 1})
    drawn = redraw(rest, seed=1, time_limit=0.05)
    assert [sorted(player for table in tables for player in table) for tables in drawn.rounds[1:]] == [
        [0, 1, 2, 4, 5, 6]
    ] * 2


@pytest.mark.parametrize("seed", range(4))
def test_who_sat_at_the_smaller_table_before_sits_at_a_full_one_next(seed):
    """The search ends by itself as soon as nobody meets again or sits at the smaller table again."""
    played = ((*(tuple(range(at, at + 4)) for at in range(0, 16, 4)), (16, 17, 18)),)
    rest = Remainder(played, tuple(range(19)), 4, 1, UnevenSeating.OTHER_TABLES)
    drawn = redraw(rest, seed=seed, time_limit=NO_CLOCK)
    assert sorted(map(len, drawn.rounds[1])) == [3, 4, 4, 4, 4]
    smaller = Counter(who for tables in drawn.rounds for table in tables if len(table) == 3 for who in table)
    assert (max(smaller.values()), tally(drawn.rounds, 4).repeats) == (1, 0)


def test_where_everybody_has_a_fixed_place_the_rounds_stay_as_they_are():
    rounds = [[0, 1, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3]]
    assert reduce_repeats(rounds, Shape((3, 3), 3), 100, Rng(1), SearchBudget(NO_CLOCK), pinned=range(6)) == rounds


def test_who_sits_with_nobody_meets_nobody_again():
    assert even_repeats(0, 0) == 0


@pytest.mark.parametrize("seed", range(8))
def test_tables_that_stay_together_change_their_numbers(seed):
    """A shuffle alone would leave them where they were in half of the draws."""
    played = ((0, 1, 2), (3, 4, 5))
    pairing = Pairing(rank_by_order(range(6)), 3, played=(played,))
    drawn = finish(pairing, played, Rng(seed), "spread")
    assert [sorted(table) for table in drawn] == [[3, 4, 5], [0, 1, 2]]
