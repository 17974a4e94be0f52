"""Count the figures of rounds from the bare seats, and their proved lower bounds: the judge of every draw.

`assess` is for full tables of one size. `tally` is for rounds of any shape: tables of several sizes, players who rest,
come late or leave. Shares no code with the searches.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb, sqrt
from typing import Final

from scoring.problems import ProblemType
from tournament.seating.search.schedule import NOBODY, Field, Report, SeatingError, Seats

SEATING_TABLES_WRONG_NUMBER = ProblemType(
    "seating.tables_wrong_number", "Round {round} has {found} tables where {tables} are needed."
)
SEATING_TABLE_WRONG_SIZE = ProblemType(
    "seating.table_wrong_size", "Round {round}, table {table}: {found} players sit where {table_size} should."
)
SEATING_PLAYER_UNKNOWN = ProblemType(
    "seating.player_unknown", "Round {round}, table {table}: there is no player {player}, only 0 to {last}."
)
SEATING_PLAYER_TWICE = ProblemType("seating.player_twice", "Round {round}: player {player} sits twice.")
SEATING_FIXED_TABLE_LEFT = ProblemType(
    "seating.fixed_table_left", "Round {round}: player {player} sits at table {found}, not at the fixed table {table}."
)


def assess(
    rounds: Seats,
    players: int,
    table_size: int,
    *,
    fixed_tables: Mapping[int, int] | None = None,
    method: str = "given",
    cut_short: bool = False,
    seconds: float = 0.0,
) -> Report:
    """Return the report of a schedule: rounds of tables of players 0..players-1 in seat order.

    Raises SeatingError if somebody is missing, sits twice, is unknown or has left a fixed table. `method`, `cut_short`
    and `seconds` are passed through.
    """
    wish = Field(players, table_size, len(rounds), fixed_tables or NOBODY)
    _check_seats(rounds, wish)
    met = Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))
    visits = count_visits(rounds)
    repeats = sum(comb(times, 2) for times in met.values())
    shared, least = _count_shared_opponents(met, players), table_bounds(wish, repeats)
    return Report(
        repeats=repeats,
        repeats_bound=least_repeats(players, table_size, wish.rounds, wish.fixed),
        met_most=max(met.values()),
        pairs_never_met=comb(players, 2) - len(met),
        pairs_met_again=sum(times > 1 for times in met.values()),
        pairs_met_thrice=sum(times > 2 for times in met.values()),
        shared_opponents_least=min(shared, default=None),
        shared_opponents_deviation=_deviation(shared) if shared else None,
        winds_spread=winds_spread(rounds, table_size, range(players)),
        winds_bound=0 if wish.rounds % table_size == 0 else 1,
        winds_in_blocks=_are_winds_in_blocks(rounds, table_size),
        tables_spread=_tables_spread(visits, wish),
        tables_most=max((times for (player, _), times in visits.items() if player not in wish.fixed), default=0),
        tables_kept=sum(len(kept - wish.fixed.keys()) for kept in _kept(rounds)),
        tables_least=least.most,
        tables_kept_least=least.kept,
        tables_note=least.note,
        method=method,
        cut_short=cut_short,
        seconds=seconds,
    )


def _check_seats(rounds: Seats, wish: Field) -> None:
    for number, tables in enumerate(rounds, start=1):
        if len(tables) != wish.tables:
            raise SeatingError(SEATING_TABLES_WRONG_NUMBER(round=number, found=len(tables), tables=wish.tables))
        seen: set[int] = set()
        for at, table in enumerate(tables):
            _check_table(table, {"round": number, "table": at}, wish, seen)
        # whole tables, as many as there must be, of players who are known and sit once: nobody is missing


def _check_table(table: Sequence[int], place: Mapping[str, int], wish: Field, seen: set[int]) -> None:
    for player in table:
        if not 0 <= player < wish.players:
            raise SeatingError(SEATING_PLAYER_UNKNOWN(**place, player=player, last=wish.players - 1))
        if player in seen:
            raise SeatingError(SEATING_PLAYER_TWICE(round=place["round"], player=player))
        seen.add(player)
        if wish.fixed.get(player, place["table"]) != place["table"]:
            raise SeatingError(
                SEATING_FIXED_TABLE_LEFT(
                    round=place["round"], player=player, table=wish.fixed[player], found=place["table"]
                )
            )
    if len(table) != wish.table_size:
        raise SeatingError(SEATING_TABLE_WRONG_SIZE(**place, found=len(table), table_size=wish.table_size))


def count_winds(rounds: Seats) -> Counter[tuple[int, int]]:
    """Return how often each player had each starting wind."""
    return Counter((player, seat) for tables in rounds for table in tables for seat, player in enumerate(table))


def count_visits(rounds: Seats) -> Counter[tuple[int, int]]:
    """Return how often each player sat at each table."""
    return Counter((player, at) for tables in rounds for at, table in enumerate(tables) for player in table)


def _tables_spread(visits: Counter[tuple[int, int]], wish: Field) -> int:
    free = (player for player in range(wish.players) if player not in wish.fixed)
    counts = ([visits[player, table] for table in range(wish.tables)] for player in free)
    return max((max(of_player) - min(of_player) for of_player in counts), default=0)


def _are_winds_in_blocks(rounds: Seats, table_size: int) -> bool:
    blocks = (rounds[begun : begun + table_size] for begun in range(0, len(rounds), table_size))
    return all(max(count_winds(block).values()) == 1 for block in blocks)


def _count_shared_opponents(met: Counter[frozenset[int]], players: int) -> Counter[int]:
    """Count the pairs that never meet by their opponents in common; opponents as bits of a number, for speed."""
    opponents = [0] * players
    for pair in met:
        one, other = pair
        opponents[one] |= 1 << other
        opponents[other] |= 1 << one
    shared: Counter[int] = Counter()
    for one, of_one in enumerate(opponents):
        shared.update(
            [(of_one & opponents[other]).bit_count() for other in range(one + 1, players) if not of_one >> other & 1]
        )
    return shared


def _deviation(counts: Counter[int]) -> float:
    """Return the standard deviation of numbers that occur so often, to hundredths; exact before the root is taken."""
    total, whole = counts.total(), sum(number * times for number, times in counts.items())
    squares = sum(number * number * times for number, times in counts.items())
    return round(sqrt(total * squares - whole * whole) / total, 2)


@dataclass(frozen=True, slots=True)
class Tally:
    """Figures as in `schedule.Report`, and two for uneven fields.

    `rests_least` and `rests_most`: rounds in which one of those counted had no seat. `other_least` and `other_most`:
    rounds at a table of another size.
    """

    repeats: int
    met_most: int
    pairs_met_again: int
    pairs_met_thrice: int
    winds_spread: int
    tables_most: int
    tables_kept: int
    rests_least: int
    rests_most: int
    other_least: int
    other_most: int


def tally(rounds: Seats, table_size: int, among: Collection[int] | None = None) -> Tally:
    """Count the rounds; with `among`, winds, tables and rests only of those players, but meetings of all."""
    met = Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))
    everybody = {player for tables in rounds for table in tables for player in table}
    counted = sorted(everybody if among is None else among)
    visits = count_visits(rounds)
    seated = Counter(player for tables in rounds for table in tables for player in table)
    other = Counter(player for tables in rounds for table in tables if len(table) != table_size for player in table)
    rests = [len(rounds) - seated[player] for player in counted]
    others = [other[player] for player in counted]
    chosen = set(counted)
    return Tally(
        repeats=sum(comb(times, 2) for times in met.values()),
        met_most=max(met.values(), default=0),
        pairs_met_again=sum(times > 1 for times in met.values()),
        pairs_met_thrice=sum(times > 2 for times in met.values()),
        winds_spread=winds_spread(rounds, table_size, counted),
        tables_most=max((times for (player, _), times in visits.items() if player in chosen), default=0),
        tables_kept=sum(len(chosen & kept) for kept in _kept(rounds)),
        rests_least=min(rests, default=0),
        rests_most=max(rests, default=0),
        other_least=min(others, default=0),
        other_most=max(others, default=0),
    )


def winds_spread(rounds: Seats, table_size: int, players: Iterable[int]) -> int:
    """Return the largest minus smallest count of one starting wind for one of these players."""
    winds = count_winds(rounds)
    counts = ([winds[player, seat] for seat in range(table_size)] for player in players)
    return max((max(of_player) - min(of_player) for of_player in counts), default=0)


def _kept(rounds: Seats) -> Iterable[set[int]]:
    """Yield who stays at a table from one round to the next."""
    for before, after in pairwise(rounds):
        for old, new in zip(before, after, strict=False):
            yield set(old) & set(new)


# (table size, players, rounds) → repeats that exhaustive searches proved to be needed: 12 in threes over all 15,400
# rounds that there are, and five rounds as the most that 20 players in fours can play without a repeat (OEIS A107431).
PROVED: Final[Mapping[tuple[int, int, int], int]] = {(3, 12, 5): 3, (3, 12, 6): 7, (4, 20, 6): 1}

FEWER_THAN_ROUNDS: Final = "tables.fewer_than_rounds"  # more rounds than tables: everybody comes to one again
SOME_OF_EACH: Final = "tables.some_of_each"  # each table takes players of every table of any other round, its own too
NOTHING: Final = ""


def least_repeats(players: int, table_size: int, rounds: int, fixed: Mapping[int, int] = NOBODY) -> int:
    """Return a number of repeats below which no schedule can go: the largest of the bounds of this module.

    >>> least_repeats(24, 4, 7), least_repeats(24, 4, 8), least_repeats(12, 4, 4)
    (0, 12, 18)
    """
    wish = Field(players, table_size, rounds, fixed)
    return max(_by_players(wish), _by_rounds(wish), _by_search(wish))


def even_repeats(meetings: int, others: int) -> int:
    """Return the least sum of m(m - 1)/2 over `others` counts m that add up to `meetings`: all counts within one.

    m(m - 1)/2 is convex: moving one meeting from a larger count to one at least two smaller lowers the sum.
    """
    if not others:
        return 0
    each, more = divmod(meetings, others)
    return (others - more) * comb(each, 2) + more * comb(each + 1, 2)


def _by_players(wish: Field) -> int:
    """Bound by the meetings of each player; every repeat is counted by its two players.

    A player has R(k - 1) meetings with N - 1 others, at best spread evenly. One with a fixed table meets those fixed to
    the same table in all rounds, those fixed elsewhere never, and has the rest of the meetings with the rest.
    """
    at_table = Counter(wish.fixed.values())
    free = (wish.players - len(wish.fixed)) * even_repeats(wish.rounds * (wish.table_size - 1), wish.players - 1)
    bound = sum(seats * _of_fixed_player(wish, seats) for seats in at_table.values())
    return -(-(free + bound) // 2)


def _of_fixed_player(wish: Field, at_table: int) -> int:
    mates = at_table - 1
    meetings = wish.rounds * (wish.table_size - at_table)
    return mates * comb(wish.rounds, 2) + even_repeats(meetings, wish.players - len(wish.fixed))


def _by_rounds(wish: Field) -> int:
    """Bound by the pairs that two rounds must share if there are fewer tables than seats at one.

    Repeats are the pairs shared, summed over every two rounds. The players of one table come from T old ones; k
    players from T tables share at least what an even spread does, which is 0 only for T >= k.
    """
    shared = wish.tables * even_repeats(wish.table_size, wish.tables)
    return shared * comb(wish.rounds, 2)


def _by_search(wish: Field) -> int:
    """Bound by shorter schedules: each choice of r of the R rounds is a schedule of r rounds.

    Averaged over all choices, W(R) is at least W(r) R(R - 1) / (r(r - 1)), since each two rounds are in as many
    choices.
    """
    return max(_averaged(wish), default=0)


def _averaged(wish: Field) -> Iterator[int]:
    for (size, players, rounds), least in PROVED.items():
        if (size, players) == (wish.table_size, wish.players) and rounds <= wish.rounds:
            yield -(-least * comb(wish.rounds, 2) // comb(rounds, 2))


@dataclass(frozen=True, slots=True)
class TableBounds:
    """The least that `tables_most` and `tables_kept` of a report can be, and the code of what forces them."""

    most: int
    kept: int
    note: str


def table_bounds(wish: Field, repeats: int) -> TableBounds:
    """Return what holds for every schedule of this field with so few repeats.

    A player comes to one of T tables at least R / T times, rounded up. And where two rounds share as few pairs as k
    players from T tables can, each table takes k // T players or more of every table of the other round, also of the
    one with its own number: with as many tables as seats and no repeat just one, who stays, however tables are
    numbered.

    >>> table_bounds(Field(16, 4, 4), repeats=0)
    TableBounds(most=2, kept=12, note='tables.some_of_each')
    >>> table_bounds(Field(40, 4, 12), repeats=0)
    TableBounds(most=2, kept=0, note='tables.fewer_than_rounds')
    """
    tables, rounds = wish.tables, wish.rounds
    most = -(-rounds // tables)
    staying = wish.table_size // tables
    evenly = repeats == tables * even_repeats(wish.table_size, tables) * comb(rounds, 2)
    if rounds > 1 and staying and evenly and not wish.fixed:
        return TableBounds(max(most, 2), tables * staying * (rounds - 1), SOME_OF_EACH)
    return TableBounds(most, 0, FEWER_THAN_ROUNDS if most > 1 else NOTHING)
