"""Rule sets as public pages: the books, one book with every clause and how its tables are set up, two side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.books import Book, book_keys, load_book
from rules.procedure import procedure_of
from rules.ruleset import Ruleset, diff, rule_fields
from tournament.models.event import Event
from tournament.pages.permissions_gateways import for_anyone
from tournament.pdf.drawings import wall_svg
from tournament.rulesets.queries_rule_sets import basis_of, get_version_of
from tournament.rulesets.queries_rules import NextHand, RuleChange, TableEffect
from tournament.settings.new_event import rule_choices
from tournament.text.rules_1 import (
    SECTIONS,
    is_played,
    limit_lines,
    rule_gloss,
    rule_name,
    say_basis,
    say_change,
    say_value,
)
from tournament.text.rules_procedure import say_procedure

Origin = Literal["book", "ours", "event"]
SECTION_OF = {field.name: str(field.metadata["section"]) for field in rule_fields()}


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as a rule set states it: in words, where it comes from, and the limits as lines where it has them."""

    words: str
    origin: Origin
    clause: str
    limits: Sequence[tuple[str, str, str]] = ()
    reading: str = ""  # what of a value of the book is our own reading


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule; `played` is false for a yaku that does not count; `other` is what another rule set states, or None."""

    field: str
    name: str
    gloss: str
    played: bool
    here: Stated
    other: Stated | None = None


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rules that belong together; yaku that are not played stand apart."""

    key: str
    title: str
    rows: Sequence[RuleRow]
    not_played: Sequence[RuleRow] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """Two rule sets side by side: by their titles, only the rules on which they differ."""

    here: str
    there: str
    count: int
    sections: Sequence[RuleSection]


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A change of the rules during the event, in words."""

    change: RuleChange
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """A table that a change of rules would change: who gets what, and the hand it would be at where that moves."""

    effect: TableEffect
    moves: bool
    seats: Sequence[Any]

    @property
    def before(self) -> NextHand:
        """The hand that the table is at."""
        return self.effect.before

    @property
    def after(self) -> NextHand:
        """The hand that the table would be at."""
        return self.effect.after


def preset_of(rules: Ruleset) -> Book | None:
    """Return the book that a rule set was made from, or None where it is not known here."""
    return load_book(rules.key) if rules.key in book_keys() else None


def list_books() -> list[Book]:
    """List all books, those for four players first."""
    books = [load_book(key) for key in book_keys()]
    return sorted(books, key=lambda book: (-book.ruleset.players, book.ruleset.title))


def sections_of(rules: Ruleset, book: Book | None) -> list[RuleSection]:
    """Return every rule of a rule set by section; beside what is not the book's stands what the book says."""
    return _by_section([_row(field.name, rules, book) for field in rule_fields()])


def own_book(event: Event) -> Book | None:
    """Return what cites an event's rules: its version of a rule set of the site, else the book they are based on."""
    version = get_version_of(event)
    return version.book if version else preset_of(event.ruleset)


def compare_event(event: Event, book: Book) -> Compared:
    """Return the rules in which an event differs from a book."""
    here = (event.ruleset, own_book(event), _("This event"))
    return compare_rules(here, (book.ruleset, book, book.ruleset.title))


def compare_rules(one: tuple[Ruleset, Book | None, str], other: tuple[Ruleset, Book | None, str]) -> Compared:
    """Return the rules on which two rule sets differ; each comes with the book that cites it and a title."""
    (here, here_book, here_title), (there, there_book, there_title) = one, other
    rows = [
        RuleRow(
            field=each.field,
            name=rule_name(each.field),
            gloss=rule_gloss(each.field),
            played=is_played(each.field, each.here),
            here=stated(each.field, here, here_book),
            other=stated(each.field, there, there_book),
        )
        for each in diff(here, there)
    ]
    return Compared(here_title, there_title, len(rows), _by_section(rows, fold=False))


def stated(name: str, rules: Ruleset, book: Book | None) -> Stated:
    """Return what a rule set states of one rule; what is not the book's is the event's own."""
    value = getattr(rules, name)
    limits = limit_lines(value) if name == "limits" else ()
    words = say_value(name, value)
    if book is None or getattr(book.ruleset, name) != value:
        return Stated(words, "event", "", limits)
    citation = book.citations[name]
    return Stated(words, "ours" if citation.ours else "book", citation.text, limits, citation.reading)


def rules_line(event: Event) -> str:
    """Name an event's rules: their title, the version of a rule set of the site, the book they are based on."""
    rules, basis = event.ruleset, basis_of(event.ruleset)
    version = _("version %(number)s") % {"number": event.rule_set_version} if event.rule_set_version else ""
    words = say_basis(rules.title, basis.title, basis.changes) if basis else ""
    return " · ".join(filter(None, (rules.title, version, words)))


def change_lines(changes: Iterable[RuleChange]) -> list[ChangeLine]:
    """Put changes of the rules into words."""
    return [
        ChangeLine(
            change, [*(say_change(one.field, one.before, one.after) for one in change.changes), *_say_given(change)]
        )
        for change in changes
    ]


def _say_given(change: RuleChange) -> list[str]:
    """Say what became of the penalties that were given before a change of the rules."""
    if not change.given:
        return []
    kept = change.given == "kept"
    return [_("penalties given before keep their amounts") if kept else _("penalties given before change, too")]


def effect_rows(effects: Iterable[TableEffect]) -> list[EffectRow]:
    """Return the tables that a change of rules would change, with those seats alone that it changes."""
    return [
        EffectRow(
            effect,
            moves=effect.stage != "signed" and effect.before != effect.after,
            seats=[seat for seat in effect.seats if seat.before != seat.after],
        )
        for effect in effects
    ]


def _row(name: str, rules: Ruleset, book: Book | None) -> RuleRow:
    here = stated(name, rules, book)
    other = stated(name, book.ruleset, book) if book and here.origin == "event" else None
    played = is_played(name, getattr(rules, name))
    return RuleRow(name, rule_name(name), rule_gloss(name), played, here, other)


def _by_section(rows: Iterable[RuleRow], *, fold: bool = True) -> list[RuleSection]:
    found: dict[str, list[RuleRow]] = {key: [] for key in SECTIONS}
    for row in rows:
        found[SECTION_OF[row.field]].append(row)
    return [
        RuleSection(
            key,
            _(SECTIONS[key]),
            [row for row in mine if row.played or row.other or not fold],
            [row for row in mine if not (row.played or row.other) and fold],
        )
        for key, mine in found.items()
        if mine
    ]


def _compare_books(here: Book, there: Book) -> Compared:
    return compare_rules((here.ruleset, here, here.ruleset.title), (there.ruleset, there, there.ruleset.title))


@require_safe
@for_anyone
def books(request: HttpRequest) -> HttpResponse:
    """List the rule sets."""
    cards = dict(rule_choices())
    rows = [{"book": book, "card": cards[book.ruleset.key]} for book in list_books()]
    return _kept(render(request, "event/rule_books.html", {"books": rows, "csrf_token": ""}))


@require_safe
@for_anyone
def book(request: HttpRequest, key: str) -> HttpResponse:
    """Show every rule of a rule set with its clause, or with `?against=` where it differs from another."""
    found, other = _book(key), request.GET.get("against", "")
    against = _book(other) if other else None
    context = {
        "book": found,
        "others": [each for each in list_books() if each is not found],
        "against": against,
        "compared": _compare_books(found, against) if against else None,
        "sections": sections_of(found.ruleset, found),
        **procedure_context(found.ruleset),
        "csrf_token": "",
    }
    return _kept(render(request, "event/rule_book.html", context))


def procedure_context(rules: Ruleset) -> dict[str, Any]:
    """Return the context of event/rule_parts.html#procedure: the steps, and the dead wall as a picture."""
    found = procedure_of(rules).procedure
    return {"procedure": say_procedure(rules), "wall": wall_svg(found.dead_wall // 2, found.indicator)}


def _book(key: str) -> Book:
    if key not in book_keys():
        raise Http404("There is no such rule set.")
    return load_book(key)


def _kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-cache"
    return response
