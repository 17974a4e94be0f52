"""Sheets to be cut apart: player cards with all rounds, badges, and the signs of the tables."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tournament.paper.sheets_seating import players_by_name, seats_text
from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves, portions_of
from tournament.tables.rows import BadgeRow, EventHead, RoundRow
from tournament.text.numbers_figures import name_order

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


@dataclass(frozen=True, slots=True)
class CardLine:
    """A round as the form of the cards names it, with its start where that is known."""

    number: int
    starts: str


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
