"""The seating list, by round and table and by player name, and the wall poster of a round."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.pdf.measure import POINT, Room, fit
from tournament.pdf.render import Leaves
from tournament.tables.rows import DrawOrigin, EventHead, RoundRow, TableRow
from tournament.text.numbers_figures import WINDS, Wind, listed, name_order

TABLES = 10  # of a page of posters
ONE_COLUMN = 5  # up to so many tables stand below each other
# millimetres, as in paper-cut.css: the height below the heading, the width of a column, what stands beside the names
POSTER = {"a4": 243, "letter": 226}
COLUMN = {1: 186, 2: 91}
BESIDE, BETWEEN, EDGE = 47, 4, 3
LARGEST = 40  # points


def poster_leaves(head: EventHead, played: RoundRow) -> Leaves:
    """Give the poster of a round, ten tables to a page. Raises ValueError if the round has no tables."""
    if not played.tables:
        raise ValueError("there is nothing to print on a poster: the round has no tables")
    count = math.ceil(len(played.tables) / TABLES)
    each = math.ceil(len(played.tables) / count)
    pages = [
        _poster_page(head, played.tables[start : start + each], each) for start in range(0, len(played.tables), each)
    ]
    return Leaves("poster", ({"round": played.number, "pages": pages},))


def _poster_page(head: EventHead, tables: Sequence[TableRow], most: int) -> list[dict[str, object]]:
    """Lay tables out so that they fill a page, in letters as large as the longest name of a table allows."""
    columns = 1 if most <= ONE_COLUMN else 2
    width, high = COLUMN[columns], POSTER[head.paper] / math.ceil(most / columns)
    row = (high - EDGE) / head.players_per_table
    room = _common_room(
        [seat.name for table in tables for seat in table.seats], Room(width - BESIDE, row - 1, LARGEST, 7)
    )
    return [
        {
            "number": table.number,
            "left": at % columns * (width + BETWEEN),
            "top": f"{13 + at // columns * high:.2f}",
            "width": width,
            "row": f"{row:.2f}",
            "signs": f"{min(row / POINT * 0.6, 26):.1f}pt",
            "seats": [(WINDS[seat.seat], seat.name, fit(seat.name, room)) for seat in table.seats],
        }
        for at, table in enumerate(tables)
    ]


def _common_room(names: Sequence[str], room: Room) -> Room:
    """Return a room whose largest letters suit three names in four, so that most are set alike."""
    sizes = sorted(float(fit(name, room).removesuffix("pt")) for name in names)
    return replace(room, largest=sizes[len(sizes) // 4], one_line=1) if sizes else room


# Up to so many rounds the list by name is large and narrow, for a wall; then upright; past that it lies on its side.
ROUNDS_LARGE = 2
ROUNDS_UPRIGHT = 8
# the column of names in each of these, as in paper.css
BY_NAME = {
    "large": Room(72, 8, 12, leading=1.25),
    "upright": Room(60, 7, 9, leading=1.25),
    "wide": Room(80, 7, 9, leading=1.25),
}


@dataclass(frozen=True, slots=True)
class PlayerPlaces:
    """One player's line: for each round the table and wind, or None where the player does not sit."""

    name: str
    letters: str
    number: int
    places: tuple[tuple[int, Wind] | None, ...]


def seating_leaves(head: EventHead, rounds: tuple[RoundRow, ...], parts: str = "both") -> Leaves:
    """Give the seating list: "both" parts, "tables" alone or "players" alone."""
    return Leaves("seating", (seating_values(head, rounds, parts),))


def seating_values(head: EventHead, rounds: tuple[RoundRow, ...], parts: str = "both") -> dict[str, Any]:
    """Give the seating template what it shows."""
    return {
        "parts": parts,
        "winds": WINDS[: head.players_per_table],
        "seats": seats_text(head.players_per_table),
        "blocks": [_block(head, played) for played in rounds],
        "round_numbers": [played.number for played in rounds],
        "players": players_by_name(rounds),
        "seed_lines": seed_lines(head, rounds),
        "layout": _layout(len(rounds)),
    }


def seats_text(size: int) -> str:
    """List the seats of a table as lists and cards name them: sign, letter, word."""
    winds = (f"{wind.sign} {wind.letter} {wind.word}" if wind.letter else wind.sign for wind in WINDS[:size])
    return pgettext("between the parts of a list", ", ").join(winds)


def _layout(rounds: int) -> str:
    if rounds <= ROUNDS_LARGE:
        return "large"
    return "upright" if rounds <= ROUNDS_UPRIGHT else "wide"


def _block(head: EventHead, played: RoundRow) -> dict[str, Any]:
    room = Room(171 / head.players_per_table - 3, 8, 9, leading=1.25)
    tables = [
        {"number": table.number, "seats": [(seat, fit(seat.name, room)) for seat in table.seats]}
        for table in played.tables
    ]
    return {"number": played.number, "tables": tables}


def players_by_name(rounds: tuple[RoundRow, ...]) -> tuple[PlayerPlaces, ...]:
    """Turn rounds of tables into one line for each player, in the order in which people look names up."""
    room = BY_NAME[_layout(len(rounds))]
    found: defaultdict[tuple[str, int], dict[int, tuple[int, Wind]]] = defaultdict(dict)
    for played in rounds:
        for table in played.tables:
            for seat in table.seats:
                found[seat.name, seat.number][played.number] = (table.number, WINDS[seat.seat])
    return tuple(
        PlayerPlaces(name, fit(name, room), number, tuple(found[name, number].get(r.number) for r in rounds))
        for name, number in sorted(found, key=lambda key: (name_order(key[0]), key[1]))
    )


def seed_lines(head: EventHead, rounds: tuple[RoundRow, ...]) -> tuple[str, ...]:
    """Say how each draw among the rounds can be repeated, one sentence for each seed."""
    by_seed: defaultdict[tuple[int | None, DrawOrigin | None], list[RoundRow]] = defaultdict(list)
    for played in rounds:
        by_seed[played.seed, played.origin].append(played)
    return tuple(_seed_line(head, seed, origin, drawn) for (seed, origin), drawn in by_seed.items())


def _seed_line(head: EventHead, seed: int | None, origin: DrawOrigin | None, drawn: list[RoundRow]) -> str:
    which = rounds_text([played.number for played in drawn])
    players = max(len(played.tables) for played in drawn) * head.players_per_table
    made = origin or DrawOrigin(players=players)
    said = seed_sentence(seed, made, size=head.players_per_table, rounds=head.rounds)
    return _("%(rounds)s: %(said)s") % {"rounds": which, "said": said}


def seed_sentence(seed: int | None, origin: DrawOrigin, *, size: int, rounds: int) -> str:
    """Say where seats come from and how the draw can be repeated; it goes on from a colon.

    >>> seed_sentence(5, DrawOrigin("standing"), size=4, rounds=8)
    'drawn by standing, with lots from seed 5.'
    """
    if origin.by == "standing":
        by_lot = _("drawn by standing, with lots from seed %(seed)d.")
        return _("drawn by standing.") if seed is None else by_lot % {"seed": seed}
    if seed is None:
        return _("no seed, because the seats were not drawn by this program.")
    if origin.by == "redraw":
        return _("redrawn after the start, from seed %(seed)d and the rounds before.") % {"seed": seed}
    extras = extras_of(origin)
    drawn = _("drawn by lot with seed %(seed)d from the list of %(players)d players in order of their numbers.")
    if extras:
        drawn = _(
            "drawn by lot with seed %(seed)d from the list of %(players)d players in order of their numbers, with "
            "%(extras)s."
        )
    said = drawn % {"seed": seed, "players": origin.players, "extras": listed(extras)}
    return pgettext("between two sentences", " ").join([said, say_repeated_by(seed, origin, size, rounds)])


def extras_of(origin: DrawOrigin) -> list[str]:
    """Say what a draw was made with beside the list of players."""
    some = origin.substitutes
    return [
        *([ngettext("%(count)d substitute", "%(count)d substitutes", some) % {"count": some}] if some else []),
        *([_("rests in turn")] if origin.rests else []),
        *([_("the organiser’s wishes")] if origin.wishes else []),
    ]


def say_repeated_by(seed: int, origin: DrawOrigin, size: int, rounds: int) -> str:
    """Say how to repeat a draw; the command knows neither wishes nor rests, nor that substitutes sit apart."""
    if origin.ended_early:
        return _("The search was ended early: the seed alone does not repeat it.")
    if origin.wishes or origin.rests or origin.substitutes > 1:
        return _("The same seed, list and wishes give the same draw on any desk.")
    players = origin.players + origin.substitutes
    command = f"manage.py seat --players {players} --table-size {size} --rounds {rounds} --seed {seed}"
    return _("%(command)s repeats the numbers, which the seed then deals to the players.") % {"command": command}


def rounds_text(numbers: list[int]) -> str:
    """Name rounds in few words.

    >>> rounds_text([3]), rounds_text([1, 2, 3, 4]), rounds_text([1, 3, 4])
    ('Round 3', 'Rounds 1 to 4', 'Rounds 1, 3, 4')
    """
    if len(numbers) == 1:
        return _("Round %(number)d") % {"number": numbers[0]}
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return _("Rounds %(first)d to %(last)d") % {"first": numbers[0], "last": numbers[-1]}
    return _("Rounds %(rounds)s") % {"rounds": pgettext("between the parts of a list", ", ").join(map(str, numbers))}
