"""Count the figures of rounds from the bare seats, and their proved lower bounds: the judge of every draw.

`assess` is for full tables of one size. `tally` is for rounds of any shape: tables of several sizes, players who rest,
come late or leave. Shares no code with the searches.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import combinations, pairwise
from math import comb
from typing import Final

from scoring.problems import ProblemType
from tournament.seating.search.schedule import NOBODY, Field, SeatingError, Seats

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


@dataclass(frozen=True, slots=True)
class Tally:
    """The figures of rounds of any shape, each counted from the bare rounds.

    `repeats` is the sum over pairs of m(m - 1)/2 where m is how often they meet, `met_most` the largest m;
    `pairs_again` (m >= 2) and `pairs_thrice` (m >= 3) count pairs. `winds_spread` is the largest minus smallest count
    of one starting wind for one player. `tables_most` is the largest count of one table for one player; those with a
    fixed table are left out of it and of `tables_kept`, how often someone keeps a table for the next round. `rests_…`
    are the rounds in which one player has no seat.
    """

    repeats: int
    met_most: int
    pairs_again: int
    pairs_thrice: int
    winds_spread: int
    tables_most: int
    tables_kept: int
    rests_least: int
    rests_most: int


@dataclass(frozen=True, slots=True)
class Figures(Tally):
    """The figures of a draw; `…_least` is a lower bound for any draw.

    `pairs_never` counts pairs who never meet, `shared_least` the fewest opponents in common of two of them (None where
    all meet or it was not counted). `tables_least` and `tables_kept_least` hold with so few repeats, and `tables_note`
    is the code of the reason, "" if nothing forces anybody to a table again.
    """

    repeats_least: int
    pairs_never: int
    shared_least: int | None
    winds_least: int
    tables_least: int
    tables_kept_least: int
    tables_note: str


@dataclass(frozen=True, slots=True)
class Report(Figures):
    """The figures of a schedule of full tables, and how it was made.

    `tables_spread` is the largest minus smallest count of one table for one player without a fixed one.
    """

    tables_spread: int
    method: str = "given"
    cut_short: bool = False
    seconds: float = field(default=0.0, compare=False)

    def as_json(self) -> dict[str, int | float | str]:
        """Return the figures that the `seat` command promises."""
        return {
            "repeats": self.repeats,
            "repeats_bound": self.repeats_least,
            "met_most": self.met_most,
            "winds_spread": self.winds_spread,
            "tables_spread": self.tables_spread,
            "method": self.method,
            "seconds": round(self.seconds, 3),
        }


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
    met, visits = _count_meetings(rounds), count_visits(rounds)
    counted = tally(rounds, table_size, range(players), wish.fixed)
    least = table_bounds(wish, counted.repeats)
    free = (player for player in range(players) if player not in wish.fixed)
    of_tables = ([visits[player, table] for table in range(wish.tables)] for player in free)
    return Report(
        **asdict(counted),
        repeats_least=least_repeats(players, table_size, wish.rounds, wish.fixed),
        pairs_never=comb(players, 2) - len(met),
        shared_least=min(count_shared_opponents(met, players), default=None),
        winds_least=0 if wish.rounds % table_size == 0 else 1,
        tables_least=least.most,
        tables_kept_least=least.kept,
        tables_note=least.note,
        tables_spread=max((max(times) - min(times) for times in of_tables), default=0),
        method=method,
        cut_short=cut_short,
        seconds=seconds,
    )


def count_figures(rounds: Seats, players: int, table_size: int, fixed: Mapping[int, int]) -> Figures:
    """Return the figures of rounds of any shape of players 0..players-1, with bounds that hold for that shape."""
    for kept in (fixed, NOBODY):  # after a swap by hand a player may sit away from a fixed table
        try:
            report = assess(rounds, players, table_size, fixed_tables=kept)
        except SeatingError:
            continue
        return Figures(**{each.name: getattr(report, each.name) for each in fields(Figures)})
    counted = tally(rounds, table_size, range(players))
    games = range(len(rounds) - counted.rests_most, len(rounds) - counted.rests_least + 1)
    least = -(-games[-1] // max(1, *(len(tables) for tables in rounds)))
    return Figures(
        **asdict(counted),
        repeats_least=even_repeats(sum(comb(len(table), 2) for tables in rounds for table in tables), comb(players, 2)),
        pairs_never=comb(players, 2) - len(_count_meetings(rounds)),
        shared_least=None,
        winds_least=int(any(each % table_size for each in games)),
        tables_least=least,
        tables_kept_least=0,
        tables_note=FEWER_THAN_ROUNDS if least > 1 else NOTHING,
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


def _count_meetings(rounds: Seats) -> Counter[tuple[int, int]]:
    """Return how often each two players meet, the lower number first."""
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))


def count_shared_opponents(met: Iterable[tuple[int, int]], players: int) -> Counter[int]:
    """Count the pairs that never meet by their opponents in common; opponents as bits of a number, for speed."""
    opponents = [0] * players
    for one, other in met:
        opponents[one] |= 1 << other
        opponents[other] |= 1 << one
    shared: Counter[int] = Counter()
    for one, of_one in enumerate(opponents):
        shared.update(
            [(of_one & opponents[other]).bit_count() for other in range(one + 1, players) if not of_one >> other & 1]
        )
    return shared


def tally(rounds: Seats, table_size: int, among: Collection[int] | None = None, fixed: Collection[int] = ()) -> Tally:
    """Count the rounds; with `among`, winds, tables and rests only of those players, but meetings of all."""
    met = _count_meetings(rounds)
    seated = Counter(player for tables in rounds for table in tables for player in table)
    counted = sorted(seated if among is None else among)
    winds, free = count_winds(rounds), set(counted) - set(fixed)
    of_winds = ([winds[player, seat] for seat in range(table_size)] for player in counted)
    rests = [len(rounds) - seated[player] for player in counted]
    return Tally(
        repeats=sum(comb(times, 2) for times in met.values()),
        met_most=max(met.values(), default=0),
        pairs_again=sum(times > 1 for times in met.values()),
        pairs_thrice=sum(times > 2 for times in met.values()),
        winds_spread=max((max(times) - min(times) for times in of_winds), default=0),
        tables_most=max((times for (player, _), times in count_visits(rounds).items() if player in free), default=0),
        tables_kept=sum(
            len(free & set(old) & set(new))
            for before, after in pairwise(rounds)
            for old, new in zip(before, after, strict=False)
        ),
        rests_least=min(rests, default=0),
        rests_most=max(rests, default=0),
    )


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
