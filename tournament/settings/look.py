"""The look of an event, its colour and pictures, and what its organiser tells players beside the rules."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules.books import load
from tournament.core.errors import DomainError
from tournament.core.rights import Right
from tournament.events.actions import CONTACT, MAX_HOUSE_RULES, set_compared_with, set_contact, set_house_rules
from tournament.events.models import Event, Logo, Photo
from tournament.events.pictures import LOGO, PHOTO, remove_picture, set_colour, set_picture
from tournament.pages.files import etag_answer, get_picture
from tournament.pages.forms import SettingsForm, add_problems
from tournament.pages.permissions import DeskRequest, desk_context, for_public, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, flash_saved
from tournament.rulesets.differences import usual_book
from tournament.rulesets.views import list_books
from tournament.text.languages import language_name

STYLES = """:root { --event: %s; }
.head, .is-display { border-top: 4px solid var(--event); }
@media (max-width: 40rem) { .head-name { border-top: 4px solid var(--event); } }
"""


@require_POST
@who_may(Right.CHANGE_SETTINGS)
def look(request: DeskRequest, event: Event) -> HttpResponse:
    """Set the event's colour, logo and photo; a picture is replaced by a new file, or deleted."""
    wanted = request.POST.get("colour", event.colour)
    with flash_refusal(request):
        changed = set_colour(event=event, colour=wanted, by=request.user)
        if wanted and changed and event.colour != wanted.strip().lower():
            messages.info(request, _("The colour is darkened, so that white letters can be read on it."))
        for kind in (LOGO, PHOTO):
            name = kind.model.event_column
            if file := request.FILES.get(name):
                changed |= set_picture(event=event, kind=kind, data=file.read(kind.max_bytes + 1), by=request.user)
            elif f"no_{name}" in request.POST:
                changed |= remove_picture(event=event, kind=kind, by=request.user)
        flash_saved(request, _("The look is changed."), changed=changed)
    return redirect("desk:settings", event.slug)


@require_safe
@for_public
def logo(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the event's logo."""
    picture = get_picture(event, Logo)
    if not picture:
        raise Http404("This event has no logo.")
    return etag_answer(request, picture, "image/png")


@require_safe
@for_public
def photo(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the event's picture."""
    picture = get_picture(event, Photo)
    if not picture:
        raise Http404("This event has no picture.")
    return etag_answer(request, picture, "image/webp")


@require_safe
@for_public
def colour(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the event's colour as a stylesheet, because pages hold no styles of their own."""
    if not event.colour:
        raise Http404("This event has no colour.")
    return etag_answer(request, (STYLES % event.colour).encode(), "text/css; charset=utf-8")


LABELS = {
    "name": gettext_lazy("Name"),
    "mail": gettext_lazy("Email"),
    "phone": gettext_lazy("Phone"),
    "other": gettext_lazy("Other ways"),
}


class ForPlayersForm(SettingsForm):
    """All texts of the page: `compared_with`, `contact_KEY`, and `house_CODE` in each language, the event's first."""

    def __init__(self, event: Event, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        codes = dict.fromkeys([*dict(settings.LANGUAGES), *event.house_rules])
        self.codes = sorted(codes, key=lambda code: code not in (event.language, event.second_language))
        self.codes.sort(key=lambda code: code != event.language)
        self.fields["compared_with"] = forms.ChoiceField(
            label=gettext_lazy("Compare with"),
            choices=_books(event),
            initial=event.compared_with,
            required=False,
            help_text=gettext_lazy(
                "Players see every rule and foul that differs, on the page of the rules and on paper."
            ),
        )
        for key, label in LABELS.items():
            field = forms.EmailField if key == "mail" else forms.CharField
            self.fields[f"contact_{key}"] = field(
                label=label, max_length=CONTACT[key], required=False, initial=event.contact.get(key, "")
            )
        for code in self.codes:
            self.fields[f"house_{code}"] = forms.CharField(
                label=language_name(code),
                max_length=MAX_HOUSE_RULES,
                required=False,
                initial=event.house_rules.get(code, ""),
                widget=forms.Textarea(attrs={"rows": 10 if code == event.language else 4, "lang": code}),
            )

    def contact(self) -> dict[str, str]:
        """Return the contact as it was typed."""
        return {key: self.cleaned_data[f"contact_{key}"] for key in LABELS}

    def house_rules(self) -> dict[str, str]:
        """Return the house rules as they were typed, by language."""
        return {code: self.cleaned_data[f"house_{code}"] for code in self.codes}

    def contact_fields(self) -> Sequence[forms.BoundField]:
        """Return the fields of the contact."""
        return [self[f"contact_{key}"] for key in LABELS]

    def house_fields(self) -> Sequence[forms.BoundField]:
        """Return the fields of the house rules, that of the event's language first."""
        return [self[f"house_{code}"] for code in self.codes]


def _books(event: Event) -> list[tuple[str, str]]:
    usual = usual_book(event.ruleset)
    none = gettext("%(title)s, which it modifies") % {"title": load(usual).title} if usual else gettext("none")
    books = (book.ruleset for book in list_books())
    return [("", none), *((rules.key, rules.title) for rules in books if rules.key not in (event.ruleset.key, usual))]


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def for_players(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the form, or save what differs; what is refused stays in its field."""
    form = ForPlayersForm(event, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            by = request.user
            done = [
                set_compared_with(event=event, key=form.cleaned_data["compared_with"], by=by),
                set_house_rules(event=event, texts=form.house_rules(), by=by),
                set_contact(event=event, contact=form.contact(), by=by),
            ]
            changed = any(done)
        except DomainError as refused:
            add_problems(form, refused, {})
        else:
            flash_saved(request, gettext("Saved."), changed=changed)
            return redirect("desk:for_players", event.slug)
    status = UNPROCESSABLE if form.is_bound else 200
    return render(
        request, "settings/for_players.html", desk_context(request, event, "settings", form=form), status=status
    )
