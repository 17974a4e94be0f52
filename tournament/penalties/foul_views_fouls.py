"""The event's catalogue of fouls: find a foul, the public page, the amounts that an organiser may change.

A foul has a code, the section's digit and a letter as in "6c", so that two keys find it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from rules.foul_books import catalogue
from rules.fouls import Case, Catalogue, Foul, Penalty, amounts, find, of_lateness
from scoring.problems import ProblemType
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest, for_public, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.public_page import show
from tournament.pages.requests_tables import MOST_QUERY, UNPROCESSABLE, read_amount
from tournament.pages.sign_in_reauthentication import reauthenticate, rules_frozen
from tournament.penalties.actions_fouls import change_foul_amounts
from tournament.penalties.messages import say_case, say_short
from tournament.penalties.queries_fouls import LATE, get_catalogue
from tournament.penalties.queries_penalties import list_dead_hands
from tournament.tables.queries_tables import LoadedTable
from tournament.text.languages import side_by_side
from tournament.text.numbers_formatting import points
from tournament.text.problems_1 import say

FOUL_AMOUNT_UNREADABLE = ProblemType("foul.amount_unreadable", "Write points as 20,000 or as 20P.")

_CODE = re.compile(r"[0-9][a-z]")
_MINUTES = re.compile(r"(?:(?P<words>.*\S)\s+)?(?P<minutes>[0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class FoulRow:
    """One case of a foul in a list; `pick` names it, `official` is the other book's penalty if it differs."""

    code: str
    pick: str
    section: int
    what: str
    when: str
    does: str
    official: str
    clause: str


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """A foul as the public page lists it, with its penalties in words.

    `here` are the event's, `printed` the book's if other, `official` those of the book beside.
    """

    code: str
    foul: Foul
    penalty: Penalty
    here: list[str]
    printed: list[str]
    official: list[str]
    differs: bool
    differs_by_chombo: bool


@dataclass(frozen=True, slots=True)
class AmountRow:
    """One amount of the form: field `key` holds the text `typed`, `error` if that is unreadable."""

    key: str
    section: str
    what: str
    when: str
    repeated: bool
    clause: str
    printed: int
    points: int
    typed: str
    error: bool

    @property
    def changed(self) -> bool:
        """Whether the event departs from the book."""
        return self.points != self.printed


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
    """Find fouls by code, words, clause or minutes of lateness, best first; none for an empty text."""
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


def sections_context(fouls: Catalogue) -> dict[str, Any]:
    """Return the sections to choose from, number and title, and whether there are any."""
    sections = {foul.section: foul.section_title for foul in fouls.fouls}
    return {"sections": list(sections.items()), "has_catalogue": bool(sections)}


def say_official(fouls: Catalogue, foul: Foul) -> str:
    """Say the other book's penalty if it differs."""
    if not (fouls.differs(foul.key) or fouls.differs_by_chombo(foul.key)):
        return ""
    book = fouls.beside.partition("-")[0].upper()
    return f"{book}: {side_by_side(say_short(fouls.official[foul.key]))}"


def penalty_bar(event: Event, table: LoadedTable) -> dict[str, Any]:
    """Return the context of penalties/give_foul.html#bar: dead hands, and where a penalty is given; one query."""
    return {"dead_hands": list_dead_hands(table), "give_url": give_url(event, table)}


def give_url(event: Event, table: LoadedTable | None = None) -> str:
    """Return the address of the page that gives a foul, at a table or to anybody."""
    address = reverse("desk:give_foul", args=[event.slug])
    return f"{address}?round={table.round}&table={table.number}" if table else address


# ---------------------------------------------------------------- pages


@require_safe
@for_public
def fouls(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the event's catalogue by section, beside the book that it differs from; `?q=` filters it."""
    query = request.GET.get("q", "")

    def make() -> dict[str, Any]:
        read, rules = get_catalogue(event), event.ruleset
        printed = catalogue(rules)
        return {
            "catalogue": read,
            "sections": _sections(read, printed, query),
            "query": query[:60],
            "official": catalogue(read.beside).title if read.beside else "",
            "beside": read.beside.replace("-", " ").upper(),
            "differing": sum(read.differs(foul.key) for foul in read.fouls),
        }

    return show(request, event, "penalties/fouls.html", make, tab="")


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_RULES)
@reauthenticate(rules_frozen)
def foul_amounts(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the amounts of the event's catalogue beside the book's, and change them."""
    rules, errors = event.ruleset, []
    printed = amounts(catalogue(rules))
    fouls_, typed = get_catalogue(event), request.POST if request.method == "POST" else {}
    now = amounts(fouls_)
    rows = [_amount_row(fouls_, key, printed[key], now[key], typed.get(key)) for key in printed]
    reason = request.POST.get("reason", "")[:300]
    if request.method == "POST":
        errors = [say(FOUL_AMOUNT_UNREADABLE())] if any(row.error for row in rows) else []
        errors = errors or _change_amounts(request, event, rows, reason)
        if not errors:
            return redirect("desk:foul_amounts", event.slug)
    context = {"rows": rows, "errors": errors, "reason": reason, "needs_reason": event.rules_frozen_at is not None}
    page = desk_context(request, event, "penalties", **context)
    return render(request, "penalties/foul_amounts.html", page, status=UNPROCESSABLE if errors else 200)


def _change_amounts(request: DeskRequest, event: Event, rows: list[AmountRow], reason: str) -> list[str]:
    """Change the amounts; return what is wrong, in words."""
    try:
        changed = change_foul_amounts(
            event=event, values={row.key: row.points for row in rows}, reason=reason, by=request.user
        )
    except Refused as refused:
        return [say(problem) for problem in refused.problems]
    messages.success(request, _("The amounts are changed.") if changed else _("Nothing was changed."))
    return []


# ---------------------------------------------------------------- rows


def _amount_row(fouls: Catalogue, key: str, printed: int, now: int, typed: str | None) -> AmountRow:
    name, _dot, rest = key.partition(".")
    foul = next(foul for foul in fouls.fouls if foul.key == name)
    case_key = rest.removesuffix("repeated").removesuffix(".")
    case = next((case for case in fouls.penalties[name].cases if case.key == case_key), fouls.penalties[name].cases[0])
    read = now if typed is None else read_amount(typed)
    return AmountRow(
        key=key,
        section=foul.section_title,
        what=foul.what,
        when=case.when,
        repeated=rest.endswith("repeated"),
        clause=fouls.penalties[name].clause,
        printed=printed,
        points=now if read is None else read,
        typed=points(now) if typed is None else typed[:20],
        error=read is None,
    )


def _row(fouls: Catalogue, foul: Foul, case: Case, place: int) -> FoulRow:
    return FoulRow(
        code=f"{foul.section % 10}{ascii_lowercase[place]}",
        pick=pick_of(foul.key, case.key),
        section=foul.section,
        what=foul.what,
        when=case.when,
        does=say_case(case).removeprefix(f"{case.when}: "),
        official=say_official(fouls, foul),
        clause=fouls.penalties[foul.key].clause,
    )


def _by_words(rows: Iterable[FoulRow], fouls: Catalogue, text: str) -> list[FoulRow]:
    by_foul: dict[str, list[FoulRow]] = {}
    for row in rows:
        by_foul.setdefault(row.pick.partition(".")[0], []).append(row)
    return [row for foul in find(fouls, text) for row in by_foul[foul.key]]


def _by_lateness(rows: Iterable[FoulRow], fouls: Catalogue, words: str, minutes: int) -> list[FoulRow]:
    """Return the row for so many minutes of lateness, if that is what the words mean."""
    found = of_lateness(fouls, minutes)
    if found is None or all(foul.key != LATE for foul in find(fouls, words)):
        return []
    return [replace(row, pick=pick_of(row.pick, str(minutes))) for row in rows if row.pick == found[0].key]


def _sections(fouls: Catalogue, printed: Catalogue, text: str) -> list[tuple[int, str, list[CatalogueRow]]]:
    """Return the fouls that a text finds by section: number, title, rows.

    `printed` is the same catalogue without the event's own amounts.
    """
    wanted = {foul.key for foul in find(fouls, text[:MOST_QUERY])}
    codes = {row.pick.partition(".")[0]: row.code for row in reversed(foul_rows(fouls))}
    sections: dict[tuple[int, str], list[CatalogueRow]] = {}
    for foul in fouls.fouls:
        if foul.key in wanted:
            row = _catalogue_row(fouls, printed, foul, codes[foul.key])
            sections.setdefault((foul.section, foul.section_title), []).append(row)
    return [(number, title, rows) for (number, title), rows in sections.items()]


def _catalogue_row(fouls: Catalogue, printed: Catalogue, foul: Foul, code: str) -> CatalogueRow:
    penalty, official = fouls.penalties[foul.key], fouls.official.get(foul.key)
    here, book = say_short(penalty), say_short(printed.penalties[foul.key])
    return CatalogueRow(
        code=code,
        foul=foul,
        penalty=penalty,
        here=here,
        printed=book if book != here else [],
        official=say_short(official) if official else [],
        differs=fouls.differs(foul.key),
        differs_by_chombo=fouls.differs_by_chombo(foul.key),
    )
