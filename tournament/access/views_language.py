"""The reader's language: a cookie that holds for every page, without an account or scripts."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.views.decorators.http import require_safe

from tournament.pages.permissions_gateways import for_anyone
from tournament.pages.public_page import A_YEAR
from tournament.text.languages import known_language


@require_safe
@for_anyone
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Store the language `code` in a cookie and go back to `?next=`; an unknown code changes nothing.

    By GET: public pages carry no CSRF token, and the choice affects only this reader.
    """
    there = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(there, allowed_hosts=None) and there.startswith("/")
    response = HttpResponseRedirect(there if safe else "/")
    if known_language(code) and check_for_language(code):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=A_YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    response["Cache-Control"] = "no-store"
    return response
