"""Authorisation of views: each decorator names the audience, fetches the event and checks the rights in one step.

    @for_anyone     no event, everybody              @for_public     an event, everybody
    @for_account    no event, a person signed in     @who_may(VERB)  an event, who may do this there
    @for_device     no event, also a table device    @for_site       who runs this desk

A view of an event runs in the event's time zone. A desk page sends a stranger to sign in, answers 404 to an account
that may not see it, and 403 to one that may see it but not do what it submits. Here is also the context that all desk
pages of an event share. The rights of each role are in tournament.core.rights.
"""

import functools
from collections.abc import Callable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _

from scoring.problems import ProblemType
from tournament.accounts.models import Account, Role
from tournament.accounts.queries import get_rights
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.limits import MAX_INTEGER
from tournament.core.prepared import Prepared
from tournament.core.rights import Right, Rights
from tournament.core.time_zones import in_zone_of
from tournament.events.models import Event, Visibility
from tournament.pages.caches import FOR_ONE, for_one_reader
from tournament.pages.hooks import find_address
from tournament.publication.names import read_for_public
from tournament.tables.messages import say_nameless
from tournament.tables.models import Round, Table
from tournament.tables.round_queries import get_played_round
from tournament.tables.table_queries import TABLE_AT
from tournament.text.languages import follow_desk, follow_reader
from tournament.text.problems import problems_json

ACCESS_NO_SUCH_PAGE = ProblemType("access.no_such_page", "There is nothing at this address for you.")

ACCESS_NOT_SIGNED_IN = ProblemType("access.not_signed_in", "Sign in first.")
ACCESS_NOT_ALLOWED = ProblemType("access.not_allowed", "Your role at this event may see this, but not do it.")

P = ParamSpec("P")
View = Callable[..., HttpResponse]

SAFE = ("GET", "HEAD", "OPTIONS")
OF_PAGE = "X-Account"  # the account that a page was made for: static/js/outbox_send.js


_EVENT = Prepared(lambda slug: Event.objects.filter(slug=slug))


class DeskRequest(HttpRequest):
    """The request of a signed-in account; on a page of an event, with its rights there.

    `row` is that of the table that the address names, as it was when the gateway read it with the event.
    """

    user: Account
    rights: Rights
    row: Table | None


def event_for_request(slug: str) -> Event:
    """Return the event with this slug; raises Http404."""
    event = _EVENT.first(slug)
    if event is None:
        raise Http404("There is no such event.")
    return event


def find_open_event(slug: str) -> Event | None:
    """Return the event with this slug if it is not a draft, which only its members may see; else None."""
    event = _EVENT.first(slug)
    return None if event is None or event.visibility == Visibility.DRAFT else event


def for_anyone(view: View) -> View:
    """Let everybody see this page, which belongs to no event."""
    return _mark_audience(view, "anyone")


def for_public(view: Callable[Concatenate[HttpRequest, Event, P], HttpResponse]) -> View:
    """Let everybody see this page of an event, without hidden names; a draft's only its members."""

    @functools.wraps(view)
    def inner(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        event = event_for_request(slug)
        is_public = event.visibility == Visibility.PUBLIC
        if event.visibility == Visibility.DRAFT and get_rights(request.user, event).role is None:
            raise Http404("There is no such event.")
        if not _fits_database(kwargs):
            raise Http404("There is no such number.")
        follow_reader(request, event.language)
        with read_for_public(say_nameless), in_zone_of(event):
            answer = view(request, event, *args, **kwargs)
        return answer if is_public else _unlisted(answer, event)

    return _mark_audience(inner, "public")


def _unlisted(answer: HttpResponse, event: Event) -> HttpResponse:
    """Keep an answer out of search engines, and a draft's out of every cache that others use."""
    answer["X-Robots-Tag"] = "noindex"
    if event.visibility == Visibility.DRAFT:
        answer["Cache-Control"] = FOR_ONE
        for_one_reader(answer)
    return answer


def for_account(view: View) -> View:
    """Let any person who is signed in see this page, which belongs to no event; a table device goes to its table."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if isinstance(request.user, Account) and request.user.device is not None:
            return redirect("device_home")
        return view(request, *args, **kwargs) if _is_signed_in(request) else _sign_in(request)

    return _mark_audience(inner, "account")


def for_device(view: View) -> View:
    """Let any signed-in account see this page, which belongs to no event: a table device, too."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if _is_signed_in(request) else _sign_in(request)

    return _mark_audience(inner, "account")


def for_site(view: View) -> View:
    """Let superusers see this page, which belongs to no event."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _is_signed_in(request):
            return _sign_in(request)
        if not getattr(request.user, "is_superuser", False):
            return _no_such_page(request)
        return view(request, *args, **kwargs)

    return _mark_audience(inner, "site")


def who_may(verb: Right, *, post: Right | None = None) -> Callable[[Callable[..., HttpResponse]], View]:
    """Let in accounts with the right `verb` at the event; unsafe methods need `post` where it is given."""

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @functools.wraps(view)
        def inner(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if not _is_signed_in(request):
                return _sign_in(request)
            if not _fits_database(kwargs):
                return _no_such_page(request)
            place: tuple[Any, Any] = kwargs.get("round_number"), kwargs.get("table_number")
            row = None if None in place else TABLE_AT.first(slug, *place)
            event = row.round.event if row else _EVENT.first(slug)
            rights = get_rights(request.user, event) if event else Rights()
            if event is None or not rights.may(verb) or not _reaches(rights, event, *place):
                return _no_such_page(request)
            follow_desk(event.language)
            if request.method not in SAFE and not rights.may(post or verb):
                return _not_allowed(request)
            request.rights, request.row = rights, row  # type: ignore[attr-defined]
            try:
                with in_zone_of(event):
                    return view(request, event, *args, **kwargs)
            except PermissionDenied:
                return _not_allowed(request)

        inner.verbs = (verb, post or verb)  # type: ignore[attr-defined]
        return _mark_audience(inner, "event")

    return decorate


def opens(rights: Rights, address: str) -> bool:
    """Tell whether these rights have all verbs that the view at a desk address names."""
    found = resolve(address.partition("?")[0].partition("#")[0])
    verbs: tuple[Right, ...] = getattr(found.func, "verbs", ())
    return all(rights.may(verb) for verb in verbs)


def require(request: DeskRequest, verb: Right) -> None:
    """Raise PermissionDenied, answered with 403, where the reader lacks a further right."""
    if not request.rights.may(verb):
        raise PermissionDenied


def _fits_database(named: Mapping[str, object]) -> bool:
    """Tell whether the database can hold the numbers in an address; larger ones name nothing."""
    return all(not isinstance(value, int) or value <= MAX_INTEGER for value in named.values())


def may_see_table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> bool:
    """Tell whether the reader of a public page has the desk's right to see this table."""
    rights = get_rights(request.user, event)
    return rights.may(Right.SEE_TABLE) and _reaches(rights, event, round_number, table_number)


def _reaches(rights: Rights, event: Event, round_number: int | None, table_number: int | None) -> bool:
    """Tell whether these rights hold at a table; a table device's only at its own, in the round being played."""
    if not rights.reaches(table_number):
        return False
    return rights.table is None or round_number == (rights.round or get_played_round(event))


def _mark_audience(view: View, audience: str) -> View:
    """Mark the view with its audience, for tests that walk all addresses."""
    view.audience = audience  # type: ignore[attr-defined]
    return view


def _is_signed_in(request: HttpRequest) -> bool:
    """Tell whether somebody is signed in; where the request names the account of its page, whether this one is.

    Forms need no such name: a sign-in makes a new CSRF token, so those of an older page are refused. The outbox sends
    the newest token, or a hand that waits would be refused after its own account has signed in again.
    """
    account = str(request.user.pk)
    return request.user.is_authenticated and request.headers.get(OF_PAGE, account) == account


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _sign_in(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([ACCESS_NOT_SIGNED_IN()])}, status=401)
    if request.headers.get("HX-Request"):  # htmx would swap the login page into its own
        return HttpResponse(status=401)
    return redirect_to_login(request.get_full_path())


def _no_such_page(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([ACCESS_NO_SUCH_PAGE()])}, status=404)
    raise Http404("There is no such page for you.")


def _not_allowed(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([ACCESS_NOT_ALLOWED()])}, status=403)
    raise PermissionDenied


DESK_TABS = (
    ("desk", _("Desk"), "desk:grid", Right.SEE_DESK),
    ("calls", _("Calls"), "desk:calls", Right.SEE_DESK),
    ("players", _("Players"), "desk:players", Right.MANAGE_PLAYERS),
    ("seating", _("Seating"), "desk:seating", Right.DRAW_SEATS),
    ("penalties", _("Penalties"), "desk:penalties", Right.SEE_DESK),
    ("paper", _("Paper"), "desk:paper", Right.PRINT),
    ("results", _("Results"), "desk:results", Right.SEE_DESK),
    ("settings", _("Settings"), "desk:settings", Right.CHANGE_SETTINGS),
)
# the short pages of the settings: key, name, address, right, group
IN_EVENT, ON_DAY, IN_DATA = _("The event"), _("On the day"), _("People and data")
SECTIONS = (
    ("event", _("Event"), "desk:settings", Right.CHANGE_SETTINGS, IN_EVENT),
    ("timetable", _("Timetable"), "desk:timetable", Right.CHANGE_SETTINGS, IN_EVENT),
    ("rules", _("Rules"), "desk:rule_summary", Right.CHANGE_SETTINGS, IN_EVENT),
    ("for-players", _("For players"), "desk:for_players", Right.CHANGE_SETTINGS, IN_EVENT),
    ("sign-up", _("Page and sign-up"), "desk:sign_up_page", Right.CHANGE_SETTINGS, IN_EVENT),
    ("money", _("Prizes and money"), "desk:money", Right.MANAGE_PLAYERS, IN_EVENT),
    ("ema", _("EMA"), "desk:ema", Right.CHANGE_SETTINGS, IN_EVENT),
    ("languages", _("Languages"), "desk:languages", Right.CHANGE_SETTINGS, IN_EVENT),
    ("publication", _("What the public sees"), "desk:publication", Right.PUBLISH, ON_DAY),
    ("sheets", _("Signed sheets"), "desk:second_person", Right.CHANGE_SETTINGS, ON_DAY),
    ("phones", _("Players’ phones"), "desk:club_code", Right.CHANGE_SETTINGS, ON_DAY),
    ("rota", _("Referees"), "desk:rota", Right.SEE_DESK, ON_DAY),
    ("equipment", _("Equipment"), "desk:equipment", Right.SEE_DESK, ON_DAY),
    ("wall", _("Hall screen"), "desk:wall", Right.SEE_DESK, ON_DAY),
    ("stream", _("Stream"), "desk:stream", Right.CHANGE_SETTINGS, ON_DAY),
    ("relay", _("Relay"), "desk:relay", Right.PUBLISH, ON_DAY),
    ("drills", _("Drills"), "desk:drills", Right.CHANGE_SETTINGS, ON_DAY),
    ("roles", _("Roles"), "desk:members", Right.MANAGE_MEMBERS, IN_DATA),
    ("devices", _("Table devices"), "desk:devices", Right.MANAGE_DEVICES, IN_DATA),
    ("imports", _("Imports"), "desk:imports", Right.IMPORT, IN_DATA),
    ("privacy", _("Privacy"), "desk:privacy", Right.MANAGE_PRIVACY, IN_DATA),
    ("trail", _("Trail"), "desk:trail", Right.CHANGE_SETTINGS, IN_DATA),
)
IN_ROUNDS = ("timetable", "rota")  # sections that an open event has no use for
# pages that stand below a section, by the name of their address
BELOW = {
    "desk:rules": "rules", "desk:newer_rules": "rules", "desk:hand_on": "roles",
    "desk:revoke_devices": "devices", "desk:drill": "drills",
    "desk:observer_report": "ema", "desk:ema_points": "ema",
    "desk:prizes": "money", "desk:paid_list": "money",
    "desk:import_back": "imports", "desk:forget_people": "privacy", "desk:keep_months": "privacy",
}  # fmt: skip
ROUND_WORDS = {
    "drawn": _("drawn"),
    "published": _("seats published"),
    "running": _("playing"),
    "released": _("released"),
}


_ROUNDS = Prepared(lambda event: Round.objects.filter(event=event).annotate(open_calls=_open_calls()))


def desk_context(request: HttpRequest, event: Event, current: str, **extra: Any) -> dict[str, Any]:
    """Return what desk_base.html needs, with a page's own context; `current` is the open tab. One query."""
    rounds = _ROUNDS(event.pk)
    now = _current(rounds)
    open_calls = rounds[0].open_calls if rounds else 0
    rights = rights_of(request, event)
    round_words = _("Round %(number)d") % {"number": now.number} if now else ""
    return {
        "event": event,
        **rights_context(request, event),
        "organiser": rights.may(Right.CHANGE_SETTINGS),
        "released_rounds": [row.number for row in rounds if row.released_at],
        "desk_nav": [
            {"key": key, "label": label, "url": reverse(name, args=[event.slug]), "current": key == current}
            for key, label, name, verb in DESK_TABS
            if rights.may(verb) and not (event.is_open and key == "seating")
        ],
        "settings_nav": settings_nav(request, event) if current == "settings" else (),
        "nav_calls": open_calls or 0,
        "round_line": f"{round_words} · {ROUND_WORDS[now.state]}" if now and not event.is_open else "",
        "who": getattr(request.user, "display_name", ""),
        "who_url": reverse("account"),
        "jump_url": reverse("desk:jump", args=[event.slug]) if rights.may(Right.SEE_DESK) else "",
        "round_now": now.number if now and not event.is_open else None,
        "version_url": reverse("api:version", args=[event.slug]),
        "version": event.version,
        **extra,
    }


def settings_nav(request: HttpRequest, event: Event) -> list[tuple[Any, list[dict[str, Any]]]]:
    """Return the sections of the settings that the reader may open, in groups, with the one that is open; no query."""
    match, rights = request.resolver_match, rights_of(request, event)
    here = match.view_name if match else ""
    found = [
        (group, {"label": label, "url": address, "current": name == here or BELOW.get(here) == key})
        for key, label, name, verb, group in SECTIONS
        if rights.may(verb) and not (event.is_open and key in IN_ROUNDS) and (address := find_address(name, event.slug))
    ]
    if getattr(request.user, "is_superuser", False):
        found.append((IN_DATA, {"label": _("Backups"), "url": reverse("desk:backups"), "current": False}))
    return [(group, [item for _group, item in items]) for group, items in groupby(found, key=itemgetter(0))]


def rights_context(request: HttpRequest, event: Event) -> dict[str, Any]:
    """Return the verbs that the reader may, for templates: `{% if rights.run_clock %}`."""
    return {"rights": _named_verbs(rights_of(request, event).role)}


@functools.cache
def _named_verbs(role: Role | None) -> Mapping[str, bool]:
    return {verb.value: True for verb in Rights(role).verbs()}


def rights_of(request: HttpRequest, event: Event) -> Rights:
    """Return the reader's rights at an event, as the gateway found them."""
    known: Rights | None = getattr(request, "rights", None)
    return known or get_rights(request.user, event)


def current_round(event: Event) -> Round | None:
    """Return the first round that is not released, else the last one."""
    return _current(list(event.rounds.all()))


def _current(rounds: list[Any]) -> Round | None:
    return next((row for row in rounds if row.released_at is None), rounds[-1] if rounds else None)


def _open_calls() -> Subquery:
    """Count an event's open calls within the query for its rounds; null where there are none. Complaints can wait."""
    asked = RefereeCall.objects.filter(event=OuterRef("event"), kind=CallKind.CALL, closed_at=None)
    found = asked.order_by().values("event")
    return Subquery(found.annotate(count=Count("pk")).values("count"))


ACCESS_NO_TOKEN = ProblemType(
    "access.no_token", "Send the value of the cookie csrftoken in the header X-CSRFToken too: nothing was written."
)
