"""Wishes of the organiser, in order, the first matters most; and a draft relabelled by them, in which no seat moves.

`outcome` counts how often each is missed. Rounds count from 1; players and tables have the numbers of the schedule,
from 0.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from types import MappingProxyType
from typing import Final, TypeAlias

from scoring.problems import ProblemType
from tournament.seating.search.annealing import WORST, SearchBudget, anneal, cooling
from tournament.seating.search.schedule import Field, Lines, Rng, SeatingError, count_meetings, tables_of

SEATING_WISH_TWICE = ProblemType("seating.wish_twice", "Two wishes are both called {key}.")
SEATING_WISH_PLAYER_UNKNOWN = ProblemType("seating.wish_player_unknown", "Wish {key}: there is no player {player}.")
SEATING_WISH_ROUND_UNKNOWN = ProblemType(
    "seating.wish_round_unknown", "Wish {key}: there is no round {round}, only 1 to {last}."
)
SEATING_WISH_TABLE_UNKNOWN = ProblemType("seating.wish_table_unknown", "Wish {key}: there is no table {table}.")


class Kind(StrEnum):
    """The kinds of wishes."""

    FIXED = "fixed"  # players who keep one table in every round: always met, wherever in the order
    TOGETHER = "together"  # groups who sit at one table in the given rounds
    APART = "apart"  # groups of whom no two sit at one table in the given rounds
    SEEDS = "seeds"  # the same for players of about one strength
    REPEATS = "repeats"  # as few repeats as possible, third meetings least of all
    WINDS = "winds"  # each starting wind equally often
    TABLES = "tables"  # nobody comes to one table more often than necessary
    ROOMS = "rooms"  # nobody stays in one room all day, and nobody changes rooms every time
    INDIRECT = "indirect"  # two who never meet have opponents in common


PAIRS: Final = (Kind.TOGETHER, Kind.APART, Kind.SEEDS)  # the kinds that speak of two players in a round


@dataclass(frozen=True, slots=True)
class Wish:
    """One wish: its kind, its key in reports, and the parameters of the kind.

    `groups`: players of TOGETHER, APART and SEEDS. `rounds`: where it applies, all if empty. `places`: (player, table)
    for FIXED, (table, room) for ROOMS. `least`: shared opponents for INDIRECT.
    """

    kind: Kind
    key: str
    groups: tuple[tuple[int, ...], ...] = ()
    rounds: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    least: int = 1

    def holds_in(self, number: int) -> bool:
        """Whether the wish applies to a round, counted from 1."""
        return not self.rounds or number in self.rounds

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield every two players of one group, the lower number first, each pair once."""
        yield from sorted({pair for group in self.groups for pair in combinations(sorted(set(group)), 2)})


REPEATS: Final = Wish(Kind.REPEATS, "repeats")
WINDS: Final = Wish(Kind.WINDS, "winds")
TABLES: Final = Wish(Kind.TABLES, "tables")


def keep_apart(key: str, groups: Iterable[Sequence[int]], rounds: Iterable[int] = ()) -> Wish:
    """Wish that no two of a group (club, country, family, two names) sit at one table in these rounds."""
    return Wish(Kind.APART, key, _groups(groups), tuple(sorted(set(rounds))))


def bring_together(key: str, groups: Iterable[Sequence[int]], rounds: Iterable[int]) -> Wish:
    """Wish that each group sits at one table in these rounds."""
    return Wish(Kind.TOGETHER, key, _groups(groups), tuple(sorted(set(rounds))))


def spread_seeds(ranked: Sequence[int], tables: int, *, tiers: int = 1, rounds: Iterable[int] = (1,)) -> Wish:
    """Wish that the strongest are spread: of the top T (T tables) one at each table, likewise of the next T, and so on.

    `ranked`: the rated players from the strongest down.

    >>> spread_seeds([7, 3, 0, 5, 1], tables=2, tiers=2).groups
    ((7, 3), (0, 5))
    """
    groups = [ranked[at : at + tables] for at in range(0, min(len(ranked), tiers * tables), tables)]
    return Wish(Kind.SEEDS, "seeds", _groups(groups), tuple(sorted(set(rounds))))


def keep_tables(fixed: Mapping[int, int]) -> Wish:
    """Wish that players keep a table in every round."""
    return Wish(Kind.FIXED, "fixed", places=tuple(sorted(fixed.items())))


def mix_rooms(rooms: Mapping[int, int]) -> Wish:
    """Wish that nobody stays in one room throughout and nobody changes rooms every time; `rooms`: room by table."""
    return Wish(Kind.ROOMS, "rooms", places=tuple(sorted(rooms.items())))


def share_opponents(least: int = 1) -> Wish:
    """Wish that two who never meet have at least this many opponents in common."""
    return Wish(Kind.INDIRECT, "indirect", least=least)


def _groups(groups: Iterable[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(group) for group in groups if len(set(group)) > 1)


@dataclass(frozen=True, slots=True)
class Wishes:
    """Wishes in the organiser's order, the most important first. Raises SeatingError if two share a key."""

    order: tuple[Wish, ...] = (REPEATS, WINDS, TABLES)

    def __post_init__(self) -> None:
        keys = [wish.key for wish in self.order]
        for key in keys:
            if keys.count(key) > 1:
                raise SeatingError(SEATING_WISH_TWICE(key=key))

    @property
    def fixed(self) -> dict[int, int]:
        """The table of each player who keeps one."""
        return {player: table for wish in self.of(Kind.FIXED) for player, table in wish.places}

    @property
    def rooms(self) -> dict[int, int]:
        """The room of each table."""
        return {table: room for wish in self.of(Kind.ROOMS) for table, room in wish.places}

    def of(self, *kinds: Kind) -> list[Wish]:
        """Return the wishes of these kinds, in order."""
        return [wish for wish in self.order if wish.kind in kinds]

    def rank(self, kind: Kind) -> int:
        """Return the place of the first wish of a kind in the order, or the number of wishes if there is none."""
        return next((at for at, wish in enumerate(self.order) if wish.kind == kind), len(self.order))

    def check(self, players: int, tables: int, rounds: int) -> None:
        """Raise SeatingError if a wish names a player, table or round that does not exist."""
        for wish in self.order:
            for player in (player for group in wish.groups for player in group):
                if not 0 <= player < players:
                    raise SeatingError(SEATING_WISH_PLAYER_UNKNOWN(key=wish.key, player=player))
            for number in wish.rounds:
                if not 1 <= number <= rounds:
                    raise SeatingError(SEATING_WISH_ROUND_UNKNOWN(key=wish.key, round=number, last=rounds))
            for table, _ in wish.places if wish.kind == Kind.ROOMS else ():
                if not 0 <= table < tables:
                    raise SeatingError(SEATING_WISH_TABLE_UNKNOWN(key=wish.key, table=table))


# The order of kinds by the name of a preset, as a page offers them.
PRESETS: Final[Mapping[str, tuple[Kind, ...]]] = MappingProxyType(
    {
        "meetings": (
            *(Kind.FIXED, Kind.TOGETHER, Kind.REPEATS, Kind.WINDS, Kind.APART),
            *(Kind.SEEDS, Kind.TABLES, Kind.ROOMS, Kind.INDIRECT),
        ),
        "apart": (
            *(Kind.FIXED, Kind.TOGETHER, Kind.APART, Kind.SEEDS, Kind.REPEATS),
            *(Kind.WINDS, Kind.TABLES, Kind.ROOMS, Kind.INDIRECT),
        ),
        "tables": (
            *(Kind.FIXED, Kind.TOGETHER, Kind.TABLES, Kind.ROOMS, Kind.REPEATS),
            *(Kind.WINDS, Kind.APART, Kind.SEEDS, Kind.INDIRECT),
        ),
    }
)


def preset(name: str, wishes: Iterable[Wish] = ()) -> Wishes:
    """Return the wishes in the order of a preset, with the repeats, winds and tables of every draw.

    >>> [wish.key for wish in preset("apart", [keep_apart("clubs", [(0, 1)])]).order]
    ['clubs', 'repeats', 'winds', 'tables']
    """
    order = PRESETS[name]
    given = list(wishes)
    kinds = {wish.kind for wish in given}
    given += [wish for wish in (REPEATS, WINDS, TABLES) if wish.kind not in kinds]
    return Wishes(tuple(sorted(given, key=lambda wish: order.index(wish.kind))))


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
    met: list[set[int]] = [set() for _ in range(wish.players)]
    for one, other in count_meetings(lines, wish.table_size):
        met[one].add(other)
        met[other].add(one)
    for _ in range(TRIES):
        strangers: list[int] = []
        for player in rng.shuffled(range(wish.players)):
            if not met[player].intersection(strangers):
                strangers.append(player)
                if len(strangers) == how_many:
                    return strangers
        best = max(best, strangers, key=len)
    return best


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
