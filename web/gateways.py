"""Who may see a page: each view says its audience, and the event is fetched and authorised in one step.

    @for_anyone       no event, everybody          @for_account     no event, somebody signed in
    @for_public       an event, everybody          @for_referee     who may write at this event's tables
    @for_site         who runs this desk           @for_organiser   who may change this event

A stranger at a desk page is sent to sign in; somebody without the role is told that there is no such page.
"""

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse

from scoring.problems import error
from tournament.models import Account, Event, Membership, Role
from web.languages import follow_desk, follow_reader
from web.problem_json import problems_json

P = ParamSpec("P")
View = Callable[..., HttpResponse]

MAY: dict[str, tuple[str, ...]] = {
    "referee": (Role.REFEREE, Role.ORGANISER),
    "organiser": (Role.ORGANISER,),
}


class DeskRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: Account


def event_for_request(slug: str) -> Event:
    """Return the event at this address; raises Http404 when there is none."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        raise Http404("There is no such event.")
    return event


def role_at(account: Any, event: Event) -> str | None:
    """Return what an account may do at an event: "organiser", "referee" or None."""
    if not account.is_authenticated:
        return None
    if account.is_superuser:
        return str(Role.ORGANISER)
    membership = Membership.objects.filter(account=account, event=event).first()
    return membership.role if membership else None


def for_anyone(view: View) -> View:
    """Everybody may see this page; it belongs to no event."""
    return _marked(view, "anyone")


def for_public(view: Callable[Concatenate[HttpRequest, Event, P], HttpResponse]) -> View:
    """Everybody may see this page of an event; what is not released is not on it."""

    @functools.wraps(view)
    def inner(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        event = event_for_request(slug)
        follow_reader(request, event.language)
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


def for_referee(view: Callable[Concatenate[DeskRequest, Event, P], HttpResponse]) -> View:
    """Referees and organisers of this event may see this page."""
    return _for_role(view, "referee")


def for_organiser(view: Callable[Concatenate[DeskRequest, Event, P], HttpResponse]) -> View:
    """Organisers of this event may see this page."""
    return _for_role(view, "organiser")


def _for_role(view: Callable[..., HttpResponse], audience: str) -> View:
    @functools.wraps(view)
    def inner(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _sign_in(request)
        event = Event.objects.filter(slug=slug).first()
        if event is None or role_at(request.user, event) not in MAY[audience]:
            return _no_such_page(request)
        follow_desk(event.language)
        return view(request, event, *args, **kwargs)

    return _marked(inner, audience)


def _marked(view: View, audience: str) -> View:
    """Write the audience on the view, so that a test can ask every address for it."""
    view.audience = audience  # type: ignore[attr-defined]
    return view


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _sign_in(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([error("access.not_signed_in")])}, status=401)
    return redirect_to_login(request.get_full_path())


def _no_such_page(request: HttpRequest) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"problems": problems_json([error("access.no_such_page")])}, status=404)
    raise Http404("There is no such page for you.")
