"""Offers drafts of whole schedules, the best kind first: by formula, from the stock, by copies, by a search for
starters.

Each is as good as this desk knows for its size, before anybody has a fixed table. Judges nothing: `draw` takes or
refuses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tournament.seating.bounds import even_repeats
from tournament.seating.chance import Chance
from tournament.seating.classes import class_lines
from tournament.seating.cyclic import Cycle
from tournament.seating.effort import Effort
from tournament.seating.field import Field
from tournament.seating.indirect import choose_rounds
from tournament.seating.lines import Lines
from tournament.seating.starters import Quest, find_starters
from tournament.seating.stock import Entry, entries_for, jumps_for

QUESTS: Final = 4  # how many symmetries are tried when starters must be searched for


@dataclass(frozen=True, slots=True)
class Draft:
    """Rounds as lines in table order, how many repeats are known to be in them, and how they were made.

    `tabled`: nobody comes to a table again, so that the tables need no other numbers.
    """

    lines: Lines
    repeats: int
    method: str
    tabled: bool = False


def ready_drafts(wish: Field, chance: Chance) -> Iterator[Draft]:
    """Yield the drafts that need no search, the best kind first."""
    if kept := jumps_for(wish):
        yield Draft(chance.shuffled(kept.lines()), 0, "stock", tabled=True)
    if lines := class_lines(wish, tabled=True):
        yield Draft(lines, 0, "formula", tabled=True)
    for entry in entries_for(wish.players, wish.table_size):
        if entry.serves(wish):
            yield Draft(_choose(entry.lines(), wish, chance), entry.repeats, "stock", entry.tabled)
    if lines := class_lines(wish, tabled=False):
        yield Draft(lines, 0, "formula")
    for entry in entries_for(wish.players, wish.table_size):
        if _meets_all_once(entry) and entry.rounds < wish.rounds:
            copies = _copies(entry, wish, chance)
            yield Draft(copies, _repeats_of_copies(entry, wish), "stock, in copies")
    if wish.tables == 1:
        line = list(range(wish.players))
        yield Draft([line] * wish.rounds, _pairs(wish) * wish.rounds * (wish.rounds - 1) // 2, "one table")


def searched_drafts(wish: Field, chance: Chance, effort: Effort) -> Iterator[Draft]:
    """Yield schedules without a repeat that a search for starters finds within a part of the steps."""
    if wish.tables < wish.table_size or even_repeats(wish.rounds * (wish.table_size - 1), wish.players - 1):
        return
    quests = list(_quests(wish))[:QUESTS]
    for quest in quests:
        if starters := find_starters(quest, effort.steps // (2 * len(quests)), chance, effort):
            lines = quest.cycle.develop(starters, tabled=False)
            yield Draft(_choose(lines, wish, chance), 0, "starters")


def longest_start(wish: Field, chance: Chance) -> Lines:
    """Return rounds to anneal from: the longest known ones without a repeat, then rounds by chance."""
    perfect = [entry for entry in entries_for(wish.players, wish.table_size) if not entry.repeats]
    entry = max(perfect, key=lambda entry: entry.rounds, default=None)
    begun = _some(entry.lines(), wish, chance) if entry else []
    return [*begun, *(chance.shuffled(range(wish.players)) for _ in range(wish.rounds - len(begun)))]


def _choose(lines: Lines, wish: Field, chance: Chance) -> Lines:
    return choose_rounds(lines, wish.rounds, wish.table_size, chance)


def _some(lines: Lines, wish: Field, chance: Chance) -> Lines:
    return chance.shuffled(lines)[: wish.rounds]


def _quests(wish: Field) -> Iterator[Quest]:
    """Yield the symmetries worth a try: an odd cycle just long enough, and few players who stay."""
    first = wish.rounds | 1
    for order in (first, first + 2):
        for orbits in range(wish.players // order, 0, -1):
            if wish.players - orbits * order <= min(wish.tables, order):
                yield Quest(Cycle(wish.players, wish.table_size, order, orbits))


def _meets_all_once(entry: Entry) -> bool:
    return not entry.repeats and entry.rounds * (entry.cycle.table_size - 1) == entry.cycle.players - 1


def _copies(entry: Entry, wish: Field, chance: Chance) -> Lines:
    """Return rounds in which everybody meets everybody once, again and again under other names, the last time cut.

    Counts of meetings are then within one of each other, and no schedule has fewer repeats.
    """
    lines: list[list[int]] = []
    while len(lines) < wish.rounds:
        names = chance.shuffled(range(wish.players))
        lines += [[names[player] for player in line] for line in chance.shuffled(entry.lines())]
    return lines[: wish.rounds]


def _repeats_of_copies(entry: Entry, wish: Field) -> int:
    whole, more = divmod(wish.rounds, entry.rounds)
    pairs = _pairs(wish)
    return pairs * (entry.rounds * whole * (whole - 1) // 2 + more * whole)


def _pairs(wish: Field) -> int:
    """Return how many pairs meet in one round."""
    return wish.players * (wish.table_size - 1) // 2
