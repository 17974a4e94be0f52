"""Where else a season is shown: feed, calendar, a table for frames, each 404 until switched on; and the desk's page."""

import datetime as dt
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from scoring.problems import InvalidInput
from tournament.core.errors import DomainError
from tournament.core.time_zones import zone_of
from tournament.events.models import Event, Visibility
from tournament.pages.calendars import CalendarEntry, calendar_answer, one_line, round_length
from tournament.pages.forms import ReadField
from tournament.pages.permissions import DeskRequest, for_anyone, for_site
from tournament.pages.requests import UNPROCESSABLE, flash_problems, to_uuid
from tournament.publication.names import read_for_public
from tournament.seasons.messages import figure_text, line_name
from tournament.seasons.models import PostState, Season
from tournament.seasons.posts import get_news, say_line
from tournament.seasons.queries import SeasonView, get_season_view
from tournament.seasons.reach_actions import (
    Reach,
    post_table,
    public_events,
    read_hook,
    read_hosts,
    read_reach,
    set_reach,
)
from tournament.tables.messages import say_nameless
from tournament.text.languages import join_commas

MOST = 50  # entries of a feed
LINES = 100  # of the table in a frame
POSTS = 20  # that the desk lists


def _find(slug: str, part: str) -> tuple[Season, SeasonView]:
    """Return a season that shows this part of its reach; raises Http404 for any other, and for every draft."""
    season = get_object_or_404(Season.objects.exclude(visibility=Visibility.DRAFT), slug=slug)
    if not getattr(read_reach(season.reach), part):
        raise Http404("This is switched off.")
    with read_for_public(say_nameless):
        return season, get_season_view(season)


def _answer(season: Season, response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-cache"
    if season.visibility != Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    return response


def _page_of(request: HttpRequest, event: Event) -> str:
    return request.build_absolute_uri(reverse("public:phone", args=[event.slug]))


@require_safe
@for_anyone
@conditional_page
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the released results of a season as an Atom feed (RFC 4287), an entry for each event."""
    season, view = _find(slug, "feed")
    best = join_commas(say_line(view, line) for line in view.ranked if line.row.rank == 1)
    leader = _("Season: %(lines)s") % {"lines": best} if best else ""
    link = request.build_absolute_uri(reverse("season", args=[slug]))
    atom = Atom1Feed(
        one_line(season.name), link, "", get_language(), author_name="Hanchan Desk", subtitle=leader or None,
        feed_url=request.build_absolute_uri(request.path), feed_guid=_feed_id(season),
    )  # fmt: skip
    for news in filter(None, (get_news(view, event) for event in public_events(season)[:MOST])):
        said = f"{news} · {news.event.date.isoformat()}{leader and f' · {leader}'}"
        entry, guid = (str(news), _page_of(request, news.event)), _feed_id(season, news.event.slug)
        atom.add_item(*entry, escape(said), unique_id=guid, updateddate=news.at)  # a summary is HTML
        leader = ""  # after an earlier event it was another one
    return _answer(season, HttpResponse(atom.writeString("utf-8"), content_type=atom.content_type))


def _feed_id(season: Season, *more: str) -> str:
    """Return an id that is the same at every address of the desk and after every change."""
    return uuid.uuid5(uuid.NAMESPACE_OID, " ".join([season.created_at.isoformat(), season.slug, *more])).urn


@require_safe
@for_anyone
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the events of a season as an iCalendar, also those to come; without drafts and unlisted events."""
    season, _view = _find(slug, "calendar")
    return _answer(season, calendar_answer(slug, one_line(season.name), _entries(request, season)))


def _entries(request: HttpRequest, season: Season) -> Iterator[tuple[CalendarEntry, Event, str]]:
    for event in public_events(season):
        planned = [dt.datetime.fromisoformat(text) for text in event.timetable if text]
        days = {event.date, event.last_date, *(each.astimezone(zone_of(event)).date() for each in planned)}
        starts: dt.date = event.date
        lasts = dt.timedelta(days=(max(days) - event.date).days + 1)
        if planned and len(days) == 1:
            starts = min(planned)
            lasts = max(planned) - starts + round_length(event.ruleset.minutes)
        entry = CalendarEntry(f"{season.slug}-{event.slug}@hanchan-desk", one_line(event.name), starts, lasts)
        yield entry, event, _page_of(request, event)


@require_safe
@for_anyone
@xframe_options_exempt
def frame(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a season alone: the one page that others may frame, by the hosts that the season names."""
    season, view = _find(slug, "frame")
    rows = [(each, line_name(each), figure_text(view.rule, each.row.figure)) for each in view.ranked[:LINES]]
    answer = render(request, "seasons/frame.html", {"season": season, "view": view, "rows": rows, "csrf_token": ""})
    let_frame: Callable[..., Any] = csp_replace({"frame-ancestors": [SELF, *read_reach(season.reach).frame]})
    return _answer(season, let_frame(lambda _request: answer)(request))


# ---------------------------------------------------------------- the desk


class ReachForm(forms.Form):
    """What is switched on."""

    feed = forms.BooleanField(label=gettext_lazy("Feed of released results (Atom)"), required=False)
    calendar = forms.BooleanField(label=gettext_lazy("Calendar of the events (ics)"), required=False)
    teams = forms.BooleanField(label=gettext_lazy("Table of teams as csv and JSON"), required=False)
    frame = ReadField(
        read_hosts,
        label=gettext_lazy("Sites that may show the table in a frame"),
        required=False,
        max_length=600,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("a line a site, such as “club.example.org”; empty: none"),
    )
    hook = ReadField(
        read_hook,
        label=gettext_lazy("Webhook"),
        required=False,
        max_length=600,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Each release from now on is sent there. Anyone with this address can write there."),
    )
    form = forms.ChoiceField(
        label=pgettext_lazy("of a message", "Form"),
        choices=[("discord", "Discord"), ("plain", gettext_lazy("plain JSON"))],
    )


@require_http_methods(["GET", "POST"])
@for_site
def desk_reach(request: DeskRequest, own: str) -> HttpResponse:
    """Switch on where else a season is shown; `act=post` sends its table to the webhook."""
    season = get_object_or_404(Season, slug=own)
    reach = read_reach(season.reach)
    form = ReachForm(request.POST or None, initial=reach._asdict() | {"frame": "\n".join(reach.frame)})
    try:
        if request.POST.get("act") == "post":
            post_table(season=season, client_id=to_uuid(request.POST.get("client_id", "")), by=request.user)
            messages.success(request, _("The table goes to the webhook now."))
            return redirect("desk:season_reach", own)
        if form.is_valid():
            if set_reach(season=season, reach=Reach(**form.cleaned_data), by=request.user):
                messages.success(request, _("The season is changed."))
            return redirect("desk:season_reach", own)
    except (DomainError, InvalidInput) as refused:
        flash_problems(request, refused)
        return redirect("desk:season_reach", own)
    posts = season.posts.exclude(state=PostState.KNOWN).select_related("event")[:POSTS]
    context = {
        "season": season,
        "reach": reach,
        "form": form,
        "posts": posts,
        "client_id": uuid.uuid4(),
        "desk_nav": [],
    }
    return render(request, "seasons/desk_reach.html", context, status=UNPROCESSABLE if form.is_bound else 200)
