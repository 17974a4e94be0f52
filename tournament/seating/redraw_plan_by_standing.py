"""The next round by standing, with a cut before it if one is asked for, in player numbers of the event. Pure.

Players through a cut sit at the first tables, the others at the tables after them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal, TypeAlias

from scoring.standings import Carry, carry_over
from tournament.core.errors import Refused
from tournament.core.hash_chain import checksum
from tournament.seating.plan_1 import check_seed
from tournament.seating.plan_wishes import ALWAYS, PLAIN, Asked
from tournament.seating.search import by_standing
from tournament.seating.search.schedule_1 import Round, Rounds
from tournament.seating.search.schedule_errors import SeatingError
from tournament.seating.search.swiss_pairing import Pairing, Ranked
from tournament.seating.search.swiss_round_report import RoundReport, count_round

Method: TypeAlias = Literal["swiss", "progressive", "interval", "snake", "ranked", "lot"]
Numbering: TypeAlias = Literal["by_rank", "spread"]
Others: TypeAlias = Literal["play_on", "stop"]

METHODS: Final[tuple[Method, ...]] = ("swiss", "progressive", "interval", "snake", "ranked", "lot")
APART: Final = ("clubs", "countries", "teams")


@dataclass(frozen=True, slots=True)
class Standee:
    """A player with rank and total; unranked ones have rank 0. `group` is 0 for those through every cut."""

    number: int
    name: str
    rank: int
    total: int
    group: int = 0
    club: str = ""
    country: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True)
class StandingField:
    """The players who play on, by group, best first, with the rounds played.

    `reserves` are unranked players, `drawn` the unpublished rounds that would be dropped; `number` is that of the next
    round, `last` the highest number of a player.
    """

    number: int
    groups: tuple[tuple[Standee, ...], ...]
    reserves: tuple[Standee, ...]
    played: Rounds
    table_size: int
    last: int
    drawn: tuple[int, ...] = ()
    asked: Asked = PLAIN

    @property
    def fingerprint(self) -> str:
        """The hash of all ranks, seats and players."""
        groups = [[[each.number, each.rank, each.total] for each in group] for group in self.groups]
        people = [[each.number, each.club, each.country, each.team] for group in self.groups for each in group]
        reserves = [each.number for each in self.reserves]
        return checksum([self.number, groups, people, reserves, self.played, self.drawn, self.asked.as_json()])


@dataclass(frozen=True, slots=True)
class CutAsked:
    """A cut to the first `top` of the best group, what they carry over, and what the others do."""

    top: int
    carry: Carry
    others: Others


@dataclass(frozen=True, slots=True)
class NextAsked:
    """The round asked for. `step` is the number of blocks of a progressive round, or the interval; `apart` of APART."""

    method: Method
    seed: int
    step: int = 2
    numbering: Numbering = "by_rank"
    cut: CutAsked | None = None
    apart: tuple[str, ...] = ()
    fill: bool = False

    def as_json(self) -> list[object]:
        """Return it as plain values."""
        cut = [self.cut.top, self.cut.carry, self.cut.others] if self.cut else []
        return [self.method, self.seed, self.step, self.numbering, cut, list(self.apart), self.fill]


@dataclass(frozen=True, slots=True)
class Through:
    """A player through a cut, with the `points` carried over `of` the total."""

    number: int
    points: int
    of: int


@dataclass(frozen=True, slots=True)
class NextPlan:
    """The planned round: tables, report, and the players through, stopped, sitting out or brought in.

    `tied_out` share the rank of the last one through, yet are out. `finals` is the number of tables of those through.
    """

    asked: NextAsked
    number: int
    tables: Round
    report: RoundReport
    through: tuple[Through, ...]
    stopped: tuple[int, ...]
    tied_out: tuple[int, ...]
    sitting_out: tuple[int, ...]
    substitutes: tuple[int, ...]
    finals: int
    field: str

    @property
    def fingerprint(self) -> str:
        """The hash of field, request and tables."""
        return checksum([self.field, self.asked.as_json(), self.tables])


def plan_next(field: StandingField, asked: NextAsked) -> NextPlan:
    """Plan the next round; raises Refused for impossible numbers."""
    check_seed(asked.seed)
    try:
        return _plan(field, asked)
    except SeatingError as wrong:
        raise Refused(wrong.problem) from wrong


def _plan(field: StandingField, asked: NextAsked) -> NextPlan:
    groups = [list(group) for group in field.groups]
    through, tied_out, stopped = _cut(groups, asked.cut)
    filled = _fill(field, groups, asked)
    below = replace(asked, method="swiss")  # below a cut: by rank with few repeats, whatever the format of the final
    tables: Round = ()
    finals = 0
    for at, order in enumerate(filled.orders):
        tables += _draw(_pairing(field, order, asked, first=len(tables)), asked if at == 0 else below)
        finals = finals or len(tables)
    whole = _pairing(field, [each for order in filled.orders for each in order], asked)
    searched = asked.method in {"swiss", "progressive"}
    report = count_round(tables, whole, method=asked.method, searched=searched)
    return NextPlan(
        asked=asked,
        number=field.number,
        tables=tables,
        report=report,
        through=through,
        stopped=stopped,
        tied_out=tied_out,
        sitting_out=filled.sitting_out,
        substitutes=filled.substitutes,
        finals=finals if len(filled.orders) > 1 or asked.cut else 0,
        field=field.fingerprint,
    )


def _cut(
    groups: list[list[Standee]], asked: CutAsked | None
) -> tuple[tuple[Through, ...], tuple[int, ...], tuple[int, ...]]:
    """Split the first group in place; return the players through, those tied with the last of them, those who stop."""
    if asked is None or not groups:
        return (), (), ()
    first = groups.pop(0)
    order = [Ranked(each.number, each.rank) for each in first]
    points = {each.number: each.total for each in first}
    made = by_standing.cut(order, points, top=asked.top, carry=asked.carry, others=asked.others)
    goes_on = [each.player for each in made.through]
    if asked.others == "play_on":
        groups.insert(0, [each for each in first if each.number not in goes_on])
    groups.insert(0, [each for each in first if each.number in goes_on])
    through = tuple(Through(who, carry_over(points[who], asked.carry), points[who]) for who in goes_on)
    return through, made.tied_out, made.stopped


@dataclass(frozen=True, slots=True)
class _Filled:
    orders: list[list[Ranked]]
    sitting_out: tuple[int, ...]
    substitutes: tuple[int, ...]


def _fill(field: StandingField, groups: list[list[Standee]], asked: NextAsked) -> _Filled:
    """Return the order of each group, unranked players last, with substitutes for empty seats."""
    size, reserves = field.table_size, [each.number for each in field.reserves]
    orders = [[Ranked(each.number, each.rank) for each in group] for group in groups if group]
    new: list[int] = []
    for at, order in enumerate(orders):
        extra = _reserves_for(len(order), reserves, size, last=at == len(orders) - 1 and not _stops(asked))
        reserves = reserves[len(extra) :]
        missing = -(len(order) + len(extra)) % size if asked.fill else 0
        first = field.last + 1 + len(new)
        brought = list(range(first, first + missing))
        new += brought
        # unranked players share the last rank: a larger one would pass the next group
        order.extend(Ranked(who, order[-1].rank) for who in (*extra, *brought))
    return _Filled(orders, tuple(reserves), tuple(new))


def _stops(asked: NextAsked) -> bool:
    return asked.cut is not None and asked.cut.others == "stop"


def _reserves_for(players: int, reserves: Sequence[int], size: int, *, last: bool) -> list[int]:
    """Return the reserves who play: in the last group as many as fill tables, in others only the missing ones."""
    missing = -players % size
    if not last:
        return list(reserves[:missing]) if len(reserves) >= missing else []
    over = (players + len(reserves)) % size
    return list(reserves[: len(reserves) - over]) if over <= len(reserves) else list(reserves)


def _pairing(field: StandingField, order: Sequence[Ranked], asked: NextAsked, first: int = 0) -> Pairing:
    """Return the input of a group's draw; its tables come after `first` others, which fixed tables count from."""
    among = {each.player for each in order}
    people = (*(each for group in field.groups for each in group), *field.reserves)
    tables = len(order) // field.table_size
    kept = {who: table - 1 - first for who, table in field.asked.fixed if who in among}
    return Pairing(
        order=order,
        table_size=field.table_size,
        played=field.played,
        fixed={who: table for who, table in kept.items() if 0 <= table < tables},
        apart=_families(field),
        groups={each.number: _groups(each, asked.apart) for each in people if _groups(each, asked.apart)},
    )


def _families(field: StandingField) -> frozenset[frozenset[int]]:
    until = field.asked.families_until
    if until != ALWAYS and until < field.number:
        return frozenset()
    return frozenset(frozenset(pair) for group in field.asked.families for pair in combinations(group, 2))


def _groups(each: Standee, apart: Sequence[str]) -> tuple[str, ...]:
    named = {"clubs": each.club, "countries": each.country, "teams": each.team}
    return tuple(f"{key}:{named[key].strip().casefold()}" for key in apart if named[key].strip())


def _draw(pairing: Pairing, asked: NextAsked) -> Round:
    draws = {
        "swiss": lambda: by_standing.swiss_round(pairing, seed=asked.seed, numbering=asked.numbering),
        "progressive": lambda: by_standing.progressive_round(
            pairing, blocks=asked.step, seed=asked.seed, numbering=asked.numbering
        ),
        "interval": lambda: by_standing.interval_round(
            pairing, step=asked.step, seed=asked.seed, numbering=asked.numbering
        ),
        "snake": lambda: by_standing.snake_round(pairing, seed=asked.seed),
        "ranked": lambda: by_standing.ranked_round(pairing, seed=asked.seed),
        "lot": lambda: by_standing.lot_round(pairing, seed=asked.seed),
    }
    return draws[asked.method]().tables


def after_cuts(
    order: Sequence[Standee], cuts: Sequence[tuple[frozenset[int], Others]]
) -> tuple[tuple[Standee, ...], ...]:
    """Return the groups that play on after cuts (players through, what the others do), best group first."""
    groups: list[tuple[Standee, ...]] = [tuple(order)]
    for through, others in cuts:
        first = groups.pop(0)
        rest = tuple(each for each in first if each.number not in through)
        groups = [
            tuple(each for each in first if each.number in through),
            *([rest] if others == "play_on" else []),
            *groups,
        ]
    return tuple(group for group in groups if group)
