"""A draw before the start: from the organiser's wishes to seats, and its quality report, by player numbers. Pure.

The same plan gives the same draw on every machine unless its search is ended early; `DrawResult.cut_short` says so. The
report is counted from the seats alone.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, TypeAlias

from scoring.problems import Problem, ProblemType
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.core.limits import MAX_INTEGER
from tournament.seating.search.annealing import NO_CALLBACKS, SearchCallbacks
from tournament.seating.search.draw import (
    TIME_LIMIT,
    UnevenOption,
    UnevenSeating,
    apart_from_each_other,
    draw_uneven,
    option_for,
)
from tournament.seating.search.outcome import Outcome, judge_wishes
from tournament.seating.search.quality import Figures, count_figures
from tournament.seating.search.schedule import Field, shuffle_players
from tournament.seating.search.wishes import (
    PRESETS,
    REPEATS,
    TABLES,
    WINDS,
    Kind,
    Wish,
    Wishes,
    bring_together,
    keep_apart,
    keep_tables,
    mix_rooms,
    share_opponents,
    spread_seeds,
)

DRAW_SEED_OUT_OF_RANGE = ProblemType("draw.seed_out_of_range", "A seed is a whole number from 0 to {most}.")

# Seconds stand for a number of steps, the same on every machine. Without wishes: as many as `manage.py seat` takes.
WISHES_LIMIT: Final = 15.0
MAX_SEED: Final = MAX_INTEGER


def check_seed(seed: int) -> None:
    """Raise DomainError for a seed out of range."""
    if not 0 <= seed <= MAX_SEED:
        raise DomainError(DRAW_SEED_OUT_OF_RANGE(most=MAX_SEED))


ALWAYS: Final = -1  # in every round

# Wishes by their key in forms and reports; a preset orders them by kind.
KINDS: Final[Mapping[str, Kind]] = {
    "fixed": Kind.FIXED,
    "together": Kind.TOGETHER,
    "repeats": Kind.REPEATS,
    "winds": Kind.WINDS,
    "clubs": Kind.APART,
    "countries": Kind.APART,
    "families": Kind.APART,
    "seeds": Kind.SEEDS,
    "tables": Kind.TABLES,
    "rooms": Kind.ROOMS,
    "indirect": Kind.INDIRECT,
}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the event as wishes see one."""

    number: int
    club: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class DrawWishes:
    """All wishes of a draw. `order` names every key once, the most important first.

    `clubs`, `countries` and `families_until`: apart in rounds 1 to this one, 0 not at all, ALWAYS in all. `families`
    and the groups of `together` (round, players) are player numbers; `fixed` is (player, table), `rooms` (first table,
    last table, name), `seeds` the strongest first, `shared` the opponents in common of two who never meet.
    """

    order: tuple[str, ...] = tuple(KINDS)
    clubs: int = 0
    countries: int = 0
    families: tuple[tuple[int, ...], ...] = ()
    families_until: int = ALWAYS
    together: tuple[tuple[int, tuple[int, ...]], ...] = ()
    fixed: tuple[tuple[int, int], ...] = ()
    rooms: tuple[tuple[int, int, str], ...] = ()
    seeds: tuple[int, ...] = ()
    shared: int = 0

    @property
    def used(self) -> frozenset[str]:
        """The keys of the wishes asked for, besides those that every draw has."""
        asked = {
            "clubs": self.clubs, "countries": self.countries, "families": self.families, "together": self.together,
            "fixed": self.fixed, "rooms": self.rooms, "seeds": self.seeds, "indirect": self.shared,
        }  # fmt: skip
        return frozenset(key for key, value in asked.items() if value)

    def moved(self, key: str, step: int) -> "DrawWishes":
        """Return the wishes with one of them moved in the order by -1 or 1, unless it is at the end.

        >>> DrawWishes(order=("a", "b", "c")).moved("c", -1).order
        ('a', 'c', 'b')
        """
        order = list(self.order)
        at = order.index(key)
        to = min(max(at + step, 0), len(order) - 1)
        order.insert(to, order.pop(at))
        return replace(self, order=tuple(order))

    def preset(self, name: str) -> "DrawWishes":
        """Return the wishes in the order of a preset; "apart" asks for clubs apart by default."""
        kinds = PRESETS[name]
        order = tuple(sorted(KINDS, key=lambda key: kinds.index(KINDS[key])))
        clubs = ALWAYS if name == "apart" and not self.clubs else self.clubs
        return replace(self, order=order, clubs=clubs)


PLAIN: Final = DrawWishes()


@dataclass(frozen=True, slots=True)
class Plan:
    """A draw to make: the field, the seed, the wishes, and how players who fill no table are seated.

    `entrants` are in the order of their numbers; substitutes are numbered on from `last`, the event's highest number.
    """

    entrants: tuple[Entrant, ...]
    table_size: int
    rounds: int
    last: int
    seed: int = 0
    way: str = UnevenSeating.FULL.value
    asked: DrawWishes = PLAIN

    @property
    def option(self) -> UnevenOption:
        """The way of the field; raises SeatingError where the players do not allow it."""
        players = len(self.entrants)
        if self.way == UnevenSeating.FULL:
            Field(players, self.table_size, self.rounds)
        return option_for(UnevenSeating(self.way), players, self.table_size, self.rounds)

    @property
    def substitutes(self) -> tuple[int, ...]:
        """The numbers that substitutes will have."""
        return tuple(range(self.last + 1, self.last + 1 + self.option.substitutes))

    @property
    def fingerprint(self) -> str:
        """The hash of the field: players, table size and number of rounds."""
        people = [[each.number, each.club, each.country] for each in self.entrants]
        return checksum([self.table_size, self.rounds, self.last, people])


@dataclass(frozen=True, slots=True)
class MissedPlace:
    """Where a wish is missed: round and table from 1, 0 for none, and the players concerned."""

    round: int
    table: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WishResult:
    """The result of one wish: how often it is missed, the least for any draw and why, and where."""

    key: str
    missed: int
    least: int
    why: str
    places: tuple[MissedPlace, ...]


@dataclass(frozen=True, slots=True)
class DrawReport:
    """The figures of a draw and its wishes in the organiser's order."""

    figures: Figures
    wishes: tuple[WishResult, ...]

    @property
    def missed(self) -> tuple[int, ...]:
        """The misses of each wish, in order: of two draws for the same wishes the lesser tuple is better."""
        return tuple(wish.missed for wish in self.wishes)


@dataclass(frozen=True, slots=True)
class DrawResult:
    """A draw in player numbers of the event: rounds of tables in seat order, players resting in each, its report."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    resting: tuple[tuple[int, ...], ...]
    substitutes: tuple[int, ...]
    report: DrawReport
    cut_short: bool


@dataclass(frozen=True, slots=True)
class DrawOriginData:
    """The origin of an event's seats, besides the seed; `substitutes` are player numbers."""

    players: int
    way: str
    substitutes: tuple[int, ...]
    asked: DrawWishes
    cut_short: bool


def read_drawn(value: Any) -> DrawOriginData | None:
    """Read a stored `DrawOriginData`; None where it is unreadable."""
    try:
        return DrawOriginData(
            players=int(value["players"]),
            way=str(value["way"]),
            substitutes=tuple(int(number) for number in value["substitutes"]),
            asked=read_asked(value["asked"]),
            cut_short=bool(value["cut_short"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def search(plan: Plan, watch: SearchCallbacks = NO_CALLBACKS) -> DrawResult:
    """Draw; raises SeatingError for an impossible field. May take many seconds: hold no lock meanwhile."""
    option = plan.option
    order = shuffle_players([each.number for each in plan.entrants], plan.seed)
    numbers = [*order, *plan.substitutes]
    place = {number: at for at, number in enumerate(numbers)}
    drawn = draw_uneven(
        option,
        seed=plan.seed,
        time_limit=WISHES_LIMIT if plan.asked.used else TIME_LIMIT,
        wishes=schedule_wishes(plan.asked, plan.entrants, place, len(option.sizes)),
        watch=watch,
    )
    rounds = tuple(tuple(tuple(numbers[who] for who in table) for table in tables) for tables in drawn.rounds)
    return DrawResult(
        rounds=rounds,
        resting=tuple(tuple(sorted(numbers[who] for who in resting)) for resting in drawn.resting),
        substitutes=plan.substitutes,
        report=report_on(
            rounds, plan.table_size, asked=plan.asked, entrants=plan.entrants, substitutes=plan.substitutes
        ),
        cut_short=drawn.report.cut_short,
    )


WISH_PLAYERS_UNKNOWN = ProblemType("wish.players_unknown", "There is no player with the number {numbers}.")
WISH_TABLE_UNKNOWN = ProblemType(
    "wish.table_unknown", "Player {player} cannot keep table {table}: there are tables 1 to {last}."
)
WISH_TWO_TABLES = ProblemType("wish.two_tables", "Player {player} is fixed to two tables.")
WISH_TABLE_FULL = ProblemType(
    "wish.table_full", "Table {table} seats {table_size}, but {players} players are fixed to it."
)
WISH_ROOM_TABLES = ProblemType(
    "wish.room_tables", "Room {room}: its tables must lie between 1 and {last}, the first before the last."
)
WISH_ROOMS_OVERLAP = ProblemType("wish.rooms_overlap", "Two rooms both have the tables {tables}.")
WISH_ROUND_UNKNOWN = ProblemType("wish.round_unknown", "There is no round {round}: there are rounds 1 to {last}.")
WISH_GROUP_TOO_LARGE = ProblemType(
    "wish.group_too_large", "Round {round}: {players} players cannot sit at one table of {table_size}."
)
WISH_TOGETHER_TWICE = ProblemType("wish.together_twice", "Round {round}: player {player} is to sit at two tables.")
WISH_SHARED_OUT_OF_RANGE = ProblemType("wish.shared_out_of_range", "Opponents in common: a number from 0 to {most}.")
MAX_SHARED: Final = 9


def read_asked(value: Any) -> DrawWishes:
    """Read stored wishes; none where they are unreadable."""
    try:
        return DrawWishes(
            order=whole_order(str(key) for key in value["order"]),
            clubs=int(value["clubs"]),
            countries=int(value["countries"]),
            families=tuple(tuple(map(int, group)) for group in value["families"]),
            families_until=int(value["families_until"]),
            together=tuple((int(number), tuple(map(int, group))) for number, group in value["together"]),
            fixed=tuple((int(player), int(table)) for player, table in value["fixed"]),
            rooms=tuple((int(first), int(last), str(name)) for first, last, name in value["rooms"]),
            seeds=tuple(map(int, value["seeds"])),
            shared=int(value["shared"]),
        )
    except (KeyError, TypeError, ValueError):
        return PLAIN


def whole_order(keys: Iterable[str]) -> tuple[str, ...]:
    """Return an order of all wishes: these keys first, then the missing ones.

    >>> whole_order(["tables", "nonsense", "tables"])[:2]
    ('tables', 'fixed')
    """
    named = dict.fromkeys(key for key in keys if key in KINDS)
    return tuple(named) + tuple(key for key in KINDS if key not in named)


def schedule_wishes(asked: DrawWishes, entrants: Sequence[Entrant], place: Mapping[int, int], tables: int) -> Wishes:
    """Return the wishes of a schedule of `tables` tables; `place` gives each player's number in it.

    Players missing in `place` have left, and are left out.
    """

    def placed(players: Iterable[int]) -> tuple[int, ...]:
        return tuple(place[number] for number in players if number in place)

    def apart(key: str, groups: Iterable[Iterable[int]], until: int) -> list[Wish]:
        wish = keep_apart(key, [placed(group) for group in groups], range(1, until + 1) if until > 0 else ())
        return [wish] if wish.groups else []

    def wishes(key: str) -> Iterable[Wish]:
        match key:
            case "repeats" | "winds" | "tables":
                yield {"repeats": REPEATS, "winds": WINDS, "tables": TABLES}[key]
            case "clubs":
                yield from apart(key, groups_by(entrants, "club"), asked.clubs)
            case "countries":
                yield from apart(key, groups_by(entrants, "country"), asked.countries)
            case "families":
                yield from apart(key, asked.families, asked.families_until)
            case "together":
                for number in sorted({number for number, _ in asked.together}):
                    groups = [placed(group) for each, group in asked.together if each == number]
                    yield bring_together(f"together-{number}", groups, [number])
            case "fixed":
                yield keep_tables({place[who]: table - 1 for who, table in asked.fixed if who in place})
            case "rooms":
                rooms = {
                    table - 1: room
                    for room, (first, last, _) in enumerate(asked.rooms)
                    for table in range(first, min(last, tables) + 1)
                }
                yield mix_rooms(rooms)
            case "seeds":
                ranked = placed(asked.seeds)
                yield spread_seeds(ranked, tables, tiers=-(-len(ranked) // tables))
            case "indirect":
                yield share_opponents(asked.shared)

    used = asked.used | {"repeats", "winds", "tables"}
    return Wishes(tuple(wish for key in asked.order if key in used for wish in wishes(key)))


def groups_by(entrants: Iterable[Entrant], what: str) -> list[tuple[int, ...]]:
    """Return the player numbers of each club or country that has two players or more.

    >>> groups_by([Entrant(1, "A"), Entrant(2, " a"), Entrant(3)], "club")
    [(1, 2)]
    """
    found: dict[str, list[int]] = {}
    for entrant in entrants:
        name = getattr(entrant, what).strip().casefold()
        if name:
            found.setdefault(name, []).append(entrant.number)
    return [tuple(group) for _, group in sorted(found.items()) if len(group) > 1]


def impossible_wishes(
    asked: DrawWishes, numbers: Iterable[int], *, tables: int, table_size: int, rounds: int
) -> list[Problem]:
    """List the wishes that are impossible for any draw of this field."""
    known = set(numbers)
    named = {who for group in asked.families for who in group} | {who for _, group in asked.together for who in group}
    named |= {who for who, _ in asked.fixed} | set(asked.seeds)
    unknown = tuple(sorted(named - known))
    found = [WISH_PLAYERS_UNKNOWN(numbers=unknown)] if unknown else []
    found += _fixed_problems(asked, tables, table_size)
    found += _room_problems(asked, tables)
    found += _round_problems(asked, rounds, table_size)
    if not 0 <= asked.shared <= MAX_SHARED:
        found.append(WISH_SHARED_OUT_OF_RANGE(most=MAX_SHARED))
    return found


def _fixed_problems(asked: DrawWishes, tables: int, table_size: int) -> list[Problem]:
    found = [
        WISH_TABLE_UNKNOWN(table=table, last=tables, player=who)
        for who, table in asked.fixed
        if not 1 <= table <= tables
    ]
    times = Counter(who for who, _ in asked.fixed)
    found += [WISH_TWO_TABLES(player=who) for who, count in times.items() if count > 1]
    full = Counter(table for _, table in asked.fixed)
    found += [
        WISH_TABLE_FULL(table=table, players=times, table_size=table_size)
        for table, times in full.items()
        if times > table_size
    ]
    return found


def _room_problems(asked: DrawWishes, tables: int) -> list[Problem]:
    found = [
        WISH_ROOM_TABLES(room=name, last=tables)
        for first, last, name in asked.rooms
        if not 1 <= first <= last <= tables
    ]
    inside = Counter(table for first, last, _ in asked.rooms for table in range(first, min(last, tables) + 1))
    twice = tuple(sorted(table for table, times in inside.items() if times > 1))
    return [*found, WISH_ROOMS_OVERLAP(tables=twice)] if twice and not found else found


def _round_problems(asked: DrawWishes, rounds: int, table_size: int) -> list[Problem]:
    untils = max(asked.clubs, asked.countries, asked.families_until)
    found = [WISH_ROUND_UNKNOWN(round=untils, last=rounds)] if untils > rounds else []
    wrong = sorted({number for number, _ in asked.together if not 1 <= number <= rounds})
    found += [WISH_ROUND_UNKNOWN(round=number, last=rounds) for number in wrong]
    found += [
        WISH_GROUP_TOO_LARGE(round=number, players=len(group), table_size=table_size)
        for number, group in asked.together
        if len(group) > table_size
    ]
    seats = Counter((number, who) for number, group in asked.together for who in group)
    found += [WISH_TOGETHER_TWICE(round=number, player=who) for (number, who), times in seats.items() if times > 1]
    return found


Seats: TypeAlias = Sequence[Sequence[Sequence[int]]]  # rounds of tables of player numbers in seat order
PROVED: Final = "meetings_do_not_fit"  # why a bound holds that is proved for the field as a whole
MAX_PLACES: Final = 60  # of one wish that are kept by place; the count is always whole


def report_from_json(value: Mapping[str, Any]) -> DrawReport:
    """Read a stored report."""
    wishes = (
        WishResult(
            **{**row, "places": tuple(MissedPlace(**{**at, "players": tuple(at["players"])}) for at in row["places"])}
        )
        for row in value["wishes"]
    )
    return DrawReport(Figures(**value["figures"]), tuple(wishes))


def report_on(
    rounds: Seats,
    table_size: int,
    *,
    asked: DrawWishes = PLAIN,
    entrants: Sequence[Entrant] = (),
    substitutes: Collection[int] = (),
) -> DrawReport:
    """Count a draw of at least one seat; wishes are judged only with `entrants`, the event's own players."""
    numbers = sorted({who for tables in rounds for table in tables for who in table} | {e.number for e in entrants})
    place = {number: at for at, number in enumerate(numbers)}
    seats = [[[place[who] for who in table] for table in tables] for tables in rounds]
    strangers = apart_from_each_other(tuple(place[number] for number in sorted(substitutes) if number in place))
    most = max(len(tables) for tables in rounds)
    wishes = Wishes((*strangers, *schedule_wishes(asked, entrants, place, most).order))
    figures = count_figures(seats, len(numbers), table_size, wishes.fixed)
    judged = (_judged(each, numbers) for each in judge_wishes(seats, wishes, table_size))
    return DrawReport(figures, tuple(_with_bound(each, figures) for each in judged))


def _with_bound(judged: WishResult, figures: Figures) -> WishResult:
    """Return the result of a wish with the better of two bounds: for repeats that of the figures."""
    if judged.key == REPEATS.key and figures.repeats_least > judged.least:
        return replace(judged, least=figures.repeats_least, why=judged.why or PROVED)
    return judged


def meetings(rounds: Seats, numbers: Sequence[int] = ()) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the rounds (from 1, or by `numbers`) in which each two players meet, the lower player first."""
    found: dict[tuple[int, int], list[int]] = {}
    for number, tables in zip(numbers or range(1, len(rounds) + 1), rounds, strict=True):
        for table in tables:
            for pair in combinations(sorted(table), 2):
                found.setdefault(pair, []).append(number)
    return {pair: tuple(when) for pair, when in sorted(found.items())}


def _judged(outcome: Outcome, numbers: Sequence[int]) -> WishResult:
    places = (
        MissedPlace(max(miss.round, 0), max(miss.table + 1, 0), tuple(numbers[who] for who in miss.players))
        for miss in outcome.where[:MAX_PLACES]
    )
    return WishResult(outcome.wish.key, outcome.missed, outcome.least, outcome.why, tuple(places))
