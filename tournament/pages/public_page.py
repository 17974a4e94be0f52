"""Public pages: answered as not modified, as the live fragment or whole, from a cache; and the players a phone follows.

A cached page is shared by all phones with the same mark: what the public may see, the followed player, the language.
"""

import gzip
import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.core.hooks import LIVE_MARKS
from tournament.events.models import Event, Visibility
from tournament.pages.addresses import hall_url
from tournament.pages.caches import build_id, same_at_address
from tournament.pages.hooks import find_address
from tournament.pages.permissions import find_open_event
from tournament.pages.streams import EVENT_STREAM, GZIP_LEVEL, Channel, Page, Versions, note_drawn, offer
from tournament.publication.names import list_names
from tournament.publication.queries import (
    PublicView,
    by_public_state,
    get_public_view,
    keep,
    names_key,
    public_state,
)
from tournament.tables.messages import say_nameless

TABS = (
    ("phone", _("My page"), "public:phone", "person"),
    ("standings", _("Standings"), "public:standings", "trophy"),
    ("rounds", _("Rounds"), "public:rounds", "seats"),
)
DIGITS = 6  # longer ones are no number of a player
MOST_FOLLOWED = 12  # players of a phone
A_YEAR = 365 * 24 * 3600
LIVE = "live"  # the fragment of each page that is fetched again
BETWEEN = "."  # the players in a phone's cookie
# The cookie for all events has whom the phone follows at those where it chose last, the newest first.
CHOICES, MOST_CHOICES, BETWEEN_CHOICES, CHOSEN = "followed", 4, "~", ":"
_PLAYER = r"[0-9]{1,5}-[0-9a-f]{8}"
_CHOICE = rf"[-\w]{{1,60}}{CHOSEN}{_PLAYER}(?:\.{_PLAYER}){{0,{MOST_FOLLOWED - 1}}}"
_CHOICES = re.compile(rf"{_CHOICE}(?:{BETWEEN_CHOICES}{_CHOICE}){{0,{MOST_CHOICES - 1}}}", re.ASCII)
OF_LIVE = {"seen", "at"}  # the queries with which live_fragment.js asks for it
STREAM = "stream"  # the query of a page's stream: a cache before the desk must not take it for the page
Live = Callable[[PublicView, int | None], str]  # see `show`
VARY = ["HX-Request", "Cookie", "Accept-Language", "Accept-Encoding"]
# Placeholders in a cached page for the time of sending and for the version, which also moves with other live pages.
# They are random, so that no name can contain one.
NOW, VERSION = (f"@{secrets.token_hex(8)}@" for _ in range(2))


@dataclass(frozen=True, slots=True)
class FollowedPlayer:
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
    live: Live | None = None,
) -> HttpResponse:
    """Answer with a page of an event, rendered only where the browser does not have it.

    live_fragment.js gets the live part, or 204 where it shows that already, and each new part on a stream. `clock`
    pages count down: while a round is played they are never "not modified", because they carry the server's time.
    `live` returns what moves with all that the page shows of tables of unreleased rounds to a phone that follows a
    player: a page is drawn again for hands that it shows, not for those that it does not.
    """
    if wants_stream(request):
        return stream_answer(request, event, public_versions, follows(request, event), _shown(request, event, tab))
    state = public_state(event)
    me = get_me(request, event)
    whom = str(me.number) if me else "gone" if follows_somebody(request, event) else ""
    number = me.number if me else None
    moving = [live(get_public_view(event), number), *_other_marks(event, [number])[number]] if live else ()
    mark = _digest_of(build_id(), state.mark, whom, get_language() or "", *moving)
    page = _Page(request, event, template, make, tab, mark)
    if request.headers.get("HX-Request"):
        return _live_part(request, page)
    response = None
    etag = None if get_messages(request) or (clock and state.playing) else f'"{mark}"'
    if etag:
        response = get_conditional_response(request, etag)
    if response is None:
        response = _sent(request, page.whole())
    if etag:
        response["ETag"] = etag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, VARY)
    return response


def public_context(event: Event, current: str, **extra: Any) -> dict[str, Any]:
    """Return what base.html needs for a public page of an event, with a page's own context."""
    tabs = [
        {"label": label, "url": reverse(name, args=[event.slug]), "icon": icon, "current": key == current}
        for key, label, name, icon in TABS
    ]
    version_url = reverse("public:version", args=[event.slug])
    path = reverse("public:phone", args=[event.slug])
    other_url = (
        f"{event.other_address.rstrip('/')}{path}" if event.other_address else ""
    )  # at the other desk of the event
    here = {"event": event, "tabs": tabs, "version_url": version_url, "card_picture": card_url(event)}
    return {**here, "relay": settings.RELAY, "other_url": other_url, **extra}


def answer_one(
    request: HttpRequest, event: Event, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Answer a page that is for one reader: it waits for no change, no cache keeps it, no search engine lists it."""
    page = {**public_context(event, ""), "version_url": "", **context}
    response = render(request, template, page, status=status)
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response


def phones_url(request: HttpRequest, event: Event, path: str) -> str:
    """Return the address of a public page for a code that phones scan: at its relay, where the event has one.

    A code outlives the hall's network, and a guest network may keep phones from this desk; the relay's page leads to
    the desk, for phones that reach it.
    """
    if event.other_address and not settings.RELAY:
        return f"{event.other_address.rstrip('/')}{path}"
    return hall_url(request, path)


def card_url(event: Event, number: int | None = None) -> str:
    """Return the address of the picture that is shared of an event, or of one of its players.

    The mark in it lets chats fetch the picture again once the event has moved on.
    """
    path = find_address("public:event_card", event.slug)
    if number is not None:
        path = find_address("public:player_card", event.slug, number)
    return path and f"{path}?v={hashlib.sha256(names_key(event).encode()).hexdigest()[:8]}"


def public_version(event: Event, number: int | None) -> str:
    """Return a hash that moves exactly when a public page of an event, or the program, changes.

    The event's own version moves with every hand: 500 phones would fetch their pages for nothing. With live tables
    this one moves with the hands that a phone which follows this player may see.
    """
    return _versions(event, [number])[number]


def _versions(event: Event, numbers: Iterable[int | None]) -> dict[int | None, str]:
    state = public_state(event).mark
    return {number: _digest_of(build_id(), state, live) for number, live in _live_marks(event, numbers).items()}


def public_versions(slug: str, numbers: Iterable[int | None]) -> dict[int | None, str]:
    """Return the ETags of `public_version` by the player that a phone follows; none for an event that is not public."""
    event = find_open_event(slug)
    if event is None:
        return {}
    if not differs_by_phone(event):
        return dict.fromkeys(numbers, f'"{public_version(event, None)}"')
    return {number: f'"{version}"' for number, version in _versions(event, numbers).items()}


def wants_stream(request: HttpRequest) -> bool:
    """Tell whether a page asks to be told of versions."""
    return request.headers.get("Accept") == EVENT_STREAM


def stream_answer(
    request: HttpRequest, event: Event, versions: Versions, number: int | None = None, page: Page | None = None
) -> HttpResponse:
    """Answer a page that asks to be told of versions: 204, which our own server turns into a stream.

    At another server, and for a draft, which only its members may see, it stays 204: the page polls.
    """
    answer = HttpResponse(status=HTTPStatus.NO_CONTENT)
    answer["Cache-Control"] = "no-store"
    if etag := versions(event.slug, [number]).get(number):
        answer["ETag"] = etag
        offer(request, Channel(versions, event.slug, number, page))
    return answer


def version_answer(request: HttpRequest, version: str) -> HttpResponse:
    """Answer a poll with the version as ETag and the server's time, 304 where the asker has that version; no body."""
    etag = f'"{version}"'
    answer = get_conditional_response(request, etag) or HttpResponse()
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    answer["X-Server-Time"] = str(int(timezone.now().timestamp() * 1000))
    return answer


def differs_by_phone(event: Event) -> bool:
    """Tell whether `public_version` may differ from phone to phone."""
    return bool(get_public_view(event).live or event.show_needs)


def follows(request: HttpRequest, event: Event) -> int | None:
    """Return the number of the player that this phone follows, None for nobody."""
    me = get_me(request, event)
    return me.number if me else None


def get_me(request: HttpRequest, event: Event) -> FollowedPlayer | None:
    """Return the player whose page this phone shows; None for nobody, or a player who is gone."""
    return _people(event).get(_cookie_parts(request, event)[0])


def list_followed(request: HttpRequest, event: Event) -> list[FollowedPlayer]:
    """Return all players that this phone follows, the one whose page it shows first; none who is gone."""
    return _read_players(event, _cookie_parts(request, event))


def list_choices(request: HttpRequest, event: Event) -> dict[Event, list[FollowedPlayer]]:
    """Return whom this phone follows at the other events where it chose last, the newest first; no draft.

    One query, and the names of each event; none for a phone that chose nowhere else.
    """
    choices = _read_choices(request, event)
    events = Event.objects.exclude(visibility=Visibility.DRAFT).in_bulk(list(choices), field_name="slug")
    found = ((events.get(slug), whom.split(BETWEEN)) for slug, whom in choices.items())
    return {other: _read_players(other, parts) for other, parts in found if other}


def _read_choices(request: HttpRequest, event: Event) -> dict[str, str]:
    """Return what the cookie for all events says of the others, by slug; nothing of one that is not ours."""
    said = request.COOKIES.get(CHOICES, "")
    choices = dict(each.split(CHOSEN) for each in said.split(BETWEEN_CHOICES)) if _CHOICES.fullmatch(said) else {}
    choices.pop(event.slug, None)
    return choices


def _cookie_parts(request: HttpRequest, event: Event) -> list[str]:
    return request.COOKIES.get(_cookie(event), "").split(BETWEEN)[:MOST_FOLLOWED]


def _read_players(event: Event, parts: Iterable[str]) -> list[FollowedPlayer]:
    return list(dict.fromkeys(each for part in parts if (each := _people(event).get(part))))


def find_player(event: Event, number: str) -> FollowedPlayer | None:
    """Return the player with the number of an address or a cookie; None for an unknown one."""
    if not (number.isascii() and number.isdigit() and len(number) < DIGITS):
        return None
    return next((each for each in _people(event).values() if each.number == int(number)), None)


def _people(event: Event) -> dict[str, FollowedPlayer]:
    """Return the players by what a cookie says of each."""

    def read() -> dict[str, FollowedPlayer]:
        people = (FollowedPlayer(*row) for row in list_names(event))
        return {_said_by_cookie(each): each for each in people}

    return by_public_state(event, "people", read)


def follows_somebody(request: HttpRequest, event: Event) -> bool:
    """Tell whether this phone follows a player, who may be gone since."""
    return bool(request.COOKIES.get(_cookie(event)))


def follow(
    request: HttpRequest, response: HttpResponse, event: Event, players: Sequence[FollowedPlayer]
) -> HttpResponse:
    """Let the phone follow these players from now on, the one whose page it shows first.

    The cookie holds each number and a digest of the name: after a renumbering, nobody is better than somebody else.
    Nobody ends it at the next events, too: a phone that has let go would follow them again by its earlier choices.
    """
    path = reverse("public:phone", args=[event.slug])
    whom = _say_followed(players)
    choices = list({event.slug: whom, **_read_choices(request, event)}.items())[:MOST_CHOICES]
    every = BETWEEN_CHOICES.join(CHOSEN.join(each) for each in choices)
    for name, value, at in ((_cookie(event), whom, path), (CHOICES, every, path.removesuffix(f"{event.slug}/"))):
        if players:
            secure = settings.SESSION_COOKIE_SECURE
            response.set_cookie(name, value, max_age=A_YEAR, path=at, secure=secure, httponly=True, samesite="Lax")
        elif follows_somebody(request, event):
            response.delete_cookie(name, path=at, samesite="Lax")
    return response


def assume_followed(request: HttpRequest, event: Event, players: Sequence[FollowedPlayer]) -> None:
    """Let this request's page be that of a phone which follows these players: what `follow` sets may be refused."""
    request.COOKIES[_cookie(event)] = _say_followed(players)


def _say_followed(players: Sequence[FollowedPlayer]) -> str:
    return BETWEEN.join(_said_by_cookie(each) for each in players[:MOST_FOLLOWED])


@dataclass(frozen=True, slots=True)
class _Page:
    """A template with the context that `make` reads, cached under `mark`."""

    request: HttpRequest
    event: Event
    template: str
    make: Callable[[], dict[str, Any]]
    tab: str
    mark: str

    def part(self) -> bytes:
        """Return the live part."""

        def draw() -> bytes:
            return self._render(f"{self.template}#{LIVE}", event=self.event, relay=settings.RELAY)

        # never cached with a query: there are endlessly many
        return draw() if self.request.GET.keys() - OF_LIVE else keep(self._key(LIVE), draw)

    def whole(self) -> bytes:
        """Return the page with the current time; one with messages or a session is not cached."""
        alone = get_messages(self.request) or settings.SESSION_COOKIE_NAME in self.request.COOKIES
        if alone or self.request.META["QUERY_STRING"]:
            page = self._render_page()
        else:
            page = keep(self._key("page"), self._render_page)
        now = str(int(timezone.now().timestamp() * 1000))
        version = public_version(self.event, follows(self.request, self.event))
        return page.replace(NOW.encode(), now.encode(), 1).replace(VERSION.encode(), version.encode(), 1)

    def _key(self, what: str) -> str:
        return f"{what} {self.request.build_absolute_uri(self.request.path)} {self.template} {self.mark}"

    def _render_page(self) -> bytes:
        frame = public_context(
            self.event,
            self.tab,
            version=VERSION,
            stream_url=_stream_url(self.request, self.event),
            server_now=NOW,
            poll_seconds=settings.PHONE_POLL_SECONDS,
        )
        return self._render(self.template, **frame)

    def _render(self, template: str, **frame: Any) -> bytes:
        # a public page posts nothing: without a token it needs no cookie and can be cached
        context = {**frame, "seen": self.mark, "csrf_token": "", **self.make()}
        return render_to_string(template, context, self.request).encode()


def _live_part(request: HttpRequest, page: _Page) -> HttpResponse:
    """Answer live_fragment.js, which names the mark that it shows, `seen`, and the version that it was told, `at`.

    What is asked for at the version of this moment is the same until the next one, so a cache on the way may keep it.
    """
    version = public_version(page.event, follows(request, page.event))
    current = request.GET.get("at") == version
    etag = f'"{page.mark}"'
    response = get_conditional_response(request, etag) if current else None
    if response is None:
        response = HttpResponse(status=204) if request.GET.get("seen") == page.mark else _sent(request, page.part())
    note_drawn(request, f'"{version}"', page.mark)  # not where the page is gone: its phones find that themselves
    if current and not request.GET.keys() - OF_LIVE:
        response["ETag"] = etag
        response["Cache-Control"] = "no-cache"
        same_at_address(response)
    else:
        response["Cache-Control"] = "no-store"
    patch_vary_headers(response, VARY)
    return response


def _sent(request: HttpRequest, plain: bytes) -> HttpResponse:
    """Answer with gzip where the browser accepts it: only public pages, which hold no secret (BREACH)."""
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(plain)
    response = HttpResponse(gzip.compress(plain, GZIP_LEVEL, mtime=0))
    response["Content-Encoding"] = "gzip"
    return response


def _stream_url(request: HttpRequest, event: Event) -> str:
    """Return the address of the stream that brings a page's new parts along, "" for one that brings versions alone.

    So does that of a page with a query, and of readers whom a CDN answers: it cannot hold 100,000 streams to the desk.
    """
    behind_cdn = settings.CDN_SECONDS and not follows_somebody(request, event)
    return "" if request.GET or behind_cdn else f"{request.path}?{STREAM}"


def _shown(request: HttpRequest, event: Event, tab: str) -> Page | None:
    """Return the page whose live part is sent along on a stream; None for one with a query of its reader's."""
    if request.GET.keys() - {STREAM}:
        return None
    me, players = get_me(request, event), list_followed(request, event)
    gone = ["gone"] if me is None and follows_somebody(request, event) else []
    whom = BETWEEN.join([*gone, *(_said_by_cookie(each) for each in players)])
    cookie = f"{settings.LANGUAGE_COOKIE_NAME}={get_language()}; {_cookie(event)}={whom}"
    return Page(request.scheme or "", request.get_host(), request.path, cookie, first=tab == "phone")


def _live_marks(event: Event, numbers: Iterable[int | None]) -> dict[int | None, str]:
    """Return by player whom phones follow what moves with all that is live for them.

    For all at once: a hall follows hundreds.
    """
    numbers = list(numbers)
    tables, others = get_public_view(event).live_marks(numbers), _other_marks(event, numbers)
    return {number: "|".join((tables[number], *others[number])) for number in numbers}


def _other_marks(event: Event, numbers: Sequence[int | None]) -> dict[int | None, tuple[str, ...]]:
    """Return by player what features add."""
    marks = [mark(event, numbers) for mark in LIVE_MARKS]
    return {number: tuple(each[number] for each in marks) for number in numbers}


def _digest_of(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def _cookie(event: Event) -> str:
    return f"me-{event.slug}"


def _said_by_cookie(me: FollowedPlayer) -> str:
    return f"{me.number}-{_digest(me)}"


def _digest(me: FollowedPlayer) -> str:
    """Return a digest of the name, or of the number where the name is not shown, in any language."""
    number = str(me.number)
    # a stand-in has the number in it, as hardly any name
    known_by = number if number in me.name and me.name == say_nameless().format(number=number) else me.name
    return hashlib.sha256(known_by.encode()).hexdigest()[:8]
