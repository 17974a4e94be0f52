"""Who may see a page: each view says its audience, and the event is fetched and authorised in one step.

    @for_anyone     no event, everybody              @for_public     an event, everybody
    @for_account    no event, somebody signed in     @who_may(VERB)  an event, who may do this there
    @for_site       who runs this desk

What each role may is in tournament.rights. A stranger at a desk page is sent to sign in; somebody without the right to
see it is told that there is no such page, and who may see it but not do what was sent is told that.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import resolve

from scoring.problems import error
from tournament.compiled_queries import Prepared
from tournament.models import Account, Event
from tournament.rights import Rights, Verb
from tournament.selectors.access import get_rights
from tournament.selectors.core.shown_names import read_for_public
from tournament.selectors.rounds.rounds import get_played_round
from web.words.languages import follow_desk, follow_reader
from web.words.privacy import say_nameless
from web.words.problem_json import problems_json

P = ParamSpec("P")
View = Callable[..., HttpResponse]

SAFE = ("GET", "HEAD", "OPTIONS")
MOST_NUMBER = 2_147_483_647


_EVENT = Prepared(lambda slug: Event.objects.filter(slug=slug))


class DeskRequest(HttpRequest):
    """A request of somebody who is signed in; on a page of an event with what they may do there."""

    user: Account
    rights: Rights


def event_for_request(slug: str) -> Event:
    """Return the event at this address; raises Http404 when there is none."""
    event = _EVENT.first(slug)
    if event is None:
        raise Http404("There is no such event.")
    return event


def for_anyone(view: View) -> View:
    """Everybody may see this page; it belongs to no event."""
    return _marked(view, "anyone")


def for_public(view: Callable[Concatenate[HttpRequest, Event, P], HttpResponse]) -> View:
    """Everybody may see this page of an event; what is not released is not on it, nor a name not to be shown."""

    @functools.wraps(view)
    def inner(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        event = event_for_request(slug)
        if not _can_be(kwargs):
            raise Http404("There is no such number.")
        follow_reader(request, event.language)
        with read_for_public(say_nameless):
            return view(request, event, *args, **kwargs)

    return _marked(inner, "public")


def for_account(view: View) -> View:
    """Somebody signed in may see this page; it belongs to no event."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *args, **kwargs) if request.user.is_authenticated else _sign_in(request)

    return _marked(inner, "account")


def for_site(view: View) -> View:
    """Whoever runs this desk may see this page; it belongs to no event."""

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _sign_in(request)
        if not getattr(request.user, "is_superuser", False):
            return _no_such_page(request)
        return view(request, *args, **kwargs)

    return _marked(inner, "site")


def who_may(verb: Verb, *, post: Verb | None = None) -> Callable[[Callable[..., HttpResponse]], View]:
    """Let in who may do this at the event; what is sent there needs `post`, where that is more than to see the page."""

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @functools.wraps(view)
        def inner(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return _sign_in(request)
            event = _EVENT.first(slug)
            rights = get_rights(request.user, event) if event else Rights()
            allowed = event is not None and rights.may(verb) and _can_be(kwargs)
            if event is None or not allowed or not _reaches(rights, event, *_place(kwargs)):
                return _no_such_page(request)
            follow_desk(event.language)
            if request.method not in SAFE and not rights.may(post or verb):
                return _not_allowed(request)
            request.rights = rights  # type: ignore[attr-defined]
            try:
                return view(request, event, *args, **kwargs)
            except PermissionDenied:
                return _not_allowed(request)

        inner.verbs = (verb, post or verb)  # type: ignore[attr-defined]
        return _marked(inner, "event")

    return decorate


def opens(rights: Rights, address: str) -> bool:
    """Say whether somebody may come to an address of the desk and do what it is for, by the verbs that it names."""
    found = resolve(address.partition("?")[0].partition("#")[0])
    verbs: tuple[Verb, ...] = getattr(found.func, "verbs", ())
    return all(rights.may(verb) for verb in verbs)


def require(request: DeskRequest, verb: Verb) -> None:
    """Stop who may do what the page is for, but not this; raises PermissionDenied, which is answered in words."""
    if not request.rights.may(verb):
        raise PermissionDenied


def _can_be(named: Mapping[str, object]) -> bool:
    """Say whether the numbers in an address are such as the database can hold; others name nothing."""
    return all(not isinstance(value, int) or value <= MOST_NUMBER for value in named.values())


def _place(named: dict[str, Any]) -> tuple[int | None, int | None]:
    return named.get("round_number"), named.get("table_number")


def may_see_table(request: HttpRequest, event: Event, round_number: int, table_number: int) -> bool:
    """Say whether a reader of a public address is one of the desk who may see this table as it stands."""
    rights = get_rights(request.user, event)
    return rights.may(Verb.SEE_TABLE) and _reaches(rights, event, round_number, table_number)


def _reaches(rights: Rights, event: Event, round_number: int | None, table_number: int | None) -> bool:
    """Say whether these rights hold at a table: a table device's at its own, in the round that is played."""
    if not rights.reaches(table_number):
        return False
    return rights.table is None or round_number == get_played_round(event)


def _marked(view: View, audience: str) -> View:
    """Write the audience on the view, so that a test can ask every address for it."""
    view.audience = audience  # type: ignore[attr-defined]
    return view


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _sign_in(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([error("access.not_signed_in")])}, status=401)
    if request.headers.get("HX-Request"):  # it would follow us to the login page, and put that in the middle of its own
        return HttpResponse(status=401)
    return redirect_to_login(request.get_full_path())


def _no_such_page(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([error("access.no_such_page")])}, status=404)
    raise Http404("There is no such page for you.")


def _not_allowed(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([error("access.not_allowed")])}, status=403)
    raise PermissionDenied
