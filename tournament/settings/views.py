"""The settings of an event: make or copy one, what it is, what the public sees, sheets, languages; archive, delete."""

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from rules.ema_events import judge
from tournament.backups.backup import WELL, back_up
from tournament.backups.config import backup_config, drop_event_files
from tournament.core.errors import DomainError
from tournament.core.limits import MAX_TITLE
from tournament.core.rights import Right
from tournament.core.settings import Setting, list_settings
from tournament.core.time_zones import MAX_ZONE, desk_time_zone, is_zone_elsewhere, list_time_zones
from tournament.ema.messages import say_at_creation
from tournament.ema.queries import get_ema_facts
from tournament.events.actions import (
    MAX_ROUNDS,
    Publication,
    check_deletion,
    copy_event,
    country_code,
    create_event,
    delete_event,
    named_time_zone,
    set_archived,
    set_details,
    set_languages,
    set_play,
    set_publication,
    set_second_person,
    set_second_rules,
    set_visibility,
)
from tournament.events.models import Event, Visibility
from tournament.events.queries import count_what_goes
from tournament.pages.forms import ReadField, SettingsForm, add_problems
from tournament.pages.permissions import DeskRequest, desk_context, event_for_request, for_site, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, flash_saved
from tournament.pages.sign_in import reauthenticate
from tournament.players.actions import copy_players
from tournament.privacy.queries import get_kept_until, is_due
from tournament.publication.messages import say_hold_conflict
from tournament.rulesets.messages import OWN, list_other_sizes, own_choices, rule_choices
from tournament.rulesets.models import RuleSetVersion
from tournament.rulesets.queries import get_version
from tournament.seasons.actions import join_seasons
from tournament.text.names import name_of_country, two_letters
from tournament.text.problems import problem_text


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def second_person(request: DeskRequest, event: Event) -> HttpResponse:
    """Set who confirms signed sheets: nobody, or another person than who signed."""
    if request.method == "GET":
        page = desk_context(request, event, "settings", choices=_choices(event, "sheets"))
        return render(request, "settings/second_person.html", page)
    chosen = request.POST.get("second_person", "")
    with flash_refusal(request):
        changed = set_second_person(event=event, second_person=chosen, by=request.user)
        flash_saved(request, _("Who confirms signed sheets is changed."), changed=changed)
    return redirect("desk:second_person", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def languages(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the event's language, and the second language of its wall."""
    if request.method == "GET":
        offered = dict(settings.LANGUAGES)
        translations = [(each, each.code in offered) for each in settings.TRANSLATIONS]
        page = desk_context(request, event, "settings", languages=settings.LANGUAGES, translations=translations)
        return render(request, "settings/languages.html", page)
    chosen = {name: request.POST.get(name, getattr(event, name)) for name in ("language", "second_language")}
    with flash_refusal(request):
        changed = set_languages(event=event, **chosen, by=request.user)
        flash_saved(request, _("The event's languages are changed."), changed=changed)
    return redirect("desk:languages", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.PUBLISH)
@reauthenticate()
def publication(request: DeskRequest, event: Event) -> HttpResponse:
    """Set what the public sees, and when; a checkbox that is not sent is off."""
    if request.method == "GET":
        conflict = say_hold_conflict(hold=event.hold, ema_certified=event.ema_certified)
        choices = _choices(event, "publication")
        page = desk_context(request, event, "settings", hold_conflict=conflict, choices=choices)
        return render(request, "settings/publication.html", page)
    sent = [(each, request.POST.get(each.name, "")) for each in list_settings(Event, "publication")]
    chosen = Publication(**{each.name: value == "on" if each.checkbox else value for each, value in sent})
    with flash_refusal(request):
        changed = set_publication(event=event, publication=chosen, by=request.user)
        flash_saved(request, _("What the public sees is changed."), changed=changed)
        if warning := say_hold_conflict(hold=chosen.hold, ema_certified=chosen.ema_certified):
            messages.warning(request, warning)
    return redirect("desk:publication", event.slug)


def _choices(event: Event, page: str) -> list[tuple[Setting, Any]]:
    """List the settings of a page with what is chosen."""
    return [(each, getattr(event, each.name)) for each in list_settings(Event, page)]


(VISIBILITY,), (PLAY,) = list_settings(Event, "event"), list_settings(Event, "play")


class RoundsField(forms.CharField):
    """A number of rounds, or those of each day: "4+3". Its value is a list with a number for each day."""

    def __init__(self, **kwargs: Any) -> None:
        several = gettext_lazy("For several days the rounds of each, such as 4+3.")
        super().__init__(label=gettext_lazy("Rounds"), help_text=several, max_length=120, **kwargs)

    def clean(self, value: Any) -> list[int]:
        """Return the rounds of each day."""
        day = forms.IntegerField(min_value=1, max_value=MAX_ROUNDS)
        return [day.clean(part) for part in super().clean(value).split("+")]


def say_rounds(event: Event) -> str:
    """Write an event's rounds as `RoundsField` reads them."""
    return "+".join(map(str, event.day_rounds)) or str(event.rounds_planned)


ROUNDS = ("rounds_out_of_range", "days_out_of_range", "rounds_drawn", "rounds_held")
# beside which field a refusal stands that only the action knows
FIELDS = {"event.date_far": "date"} | {f"event.{each}": "rounds" for each in ROUNDS}
# of the field of a time zone: typed, with the names of settings/time_zones.html to choose from
ZONE_NAMES = {"list": "time-zones", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class FactsForm(forms.Form):
    """What an event is called, when and where it is, and how many rounds it has."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE)
    date = forms.DateField(
        label=gettext_lazy("Date"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    place = forms.CharField(label=pgettext_lazy("where an event is", "Place"), max_length=MAX_TITLE, required=False)
    country = ReadField(country_code, label=gettext_lazy("Country"), max_length=40, required=False)
    rounds = RoundsField()
    time_zone = ReadField(
        str, label=gettext_lazy("Time zone"), max_length=MAX_ZONE, required=False,
        widget=forms.TextInput(attrs=ZONE_NAMES),
        help_text=gettext_lazy("If you change it, planned starts and the end of sign-up keep their hours."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone: Any = self.fields["time_zone"]  # an event from another machine may have one that is unknown here
        zone.read = partial(named_time_zone, known=self.initial["time_zone"])


class DetailsForm(SettingsForm, FactsForm):
    """The facts of an event that there is."""

    qualified = forms.BooleanField(
        label=gettext_lazy("Players had to qualify"),
        required=False,
        help_text=gettext_lazy("Counts for EMA’s weight of the event."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["country"].help_text = _("Its name in English, or its code. EMA’s file and the calendar use it.")


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def event_page(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what the event is, or change it."""
    known = {name: getattr(event, name) for name in ("name", "date", "place", "country", "time_zone", "qualified")}
    known["rounds"] = say_rounds(event)
    form = DetailsForm(request.POST if request.method == "POST" else None, initial=known)
    if event.is_open:  # its number of rounds counts its tables
        form.fields["rounds"].widget = forms.HiddenInput()
    if form.is_valid():
        try:
            changed = set_details(event=event, **form.cleaned_data, by=request.user)
            flash_saved(request, _("The event is changed."), changed=changed)
            event.refresh_from_db()
            _warn_of_zone(request, event)
            return redirect("desk:settings", event.slug)
        except DomainError as refused:
            add_problems(form, refused, FIELDS)
    context = {
        "form": form,
        "zones": list_time_zones(),
        "visibility": VISIBILITY,
        "play": None if event.rules_frozen_at else PLAY,
        "other_sizes": list_other_sizes(event.ruleset.players) if event.is_open else (),
        "address": request.build_absolute_uri(reverse("public:phone", args=[event.slug])),
        "people_due": get_kept_until(event) if is_due(event, timezone.localdate()) else None,
        "may_copy": request.user.is_superuser,
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "settings/settings.html", page, status=UNPROCESSABLE if form.is_bound else 200)


@require_POST
@who_may(Right.PUBLISH)
def visibility(request: DeskRequest, event: Event) -> HttpResponse:
    """Set who finds the event."""
    wanted = request.POST.get("visibility", "")
    with flash_refusal(request):
        changed = set_visibility(event=event, visibility=wanted, by=request.user)
        flash_saved(request, _("The visibility is changed."), changed=changed)
    return redirect("desk:settings", event.slug)


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def play(request: DeskRequest, event: Event) -> HttpResponse:
    """Set whether the event is played in rounds or open, or the rules of tables with another number of players."""
    with flash_refusal(request):
        if "second_rules" in request.POST:
            rules = find_rules(request.POST["second_rules"])
            changed = set_second_rules(event=event, rules=rules, by=request.user)
            flash_saved(request, _("The rules of the other tables are changed."), changed=changed)
            return redirect("desk:settings", event.slug)
        changed = set_play(event=event, play=request.POST.get("play", ""), by=request.user)
        flash_saved(request, _("How the event is played is changed."), changed=changed)
    return redirect("desk:settings", event.slug)


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def archive(request: DeskRequest, event: Event) -> HttpResponse:
    """Put the event into the archive, or take it out."""
    archived = request.POST.get("archived") == "yes"
    done = _("The event is archived.") if archived else _("The event is restored from the archive.")
    with flash_refusal(request):
        flash_saved(request, done, changed=set_archived(event=event, archived=archived, by=request.user))
    return redirect("desk:settings", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.DELETE_EVENT)
@reauthenticate()
def delete(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask with the name, a reason and the password; make a backup, then delete the event."""
    problems: list[str] = []
    if request.method == "POST":
        try:
            return _delete(request, event)
        except DomainError as refused:
            problems = [problem_text(problem) for problem in refused.problems]
        except BackupError:
            problems = [_("No backup could be made, so nothing is deleted. See the page of backups.")]
    context: dict[str, Any] = {
        "errors": problems,
        "reason": request.POST.get("reason", ""),
        "gone": _say_gone(count_what_goes(event)),
    }
    page = desk_context(request, event, "settings", **context)
    return render(request, "settings/delete.html", page, status=UNPROCESSABLE if problems else 200)


class BackupError(Exception):
    """No backup could be made before an act that destroys."""


def _delete(request: DeskRequest, event: Event) -> HttpResponse:
    name, reason = request.POST.get("word", ""), request.POST.get("reason", "")
    check_deletion(event=event, name=name, reason=reason)
    kept = backup_config()
    state = back_up(kept, timezone.now(), always=True)
    if state.of(kept.own).fault not in WELL:
        raise BackupError
    delete_event(event=event, name=name, reason=reason, by=request.user)
    drop_event_files(event, settings.DATA_DIR)
    messages.success(request, _("%(name)s is deleted. The last backup still has it.") % {"name": event.name})
    return redirect("events")


def _say_gone(gone: dict[str, int]) -> list[str]:
    """Say what a deletion takes along; nothing of what there is none."""
    words = [
        ngettext("%(count)d player", "%(count)d players", gone["players"]),
        ngettext("%(count)d round", "%(count)d rounds", gone["rounds"]),
        ngettext("%(count)d hand", "%(count)d hands", gone["hands"]),
        ngettext("%(count)d sheet", "%(count)d sheets", gone["sheets"]),
        ngettext("%(count)d penalty", "%(count)d penalties", gone["penalties"]),
        ngettext("%(count)d role", "%(count)d roles", gone["roles"]),
        ngettext("%(count)d row of the trail", "%(count)d rows of the trail", gone["acts"]),
    ]
    return [said % {"count": count} for said, count in zip(words, gone.values(), strict=True) if count]


class NewForm(FactsForm):
    """What every new event is asked, and who finds it."""

    visibility = forms.ChoiceField(
        label=gettext_lazy("Visibility"),
        choices=[*VISIBILITY.options.items()],
        initial=Visibility.UNLISTED,
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autofocus"] = True
        self.fields["time_zone"].help_text = _("That of this desk: change it if the event is elsewhere.")

    def clean_visibility(self) -> str:
        """Take an event for unlisted where nothing is said: its codes work, and no list names it unasked."""
        return self.cleaned_data["visibility"] or Visibility.UNLISTED


class EventForm(NewForm):
    """An event by a rule set."""

    rules_key = forms.ChoiceField(
        label=gettext_lazy("Rule set"), choices=lambda: own_choices() + rule_choices(), widget=forms.RadioSelect
    )
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes per round"),
        required=False,
        min_value=0,
        max_value=600,
        help_text=gettext_lazy("Leave empty for the time of the rule set; 0 for no limit."),
    )

    ema_certified = forms.BooleanField(
        label=gettext_lazy("EMA certifies this event"),
        required=False,
        help_text=gettext_lazy("The desk then checks it against what EMA asks."),
    )

    def clean_rules_key(self) -> str | RuleSetVersion:
        """Return the key of a book, or the newest version of a rule set of the site."""
        return find_rules(self.cleaned_data["rules_key"])


def find_rules(key: str) -> str | RuleSetVersion:
    """Return the newest version of a rule set of the site, or the key of a book as it is."""
    own = get_version(key.removeprefix(OWN)) if key.startswith(OWN) else None
    return own or key


class CopyForm(NewForm):
    """An event after a template, which has the rules."""

    roles = forms.BooleanField(label=gettext_lazy("Copy the people with a role"), required=False, initial=True)
    players = forms.BooleanField(
        label=gettext_lazy("Copy the players, who are the same people"),
        required=False,
        help_text=gettext_lazy("people who left are not copied; seasons know that they are the same"),
    )
    seasons = forms.BooleanField(label=gettext_lazy("Count it in the same seasons"), required=False, initial=True)

    def __init__(self, *args: Any, template: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not template.seasons.filter(season__closed_at=None).exists():
            del self.fields["seasons"]


@require_http_methods(["GET", "POST"])
@for_site
def new_event(request: DeskRequest) -> HttpResponse:
    """Show the form, or make the event and go on to its players; `?copy=SLUG` takes another one as its template."""
    template = event_for_request(request.GET["copy"]) if "copy" in request.GET else None
    data = request.POST if request.method == "POST" else None
    initial = {"date": timezone.localdate(), "rounds": 6, "time_zone": desk_time_zone()}
    form: NewForm = (
        CopyForm(data, initial=initial | _known(template), template=template)
        if template
        else EventForm(data, initial=initial)
    )
    if form.is_valid():
        try:
            if template:
                event = _copy(request, template, form.cleaned_data)
            else:
                event = create_event(**form.cleaned_data, by=request.user)
                _warn_of_ema(request, event)
            _warn_of_zone(request, event)
            return redirect("desk:players", event.slug)
        except DomainError as refused:
            add_problems(form, refused, FIELDS)
    status = 422 if form.is_bound else 200
    context: dict[str, Any] = {"form": form, "title": gettext("New event"), "who": request.user, "template": template}
    context |= {"zones": list_time_zones()}
    return render(request, "settings/new_event.html", context, status=status)


def _copy(request: DeskRequest, template: Event, sent: Mapping[str, Any]) -> Event:
    """Make the event after its template; raises DomainError, and then there is none of it."""
    facts = {name: value for name, value in sent.items() if name not in ("players", "seasons")}
    with transaction.atomic():
        event = copy_event(event=template, **facts, by=request.user)
        if sent["players"]:
            copy_players(event=event, template=template, by=request.user)
        if sent.get("seasons"):
            join_seasons(event=event, template=template, by=request.user)
    return event


def _warn_of_zone(request: DeskRequest, event: Event) -> None:
    """Say that an event's country has other hours than its time zone."""
    country = two_letters(event.country)
    if event.time_zone in list_time_zones() and is_zone_elsewhere(event.time_zone, country, event.date):
        said = _("%(country)s has other hours than %(zone)s: check the time zone under Settings → Event.")
        messages.warning(request, said % {"country": name_of_country(event.country), "zone": event.time_zone})


def _warn_of_ema(request: DeskRequest, event: Event) -> None:
    """Say what EMA asks of an event that it certifies and a new one does not keep."""
    if not event.ema_certified:
        return
    facts = dataclasses.replace(get_ema_facts(event, today=timezone.localdate()), certified=False)
    for each, verdict in judge(facts):
        if each.at_creation and verdict.state == "broken":
            messages.warning(request, say_at_creation(each, verdict))


def _known(template: Event) -> dict[str, Any]:
    known = {name: getattr(template, name) for name in ("name", "place", "country", "time_zone")}
    hidden = template.visibility == Visibility.DRAFT
    return {**known, "rounds": say_rounds(template), "visibility": Visibility.DRAFT if hidden else Visibility.UNLISTED}
