"""Fouls put together for pages: found by a few letters, each with its short code, and what one comes to, in words.

A code is the section's digit and a letter, "6c": with it every foul of a book is two keys away. It decides nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from rules.foul_books import catalogue
from rules.fouls import TAKES, Case, Catalogue, Foul, find, of_lateness
from tournament.models import Event
from tournament.selectors.tables.fouls import DECISIONS, LATE, Proposal, is_open
from tournament.selectors.tables.penalties import list_dead_hands
from tournament.selectors.tables.tables import LoadedTable
from web.words.formatting import points
from web.words.foul import DECISION_WORDS, say_case, say_now, say_short
from web.words.languages import side_by_side

MOST_HITS = 12
MOST_QUERY = 60
_CODE = re.compile(r"[0-9][a-z]")
_MINUTES = re.compile(r"(?:(?P<words>.*\S)\s+)?(?P<minutes>[0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class FoulRow:
    """One case of a foul as it is listed; `pick` names it, `official` is what the book beside says if it differs."""

    code: str
    pick: str
    section: int
    what: str
    when: str
    does: str
    official: str
    clause: str


def foul_rows(fouls: Catalogue) -> list[FoulRow]:
    """List every case of every foul in the book's order."""
    counted: dict[int, int] = {}
    rows = []
    for foul in fouls.fouls:
        for case in fouls.penalties[foul.key].cases:
            rows.append(_row(fouls, foul, case, counted.get(foul.section, 0)))
            counted[foul.section] = counted.get(foul.section, 0) + 1
    return rows


def search_fouls(fouls: Catalogue, text: str) -> list[FoulRow]:
    """Find fouls by their code, by words or a clause, or by the minutes that somebody is late, the best first.

    Nothing is found for no text.
    """
    rows, asked = foul_rows(fouls), text[:MOST_QUERY].strip().casefold()
    if not asked:
        return []
    if _CODE.fullmatch(asked):
        return [row for row in rows if row.code == asked]
    found = _by_words(rows, fouls, asked)
    match = _MINUTES.fullmatch(asked)
    if not match:
        return found
    late = _by_lateness(rows, fouls, match["words"] or LATE, int(match["minutes"]))
    codes = {row.code for row in late}
    return [*late, *(row for row in found if row.code not in codes)]


def pick_of(foul: str, case: str = "") -> str:
    """Name a case as forms send it.

    >>> pick_of("tiles_revealed", "few"), pick_of("late")
    ('tiles_revealed.few', 'late')
    """
    return f"{foul}.{case}" if case else foul


def section_items(fouls: Catalogue) -> list[dict[str, Any]]:
    """Return the sections of a catalogue, each with its rows."""
    titles = {foul.section: foul.section_title for foul in fouls.fouls}
    rows = foul_rows(fouls)
    return [
        {"number": number, "title": title, "rows": [row for row in rows if row.section == number]}
        for number, title in titles.items()
    ]


def confirm_context(fouls: Catalogue, proposal: Proposal, decision: str = "") -> dict[str, Any]:
    """Return what penalties/penalty_found.html says before a foul is given."""
    case, penalty, foul = proposal.case, proposal.penalty, proposal.foul
    decisions = [(key, _(DECISION_WORDS[key]), key == decision) for key in ("", *DECISIONS)] if is_open(case) else []
    return {
        "foul": foul,
        "when": case.when,
        "now": say_now(proposal),
        "time": proposal.time,
        "clause": penalty.clause,
        "note": penalty.note,
        "ours": penalty.ours,
        "official": _official(fouls, foul),
        "usual": proposal.points,
        "has_amount": bool(TAKES & set(case.acts)) or bool(decisions),
        "is_free": proposal.is_free,
        "decisions": decisions,
        "span": f"{points(proposal.points)} – {points(proposal.most)}" if proposal.most > proposal.points else "",
    }


def catalogue_sections(fouls: Catalogue, printed: Catalogue, text: str) -> list[dict[str, Any]]:
    """Return the sections as the page of the catalogue lists them: whole fouls, those alone that the text finds.

    `printed` is the same catalogue without the event's own amounts.
    """
    wanted = {foul.key for foul in find(fouls, text[:MOST_QUERY])}
    codes = {row.pick.partition(".")[0]: row.code for row in reversed(foul_rows(fouls))}
    sections: dict[int, dict[str, Any]] = {}
    for foul in fouls.fouls:
        if foul.key in wanted:
            section = sections.setdefault(
                foul.section, {"number": foul.section, "title": foul.section_title, "rows": []}
            )
            section["rows"].append(_catalogue_row(fouls, printed, foul, codes[foul.key]))
    return list(sections.values())


def official_title(fouls: Catalogue) -> str:
    """Name the book whose penalties stand beside; empty for none."""
    return catalogue(fouls.beside).title if fouls.beside else ""


def lateness_picks(fouls: Catalogue) -> list[tuple[str, str]]:
    """Return how late somebody may be, each with its name as forms send it: begun minutes, then more than those.

    >>> lateness_picks(catalogue("wrc-2025"))[-2:]
    [('late.10', '10'), ('late_over', '> 10')]
    """
    if LATE not in fouls.penalties:
        return []
    units = fouls.penalties[LATE].cases[0].units
    over = [(f"{LATE}_over", f"> {units}")] if f"{LATE}_over" in fouls.penalties else []
    return [*((pick_of(LATE, str(minutes)), str(minutes)) for minutes in range(1, units + 1)), *over]


def penalty_bar(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return the context of penalties/penalty_bar.html: dead hands, and where a penalty is given; one query."""
    return {
        "dead_hands": [
            {"number": mark.seat + 1, "name": mark.name, "reason": mark.reason, "penalty": mark.penalty}
            for mark in list_dead_hands(table)
        ],
        "give_url": give_url(event, table),
    }


def give_url(event: Event, table: LoadedTable | None = None) -> str:
    """Return the address at which a foul is given, at a table or for anybody."""
    address = reverse("desk:give_foul", args=[event.slug])
    return f"{address}?round={table.round}&table={table.number}" if table else address


def _row(fouls: Catalogue, foul: Foul, case: Case, place: int) -> FoulRow:
    return FoulRow(
        code=f"{foul.section % 10}{ascii_lowercase[place]}",
        pick=pick_of(foul.key, case.key),
        section=foul.section,
        what=foul.what,
        when=case.when,
        does=say_case(case).removeprefix(f"{case.when}: "),
        official=_official(fouls, foul),
        clause=fouls.penalties[foul.key].clause,
    )


def _by_words(rows: Iterable[FoulRow], fouls: Catalogue, text: str) -> list[FoulRow]:
    by_foul: dict[str, list[FoulRow]] = {}
    for row in rows:
        by_foul.setdefault(row.pick.partition(".")[0], []).append(row)
    return [row for foul in find(fouls, text) for row in by_foul[foul.key]]


def _by_lateness(rows: Iterable[FoulRow], fouls: Catalogue, words: str, minutes: int) -> list[FoulRow]:
    """Return the row of being late by so many minutes, which its pick names, if that is what the words mean."""
    found = of_lateness(fouls, minutes)
    if found is None or all(foul.key != LATE for foul in find(fouls, words)):
        return []
    return [replace(row, pick=pick_of(row.pick, str(minutes))) for row in rows if row.pick == found[0].key]


def _official(fouls: Catalogue, foul: Foul) -> str:
    """Say what the book beside asks for, where that is something else."""
    if not (fouls.differs(foul.key) or fouls.differs_by_chombo(foul.key)):
        return ""
    book = fouls.beside.partition("-")[0].upper()
    return f"{book}: {side_by_side(say_short(fouls.official[foul.key]))}"


def _catalogue_row(fouls: Catalogue, printed: Catalogue, foul: Foul, code: str) -> dict[str, Any]:
    penalty, official = fouls.penalties[foul.key], fouls.official.get(foul.key)
    here, book = say_short(penalty), say_short(printed.penalties[foul.key])
    return {
        "key": foul.key,
        "code": code,
        "what": foul.what,
        "here": here,
        "printed": book if book != here else [],
        "official": say_short(official) if official else [],
        "differs": fouls.differs(foul.key),
        "differs_by_chombo": fouls.differs_by_chombo(foul.key),
        "clause": penalty.clause,
        "note": penalty.note,
        "ours": penalty.ours,
        "bracketed": penalty.bracketed,
    }
