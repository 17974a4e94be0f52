"""Fields that do not fill their tables: the ways to seat them, what each costs, and a draw for each.

Substitutes fill the seats; or some tables have another size (three players in fours, four in threes); or some players
rest, in turn. Offers and draws; which of them the rules allow, and what a rest is worth, others must know.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from typing import Final

from tournament.seating.bounds import even_repeats, least_repeats
from tournament.seating.draw import TIME_LIMIT, draw_schedule
from tournament.seating.errors import SeatingError
from tournament.seating.field import TABLE_SIZES, Field
from tournament.seating.local_search import Shape
from tournament.seating.outcome import Outcome, judge_wishes
from tournament.seating.quality import Tally, tally
from tournament.seating.rng import Rng
from tournament.seating.schedule import Rounds
from tournament.seating.search_budget import NOBODY_WATCHES, SearchBudget, Watch
from tournament.seating.table_numbers import renumber_tables
from tournament.seating.winds import seat_after
from tournament.seating.wish_search import Frame, search_by_wishes
from tournament.seating.wishes import Wish, Wishes, keep_apart

PLAIN: Final = Wishes()
NUMBERING: Final = 250  # steps for each table of each round


class Way(StrEnum):
    """How players who fill no table are seated."""

    FULL = "full"  # they do fill them
    SUBSTITUTES = "substitutes"
    OTHER_TABLES = "other_tables"
    RESTS = "rests"


@dataclass(frozen=True, slots=True)
class OddOption:
    """One way, and its cost before it is taken.

    `sizes`: seats of each table. `substitutes`: seats that others must fill in every round. `rests`: players who rest
    in each round; each of them `rests_least` to `rests_most` times in the event. `other_least`, `other_most`: the same
    for tables of another size. `repeats_bound`: repeats that no draw of this way can go below.
    """

    way: Way
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
class OddDraw:
    """A draw of one way: rounds in seat order, who rests in each, the numbers of substitutes, the figures."""

    option: OddOption
    seed: int
    rounds: Rounds
    resting: tuple[tuple[int, ...], ...]
    substitutes: tuple[int, ...]
    tally: Tally
    outcomes: tuple[Outcome, ...]
    cut_short: bool = False


def options_for(players: int, table_size: int, rounds: int) -> tuple[OddOption, ...]:
    """Return the ways to seat so many players, those that keep most people playing full tables first.

    >>> [(option.way.value, option.sizes[-1], option.substitutes, option.rests) for option in options_for(41, 4, 8)]
    [('substitutes', 4, 3, 0), ('other_tables', 3, 0, 0), ('rests', 4, 0, 1)]
    """
    if table_size not in TABLE_SIZES or players < table_size or not players % table_size:
        wish = Field(players, table_size, rounds)  # raises in words unless the tables are full
        bound = least_repeats(players, table_size, rounds)
        return (OddOption(Way.FULL, players, table_size, rounds, (table_size,) * wish.tables, repeats_bound=bound),)
    Field(players - players % table_size, table_size, rounds)
    others = _other_tables(players, table_size, rounds)
    offered = (_substitutes(players, table_size, rounds), others, _rests(players, table_size, rounds))
    return tuple(option for option in offered if option)


def _substitutes(players: int, size: int, rounds: int) -> OddOption:
    missing = -players % size
    bound = least_repeats(players + missing, size, rounds)
    sizes = (size,) * ((players + missing) // size)
    return OddOption(Way.SUBSTITUTES, players, size, rounds, sizes, substitutes=missing, repeats_bound=bound)


def _other_tables(players: int, size: int, rounds: int) -> OddOption | None:
    """Return the way with the fewest tables of the other size, if there is one."""
    other = 3 if size == 4 else 4
    count = -players % size if size == 4 else players % size
    full, left_over = divmod(players - count * other, size)
    if full < 0 or left_over:
        return None
    least, more = divmod(rounds * count * other, players)
    sizes = (size,) * full + (other,) * count
    most = least + bool(more)
    bound = _bound(sizes, players, rounds)
    return OddOption(
        Way.OTHER_TABLES, players, size, rounds, sizes, other_least=least, other_most=most, repeats_bound=bound
    )


def _rests(players: int, size: int, rounds: int) -> OddOption:
    spare = players % size
    least, more = divmod(rounds * spare, players)
    sizes = (size,) * (players // size)
    most, bound = least + bool(more), _bound(sizes, players, rounds)
    return OddOption(
        Way.RESTS,
        players,
        size,
        rounds,
        sizes,
        rests=spare,
        rests_least=least,
        rests_most=most,
        repeats_bound=bound,
    )


def _bound(sizes: tuple[int, ...], players: int, rounds: int) -> int:
    """Bound by all meetings, spread evenly over all pairs."""
    return even_repeats(rounds * sum(comb(size, 2) for size in sizes), comb(players, 2))


def option_for(way: Way, players: int, table_size: int, rounds: int) -> OddOption:
    """Return the option of one way; raises SeatingError where the field does not allow it."""
    for option in options_for(players, table_size, rounds):
        if option.way == way:
            return option
    raise SeatingError("seating.way_closed", {"way": way.value, "players": players, "table_size": table_size})


def apart_from_each_other(substitutes: tuple[int, ...]) -> tuple[Wish, ...]:
    """Return the wish that no two substitutes share a table."""
    return (keep_apart("substitutes", [substitutes]),) if len(substitutes) > 1 else ()


def draw_odd(
    option: OddOption,
    *,
    seed: int,
    time_limit: float = TIME_LIMIT,
    fixed_tables: Mapping[int, int] | None = None,
    wishes: Wishes = PLAIN,
    watch: Watch = NOBODY_WATCHES,
) -> OddDraw:
    """Return a draw for one option: players 0..N-1, then the substitutes.

    Tables of another size come last, and keep their numbers. No two substitutes share a table. Raises SeatingError as
    `draw.draw_schedule` does.
    """
    fixed = {**wishes.fixed, **(fixed_tables or {})}
    if option.way in {Way.FULL, Way.SUBSTITUTES}:
        return _draw_full(option, seed, time_limit, fixed, wishes, watch)
    rng, budget = Rng(seed), SearchBudget(time_limit, watch)
    wishes.check(option.players, len(option.sizes), option.rounds)
    lines = _begin(option, seed, time_limit, fixed, watch)
    frame = Frame(option.shape, wishes, pinned=fixed)
    lines = search_by_wishes(lines, frame, budget.steps, rng, budget)
    tables = [option.shape.tables_of(line) for line in lines]
    steps = min(budget.steps // 4, NUMBERING * option.rounds * len(option.sizes))
    tables = renumber_tables(tables, (), fixed, wishes.rooms, steps, rng, budget)
    seated = seat_after(tables, (), rng)
    resting = tuple(tuple(sorted(option.shape.resting(line))) for line in lines)
    outcomes = judge_wishes(seated, wishes, option.table_size)
    counted = tally(seated, option.table_size, range(option.players))
    return OddDraw(option, seed, seated, resting, (), counted, outcomes, budget.cut_short)


def _draw_full(
    option: OddOption, seed: int, time_limit: float, fixed: Mapping[int, int], wishes: Wishes, watch: Watch
) -> OddDraw:
    substitutes = tuple(range(option.players, option.players + option.substitutes))
    asked = Wishes((*apart_from_each_other(substitutes), *wishes.order))
    schedule = draw_schedule(
        players=option.players + option.substitutes,
        table_size=option.table_size,
        rounds=option.rounds,
        seed=seed,
        time_limit=time_limit,
        fixed_tables=fixed,
        wishes=asked,
        watch=watch,
    )
    outcomes = judge_wishes(schedule.rounds, asked, option.table_size)
    counted = tally(schedule.rounds, option.table_size, range(option.players))
    resting: tuple[tuple[int, ...], ...] = ((),) * option.rounds
    return OddDraw(option, seed, schedule.rounds, resting, substitutes, counted, outcomes, schedule.report.cut_short)


def _begin(option: OddOption, seed: int, time_limit: float, fixed: Mapping[int, int], watch: Watch) -> list[list[int]]:
    """Return rounds to fit: a draw of full tables with ghosts taken out, or with players added who sit or rest in turn.

    Three at a table of four is a table with a ghost; ghosts who keep tables of their own meet nobody more than need be.
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
    tables: list[list[int]], number: int, base: int, option: OddOption, fixed: Mapping[int, int]
) -> list[int]:
    """Return a round with the players above `base` added: other players take the extra seats, or rest, in turn."""
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
