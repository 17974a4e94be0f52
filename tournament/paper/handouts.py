"""What players and tables are handed: cards, badges and signs to cut apart, values, yaku, sticks, sheets of rules.

Sheets of rules are for everybody, too: printed once for a public state and language.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.procedure import procedure_of
from tournament.events.models import Event
from tournament.pages.caches import build_id
from tournament.pages.files import get_head, pdf_answer
from tournament.pages.permissions import for_public
from tournament.pages.priority import yield_priority
from tournament.paper.sheets import players_by_name, seats_text
from tournament.pdf.drawings import wall_svg
from tournament.pdf.measure import Room, fit
from tournament.pdf.printers import BrokenOff, printers
from tournament.pdf.render import Leaves, PaperUnavailable, Printed, portions_of
from tournament.publication.queries import keep, public_state
from tournament.rulesets.differences import Differences, list_differences
from tournament.rulesets.event_views import house_rules_of
from tournament.rulesets.messages import Stated
from tournament.rulesets.views import preset_of
from tournament.tables.rows import (
    PAPERS,
    BadgeRow,
    DifferenceRow,
    DifferenceTable,
    EventHead,
    RoundRow,
    SetupStep,
    StatedLines,
)
from tournament.text.numbers import NO_VALUE, WINDS, name_order, points
from tournament.text.plain_text import Block
from tournament.text.rules import say_procedure, say_source
from tournament.text.values import ValueSheet, YakuSheet

CARDS, BADGES = 9, 10
ON_CARD = Room(57, 8, 14, bold=True)
FIRST_NAME = Room(79, 19, 50, bold=True, leading=1)
ONLY_NAME = Room(79, 27, 50, bold=True, leading=1)
OTHER_NAMES = Room(79, 10, 22, bold=True)
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
    lines = [{"number": row.number, "starts": _time(head, (starts or {}).get(row.number))} for row in shown]
    cards = [
        {
            "name": each.name,
            "letters": fit(each.name, ON_CARD),
            "number": each.number,
            # a line a round in one text: an element for each place would make 200 cards take three times as long
            "tables": "\n".join(f"{place[0]}" if place else NO_VALUE for place in each.places),
            "places": "\n".join(f"{place[1].sign} {place[1].letter}" if place else "" for place in each.places),
        }
        for each in players_by_name(shown)
    ]
    values = {
        "lines": lines,
        "timed": any(line["starts"] for line in lines),
        "rows": _rows(len(shown)),
        "slots": range(1, CARDS + 1),
        "seats": seats_text(head.players_per_table) if WINDS[0].letter else "",
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
        {"items": items[start : start + per_page], "page": 1 + start // per_page}
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


def sticks_leaves(head: EventHead, sets: Sequence[dict[int, int]], tables: int, brought: int | None = None) -> Leaves:
    """Give what each table needs beside tiles: point sticks by seat, one table for each of `sets`, and markers.

    `brought` is for how many tables people bring sticks, None where no equipment is listed.

    Raises ValueError where no sticks add up to the starting points.
    """
    if not sets:
        raise ValueError("no sticks add up to the starting points")
    values = {
        "sets": [_stick_rows(counts, head.players_per_table, tables) for counts in sets],
        "start": points(head.start_points),
        "size": head.players_per_table,
        "tables": tables,
        "brought": brought,
        "missing": max(tables - (brought or 0), 0),
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
        (points(stick), *(points(count * times) for times in (1, players, players * tables)))
        for stick, count in counts.items()
        if count
    ]
    total = sum(counts.values())
    sums = [points(total * times) for times in (1, players, players * tables)]
    return {"rows": rows, "sums": sums}


# How small a sheet may get so that it is one page; the last is as small as can be read.
RULES_SIZES = ("huge", "large", "middle", "columns", "small", "smallest")


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


def differences_sheet(event: Event) -> Leaves:
    """Make the sheet of what is different from the event's book, and from the one it is compared with."""
    found, own = list_differences(event), preset_of(event.ruleset)
    same = [each.book.ruleset.title for each in found if not each]
    same_as = [_("As in %(title)s: nothing is changed for this event.") % {"title": title} for title in same]
    return differences_leaves([_table(each, own=each.book is own) for each in found if each], same_as)


def house_rules_sheet(event: Event) -> Leaves:
    """Make the sheet of the house rules in the language in use, or in one that they are written in."""
    found = house_rules_of(event)
    if not found.blocks:
        raise Http404(_("This event has no house rules of its own."))
    return house_rules_leaves(found.language, found.blocks)


def table_setup_sheet(event: Event) -> Leaves:
    """Make the sheet of how a table is set up."""
    rules = event.ruleset
    found = procedure_of(rules).procedure
    steps = [
        SetupStep(step.name, step.words, _source(say_source(step.citation.text), ours=step.citation.ours))
        for step in say_procedure(rules)
    ]
    return table_setup_leaves(steps, found.dead_wall // 2, found.indicator)


def _table(each: Differences, *, own: bool) -> DifferenceTable:
    words = {"title": each.book.ruleset.title, "counts": each.counts}
    title = _("Changed from %(title)s: %(counts)s") if own else _("Different from %(title)s: %(counts)s")
    rules = (
        (section.title, tuple(DifferenceRow(row.name, _stated(row.here), _stated(row.other)) for row in section.rows))
        for section in each.compared.sections
    )
    fouls = (
        (
            _("Fouls: %(section)s") % {"section": section.title},
            tuple(
                DifferenceRow(
                    row.what,
                    StatedLines(tuple(row.here), row.clause),
                    StatedLines(tuple(row.there), row.other_clause),
                )
                for row in section.rows
            ),
        )
        for section in each.fouls
    )
    return DifferenceTable(
        title % words, each.compared.here, each.compared.there, (*rules, *fouls), tuple(each.left_out)
    )


def _stated(stated: Stated | None) -> StatedLines:
    if stated is None:
        return StatedLines((), "")
    lines = [" ".join(line) for line in stated.limits] or [stated.words]
    source = _("organiser") if stated.origin == "event" else _source(stated.clause, ours=stated.origin == "ours")
    return StatedLines(tuple(lines), source)


def _source(text: str, *, ours: bool) -> str:
    return _("ours: %(why)s") % {"why": text} if ours else text


FOR_EVERYBODY: Mapping[str, Callable[[Event], Leaves]] = {
    "differences": differences_sheet,
    "house-rules": house_rules_sheet,
    "table-setup": table_setup_sheet,
}


@require_safe
@for_public
def public_sheet(request: HttpRequest, event: Event, sheet: str) -> HttpResponse:
    """Answer with a sheet of rules as PDF in the reader's language, printed once for everybody."""
    if sheet not in FOR_EVERYBODY:
        raise Http404("There is no such sheet.")
    paper = request.GET.get("paper", "")
    paper = paper if paper in PAPERS else PAPERS[0]

    def make() -> Printed:
        with yield_priority():
            return printers.print(FOR_EVERYBODY[sheet](event), replace(get_head(event), paper=paper))

    key = ("sheet", build_id(), str(event.pk), public_state(event).mark, sheet, paper, get_language() or "")
    try:
        return pdf_answer(event, sheet, keep(" ".join(key), make))
    except (PaperUnavailable, BrokenOff):
        words = _("Printing is not possible now. The page of the rules has the same text.")
        return HttpResponse(words, content_type="text/plain; charset=utf-8", status=503)
