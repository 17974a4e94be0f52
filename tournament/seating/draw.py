"""The way in: draws a schedule for a field, from a seed.

Constructions first, an optimiser after them where they do not reach, then winds at their optimum and tables as evenly
as may be. The same wish and seed give the same schedule on every machine, unless the clock cut the search short; the
report says so.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Final

from tournament.seating.anneal import Scope, anneal
from tournament.seating.bounds import least_repeats
from tournament.seating.chance import Chance
from tournament.seating.construct import Draft, longest_start, ready_drafts, searched_drafts
from tournament.seating.effort import Effort
from tournament.seating.field import NOBODY, Field
from tournament.seating.fixing import free_places, settle
from tournament.seating.lines import Lines, count_repeats, tables_of
from tournament.seating.numbering import number_tables
from tournament.seating.quality import assess
from tournament.seating.schedule import Schedule
from tournament.seating.winds import seat_by_winds

TIME_LIMIT: Final = 5.0  # seconds
NUMBERING: Final = 1000  # steps for each table of each round: more hardly ever help


def draw_schedule(
    *,
    players: int,
    table_size: int,
    rounds: int,
    seed: int,
    time_limit: float = TIME_LIMIT,
    fixed_tables: Mapping[int, int] | None = None,
) -> Schedule:
    """Return a schedule with few repeats, balanced winds and spread tables, and its report.

    `time_limit` (seconds) buys a number of steps, the same on every machine, and usually a fraction of it is needed;
    the clock itself stops the search only on a machine too slow for them. `fixed_tables` maps a player to a table (both
    from 0) kept in every round. Raises SeatingError where the numbers do not go together.
    """
    wish = Field(players, table_size, rounds, dict(fixed_tables or NOBODY))
    effort, chance = Effort(time_limit), Chance(seed)
    found = _find(wish, chance, effort)
    lines = _number(found, wish, chance, effort)
    seated = seat_by_winds([tables_of(line, table_size) for line in lines])
    method = f"{found.method}, cut short by the clock" if effort.cut_short else found.method
    report = assess(
        seated,
        players,
        table_size,
        fixed_tables=wish.fixed,
        method=method,
        cut_short=effort.cut_short,
        seconds=effort.seconds,
    )
    return Schedule(players, table_size, seed, seated, report)


def _find(wish: Field, chance: Chance, effort: Effort) -> Draft:
    """Return rounds under their final numbers: the first draft that is as good as known, else the best one annealed."""
    bound = least_repeats(wish.players, wish.table_size, wish.rounds, wish.fixed)
    best: Draft | None = None
    for draft in chain(ready_drafts(wish, chance), searched_drafts(wish, chance, effort)):
        lines = settle(draft.lines, wish, chance)
        settled = Draft(lines, count_repeats(lines, wish.table_size), draft.method, draft.tabled and not wish.fixed)
        if settled.repeats <= max(bound, draft.repeats):
            return settled
        if best is None or settled.repeats < best.repeats:
            best = settled
    return _improve(best, bound, wish, chance, effort)


def _improve(best: Draft | None, bound: int, wish: Field, chance: Chance, effort: Effort) -> Draft:
    begun = best.lines if best else settle(longest_start(wish, chance), wish, chance)
    scope = Scope(wish.table_size, places=free_places(wish), goal=bound)
    lines = anneal(begun, scope, effort.steps, chance, effort)
    method = f"{best.method}, annealed" if best else "annealed"
    return Draft(lines, count_repeats(lines, wish.table_size), method)


def _number(found: Draft, wish: Field, chance: Chance, effort: Effort) -> Lines:
    """Return the rounds with their tables renumbered: by one shuffle for all where they are spread already."""
    if not found.tabled:
        steps = min(effort.steps // 4, NUMBERING * wish.rounds * wish.tables)
        return number_tables(found.lines, wish.table_size, set(wish.fixed.values()), steps, chance, effort)
    order = chance.shuffled(range(wish.tables))
    return [[player for table in order for player in tables_of(line, wish.table_size)[table]] for line in found.lines]
