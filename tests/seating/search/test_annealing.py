"""The annealing loop, on a line of whole numbers whose cost is a curve: what it accepts, keeps, and when it stops."""

from collections.abc import Iterator

from tournament.seating.search.annealing import ALWAYS, WORST, anneal, cooling, metropolis, threshold

VALLEYS = [9, 5, 3, 4, 6, 2, 8]  # a shallow valley at 2, a deep one at 5


class Walk:
    """A place on the curve; proposals step right, then left, and so on from the list of steps."""

    def __init__(self, at: int, steps: list[int], throw: int = 0) -> None:
        self.at, self.steps, self.throw = at, steps, throw
        self.cost = VALLEYS[at]
        self.taken: list[int] = []

    def copy(self) -> int:
        return self.at

    def proposals(self) -> Iterator[tuple[int, int, int]]:
        for step in self.steps:
            to = self.at + step
            yield VALLEYS[to] - self.cost, self.throw, to

    def make(self, move: int) -> None:
        self.at, self.cost = move, VALLEYS[move]
        self.taken.append(move)


def test_a_cold_search_stays_in_the_valley_and_a_hot_one_crosses():
    cold, hot = Walk(1, [1] * 4), Walk(1, [1] * 4)
    assert anneal(cold, [(range(4), threshold(1))], goal=0) == (2, 3)
    assert anneal(hot, [(range(4), threshold(3))], goal=0) == (5, 2)
    assert (cold.taken, hot.taken) == ([2], [2, 3, 4, 5])


def test_the_best_is_kept_where_the_search_walks_on():
    walk = Walk(1, [1, 1])
    assert anneal(walk, [(range(2), threshold(2))], goal=0) == (2, 3)
    assert (walk.at, walk.cost) == (3, 4)


def test_the_goal_ends_the_search_at_once_and_before_its_first_step():
    walk = Walk(1, [1, 1, 1, 1])
    assert anneal(walk, [(range(1), threshold(1)), (range(9), threshold(9))], goal=3) == (2, 3)
    assert walk.taken == [2]
    assert anneal(Walk(2, []), [(range(9), threshold(9))], goal=3) == (2, 3)


def test_the_throw_decides_on_a_worse_move():
    acceptance = metropolis(1, 2)
    taken, refused = Walk(2, [1], throw=ALWAYS // 2 - 1), Walk(2, [1], throw=ALWAYS // 2)
    for walk in (taken, refused):
        anneal(walk, [(range(1), acceptance)], goal=0)
    assert (taken.taken, refused.taken) == ([3], [])


def test_a_move_that_costs_the_worst_is_never_made():
    class Cliff(Walk):
        def proposals(self) -> Iterator[tuple[int, int, int]]:
            yield WORST, 0, 6

    cliff = Cliff(2, [])
    anneal(cliff, [(range(1), (ALWAYS,) * WORST)], goal=0)
    assert cliff.taken == []


def test_acceptance_falls_with_the_cost_and_cools_down():
    assert metropolis(1, 2)[:4] == (ALWAYS, ALWAYS // 2, ALWAYS // 4, ALWAYS // 8)
    falling = cooling(8, 2, slices=3, whole=16)
    assert [next(falling)[1] for _ in range(4)] == [ALWAYS // 2, ALWAYS * 5 // 16, ALWAYS // 8, ALWAYS // 2]
