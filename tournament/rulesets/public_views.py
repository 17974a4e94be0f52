"""The rules of an event as everybody reads them: what differs, house rules, how a table is set up, every rule.

What an event hands out of its rules, as public pages: the table of values and the list of yaku.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.events.models import Event
from tournament.pages.permissions import for_public
from tournament.pages.public_page import show
from tournament.rulesets.differences import list_differences
from tournament.rulesets.queries import list_rule_changes
from tournament.rulesets.views import change_lines, own_book, preset_of, procedure_context, rules_line, sections_of
from tournament.text.plain_text import Block, blocks_of
from tournament.text.values import value_sheet, yaku_sheet


@dataclass(frozen=True, slots=True)
class HouseRules:
    """An event's house rules in one language; no blocks where there are none."""

    language: str
    blocks: tuple[Block, ...]


def house_rules_of(event: Event) -> HouseRules:
    """Return the house rules in the language in use, else in the event's, else in one that they are written in."""
    texts: Mapping[str, str] = event.house_rules
    wanted = (get_language() or "", event.language, *sorted(texts))
    code = next((code for code in wanted if code in texts), "")
    return HouseRules(code, tuple(blocks_of(texts.get(code, ""))))


@require_safe
@for_public
def event_rules(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rules of an event: what its organisers changed first, then all."""
    return show(request, event, "rulesets/rules_public.html", lambda: _event_rules(event), tab="rules")


def _event_rules(event: Event) -> dict[str, Any]:
    rules = event.ruleset
    preset, own = preset_of(rules), own_book(event)
    return {
        "rules": rules,
        "line": rules_line(event),
        "preset": preset,
        "own": own is not preset,
        "book_title": own.ruleset.title if own else "",
        "differences": list_differences(event),
        "changes": change_lines(list_rule_changes(event)),
        "house": house_rules_of(event),
        **procedure_context(rules),
        "sections": sections_of(rules, own),
    }


@require_safe
@for_public
def values(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the table of values of an event's own rules."""
    return show(request, event, "rulesets/values.html", lambda: {"sheet": value_sheet(event.ruleset)}, tab="")


@require_safe
@for_public
def yaku(request: HttpRequest, event: Event) -> HttpResponse:
    """List the yaku that an event plays, with what they are worth."""
    return show(request, event, "rulesets/yaku.html", lambda: {"sheet": yaku_sheet(event.ruleset)}, tab="")
