"""Gives the tables of a round by standing their numbers and their seats: the last step of every such draw.

Numbers by rank (table 0 is the top one) or spread, so that nobody keeps a table; winds by who had which the fewest
times. Never changes who sits with whom.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Literal, TypeAlias

from tournament.seating.chance import Chance
from tournament.seating.pairing import Pairing
from tournament.seating.round_report import DrawnRound, count_round
from tournament.seating.schedule import Table

Numbering: TypeAlias = Literal["by_rank", "spread"]
Counts: TypeAlias = Mapping[tuple[int, int], int]


def finish(
    pairing: Pairing,
    tables: Sequence[Sequence[int]],
    chance: Chance,
    *,
    method: str,
    numbering: Numbering,
    searched: bool = True,
) -> DrawnRound:
    """Return tables of positions as a round of players with numbers, winds and its report.

    `searched` is False for formats that set the tables by rank alone and look at no wish.
    """
    players = pairing.players
    seated = [[players[at] for at in table] for table in sorted(map(sorted, tables))]
    if numbering == "spread":
        seated = _spread(seated, pairing, chance)
    winds = count_winds(pairing)
    drawn = tuple(_seat(table, winds, chance) for table in _keep_fixed(seated, pairing))
    return DrawnRound(drawn, count_round(drawn, pairing, method=method, searched=searched))


def count_winds(pairing: Pairing) -> Counter[tuple[int, int]]:
    """Return how often each player has had each seat; seats beyond the table size count as no wind."""
    return Counter(
        (player, seat)
        for tables in pairing.played
        for table in tables
        for seat, player in enumerate(table[: pairing.table_size])
    )


def _seat(table: Sequence[int], winds: Counts, chance: Chance) -> Table:
    """Return the players in the seat order that gives the rarest winds: best of all orders, equal ones by chance."""
    fewest = {player: min(winds.get((player, seat), 0) for seat in range(len(table))) for player in table}

    def cost(order: Iterable[int]) -> int:
        # of two orders the one wins whose worst excess is smaller: no table has eight seats to outweigh it
        return sum(8 ** (winds.get((player, seat), 0) - fewest[player]) for seat, player in enumerate(order))

    orders = chance.shuffled(list(permutations(table)))
    return tuple(min(orders, key=cost))


def _keep_fixed(tables: Sequence[Sequence[int]], pairing: Pairing) -> list[Sequence[int]]:
    """Return the tables with those of people with a fixed table at its number, the others in their order.

    Where two at one table are fixed to different ones, the better placed has the say.
    """
    held: dict[int, Sequence[int]] = {}
    others: list[Sequence[int]] = []
    for table in tables:
        wanted = [pairing.fixed[player] for player in table if player in pairing.fixed]
        free = [number for number in wanted if number not in held]
        if free:
            held[free[0]] = table
        else:
            others.append(table)
    rest = iter(others)
    return [held[number] if number in held else next(rest) for number in range(len(tables))]


def _spread(tables: list[list[int]], pairing: Pairing, chance: Chance) -> list[list[int]]:
    """Return the tables in an order in which players come to numbers that they have had the fewest times."""
    visits = _count_visits(pairing)
    order = chance.shuffled(tables)
    cost = [[_visited(table, number, visits) for number in range(len(order))] for table in order]
    moved = True
    while moved:
        moved = False
        for one in range(len(order)):
            for two in range(one):
                if cost[one][two] + cost[two][one] < cost[one][one] + cost[two][two]:
                    order[one], order[two] = order[two], order[one]
                    cost[one], cost[two] = cost[two], cost[one]
                    moved = True
    return order


def _count_visits(pairing: Pairing) -> Counter[tuple[int, int]]:
    """Return the visits of each player to each number, the last round's once more: better not to stay."""
    visits = Counter(
        (player, number) for tables in pairing.played for number, table in enumerate(tables) for player in table
    )
    for tables in pairing.played[-1:]:
        visits.update((player, number) for number, table in enumerate(tables) for player in table)
    return visits


def _visited(table: Sequence[int], number: int, visits: Counts) -> int:
    return sum(visits.get((player, number), 0) ** 2 for player in table)
