"""EMA's pages: requirements and answers, the files with their check, a preview of MERS points, the observer's report.

A list of past results is read for the preview and never stored.
"""

import dataclasses
import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from rules.ema_events import TABLE, EventFacts, Requirement, judge
from scoring.mers import PastResult, base_rank, day_results, ranking, weight_in_halves
from tournament.accounts.queries import account_names
from tournament.core.rights import Right
from tournament.ema.actions import REPORT, answer_requirement, set_observer_report
from tournament.ema.files import (
    EmaEvent,
    EmaPlayer,
    check_ema,
    date_words,
    ema_workbook,
    ranking_csv,
    read_past_results,
)
from tournament.ema.messages import PARTS, PHASES, STATES, WHERE, demand_text, say_found
from tournament.ema.queries import (
    Answer,
    ObserverFacts,
    get_ema_facts,
    get_observer_facts,
    list_answers,
    list_ema_players,
)
from tournament.events.models import Event, Visibility
from tournament.exports.views import CSV, standings_for_files
from tournament.incidents.queries import count_listed
from tournament.pages.files import XLSX, book_answer, file_answer, get_head, print_name, print_now
from tournament.pages.forms import FileForm, SettingsForm
from tournament.pages.permissions import DeskRequest, desk_context, opens, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_refusal, flash_saved
from tournament.paper.sheets import observer_leaves
from tournament.publication.messages import say_held_at_desk
from tournament.publication.queries import get_public_view
from tournament.standings.queries import Standings, get_desk_standings
from tournament.tables.round_queries import list_days
from tournament.text.languages import ENGLISH, colon, join_commas, plural_text, sentences
from tournament.text.names import name_of_country
from tournament.text.numbers import NO_VALUE, minutes_text, ordinal_place, p
from tournament.text.problems import problem_text

ICONS = {"kept": "check", "broken": "error", "open": "waiting", "not_needed": "info"}
TONES = {"kept": "ok", "broken": "error", "open": "warning", "not_needed": "idle"}


@dataclass(frozen=True, slots=True)
class Demand:
    """One of EMA's demands as the list shows it; `url` is the page where it is put right, "" for none."""

    asks: Requirement
    state: str
    words: str
    found: str
    url: str
    answer: Answer | None
    answered_by: str

    @property
    def state_words(self) -> str:
        """The state in words."""
        return _(STATES[self.state])

    @property
    def look(self) -> tuple[str, str]:
        """Tone and icon of the state."""
        return TONES[self.state], ICONS[self.state]

    @property
    def is_asked(self) -> bool:
        """Whether the organiser answers it."""
        return self.asks.asked and self.state != "not_needed"


@require_http_methods(["GET", "POST"])
@who_may(Right.CHANGE_SETTINGS)
def ema(request: DeskRequest, event: Event) -> HttpResponse:
    """Show EMA's demands in the order of the event, or take an answer to one of them."""
    if request.method == "POST":
        key, answer = request.POST.get("requirement", ""), request.POST.get("answer", "")
        with flash_refusal(request):
            changed = answer_requirement(event=event, key=key, answer=answer, by=request.user)
            flash_saved(request, _("The answer is saved."), changed=changed)
        return redirect(f"{reverse('desk:ema', args=[event.slug])}#{key[:20]}" if key.isidentifier() else request.path)
    facts = read_facts(event)
    answers = list_answers(event)
    names = account_names([each.by for each in answers.values()])
    found = []
    for each, verdict in judge(facts):
        url = reverse(WHERE[each.key], args=[event.slug]) if each.key in WHERE else ""
        given = answers.get(each.key)
        found.append(
            Demand(
                each,
                verdict.state,
                demand_text(each.key),
                say_found(each, verdict),
                url if url and opens(request.rights, url) else "",
                given,
                names.get(given.by, "") if given else "",
            )
        )
    states = [row.state for row in found]
    context = {
        "phases": [(_(words), [row for row in found if row.asks.phase == phase]) for phase, words in PHASES.items()],
        "counted": [(_(STATES[state]), states.count(state), TONES[state], ICONS[state]) for state in ICONS],
        "sanma": set(event.rulesets) != {TABLE},
    }
    return render(request, "ema/ema.html", desk_context(request, event, "settings", **context))


def read_facts(event: Event) -> EventFacts:
    """Return what the demands are judged by today, with the errors of the results file."""
    facts = get_ema_facts(event, today=timezone.localdate())
    standings = get_desk_standings(event)
    if not standings.rounds:
        return facts
    file = read_ema_file(event, standings)
    found = check_ema(file.event, file.players, left_out=file.left_out, disqualified=file.disqualified)
    return dataclasses.replace(facts, file_errors=sum(problem.severity == "error" for problem in found))


@require_http_methods(["GET", "POST"])
@who_may(Right.EXPORT)
def ema_points(request: DeskRequest, event: Event) -> HttpResponse:
    """Ask for a list of past results, and show each player's ranking without and with this event."""
    form = FileForm(request.POST or None, request.FILES or None)
    file = read_ema_file(event, get_desk_standings(event))
    context: dict[str, Any] = {"form": form, "weight": p(500 * file.event.halves), "none": not file.players}
    status = 200
    if form.is_bound:
        status = UNPROCESSABLE
        if form.is_valid():
            found = read_past_results(*form.content(), {player.ema_number for player in file.players} - {""})
            context |= {"errors": [problem_text(problem) for problem in found.problems], "read": found.rows}
            if not found.problems:
                status = 200
                context["on"] = list_days(event)[-1]
                context["lines"] = _lines(file, found.by_number, context["on"])
    page = desk_context(request, event, "settings", **context)
    return render(request, "ema/ema_points.html", page, status=status)


@dataclass(frozen=True, slots=True)
class EmaFile:
    """What goes into the files: the event and its players; `left_out` and `disqualified` are who has no place."""

    event: EmaEvent
    players: tuple[EmaPlayer, ...]
    left_out: tuple[str, ...]
    disqualified: tuple[str, ...]


class PointsLine(NamedTuple):
    """A player's ranking before and after this event, with how many past results were read."""

    player: EmaPlayer
    past: int
    before: str
    base: int
    after: str


def _lines(file: EmaFile, past: Mapping[str, Sequence[PastResult]], on: dt.date) -> list[PointsLine]:
    """Return a line for each player with an EMA number, in the order of the standings."""
    found = []
    for player in file.players:
        if not player.ema_number:
            continue
        base = base_rank(player.position, max(file.event.listed, player.position))
        before = list(past.get(player.ema_number, ()))
        with_this = [*before, PastResult(base, file.event.halves, on)]
        found.append(PointsLine(player, len(before), _shown(ranking(before, on)), base, _shown(ranking(with_this, on))))
    return found


def _shown(value: Fraction | None) -> str:
    """Write a ranking with two places, as EMA does."""
    return NO_VALUE if value is None else f"{Decimal(value.numerator) / value.denominator:.2f}"


def read_ema_file(event: Event, standings: Standings) -> EmaFile:
    """Return what goes into the files: the players, and the event as its settings have it."""
    players = tuple(list_ema_players(event, standings))
    countries = {player.country for player in players if player.country}
    days, listed = list_days(event), count_listed(event)
    head = EmaEvent(
        name=event.name,
        place=" ".join(event.place.split()),
        country=event.country,
        day=days[0],
        last=days[-1],
        days=len(days),
        halves=weight_in_halves(days=len(days), players=listed, countries=len(countries), qualified=event.qualified),
        listed=listed,
        rounds=len(standings.rounds),
        planned=max(event.rounds_planned, len(standings.rounds)),
        rules=event.ruleset.key,
        table_size=min(event.rulesets),
    )
    left_out = tuple(row.name for row in standings.unranked if not row.disqualified)
    disqualified = tuple(row.name for row in standings.unranked if row.disqualified)
    return EmaFile(head, players, left_out, disqualified)


def ema_context(file: EmaFile) -> dict[str, Any]:
    """Return what ema/ema.html shows."""
    event, players = file.event, file.players
    found = check_ema(event, players, left_out=file.left_out, disqualified=file.disqualified)
    places = Counter(player.position for player in players)
    lines = []
    for player in players:
        base = base_rank(player.position, max(event.listed, player.position))
        days = _("%(days)d × %(base)d") % {"days": len(day_results(base, event.days)), "base": base}
        place = ordinal_place(player.position, places[player.position] > 1)
        lines.append((player, place, *((base, days) if player.ema_number else (None, ""))))
    return {
        "file": file,
        "weight": p(500 * event.halves),
        "countries": len({player.country for player in players if player.country}),
        "errors": [problem_text(problem) for problem in found if problem.severity == "error"],
        "warnings": [problem_text(problem) for problem in found if problem.severity == "warning"],
        "lines": lines,
    }


@require_GET
@who_may(Right.EXPORT)
def rankings(request: DeskRequest, event: Event) -> HttpResponse:
    """Show what the federation would stumble over, and what the places are worth; and give the files."""
    file = read_ema_file(event, standings_for_files(request, event))
    context = {
        **ema_context(file),
        "country": name_of_country(file.event.country),
        "with_held": "held" in request.GET,
        "held": say_held_at_desk(get_public_view(event)),
        "languages": len(settings.LANGUAGES),
    }
    return render(request, "ema/results_rankings.html", desk_context(request, event, "results", **context))


@require_GET
@who_may(Right.EXPORT)
def ema_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the federation's workbook."""
    file = read_ema_file(event, standings_for_files(request, event))
    made = ema_workbook(file.event, file.players, timezone.localtime())
    return file_answer(made, XLSX, print_name(event, "ema", timezone.localtime(), "xlsx"))


@require_GET
@who_may(Right.EXPORT)
def rankings_csv(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the lines of the newer ranking site."""
    file = read_ema_file(event, standings_for_files(request, event))
    return file_answer(ranking_csv(file.players), CSV, print_name(event, "ranking", timezone.localtime(), "csv"))


class ReportForm(SettingsForm):
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
@who_may(Right.CHANGE_SETTINGS)
def observer_report(request: DeskRequest, event: Event) -> HttpResponse:
    """Show the report with what is written beside the desk's own, or save what is written."""
    form = ReportForm(request.POST if request.method == "POST" else None, initial=event.observer_report)
    if form.is_valid():
        with flash_refusal(request):
            changed = set_observer_report(event=event, texts=form.cleaned_data, by=request.user)
            flash_saved(request, _("The report is saved."), changed=changed)
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
@who_may(Right.EXPORT)
def observer_pdf(request: DeskRequest, event: Event) -> HttpResponse:
    """Print the report, in English as EMA reads it."""
    with translation.override(ENGLISH):
        leaves = observer_leaves(_title(), [(name, text) for _key, name, text in report_fields(request, event)])
        return print_now(request, event, "observer", leaves, get_head(event), tab="settings")


@require_GET
@who_may(Right.EXPORT)
def observer_xlsx(request: DeskRequest, event: Event) -> HttpResponse:
    """Give the report as a workbook, in English."""
    from tournament.pages.spreadsheets import Sheet, SheetColumn  # its package is a tenth of the desk's start

    with translation.override(ENGLISH):
        columns = (SheetColumn(_("Field"), "text"), SheetColumn(_("Report"), "sentence"))
        rows = [(name, " ".join(text.split())) for _key, name, text in report_fields(request, event)]
        sheet = Sheet("Report", (event.name, _title()), columns, rows, frozen_columns=1)
    now = timezone.localtime()
    return book_answer([sheet], now, print_name(event, "observer", now, "xlsx"))


def report_fields(request: HttpRequest, event: Event) -> list[tuple[str, str, str]]:
    """Return the twelve fields of the report: key, heading, text; "" where nothing is known."""
    texts = {**_known(request, event), **event.observer_report}
    return [(key, _(heading), texts.get(key, "")) for key, heading in PARTS.items()]


def _title() -> str:
    return _("Observer's report")


def _known(request: HttpRequest, event: Event) -> dict[str, str]:
    """Return the fields that the event itself fills."""
    facts, about = get_observer_facts(event), read_ema_file(event, get_desk_standings(event)).event
    place = join_commas(filter(None, (about.place, name_of_country(about.country))))
    address = request.build_absolute_uri(reverse("public:phone", args=[event.slug]))
    numbers = dataclasses.asdict(facts)
    complaints = _("%(complaints)d, of which %(open_complaints)d without a ruling") % numbers
    return {
        "event": join_commas(filter(None, (event.name, place, date_words(about.day, about.last)))),
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
        "days": plural_text("%(count)d day", "%(count)d days", days),
        "rounds": plural_text("%(count)d round", "%(count)d rounds", rounds),
        "each": "+".join(map(str, facts.days)),
        "minutes": minutes if facts.minutes else _("no time limit"),
    }
    return _("%(days)s, %(rounds)s (%(each)s), %(minutes)s") % said


def _players(facts: ObserverFacts) -> str:
    listed = (f"{name_of_country(code) or code or _('not given')}{colon()}{count}" for code, count in facts.countries)
    countries = sum(bool(code) for code, _count in facts.countries)
    said = {"players": facts.players, "countries": countries, "listed": join_commas(listed)}
    return _("%(players)d players, %(countries)d countries (%(listed)s)") % said


def _between(facts: ObserverFacts) -> str:
    clock = _("A clock of the desk ran in %(clocked)d of %(rounds)d rounds.")
    late = _("Results were shown before the next round began, except %(late)d times.") if facts.late else ""
    shown = late or _("Results were shown before the next round began.")
    return sentences([text % dataclasses.asdict(facts) for text in (clock, shown)])
