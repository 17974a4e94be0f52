"""Personal data: who is shown by name, export and erasure of one person's data, how long an event keeps its people."""

import json
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from tournament.accounts.models import Account
from tournament.accounts.queries import get_rights
from tournament.core.errors import DomainError
from tournament.core.hooks import PEOPLE_ERASED
from tournament.core.rights import Right
from tournament.events.actions import MAX_MONTHS, MIN_MONTHS, set_keep_months
from tournament.events.models import Event
from tournament.pages.files import file_answer, print_name
from tournament.pages.permissions import DeskRequest, desk_context, for_anyone, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems, flash_refusal, flash_saved
from tournament.pages.sign_in import reauthenticate
from tournament.players.actions import player_facts
from tournament.players.models import Player
from tournament.privacy.actions import erase_event_people, erase_person, set_names_shown
from tournament.privacy.queries import (
    count_fixed_mentions,
    get_kept_until,
    get_person_data,
    is_due,
    list_linked,
    list_namesakes,
    list_privacy,
    list_same_person,
    say_forgotten,
)


class MonthsForm(forms.Form):
    """How many months after its last day an event keeps its people; empty for no end."""

    months = forms.IntegerField(
        label=gettext_lazy("Months after the last day"),
        min_value=MIN_MONTHS,
        max_value=MAX_MONTHS,
        required=False,
        help_text=gettext_lazy("empty: no limit"),
    )


@require_safe
@for_anyone
def notice(request: HttpRequest) -> HttpResponse:
    """Show the privacy notice of this site."""
    answer = render(request, "privacy/privacy_notice.html", {"csrf_token": ""})
    answer["Cache-Control"] = "no-cache"
    return answer


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PRIVACY)
def privacy(request: DeskRequest, event: Event) -> HttpResponse:
    """Show who is shown by name and how long people are kept; save the ticks of all players at once."""
    if request.method == "POST":
        listed, ticked = _numbers(request, "listed"), _numbers(request, "shown")
        hidden = set_names_shown(event=event, numbers=listed - ticked, shown=False, by=request.user)
        shown = set_names_shown(event=event, numbers=listed & ticked, shown=True, by=request.user)
        flash_saved(request, _("It is changed."), changed=hidden or shown)
        return redirect("desk:privacy", event.slug)
    return _page(request, event, MonthsForm({"months": event.keep_months}))


@require_POST
@who_may(Right.MANAGE_PRIVACY)
def months(request: DeskRequest, event: Event) -> HttpResponse:
    """Set for how many months the event keeps its people."""
    form = MonthsForm(request.POST)
    if not form.is_valid():
        return _page(request, event, form, status=UNPROCESSABLE)
    with flash_refusal(request):
        changed = set_keep_months(event=event, months=form.cleaned_data["months"], by=request.user)
        flash_saved(request, _("It is changed."), changed=changed)
    return redirect("desk:privacy", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PRIVACY)
@reauthenticate()
def forget_all(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask, then erase the personal data of an event whose retention time is over."""
    if request.method == "GET":
        context = {"count": sum(not row.forgotten for row in list_privacy(event)), "until": get_kept_until(event)}
        return render(request, "privacy/privacy_forget.html", desk_context(request, event, "settings", **context))
    with flash_refusal(request):
        today = timezone.localdate()
        gone = erase_event_people(event=event, stand_in_for=say_forgotten, today=today, by=request.user)
        _drop_files(request, event)
        messages.success(request, _("The data of %(count)d players is deleted.") % {"count": len(gone)})
    return redirect("desk:privacy", event.slug)


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PRIVACY)
def player(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Show what is stored of one player; set whether the public sees the name."""
    found = _player_or_404(event, number)
    if request.method == "POST":
        shown = request.POST.get("shown") == "on"
        changed = set_names_shown(event=event, numbers=[number], shown=shown, by=request.user)
        flash_saved(request, _("It is changed."), changed=changed)
        return redirect("desk:player_privacy", event.slug, number)
    mine = _managed(request.user)
    context = {
        "player": found,
        "person": found.person,
        "unguarded": player_facts(found).unguarded,
        "same": [each for each in list_same_person(found, mine) if each.pk != found.pk],
        "namesakes": list_namesakes(found, [each for each in mine if each != event.pk]),
    }
    return render(request, "privacy/privacy_player.html", desk_context(request, event, "players", **context))


@require_GET
@who_may(Right.MANAGE_PRIVACY)
def person_json(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Return all data of one person, at every event whose data the reader manages, as a JSON file."""
    data = get_person_data(_player_or_404(event, number), _managed(request.user))
    content = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    name = print_name(event, f"player-{number}", timezone.localtime(), "json")
    return file_answer(content.encode(), "application/json", name)


@require_http_methods(["GET", "POST"])
@who_may(Right.MANAGE_PRIVACY)
@reauthenticate()
def forget(request: DeskRequest, event: Event, number: int) -> HttpResponse:
    """Ask, then erase the name and data of one person."""
    found = _player_or_404(event, number)
    if request.method == "POST":
        try:
            erase_person(
                person=found.person, stand_in_for=say_forgotten, reason=request.POST.get("reason", ""), by=request.user
            )
            for each in Event.objects.filter(players__person__in=list_linked([found.person])):
                _drop_files(request, each)
            messages.success(request, _("The name and all data of this person are deleted."))
            return redirect("desk:player_privacy", event.slug, number)
        except DomainError as refused:
            flash_problems(request, refused)
            return redirect("desk:forget_person", event.slug, number)
    linked = Player.objects.filter(person__in=list_linked([found.person])).select_related("event")
    elsewhere = [each for each in linked if each.pk != found.pk]
    context = {"player": found, "fixed": count_fixed_mentions(found), "elsewhere": elsewhere}
    return render(request, "privacy/privacy_forget.html", desk_context(request, event, "players", **context))


def _page(request: DeskRequest, event: Event, form: MonthsForm, *, status: int = 200) -> HttpResponse:
    rows = list_privacy(event)
    context: dict[str, Any] = {
        "rows": rows,
        "hidden": sum(not row.shown for row in rows),
        "form": form,
        "until": get_kept_until(event),
        "due": is_due(event, timezone.localdate()),
    }
    return render(request, "privacy/privacy.html", desk_context(request, event, "settings", **context), status=status)


def _player_or_404(event: Event, number: int) -> Player:
    return get_object_or_404(event.players.select_related("person", "event"), number=number)


def _managed(account: Account) -> list[int]:
    """Return the keys of the events whose personal data an account manages."""
    return [event.pk for event in Event.objects.all() if get_rights(account, event).may(Right.MANAGE_PRIVACY)]


def _numbers(request: DeskRequest, name: str) -> set[int]:
    return {int(text) for text in request.POST.getlist(name) if text.isascii() and text.isdigit() and len(text) < 6}


def _drop_files(request: DeskRequest, event: Event) -> None:
    """Remove the event's files that hold names; warn if the disk refuses."""
    try:
        for drop in PEOPLE_ERASED:
            drop(event, settings.DATA_DIR)
    except OSError:
        messages.warning(request, _("Files of this event in the folder “events” still hold the name: remove them."))
