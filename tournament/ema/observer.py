"""The observer's report for EMA: what the desk knows of the event, what the observer writes, and both as files.

The observer's report for EMA on paper: a heading and a text for each field.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from tournament.core.errors import Refused
from tournament.core.rights import Verb
from tournament.ema.actions import REPORT, set_observer_report
from tournament.ema.files import date_words
from tournament.ema.messages import PARTS
from tournament.ema.queries import ObserverFacts, get_observer_facts
from tournament.ema.views import read_ema_file
from tournament.events.models import Event, Visibility
from tournament.pages.files import XLSX, file_answer, get_head, print_name, print_now
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems
from tournament.pdf.render import Leaves
from tournament.standings.queries import get_desk_standings
from tournament.text.languages import ENGLISH, counted, in_turn, sentences
from tournament.text.names import name_of_country
from tournament.text.numbers import minutes_text, p

Field = tuple[str, str, str]  # key, heading, text


class ReportForm(forms.Form):
    """What the observer writes."""

    observer = forms.CharField(label=gettext_lazy("Observer"), max_length=REPORT["observer"], required=False)
    venue = forms.CharField(
        label=gettext_lazy("Venue and equipment"),
        max_length=REPORT["venue"],
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    comments = forms.CharField(
        label=gettext_lazy("Comments"),
        max_length=REPORT["comments"],
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


@require_http_methods(["GET", "POST"])
@who_may(Verb.CHANGE_SETTINGS)
def observer_report(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the report with what is written beside the desk's own, or save what is written."""
    form = ReportForm(request.POST if request.method == "POST" else None, initial=event.observer_report)
    if form.is_valid():
        try:
            if set_observer_report(event=event, texts=form.cleaned_data, by=request.user):
                messages.success(request, _("The report is saved."))
            else:
                messages.info(request, _("Nothing was changed."))
        except Refused as refused:
            flash_problems(request, refused)
        return redirect("desk:observer_report", event.slug)
    fields = report_fields(request, event)
    context: dict[str, Any] = {
        "fields": fields,
        "filled": sum(bool(text) for _key, _heading, text in fields),
        "form": form,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "ema/observer.html", desk_context(request, event, "settings", **context), status=status)


@require_GET
@who_may(Verb.EXPORT)
def observer_pdf(request: DeskRequest, event: Event) -> HttpResponse:
    """Print the report, in English as EMA reads it."""
    with translation.override(ENGLISH):
        leaves = observer_leaves(_title(), [(name, text) for _key, name, text in report_fields(request, event)])
        return print_now(request, event, "observer", leaves, get_head(event), tab="settings")


@require_GET
@who_may(Verb.EXPORT)
def observer_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the report as a workbook, in English."""
    from openpyxl import Workbook  # loaded when one is made, not with the desk

    from tournament.pages.spreadsheets import SheetColumn, add_sheet, save_book

    with translation.override(ENGLISH):
        book = Workbook()
        book.remove(book.worksheets[0])
        columns = (SheetColumn(_("Field"), "text"), SheetColumn(_("Report"), "sentence"))
        rows = [(name, " ".join(text.split())) for _key, name, text in report_fields(request, event)]
        add_sheet(book, "Report", (event.name, _title()), columns, rows, frozen_columns=1)
        made = save_book(book, timezone.localtime())
    return file_answer(made, XLSX, print_name(event, "observer", timezone.localtime(), "xlsx"))


def report_fields(request: HttpRequest, event: Event) -> list[Field]:
    """Return the twelve fields of the report: key, heading, text; "" where nothing is known."""
    texts = {**_known(request, event), **event.observer_report}
    return [(key, _(heading), texts.get(key, "")) for key, heading in PARTS.items()]


def _title() -> str:
    return _("Observer's report")


def _known(request: HttpRequest, event: Event) -> dict[str, str]:
    """Return the fields that the event itself fills."""
    facts, about = get_observer_facts(event), read_ema_file(event, get_desk_standings(event), {}).event
    place = in_turn(filter(None, (about.place, name_of_country(about.country))))
    address = request.build_absolute_uri(reverse("public:phone", args=[event.slug]))
    numbers = dataclasses.asdict(facts)
    complaints = _("%(complaints)d, of which %(open_complaints)d without a ruling") % numbers
    return {
        "event": in_turn(filter(None, (event.name, place, date_words(about.day, about.days)))),
        "rules": _("%(rules)s, MERS %(weight)s") % {"rules": event.ruleset.title, "weight": p(500 * about.halves)},
        "schedule": _schedule(facts),
        "players": _players(facts) if facts.players else "",
        "information": "" if event.visibility == Visibility.DRAFT else address,
        "referees": _("%(referees)d for %(players)d players") % numbers if facts.referees else "",
        "substitutes": str(facts.substitutes) if facts.substitutes else _("none"),
        "between": _between(facts) if facts.clocked else "",
        "complaints": complaints if facts.complaints else _("none"),
    }


def _schedule(facts: ObserverFacts) -> str:
    days, rounds = len(facts.days), sum(facts.days)
    minutes = minutes_text(facts.minutes)
    said = {
        "days": counted("%(count)d day", "%(count)d days", days),
        "rounds": counted("%(count)d round", "%(count)d rounds", rounds),
        "each": "+".join(map(str, facts.days)),
        "minutes": minutes if facts.minutes else _("no time limit"),
    }
    return _("%(days)s, %(rounds)s (%(each)s), %(minutes)s") % said


def _players(facts: ObserverFacts) -> str:
    listed = (f"{name_of_country(code) or code or _('not given')}: {count}" for code, count in facts.countries)
    countries = sum(bool(code) for code, _count in facts.countries)
    said = {"players": facts.players, "countries": countries, "listed": in_turn(listed)}
    return _("%(players)d players, %(countries)d countries (%(listed)s)") % said


def _between(facts: ObserverFacts) -> str:
    clock = _("A clock of the desk ran in %(clocked)d of %(rounds)d rounds.")
    late = _("Results were shown before the next round began, except %(late)d times.") if facts.late else ""
    shown = late or _("Results were shown before the next round began.")
    return sentences([text % dataclasses.asdict(facts) for text in (clock, shown)])


def observer_leaves(title: str, fields: Sequence[tuple[str, str]]) -> Leaves:
    """Give the report; a field's text may have several lines."""
    return Leaves("observer", ({"title": title, "fields": [(name, text.splitlines()) for name, text in fields]},))
