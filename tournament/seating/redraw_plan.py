"""Plan rounds after the start, by player numbers: the next by standing, with a cut or none; the rest redrawn. Pure.

Players through a cut sit at the first tables, the others at the tables after them.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Final, Literal, TypeAlias

from scoring.problems import ProblemType
from scoring.standings import Carry, carry_over
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.seating.plan import ALWAYS, PLAIN, DrawWishes, Entrant, check_seed, meetings, schedule_wishes
from tournament.seating.search import by_standing
from tournament.seating.search.by_standing import Pairing, Ranked, RoundReport, count_round
from tournament.seating.search.draw import UnevenSeating
from tournament.seating.search.outcome import Outcome, judge_wishes
from tournament.seating.search.quality import Tally, tally
from tournament.seating.search.redraw import Remainder, count_new_repeats, put_in, redraw
from tournament.seating.search.schedule import Round, Rounds, SeatingError
from tournament.seating.search.wishes import Wishes

SEATING_CUT_UNFIT = ProblemType(
    "seating.cut_unfit", "A cut to {top} of {players} players leaves nobody or everybody: ask for 1 to {most}."
)

Method: TypeAlias = Literal["swiss", "progressive", "interval", "snake", "ranked", "lot"]
Numbering: TypeAlias = Literal["by_rank", "spread"]
Others: TypeAlias = Literal["play_on", "stop"]

METHODS: Final[tuple[Method, ...]] = ("swiss", "progressive", "interval", "snake", "ranked", "lot")
APART: Final = ("clubs", "countries", "teams")


@dataclass(frozen=True, slots=True)
class RankedPlayer:
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
    groups: tuple[tuple[RankedPlayer, ...], ...]
    reserves: tuple[RankedPlayer, ...]
    played: Rounds
    table_size: int
    last: int
    drawn: tuple[int, ...] = ()
    asked: DrawWishes = PLAIN

    @property
    def fingerprint(self) -> str:
        """The hash of all ranks, seats and players."""
        groups = [[[each.number, each.rank, each.total] for each in group] for group in self.groups]
        people = [[each.number, each.club, each.country, each.team] for group in self.groups for each in group]
        reserves = [each.number for each in self.reserves]
        return checksum([self.number, groups, people, reserves, self.played, self.drawn, asdict(self.asked)])


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
    rest: bool = False  # who fills no table of the last group sits out, in turn; substitutes go first


@dataclass(frozen=True, slots=True)
class QualifiedPlayer:
    """A player through a cut, with the `points` carried over `of` the total."""

    number: int
    points: int
    of: int


@dataclass(frozen=True, slots=True)
class NextPlan:
    """The planned round: tables, report, and the players through, stopped, resting, sitting out or brought in.

    `tied_out` share the rank of the last one through, yet are out. `finals` is the number of tables of those through.
    """

    asked: NextAsked
    number: int
    tables: Round
    report: RoundReport
    through: tuple[QualifiedPlayer, ...]
    stopped: tuple[int, ...]
    tied_out: tuple[int, ...]
    sitting_out: tuple[int, ...]
    substitutes: tuple[int, ...]
    finals: int
    field: str
    resting: tuple[int, ...] = ()

    @property
    def fingerprint(self) -> str:
        """The hash of field, request and tables."""
        return checksum([self.field, asdict(self.asked), self.tables])


def plan_next(field: StandingField, asked: NextAsked) -> NextPlan:
    """Plan the next round; raises DomainError for impossible numbers."""
    check_seed(asked.seed)
    try:
        return _plan(field, asked)
    except SeatingError as wrong:
        raise DomainError(wrong.problem) from wrong


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
    report = count_round(tables, whole, searched=asked.method in {"swiss", "progressive"})
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
        resting=filled.resting,
    )


def _cut(
    groups: list[list[RankedPlayer]], asked: CutAsked | None
) -> tuple[tuple[QualifiedPlayer, ...], tuple[int, ...], tuple[int, ...]]:
    """Split the first group in place; return the players through, those tied with the last of them, those who stop."""
    if asked is None or not groups:
        return (), (), ()
    first = groups.pop(0)
    if not 1 <= asked.top < len(first):
        raise SeatingError(SEATING_CUT_UNFIT(top=asked.top, players=len(first), most=len(first) - 1))
    goes_on, rest = first[: asked.top], first[asked.top :]
    groups[:0] = [goes_on, rest] if asked.others == "play_on" else [goes_on]
    through = tuple(QualifiedPlayer(each.number, carry_over(each.total, asked.carry), each.total) for each in goes_on)
    tied_out = tuple(each.number for each in rest if each.rank == goes_on[-1].rank)
    return through, tied_out, tuple(each.number for each in rest) if asked.others == "stop" else ()


@dataclass(frozen=True, slots=True)
class _Filled:
    orders: list[list[Ranked]]
    sitting_out: tuple[int, ...]
    substitutes: tuple[int, ...]
    resting: tuple[int, ...]


def _fill(field: StandingField, groups: list[list[RankedPlayer]], asked: NextAsked) -> _Filled:
    """Return the order of each group, unranked players last, with substitutes for empty seats."""
    size, reserves = field.table_size, [each.number for each in field.reserves]
    orders = [[Ranked(each.number, each.rank) for each in group] for group in groups if group]
    stops = asked.cut is not None and asked.cut.others == "stop"
    new: list[int] = []
    resting: list[int] = []
    for at, order in enumerate(orders):
        extra = _reserves_for(len(order), reserves, size, last=at == len(orders) - 1 and not stops)
        reserves = reserves[len(extra) :]
        if asked.rest and not asked.fill and at == len(orders) - 1:
            resting = _find_resting(order, field.played, (len(order) + len(extra)) % size)
            order[:] = [each for each in order if each.player not in resting]
        missing = -(len(order) + len(extra)) % size if asked.fill else 0
        first = field.last + 1 + len(new)
        brought = list(range(first, first + missing))
        new += brought
        # unranked players share the last rank: a larger one would pass the next group
        order.extend(Ranked(who, order[-1].rank) for who in (*extra, *brought))
    return _Filled([order for order in orders if order], tuple(reserves), tuple(new), tuple(resting))


def _find_resting(order: Sequence[Ranked], played: Rounds, count: int) -> list[int]:
    """Return who sits out: those with most games, the lowest ranks first."""
    games = Counter(player for tables in played for table in tables for player in table)
    by_games = sorted(order, key=lambda each: (-games[each.player], -each.rank))
    return [each.player for each in by_games[:count]]


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


def _groups(each: RankedPlayer, apart: Sequence[str]) -> tuple[str, ...]:
    named = {"clubs": each.club, "countries": each.country, "teams": each.team}
    return tuple(f"{key}:{named[key].strip().casefold()}" for key in apart if named[key].strip())


def _draw(pairing: Pairing, asked: NextAsked) -> Round:
    seed, numbering = asked.seed, asked.numbering
    draws: dict[Method, Callable[[], Round]] = {
        "swiss": lambda: by_standing.swiss_round(pairing, seed=seed, numbering=numbering),
        "progressive": lambda: by_standing.progressive_round(
            pairing, blocks=asked.step, seed=seed, numbering=numbering
        ),
        "interval": lambda: by_standing.interval_round(pairing, step=asked.step, seed=seed, numbering=numbering),
        "snake": lambda: by_standing.snake_round(pairing, seed=seed),
        "ranked": lambda: by_standing.ranked_round(pairing, seed=seed),
        "lot": lambda: by_standing.lot_round(pairing, seed=seed),
    }
    return draws[asked.method]()


def after_cuts(
    order: Sequence[RankedPlayer], cuts: Sequence[tuple[frozenset[int], Others]]
) -> tuple[tuple[RankedPlayer, ...], ...]:
    """Return the groups that play on after cuts (players through, what the others do), best group first."""
    groups: list[tuple[RankedPlayer, ...]] = [tuple(order)]
    for through, others in cuts:
        first = groups.pop(0)
        rest = tuple(each for each in first if each.number not in through)
        groups = [
            tuple(each for each in first if each.number in through),
            *([rest] if others == "play_on" else []),
            *groups,
        ]
    return tuple(group for group in groups if group)


REDRAW_NOTHING_LEFT = ProblemType("redraw.nothing_left", "No round is left to redraw: all have begun or are published.")
REDRAW_PLAYER_UNKNOWN = ProblemType(
    "redraw.player_unknown", "Somebody chosen is not a player of this event: load the page again."
)
REDRAW_FILL_CLOSED = ProblemType(
    "redraw.fill_closed", "{players} players in tables of {table_size} cannot continue in this way: choose another."
)

Stage: TypeAlias = Literal["begun", "published", "open"]
Fill: TypeAlias = Literal["put_in", "full", "substitutes", "rests"]

FILLS: Final[tuple[Fill, ...]] = ("put_in", "full", "substitutes", "rests")


@dataclass(frozen=True, slots=True)
class RoundNow:
    """A round: "begun" once its clock runs or a hand is written; tables by number, empty where there is none."""

    number: int
    stage: Stage
    tables: Round


@dataclass(frozen=True, slots=True)
class RedrawPlayer:
    """A player as a redraw sees one."""

    number: int
    name: str
    club: str
    country: str
    ranked: bool
    withdrawn: bool
    team: str = ""


@dataclass(frozen=True, slots=True)
class FieldNow:
    """An event's players and rounds at one moment, with the wishes that its seats were drawn from."""

    guests: tuple[RedrawPlayer, ...]
    rounds: tuple[RoundNow, ...]
    table_size: int
    asked: DrawWishes = PLAIN

    @property
    def last(self) -> int:
        """The highest number of a player."""
        return max((guest.number for guest in self.guests), default=0)

    @property
    def names(self) -> dict[int, str]:
        return {guest.number: guest.name for guest in self.guests}

    @property
    def fingerprint(self) -> str:
        """The hash of all seats, players and stages of rounds."""
        people = [[each.number, each.club, each.country, each.withdrawn] for each in self.guests]
        rounds = [[each.number, each.stage, each.tables] for each in self.rounds]
        return checksum([people, rounds, self.table_size, asdict(self.asked)])

    def left(self, published: Sequence[int] = ()) -> tuple[RoundNow, ...]:
        """Return the rounds that may be redrawn: unpublished ones, and published ones not begun and named here."""
        return tuple(
            each
            for each in self.rounds
            if each.stage == "open" or (each.stage == "published" and each.number in published)
        )

    def wishes(self, tables: int) -> Wishes:
        """Return the event's wishes, by players' own numbers."""
        entrants = [Entrant(each.number, each.club, each.country) for each in self.guests]
        return schedule_wishes(self.asked, entrants, {each.number: each.number for each in entrants}, tables)


@dataclass(frozen=True, slots=True)
class RedrawAsked:
    """The redraw asked for: who goes on, how gaps are filled, which published rounds are redrawn too, the seed."""

    going: tuple[int, ...]
    fill: Fill
    seed: int
    published: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RepeatPairing:
    """Two players at one table in several rounds; `new` where the old plan had fewer."""

    players: tuple[int, int]
    rounds: tuple[int, ...]
    new: bool


@dataclass(frozen=True, slots=True)
class RedrawPlan:
    """The planned rounds: those that change, who replaces whom (`pairs`), and the figures of the whole event.

    `resting` and `substitutes` (new numbers) as in `seating.redraw`. `new_repeats` counts each meeting of the redrawn
    rounds by the times the two had met. `missed` are the wishes missed, `missed_before` the misses of the old plan by
    key.
    """

    asked: RedrawAsked
    rounds: Mapping[int, Round]
    substitutes: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    resting: Mapping[int, tuple[int, ...]]
    left: tuple[int, ...]
    returned: tuple[int, ...]
    before: Tally
    after: Tally
    new_repeats: int
    again: tuple[RepeatPairing, ...]
    missed: tuple[Outcome, ...]
    missed_before: Mapping[str, int]
    field: str
    cut_short: bool = False

    @property
    def fingerprint(self) -> str:
        """The hash of field, request and rounds: confirming it confirms exactly this plan."""
        return checksum([self.field, asdict(self.asked), sorted(self.rounds.items())])


def fills_for(field: FieldNow, going: Sequence[int], published: Sequence[int] = ()) -> tuple[Fill, ...]:
    """Return the possible fills: substitutes in the seats of leavers, and the draws that the field allows."""
    leavers, joiners = _changes(field, going, published)
    in_place: tuple[Fill, ...] = ("put_in",) if leavers and len(joiners) <= len(leavers) else ()
    if len(going) < field.table_size or not field.left(published):
        return in_place
    if len(going) % field.table_size:
        return (*in_place, "substitutes", "rests")
    return (*in_place, "full")


def plan_redraw(field: FieldNow, asked: RedrawAsked) -> RedrawPlan:
    """Plan a redraw; may take seconds. Raises DomainError where nothing is left to draw or the numbers do not fit."""
    left = field.left(asked.published)
    _check(field, asked, left)
    if asked.fill == "put_in":
        made, pairs, substitutes, cut_short = *_fill_seats(field, asked, left), False
    else:
        made, substitutes, cut_short = _redraw(field, asked, left)
        pairs = ()
    return _judge(field, asked, made, substitutes, pairs, cut_short)


def _check(field: FieldNow, asked: RedrawAsked, left: Sequence[RoundNow]) -> None:
    known = {guest.number for guest in field.guests}
    if not left:
        raise DomainError(REDRAW_NOTHING_LEFT())
    if set(asked.going) - known or len(set(asked.going)) != len(asked.going):
        raise DomainError(REDRAW_PLAYER_UNKNOWN())
    check_seed(asked.seed)
    if asked.fill not in fills_for(field, asked.going, asked.published):
        raise DomainError(REDRAW_FILL_CLOSED(players=len(asked.going), table_size=field.table_size))


def _changes(field: FieldNow, going: Sequence[int], published: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the leavers (a seat ahead, not going on) and the joiners (going on without a seat)."""
    seated = {who for each in field.left(published) for table in each.tables for who in table}
    return sorted(seated - set(going)), sorted(set(going) - seated)


def _fill_seats(
    field: FieldNow, asked: RedrawAsked, left: Sequence[RoundNow]
) -> tuple[dict[int, Round], tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Put joiners, then new substitutes, into the seats of leavers; nothing else changes."""
    leavers, joiners = _changes(field, asked.going, asked.published)
    new = tuple(range(field.last + 1, field.last + 1 + len(leavers) - len(joiners)))
    pairs = tuple(zip(leavers, [*joiners, *new], strict=True))
    rounds: Rounds = tuple(each.tables for each in left)
    for leaver, joiner in pairs:
        rounds = put_in(rounds, 1, leaver, joiner)
    return {each.number: tables for each, tables in zip(left, rounds, strict=True)}, pairs, new


def _redraw(
    field: FieldNow, asked: RedrawAsked, left: Sequence[RoundNow]
) -> tuple[dict[int, Round], tuple[int, ...], bool]:
    numbers = {each.number for each in left}
    kept = [each for each in field.rounds if each.number not in numbers]
    order = {each.number: at for at, each in enumerate([*kept, *left], start=1)}
    tables = max((len(each.tables) for each in field.rounds), default=1)
    remainder = Remainder(
        played=tuple(each.tables for each in kept),
        players=tuple(sorted(asked.going)),
        table_size=field.table_size,
        rounds=len(left),
        way=UnevenSeating.RESTS if asked.fill == "rests" else UnevenSeating.SUBSTITUTES,
        planned=tuple(each.tables for each in left),
        rested=_rested(kept, asked.going),
    )
    try:
        drawn = redraw(remainder, seed=asked.seed, wishes=_in_order(field.wishes(tables), order))
    except SeatingError as wrong:
        raise DomainError(wrong.problem) from wrong
    own = {number: field.last + 1 + at for at, number in enumerate(sorted(drawn.substitutes))}
    made = {
        each.number: tuple(tuple(own.get(who, who) for who in table) for table in tables_now)
        for each, tables_now in zip(left, drawn.rounds[len(kept) :], strict=True)
    }
    return made, tuple(own.values()), drawn.cut_short


def _rested(kept: Sequence[RoundNow], going: Sequence[int]) -> dict[int, int]:
    """Return in how many kept rounds each had no seat, for players who had one in any."""
    seats = Counter(who for each in kept for table in each.tables for who in table)
    return {who: len(kept) - seats[who] for who in going if seats[who] and seats[who] < len(kept)}


def _in_order(wishes: Wishes, order: Mapping[int, int]) -> Wishes:
    """Return the wishes with rounds renumbered in the order of the search: kept ones first."""
    moved = [
        replace(wish, rounds=tuple(sorted(order[number] for number in wish.rounds if number in order)))
        for wish in wishes.order
        if not wish.rounds or any(number in order for number in wish.rounds)
    ]
    return Wishes(tuple(moved))


def _judge(
    field: FieldNow,
    asked: RedrawAsked,
    made: Mapping[int, Round],
    substitutes: tuple[int, ...],
    pairs: tuple[tuple[int, int], ...],
    cut_short: bool,
) -> RedrawPlan:
    before: Rounds = tuple(each.tables for each in field.rounds)
    after: Rounds = tuple(made.get(each.number, each.tables) for each in field.rounds)
    wishes = field.wishes(max((len(tables) for tables in before), default=1))
    gone = {guest.number for guest in field.guests if guest.withdrawn}
    around = {who for tables in before for table in tables for who in table}
    order = [each.tables for each in field.rounds if each.number not in made] + list(made.values())
    outcomes_before = judge_wishes(before, wishes, field.table_size)
    return RedrawPlan(
        asked=asked,
        rounds={
            each.number: made[each.number]
            for each in field.rounds
            if each.number in made and made[each.number] != each.tables
        },
        substitutes=substitutes,
        pairs=pairs,
        resting={number: _resting(tables, (*asked.going, *substitutes)) for number, tables in made.items()},
        left=tuple(sorted((around | set(asked.going)) - set(asked.going) - gone)),
        returned=tuple(sorted(gone & set(asked.going))),
        before=tally(before, field.table_size, asked.going),
        after=tally(after, field.table_size, asked.going),
        new_repeats=count_new_repeats(order, len(field.rounds) - len(made)),
        again=_meetings(field, after, made, before),
        missed=tuple(outcome for outcome in judge_wishes(after, wishes, field.table_size) if outcome.missed),
        missed_before={outcome.wish.key: outcome.missed for outcome in outcomes_before},
        field=field.fingerprint,
        cut_short=cut_short,
    )


def _resting(tables: Round, among: Sequence[int]) -> tuple[int, ...]:
    seated = {who for table in tables for who in table}
    return tuple(sorted(who for who in among if who not in seated))


def _meetings(field: FieldNow, after: Rounds, made: Mapping[int, Round], before: Rounds) -> tuple[RepeatPairing, ...]:
    """Return the repeated meetings in one of the changed rounds."""
    numbers = [each.number for each in field.rounds]
    was = meetings(before, numbers)
    return tuple(
        RepeatPairing(pair, rounds, new=len(rounds) > max(1, len(was.get(pair, ()))))
        for pair, rounds in meetings(after, numbers).items()
        if len(rounds) > 1 and any(number in made for number in rounds)
    )
