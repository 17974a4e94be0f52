"""Counts rounds of any shape from the bare seats: tables of several sizes, people who rest, come late or leave.

For full tables of one size `quality.assess` says more. Shares no code with the searches.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import TypeAlias

Seats: TypeAlias = Sequence[Sequence[Sequence[int]]]  # rounds of tables of players in seat order; a table may be empty


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
    visits = Counter((player, at) for tables in rounds for at, table in enumerate(tables) for player in table)
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
    winds = Counter((player, seat) for tables in rounds for table in tables for seat, player in enumerate(table))
    counts = ([winds[player, seat] for seat in range(table_size)] for player in players)
    return max((max(of_player) - min(of_player) for of_player in counts), default=0)


def _kept(rounds: Seats) -> Iterable[set[int]]:
    """Yield who stays at a table from one round to the next."""
    for before, after in pairwise(rounds):
        for old, new in zip(before, after, strict=False):
            yield set(old) & set(new)
