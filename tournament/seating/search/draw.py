"""Draw a whole schedule from a seed, also where players do not fill the tables: the entry point of the package.

Constructions first, annealing where they do not reach, then winds at their optimum and tables as evenly as possible.
The same wish and seed give the same schedule on every machine, unless the clock cut the search short; the report says
so.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import comb
from typing import Final

from scoring.problems import ProblemType
from tournament.seating.search.annealing import (
    NO_CALLBACKS,
    BestSoFar,
    SearchBudget,
    SearchCallbacks,
    Shape,
    reduce_repeats,
)
from tournament.seating.search.outcome import Frame, search_by_wishes, weigh
from tournament.seating.search.placing import number_tables, renumber_tables, seat_after, seat_by_winds
from tournament.seating.search.quality import Report, assess, count_figures, count_visits, even_repeats, least_repeats
from tournament.seating.search.rotations import Draft, copy_rounds, longest_rounds, ready_drafts
from tournament.seating.search.schedule import (
    NOBODY,
    TABLE_SIZES,
    Field,
    Lines,
    Rng,
    Rounds,
    SeatingError,
    count_repeats,
    tables_of,
)
from tournament.seating.search.wishes import PAIRS, Wish, Wishes, keep_apart, relabel, settle


@dataclass(frozen=True, slots=True)
class Schedule:
    """Rounds of tables of players, numbered from 0, with their seed and report."""

    players: int
    table_size: int
    seed: int
    rounds: Rounds
    report: Report


TIME_LIMIT: Final = 5.0  # seconds
NUMBERING_STEPS: Final = 1000  # steps for each table of each round: more hardly ever help
DRAFTS: Final = 3  # drafts that are relabelled to meet all wishes, before seats are swapped
RELABELLING: Final = 200  # steps for each player and draft
SWAPS: Final = 3  # times the steps of the budget: these steps are quick
NO_WISHES: Final = Wishes()


def draw_schedule(
    *,
    players: int,
    table_size: int,
    rounds: int,
    seed: int,
    time_limit: float = TIME_LIMIT,
    fixed_tables: Mapping[int, int] | None = None,
    wishes: Wishes = NO_WISHES,
    watch: SearchCallbacks = NO_CALLBACKS,
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
        numbered = [tables_of(line, table_size) for line in lines]
        steps = min(budget.steps // 8, NUMBERING_STEPS // 4 * wish.rounds * wish.tables)
        mixed = renumber_tables(numbered, (), wish.fixed, wishes.rooms, steps, rng, budget)
        lines = [[player for table in tables for player in table] for tables in mixed]
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
    for draft in ready_drafts(wish, rng):
        lines = settle(draft.lines, wish, rng)
        settled = Draft(lines, count_repeats(lines, wish.table_size), draft.method, draft.tabled and not wish.fixed)
        if settled.repeats <= max(bound, draft.repeats):
            return settled
        if best is None or settled.repeats < best.repeats:
            best = settled
    if best:
        begun, kept, method = best.lines, 0, f"{best.method}, annealed"
    else:
        longest = longest_rounds(wish.players, wish.table_size)
        begun, method = settle(copy_rounds(longest, wish, rng), wish, rng), "annealed"
        kept = 0 if wish.fixed else len(longest)
    lines = reduce_repeats(begun, _shape(wish), budget.steps, rng, budget, pinned=wish.fixed, goal=bound, kept=kept)
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
    budget.best = BestSoFar(tuple((outcome.wish.key, outcome.missed) for outcome in frame.judge(lines)))
    return lines, cost


def _number(found: Draft, wish: Field, rng: Rng, budget: SearchBudget) -> Lines:
    """Return the rounds with their tables renumbered: by one shuffle for all where they are spread already."""
    if not found.tabled:
        steps = min(budget.steps // 4, NUMBERING_STEPS * wish.rounds * wish.tables)
        return number_tables(found.lines, wish.table_size, set(wish.fixed.values()), steps, rng, budget)
    order = rng.shuffled(range(wish.tables))
    rounds = [tables_of(line, wish.table_size) for line in found.lines]
    return [[player for table in order for player in tables[table]] for tables in rounds]


SEATING_WAY_CLOSED = ProblemType("seating.way_closed", "{players} players cannot be seated in {table_size}s by {way}.")
UNEVEN_NUMBERING_STEPS: Final = 250  # steps for each table of each round


class UnevenSeating(StrEnum):
    """How to seat the players who fill no table."""

    FULL = "full"  # there are none
    SUBSTITUTES = "substitutes"
    OTHER_TABLES = "other_tables"
    RESTS = "rests"


@dataclass(frozen=True, slots=True)
class UnevenOption:
    """One way, and what it costs.

    `sizes`: seats of each table. `substitutes`: seats that others must fill in every round. `rests`: players who rest
    in each round; in the event each rests `rests_least` to `rests_most` times. `other_least`, `other_most`: the same
    for tables of another size. `repeats_bound`: a lower bound of the repeats.
    """

    way: UnevenSeating
    players: int
    table_size: int
    rounds: int
    sizes: tuple[int, ...]
    substitutes: int = 0
    rests: int = 0
    rests_least: int = 0
    rests_most: int = 0
    other_least: int = 0
    other_most: int = 0
    repeats_bound: int = 0

    @property
    def shape(self) -> Shape:
        return Shape(self.sizes, self.table_size, self.rests)


@dataclass(frozen=True, slots=True)
class UnevenDraw:
    """A draw of one way: rounds in seat order, who rests in each, the numbers of substitutes, the report.

    Substitutes count as players in the report.
    """

    rounds: Rounds
    resting: tuple[tuple[int, ...], ...]
    substitutes: tuple[int, ...]
    report: Report

    def as_json(self, option: "UnevenOption", seed: int) -> dict[str, object]:
        """Return the object that the `seat` command promises; the last three keys are of uneven fields alone."""
        told: dict[str, object] = {
            "players": option.players,
            "table_size": option.table_size,
            "seed": seed,
            "rounds": self.rounds,
            "report": self.report.as_json(),
        }
        uneven = {"way": option.way, "substitutes": self.substitutes, "resting": self.resting}
        return told if option.way == UnevenSeating.FULL else told | uneven


def options_for(players: int, table_size: int, rounds: int) -> tuple[UnevenOption, ...]:
    """Return the ways to seat so many players, those that keep most people playing full tables first.

    >>> [(option.way.value, option.sizes[-1], option.substitutes, option.rests) for option in options_for(41, 4, 8)]
    [('substitutes', 4, 3, 0), ('other_tables', 3, 0, 0), ('rests', 4, 0, 1)]
    """
    if table_size not in TABLE_SIZES or players < table_size or not players % table_size:
        wish = Field(players, table_size, rounds)  # raises in words unless the tables are full
        bound = least_repeats(players, table_size, rounds)
        return (
            UnevenOption(
                UnevenSeating.FULL, players, table_size, rounds, (table_size,) * wish.tables, repeats_bound=bound
            ),
        )
    Field(players - players % table_size, table_size, rounds)
    others = _other_tables(players, table_size, rounds)
    offered = (_substitutes(players, table_size, rounds), others, _rests(players, table_size, rounds))
    return tuple(option for option in offered if option)


def _substitutes(players: int, size: int, rounds: int) -> UnevenOption:
    missing = -players % size
    bound = least_repeats(players + missing, size, rounds)
    sizes = (size,) * ((players + missing) // size)
    return UnevenOption(
        UnevenSeating.SUBSTITUTES, players, size, rounds, sizes, substitutes=missing, repeats_bound=bound
    )


def _other_tables(players: int, size: int, rounds: int) -> UnevenOption | None:
    """Return the way with the fewest tables of the other size, if there is one."""
    other = 3 if size == 4 else 4
    count = -players % size if size == 4 else players % size
    full, left_over = divmod(players - count * other, size)
    if full < 0 or left_over:
        return None
    sizes = (size,) * full + (other,) * count
    least, most, bound = _share(count * other, sizes, players, rounds)
    return UnevenOption(
        UnevenSeating.OTHER_TABLES,
        players,
        size,
        rounds,
        sizes,
        other_least=least,
        other_most=most,
        repeats_bound=bound,
    )


def _rests(players: int, size: int, rounds: int) -> UnevenOption:
    spare = players % size
    sizes = (size,) * (players // size)
    least, most, bound = _share(spare, sizes, players, rounds)
    return UnevenOption(
        *(UnevenSeating.RESTS, players, size, rounds, sizes),
        rests=spare,
        rests_least=least,
        rests_most=most,
        repeats_bound=bound,
    )


def _share(seats: int, sizes: tuple[int, ...], players: int, rounds: int) -> tuple[int, int, int]:
    """Return how often a player has one of these seats at least and at most, and the bound of the repeats.

    The bound spreads all meetings evenly over all pairs.
    """
    least, more = divmod(rounds * seats, players)
    bound = even_repeats(rounds * sum(comb(size, 2) for size in sizes), comb(players, 2))
    return least, least + bool(more), bound


def option_for(way: UnevenSeating, players: int, table_size: int, rounds: int) -> UnevenOption:
    """Return the option of one way; raises SeatingError where the field does not allow it."""
    for option in options_for(players, table_size, rounds):
        if option.way == way:
            return option
    raise SeatingError(SEATING_WAY_CLOSED(way=way.value, players=players, table_size=table_size))


def apart_from_each_other(substitutes: tuple[int, ...]) -> tuple[Wish, ...]:
    """Return the wish that no two substitutes share a table."""
    return (keep_apart("substitutes", [substitutes]),) if len(substitutes) > 1 else ()


def draw_uneven(
    option: UnevenOption,
    *,
    seed: int,
    time_limit: float = TIME_LIMIT,
    fixed_tables: Mapping[int, int] | None = None,
    wishes: Wishes = NO_WISHES,
    watch: SearchCallbacks = NO_CALLBACKS,
) -> UnevenDraw:
    """Return a draw for one option: players 0..N-1, then the substitutes, no two of whom share a table.

    Tables of another size come last. Raises SeatingError as `draw.draw_schedule` does.
    """
    fixed = {**wishes.fixed, **(fixed_tables or {})}
    if option.way in {UnevenSeating.FULL, UnevenSeating.SUBSTITUTES}:
        substitutes = tuple(range(option.players, option.players + option.substitutes))
        schedule = draw_schedule(
            players=option.players + option.substitutes,
            table_size=option.table_size,
            rounds=option.rounds,
            seed=seed,
            time_limit=time_limit,
            fixed_tables=fixed,
            wishes=Wishes((*apart_from_each_other(substitutes), *wishes.order)),
            watch=watch,
        )
        return UnevenDraw(schedule.rounds, ((),) * option.rounds, substitutes, schedule.report)
    rng, budget = Rng(seed), SearchBudget(time_limit, watch)
    wishes.check(option.players, len(option.sizes), option.rounds)
    lines = _begin(option, seed, time_limit, fixed, watch)
    frame = Frame(option.shape, wishes, pinned=fixed)
    lines = search_by_wishes(lines, frame, budget.steps, rng, budget)
    tables = [option.shape.tables_of(line) for line in lines]
    steps = min(budget.steps // 4, UNEVEN_NUMBERING_STEPS * option.rounds * len(option.sizes))
    tables = renumber_tables(tables, (), fixed, wishes.rooms, steps, rng, budget)
    seated = seat_after(tables, (), rng)
    resting = tuple(tuple(sorted(option.shape.resting(line))) for line in lines)
    figures = count_figures(seated, option.players, option.table_size, fixed)
    visits = count_visits(seated)
    free = (player for player in range(option.players) if player not in fixed)
    of_tables = ([visits[player, table] for table in range(len(option.sizes))] for player in free)
    report = Report(
        **asdict(figures),
        tables_spread=max((max(times) - min(times) for times in of_tables), default=0),
        method="fitted" + budget.ending,
        cut_short=budget.cut_short,
        seconds=budget.seconds,
    )
    return UnevenDraw(seated, resting, (), report)


def _begin(
    option: UnevenOption, seed: int, time_limit: float, fixed: Mapping[int, int], watch: SearchCallbacks
) -> list[list[int]]:
    """Return rounds to search from: a draw of full tables without its ghosts, or with players added in turn.

    Three at a table of four is a table with a ghost; ghosts with fixed tables of their own cost the fewest meetings.
    """
    size, base = option.table_size, len(option.sizes) * option.table_size
    ghosts = max(0, base - option.players)
    fixed = {**fixed, **{option.players + at: len(option.sizes) - 1 - at for at in range(ghosts)}}
    drawn = draw_schedule(
        players=base,
        table_size=size,
        rounds=option.rounds,
        seed=seed,
        time_limit=time_limit,
        fixed_tables=fixed,
        watch=watch,
    )
    if ghosts:
        return [[who for table in tables for who in table if who < option.players] for tables in drawn.rounds]
    return [
        _add_in_turn([list(table) for table in tables], number, base, option, fixed)
        for number, tables in enumerate(drawn.rounds)
    ]


def _add_in_turn(
    tables: list[list[int]], number: int, base: int, option: UnevenOption, fixed: Mapping[int, int]
) -> list[int]:
    """Return a round with the players from `base` on added; players take the extra seats, or rest, in turn."""
    extra = option.players - base
    free = [player for player in range(option.players) if player not in fixed or player >= base]
    turn = [free[(number * extra + at) % len(free)] for at in range(extra)]
    joiners = [player for player in range(base, option.players) if player not in turn]
    for leaver, joiner in zip([player for player in turn if player < base], joiners, strict=True):
        table = next(table for table in tables if leaver in table)
        table[table.index(leaver)] = joiner
    if option.rests:
        return [player for table in tables for player in table] + turn
    for table, player in zip(tables[len(tables) - extra :], turn, strict=True):
        table.append(player)
    return [player for table in tables for player in table]
