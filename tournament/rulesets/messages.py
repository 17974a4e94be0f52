"""Words for what organisers tell players: house rules, the contact, the rule set to compare with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.books import Book, book_keys, load, load_book
from rules.ruleset import Ruleset, diff, rule_fields
from tournament.events.models import Event
from tournament.rulesets.queries import basis_of, list_rule_sets
from tournament.text.acts import word_details
from tournament.text.languages import ENGLISH, colon, join_commas, language_name, plural_text
from tournament.text.numbers import minutes_text, short_p
from tournament.text.rules import OWN_BOOKS, limit_lines, say_basis, say_source, say_value

IN_ORDER = ("name", "mail", "phone", "other")  # of a contact; a database may keep its keys in another


def say_languages(texts: Mapping[str, Any]) -> str:
    """Name the languages that house rules are written in; "none" for none."""
    codes = sorted(texts, key=lambda code: (code != ENGLISH, code))
    return join_commas(language_name(code) for code in codes) or _("none")


def say_contact(contact: Mapping[str, str]) -> str:
    """Say a contact in one line; "none" for none."""
    return join_commas(contact[key] for key in IN_ORDER if key in contact) or _("none")


Origin = Literal["book", "ours", "event"]
SECTION_OF = {field.name: str(field.metadata["section"]) for field in rule_fields()}


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as a rule set states it: in words, where it comes from, and the limits as lines where it has them.

    `reading` is what of a value of the book is our own reading; `english`: the clause is not translated.
    """

    words: str
    origin: Origin
    clause: str
    limits: Sequence[tuple[str, str, str]] = ()
    reading: str = ""
    english: bool = True


def stated(name: str, rules: Ruleset, book: Book | None) -> Stated:
    """Return what a rule set states of one rule; what is not the book's is the event's own."""
    value = getattr(rules, name)
    limits = limit_lines(value) if name == "limits" else ()
    words = say_value(name, value)
    if book is None or getattr(book.ruleset, name) != value:
        return Stated(words, "event", "", limits)
    citation = book.citations[name]
    told = say_source(citation.text)
    origin: Origin = "ours" if citation.ours else "book"
    return Stated(words, origin, told, limits, say_source(citation.reading), english=told == citation.text)


OWN = "own/"  # before the key of a rule set of the site, which may be a book's some day


@dataclass(frozen=True, slots=True)
class RuleCard:
    """A rule set to choose: its title, what it is in one line, and what it is based on ("" for nothing)."""

    title: str
    facts: tuple[str, ...]
    basis: str = ""

    def __str__(self) -> str:
        return f"{self.title}{colon()}{join_commas(filter(None, (*self.facts, self.basis)))}"


def rule_choices() -> list[tuple[str, RuleCard]]:
    """List the books with one line each, the organisers' own first."""
    keys = sorted(book_keys(), key=lambda key: (key not in OWN_BOOKS, key.startswith("tenhou"), key))
    return [(key, card_of(load(key), load_book(key).extends)) for key in keys]


def own_choices() -> list[tuple[str, RuleCard]]:
    """List the rule sets of the site with one line each."""
    return [(f"{OWN}{own.key}", card_of(own.newest.ruleset)) for own in list_rule_sets()]


def list_other_sizes(players: int) -> list[tuple[str, str]]:
    """List key and title of the rule sets, books first, for another number of players at a table."""
    books = [(key, load(key)) for key in book_keys()]
    own = [(f"{OWN}{each.key}", each.newest.ruleset) for each in list_rule_sets()]
    return [(key, rules.title) for key, rules in (*books, *own) if rules.players != players]


def say_second_rules(event: Event) -> str:
    """Say by which rules tables with another number of players play; "" for none."""
    return next(map(say_size, [*event.rulesets.values()][1:]), "")


def say_size(rules: Ruleset) -> str:
    """Say what size of tables plays by these rules."""
    return _("tables of %(count)s: %(rules)s") % {"count": rules.players, "rules": rules.title}


def card_of(rules: Ruleset, parent: str = "") -> RuleCard:
    """Return the card of a rule set; a book says what it differs from by the key of its `parent`."""
    uma = "\N{NO-BREAK SPACE}/ ".join(f"{'+' if points > 0 else ''}{short_p(points)}" for points in rules.uma)
    minutes = minutes_text(rules.minutes)
    facts = (
        plural_text("%(count)d player", "%(count)d players", rules.players),
        str(gettext_lazy("start %(start)s") % {"start": short_p(rules.start_points)}),
        str(gettext_lazy("uma %(uma)s") % {"uma": uma}),
        str(gettext_lazy("oka %(oka)s") % {"oka": short_p(rules.oka)}) if rules.oka else "",
        plural_text("%(count)d red five", "%(count)d red fives", len(rules.red_fives)) if rules.red_fives else "",
        str(gettext_lazy("ends below zero")) if rules.bust else "",
        minutes if rules.minutes else str(gettext_lazy("no time limit")),
    )
    return RuleCard(rules.title, tuple(filter(None, facts)), _basis(rules, parent))


def _basis(rules: Ruleset, parent: str) -> str:
    if parent:
        return say_basis(rules.title, load(parent).title, len(diff(load(parent), rules)))
    basis = basis_of(rules)
    return say_basis(rules.title, basis.title, basis.changes) if basis else ""


word_details(house_rules=say_languages, contact=say_contact)
