"""The way in: draws a schedule for a field, from a seed.

Constructions first, an optimiser after them where they do not reach, then winds at their optimum and tables as evenly
as may be. The same wish and seed give the same schedule on every machine, unless the clock cut the search short; the
report says so.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from tournament.seating.anneal import Scope, anneal
from tournament.seating.bounds import least_repeats
from tournament.seating.chance import Chance
from tournament.seating.construct import Draft, longest_start, ready_drafts, searched_drafts
from tournament.seating.effort import NOBODY_WATCHES, Best, Effort, Watch
from tournament.seating.field import NOBODY, Field
from tournament.seating.fitting import Frame, fit, weigh
from tournament.seating.fixing import free_places, settle
from tournament.seating.lines import Lines, count_repeats, tables_of
from tournament.seating.naming import Names, name_players
from tournament.seating.numbering import number_tables
from tournament.seating.quality import assess
from tournament.seating.schedule import Schedule
from tournament.seating.tabling import number_again
from tournament.seating.tailor import Shape
from tournament.seating.winds import seat_by_winds
from tournament.seating.wishes import PAIRS, Wishes

TIME_LIMIT: Final = 5.0  # seconds
NUMBERING: Final = 1000  # steps for each table of each round: more hardly ever help
NAMINGS: Final = 3  # drafts that are tried for names which meet all wishes, before seats are swapped
NAMING: Final = 200  # steps for each player and draft
FITTING: Final = 3  # times the steps of the effort: these steps are quick
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
    from 0) kept in every round, beside those that `wishes` name; `outcome.judge_wishes` says what came of the wishes.
    `watch` is told how it goes and may stop it. Raises SeatingError where the numbers do not go together.
    """
    wish = Field(players, table_size, rounds, {**wishes.fixed, **(fixed_tables or NOBODY)})
    wishes.check(players, wish.tables, rounds)
    effort, chance = Effort(time_limit, watch), Chance(seed)
    found = _fit(_find(wish, chance, effort), wish, wishes, chance, effort)
    lines = _number(found, wish, chance, effort)
    if wishes.rooms:
        lines = _mix_rooms(lines, wish, wishes, chance, effort)
    seated = seat_by_winds([tables_of(line, table_size) for line in lines])
    method = found.method + effort.ending
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


def _fit(found: Draft, wish: Field, wishes: Wishes, chance: Chance, effort: Effort) -> Draft:
    """Return the draft under names that meet the wishes about pairs, or with seats swapped where names do not do."""
    frame = Frame(Shape((wish.table_size,) * wish.tables, wish.table_size), wishes, pinned=wish.fixed)
    if not wishes.of(*PAIRS):
        return found
    best, names = found, _name(found, wish, frame, chance, effort)
    for _ in range(NAMINGS - 1):
        if not names.cost or effort.cut_short:
            break
        other = _find(wish, chance, effort) if "annealed" not in best.method else found
        tried = _name(other, wish, frame, chance, effort)
        if tried.cost < names.cost and other.repeats <= best.repeats:
            best, names = other, tried
    if not names.cost:
        return replace(best, lines=names.lines)
    lines = fit(names.lines, frame, FITTING * effort.steps, chance, effort)
    moved = [list(line) for line in lines] != [list(line) for line in names.lines]
    method = f"{best.method}, fitted" if moved else best.method
    return Draft(lines, count_repeats(lines, wish.table_size), method, best.tabled and not moved)


def _name(draft: Draft, wish: Field, frame: Frame, chance: Chance, effort: Effort) -> Names:
    """Return the draft under the names that suit best, and tell who looks on."""
    weights = {each: weight for each, weight in weigh(frame.ranked).items() if each.kind in PAIRS}
    names = name_players(draft.lines, wish.table_size, weights, wish.fixed, NAMING * wish.players, chance, effort)
    effort.best = Best(tuple((outcome.wish.key, outcome.missed) for outcome in frame.judge(names.lines)))
    return names


def _mix_rooms(lines: Lines, wish: Field, wishes: Wishes, chance: Chance, effort: Effort) -> Lines:
    rounds = [tables_of(line, wish.table_size) for line in lines]
    steps = min(effort.steps // 8, NUMBERING // 4 * wish.rounds * wish.tables)
    mixed = number_again(rounds, (), wish.fixed, wishes.rooms, steps, chance, effort)
    return [[player for table in tables for player in table] for tables in mixed]


def _number(found: Draft, wish: Field, chance: Chance, effort: Effort) -> Lines:
    """Return the rounds with their tables renumbered: by one shuffle for all where they are spread already."""
    if not found.tabled:
        steps = min(effort.steps // 4, NUMBERING * wish.rounds * wish.tables)
        return number_tables(found.lines, wish.table_size, set(wish.fixed.values()), steps, chance, effort)
    order = chance.shuffled(range(wish.tables))
    rounds = [tables_of(line, wish.table_size) for line in found.lines]
    return [[player for table in order for player in tables[table]] for tables in rounds]
