"""The search by swaps: its running cost is the plain one, and it never touches what it must not."""

from collections import Counter
from itertools import combinations, product
from math import comb
from threading import Event

import pytest

from tournament.seating.search.annealing import (
    SLICE,
    Costs,
    Past,
    SearchBudget,
    SearchCallbacks,
    Shape,
    Task,
    _Swaps,
    anneal,
    improve,
    metropolis,
    reduce_repeats,
)
from tournament.seating.search.outcome import Frame, price_pairs, search_by_wishes
from tournament.seating.search.schedule import Rng, count_repeats
from tournament.seating.search.wishes import keep_apart, preset

NO_CLOCK = 3600.0
SHAPES = [
    Shape((4, 4, 4), 4),
    Shape((4, 3, 3, 3), 4),
    Shape((4, 0, 4, 4), 4),
    Shape((3, 3, 3), 3, rests=2),
    Shape((3, 3, 4), 3),
]


def random_lines(players: int, rounds: int) -> list[list[int]]:
    rng = Rng(5)
    return [rng.shuffled(range(players)) for _ in range(rounds)]


def task_for(shape: Shape, *, visit: int = 0) -> Task:
    wish = keep_apart("club", [(0, 1, 2), (4, 7)], rounds=(1, 3))
    prices = price_pairs({wish: 6}, shape.players, range(1, 6))
    past = Past({(0, 1): 2, (3, 4): 1}, {0: 1, 5: 2}, {(0, 0): 1, (2, 1): 3})
    return Task(random_lines(shape.players, 5), shape, Costs(visit=visit, prices=prices), past, goal=-999)


def plain_cost(task: Task, lines: list[list[int]]) -> int:
    """Count what the docstrings promise, from nothing but the lines."""
    met, turns, visits = Counter(task.past.met), Counter(task.past.turns), Counter(task.past.visits)
    wished = 0
    for line, prices in zip(lines, task.costs.prices, strict=True):
        tables = task.shape.tables_of(line)
        turns.update(task.shape.aside(line))
        visits.update((player, len(tables)) for player in task.shape.resting(line))
        for at, table in enumerate(tables):
            visits.update((player, at) for player in table)
            for one, other in combinations(sorted(table), 2):
                met[one, other] += 1
                wished += prices[one][other] if prices else 0
    return (
        wished
        + paid(met, task.past.met, lambda times: task.costs.repeat * (comb(times, 2) + max(0, times - 2)))
        + paid(turns, task.past.turns, lambda times: task.costs.turn * comb(times, 2))
        + paid(visits, task.past.visits, lambda times: task.costs.visit * comb(times, 2))
    )


def paid(after, before, price) -> int:
    return sum(map(price, after.values())) - sum(map(price, before.values()))


@pytest.mark.parametrize(("shape", "visit"), list(product(SHAPES, [0, 3])))
def test_the_running_cost_is_the_plain_one(shape, visit):
    task = task_for(shape, visit=visit)
    search = _Swaps(task, Rng(2))
    assert search.cost == plain_cost(task, search.lines)
    for _ in range(4):
        best, best_cost = anneal(search, [(range(150), metropolis(7, 8))], goal=-999)
        assert search.cost == plain_cost(task, search.lines)
        assert best_cost == plain_cost(task, best)
    assert [sorted(line) for line in search.lines] == [list(range(shape.players))] * 5


def test_the_pinned_never_move_and_the_given_lines_stay():
    task = task_for(SHAPES[0])
    before = [list(line) for line in task.lines]
    pinned = Task(task.lines, task.shape, task.costs, task.past, pinned={0, 7}, goal=-999)
    found = improve(pinned, 20_000, Rng(1), SearchBudget(NO_CLOCK))
    assert [(line.index(0), line.index(7)) for line in found] == [(line.index(0), line.index(7)) for line in before]
    assert task.lines == before
    assert found != before


def test_fitting_never_gives_worse_rounds_than_it_was_given():
    begun = random_lines(24, 5)
    wishes = preset("meetings", [keep_apart("teams", [range(at, at + 4) for at in range(0, 24, 4)])])
    frame = Frame(Shape((4,) * 6, 4), wishes)
    tight = search_by_wishes(begun, frame, 500, Rng(1), SearchBudget(NO_CLOCK))
    loose = search_by_wishes(begun, frame, 120_000, Rng(1), SearchBudget(NO_CLOCK))
    assert count_repeats(loose, 4) <= count_repeats(tight, 4) <= count_repeats(begun, 4)
    assert loose == search_by_wishes(begun, frame, 120_000, Rng(1), SearchBudget(NO_CLOCK))


def test_annealing_reaches_a_perfect_schedule_and_leaves_its_input_alone():
    begun = random_lines(16, 5)
    before = [list(line) for line in begun]
    found = reduce_repeats(begun, Shape((4,) * 4, 4), 600_000, Rng(1), SearchBudget(NO_CLOCK))
    assert count_repeats(found, 4) == 0
    assert begun == before


def test_annealing_touches_nobody_who_is_pinned():
    begun = [with_two_in_place(line) for line in random_lines(24, 6)]
    found = reduce_repeats(begun, Shape((3,) * 8, 3), 40_000, Rng(1), SearchBudget(NO_CLOCK), pinned={0, 9})
    assert [(line[0], line[9]) for line in found] == [(0, 9)] * 6
    assert [sorted(line) for line in found] == [list(range(24))] * 6
    assert count_repeats(found, 3) < count_repeats(begun, 3)


def with_two_in_place(line: list[int]) -> list[int]:
    """Return the line with players 0 and 9 at the places 0 and 9."""
    for player in (0, 9):
        at = line.index(player)
        line[at], line[player] = line[player], line[at]
    return line


def test_rounds_that_are_kept_stay_and_others_are_fitted_to_them():
    begun = random_lines(28, 6)
    found = reduce_repeats(begun, Shape((4,) * 7, 4), 40_000, Rng(1), SearchBudget(NO_CLOCK), kept=3)
    assert found[:3] == begun[:3]
    assert count_repeats(found, 4) < count_repeats(begun, 4)


def test_a_laptop_that_does_other_work_cuts_no_search():
    """Each slice is followed by three times the search's seconds in which its thread gets no processor."""
    seconds = 0.2

    def work_elsewhere(_best: object, _share: int) -> None:
        Event().wait(3 * seconds)

    budget = SearchBudget(seconds, SearchCallbacks(progress=work_elsewhere))
    reduce_repeats(random_lines(8, 3), Shape((4, 4), 4), 2 * SLICE, Rng(1), budget)
    assert (budget.used > 0, budget.cut_short, budget.seconds > seconds) == (True, False, True)


@pytest.mark.parametrize("search", [improve, reduce_repeats])
def test_a_search_whose_time_is_over_still_goes_downhill(search):
    budget = SearchBudget(1.0)
    budget.deadline = 0.0
    begun, shape = random_lines(40, 8), Shape((4,) * 10, 4)
    task = (Task(begun, shape, Costs()),) if search is improve else (begun, shape)
    found = search(*task, budget.steps, Rng(1), budget)
    assert budget.cut_short
    assert 2 * count_repeats(found, 4) < count_repeats(begun, 4)
