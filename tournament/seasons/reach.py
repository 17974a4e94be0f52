"""Where else a season is shown: feed, calendar, a table for frames, each 404 until switched on; and the desk's page."""

import datetime as dt
import uuid
from collections.abc import Iterator
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

from tournament.core.errors import DomainError
from tournament.core.time_zones import zone_of
from tournament.events.models import Event, Visibility
from tournament.pages.calendars import CalendarEntry, calendar_answer, one_line, place_of, round_length
from tournament.pages.permissions import DeskRequest, for_anyone, for_site
from tournament.pages.requests import UNPROCESSABLE, flash_problems
from tournament.publication.names import read_for_public
from tournament.seasons.messages import figure_text, line_name
from tournament.seasons.models import PostState, Season
from tournament.seasons.news import list_news, say_leaders
from tournament.seasons.queries import SeasonView, get_season_view
from tournament.seasons.reach_actions import (
    MAX_HOOK,
    Reach,
    post_table,
    read_hook,
    read_hosts,
    read_reach,
    set_reach,
)
from tournament.tables.messages import say_nameless
from tournament.text.languages import Words
from tournament.text.problems import problem_text

MOST = 50  # entries of a feed
LINES = 100  # of the table in a frame
POSTS = 20  # that the desk lists

STATE_WORDS: Words = {
    PostState.WAITING: gettext_lazy("waits"),
    PostState.SENDING: gettext_lazy("on its way"),
    PostState.SENT: gettext_lazy("sent"),
    PostState.REFUSED: gettext_lazy("not sent"),
    PostState.UNCLEAR: gettext_lazy("no answer: it may have arrived"),
}


def _open_season(slug: str, part: str) -> Season:
    """Return a season that shows this part of its reach; raises Http404 for any other, and for every draft."""
    season = get_object_or_404(Season.objects.exclude(visibility=Visibility.DRAFT), slug=slug)
    if not getattr(read_reach(season.reach), part):
        raise Http404("This is switched off.")
    return season


def _view(season: Season) -> SeasonView:
    with read_for_public(say_nameless):
        return get_season_view(season)


def _answer(season: Season, response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-cache"
    if season.visibility != Visibility.PUBLIC:
        response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@for_anyone
@conditional_page
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the released results of a season as an Atom feed (RFC 4287), an entry for each event."""
    season = _open_season(slug, "feed")
    view, link = _view(season), request.build_absolute_uri(reverse("season", args=[slug]))
    leaders = say_leaders(view)
    atom = Atom1Feed(
        one_line(season.name),
        link,
        leaders,
        get_language(),
        author_name="Hanchan Desk",
        subtitle=leaders or None,
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=_feed_id(season),
    )
    for each in list_news(season, view)[:MOST]:
        event = each.event
        said = [str(each), event.date.isoformat(), place_of(event)]
        atom.add_item(
            str(each),
            request.build_absolute_uri(reverse("public:phone", args=[event.slug])),
            escape(" · ".join(filter(None, [*said, leaders]))),  # a summary is HTML
            unique_id=_feed_id(season, event.slug),
            updateddate=each.at,
        )
        leaders = ""  # after an earlier event it was another one
    return _answer(season, HttpResponse(atom.writeString("utf-8"), content_type=atom.content_type))


def _feed_id(season: Season, *more: str) -> str:
    """Return an id that is the same at every address of the desk and after every change."""
    return uuid.uuid5(uuid.NAMESPACE_OID, " ".join([season.created_at.isoformat(), season.slug, *more])).urn


@require_safe
@for_anyone
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the events of a season as an iCalendar, also those to come; without drafts and unlisted events."""
    season = _open_season(slug, "calendar")
    return _answer(season, calendar_answer(slug, one_line(season.name), _entries(request, season)))


def _entries(request: HttpRequest, season: Season) -> Iterator[CalendarEntry]:
    for row in season.events.filter(event__visibility=Visibility.PUBLIC).select_related("event"):
        event = row.event
        starts, lasts = _span(event)
        url = request.build_absolute_uri(reverse("public:phone", args=[event.slug]))
        uid = f"{season.slug}-{event.slug}@hanchan-desk"
        yield CalendarEntry(uid, one_line(event.name), starts, lasts, url, place_of(event))


def _span(event: Event) -> tuple[dt.date, dt.timedelta | None]:
    """Return when an event starts and how long it lasts: by its timetable on one day, else whole days."""
    planned = [dt.datetime.fromisoformat(text) for text in event.timetable if text]
    days = {each.astimezone(zone_of(event)).date() for each in planned}
    if len(days) == 1 and event.date == event.last_date:
        return min(planned), max(planned) - min(planned) + round_length(event.ruleset.minutes)
    last = max([event.last_date, *days])
    return event.date, dt.timedelta(days=(last - event.date).days + 1) if last > event.date else None


@require_safe
@for_anyone
@xframe_options_exempt
def frame(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a season alone: the one page that others may frame, by the hosts that the season names."""
    season = _open_season(slug, "frame")
    view = _view(season)
    rows = [
        (line.row.rank, line_name(line), figure_text(view.rule, line.row.figure), line.row.games)
        for line in view.ranked[:LINES]
    ]
    answer = render(request, "seasons/frame.html", {"season": season, "view": view, "rows": rows, "csrf_token": ""})
    let_frame = csp_replace({"frame-ancestors": [SELF, *read_reach(season.reach).frame]})
    return _answer(season, let_frame(lambda _request: answer)(request))


# ---------------------------------------------------------------- the desk


class ReachForm(forms.Form):
    """What is switched on."""

    feed = forms.BooleanField(label=gettext_lazy("Feed of released results (Atom)"), required=False)
    calendar = forms.BooleanField(label=gettext_lazy("Calendar of the events (ics)"), required=False)
    frame = forms.CharField(
        label=gettext_lazy("Sites that may show the table in a frame"),
        required=False,
        max_length=3000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("a line a site, such as “club.example.org”; empty: none"),
    )
    url = forms.CharField(
        label=gettext_lazy("Webhook"),
        required=False,
        max_length=MAX_HOOK,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
        help_text=gettext_lazy(
            "An address that begins with https://. Each release from now on is sent there. It is a secret: whoever has "
            "it can write there."
        ),
    )
    form = forms.ChoiceField(
        label=pgettext_lazy("of a message", "Form"),
        choices=[("discord", "Discord"), ("plain", gettext_lazy("plain JSON"))],
    )

    def read(self) -> Reach | None:
        """Return what was sent, None where a field cannot be read: each then has its error."""
        sent, found = self.cleaned_data, dict[str, Any]()
        for field, name, read in (
            ("frame", "frame", lambda: read_hosts(sent["frame"])),
            ("url", "hook", lambda: read_hook(sent["url"], sent["form"])),
        ):
            try:
                found[name] = read()
            except DomainError as refused:
                for problem in refused.problems:
                    self.add_error(field, problem_text(problem))
        return None if self.errors else Reach(sent["feed"], sent["calendar"], **found)


@require_http_methods(["GET", "POST"])
@for_site
def desk_reach(request: DeskRequest, own: str) -> HttpResponse:
    """Switch on where else a season is shown; `act=post` sends its table to the webhook."""
    season = get_object_or_404(Season, slug=own)
    if request.POST.get("act") == "post":
        return _post(request, season)
    reach = read_reach(season.reach)
    hook = {"url": reach.hook.url, "form": reach.hook.form} if reach.hook else {}
    kept = {"feed": reach.feed, "calendar": reach.calendar, "frame": "\n".join(reach.frame), **hook}
    form = ReachForm(request.POST or None, initial=kept)
    if form.is_valid() and (new := form.read()) is not None:
        if set_reach(season=season, reach=new, by=request.user):
            messages.success(request, _("The season is changed."))
        return redirect("desk:season_reach", own)
    posts = season.posts.exclude(state=PostState.KNOWN).select_related("event")[:POSTS]
    on = {"season_feed": reach.feed, "season_calendar": reach.calendar, "season_frame": reach.frame}
    context = {
        "season": season,
        "reach": reach,
        "form": form,
        "addresses": [
            (name, request.build_absolute_uri(reverse(name, args=[own]))) for name, is_on in on.items() if is_on
        ],
        "posts": [(post, STATE_WORDS[PostState(post.state)]) for post in posts],
        "client_id": uuid.uuid4(),
        "desk_nav": [],
    }  # fmt: skip
    return render(request, "seasons/desk_reach.html", context, status=UNPROCESSABLE if form.is_bound else 200)


def _post(request: DeskRequest, season: Season) -> HttpResponse:
    try:
        post_table(season=season, client_id=uuid.UUID(request.POST.get("client_id", "")), by=request.user)
        messages.success(request, _("The table goes to the webhook now."))
    except DomainError as refused:
        flash_problems(request, refused)
    except ValueError:
        pass  # no form of ours
    return redirect("desk:season_reach", season.slug)
