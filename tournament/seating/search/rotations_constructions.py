"""Offer drafts of whole schedules, the best kind first: stored, by formula, in copies, by a search for starters.

Each draft is the best known for its size, without fixed tables. `draw` decides which one to take.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournament.seating.search.annealing_search_budget import SearchBudget
from tournament.seating.search.quality_bounds import even_repeats
from tournament.seating.search.rotations_cyclic import Cycle, StarterSearch, find_starters, linear_matrix
from tournament.seating.search.rotations_stored_schedules import StoredStarters, matrix_for, starters_for
from tournament.seating.search.schedule_1 import Field, Lines, count_meetings
from tournament.seating.search.schedule_rng import Rng

SYMMETRIES: Final = 4  # how many are tried when starters must be searched for
CHOICES: Final = 12  # of the rounds that a long schedule has to spare
WORTH_IT: Final = 100  # players: with more, most sizes have a stored matrix, and judging a choice takes its time


@dataclass(frozen=True, slots=True)
class Draft:
    """Rounds as lines in table order, how many repeats are known to be in them, and how they were made.

    `tabled`: nobody comes to a table twice, so the tables need no other numbers.
    """

    lines: Lines
    repeats: int
    method: str
    tabled: bool = False


def ready_drafts(wish: Field, rng: Rng) -> Iterator[Draft]:
    """Yield the drafts that need no search, the best kind first."""
    if matrix := matrix_for(wish):
        yield Draft(rng.shuffled(matrix.lines()), 0, "stock", tabled=True)
    if linear := linear_matrix(wish, tabled=True):
        yield Draft(linear.lines(), 0, "formula", tabled=True)
    stored = starters_for(wish.players, wish.table_size)
    for entry in stored:
        if entry.serves(wish):
            yield Draft(choose_rounds(entry.lines(), wish, rng), entry.repeats, "stock", entry.tabled)
    if linear := linear_matrix(wish, tabled=False):
        yield Draft(linear.lines(), 0, "formula")
    for entry in stored:
        if _is_design(entry) and entry.rounds < wish.rounds:
            yield Draft(_copies(entry, wish, rng), _repeats_of_copies(entry, wish), "stock, in copies")
    if wish.tables == 1:
        line = list(range(wish.players))
        yield Draft([line] * wish.rounds, _pairs(wish) * wish.rounds * (wish.rounds - 1) // 2, "one table")


def searched_drafts(wish: Field, rng: Rng, budget: SearchBudget) -> Iterator[Draft]:
    """Yield schedules without a repeat that a search for starters finds within a part of the steps."""
    if wish.tables < wish.table_size or even_repeats(wish.rounds * (wish.table_size - 1), wish.players - 1):
        return
    cycles = list(_cycles(wish))[:SYMMETRIES]
    for cycle in cycles:
        if starters := find_starters(StarterSearch(cycle), budget.steps // (2 * len(cycles)), rng, budget):
            yield Draft(choose_rounds(cycle.develop(starters, tabled=False), wish, rng), 0, "starters")


def longest_start(wish: Field, rng: Rng) -> Lines:
    """Return rounds to anneal from: the longest known ones without a repeat, then random rounds."""
    perfect = [entry for entry in starters_for(wish.players, wish.table_size) if not entry.repeats]
    entry = max(perfect, key=lambda entry: entry.rounds, default=None)
    begun = rng.shuffled(entry.lines())[: wish.rounds] if entry else []
    return [*begun, *(rng.shuffled(range(wish.players)) for _ in range(wish.rounds - len(begun)))]


def choose_rounds(lines: Lines, wish: Field, rng: Rng) -> list[list[int]]:
    """Return as many of the rounds as wished, in random order: of a dozen random choices the one of most merit."""
    chosen = rng.shuffled(lines)[: wish.rounds]
    if wish.rounds == len(lines) or len(lines[0]) > WORTH_IT:
        return [list(line) for line in chosen]
    others = Rng(wish.rounds)  # of their own, so that trying them changes nothing else about a draw
    choices = [chosen, *(others.shuffled(lines)[: wish.rounds] for _ in range(CHOICES - 1))]
    best = max(choices, key=lambda choice: merit(choice, wish.table_size))
    return [list(line) for line in best]


def merit(lines: Lines, table_size: int) -> tuple[int, int]:
    """Return the fewest opponents that two who never meet share, and minus how many pairs share so few.

    >>> merit([[0, 1, 2, 3, 4, 5]], 3), merit([[0, 1, 2, 3, 4, 5], [0, 1, 3, 2, 4, 5]], 3)
    ((0, -9), (2, -4))
    """
    shared = Counter(_shared(lines, table_size))
    least = min(shared, default=len(lines[0]))
    return least, -shared[least]


def _shared(lines: Lines, table_size: int) -> Iterator[int]:
    """Yield for each two who never meet how many opponents they share; opponents are bits of a number, for speed."""
    opponents = [0] * len(lines[0])
    for one, other in count_meetings(lines, table_size):
        opponents[one] |= 1 << other
        opponents[other] |= 1 << one
    for one, other in combinations(range(len(opponents)), 2):
        if not opponents[one] >> other & 1:
            yield (opponents[one] & opponents[other]).bit_count()


def _cycles(wish: Field) -> Iterator[Cycle]:
    """Yield the symmetries worth a try: an odd cycle just long enough, and few players who stay."""
    first = wish.rounds | 1
    for order in (first, first + 2):
        for orbits in range(wish.players // order, 0, -1):
            if wish.players - orbits * order <= min(wish.tables, order):
                yield Cycle(wish.players, wish.table_size, order, orbits)


def _is_design(entry: StoredStarters) -> bool:
    """Whether each two players meet exactly once: a resolvable design."""
    return not entry.repeats and entry.rounds * (entry.cycle.table_size - 1) == entry.cycle.players - 1


def _copies(entry: StoredStarters, wish: Field, rng: Rng) -> Lines:
    """Return copies of a design under other labels, the last one cut.

    Counts of meetings are then within one of each other, and no schedule has fewer repeats.
    """
    lines: list[list[int]] = []
    while len(lines) < wish.rounds:
        names = rng.shuffled(range(wish.players))
        lines += [[names[player] for player in line] for line in rng.shuffled(entry.lines())]
    return lines[: wish.rounds]


def _repeats_of_copies(entry: StoredStarters, wish: Field) -> int:
    whole, more = divmod(wish.rounds, entry.rounds)
    pairs = _pairs(wish)
    return pairs * (entry.rounds * whole * (whole - 1) // 2 + more * whole)


def _pairs(wish: Field) -> int:
    """Return how many pairs meet in one round."""
    return wish.players * (wish.table_size - 1) // 2
