"""The page that makes an event: one short form."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from rules.ema_events import judge
from tournament.core.errors import Refused
from tournament.core.limits import MOST_TITLE
from tournament.core.time_zones import MOST_ZONE, desk_time_zone, list_time_zones
from tournament.ema.messages import say_at_creation
from tournament.ema.queries import get_ema_facts
from tournament.events.actions import MOST_ROUNDS, copy_event, create_event
from tournament.events.models import Event, Visibility
from tournament.pages.permissions import DeskRequest, event_for_request, for_site
from tournament.publication.messages import VISIBILITY, VISIBILITY_SENTENCES
from tournament.rulesets.messages import OWN, own_choices, rule_choices
from tournament.rulesets.models import RuleSetVersion
from tournament.rulesets.queries import get_version
from tournament.text.problems import say

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Finders:
    """Who finds an event: a word, and a sentence that says what it means."""

    word: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.word}: {self.sentence}"


def visibility_choices() -> list[tuple[str, Finders]]:
    """List who may find an event."""
    return [(key, Finders(gettext(VISIBILITY[key]), gettext(VISIBILITY_SENTENCES[key]))) for key in Visibility.values]


def time_zone_field(help_text: "StrOrPromise" = "") -> forms.CharField:
    """Make the field of a time zone: typed, with the names of event/time_zones.html to choose from."""
    names = {"list": "time-zones", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    widget = forms.TextInput(attrs=names)
    return forms.CharField(
        label=_("Time zone"), max_length=MOST_ZONE, widget=widget, required=False, help_text=help_text
    )


class FactsForm(forms.Form):
    """What every new event is asked: name, date, place, rounds, and who finds it."""

    name = forms.CharField(label=_("Name"), max_length=MOST_TITLE, widget=forms.TextInput(attrs={"autofocus": True}))
    date = forms.DateField(
        label=_("Date"), initial=timezone.localdate, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    place = forms.CharField(label=pgettext_lazy("where an event is", "Place"), max_length=MOST_TITLE, required=False)
    rounds = forms.IntegerField(label=_("Rounds"), initial=6, min_value=1, max_value=MOST_ROUNDS)
    time_zone = time_zone_field()
    visibility = forms.ChoiceField(
        label=_("Visibility"),
        choices=visibility_choices,
        initial=Visibility.UNLISTED,
        widget=forms.RadioSelect,
        required=False,
    )

    def clean_visibility(self) -> str:
        """Take an event for unlisted where nothing is said: its codes work, and no list names it unasked."""
        return self.cleaned_data["visibility"] or Visibility.UNLISTED


class EventForm(FactsForm):
    """An event by a rule set."""

    rules_key = forms.ChoiceField(
        label=_("Rule set"), choices=lambda: own_choices() + rule_choices(), widget=forms.RadioSelect
    )
    minutes = forms.IntegerField(
        label=_("Minutes per round"),
        required=False,
        min_value=0,
        max_value=600,
        help_text=_("Leave empty for the time of the rule set; 0 for no limit."),
    )

    ema_certified = forms.BooleanField(
        label=_("EMA certifies this event"),
        required=False,
        help_text=_("The desk then checks it against what EMA asks."),
    )

    def clean_rules_key(self) -> str | RuleSetVersion:
        """Return the key of a book, or the newest version of a rule set of the site."""
        key: str = self.cleaned_data["rules_key"]
        own = get_version(key.removeprefix(OWN)) if key.startswith(OWN) else None
        return own or key


class CopyForm(FactsForm):
    """An event after a template, which has the rules."""

    roles = forms.BooleanField(label=_("Copy the people with a role"), required=False, initial=True)


@require_http_methods(["GET", "POST"])
@for_site
def new_event(request: DeskRequest) -> HttpResponse:
    """Show the form, or make the event and go on to its players; `?copy=SLUG` takes another one as its template."""
    template = event_for_request(request.GET["copy"]) if "copy" in request.GET else None
    data = request.POST if request.method == "POST" else None
    here = {"time_zone": desk_time_zone()}
    form: FactsForm = CopyForm(data, initial=_known(template)) if template else EventForm(data, initial=here)
    if form.is_valid():
        try:
            if template:
                event = copy_event(event=template, **form.cleaned_data, by=request.user)
            else:
                event = create_event(**form.cleaned_data, by=request.user)
                _warn_of_ema(request, event)
            return redirect("desk:players", event.slug)
        except Refused as refused:
            for problem in refused.problems:
                form.add_error(None, say(problem))
    status = 422 if form.is_bound else 200
    context = {"form": form, "title": gettext("New event"), "who": request.user, "template": template}
    context |= {"zones": list_time_zones()}
    return render(request, "settings/new_event.html", context, status=status)


def _warn_of_ema(request: DeskRequest, event: Event) -> None:
    """Say what EMA asks of an event that it certifies and a new one does not keep."""
    if not event.ema_certified:
        return
    facts = dataclasses.replace(get_ema_facts(event, today=timezone.localdate()), certified=False)
    for each, verdict in judge(facts):
        if each.at_creation and verdict.state == "broken":
            messages.warning(request, say_at_creation(each, verdict))


def _known(template: Event) -> dict[str, Any]:
    known = {"name": template.name, "place": template.place, "rounds": template.rounds_planned}
    hidden = template.visibility == Visibility.DRAFT
    return {**known, "time_zone": template.time_zone, "visibility": Visibility.DRAFT if hidden else Visibility.UNLISTED}
