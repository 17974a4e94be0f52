"""Rounds by standing: Swiss, progressive, interval, snake, in order of rank, by lot; and the report of a round.

Each format takes a Pairing and a seed and returns the tables. Interval, snake, ranked and lot set the tables by format
and ignore wishes; `count_round` says what they miss, counted from the bare seats.

Swiss and progressive rounds are searched: players of nearby ranks at a table, with as few meeting again as possible. A
greedy round first, then annealing by swaps of players of nearby ranks, then large neighbourhood search, which takes a
few tables apart and reassembles them exactly. Steps decide, never the clock, so one standing and seed give one round
everywhere.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Final, Literal, NamedTuple, TypeAlias

from scoring.problems import ProblemType
from tournament.seating.search.annealing import WORST, Acceptance, anneal, cooling
from tournament.seating.search.quality import (
    SEATING_PLAYER_TWICE,
    SEATING_TABLE_WRONG_SIZE,
    SEATING_TABLES_WRONG_NUMBER,
    count_visits,
    count_winds,
)
from tournament.seating.search.schedule import NOBODY, Field, Rng, Round, SeatingError, Table, check_fixed, tables_of

STEPS: Final = 400  # swaps for each player of a round, up to
MAX_STEPS: Final = 16_000
WORK: Final = 400  # nodes and weighed tables for each player, up to
MAX_WORK: Final = 16_000
COOLING: Final = (58, 24)  # of 64 swaps that cost one rank, those accepted: the start is good, so it never gets hot
SLICES: Final = 20
SOFT: Final = (14, 30)  # ranks that a repeat costs in annealing, at first and at last: a wall would stop all swaps
REACH: Final = 12  # positions between two who swap, at most

Tables: TypeAlias = Sequence[Sequence[int]]
Swap: TypeAlias = tuple[int, int, list[int], list[int], int]  # two players, their new tables, the change in cost

# What a meeting costs, in ranks of a table's spread.
REPEAT: Final = 400  # the second meeting
THRICE: Final = 40_000  # each further one, times the meetings before
GROUP: Final = 4_000  # two of one team or club
APART: Final = 4_000_000  # a forbidden pair

Played: TypeAlias = Sequence[Sequence[Sequence[int]]]  # rounds of tables of players in seat order, of any size
Pairs: TypeAlias = Mapping[frozenset[int], int]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player, by any number, and the rank; equal ranks are shared."""

    player: int
    rank: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """Players in order of standing, best first, at tables of `table_size`, after the rounds `played`.

    Players in `played` but not in the order (gone, or substitutes) are ignored. `fixed` maps a player to a fixed table
    (from 0), `apart` are pairs who must not meet, `groups` the teams and clubs of a player. Raises SeatingError if the
    numbers do not go together.
    """

    order: Sequence[Ranked]
    table_size: int
    played: Played = ()
    fixed: Mapping[int, int] = field(default_factory=lambda: NOBODY)
    apart: Collection[frozenset[int]] = ()
    groups: Mapping[int, Collection[str]] = field(default_factory=lambda: NO_GROUPS)

    def __post_init__(self) -> None:
        Field(len(self.order), self.table_size, 1)
        twice = [player for player, times in Counter(self.players).items() if times > 1]
        if twice:
            raise SeatingError(SEATING_ORDER_TWICE(player=min(twice)))
        for before, after in pairwise(self.order):
            if after.rank < before.rank:
                raise SeatingError(SEATING_ORDER_FALLS(player=after.player, rank=after.rank, before=before.rank))
        present = set(self.players)
        check_fixed({who: at for who, at in self.fixed.items() if who in present}, self.tables, self.table_size)

    @property
    def tables(self) -> int:
        return len(self.order) // self.table_size

    @property
    def players(self) -> list[int]:
        return [each.player for each in self.order]

    @property
    def ranks(self) -> list[int]:
        return [each.rank for each in self.order]

    def meetings(self) -> Pairs:
        """Return how often every two have sat at one table so far."""
        return Counter(frozenset(pair) for tables in self.played for table in tables for pair in combinations(table, 2))

    def prices(self) -> list[list[int]]:
        """Return for every two positions what it costs to seat them together."""
        place = {player: at for at, player in enumerate(self.players)}
        prices = [[0] * len(place) for _ in place]
        dear = Counter({pair: REPEAT if times == 1 else THRICE * times for pair, times in self.meetings().items()})
        dear.update(dict.fromkeys(set(self.apart), APART))
        dear.update(dict.fromkeys(self._of_one_group(), GROUP))
        for (one, other), price in dear.items():
            if one in place and other in place:
                prices[place[one]][place[other]] = prices[place[other]][place[one]] = price
        return prices

    def pinned(self) -> dict[int, int]:
        """Return the positions that have a fixed table, and which."""
        return {at: self.fixed[each.player] for at, each in enumerate(self.order) if each.player in self.fixed}

    def _of_one_group(self) -> set[frozenset[int]]:
        """Return the pairs of players who are in one group or more together."""
        members: dict[str, list[int]] = {}
        for player in self.players:
            for group in set(self.groups.get(player, ())):
                members.setdefault(group, []).append(player)
        return {frozenset(pair) for each in members.values() for pair in combinations(each, 2)}


def search_round(pairing: Pairing, ranks: Sequence[int], rng: Rng) -> list[list[int]]:
    """Return the cheapest tables of positions found: the ranks that each spans, plus the prices of its pairs."""
    order = sorted(rng.shuffled(range(len(ranks))), key=lambda at: ranks[at])  # those of equal rank shuffled
    prices = pairing.prices()
    costs = TableCosts([ranks[at] for at in order], [[prices[one][other] for other in order] for one in order])
    pinned = {order.index(at): table for at, table in pairing.pinned().items()}
    blind = TableCosts(costs.ranks, [[0] * len(order)] * len(order))  # looks at nothing but the order
    starts = [seat_greedily(each, pinned, pairing.table_size) for each in (costs, blind)]
    start = min(starts, key=lambda tables: sum(map(costs.of, tables)))
    swapped = swap_players(start, costs, pinned, min(MAX_STEPS, STEPS * len(order)), rng)
    kept = {at for at, table in enumerate(swapped) if any(place in pinned for place in table)}
    search = LargeNeighbourhoodSearch(swapped, costs, kept, rng)
    search.mend()
    search.improve(min(MAX_WORK, WORK * len(order)))
    search.mend()
    return [[order[place] for place in table] for table in search.tables]


@dataclass(frozen=True, slots=True)
class TableCosts:
    """The cost of a table: the ranks that it spans, and the prices of its pairs."""

    ranks: Sequence[int]
    prices: Sequence[Sequence[int]]

    def spread(self, table: Sequence[int]) -> int:
        return self.ranks[max(table)] - self.ranks[min(table)]

    def priced(self, table: Sequence[int]) -> int:
        return sum(self.prices[one][other] for one, other in combinations(table, 2))

    def of(self, table: Sequence[int]) -> int:
        return self.spread(table) + self.priced(table)


def seat_greedily(costs: TableCosts, pinned: Mapping[int, int], size: int) -> list[list[int]]:
    """Return tables filled one by one from the top, each next seat with the cheapest, then the nearest.

    Tables that are somebody's for good come first, so that the last of them still finds mates.
    """
    rest = [place for place in range(len(costs.ranks)) if place not in pinned]
    leads = {table: sorted(place for place in pinned if pinned[place] == table) for table in pinned.values()}
    tables = [_fill(lead, rest, costs, size) for lead in sorted(leads.values())]
    while rest:
        tables.append(_fill([rest.pop(0)], rest, costs, size))
    return tables


def _fill(table: list[int], rest: list[int], costs: TableCosts, size: int) -> list[int]:
    lead = table[0]
    price = [sum(of_place) for of_place in zip(*(costs.prices[mate] for mate in table), strict=True)]
    while len(table) < size:
        place = min(rest, key=lambda place: (price[place], abs(place - lead)))
        rest.remove(place)
        table.append(place)
        price = [before + more for before, more in zip(price, costs.prices[place], strict=True)]
    return table


def swap_players(tables: Tables, costs: TableCosts, pinned: Collection[int], steps: int, rng: Rng) -> list[list[int]]:
    """Return the cheapest tables of positions seen in so many steps; the given ones if nothing is cheaper."""
    swaps = _Swaps(tables, costs, pinned, rng)
    return anneal(swaps, swaps.hardening(steps), goal=0)[0]


class _Swaps:
    """Tables of positions and their cost. A proposal counts a repeat as `soft` ranks, the cost at its whole price."""

    def __init__(self, tables: Tables, costs: TableCosts, pinned: Collection[int], rng: Rng) -> None:
        self.tables = [list(table) for table in tables]
        self.ranks, self.prices = costs.ranks, costs.prices
        self.rng = rng
        self.pinned = [at in pinned for at in range(len(self.ranks))]
        self.table_of = [0] * len(self.ranks)
        for at, table in enumerate(tables):
            for player in table:
                self.table_of[player] = at
        self.cost = sum(costs.of(table) for table in tables)
        self.cheap = min((price for row in self.prices for price in row if price), default=1)
        self.soft = 0

    def copy(self) -> list[list[int]]:
        return [list(table) for table in self.tables]

    def hardening(self, steps: int) -> Iterator[tuple[range, Acceptance]]:
        """Yield the slices of the annealing; a repeat costs more in each."""
        for at, acceptance in zip(range(SLICES), cooling(*COOLING, slices=SLICES), strict=False):
            self.soft = min(SOFT[0] + (SOFT[1] - SOFT[0]) * at // (SLICES - 1), self.cheap)
            yield range(steps // SLICES), acceptance

    def proposals(self) -> Iterator[tuple[int, int, Swap]]:
        """Yield swaps of two players of nearby ranks."""
        bits, players, ranks, prices = self.rng.bits, len(self.ranks), self.ranks, self.prices
        tables, table_of, pinned, cheap = self.tables, self.table_of, self.pinned, self.cheap
        reach = min(REACH, players - 1)
        no_swap: tuple[int, int, Swap] = (WORST, 0, (0, 0, [], [], 0))
        while True:
            drawn, one = divmod(bits(48), players)
            drawn, apart = divmod(drawn, reach)
            two = one + apart + 1
            if two >= players or table_of[one] == table_of[two] or pinned[one] or pinned[two]:
                yield no_swap
                continue
            left, right = tables[table_of[one]], tables[table_of[two]]
            of_one, of_two = prices[one], prices[two]
            mates = [mate for mate in left if mate != one]
            others = [mate for mate in right if mate != two]
            price = 0
            for mate in mates:
                price += of_two[mate] - of_one[mate]
            for mate in others:
                price += of_one[mate] - of_two[mate]
            mates.append(two)
            others.append(one)
            wider = ranks[max(mates)] - ranks[min(mates)] + ranks[max(others)] - ranks[min(others)]
            wider -= ranks[max(left)] - ranks[min(left)] + ranks[max(right)] - ranks[min(right)]
            yield wider + price * self.soft // cheap, drawn, (one, two, mates, others, wider + price)

    def make(self, move: Swap) -> None:
        one, two, mates, others, change = move
        table_of, tables = self.table_of, self.tables
        tables[table_of[one]], tables[table_of[two]] = mates, others
        table_of[one], table_of[two] = table_of[two], table_of[one]
        self.cost += change


SMALL: Final = 12  # fields up to this size are taken apart whole, with repeats priced instead of excluded
SCATTER: Final = 24  # random ranks added to the distance between tables that are taken apart together


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a neighbourhood.

    About `groups` possible tables, up to `slack` ranks wider than the widest one taken apart. The search for a
    partition has `nodes`; each branches on the hardest to seat among the first `tried` players.
    """

    groups: int
    slack: int
    nodes: int
    tried: int


FINE: Final = Scale(groups=250, slack=4, nodes=150, tried=3)
MEND: Final = Scale(groups=1200, slack=24, nodes=400, tried=20)  # for the repeats that remain
MENDS: Final = 16  # tries at mending
STIR: Final = 6  # random ranks added to each possible table in the second try at mending, twice in the third …


class Group(NamedTuple):
    """A possible table: its players as bits, and its cost."""

    cost: int
    mask: int


class LargeNeighbourhoodSearch:
    """Tables of positions, sorted, with those that may not be taken apart."""

    def __init__(self, tables: Sequence[Sequence[int]], costs: TableCosts, kept: set[int], rng: Rng) -> None:
        self.tables = [sorted(table) for table in tables]
        self.costs = costs
        self.cost = [costs.of(table) for table in self.tables]
        self.free = [at for at in range(len(tables)) if at not in kept]
        self.rng = rng
        self.size = len(tables[0])
        self.players = len(costs.ranks)
        self.whole = self.players <= SMALL
        self.may_meet = [self._may_meet(at) for at in range(self.players)]
        self.work = 0

    def mend(self) -> None:
        """Remove repeats and other priced pairs, at any width."""
        many = self._how_many_at_once(MEND)
        for tries in range(MENDS):
            bad = [at for at in self.free if self.costs.priced(self.tables[at])]
            if not bad or len(self.free) < 2 or self.whole:
                return
            # the same tables again would give the same result: take more, or stir the order of possible tables
            weighed = self._reassemble(self._pick(bad, many), MEND, stir=STIR * tries)
            if weighed < MEND.groups:
                many = min(many + 1, len(self.free))

    def improve(self, work: int) -> None:
        """Lower the cost of the tables within an amount of work (nodes and possible tables)."""
        many, tries = self._how_many_at_once(FINE), 0
        while self.work < work and len(self.free) > 1 and any(self.cost):
            bad = [at for at in self.free if self.costs.priced(self.tables[at])] if tries % 2 == 0 else []
            self._reassemble(self._pick(bad or self.free, many), FINE)
            tries += 1
            self.work += 20
            if many == len(self.free):
                break

    def _may_meet(self, one: int) -> int:
        row = self.costs.prices[one]
        return sum(1 << at for at in range(self.players) if at != one and (self.whole or not row[at]))

    def _how_many_at_once(self, scale: Scale) -> int:
        """Return how many tables to take apart so that about `scale.groups` tables are possible."""
        if self.whole:
            return len(self.free)
        pairs = comb(self.size, 2)
        meet, every = sum(mask.bit_count() for mask in self.may_meet), self.players * (self.players - 1)
        many = 3
        while comb((many + 1) * self.size, self.size) * meet**pairs <= scale.groups * every**pairs:
            many += 1
            if many >= len(self.free):
                break
        return min(many, len(self.free))

    def _pick(self, around: Sequence[int], many: int) -> list[int]:
        """Return tables near to each other by rank, around one of the given."""
        centre = around[self.rng.below(len(around))]
        middle = self.tables[centre][0] + self.tables[centre][-1]
        scatter = min(self.players, SCATTER) // 2 + 1

        def distance(at: int) -> int:
            return abs(self.tables[at][0] + self.tables[at][-1] - middle) + self.rng.below(scatter)

        far = {at: distance(at) for at in self.free if at != centre}
        return [centre, *sorted(far, key=lambda at: (far[at], at))[: many - 1]]

    def _reassemble(self, picked: Sequence[int], scale: Scale, stir: int = 0) -> int:
        """Reassemble the players of these tables if that is cheaper; return how many tables were possible."""
        seats = sorted(player for at in picked for player in self.tables[at])
        limit = scale.slack + max(self.costs.spread(self.tables[at]) for at in picked)
        groups = self._groups(seats, self.players * max(limit, 1) if self.whole else limit)
        known = {group.mask for group in groups}
        for at in picked:
            mask = sum(1 << player for player in self.tables[at])
            if mask not in known:
                groups.append(Group(self.cost[at], mask))
        groups.sort(key=lambda group: (group.cost + (self.rng.below(stir) if stir else 0), group.mask))
        nodes = scale.nodes * 20 if self.whole else scale.nodes
        cover = _Partition(groups, seats, self.size, sum(self.cost[at] for at in picked), nodes, scale.tried)
        self.work += len(groups) // 2 + cover.nodes * 4
        for at, mask in zip(picked, cover.best, strict=False):
            self.tables[at] = [player for player in seats if mask >> player & 1]
            self.cost[at] = self.costs.of(self.tables[at])
        return len(groups)

    def _groups(self, seats: Sequence[int], limit: int) -> list[Group]:
        """Return every table of these players who may all meet, no wider than the limit."""
        found: list[Group] = []
        everybody = sum(1 << player for player in seats)
        ranks, may_meet, last = self.costs.ranks, self.may_meet, self.size - 1

        def grow(mask: int, others: int, seated: int, first: int) -> None:
            while others:
                bit = others & -others
                others ^= bit
                player = bit.bit_length() - 1
                cost = ranks[player] - first
                if cost > limit:
                    return
                if seated == last:
                    found.append(Group(cost, mask | bit))
                else:
                    grow(mask | bit, others & may_meet[player], seated + 1, first)

        for player in seats:
            grow(1 << player, everybody & may_meet[player] & -(2 << player), 1, ranks[player])
        return [self._priced(group) for group in found] if self.whole else found

    def _priced(self, group: Group) -> Group:
        table = [player for player in range(self.players) if group.mask >> player & 1]
        return Group(group.cost + self.costs.priced(table), group.mask)


class _Partition:
    """Branch and bound for groups that seat everybody once for less than a bound; `best` is empty if none do."""

    def __init__(
        self, groups: list[Group], seats: Sequence[int], size: int, bound: int, most_nodes: int, tried: int
    ) -> None:
        self.of: dict[int, list[Group]] = {1 << player: [] for player in seats}
        for group in groups:
            for bit in self._bits(group.mask):
                self.of[bit].append(group)
        self.size = size
        self.bound = bound
        self.most_nodes = most_nodes
        self.tried = tried
        self.nodes = 0
        self.best: list[int] = []
        # lower bound: each player pays at least an equal part of the cheapest table that seats them
        self.share = {bit: min(group.cost for group in among) for bit, among in self.of.items()}
        self._search(sum(1 << player for player in seats), 0, sum(self.share.values()), [], self.of)

    def _bits(self, mask: int) -> list[int]:
        bits = []
        while mask:
            bits.append(mask & -mask)
            mask &= mask - 1
        return bits

    def _search(
        self, rest: int, cost: int, shares: int, chosen: list[int], fitting: Mapping[int, Sequence[Group]]
    ) -> None:
        if not rest:
            self.bound, self.best = cost, list(chosen)
            return
        self.nodes += 1
        left_over = self._narrow(rest, fitting)
        for group in min(left_over.values(), key=len):
            if self.nodes >= self.most_nodes:
                return
            left = shares - sum(self.share[bit] for bit in self._bits(group.mask))
            if (cost + group.cost) * self.size + left < self.bound * self.size:
                chosen.append(group.mask)
                self._search(rest ^ group.mask, cost + group.cost, left, chosen, {**fitting, **left_over})
                chosen.pop()

    def _narrow(self, rest: int, fitting: Mapping[int, Sequence[Group]]) -> dict[int, list[Group]]:
        """Return the groups that still fit each of the first few of the rest, stopping at one who has none."""
        narrowed: dict[int, list[Group]] = {}
        for bit in self._bits(rest)[: self.tried]:
            narrowed[bit] = [group for group in fitting[bit] if group.mask | rest == rest]
            if not narrowed[bit]:
                break
        return narrowed


SEATING_ORDER_TWICE = ProblemType("seating.order_twice", "Player {player} appears twice in the order of standing.")
SEATING_ORDER_FALLS = ProblemType(
    "seating.order_falls", "Player {player} has rank {rank} but comes after rank {before}: the order is best first."
)

NO_GROUPS: Final[Mapping[int, tuple[str, ...]]] = {}


def rank_by_order(players: Sequence[int]) -> list[Ranked]:
    """Return players in order as ranked 1, 2, 3 …, nobody sharing.

    >>> rank_by_order([7, 4])[1]
    Ranked(player=4, rank=2)
    """
    return [Ranked(player, rank) for rank, player in enumerate(players, start=1)]


SEATING_PLAYER_UNRANKED = ProblemType(
    "seating.player_unranked", "Round {round}, table {table}: player {player} is not in the order of standing."
)
ROUND_APART = ProblemType("round.apart", "Two who are to be kept apart sit at one table.")
ROUND_FIXED_TABLE = ProblemType("round.fixed_table", "Somebody does not sit at the table kept for them.")
ROUND_GROUP = ProblemType("round.group", "Two of one team or club sit at one table.")
ROUND_THRICE = ProblemType("round.thrice", "Two meet for the third time or more.")

Seats: TypeAlias = Sequence[Sequence[int]]


class MetAgain(NamedTuple):
    """Two players of one table who had met before, and how often they meet with this round."""

    players: tuple[int, int]
    times: int


class Missed(NamedTuple):
    """A wish that this round misses: its code, the players, and the reason.

    Codes: `round.apart` and `round.group` (two at one table), `round.fixed_table` (one elsewhere), `round.thrice` (two
    meet for the third time or more). Reasons: `not_asked` where the format sets the tables, `crowded` where more of a
    group play than there are tables, `conflict` where nothing better was found.
    """

    code: str
    players: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundReport:
    """The figures of one round. Ranks are those of the standing that it was drawn from.

    `repeats` is what the round adds to the sum over pairs of m(m - 1)/2, `met_again` who they are, `met_most` the
    largest m at any table. A table's width is its largest less its smallest rank: `rank_width` is their sum,
    `rank_width_most` the largest. `winds_spread` is the largest minus smallest count of one starting wind for one
    player, with the rounds before; `tables_kept` counts players at the table number they had in the round before.
    """

    repeats: int
    met_again: tuple[MetAgain, ...]
    met_most: int
    rank_width: int
    rank_width_most: int
    tables: int
    winds_spread: int
    tables_kept: int
    missed: tuple[Missed, ...]

    @property
    def rank_spread(self) -> float:
        """Return the mean width of a table, in ranks; for display only."""
        return self.rank_width / self.tables


def count_round(tables: Seats, asked: Pairing, *, searched: bool = True) -> RoundReport:
    """Return the report of a round after `asked.played`; players are those of `asked.order`.

    `searched`: whether the format takes account of wishes. Raises SeatingError if somebody is missing, sits twice or is
    unknown, or a table has the wrong size.
    """
    rank_of = {each.player: each.rank for each in asked.order}
    _check_seats(tables, rank_of, asked)
    before = Counter(
        tuple(sorted(pair)) for seats in asked.played for table in seats for pair in combinations(table, 2)
    )
    pairs = [(one, other) for table in tables for one, other in combinations(sorted(table), 2)]
    again = [MetAgain(pair, before[pair] + 1) for pair in pairs if before[pair]]
    widths = [max(rank_of[player] for player in table) - min(rank_of[player] for player in table) for table in tables]
    return RoundReport(
        repeats=sum(each.times - 1 for each in again),
        met_again=tuple(sorted(again)),
        met_most=max((each.times for each in again), default=1),
        rank_width=sum(widths),
        rank_width_most=max(widths),
        tables=len(tables),
        winds_spread=_winds_spread(tables, asked),
        tables_kept=_tables_kept(tables, asked),
        missed=tuple(_missed(tables, asked, again, searched=searched)),
    )


def _check_seats(tables: Seats, rank_of: Mapping[int, int], asked: Pairing) -> None:
    number, seen = len(asked.played) + 1, set[int]()
    wanted = len(rank_of) // asked.table_size
    if len(tables) != wanted:
        raise SeatingError(SEATING_TABLES_WRONG_NUMBER(round=number, found=len(tables), tables=wanted))
    for at, table in enumerate(tables):
        if len(table) != asked.table_size:
            raise SeatingError(
                SEATING_TABLE_WRONG_SIZE(round=number, table=at, found=len(table), table_size=asked.table_size)
            )
        for player in table:
            if player not in rank_of:
                raise SeatingError(SEATING_PLAYER_UNRANKED(round=number, table=at, player=player))
            if player in seen:
                raise SeatingError(SEATING_PLAYER_TWICE(round=number, player=player))
            seen.add(player)


def _winds_spread(tables: Seats, asked: Pairing) -> int:
    """Return the worst spread of those who sit now; a seat beyond the table size has no wind of this game."""
    had: dict[int, list[int]] = {player: [0] * asked.table_size for table in tables for player in table}
    for seats in (*asked.played, tables):
        for table in seats:
            for seat, player in enumerate(table):
                if player in had and seat < asked.table_size:
                    had[player][seat] += 1
    return max(max(times) - min(times) for times in had.values())


def _tables_kept(tables: Seats, asked: Pairing) -> int:
    if not asked.played:
        return 0
    stayed = (set(old) & set(new) for old, new in zip(asked.played[-1], tables, strict=False))
    return sum(player not in asked.fixed for players in stayed for player in players)


def _missed(tables: Seats, asked: Pairing, again: Sequence[MetAgain], *, searched: bool) -> Iterator[Missed]:
    reason = "conflict" if searched else "not_asked"
    apart = {frozenset(pair) for pair in asked.apart}
    members = Counter(group for table in tables for player in table for group in asked.groups.get(player, ()))
    for at, table in enumerate(tables):
        for pair in combinations(sorted(table), 2):
            if frozenset(pair) in apart:
                yield Missed(ROUND_APART.code, pair, reason)
            shared = set(asked.groups.get(pair[0], ())) & set(asked.groups.get(pair[1], ()))
            if shared:
                crowded = any(members[group] > len(tables) for group in shared)
                yield Missed(ROUND_GROUP.code, pair, "crowded" if crowded and searched else reason)
        for player in table:
            if asked.fixed.get(player, at) != at:
                yield Missed(ROUND_FIXED_TABLE.code, (player,), reason)
    yield from (Missed(ROUND_THRICE.code, each.players, reason) for each in again if each.times > 2)


SEATING_BLOCKS_UNFIT = ProblemType(
    "seating.blocks_unfit", "{tables} tables cannot be cut into {blocks} blocks: ask for 1 to {tables}."
)
SEATING_INTERVAL_UNFIT = ProblemType(
    "seating.interval_unfit", "An interval of {step} ranks does not fit {tables} tables: ask for 1 to {tables}."
)

Numbering: TypeAlias = Literal["by_rank", "spread"]
Counts: TypeAlias = Mapping[tuple[int, int], int]

BLOCK: Final = 1_000_000  # ranks between two blocks: less than a forbidden pair, more than any repeats


def swiss_round(pairing: Pairing, *, seed: int, numbering: Numbering = "by_rank") -> Round:
    """Return a round of tables of nearby ranks.

    The cost is the ranks that each table spans plus the weights of those who meet again or should be apart.
    """
    rng = Rng(seed)
    return finish(pairing, search_round(pairing, pairing.ranks, rng), rng, numbering)


def progressive_round(pairing: Pairing, *, blocks: int, seed: int, numbering: Numbering = "by_rank") -> Round:
    """Return a round for which the standing is cut into blocks of whole tables, each shuffled, with few repeats.

    Blocks differ by one table at most, the larger ones first. Raises SeatingError if there are more than tables.
    """
    if not 1 <= blocks <= pairing.tables:
        raise SeatingError(SEATING_BLOCKS_UNFIT(blocks=blocks, tables=pairing.tables))
    rng = Rng(seed)
    each, larger = divmod(pairing.tables, blocks)
    sizes = [(each + (at < larger)) * pairing.table_size for at in range(blocks)]
    ranks = [at * BLOCK for at, size in enumerate(sizes) for _ in range(size)]
    return finish(pairing, search_round(pairing, ranks, rng), rng, numbering)


def snake_round(pairing: Pairing, *, seed: int) -> Round:
    """Return tables of one from each tier: with four tables 1-8-9-16, 2-7-10-15, 3-6-11-14 and 4-5-12-13."""
    tables, size = pairing.tables, pairing.table_size
    rows = [range(at * tables, (at + 1) * tables) for at in range(size)]
    turned = [list(row)[:: -1 if at % 2 else 1] for at, row in enumerate(rows)]
    return finish(pairing, list(zip(*turned, strict=True)), Rng(seed))


def ranked_round(pairing: Pairing, *, seed: int) -> Round:
    """Return tables in order of rank: 1-2-3-4, 5-6-7-8 …"""
    return finish(pairing, tables_of(range(len(pairing.order)), pairing.table_size), Rng(seed))


def interval_round(pairing: Pairing, *, step: int, seed: int, numbering: Numbering = "by_rank") -> Round:
    """Return tables of ranks `step` apart: with 5 and tables of four 1-6-11-16, 2-7-12-17 … and from 21 on the same.

    The tables left over at the end, fewer than `step`, are as far apart as they are many. Raises SeatingError if
    the step is not 1 to the number of tables; 1 gives 1-2-3-4, the number of tables spreads everybody evenly.
    """
    if not 1 <= step <= pairing.tables:
        raise SeatingError(SEATING_INTERVAL_UNFIT(step=step, tables=pairing.tables))
    size, tables = pairing.table_size, list[list[int]]()
    for begun in range(0, pairing.tables, step):
        apart = min(step, pairing.tables - begun)
        first = begun * size
        tables += [[first + at + apart * seat for seat in range(size)] for at in range(apart)]
    return finish(pairing, tables, Rng(seed), numbering)


def lot_round(pairing: Pairing, *, seed: int) -> Round:
    """Return tables by lot."""
    rng = Rng(seed)
    return finish(pairing, tables_of(rng.shuffled(range(len(pairing.order))), pairing.table_size), rng)


def finish(pairing: Pairing, tables: Sequence[Sequence[int]], rng: Rng, numbering: Numbering = "by_rank") -> Round:
    """Return tables of positions as a round of players with table numbers and winds."""
    players = pairing.players
    seated = [[players[at] for at in table] for table in sorted(map(sorted, tables))]
    if numbering == "spread":
        seated = _spread(seated, pairing, rng)
    winds = count_winds(pairing.played)
    return tuple(_seat(table, winds, rng) for table in _keep_fixed(seated, pairing))


def _seat(table: Sequence[int], winds: Counts, rng: Rng) -> Table:
    """Return the players in the seat order that evens their winds best; equal ones by lot."""
    fewest = {player: min(winds.get((player, seat), 0) for seat in range(len(table))) for player in table}

    def cost(order: Iterable[int]) -> int:
        # the order with the smaller worst excess wins: no table has eight seats to outweigh it
        return sum(8 ** (winds.get((player, seat), 0) - fewest[player]) for seat, player in enumerate(order))

    orders = rng.shuffled(list(permutations(table)))
    return tuple(min(orders, key=cost))


def _keep_fixed(tables: Sequence[Sequence[int]], pairing: Pairing) -> list[Sequence[int]]:
    """Return the tables with those of players with a fixed table at its number, the others in their order.

    Where two at one table are fixed to different ones, the better placed decides.
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


def _spread(tables: list[list[int]], pairing: Pairing, rng: Rng) -> list[list[int]]:
    """Return the tables in an order that brings players to numbers they have had least: a descent by exchanges."""
    # the last round counts twice, against staying
    visits = count_visits(pairing.played) + count_visits(pairing.played[-1:])
    order = rng.shuffled(tables)
    cost = [[sum(visits[who, at] ** 2 for who in table) for at in range(len(order))] for table in order]
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
