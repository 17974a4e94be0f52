"""Authorisation of views: each decorator names the audience, fetches the event and checks the rights in one step.

    @for_anyone     no event, everybody              @for_public     an event, everybody
    @for_account    no event, a person signed in     @who_may(VERB)  an event, who may do this there
    @for_device     no event, also a table device    @for_site       who runs this desk

A view of an event runs in the event's time zone. The rights of each role are in tournament.core.rights. A desk page sends a
stranger to sign in, answers 404 to an account that may not see it, and 403 to one that may see it but not do what it
submits.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import resolve

from scoring.problems import ProblemType
from tournament.accounts.queries import get_rights
from tournament.core.limits import MOST_INTEGER
from tournament.core.prepared import Prepared
from tournament.core.rights import Rights, Verb
from tournament.core.time_zones import in_zone_of
from tournament.models.access import Account
from tournament.models.event import Event, Visibility
from tournament.pages.caches_1 import FOR_ONE, for_one_reader
from tournament.publication.names_shown_names import read_for_public
from tournament.tables.messages import say_nameless
from tournament.tables.round_queries_rounds import get_played_round
from tournament.text.languages import follow_desk, follow_reader
from tournament.text.problems_problem_json import problems_json
from web.server.errors import ACCESS_NO_SUCH_PAGE

ACCESS_NOT_SIGNED_IN = ProblemType("access.not_signed_in", "Sign in first.")
ACCESS_NOT_ALLOWED = ProblemType("access.not_allowed", "Your role at this event may see this, but not do it.")

P = ParamSpec("P")
View = Callable[..., HttpResponse]

SAFE = ("GET", "HEAD", "OPTIONS")


_EVENT = Prepared(lambda slug: Event.objects.filter(slug=slug))


class DeskRequest(HttpRequest):
    """The request of a signed-in account; on a page of an event, with its rights there."""

    user: Account
    rights: Rights


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
    return _marked(view, "anyone")


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

    return _marked(inner, "public")


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
        return view(request, *args, **kwargs) if request.user.is_authenticated else _sign_in(request)

    return _marked(inner, "account")


def for_device(view: View) -> View:
    """Let any signed-in account see this page, which belongs to no event: a table device, too."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if request.user.is_authenticated else _sign_in(request)

    return _marked(inner, "account")


def for_site(view: View) -> View:
    """Let superusers see this page, which belongs to no event."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _sign_in(request)
        if not getattr(request.user, "is_superuser", False):
            return _no_such_page(request)
        return view(request, *args, **kwargs)

    return _marked(inner, "site")


def who_may(verb: Verb, *, post: Verb | None = None) -> Callable[[Callable[..., HttpResponse]], View]:
    """Let in accounts with the right `verb` at the event; unsafe methods need `post` where it is given."""

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @functools.wraps(view)
        def inner(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return _sign_in(request)
            event = _EVENT.first(slug)
            rights = get_rights(request.user, event) if event else Rights()
            allowed = event is not None and rights.may(verb) and _fits_database(kwargs)
            if event is None or not allowed or not _reaches(rights, event, *_place(kwargs)):
                return _no_such_page(request)
            follow_desk(event.language)
            if request.method not in SAFE and not rights.may(post or verb):
                return _not_allowed(request)
            request.rights = rights  # type: ignore[attr-defined]
            try:
                with in_zone_of(event):
                    return view(request, event, *args, **kwargs)
            except PermissionDenied:
                return _not_allowed(request)

        inner.verbs = (verb, post or verb)  # type: ignore[attr-defined]
        return _marked(inner, "event")

    return decorate


def opens(rights: Rights, address: str) -> bool:
    """Tell whether these rights have all verbs that the view at a desk address names."""
    found = resolve(address.partition("?")[0].partition("#")[0])
    verbs: tuple[Verb, ...] = getattr(found.func, "verbs", ())
    return all(rights.may(verb) for verb in verbs)


def require(request: DeskRequest, verb: Verb) -> None:
    """Raise PermissionDenied, answered with 403, where the reader lacks a further right."""
    if not request.rights.may(verb):
        raise PermissionDenied


def _fits_database(named: Mapping[str, object]) -> bool:
    """Tell whether the database can hold the numbers in an address; larger ones name nothing."""
    return all(not isinstance(value, int) or value <= MOST_INTEGER for value in named.values())


def _place(named: dict[str, Any]) -> tuple[int | None, int | None]:
    return named.get("round_number"), named.get("table_number")


def may_see_table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> bool:
    """Tell whether the reader of a public page has the desk's right to see this table."""
    rights = get_rights(request.user, event)
    return rights.may(Verb.SEE_TABLE) and _reaches(rights, event, round_number, table_number)


def _reaches(rights: Rights, event: Event, round_number: int | None, table_number: int | None) -> bool:
    """Tell whether these rights hold at a table; a table device's only at its own, in the round being played."""
    if not rights.reaches(table_number):
        return False
    return rights.table is None or round_number == get_played_round(event)


def _marked(view: View, audience: str) -> View:
    """Mark the view with its audience, for tests that walk all addresses."""
    view.audience = audience  # type: ignore[attr-defined]
    return view


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
