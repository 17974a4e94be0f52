"""Seasons: the public table, how it is counted, its files; and at the desk what counts in a season."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from scoring.seasons import Points, SeasonRule, printed, read_number
from tournament.core.errors import DomainError
from tournament.core.hash_chain import canonical
from tournament.core.limits import MAX_TITLE
from tournament.events.models import Event, Visibility
from tournament.pages.charts import Curve, FigureChart, figure_chart
from tournament.pages.csv_files import csv_file
from tournament.pages.files import file_answer
from tournament.pages.lists import CSV
from tournament.pages.permissions import DeskRequest, for_anyone, for_site
from tournament.pages.requests import MAX_QUERY_LENGTH, UNPROCESSABLE, flash_problems, to_int
from tournament.pages.sign_in import confirm_first
from tournament.publication.names import read_for_public
from tournament.seasons.actions import (
    MAX_LEAST,
    MAX_PHASE,
    CountedEvent,
    SeasonFacts,
    change_season,
    create_season,
    delete_season,
    read_carried,
    set_season_events,
)
from tournament.seasons.messages import (
    READY_MADE_WORDS,
    all_yakuman_items,
    evening_name,
    figure_parts,
    figure_text,
    line_name,
    percent_text,
    record_items,
    rule_sentences,
    say_champions,
    together_sentences,
)
from tournament.seasons.models import Season
from tournament.seasons.proof import get_season_proof
from tournament.seasons.queries import (
    READY_MADE,
    DeclaredRule,
    SeasonLine,
    SeasonView,
    get_progress,
    get_replays,
    get_season,
    get_season_view,
    list_seasons,
    read_head_starts,
    read_rule,
)
from tournament.seasons.records import get_season_records
from tournament.tables.messages import say_nameless
from tournament.text.names import fold, search_text
from tournament.text.numbers import short_day, short_p
from tournament.text.problems import problem_text

AT_ONCE = 100
LAST_EVENINGS = 5  # that the table has as columns
NEWEST = 50  # events below the table
LINES = 4  # of the chart: so many dashes and marks there are
POINTS = 40  # of a line: the last evenings
OWN = "own"


def _find(request: HttpRequest, slug: str) -> SeasonView:
    """Return the season as everybody may see it; raises Http404, for a draft to all but who runs the desk."""
    with read_for_public(say_nameless):
        view = get_season(slug)
    if view is None or (view.season.visibility == Visibility.DRAFT and not _runs_desk(request)):
        raise Http404("There is no such season.")
    return view


def _runs_desk(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


def _answer(view: SeasonView, response: HttpResponse) -> HttpResponse:
    """Keep caches from answering for the desk, and what everybody does not find out of search engines."""
    response["Cache-Control"] = "private, no-cache" if view.season.visibility == Visibility.DRAFT else "no-cache"
    if view.season.visibility != Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@for_anyone
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a season, its evenings, and who is short of games; `?q=` finds names, `?page=` turns pages."""
    view = _find(request, slug)
    query = request.GET.get("q", "")[:MAX_QUERY_LENGTH].strip()
    lines, short = (_find_lines(view, lines, query) if query else lines for lines in (view.ranked, view.short))
    page = Paginator(lines, AT_ONCE).get_page(request.GET.get("page"))
    last = view.evenings[-LAST_EVENINGS:]
    place = {line.row.person: at for at, line in enumerate(view.ranked, start=1)}  # several may share a rank
    evenings = view.evenings if "events" in request.GET else view.evenings[-NEWEST:]
    longest = max((line.row.spread or 0 for line in view.ranked), default=0)
    leaders = list(islice((line for line in view.ranked if not line.number), LINES))
    best = [] if query else [view.line_of.get(each.best or 0) for each in evenings]
    _read_names(view, [*page, *short[:AT_ONCE], *leaders, *view.champions, *best])
    context = {
        "view": view,
        "rule": rule_sentences(view.rule),
        "champions": say_champions(view),
        "columns": [(evening_name(each), each.date) for each in last],
        "page": page,
        "rows": [_row(view, line, last, longest) | {"row": place[line.row.person]} for line in page],
        "short": [(line_name(line), line.row.games, line.missing) for line in short[:AT_ONCE]],
        "more_short": max(len(short) - AT_ONCE, 0),
        "together": together_sentences(view),
        "progress": _progress(view, leaders),
        "evenings": [(each, line.name if line else "") for each, line in zip(evenings, best, strict=False)][::-1],
        "more": len(view.evenings) - len(evenings),
        "query": query,
        "large": len(view.lines) > AT_ONCE,
        "csrf_token": "",
    }
    return _answer(view, render(request, "seasons/season.html", context))


def _read_names(view: SeasonView, lines: Sequence[SeasonLine | None]) -> None:
    view.names.read(line.row.person for line in lines if line)


def _find_lines(view: SeasonView, lines: Sequence[SeasonLine], query: str) -> list[SeasonLine]:
    words = fold(query).split()
    texts = [view.found_by.get(line.row.person) or search_text(line_name(line)) for line in lines]
    return [line for line, text in zip(lines, texts, strict=True) if all(word in text for word in words)]


def _row(view: SeasonView, line: SeasonLine, evenings: Any, longest: float) -> dict[str, Any]:
    spread = line.row.spread
    return {
        "line": line,
        "name": line_name(line),
        "figure": figure_text(view.rule, line.row.figure),
        "cells": [line.points_at(each) for each in evenings],
        "bar": round(100 * spread / longest) if spread and longest else 0,
    }


def _progress(view: SeasonView, lines: Sequence[SeasonLine]) -> FigureChart | None:
    """Return the figures of these lines after each of the last evenings as a chart and a table; None before two."""
    found = get_progress(view, [line.row.person for line in lines])
    at = [index for index in range(len(view.evenings)) if any(each[index] is not None for each in found.values())]
    at = at[-POINTS:]
    if len(at) < 2:
        return None
    curves = [
        Curve(
            [None if (value := found[line.row.person][index]) is None else round(value) for index in at],
            name=line.name,
            texts=[_figure_at(view, found[line.row.person][index]) for index in at],
        )
        for line in lines
    ]
    evenings = [view.evenings[index] for index in at]
    say: Any = str if view.rule.counts.measure == "base_rank" else short_p
    return figure_chart(
        curves, [evening_name(each) for each in evenings], [short_day(each.date) for each in evenings], say
    )


def _figure_at(view: SeasonView, figure: Points | None) -> str:
    return "\N{EN DASH}" if figure is None else figure_text(view.rule, figure)


@require_safe
@for_anyone
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the records and the yakuman of a season: they take the hands of all its events."""
    view = _find(request, slug)
    found = get_season_records(view)
    context = {"season": view.season, "records": record_items(found), "yakuman": all_yakuman_items(found)}
    return _answer(view, render(request, "seasons/hall_of_fame.html", context | {"csrf_token": ""}))


@require_safe
@for_anyone
def how(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rule of a season in words, one person's figure worked out, and what chance makes of the season."""
    view = _find(request, slug)
    chosen = to_int(request.GET.get("row")) or 1
    line = next(iter(view.ranked[chosen - 1 : chosen] or view.ranked[:1]), None)
    times, wins = get_replays(view)
    likely = sorted(((each, wins[each.row.person]) for each in view.ranked if each.row.person in wins), key=_by_part)
    _read_names(view, [line, *(each for each, _part in likely[:10])])
    records = [each for each in view.evenings if each.listed and each.games]
    context = {
        "view": view,
        "rule": rule_sentences(view.rule),
        "line": line,
        "name": line_name(line) if line else "",
        "figure": figure_text(view.rule, line.row.figure) if line else "",
        "parts": figure_parts(view, line) if line and line.name and not view.rule.ranking_list else [],
        "times": times,
        "likely": [(line_name(each), percent_text(part)) for each, part in likely[:10]],
        "progress": _progress(view, [line] if line and line.name else []),
        "records": records,
        "csrf_token": "",
    }
    return _answer(view, render(request, "seasons/how.html", context))


def _by_part(each: tuple[SeasonLine, Any]) -> Any:
    return -each[1]


@require_safe
@for_anyone
def season_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the table of a season as JSON: figures in points or base rank, lasting ids of who has a page."""
    view = _find(request, slug)
    rows = [
        {
            "rank": line.row.rank,
            "name": line_name(line),
            "person": str(uid) if (uid := line.uid) else None,
            "figure": printed(line.row.figure),
            "games": line.row.games,
            "counted": line.row.counted,
        }
        for line in view.lines
    ]
    said = {"season": view.season.name, "rule": view.season.rule, "events": len(view.evenings), "rows": rows}
    return _answer(view, JsonResponse(said, json_dumps_params={"ensure_ascii": False}))


@require_safe
@for_anyone
def season_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the table of a season as csv, with the points of each evening."""
    view = _find(request, slug)
    head = [_("Place"), _("Name"), _("Figure"), _("Games"), *map(evening_name, view.evenings)]
    rows = [
        [
            line.row.rank,
            line_name(line),
            printed(line.row.figure),
            line.row.games,
            *map(line.points_at, view.evenings),
        ]
        for line in view.lines
    ]
    return _answer(view, file_answer(csv_file(head, rows), CSV, f"{slug}.csv"))


@require_safe
@for_anyone
def season_proof(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the file by which a stranger counts the season again from the record files of its events."""
    view = _find(request, slug)
    answer = HttpResponse(canonical(get_season_proof(view)), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-season.json"'
    return _answer(view, answer)


# ---------------------------------------------------------------- the desk


class SeasonForm(forms.Form):
    """What is said of a season; a ready-made rule goes before the fields of an own one."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE)
    ready = forms.ChoiceField(label=gettext_lazy("Rule"))
    unit = forms.ChoiceField(
        label=gettext_lazy("What counts"),
        choices=[("game", gettext_lazy("each game")), ("evening", gettext_lazy("each evening"))],
    )
    measure = forms.ChoiceField(
        label=gettext_lazy("By"),
        choices=[("points", gettext_lazy("points")), ("base_rank", gettext_lazy("rank, from 1000 to 0"))],
    )
    gather = forms.ChoiceField(
        label=pgettext_lazy("of values", "The figure is"),
        choices=[("sum", gettext_lazy("the sum")), ("mean", gettext_lazy("the mean"))],
    )
    best = forms.IntegerField(
        label=gettext_lazy("Only the best"),
        min_value=1,
        max_value=MAX_LEAST,
        required=False,
        help_text=gettext_lazy("empty: all count"),
    )
    least = forms.IntegerField(
        label=gettext_lazy("Least games for a rank"), min_value=1, max_value=MAX_LEAST, initial=1
    )
    halved = forms.BooleanField(label=gettext_lazy("Half of all points is carried into the next phase"), required=False)
    carried = forms.CharField(
        label=gettext_lazy("Head starts"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("a line a person: the name, then points in thousands, such as “Ana Berg 12.5”"),
    )
    visibility = forms.ChoiceField(
        label=gettext_lazy("Visibility"),
        choices=[
            (Visibility.DRAFT, gettext_lazy("Draft")),
            (Visibility.UNLISTED, gettext_lazy("Unlisted")),
            (Visibility.PUBLIC, gettext_lazy("Public")),
        ],
        initial=Visibility.PUBLIC,
    )
    closed = forms.BooleanField(
        label=gettext_lazy("The season is over"), required=False, help_text=gettext_lazy("its first is the champion")
    )

    def __init__(self, *args: Any, new: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if new:  # head starts are of people of its events
            del self.fields["carried"], self.fields["closed"]
        self.fields["ready"].choices = [*READY_MADE_WORDS.items(), (OWN, _("Own rule, as below"))]  # type: ignore[attr-defined]

    def facts(self, names: Mapping[str, Collection[int]], starts: Mapping[int, Fraction]) -> SeasonFacts:
        """Return what was sent; of head starts, `starts` where the form did not show them or they came back as shown.

        Raises DomainError for those that cannot be read.
        """
        sent = self.cleaned_data
        own = SeasonRule(sent["unit"], sent["measure"], sent["gather"], sent["best"], sent["least"])
        rule = READY_MADE.get(sent["ready"]) or DeclaredRule(own, None, sent["halved"])
        read, shown = (read_carried(text, names) for text in (sent.get("carried", ""), self.initial.get("carried", "")))
        kept = {key: str(points) for key, points in starts.items() if read.get(key) == shown.get(key)}
        return SeasonFacts(sent["name"], rule, read | kept, sent["visibility"], sent.get("closed", False))


@require_http_methods(["GET", "POST"])
@for_site
def seasons(request: DeskRequest) -> HttpResponse:
    """List the seasons of the site, and make one."""
    form = SeasonForm(request.POST if request.method == "POST" else None, new=True)
    if form.is_valid():
        try:
            made = create_season(facts=form.facts({}, {}), by=request.user)
            messages.success(request, _("The season %(name)s is here: choose its events.") % {"name": made.name})
            return redirect("desk:season", made.slug)
        except DomainError as refused:
            _put(form, refused)
    context = {"seasons": list_seasons(public=False), "form": form, "desk_nav": []}
    return render(request, "seasons/seasons.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@for_site
def desk_season(request: DeskRequest, own: str) -> HttpResponse:
    """Change a season, choose its events, or delete it."""
    found = get_object_or_404(Season, slug=own)
    act = request.POST.get("act", "")
    if act == "delete":
        asked = confirm_first(
            request,
            None,
            title=_("Delete the season %(name)s?") % {"name": found.name},
            text=_("Its table, its rule and its head starts go, and its address leads nowhere. Its events stay."),
            submit=_("Delete the season"),
            back=reverse("desk:season", args=[own]),
            danger=True,
        )
        if asked:
            return asked
        delete_season(season=found, by=request.user)
        messages.success(request, _("The season is deleted; its events stay as they are."))
        return redirect("desk:seasons")
    stored = [CountedEvent(row.event_id, row.weight, row.phase) for row in found.events.all()]
    counted = _read_events(request, stored) if act == "events" else stored
    if act == "events":
        try:
            if set_season_events(season=found, events=counted, by=request.user):
                messages.success(request, _("The events of the season are saved."))
            return redirect("desk:season", own)
        except DomainError as refused:
            flash_problems(request, refused)
    view = get_season_view(found)
    names = defaultdict[str, set[int]](set)
    for line in view.lines:
        if line.name:
            names[line.name.casefold()].add(line.row.person)
    named = {min(keys) for keys in names.values() if len(keys) == 1}  # of others the form has no line: theirs stay
    sent = None if act or request.method == "GET" else request.POST
    form = SeasonForm(sent, initial=_initial(found, view, named))
    if form.is_valid():
        try:
            if change_season(season=found, facts=form.facts(names, read_head_starts(found)), by=request.user):
                messages.success(request, _("The season is changed."))
            return redirect("desk:season", own)
        except DomainError as refused:
            _put(form, refused)
    by_event = {each.event: each for each in counted}
    events = [(event, by_event.get(event.pk)) for event in Event.objects.order_by("-date", "name")]
    context = {"season": found, "form": form, "events": events, "view": view, "max_phase": MAX_PHASE, "desk_nav": []}
    status = UNPROCESSABLE if request.method == "POST" else 200
    return render(request, "seasons/desk_season.html", context, status=status)


def _read_events(request: DeskRequest, stored: Sequence[CountedEvent]) -> list[CountedEvent]:
    """Return the events that were ticked, and of those stored the ones that have come in since the page was drawn."""
    chosen = [
        CountedEvent(
            pk,
            request.POST.get(f"weight_{pk}", "").strip()[:20] or "1",
            to_int(request.POST.get(f"phase_{pk}", "").strip() or "1"),
        )
        for pk in filter(None, map(to_int, request.POST.getlist("event")))
    ]
    listed = {each.event for each in chosen}
    return [
        *chosen,
        *(each for each in stored if each.event not in listed and f"weight_{each.event}" not in request.POST),
    ]


def _initial(found: Season, view: SeasonView, named: Collection[int]) -> dict[str, Any]:
    rule = read_rule(found.rule)
    ready = next((key for key, each in READY_MADE.items() if each == rule), OWN)
    lines = [
        f"{line.name} {_head_start(Fraction(view.carried[line.row.person]) / 1000)}"
        for line in view.lines
        if line.row.person in named and line.row.person in view.carried
    ]
    counts = {name: getattr(rule.counts, name) for name in ("unit", "measure", "gather", "best", "least")}
    return {
        **counts,
        "name": found.name,
        "ready": ready,
        "halved": rule.halved,
        "carried": "\n".join(lines),
        "visibility": found.visibility,
        "closed": found.closed_at is not None,
    }


def _head_start(points: Fraction) -> str:
    """Return points as a decimal, or as a fraction where that alone is exact and can be typed.

    >>> [_head_start(Fraction(text)) for text in ("12.5", "-100", "1/3", "0.00001", "1/3000")]
    ['12.5', '-100', '1/3', '0.00001', '0.000333333']
    """
    decimal = f"{printed(points):.9f}".rstrip("0").rstrip(".")
    return decimal if Fraction(decimal) == points or read_number(str(points)) is None else str(points)


def _put(form: forms.Form, refused: DomainError) -> None:
    for problem in refused.problems:
        form.add_error(None, problem_text(problem))
