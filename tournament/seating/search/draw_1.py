"""Draw a whole schedule from a seed: the entry point of the package.

Constructions first, annealing where they do not reach, then winds at their optimum and tables as evenly as possible.
The same wish and seed give the same schedule on every machine, unless the clock cut the search short; the report says
so.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from tournament.seating.search.annealing_local_search import Shape, reduce_repeats
from tournament.seating.search.annealing_search_budget import NOBODY_WATCHES, Best, SearchBudget, Watch
from tournament.seating.search.outcome_wish_search import Frame, search_by_wishes, weigh
from tournament.seating.search.placing_table_numbers import number_tables, renumber_tables
from tournament.seating.search.placing_winds import seat_by_winds
from tournament.seating.search.quality_1 import assess
from tournament.seating.search.quality_bounds import least_repeats
from tournament.seating.search.rotations_constructions import Draft, longest_start, ready_drafts, searched_drafts
from tournament.seating.search.schedule_1 import NOBODY, Field, Lines, Schedule, count_repeats, tables_of
from tournament.seating.search.schedule_rng import Rng
from tournament.seating.search.wishes_1 import PAIRS, Wishes
from tournament.seating.search.wishes_relabelling import relabel, settle

TIME_LIMIT: Final = 5.0  # seconds
NUMBERING: Final = 1000  # steps for each table of each round: more hardly ever help
DRAFTS: Final = 3  # drafts that are relabelled to meet all wishes, before seats are swapped
RELABELLING: Final = 200  # steps for each player and draft
SWAPS: Final = 3  # times the steps of the budget: these steps are quick
PLAIN: Final = Wishes()


def draw_schedule(
    *,
    players: int,
    table_size: int,
    rounds: int,
    seed: int,
    time_limit: float = TIME_LIMIT,
    fixed_tables: Mapping[int, int] | None = None,
    wishes: Wishes = PLAIN,
    watch: Watch = NOBODY_WATCHES,
) -> Schedule:
    """Return a schedule with few repeats, balanced winds and spread tables, and its report.

    `time_limit` (seconds) buys a number of steps, the same on every machine, and usually a fraction of it is needed;
    the clock itself stops the search only on a machine too slow for them. `fixed_tables` maps a player to a table (both
    from 0) kept in every round, beside those that `wishes` name; `outcome.judge_wishes` judges the wishes afterwards.
    `watch` is told the progress and may stop it. Raises SeatingError where the numbers do not go together.
    """
    wish = Field(players, table_size, rounds, {**wishes.fixed, **(fixed_tables or NOBODY)})
    wishes.check(players, wish.tables, rounds)
    budget, rng = SearchBudget(time_limit, watch), Rng(seed)
    found = _meet_wishes(_find(wish, rng, budget), wish, wishes, rng, budget)
    lines = _number(found, wish, rng, budget)
    if wishes.rooms:
        lines = _mix_rooms(lines, wish, wishes, rng, budget)
    seated = seat_by_winds([tables_of(line, table_size) for line in lines])
    report = assess(
        seated,
        players,
        table_size,
        fixed_tables=wish.fixed,
        method=found.method + budget.ending,
        cut_short=budget.cut_short,
        seconds=budget.seconds,
    )
    return Schedule(players, table_size, seed, seated, report)


def _find(wish: Field, rng: Rng, budget: SearchBudget) -> Draft:
    """Return rounds under their final labels: the first draft as good as the best known, else the best one annealed."""
    bound = least_repeats(wish.players, wish.table_size, wish.rounds, wish.fixed)
    best: Draft | None = None
    for draft in chain(ready_drafts(wish, rng), searched_drafts(wish, rng, budget)):
        lines = settle(draft.lines, wish, rng)
        settled = Draft(lines, count_repeats(lines, wish.table_size), draft.method, draft.tabled and not wish.fixed)
        if settled.repeats <= max(bound, draft.repeats):
            return settled
        if best is None or settled.repeats < best.repeats:
            best = settled
    return _anneal(best, bound, wish, rng, budget)


def _anneal(best: Draft | None, bound: int, wish: Field, rng: Rng, budget: SearchBudget) -> Draft:
    begun = best.lines if best else settle(longest_start(wish, rng), wish, rng)
    lines = reduce_repeats(begun, _shape(wish), budget.steps, rng, budget, pinned=wish.fixed, goal=bound)
    method = f"{best.method}, annealed" if best else "annealed"
    return Draft(lines, count_repeats(lines, wish.table_size), method)


def _shape(wish: Field) -> Shape:
    return Shape((wish.table_size,) * wish.tables, wish.table_size)


def _meet_wishes(found: Draft, wish: Field, wishes: Wishes, rng: Rng, budget: SearchBudget) -> Draft:
    """Return the draft relabelled to meet the wishes about pairs, or with seats swapped where labels do not suffice."""
    if not wishes.of(*PAIRS):
        return found
    frame = Frame(_shape(wish), wishes, pinned=wish.fixed)
    best, (lines, cost) = found, _relabel(found, wish, frame, rng, budget)
    for _ in range(DRAFTS - 1):
        if not cost or budget.cut_short:
            break
        other = _find(wish, rng, budget) if "annealed" not in best.method else found
        tried, tried_cost = _relabel(other, wish, frame, rng, budget)
        if tried_cost < cost and other.repeats <= best.repeats:
            best, lines, cost = other, tried, tried_cost
    if not cost:
        return replace(best, lines=lines)
    swapped = search_by_wishes(lines, frame, SWAPS * budget.steps, rng, budget)
    moved = swapped != lines
    method = f"{best.method}, fitted" if moved else best.method
    return Draft(swapped, count_repeats(swapped, wish.table_size), method, best.tabled and not moved)


def _relabel(draft: Draft, wish: Field, frame: Frame, rng: Rng, budget: SearchBudget) -> tuple[list[list[int]], int]:
    """Return the draft under its best labels and what they cost, and report the progress."""
    weights = {each: weight for each, weight in weigh(frame.ranked).items() if each.kind in PAIRS}
    lines, cost = relabel(draft.lines, wish.table_size, weights, wish.fixed, RELABELLING * wish.players, rng, budget)
    budget.best = Best(tuple((outcome.wish.key, outcome.missed) for outcome in frame.judge(lines)))
    return lines, cost


def _mix_rooms(lines: Lines, wish: Field, wishes: Wishes, rng: Rng, budget: SearchBudget) -> Lines:
    rounds = [tables_of(line, wish.table_size) for line in lines]
    steps = min(budget.steps // 8, NUMBERING // 4 * wish.rounds * wish.tables)
    mixed = renumber_tables(rounds, (), wish.fixed, wishes.rooms, steps, rng, budget)
    return [[player for table in tables for player in table] for tables in mixed]


def _number(found: Draft, wish: Field, rng: Rng, budget: SearchBudget) -> Lines:
    """Return the rounds with their tables renumbered: by one shuffle for all where they are spread already."""
    if not found.tabled:
        steps = min(budget.steps // 4, NUMBERING * wish.rounds * wish.tables)
        return number_tables(found.lines, wish.table_size, set(wish.fixed.values()), steps, rng, budget)
    order = rng.shuffled(range(wish.tables))
    rounds = [tables_of(line, wish.table_size) for line in found.lines]
    return [[player for table in order for player in tables[table]] for tables in rounds]
