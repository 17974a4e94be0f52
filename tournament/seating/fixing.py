"""Puts the players of a draft under their final numbers, and those with a fixed table at it in every round.

Two people fixed to different tables can never meet. So they take the numbers of players who are strangers in the draft,
where it has such: then moving whole tables is enough, and nobody meets more often than before.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from tournament.seating.chance import Chance
from tournament.seating.field import Field
from tournament.seating.lines import Lines, count_meetings, tables_of

TRIES: Final = 64  # how often a set of strangers is looked for before seats are swapped instead


def settle(lines: Lines, wish: Field, chance: Chance) -> list[list[int]]:
    """Return the draft with its players renamed by chance and those with a fixed table in the first seats of it."""
    names = _draw_names(lines, wish, chance)
    renamed = [[names[player] for player in line] for line in lines]
    return [_seat_fixed(line, wish) for line in renamed] if wish.fixed else renamed


def seats_of_fixed(wish: Field) -> dict[int, int]:
    """Return for each player with a fixed table the place in every line: the first seats of that table."""
    taken: dict[int, int] = {}
    places: dict[int, int] = {}
    for player in sorted(wish.fixed):
        table = wish.fixed[player]
        places[player] = table * wish.table_size + taken.get(table, 0)
        taken[table] = taken.get(table, 0) + 1
    return places


def free_places(wish: Field) -> list[int]:
    """Return the places in a line that are nobody's for good."""
    taken = set(seats_of_fixed(wish).values())
    return [place for place in range(wish.players) if place not in taken]


def _draw_names(lines: Lines, wish: Field, chance: Chance) -> Sequence[int]:
    """Draw a final number for each player of the draft; strangers get those that are fixed to different tables."""
    names = chance.shuffled(range(wish.players))
    one_of_each = sorted({table: player for player, table in wish.fixed.items()}.values())
    strangers = find_strangers(lines, wish, len(one_of_each), chance)
    for stranger, name in zip(strangers, one_of_each, strict=False):
        holder = names.index(name)
        names[stranger], names[holder] = names[holder], names[stranger]
    return names


def find_strangers(lines: Lines, wish: Field, how_many: int, chance: Chance) -> list[int]:
    """Return players of whom no two ever meet; fewer than asked for where a short search finds no more."""
    best: list[int] = []
    if how_many < 2:
        return best
    met = _opponents(lines, wish)
    for _ in range(TRIES):
        strangers: list[int] = []
        for player in chance.shuffled(range(wish.players)):
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
    """Bring each player with a fixed table to it: by moving the whole table where nobody fixed sits there yet."""
    size, places = wish.table_size, seats_of_fixed(wish)
    tables = [list(table) for table in tables_of(line, size)]
    settled: set[int] = set()
    for player, target in wish.fixed.items():
        here = next(at for at, table in enumerate(tables) if player in table)
        if here != target and not settled & {here, target}:
            tables[here], tables[target] = tables[target], tables[here]
        settled.add(target)
    seats = [player for table in tables for player in table]
    _sort_in(seats, places)
    return seats


def _sort_in(seats: list[int], places: Mapping[int, int]) -> None:
    """Swap each fixed player into the own seat: within a table this changes nothing, between tables it may cost."""
    for player, place in places.items():
        here = seats.index(player)
        seats[here], seats[place] = seats[place], seats[here]
