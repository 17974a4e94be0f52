"""Simulated annealing: the loop that all searches use, its budget of steps, and local search over whole rounds.

Whole numbers only: an exponential from a library may differ in its last bit between machines, and so would a draw.
Steps decide how long a search runs; the clock only stops machines too slow for them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, cycle
from time import monotonic, thread_time
from typing import Final, Protocol, TypeAlias, TypeVar

from scoring.problems import ProblemType
from tournament.seating.search.schedule import Line, Lines, Rng, SeatingError

BITS: Final = 16
ALWAYS: Final = 1 << BITS
WORST: Final = 64  # a move that costs this much or more is never accepted

Acceptance: TypeAlias = tuple[int, ...]  # by cost 0..WORST-1: how many of ALWAYS random numbers accept such a move
Slices: TypeAlias = Iterable[tuple[range, Acceptance]]  # steps to take, and the acceptance during them

State_co = TypeVar("State_co", covariant=True)
Move = TypeVar("Move")


class Moves(Protocol[State_co, Move]):
    """A state with its cost, and the moves that change it."""

    cost: int

    def proposals(self) -> Iterator[tuple[int, int, Move]]:
        """Yield random moves without end: change in cost, a random number, the move. Change nothing.

        The number decides on acceptance; it is what the choice of the move left of one draw of random bits. A choice
        that is no legal move has the change WORST. This is a generator because the loop spends its time here: local
        variables and the suspended frame cost a tenth of what a method call a step costs.
        """

    def make(self, move: Move) -> None:
        """Apply the proposed move, and update `cost`."""

    def copy(self) -> State_co:
        """Return a copy of the state."""


def anneal(moves: Moves[State_co, Move], slices: Slices, goal: int) -> tuple[State_co, int]:
    """Return the cheapest state seen and its cost; stop as soon as a cost reaches the goal."""
    best, best_cost = moves.copy(), moves.cost
    if best_cost <= goal:
        return best, best_cost
    proposals, make = moves.proposals(), moves.make
    for steps, acceptance in slices:
        for _, (change, throw, move) in zip(steps, proposals, strict=False):
            if change <= 0 or (change < WORST and throw % ALWAYS < acceptance[change]):
                make(move)
                if moves.cost < best_cost:
                    best, best_cost = moves.copy(), moves.cost
                    if best_cost <= goal:
                        return best, best_cost
    return best, best_cost


def metropolis(part: int, whole: int) -> Acceptance:
    """Return the acceptance at one temperature: a move that costs n more is accepted with chance (part/whole)**n.

    >>> metropolis(1, 4)[:3]
    (65536, 16384, 4096)
    """
    return tuple(ALWAYS * part**cost // whole**cost for cost in range(WORST))


def cooling(hot: int, cold: int, *, slices: int, whole: int = 64) -> Iterator[Acceptance]:
    """Yield without end the acceptance of one slice of steps after another: from hot evenly to cold, then hot again."""
    falling = [hot + (cold - hot) * at // max(slices - 1, 1) for at in range(slices)]
    return cycle([metropolis(part, whole) for part in falling])


def threshold(slack: int) -> Acceptance:
    """Return the acceptance of threshold accepting: every move that costs less than `slack` more.

    >>> threshold(2)[:3]
    (65536, 65536, 0)
    """
    return tuple(ALWAYS if cost < slack else 0 for cost in range(WORST))


SEATING_TIME_LIMIT_TOO_SHORT = ProblemType(
    "seating.time_limit_too_short", "The time limit must be more than 0 seconds, not {time_limit}."
)

STEPS_PER_SECOND: Final = 60_000  # an eighth of what a plain laptop does, so that its clock hardly ever matters
SLICE: Final = 4096  # steps between two looks at the clock


def _never() -> bool:
    return False


def _silently(_best: "BestSoFar | None", _share: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class BestSoFar:
    """The best so far: how often each wish is missed, in the organiser's order, by the wish's key."""

    missed: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class SearchCallbacks:
    """Callbacks of an onlooker: `progress` gets the best so far and the share done in thousandths, 15 times a second.

    Once `stopped` returns true ("good enough"), the search ends and returns its best.
    """

    progress: Callable[[BestSoFar | None, int], None] = _silently
    stopped: Callable[[], bool] = _never


NO_CALLBACKS: Final = SearchCallbacks()


class SearchBudget:
    """The steps that `time_limit` seconds buy, the same on any machine. Raises SeatingError unless it is above 0.

    `cut_short` is set when the clock or the onlooker ended a search before its steps did, `stopped` when the onlooker
    did. The clock stops a search after `patience` times the seconds that bought the steps. It counts processor time of
    this thread: a laptop that does other work, or sleeps, changes no draw.
    """

    __slots__ = ("best", "cut_short", "deadline", "started", "steps", "stopped", "used", "watch")

    def __init__(self, time_limit: float, watch: SearchCallbacks = NO_CALLBACKS, *, patience: int = 1) -> None:
        if not time_limit > 0:
            raise SeatingError(SEATING_TIME_LIMIT_TOO_SHORT(time_limit=str(time_limit)))
        self.started = monotonic()
        self.deadline = thread_time() + time_limit * patience
        self.steps = int(min(time_limit, 86_400) * STEPS_PER_SECOND)
        self.cut_short = False
        self.stopped = False
        self.watch = watch
        self.best: BestSoFar | None = None
        self.used = 0

    @property
    def seconds(self) -> float:
        return monotonic() - self.started

    @property
    def ending(self) -> str:
        """What follows the method in a report: nothing, or what ended the search early."""
        if self.stopped:
            return ", stopped by hand"
        return ", cut short by the clock" if self.cut_short else ""

    def slices(self, steps: int) -> Iterator[range]:
        """Yield `steps` steps in slices; fewer only if the clock or the onlooker ends the search."""
        for begun in range(0, steps, SLICE):
            if self._is_over():
                return
            self.used += min(SLICE, steps - begun)
            self.watch.progress(self.best, min(999, 500 * self.used // max(1, self.steps)))
            yield range(min(SLICE, steps - begun))

    def cooled(self, steps: int, acceptances: Iterator[Acceptance]) -> Iterator[tuple[range, Acceptance]]:
        """Yield the slices of a search with the acceptance of each, as `annealing.anneal` takes them.

        A search that is cut short is hot, its state poor: some steps that accept nothing worse follow.
        """
        yield from zip(self.slices(steps), acceptances, strict=False)
        if self.cut_short:
            yield range(min(steps, QUENCH)), threshold(1)

    def _is_over(self) -> bool:
        self.stopped = self.stopped or self.watch.stopped()
        self.cut_short = self.cut_short or self.stopped or thread_time() > self.deadline
        return self.cut_short


Prices: TypeAlias = Sequence[Sequence[int]]  # what it costs that two players sit together, by both numbers
Swap: TypeAlias = tuple[list[int], int, int, int]  # of two places in a line; the change in cost

UNIT: Final = 4  # the usual cost of one repeat: other wishes can then weigh more and less
COOLING: Final = (34, 20)  # of 64: at first a swap that costs one repeat is accepted with chance (34/64)**4
# Repeats alone at one unit each. Few worse swaps are accepted, or a good start would melt away.
REPEATS_COOLING: Final = (5, 1)
FITTING: Final = (82, 4)  # of 1024, where rounds are added to good ones
QUENCH: Final = 8192  # steps without a worse swap, after a search that was cut short


@dataclass(frozen=True, slots=True)
class Shape:
    """How a round is seated: seats of each table (0 for one that stays empty), then how many rest.

    >>> Shape((4, 3, 4), table_size=4, rests=1).players
    12
    """

    sizes: tuple[int, ...]
    table_size: int
    rests: int = 0

    @property
    def players(self) -> int:
        return sum(self.sizes) + self.rests

    @property
    def is_even(self) -> bool:
        """Whether every table is full and nobody rests."""
        return not self.rests and all(size in {0, self.table_size} for size in self.sizes)

    def tables_of(self, line: Line) -> list[list[int]]:
        """Return the players of each table; those who rest are left out."""
        ends = list(accumulate(self.sizes))
        return [list(line[end - size : end]) for size, end in zip(self.sizes, ends, strict=True)]

    def aside(self, line: Line) -> list[int]:
        """Return those who rest or sit at a table of another size."""
        others = [player for table in self.tables_of(line) if len(table) != self.table_size for player in table]
        return [*others, *self.resting(line)]

    def resting(self, line: Line) -> list[int]:
        return list(line[self.players - self.rests :])


@dataclass(frozen=True, slots=True)
class Costs:
    """What a repeat, a turn at resting or at a table of another size, a visit to a table and a pair in a round cost.

    `prices` has for each round the price of each pair, or None. `thrice`: whether a third meeting costs extra. A player
    with n turns pays `turn` n(n - 1)/2 times, one with n visits to a table pays `visit` as often.
    """

    repeat: int = UNIT
    turn: int = UNIT
    visit: int = 0
    thrice: bool = True
    prices: Sequence[Prices | None] = ()


@dataclass(frozen=True, slots=True)
class Past:
    """Counts of the rounds already played: meetings of pairs, turns and table visits of players."""

    met: dict[tuple[int, int], int] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    visits: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A problem: the rounds to begin with, their shape, the costs, the past, who never moves, the cost to reach.

    The first `kept` rounds stay as they are.
    """

    lines: Lines
    shape: Shape
    costs: Costs
    past: Past = field(default_factory=Past)
    pinned: Collection[int] = ()
    goal: int = 0
    kept: int = 0


def improve(task: Task, steps: int, rng: Rng, budget: SearchBudget) -> list[list[int]]:
    """Return the cheapest rounds found within the steps, stopping at the goal; the given lines stay as they are."""
    schedule = cooling(*COOLING, slices=max(1, min(24, steps // SLICE)))
    return _anneal(task, budget.cooled(steps, schedule), rng)


def reduce_repeats(
    lines: Lines,
    shape: Shape,
    steps: int,
    rng: Rng,
    budget: SearchBudget,
    *,
    pinned: Collection[int] = (),
    goal: int = 0,
    kept: int = 0,
) -> list[list[int]]:
    """Return the rounds with the fewest repeats found within the steps, for what no construction reaches.

    The first `kept` rounds, which have no repeat, stay as they are: moving them as well gained nothing in trials.
    """
    task = Task(lines, shape, Costs(repeat=1, thrice=False), pinned=pinned, goal=goal, kept=kept)
    once = cooling(*FITTING, slices=-(-steps // SLICE), whole=1024)
    return _anneal(task, budget.cooled(steps, once if kept else cooling(*REPEATS_COOLING, slices=40)), rng)


def _anneal(task: Task, slices: Slices, rng: Rng) -> list[list[int]]:
    swaps = _Swaps(task, rng)
    return anneal(swaps, slices, task.goal)[0] if swaps.places else swaps.copy()


class _Swaps:
    """Rounds as lines with the prices of the next meeting (`more`) and the refund of the last (`less`) of each pair."""

    def __init__(self, task: Task, rng: Rng) -> None:
        self.task, self.rng = task, rng
        self.lines = [list(line) for line in task.lines]
        players, shape = task.shape.players, task.shape
        ends = list(accumulate(shape.sizes))
        self.begins = [*(end - size for end, size in zip(ends, shape.sizes, strict=True)), 0]
        self.ends = [*ends, 0]  # the last table is that of those who rest: nobody meets there
        self.real = [*(1 for _ in shape.sizes), 0]
        self.special = [*(size != shape.table_size for size in shape.sizes), True]
        self.table_of = [at for at, size in enumerate((*shape.sizes, shape.rests)) for _ in range(size)]
        self.uneven = not shape.is_even
        pinned, width = set(task.pinned), range(len(self.table_of))
        self.places = [place for place in width if not all(line[place] in pinned for line in self.lines)]
        self.pinned = pinned & {line[place] for line in self.lines for place in self.places}
        self.prices = list(task.costs.prices) or [None] * len(self.lines)
        # the price of a meeting after 0, 1, 2 … others; the entry before the first, at -1, is 0
        extra = 1 if self.task.costs.thrice else 0
        self.next = [
            self.task.costs.repeat * (before + (extra if before > 1 else 0))
            for before in range(len(self.lines) + max(task.past.met.values(), default=0) + 2)
        ] + [0]
        self.met = [[0] * players for _ in range(players)]
        self.more = [[0] * players for _ in range(players)]
        self.less = [[0] * players for _ in range(players)]
        self.turns = [task.past.turns.get(player, 0) for player in range(players)]
        self.visits = [[0] * len(self.begins) for _ in range(players if task.costs.visit else 0)]
        for (one, other), times in self.task.past.met.items():
            self._meet(one, other, times)
        for (player, table), times in self.task.past.visits.items() if self.task.costs.visit else ():
            self.visits[player][table] += times
        self.cost = sum(self._seat(line, prices) for line, prices in zip(self.lines, self.prices, strict=True))

    def _seat(self, line: Sequence[int], prices: Prices | None) -> int:
        cost = 0
        for begin, end in zip(self.begins, self.ends, strict=True):
            for one, other in combinations(line[begin:end], 2):
                cost += self.more[one][other] + (prices[one][other] if prices else 0)
                self._meet(one, other, 1)
        for player, table in zip(line, self.table_of, strict=True):
            if self.special[table]:
                cost += self.task.costs.turn * self.turns[player]
                self.turns[player] += 1
            if self.visits:
                cost += self.task.costs.visit * self.visits[player][table]
                self.visits[player][table] += 1
        return cost

    def copy(self) -> list[list[int]]:
        return [list(line) for line in self.lines]

    def proposals(self) -> Iterator[tuple[int, int, Swap]]:
        """Yield swaps of two players at different tables of one round."""
        bits, more, less, pinned = self.rng.bits, self.more, self.less, self.pinned
        lines, all_prices = self.lines[self.task.kept :], self.prices[self.task.kept :]
        places, table_of, begins, ends, real = self.places, self.table_of, self.begins, self.ends, self.real
        rounds, width, plain = len(lines), len(places), not (self.uneven or self.visits)
        no_swap = (WORST, 0, (lines[0], 0, 0, 0))
        while True:
            drawn, which = divmod(bits(64), rounds)
            drawn, place = divmod(drawn, width)
            drawn, other_place = divmod(drawn, width)
            line, place, other_place = lines[which], places[place], places[other_place]
            one, two, left, right = line[place], line[other_place], table_of[place], table_of[other_place]
            if left == right or (pinned and not pinned.isdisjoint((one, two))):
                yield no_swap
                continue
            more_one, more_two, less_one, less_two = more[one], more[two], less[one], less[two]
            change = -(real[left] + real[right]) * more_one[two]
            mates, others = line[begins[left] : ends[left]], line[begins[right] : ends[right]]
            for mate in mates:
                change += more_two[mate] - less_one[mate]
            for mate in others:
                change += more_one[mate] - less_two[mate]
            if prices := all_prices[which]:
                change += self._wished(prices, one, two, mates, others)
            if not plain:
                change += self._moved(one, two, left, right)
            yield change, drawn, (line, place, other_place, change)

    def _wished(self, prices: Prices, one: int, two: int, mates: Sequence[int], others: Sequence[int]) -> int:
        of_one, of_two = prices[one], prices[two]
        change = 0
        for mate in mates:
            change += of_two[mate] - of_one[mate]
        for mate in others:
            change += of_one[mate] - of_two[mate]
        return change - of_one[two] * (bool(mates) + bool(others))

    def _moved(self, one: int, two: int, left: int, right: int) -> int:
        """Return what turns and table visits cost more when two players change tables."""
        change = 0
        if self.special[left] != self.special[right]:
            leaver, joiner = (one, two) if self.special[left] else (two, one)
            change += self.task.costs.turn * (self.turns[joiner] - self.turns[leaver] + 1)
        if self.visits:
            of_one, of_two = self.visits[one], self.visits[two]
            change += self.task.costs.visit * (of_one[right] - of_one[left] + of_two[left] - of_two[right] + 2)
        return change

    def make(self, move: Swap) -> None:
        line, place, other_place, change = move
        self.cost += change
        one, two = line[place], line[other_place]
        for leaver, joiner, at, to in ((one, two, place, other_place), (two, one, other_place, place)):
            table, target = self.table_of[at], self.table_of[to]
            for mate in line[self.begins[table] : self.ends[table]]:
                if mate != leaver:
                    self._meet(leaver, mate, -1)
                    self._meet(joiner, mate, 1)
            if self.special[table] != self.special[target]:
                self.turns[leaver] += 1 if self.special[target] else -1
            if self.visits:
                self.visits[leaver][table] -= 1
                self.visits[leaver][target] += 1
        line[place], line[other_place] = two, one

    def _meet(self, one: int, other: int, times: int) -> None:
        now = self.met[one][other] + times
        self.met[one][other] = self.met[other][one] = now
        self.more[one][other] = self.more[other][one] = self.next[now]
        self.less[one][other] = self.less[other][one] = self.next[now - 1]
