"""Relabel the players of a draft: who bears which number of the schedule. No seat moves, so repeats and winds stay.

`settle` draws the labels by lot and brings those with a fixed table to it. `relabel` anneals the labels so that wishes
about pairs come true.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from tournament.seating.search.annealing_1 import WORST, anneal, cooling
from tournament.seating.search.annealing_search_budget import SearchBudget
from tournament.seating.search.schedule_1 import Field, Lines, count_meetings, tables_of
from tournament.seating.search.schedule_rng import Rng
from tournament.seating.search.wishes_1 import Kind, Wish

Costs: TypeAlias = Mapping[int, Mapping[int, int]]  # what it costs two related people to bear two labels
Exchange: TypeAlias = tuple[int, int, int]  # two players who exchange their labels; the change in cost

TRIES: Final = 64  # random greedy searches for players who never meet; where they fail, seats are swapped


def relabel(
    lines: Lines,
    table_size: int,
    weights: Mapping[Wish, int],
    fixed: Collection[int],
    steps: int,
    rng: Rng,
    budget: SearchBudget,
) -> tuple[list[list[int]], int]:
    """Return the rounds under the labels that miss least of the wishes, and the weight of what they miss.

    Fixed players keep their labels.
    """
    search = _Labels(lines, table_size, weights, fixed, rng)
    best, cost = list(search.label), search.cost
    if search.movers:
        best, cost = anneal(search, budget.cooled(steps, cooling(40, 4, slices=8)), goal=0)
    names = {label: player for player, label in enumerate(best)}
    return [[names[label] for label in line] for line in lines], cost


class _Labels:
    """The label of each player, and for each player the related ones with the costs of their labels."""

    def __init__(
        self, lines: Lines, table_size: int, weights: Mapping[Wish, int], fixed: Collection[int], rng: Rng
    ) -> None:
        self.rng = rng
        self.label = list(range(len(lines[0])))
        self.free = [player for player in self.label if player not in fixed]
        self.related: list[list[tuple[int, Costs]]] = [[] for _ in self.label]
        owed = 0
        for wish, weight in weights.items():
            costs, due = _costs_of(lines, table_size, wish, weight)
            for one, other in wish.pairs():
                self.related[one].append((other, costs))
                self.related[other].append((one, costs))
                owed += due
        self.movers = [player for player in self.free if self.related[player]]
        self.cost = owed + sum(map(self._cost, self.label)) // 2

    def copy(self) -> list[int]:
        return list(self.label)

    def proposals(self) -> Iterator[tuple[int, int, Exchange]]:
        """Yield exchanges of a mover's label with that of another free player."""
        bits, movers, free, label, cost = self.rng.bits, self.movers, self.free, self.label, self._cost
        while True:
            drawn, at = divmod(bits(64), len(movers))
            drawn, to = divmod(drawn, len(free))
            one, two = movers[at], free[to]
            change = WORST
            if one != two:
                change = -cost(one) - cost(two)
                label[one], label[two] = label[two], label[one]
                change += cost(one) + cost(two)
                label[one], label[two] = label[two], label[one]
            yield change, drawn, (one, two, change)

    def make(self, move: Exchange) -> None:
        one, two, change = move
        self.label[one], self.label[two] = self.label[two], self.label[one]
        self.cost += change

    def _cost(self, player: int) -> int:
        at, label = self.label[player], self.label
        cost = 0
        for other, costs in self.related[player]:
            if row := costs.get(at):
                cost += row.get(label[other], 0)
        return cost


def _costs_of(lines: Lines, table_size: int, wish: Wish, weight: int) -> tuple[Costs, int]:
    """Return what every two labels cost a pair of the wish, and what each pair owes before any label is given.

    Two who want to sit together owe all their rounds, and are refunded each round in which their labels meet.
    """
    price = -weight if wish.kind == Kind.TOGETHER else weight
    costs: dict[int, dict[int, int]] = {}
    meant = [line for number, line in enumerate(lines, start=1) if wish.holds_in(number)]
    for table in (table for line in meant for table in tables_of(line, table_size)):
        for one, other in combinations(table, 2):
            _add(costs, one, other, price)
            _add(costs, other, one, price)
    return costs, weight * len(meant) if wish.kind == Kind.TOGETHER else 0


def _add(costs: dict[int, dict[int, int]], one: int, other: int, price: int) -> None:
    row = costs.setdefault(one, {})
    row[other] = row.get(other, 0) + price


def settle(lines: Lines, wish: Field, rng: Rng) -> list[list[int]]:
    """Return the draft under random labels, and those with a fixed table in the first seats of it."""
    names = _draw_names(lines, wish, rng)
    renamed = [[names[player] for player in line] for line in lines]
    return [_seat_fixed(line, wish) for line in renamed] if wish.fixed else renamed


def _draw_names(lines: Lines, wish: Field, rng: Rng) -> Sequence[int]:
    """Draw a player for each label of the draft; labels that never meet go to players fixed to different tables.

    Those players can never meet. If their labels do not either, moving whole tables is enough to seat them.
    """
    names = rng.shuffled(range(wish.players))
    one_of_each = sorted({table: player for player, table in wish.fixed.items()}.values())
    strangers = find_strangers(lines, wish, len(one_of_each), rng)
    for stranger, name in zip(strangers, one_of_each, strict=False):
        holder = names.index(name)
        names[stranger], names[holder] = names[holder], names[stranger]
    return names


def find_strangers(lines: Lines, wish: Field, how_many: int, rng: Rng) -> list[int]:
    """Return an independent set of players, no two of whom ever meet; it may be smaller than asked for."""
    best: list[int] = []
    if how_many < 2:
        return best
    met = _opponents(lines, wish)
    for _ in range(TRIES):
        strangers: list[int] = []
        for player in rng.shuffled(range(wish.players)):
            if not met[player].intersection(strangers):
                strangers.append(player)
                if len(strangers) == how_many:
                    return strangers
        best = max(best, strangers, key=len)
    return best


def _opponents(lines: Lines, wish: Field) -> list[set[int]]:
    met: list[set[int]] = [set() for _ in range(wish.players)]
    for one, other in count_meetings(lines, wish.table_size):
        met[one].add(other)
        met[other].add(one)
    return met


def _seat_fixed(line: Sequence[int], wish: Field) -> list[int]:
    """Bring each player with a fixed table to it, with the whole table where nobody fixed sits there yet."""
    tables = [list(table) for table in tables_of(line, wish.table_size)]
    settled: set[int] = set()
    for player, target in wish.fixed.items():
        here = next(at for at, table in enumerate(tables) if player in table)
        if here != target and not settled & {here, target}:
            tables[here], tables[target] = tables[target], tables[here]
        settled.add(target)
    seats = [player for table in tables for player in table]
    for player, place in seats_of_fixed(wish).items():
        # within a table this changes nothing, between tables it may cost a repeat
        here = seats.index(player)
        seats[here], seats[place] = seats[place], seats[here]
    return seats


def seats_of_fixed(wish: Field) -> dict[int, int]:
    """Return the place in every line of each player with a fixed table: the first seats of that table."""
    taken: dict[int, int] = {}
    places: dict[int, int] = {}
    for player in sorted(wish.fixed):
        table = wish.fixed[player]
        places[player] = table * wish.table_size + taken.get(table, 0)
        taken[table] = taken.get(table, 0) + 1
    return places
