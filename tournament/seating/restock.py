"""Finds a line for the stock: `python -m tournament.seating.restock 4 24 7 [--tabled] [--repeats W] [--seed S]`, or
jumps where those who never meet share at least M opponents: `python -m tournament.seating.restock 4 100 8 --shared M`.

Prints the line for stock.txt, or says that the steps ran out. Work for a workshop: no page or command comes here.
"""

import argparse
import sys
from collections.abc import Iterator

from tournament.seating.anneal import Scope, anneal
from tournament.seating.chance import Chance
from tournament.seating.cyclic import Cycle
from tournament.seating.effort import Effort
from tournament.seating.field import Field
from tournament.seating.jumping import find_jumps
from tournament.seating.lines import count_repeats, tables_of
from tournament.seating.starters import Quest, find_starters
from tournament.seating.stock import Entry, Jumps

PATIENCE = 7 * 86_400.0  # seconds: the steps decide, not the clock


def quests(players: int, table_size: int, rounds: int, *, tabled: bool, repeats: int) -> Iterator[Quest]:
    """Yield the symmetries worth a try: full cycles first, then cycles that divide the rounds, many orbits last."""
    tables = players // table_size
    orders = [rounds, rounds + 1] if not repeats else [rounds]
    orders += [order for order in range(rounds // 2, 1, -1) if rounds % order == 0]
    for order in orders:
        starters = max(1, rounds // order)
        for orbits in range(players // order, 0, -1):
            if players - orbits * order <= (tables if repeats or starters > 1 else min(tables, order + 2)):
                cycle = Cycle(players, table_size, order=order, orbits=orbits)
                yield Quest(cycle, starters, tabled, goal=2 * repeats // order)


def find_entry(quest: Quest, steps: int, seed: int) -> Entry | None:
    """Return an entry grown from starters, or None."""
    starters = find_starters(quest, steps, Chance(seed), Effort(PATIENCE))
    return _entry(quest.cycle, starters, tabled=quest.tabled) if starters else None


def find_whole(players: int, table_size: int, rounds: int, *, repeats: int, steps: int, seed: int) -> Entry | None:
    """Return an entry without any symmetry, annealed from chance, or None."""
    chance = Chance(seed)
    lines = [chance.shuffled(range(players)) for _ in range(rounds)]
    best = anneal(lines, Scope(table_size, goal=repeats), steps, chance, Effort(PATIENCE))
    if count_repeats(best, table_size) > repeats:
        return None
    return _entry(Cycle(players, table_size, order=1, orbits=players), best, tabled=False)


def _entry(cycle: Cycle, starters: list[list[int]], *, tabled: bool) -> Entry:
    whole = cycle.develop(starters, tabled=tabled)
    size = cycle.table_size
    tidy = [[player for table in tables_of(line, size) for player in sorted(table)] for line in starters]
    return Entry(cycle, tabled, count_repeats(whole, size), tuple(map(tuple, tidy)))


def search(asked: argparse.Namespace) -> Entry | None:
    """Try every symmetry with a seed, then the next seed; at last schedules without one."""
    size = (asked.players, asked.table_size, asked.rounds)
    for seed in range(asked.seed, asked.seed + asked.tries):
        for quest in quests(*size, tabled=asked.tabled, repeats=asked.repeats):
            if entry := find_entry(quest, asked.steps, seed):
                return entry
        if not asked.tabled and (entry := find_whole(*size, repeats=asked.repeats, steps=asked.steps, seed=seed)):
            return entry
    return None


def find_shared(asked: argparse.Namespace) -> Jumps | None:
    """Return jumps in which strangers share as many opponents as asked or nearly so, or None."""
    wish = Field(asked.players, asked.table_size, asked.rounds)
    return find_jumps(wish, asked.shared, asked.steps, Chance(asked.seed), Effort(PATIENCE))


def main() -> None:
    """Read the wish, search, print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table_size", type=int)
    parser.add_argument("players", type=int)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--tabled", action="store_true", help="nobody comes to a table again")
    parser.add_argument("--repeats", type=int, default=0, help="how many repeats are good enough")
    parser.add_argument("--shared", type=int, default=0, help="opponents that strangers should share: finds jumps")
    parser.add_argument("--steps", type=int, default=500_000, help="steps for each symmetry and seed")
    parser.add_argument("--tries", type=int, default=20, help="how many seeds")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    entry = find_shared(asked) if asked.shared else search(asked)
    sys.stdout.write(f"{entry.as_text()}\n" if entry else "# not found: more steps, or more tries\n")


if __name__ == "__main__":
    main()
