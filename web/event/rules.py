"""Rule sets for everybody: the books, one book with every clause, two side by side, and the rules of an event.

It shows what is stated and changes nothing.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.books import Book, book_keys, load_book
from tournament.models import Event
from tournament.selectors.tables.rules import list_rule_changes
from web.event.event_form import rule_choices
from web.event.rule_rows import change_lines, compare, list_books, preset_of, sections_of
from web.frame.public_page import show
from web.gateways import for_anyone, for_public


@require_safe
@for_anyone
def books(request: HttpRequest) -> HttpResponse:
    """List the rule sets."""
    facts = {key: card.facts for key, card in rule_choices()}
    rows = [{"book": book, "facts": facts[book.ruleset.key]} for book in list_books()]
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
        "compared": compare(found.ruleset, against.ruleset) if against else None,
        "sections": sections_of(found.ruleset, found),
        "csrf_token": "",
    }
    return _kept(render(request, "event/rule_book.html", context))


@require_safe
@for_public
def event_rules(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rules of an event: what its organisers changed first, then all."""
    return show(request, event, "event/rules_public.html", lambda: _event_rules(event), tab="rules")


def _event_rules(event: Event) -> dict[str, Any]:
    rules = event.ruleset
    preset = preset_of(rules)
    return {
        "rules": rules,
        "preset": preset,
        "compared": compare(rules, preset.ruleset, title=_("This event")) if preset else None,
        "changes": change_lines(list_rule_changes(event)),
        "sections": sections_of(rules, preset),
    }


def _book(key: str) -> Book:
    if key not in book_keys():
        raise Http404("There is no such rule set.")
    return load_book(key)


def _kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-cache"
    return response
