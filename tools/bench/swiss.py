"""Swiss rounds of simulated events against a plain greedy in the same run: `python -m tools.bench.swiss [SEEDS]`.

Prints repeats W over the whole event, the rank spread of the rounds after the first, and milliseconds of processor a
round. The greedy ones are our own, from descriptions alone: by standing, table by table from the top; the whole one
goes back to spare meetings again, as others describe it, the careless one never does.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from random import Random

from tournament.seating.search.by_standing import Pairing, Ranked, rank_by_order, swiss_round
from tournament.seating.search.schedule import Round

SIZES = [(40, 8), (200, 10)]
UMA = {3: (15_000, 0, -15_000), 4: (15_000, 5_000, -5_000, -15_000)}
NODES = 20_000  # of the whole greedy, each round
SKILL, LUCK = 4_000, 20_000  # points: what parts players from each other, and one game from the next

Draw = Callable[[Pairing, int], Sequence[Sequence[int]]]


def ours(pairing: Pairing, seed: int) -> Round:
    return swiss_round(pairing, seed=seed)


def careless_greedy(pairing: Pairing, seed: int) -> list[list[int]]:
    """Fill tables from the top with the next who met none there; where nobody is left, allow one meeting more."""
    met, rest, tables = pairing.meetings(), pairing.players, []
    while rest:
        allowed, table = 0, [rest[0]]
        while len(table) < pairing.table_size:
            table = [rest[0]]
            for player in rest[1:]:
                if len(table) < pairing.table_size and all(
                    met.get(frozenset((player, mate)), 0) <= allowed for mate in table
                ):
                    table.append(player)
            allowed += 1
        tables.append(table)
        rest = [player for player in rest if player not in table]
    return tables


def whole_greedy(pairing: Pairing, seed: int) -> list[list[int]]:
    """Fill tables by standing and go back over the last of them while nodes last: the plain one."""
    search = _Whole(pairing)
    search.seat([], range(len(pairing.order)), 0)
    return [[pairing.players[at] for at in table] for table in search.best]


class _Whole:
    """A recursive greedy: the allowance of a table rises only where nobody is left to fill it with a smaller one."""

    def __init__(self, pairing: Pairing) -> None:
        met, players = pairing.meetings(), pairing.players
        self.met = [[met.get(frozenset((one, other)), 0) for other in players] for one in players]
        self.size, self.nodes = pairing.table_size, 0
        self.best: list[list[int]] = []
        self.fewest = sys.maxsize

    def seat(self, tables: list[list[int]], rest: Sequence[int], repeats: int) -> None:
        """Seat the rest after these tables, keeping the round with the fewest meetings again."""
        if not rest:
            self.best, self.fewest = tables, repeats
        allowed, found = 0, not rest
        while not found and repeats + allowed < self.fewest and self._goes_on():
            for table, others, more in self._fill([rest[0]], rest[1:], allowed):
                found = True
                if repeats + more < self.fewest and self._goes_on():
                    self.seat([*tables, table], others, repeats + more)
            allowed += 1

    def _goes_on(self) -> bool:
        return self.nodes < NODES or not self.best

    def _fill(self, table: list[int], rest: Sequence[int], allowed: int) -> Iterator[tuple[list[int], list[int], int]]:
        """Yield the tables that begin so, the nearest first, with who is left and the meetings again."""
        if len(table) == self.size:
            yield table, list(rest), 0
            return
        for at, player in enumerate(rest):
            self.nodes += 1
            more = sum(self.met[player][mate] for mate in table)
            if more <= allowed and self._goes_on():
                others = [*rest[:at], *rest[at + 1 :]]
                for full, left, again in self._fill([*table, player], others, allowed - more):
                    yield full, left, again + more


@dataclass(slots=True)
class Played:
    """What came of one simulated event."""

    repeats: int = 0
    met_most: int = 0
    winds_spread: int = 0
    spreads: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def play(players: int, rounds: int, seed: int, draw: Draw, *, size: int = 4) -> Played:
    """Play an event: a first round by chance, the others drawn by standing; each game is skill and luck."""
    luck, found = Random(seed), Played()
    skill = [luck.gauss(0, SKILL) for _ in range(players)]
    totals = [0] * players
    first = list(range(players))
    luck.shuffle(first)
    played: list[Sequence[Sequence[int]]] = []
    for number in range(rounds):
        order = sorted(range(players), key=lambda player: (-totals[player], player))
        tables: Sequence[Sequence[int]] = [first[at : at + size] for at in range(0, players, size)]
        if number:
            tables = _timed(Pairing(_ranked(order, totals), size, played), seed * 100 + number, draw, found)
        played.append(tables)
        for table in tables:
            _score(table, skill, totals, luck)
    met = Pairing(rank_by_order(range(players)), size, played).meetings()
    found.repeats = sum(comb(times, 2) for times in met.values())
    found.met_most = max(met.values())
    had = [
        [sum(table[seat] == who for one in played for table in one) for seat in range(size)] for who in range(players)
    ]
    found.winds_spread = max(max(times) - min(times) for times in had)
    return found


def _ranked(order: Sequence[int], totals: Sequence[int]) -> list[Ranked]:
    points = [totals[player] for player in order]
    return [Ranked(player, points.index(totals[player]) + 1) for player in order]


def _timed(pairing: Pairing, seed: int, draw: Draw, found: Played) -> Sequence[Sequence[int]]:
    start = time.process_time()
    tables = draw(pairing, seed)
    found.milliseconds.append((time.process_time() - start) * 1000)
    at = {each.player: place for place, each in enumerate(pairing.order)}
    widths = [max(at[player] for player in table) - min(at[player] for player in table) for table in tables]
    found.spreads.append(sum(widths) / len(widths))
    return tables


def _score(table: Sequence[int], skill: Sequence[float], totals: list[int], luck: Random) -> None:
    points = {player: round(skill[player] + luck.gauss(0, LUCK), -2) for player in table}
    mean = sum(points.values()) / len(table)
    for player, uma in zip(sorted(table, key=lambda each: -points[each]), UMA[len(table)], strict=True):
        totals[player] += int(points[player] - mean) + uma


@dataclass(frozen=True, slots=True)
class Figures:
    """One way to draw over all seeds: worst and mean repeats, the most meetings, mean spread, median and worst ms."""

    repeats_most: int
    repeats_mean: float
    met_most: int
    spread: float
    winds_spread: int
    ms: float
    ms_most: float


def measure(players: int, rounds: int, seeds: Sequence[int], draw: Draw, *, size: int = 4) -> Figures:
    """Return the figures of events of one size."""
    events = [play(players, rounds, seed, draw, size=size) for seed in seeds]
    every = [ms for event in events for ms in event.milliseconds]
    return Figures(
        repeats_most=max(event.repeats for event in events),
        repeats_mean=round(statistics.mean(event.repeats for event in events), 2),
        met_most=max(event.met_most for event in events),
        spread=round(statistics.mean(spread for event in events for spread in event.spreads), 2),
        winds_spread=max(event.winds_spread for event in events),
        ms=round(statistics.median(every), 1),
        ms_most=round(max(every), 1),
    )


DRAWS: dict[str, Draw] = {"ours": ours, "whole greedy": whole_greedy, "careless greedy": careless_greedy}


def main() -> int:
    """Measure over so many seeds and print a line for each size and way."""
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    for players, rounds in SIZES:
        for name, draw in DRAWS.items():
            sys.stdout.write(f"{players}x{rounds} {name}: {measure(players, rounds, seeds, draw)}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
