"""The wishes of a draw in the event's own terms: player numbers, table numbers and rounds from 1, clubs.

Frozen data, its JSON, and its translation into the wishes of `tournament.seating`. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from scoring.problems import Problem, ProblemType
from tournament.seating.search.wishes_1 import (
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

ALWAYS: Final = -1  # in every round
MOST_SHARED: Final = 9

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
class Asked:
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

    def as_json(self) -> dict[str, Any]:
        """Return the wishes as plain values."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def moved(self, key: str, step: int) -> "Asked":
        """Return the wishes with one of them moved in the order by -1 or 1, unless it is at the end.

        >>> Asked(order=("a", "b", "c")).moved("c", -1).order
        ('a', 'c', 'b')
        """
        order = list(self.order)
        at = order.index(key)
        to = min(max(at + step, 0), len(order) - 1)
        order.insert(to, order.pop(at))
        return replace(self, order=tuple(order))

    def preset(self, name: str) -> "Asked":
        """Return the wishes in the order of a preset; "apart" asks for clubs apart by default."""
        kinds = PRESETS[name]
        order = tuple(sorted(KINDS, key=lambda key: kinds.index(KINDS[key])))
        clubs = ALWAYS if name == "apart" and not self.clubs else self.clubs
        return replace(self, order=order, clubs=clubs)


PLAIN: Final = Asked()


def read_asked(value: object) -> Asked:
    """Read what `as_json` wrote; no wishes where it is unreadable."""
    try:
        return _read(value) if isinstance(value, Mapping) else PLAIN
    except (KeyError, TypeError, ValueError):
        return PLAIN


def _read(value: Mapping[str, Any]) -> Asked:
    return Asked(
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


def whole_order(keys: Iterable[str]) -> tuple[str, ...]:
    """Return an order of all wishes: these keys first, then the missing ones.

    >>> whole_order(["tables", "nonsense", "tables"])[:2]
    ('tables', 'fixed')
    """
    named = dict.fromkeys(key for key in keys if key in KINDS)
    return tuple(named) + tuple(key for key in KINDS if key not in named)


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def wishes_of(asked: Asked, entrants: Sequence[Entrant], place: Mapping[int, int], tables: int) -> Wishes:
    """Return the wishes of a schedule of `tables` tables; `place` gives each player's number in it.

    Players missing in `place` have left, and are left out.
    """
    rows = _Translation(asked, entrants, place, tables)
    return Wishes(tuple(wish for key in asked.order for wish in rows.of(key)))


@dataclass(frozen=True, slots=True)
class _Translation:
    asked: Asked
    entrants: Sequence[Entrant]
    place: Mapping[int, int]
    tables: int

    def of(self, key: str) -> list[Wish]:
        """Return the wishes of a key, none where it is not asked for."""
        always = {"repeats": REPEATS, "winds": WINDS, "tables": TABLES}
        if key in always:
            return [always[key]]
        return list(getattr(self, f"_{key}")()) if key in self.asked.used else []

    def _places(self, players: Iterable[int]) -> tuple[int, ...]:
        return tuple(self.place[number] for number in players if number in self.place)

    def _apart(self, key: str, groups: Iterable[Iterable[int]], until: int) -> Iterator[Wish]:
        wish = keep_apart(key, [self._places(group) for group in groups], range(1, until + 1) if until > 0 else ())
        if wish.groups:
            yield wish

    def _clubs(self) -> Iterator[Wish]:
        return self._apart("clubs", groups_by(self.entrants, "club"), self.asked.clubs)

    def _countries(self) -> Iterator[Wish]:
        return self._apart("countries", groups_by(self.entrants, "country"), self.asked.countries)

    def _families(self) -> Iterator[Wish]:
        return self._apart("families", self.asked.families, self.asked.families_until)

    def _together(self) -> Iterator[Wish]:
        for number in sorted({number for number, _ in self.asked.together}):
            groups = [self._places(group) for each, group in self.asked.together if each == number]
            yield bring_together(f"together-{number}", groups, [number])

    def _fixed(self) -> Iterator[Wish]:
        yield keep_tables({self.place[who]: table - 1 for who, table in self.asked.fixed if who in self.place})

    def _rooms(self) -> Iterator[Wish]:
        yield mix_rooms(
            {
                table - 1: room
                for room, (first, last, _) in enumerate(self.asked.rooms)
                for table in range(first, min(last, self.tables) + 1)
            }
        )

    def _seeds(self) -> Iterator[Wish]:
        ranked = self._places(self.asked.seeds)
        yield spread_seeds(ranked, self.tables, tiers=-(-len(ranked) // self.tables))

    def _indirect(self) -> Iterator[Wish]:
        yield share_opponents(self.asked.shared)


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


def problems_of(asked: Asked, numbers: Iterable[int], *, tables: int, table_size: int, rounds: int) -> list[Problem]:
    """List the wishes that are impossible for any draw of this field."""
    known = set(numbers)
    named = {who for group in asked.families for who in group} | {who for _, group in asked.together for who in group}
    named |= {who for who, _ in asked.fixed} | set(asked.seeds)
    unknown = tuple(sorted(named - known))
    found = [WISH_PLAYERS_UNKNOWN(numbers=unknown)] if unknown else []
    found += _fixed_problems(asked, tables, table_size)
    found += _room_problems(asked, tables)
    found += _round_problems(asked, rounds, table_size)
    if not 0 <= asked.shared <= MOST_SHARED:
        found.append(WISH_SHARED_OUT_OF_RANGE(most=MOST_SHARED))
    return found


def _fixed_problems(asked: Asked, tables: int, table_size: int) -> list[Problem]:
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


def _room_problems(asked: Asked, tables: int) -> list[Problem]:
    found = [
        WISH_ROOM_TABLES(room=name, last=tables)
        for first, last, name in asked.rooms
        if not 1 <= first <= last <= tables
    ]
    inside = Counter(table for first, last, _ in asked.rooms for table in range(first, min(last, tables) + 1))
    twice = tuple(sorted(table for table, times in inside.items() if times > 1))
    return [*found, WISH_ROOMS_OVERLAP(tables=twice)] if twice and not found else found


def _round_problems(asked: Asked, rounds: int, table_size: int) -> list[Problem]:
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
