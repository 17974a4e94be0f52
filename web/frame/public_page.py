"""How a public page is answered: not modified, its live part alone, or whole; and whom a phone follows.

A page is told apart by what the public may see of its event, the player that the phone follows, and the language. What
is drawn for one phone is given to all that are told apart by nothing. It reads no hand and decides nothing about an
event.
"""

import gzip
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from tournament.models import Event
from tournament.selectors.core.public import PublicState, names_key, public_state, seen_by_public
from tournament.selectors.people.players import list_names
from tournament.selectors.public.needs import needs_mark
from web.frame.page_context import public_context
from web.server.build_id import edition
from web.server.page_cache import keep
from web.words.privacy import say_nameless

DIGITS = 6  # longer ones are no number of a player
A_YEAR = 365 * 24 * 3600
LIVE = "live"  # the name of each page's fragment that is fetched again
ASKED_BY = ["HX-Request", "Cookie", "Accept-Language", "Accept-Encoding"]
# What stands in a page that is kept for the time at which it is sent, and for the version, which moves with what is
# live on other pages; nobody can have put it into a name.
NOW, VERSION = (f"@{secrets.token_hex(8)}@" for _ in range(2))
GZIP_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Me:
    """The player that a phone follows."""

    number: int
    name: str


def show(
    request: HttpRequest,
    event: Event,
    template: str,
    make: Callable[[], dict[str, Any]],
    *,
    tab: str,
    clock: bool = False,
    live: bool = False,
) -> HttpResponse:
    """Answer with a page of an event, made only where the asker does not have it.

    htmx gets the live part, or 204 where it shows that already. `clock` says that the page counts down: while a round
    is played such a page is always sent anew, because its stamp of the server's time must be fresh. `live` says that
    it shows tables of a round that is not released whole, where the event lets this phone see them.
    """
    state = public_state(event)
    mark = _mark(request, event, state, live=live)
    draw = _Drawing(request, event, template, make, tab, mark)
    if request.headers.get("HX-Request"):
        return _live_part(request, draw)
    response = None
    etag = None if "messages" in request.COOKIES or (clock and state.playing) else f'"{mark}"'
    if etag:
        response = get_conditional_response(request, etag)
    if response is None:
        response = _sent(request, draw.page())
    if etag:
        response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ASKED_BY)
    return response


def public_version(request: HttpRequest, event: Event) -> str:
    """Return what changes when something changes on a public page of an event or in the program, and at no other time.

    The event's own version moves with every hand; 500 phones that ask for that one would fetch their page for nothing.
    With live tables it moves with the hands that this phone may see.
    """
    parts = (edition(), public_state(event).mark, _live_mark(request, event))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def differs_by_phone(event: Event) -> bool:
    """Tell whether `public_version` may differ from phone to phone: something is live, or shown to who follows it."""
    return bool(seen_by_public(event).live or event.show_needs)


def follows(request: HttpRequest, event: Event) -> int | None:
    """Return the number of the player that this phone follows, None for nobody: what `Seen.live_for` asks for."""
    me = get_me(request, event)
    return me.number if me else None


def get_me(request: HttpRequest, event: Event) -> Me | None:
    """Return the player that this phone follows; None where it follows nobody, or somebody who is not there now."""
    number, _, digest = request.COOKIES.get(_cookie(event), "").partition("-")
    me = find_player(event, number)
    return me if me and _digest(_told_apart(me)) == digest else None


def find_player(event: Event, number: str) -> Me | None:
    """Return the player with this number, as it stands in an address or a cookie."""
    if not (number.isascii() and number.isdigit() and len(number) < DIGITS):
        return None
    name = _names(event).get(int(number))
    return None if name is None else Me(int(number), name)


def follows_somebody(request: HttpRequest, event: Event) -> bool:
    """Tell whether this phone was told to follow a player, who may be gone since."""
    return bool(request.COOKIES.get(_cookie(event)))


def follow(response: HttpResponse, event: Event, me: Me | None) -> HttpResponse:
    """Let the phone follow this player from now on, or nobody.

    The cookie holds the number with a digest of the name: if numbers have moved since, nobody is better than another.
    """
    path = reverse("public:phone", args=[event.slug])
    if me is None:
        response.delete_cookie(_cookie(event), path=path, samesite="Lax")
    else:
        response.set_cookie(
            _cookie(event),
            f"{me.number}-{_digest(_told_apart(me))}",
            max_age=A_YEAR,
            path=path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What is drawn for a request: a template with what `make` reads, told apart from other drawings by `mark`."""

    request: HttpRequest
    event: Event
    template: str
    make: Callable[[], dict[str, Any]]
    tab: str
    mark: str

    def part(self) -> tuple[bytes, bytes]:
        """Return the live part, plain and packed."""

        def pack() -> tuple[bytes, bytes]:
            plain = self._draw(f"{self.template}#{LIVE}")
            return plain, _packed(plain)

        # an address with a question in it is one person's, and there is no end of them
        return pack() if self.request.META["QUERY_STRING"] else keep(self._key(LIVE), pack)

    def page(self) -> bytes:
        """Return the page with the present time in it; what is said to one person alone is not kept."""
        alone = {"messages", settings.SESSION_COOKIE_NAME} & self.request.COOKIES.keys()
        if alone or self.request.META["QUERY_STRING"]:
            page = self._draw(self.template)
        else:
            page = keep(self._key("page"), lambda: self._draw(self.template))
        now = str(int(timezone.now().timestamp() * 1000))
        version = public_version(self.request, self.event)
        return page.replace(NOW.encode(), now.encode(), 1).replace(VERSION.encode(), version.encode(), 1)

    def _key(self, what: str) -> str:
        return f"{what} {self.request.build_absolute_uri()} {self.template} {self.mark}"

    def _draw(self, template: str) -> bytes:
        # no token: nothing is posted from a public page, so it needs no cookie and can be kept
        context = public_context(
            self.event,
            self.tab,
            version=VERSION,
            seen=self.mark,
            server_now=NOW,
            poll_seconds=settings.PHONE_POLL_SECONDS,
            csrf_token="",
            **self.make(),
        )
        return render_to_string(template, context, self.request).encode()


def _live_part(request: HttpRequest, draw: _Drawing) -> HttpResponse:
    seen = request.headers.get("X-Seen") == draw.mark
    response = HttpResponse(status=204) if seen else _sent(request, *draw.part())
    response["Cache-Control"] = "no-store"  # the page itself stands in the browser's cache under the same address
    patch_vary_headers(response, ASKED_BY)
    return response


def _sent(request: HttpRequest, plain: bytes, packed: bytes = b"") -> HttpResponse:
    """Answer packed where the asker can unpack.

    Public pages alone are packed: they hold no token and nothing secret, so their length gives nothing away (BREACH).
    """
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(plain)
    response = HttpResponse(packed or _packed(plain))
    response["Content-Encoding"] = "gzip"
    return response


def _packed(plain: bytes) -> bytes:
    return gzip.compress(plain, GZIP_LEVEL, mtime=0)


def _names(event: Event) -> dict[int, str]:
    """Return the players' names by number."""
    return keep(f"names {names_key(event)}", lambda: dict(list_names(event)))


def _live_mark(request: HttpRequest, event: Event) -> str:
    seen, marks = seen_by_public(event), []
    if seen.live:
        marks.append(seen.live_mark(follows(request, event)))
    if event.show_needs:
        marks.append(needs_mark(event, follows(request, event)))
    return "|".join(marks)


def _mark(request: HttpRequest, event: Event, state: PublicState, *, live: bool) -> str:
    me = get_me(request, event)
    whom = str(me.number) if me else "gone" if follows_somebody(request, event) else ""
    parts = (edition(), state.mark, whom, get_language() or "", _live_mark(request, event) if live else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _cookie(event: Event) -> str:
    return f"me-{event.slug}"


def _told_apart(me: Me) -> str:
    """Return what a player is known again by: the name, or the number where the name is not shown, in any language."""
    return str(me.number) if me.name == say_nameless().format(number=me.number) else me.name


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]
