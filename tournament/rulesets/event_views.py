"""The rules of an event, at the desk and for everybody: summary, change, newest version, house rules."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from rules.books import from_json
from rules.ruleset import Ruleset, RulesetError, diff
from scoring.problems import Problem
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.public_page import show
from tournament.pages.sign_in import reauthenticate, rules_frozen
from tournament.rulesets.actions import ConfirmationRequiredError, change_rules, take_newer_version
from tournament.rulesets.differences import list_differences
from tournament.rulesets.forms import RulesForm, controls_of, put_at_fields, wrong_fields
from tournament.rulesets.messages import say_second_rules, say_size
from tournament.rulesets.models import RuleSetVersion
from tournament.rulesets.queries import get_newer_version, get_version_of, list_rule_changes, rules_mark, rules_with
from tournament.rulesets.views import (
    Compared,
    change_lines,
    compare_event,
    compare_rules,
    effect_rows,
    own_book,
    preset_of,
    procedure_context,
    rules_line,
    sections_of,
)
from tournament.text.plain_text import Block, blocks_of
from tournament.text.problems import problem_text
from tournament.text.rules import say_change
from tournament.text.values import value_sheet, yaku_sheet

T = TypeVar("T")


class ReasonForm(forms.Form):
    """Why an event takes a newer version; needed once play has begun."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Players read it beside the change.")
    )


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_RULES)
@reauthenticate(rules_frozen)
def newer_rules(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what the newest version of the event's rule set changes, or take it."""
    newer = get_newer_version(event)
    if newer is None:
        messages.info(request, _("The event has the newest version."))
        return redirect("desk:rule_summary", event.slug)
    posted = request.method == "POST"
    form = ReasonForm(request.POST if posted else None)
    form.fields["reason"].required = event.rules_frozen_at is not None
    context: dict[str, Any] = {}
    if posted and form.is_valid():
        given = "with_given" in request.POST
        try:
            take_newer_version(
                event=event,
                number=newer.number if request.POST.get("number") == str(newer.number) else 0,
                reason=form.cleaned_data["reason"],
                seen=request.POST.get("seen", ""),
                confirmed=request.POST.get("with_given" if given else "confirmed", ""),
                given=given,
                by=request.user,
            )
        except ConfirmationRequiredError as unconfirmed:
            context = effects_page(unconfirmed)
        except DomainError as refused:
            context = {"problems": list(say_refused(event, form, refused.problems))}
        else:
            messages.success(request, _("The event has version %(number)d.") % {"number": newer.number})
            return redirect("desk:rule_summary", event.slug)
        event.refresh_from_db()
        newer = get_newer_version(event) or newer
    context |= _context(event, newer, form)
    page = desk_context(request, event, "settings", **context)
    return render(request, "rulesets/newer_rules.html", page, status=422 if posted else 200)


def _context(event: Event, newer: RuleSetVersion, form: ReasonForm) -> dict[str, Any]:
    after = rules_with(event, newer)
    held = get_version_of(event)
    return {
        "form": form,
        "newer": newer,
        "line": rules_line(event),
        "compared": _compared(event, newer),
        "kept": len(diff(newer.ruleset, after)) if held else 0,
        "notes": [each for each in newer.rule_set.versions.all() if each.number > event.rule_set_version],
        "pending": [say_change(each.field, each.here, each.there) for each in diff(event.ruleset, after)],
        "seen": rules_mark(event.ruleset),
        "frozen": event.rules_frozen_at,
    }


def _compared(event: Event, newer: RuleSetVersion) -> Compared:
    """Return what the event's rules would change to."""
    held = get_version_of(event)
    title = _("version %(number)s") % {"number": newer.number}
    here = (event.ruleset, held.book if held else None, _("This event"))
    return compare_rules(here, (rules_with(event, newer), newer.book, title))


@require_GET
@who_may(Right.CHANGE_SETTINGS)
def rule_summary(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what differs from the rule set."""
    preset = preset_of(event.ruleset)
    context = {
        "rules_line": rules_line(event),
        "second": say_second_rules(event),
        "newer": get_newer_version(event),
        "preset": preset,
        "compared": compare_event(event, preset) if preset else None,
        "frozen": event.rules_frozen_at,
        "changes": change_lines(list_rule_changes(event)),
    }
    return render(request, "rulesets/rule_summary.html", desk_context(request, event, "settings", **context))


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_RULES)
@reauthenticate(rules_frozen)
def rules(request: DeskRequest, event: Event) -> HttpResponse:
    """Show all rules as a form, or change them; what a change would do to entered hands is shown first."""
    posted = request.method == "POST"
    form = RulesForm(
        event.ruleset,
        request.POST if posted else None,
        seated=event.rounds.exists(),
        begun=event.rules_frozen_at is not None,
    )
    context: dict[str, Any] = {}
    if posted and form.is_valid():
        values, given = form.values(), "with_given" in request.POST
        try:
            changed = change_rules(
                event=event,
                values=values,
                reason=form.cleaned_data["reason"],
                seen=request.POST.get("seen", ""),
                confirmed=request.POST.get("with_given" if given else "confirmed", ""),
                given=given,
                by=request.user,
            )
        except ConfirmationRequiredError as unconfirmed:
            context = effects_page(unconfirmed)
        except DomainError as refused:
            context = {"problems": list(say_refused(event, form, refused.problems))}
        else:
            if changed:
                messages.success(request, _("The rules of this event are changed."))
            else:
                messages.info(request, _("Nothing was changed: the rules are the same."))
            return redirect("desk:rule_summary", event.slug)
        event.refresh_from_db()  # the verb has seen the newest rules; so shall who reads its answer
        context["pending"] = _pending(event, values)
    return render(
        request,
        "rulesets/rules.html",
        desk_context(request, event, "settings", **_rules_page(event, form), **context),
        status=422 if posted else 200,
    )


def _rules_page(event: Event, form: RulesForm) -> dict[str, Any]:
    preset = preset_of(event.ruleset)
    return {
        "form": form,
        "rules": event.ruleset,
        "preset": preset,
        "sections": controls_of(form, preset),
        "seen": rules_mark(event.ruleset),
        "frozen": event.rules_frozen_at,
        "wrong": wrong_fields(form),
    }


def effects_page(unconfirmed: ConfirmationRequiredError) -> dict[str, Any]:
    """Return what a change would do: to tables, and to penalties that were given if they change, too."""
    effects, other = unconfirmed.effects, unconfirmed.with_given
    return {
        "unconfirmed": True,
        "effects": effect_rows(effects.tables),
        "mark": effects.mark,
        "given": [each for each in other.given if each.changes],
        "mark_given": other.mark,
    }


def _pending(event: Event, values: dict[str, Any]) -> list[str]:
    """Say what the form would change, where its values can be rules at all."""
    try:
        typed = from_json({**event.rules, **values})
    except RulesetError:
        return []
    return [say_change(each.field, each.here, each.there) for each in diff(event.ruleset, typed)]


def say_refused(event: Event, form: forms.Form, problems: tuple[Problem, ...]) -> Iterator[dict[str, str]]:
    """Put problems at their fields; yield those that belong to none."""
    for problem in put_at_fields(form, problems):
        yield _say_hand(event, problem) if problem.code == "rules.hand_refused" else {"message": problem_text(problem)}


def _say_hand(event: Event, problem: Problem) -> dict[str, str]:
    """Say which hand could not stand and why, with the address of its table."""
    params = problem.params
    beneath = Problem(str(params["because"]), {key: params[key] for key in params if not key.startswith("at_")})
    place = [event.slug, params["at_round"], params["at_table"]]
    return {"message": problem_text(problem), "why": problem_text(beneath), "url": reverse("desk:table", args=place)}


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


def rules_context(event: Event) -> dict[str, Any]:
    """Return the context of rulesets/rules_public.html."""
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
        "second": say_second_rules(event),
        "second_sections": [
            [replace(each, key=f"second-{each.key}") for each in sections_of(other, preset_of(other))]
            for other in list(event.rulesets.values())[1:]
        ],
    }


def _list_by_size(event: Event, sheet: Callable[[Ruleset], T]) -> list[tuple[str, T]]:
    """Return a sheet of the rules for each size of tables, with the words that tell them apart."""
    rulesets = event.rulesets.values()
    return [(say_size(each) if len(rulesets) > 1 else each.title, sheet(each)) for each in rulesets]


@require_safe
@for_public
def values(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the table of values of an event's own rules, and of its second rule set."""
    return show(request, event, "rulesets/values.html", lambda: {"sheets": _list_by_size(event, value_sheet)}, tab="")


@require_safe
@for_public
def yaku(request: HttpRequest, event: Event) -> HttpResponse:
    """List the yaku that an event plays, with what they are worth, by its own rules and its second rule set."""
    return show(request, event, "rulesets/yaku.html", lambda: {"sheets": _list_by_size(event, yaku_sheet)}, tab="")
