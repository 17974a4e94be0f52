"""Caches of pages between the desk and its readers: Cache-Control of every answer.

A public page allows caching by an ETag and `no-cache`. For readers without a cookie of ours, and only with
HANCHAN_CDN_SECONDS, that becomes "public for so long"; an answer for one reader never does.
"""

import functools
import hashlib
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

ASK_AGAIN: Final = "no-cache"  # what a public page says of itself
FOR_ONE: Final = "private, no-cache"
FOUND: Final = frozenset({200, 204, 304})
PUBLIC: Final = frozenset({"anyone", "public"})
# seconds for which a cache may serve a stale answer: while it fetches, and while the desk does not answer
FETCHING, BROKEN = 5, 60
SAME = "same_for_all"
WHOLE_ADDRESS = "same_at_address"


def same_for_all(response: HttpResponse) -> HttpResponse:
    """Say that an answer depends on nothing but its address: neither on a cookie nor on a language."""
    setattr(response, SAME, True)
    return response


def same_at_address(response: HttpResponse) -> HttpResponse:
    """Say that an answer may be kept by its whole address, with its query: of those there are few."""
    setattr(response, WHOLE_ADDRESS, True)
    return response


def for_one_reader(response: HttpResponse) -> None:
    """Say that an answer is not for everybody, whatever its view said."""
    setattr(response, SAME, False)


class CacheControl:
    """Middleware around all that writes cookies; an answer without the header may be kept by its reader's browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and set Cache-Control."""
        answer = self.get_response(request)
        if answer.headers.get("Cache-Control") == ASK_AGAIN:
            by_cookie = request.COOKIES and not getattr(answer, SAME, False)
            if answer.cookies or by_cookie:
                answer.headers["Cache-Control"] = FOR_ONE
            elif settings.CDN_SECONDS and _may_be_kept(request, answer):
                _let_keep(request, answer, settings.CDN_SECONDS)
        answer.headers.setdefault("Cache-Control", FOR_ONE)
        return answer


def _may_be_kept(request: HttpRequest, answer: HttpResponse) -> bool:
    """Tell whether it is a public page without a query of the reader's, and with an ETag to ask again by.

    A page that counts down has no ETag: its stamp of the time must be fresh.
    """
    matched = request.resolver_match
    audience = getattr(matched.func, "audience", "") if matched else ""
    plain = not request.META.get("QUERY_STRING") or getattr(answer, WHOLE_ADDRESS, False)
    asked = plain and request.method in ("GET", "HEAD") and audience in PUBLIC
    return asked and answer.status_code in FOUND and answer.has_header("ETag")


def _let_keep(request: HttpRequest, answer: HttpResponse, seconds: int) -> None:
    """Let caches on the way keep it. Browsers ask each time; what is older than it says tells no time of the desk's."""
    answer.headers["Cache-Control"] = f"public, max-age=0, must-revalidate, s-maxage={seconds}"
    answer.headers["CDN-Cache-Control"] = (
        f"public, max-age={seconds}, stale-while-revalidate={FETCHING}, stale-if-error={BROKEN}"
    )
    if getattr(answer, SAME, False):
        answer.headers.pop("Vary", None)
    else:
        patch_vary_headers(answer, ["Cookie", "Accept-Language", "Accept-Encoding"])
    slug = (request.resolver_match.kwargs if request.resolver_match else {}).get("slug")
    if slug:  # the names under which Cloudflare and Fastly throw away what they keep of one event
        answer.headers["Cache-Tag"] = answer.headers["Surrogate-Key"] = f"event-{slug}"
    answer.headers.pop("X-Server-Time", None)


PARTS = ("rules", "scoring", "tournament", "web", "templates", "locale", "static")
KINDS = frozenset({".py", ".toml", ".html", ".svg", ".po", ".css", ".js"})


@functools.cache
def build_id() -> str:
    """Return a digest of all that decides how facts are drawn: the program's files and the settings that pages show.

    Read once a process, some hundredths of a second. The time of a start is not in it: two workers would then answer
    with different ETags, and a phone that asks now the one and now the other would fetch its page for ever.
    """
    shown = (settings.DEBUG, settings.HTTPS, settings.TIME_ZONE, settings.LANGUAGES, settings.PHONE_POLL_SECONDS)
    digest = hashlib.sha256(repr(shown).encode())
    base = settings.BASE_DIR
    found = [path for part in PARTS for path in (base / part).rglob("*") if path.suffix in KINDS and path.is_file()]
    for path in [base / "requirements.txt", *sorted(found)]:
        digest.update(path.relative_to(base).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
