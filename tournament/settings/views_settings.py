"""Short pages of the settings: rules in short and as a form, what the public sees, sheets, languages, stream."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from rules.books import from_json
from rules.ruleset import RulesetError, diff
from scoring.problems import Problem
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.ema.messages import say_hold_conflict
from tournament.events.actions_events import Unconfirmed, change_rules
from tournament.events.actions_settings import Publication, set_languages, set_publication, set_second_person
from tournament.models.event import Event, LiveOthers, LiveTables
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import current_round, desk_context
from tournament.pages.requests_tables import flash_problems
from tournament.pages.sign_in_reauthentication import reauthenticate, rules_frozen
from tournament.privacy.queries import list_not_filmed
from tournament.rulesets.forms_rules_form import RulesForm, controls_of, put_at_fields, wrong_fields
from tournament.rulesets.queries_rule_sets import get_newer_version
from tournament.rulesets.queries_rules import rules_mark
from tournament.rulesets.views_rules import compare_event, effect_rows, preset_of, rules_line
from tournament.text.problems_1 import say
from tournament.text.rules_1 import say_change


@require_GET
@who_may(Verb.CHANGE_SETTINGS)
def rule_summary(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what differs from the rule set."""
    preset = preset_of(event.ruleset)
    context = {
        "rules_line": rules_line(event),
        "newer": get_newer_version(event),
        "preset": preset,
        "compared": compare_event(event, preset) if preset else None,
        "frozen": event.rules_frozen_at,
    }
    return render(request, "event/rule_summary.html", desk_context(request, event, "settings", **context))


@require_GET
@who_may(Verb.CHANGE_SETTINGS)
def stream(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the addresses of the tables of the round that is played, for a streaming program."""
    now = current_round(event)
    numbers = now.tables.order_by("number").values_list("number", flat=True) if now and now.published_at else []
    context = {
        "stream_round": now.number if now else None,
        "not_filmed": list_not_filmed(event, now) if now else [],
        "live": event.live_tables == LiveTables.HANDS and event.live_others == LiveOthers.ALL,
        "tables": [
            (number, request.build_absolute_uri(reverse("public:overlay", args=[event.slug, now.number, number])))
            for number in numbers
            if now
        ],
        "board_url": request.build_absolute_uri(reverse("public:overlay_board", args=[event.slug, now.number]))
        if now
        else "",
        "ticker_url": request.build_absolute_uri(reverse("public:overlay_ticker", args=[event.slug])),
    }
    return render(request, "event/stream.html", desk_context(request, event, "settings", **context))


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def second_person(request: DeskRequest, event: Event) -> HttpResponse:
    """Set who confirms signed sheets: nobody, or another person than who signed."""
    if request.method == "GET":
        return render(request, "event/second_person.html", desk_context(request, event, "settings"))
    chosen = request.POST.get("second_person", "")
    return _set(
        request,
        event,
        lambda: set_second_person(event=event, second_person=chosen, by=request.user),
        _("Who confirms signed sheets is changed."),
        "desk:second_person",
    )


def _languages() -> dict[str, Any]:
    """Return the languages to choose from, and how far the translation of each is."""
    offered = dict(settings.LANGUAGES)
    found = [(each, each.code in offered) for each in settings.TRANSLATIONS]
    return {"languages": settings.LANGUAGES, "translations": found}


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def languages(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the event's language, and the second language of its wall."""
    if request.method == "GET":
        return render(request, "event/languages.html", desk_context(request, event, "settings", **_languages()))
    chosen = {name: request.POST.get(name, "") for name in ("language", "second_language")}
    return _set(
        request,
        event,
        lambda: set_languages(event=event, **chosen, by=request.user),
        _("The event's languages are changed."),
        "desk:languages",
    )


@require_http_methods(["GET", "POST"])
@who_may(Verb.PUBLISH)
@reauthenticate()
def publication(request: DeskRequest, event: Event) -> HttpResponse:
    """Set what the public sees, and when; a checkbox of a `Publication` that is not sent is off."""
    if request.method == "GET":
        conflict = say_hold_conflict(hold=event.hold, ema_certified=event.ema_certified)
        page = desk_context(request, event, "settings", hold_conflict=conflict)
        return render(request, "event/publication.html", page)
    values: dict[str, Any] = {each.name: request.POST.get(each.name, "") for each in fields(Publication)}
    switches = {each.name: values[each.name] == "on" for each in fields(Publication) if each.type is bool}
    chosen = Publication(**values | switches)
    return _set(
        request,
        event,
        lambda: set_publication(event=event, publication=chosen, by=request.user),
        _("What the public sees is changed."),
        "desk:publication",
        warning=say_hold_conflict(hold=chosen.hold, ema_certified=chosen.ema_certified),
    )


def _set(
    request: DeskRequest, event: Event, verb: Callable[[], bool], done: str, address: str, *, warning: str = ""
) -> HttpResponse:
    """Call a verb that returns whether it changed anything, say what came of it, and show its page again."""
    try:
        if verb():
            messages.success(request, done)
        else:
            messages.info(request, _("Nothing was changed."))
        if warning:
            messages.warning(request, warning)
    except Refused as refused:
        flash_problems(request, refused)
    return redirect(address, event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_RULES)
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
        except Unconfirmed as unconfirmed:
            context = effects_page(unconfirmed)
        except Refused as refused:
            context = {"problems": list(say_refused(event, form, refused.problems))}
        else:
            _say_done(request, changed=changed)
            return redirect("desk:rule_summary", event.slug)
        event.refresh_from_db()  # the verb has seen the newest rules; so shall who reads its answer
        context["pending"] = _pending(event, values)
    return render(
        request,
        "event/rules.html",
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


def effects_page(unconfirmed: Unconfirmed) -> dict[str, Any]:
    """Return what a change would do: to tables, and to penalties that were given if they change, too."""
    effects, other = unconfirmed.effects, unconfirmed.with_given
    return {
        "unconfirmed": True,
        "effects": effect_rows(effects.tables),
        "mark": effects.mark,
        "given": [each for each in other.given if each.changes],
        "mark_given": other.mark,
    }


def _say_done(request: DeskRequest, *, changed: bool) -> None:
    if changed:
        messages.success(request, _("The rules of this event are changed."))
    else:
        messages.info(request, _("Nothing was changed: the rules are the same."))


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
        yield _say_hand(event, problem) if problem.code == "rules.hand_refused" else {"message": say(problem)}


def _say_hand(event: Event, problem: Problem) -> dict[str, str]:
    """Say which hand could not stand and why, with the address of its table."""
    params = problem.params
    beneath = Problem(str(params["because"]), {key: params[key] for key in params if not key.startswith("at_")})
    place = [event.slug, params["at_round"], params["at_table"]]
    return {"message": say(problem), "why": say(beneath), "url": reverse("desk:table", args=place)}
