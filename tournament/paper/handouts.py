"""Sheets to be cut apart: player cards with all rounds, badges, and the signs of the tables.

What players are handed: the table of values, pocket cards of it, the list of yaku, point sticks and markers.

Sheets of rules for players: what is different here, house rules, how a table is set up; each on one page.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from tournament.paper.sheets import players_by_name, seats_text
from tournament.pdf.drawings import wall_svg
from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves, portions_of
from tournament.pdf.rows import CardLine
from tournament.tables.rows import BadgeRow, DifferenceTable, EventHead, RoundRow, SetupStep
from tournament.text.numbers import WINDS, count_text, name_order
from tournament.text.plain_text import Block
from tournament.text.values import ValueSheet, YakuSheet

CARDS, BADGES = 9, 10
ON_CARD = Room(57, 8, 14, bold=True)
FIRST_NAME = Room(79, 19, 50, bold=True, leading=1)
ONLY_NAME = Room(79, 27, 50, bold=True, leading=1)
OTHER_NAMES = Room(79, 10, 22, bold=True)
NOWHERE = "\N{EN DASH}"
PAGES_AT_ONCE = 2  # a page of cards has nine times the words of a report sheet
# Up to so many rounds a line of a card may be so high; see paper-cut.css.
ROOMY, CLOSE, MOST = 8, 12, 18
T = TypeVar("T")


def player_cards_leaves(
    head: EventHead, rounds: Sequence[RoundRow], starts: Mapping[int, dt.datetime] | None = None
) -> Leaves:
    """Give cards, nine to a page, in order of names; `starts` are aware and shown in the zone of `head.printed_at`.

    Past MOST rounds a card has no room: the first MOST stand on it. Raises ValueError where nobody is seated.
    """
    shown = tuple(rounds[:MOST])
    lines = [CardLine(row.number, _time(head, (starts or {}).get(row.number))) for row in shown]
    cards = [
        {
            "name": each.name,
            "letters": fit(each.name, ON_CARD),
            "number": each.number,
            # a line a round in one text: an element for each place would make 200 cards take three times as long
            "tables": "\n".join(f"{place[0]}" if place else NOWHERE for place in each.places),
            "places": "\n".join(f"{place[1].sign} {place[1].letter}" if place else "" for place in each.places),
        }
        for each in players_by_name(shown)
    ]
    values = {
        "lines": lines,
        "timed": any(line.starts for line in lines),
        "rows": _rows(len(shown)),
        "slots": range(1, CARDS + 1),
        "seats": seats_text(head.players_per_table),
    }
    return _cut("player_cards", values, cards, CARDS)


def badges_leaves(people: Sequence[BadgeRow]) -> Leaves:
    """Give badges, ten to a page, in order of names. Raises ValueError where there is nobody."""
    ordered = sorted(people, key=lambda each: (name_order(each.name), each.number))
    badges = [{"badge": each, **_names(each.name)} for each in ordered]
    return _cut("badges", {"slots": range(1, BADGES + 1)}, badges, BADGES)


def _names(name: str) -> dict[str, str]:
    """Split a name after its first word, which is read from three metres."""
    first, _, rest = name.partition(" ")
    return {
        "first": first,
        "rest": rest,
        "first_letters": fit(first, FIRST_NAME if rest else ONLY_NAME),
        "rest_letters": fit(rest, OTHER_NAMES),
    }


def table_tents_leaves(tables: int) -> Leaves:
    """Give a sign for each table, to be folded across the middle. Raises ValueError for no tables."""
    return _cut("table_tents", {}, [{"table": number} for number in range(1, tables + 1)], 1)


def _cut(page: str, values: Mapping[str, Any], items: Sequence[Mapping[str, Any]], per_page: int) -> Leaves:
    if not items:
        raise ValueError(f"there is nothing to print on {page}")
    pages = [
        {"items": list(enumerate(items[start : start + per_page], start=1)), "page": 1 + start // per_page}
        for start in range(0, len(items), per_page)
    ]
    at_once = PAGES_AT_ONCE if per_page > 1 else 10
    return Leaves(page, portions_of({**values, "last_page": len(pages)}, pages, at_once), form=True)


def _time(head: EventHead, starts: dt.datetime | None) -> str:
    return f"{starts.astimezone(head.printed_at.tzinfo):%H:%M}" if starts else ""


def _rows(rounds: int) -> str:
    """Name how close the lines of a card stand.

    >>> _rows(8), _rows(9), _rows(18)
    ('roomy', 'close', 'closest')
    """
    if rounds <= ROOMY:
        return "roomy"
    return "close" if rounds <= CLOSE else "closest"


POCKET_CARDS = 4
MARKER_SETS = {"a4": 7, "letter": 6}
LIST_SIZES = ("large", "small")  # of a list that is one page; nearly all are in large letters, and laid out once


def values_leaves(sheet: ValueSheet) -> Leaves:
    """Give the table of values on one page."""
    return Leaves("values", tuple({"sheet": sheet, "size": size} for size in LIST_SIZES), fit=True)


def pocket_cards_leaves(sheet: ValueSheet) -> Leaves:
    """Give a page of four equal cards to be cut, each with the whole table of values."""
    return Leaves("value_cards", ({"sheet": sheet, "slots": range(1, POCKET_CARDS + 1)},))


def yaku_leaves(sheet: YakuSheet) -> Leaves:
    """Give the list of yaku on one page."""
    return Leaves("yaku", tuple({"sheet": sheet, "size": size} for size in LIST_SIZES), fit=True)


def sticks_leaves(head: EventHead, sets: Sequence[dict[int, int]], tables: int) -> Leaves:
    """Give what each table needs beside tiles: point sticks by seat, one table for each of `sets`, and markers.

    Raises ValueError where no sticks add up to the starting points.
    """
    if not sets:
        raise ValueError("no sticks add up to the starting points")
    values = {
        "sets": [_stick_rows(counts, head.players_per_table, tables) for counts in sets],
        "start": count_text(head.start_points),
        "size": head.players_per_table,
        "tables": tables,
        "sheets": -(-tables // MARKER_SETS[head.paper]),
    }
    return Leaves("sticks", (values,))


def markers_leaves(head: EventHead, winds_played: int) -> Leaves:
    """Give a page of markers to be cut, a row for each table: the first dealer's, the round's, and one a wind.

    A marker of the round is folded and shows one of two winds.
    """
    values = {
        "slots": range(1, MARKER_SETS[head.paper] + 1),
        "winds": WINDS[: head.players_per_table],
        "rounds": list(zip(WINDS[::2], WINDS[1::2], strict=True))[: -(-winds_played // 2)],
    }
    return Leaves("markers", (values,))


def _stick_rows(counts: dict[int, int], players: int, tables: int) -> dict[str, Any]:
    rows = [
        (count_text(stick), *(count_text(count * times) for times in (1, players, players * tables)))
        for stick, count in counts.items()
        if count
    ]
    total = sum(counts.values())
    sums = [count_text(total * times) for times in (1, players, players * tables)]
    return {"rows": rows, "sums": sums}


# How small a sheet may get so that it is one page; the last is as small as can be read.
RULES_SIZES = ("huge", "large", "middle", "small", "smallest")


def differences_leaves(tables: Sequence[DifferenceTable], same_as: Sequence[str]) -> Leaves:
    """Give what is different from each book; `same_as` are sentences on books from which nothing is."""
    return Leaves(
        "differences", tuple({"tables": tables, "same_as": same_as, "size": size} for size in RULES_SIZES), fit=True
    )


def house_rules_leaves(language: str, blocks: Sequence[Block]) -> Leaves:
    """Give the house rules, written in this language; without blocks the page says that there are none."""
    return Leaves(
        "house_rules", tuple({"language": language, "blocks": blocks, "size": size} for size in RULES_SIZES), fit=True
    )


def table_setup_leaves(steps: Sequence[SetupStep], stacks: int, indicator: int) -> Leaves:
    """Give how a table is set up, with the dead wall of so many stacks as a picture."""
    return Leaves("table_setup", ({"steps": steps, "wall": wall_svg(stacks, indicator)},))
