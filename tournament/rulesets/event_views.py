"""The page that gives an event the newest version of its rule set: the difference, its effects, one button."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from rules.ruleset import diff
from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.events.actions_events import Unconfirmed
from tournament.models.event import Event
from tournament.models.rule_sets import RuleSetVersion
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.sign_in_reauthentication import reauthenticate, rules_frozen
from tournament.rulesets.actions import take_newer_version
from tournament.rulesets.queries_rule_sets import get_newer_version, get_version_of, rules_with
from tournament.rulesets.queries_rules import rules_mark
from tournament.rulesets.views_rules import Compared, compare_rules, rules_line
from tournament.settings.views_settings import effects_page, say_refused
from tournament.text.rules_1 import say_change


class ReasonForm(forms.Form):
    """Why an event takes a newer version; needed once play has begun."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Players read it beside the change.")
    )


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_RULES)
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
        except Unconfirmed as unconfirmed:
            context = effects_page(unconfirmed)
        except Refused as refused:
            context = {"problems": list(say_refused(event, form, refused.problems))}
        else:
            messages.success(request, _("The event has version %(number)d.") % {"number": newer.number})
            return redirect("desk:rule_summary", event.slug)
        event.refresh_from_db()
        newer = get_newer_version(event) or newer
    context |= _context(event, newer, form)
    page = desk_context(request, event, "settings", **context)
    return render(request, "event/newer_rules.html", page, status=422 if posted else 200)


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
