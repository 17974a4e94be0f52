"""Counts everything about a schedule again, from the bare rounds: the judge of every draw, ours or made elsewhere.

Shares no code with the search and trusts nothing that it says.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import comb, sqrt

from tournament.seating.bounds import least_repeats
from tournament.seating.errors import SeatingError
from tournament.seating.field import NOBODY, Field
from tournament.seating.schedule import Report
from tournament.seating.table_bounds import table_bounds

Seats = Sequence[Sequence[Sequence[int]]]


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

    Raises SeatingError, in words, where somebody is missing, sits twice, is unknown or has left a fixed table.
    `method`, `cut_short` and `seconds` are passed through.
    """
    wish = Field(players, table_size, len(rounds), fixed_tables or NOBODY)
    _check_seats(rounds, wish)
    met = Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))
    winds, visits = _count_winds(rounds), _count_visits(rounds, wish)
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
        winds_spread=_spread(winds, range(players), table_size),
        winds_bound=0 if wish.rounds % table_size == 0 else 1,
        winds_in_blocks=_are_winds_in_blocks(rounds, table_size),
        tables_spread=_spread(visits, _free_players(wish), wish.tables),
        tables_most=max(visits.values(), default=0),
        tables_kept=_count_tables_kept(rounds, wish),
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
            told = {"round": number, "found": len(tables), "tables": wish.tables}
            raise SeatingError("seating.tables_wrong_number", told)
        seen: set[int] = set()
        for at, table in enumerate(tables):
            _check_table(table, {"round": number, "table": at}, wish, seen)
        # whole tables, as many as there must be, of players who are known and sit once: nobody is missing


def _check_table(table: Sequence[int], place: Mapping[str, int], wish: Field, seen: set[int]) -> None:
    for player in table:
        if not 0 <= player < wish.players:
            raise SeatingError("seating.player_unknown", {**place, "player": player, "last": wish.players - 1})
        if player in seen:
            raise SeatingError("seating.player_twice", {"round": place["round"], "player": player})
        seen.add(player)
        if wish.fixed.get(player, place["table"]) != place["table"]:
            told = {"round": place["round"], "player": player, "table": wish.fixed[player], "found": place["table"]}
            raise SeatingError("seating.fixed_table_left", told)
    if len(table) != wish.table_size:
        raise SeatingError("seating.table_wrong_size", {**place, "found": len(table), "table_size": wish.table_size})


def _count_winds(rounds: Seats) -> Counter[tuple[int, int]]:
    return Counter((player, seat) for tables in rounds for table in tables for seat, player in enumerate(table))


def _free_players(wish: Field) -> list[int]:
    return [player for player in range(wish.players) if player not in wish.fixed]


def _count_visits(rounds: Seats, wish: Field) -> Counter[tuple[int, int]]:
    return Counter(
        (player, at)
        for tables in rounds
        for at, table in enumerate(tables)
        for player in table
        if player not in wish.fixed
    )


def _spread(counts: Counter[tuple[int, int]], players: Iterable[int], kinds: int) -> int:
    spread = 0
    for player in players:
        of_player = [counts[player, kind] for kind in range(kinds)]
        spread = max(spread, max(of_player) - min(of_player))
    return spread


def _are_winds_in_blocks(rounds: Seats, table_size: int) -> bool:
    blocks = (rounds[begun : begun + table_size] for begun in range(0, len(rounds), table_size))
    return all(max(_count_winds(block).values()) == 1 for block in blocks)


def _count_tables_kept(rounds: Seats, wish: Field) -> int:
    kept = 0
    for before, after in pairwise(rounds):
        stayed = (set(old) & set(new) for old, new in zip(before, after, strict=True))
        kept += sum(player not in wish.fixed for players in stayed for player in players)
    return kept


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
