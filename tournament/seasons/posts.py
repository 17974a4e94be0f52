"""The thread that tells a season's webhook of releases: once each, as everybody may see them, over safe connections.

A message is a row before it is sent. What certainly did not arrive is tried again, also after a restart; what went
without an answer is not, for then it might be there twice.
"""

import datetime as dt
import functools
import http.client
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import F
from django.urls import reverse
from django.utils.translation import override

from scoring.seasons import printed
from tournament.core.now import now
from tournament.core.threads import LoopThread, note_failure
from tournament.events.models import Visibility
from tournament.pages.addresses import proxy_url
from tournament.pages.calendars import one_line
from tournament.publication.names import read_for_public
from tournament.seasons.messages import figure_text, line_name
from tournament.seasons.models import PostState, Season, SeasonPost
from tournament.seasons.news import TOP, list_news, say_line
from tournament.seasons.queries import get_season_view
from tournament.seasons.reach_actions import add_release_posts, is_public_address, read_reach
from tournament.tables.messages import say_nameless
from tournament.text.languages import offered_language

EVERY: Final = 5.0  # seconds between two looks
WITHIN: Final = 10.0  # seconds for a connection, and for the whole answer
LONGEST: Final = dt.timedelta(minutes=2)  # after which a message under way was cut off by the end of the program
WAITS: Final = (5, 30, 120, 600, 1800, 3600, 3600)  # seconds until it is tried again
BUSY: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
MAX_CONTENT: Final = 2000  # letters of a message in Discord's form
MARKDOWN = re.compile(r"([\\`*_~|<>\[\]()#])")


class NotSentError(OSError):
    """Nothing has left this machine: no such name, no connection, or an address that is not to be reached."""


class Poster(LoopThread):
    """The thread."""

    def __init__(self, every: float = EVERY) -> None:
        """Prepare to send."""
        super().__init__("season-posts")
        self.every = every

    def run_once(self) -> None:
        """Wait, then look."""
        if not self.stopping.wait(self.every):
            self.look()
            close_old_connections()

    def look(self) -> None:
        """Note what was released, and send what is due; what is wrong with one season stops no other."""
        for season in Season.objects.filter(reach__has_key="hook").exclude(visibility=Visibility.DRAFT):
            self._attempt(functools.partial(add_release_posts, season))
        under_way = SeasonPost.objects.filter(state=PostState.SENDING, next_at__lt=now())
        under_way.update(state=PostState.UNCLEAR)
        due = SeasonPost.objects.filter(state=PostState.WAITING, next_at__lte=now()).order_by("at", "pk")
        for post in due.select_related("season", "event"):
            if not self.stopping.is_set():
                self._attempt(functools.partial(send_post, post))

    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except (DatabaseError, InterfaceError):
            raise
        except Exception as wrong:  # noqa: BLE001 - whatever it is
            note_failure(self.name, wrong)


def send_post(post: SeasonPost) -> None:
    """Send a message, unless another worker does; note what came of it."""
    claimed = SeasonPost.objects.filter(pk=post.pk, state=PostState.WAITING)
    if not claimed.update(state=PostState.SENDING, tries=F("tries") + 1, next_at=now() + LONGEST):
        return
    hook = read_reach(post.season.reach).hook
    body = write_post(post, discord=hook.form == "discord") if hook else None
    if hook is None or body is None:  # switched off, or not public any more
        SeasonPost.objects.filter(pk=post.pk).delete()
        return
    try:
        status = post_json(hook.url, body)
        state = PostState.SENT if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES else PostState.REFUSED
        again = status in BUSY or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    except NotSentError:
        status, state, again = 0, PostState.REFUSED, True
    except (OSError, http.client.HTTPException):
        status, state, again = 0, PostState.UNCLEAR, False
    at = now()
    if again and post.tries < len(WAITS):
        state, at = PostState.WAITING, at + dt.timedelta(seconds=WAITS[post.tries])
    SeasonPost.objects.filter(pk=post.pk).update(state=state, answer=status, next_at=at)


def write_post(post: SeasonPost, *, discord: bool) -> bytes | None:
    """Write a message as JSON, from what everybody may see now; None where its release is not public any more."""
    season = post.season
    if season.visibility == Visibility.DRAFT:
        return None
    newest = season.events.select_related("event").last()
    event = post.event or (newest and newest.event)
    with override(offered_language(event.language if event else settings.LANGUAGE_CODE)), read_for_public(say_nameless):
        view = get_season_view(season)
        found = next((each for each in list_news(season, view) if each.event.pk == post.event_id), None)
        if post.event_id and (found is None or found.round < post.round):
            return None
        name, lines = one_line(season.name), [say_line(view, line) for line in view.ranked[:TOP]]
        text = str(found) if found else name
        link = _link(proxy_url(), "season", season.slug)
        if discord:
            embed = {"title": _plain(name), "description": _plain("\n".join(lines)), **({"url": link} if link else {})}
            said: dict[str, Any] = {"content": _plain(text)[:MAX_CONTENT], "embeds": [embed]}
            said["allowed_mentions"] = {"parse": []}  # whatever somebody is called: it calls nobody
        else:
            said = {
                "id": post.key,
                "text": text,
                "season": {"name": season.name, "url": link or None},
                "event": found and {
                    "name": found.event.name,
                    "date": found.event.date.isoformat(),
                    "url": _link(proxy_url() or found.event.other_address, "public:phone", found.event.slug) or None,
                    "round": found.round,
                    "over": found.over,
                    "first": found.first,
                },
                "rows": [
                    {
                        "rank": line.row.rank,
                        "name": line_name(line),
                        "figure": printed(line.row.figure),
                        "text": figure_text(view.rule, line.row.figure),
                        "games": line.row.games,
                    }
                    for line in view.ranked[:TOP]
                ],
            }  # fmt: skip
    return json.dumps(said, ensure_ascii=False).encode()


def _link(base: str, name: str, slug: str) -> str:
    return base.rstrip("/") + reverse(name, args=[slug]) if base else ""


def _plain(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", text)


def post_json(url: str, body: bytes) -> int:
    """Send JSON to a webhook, following nothing; return the status.

    Raises NotSentError where nothing went, OSError or HTTPException where no answer came in time.
    """
    parts = urlsplit(url)
    sock = _connect(parts.hostname or "", parts.port or (443 if parts.scheme.lower() == "https" else 80), parts.scheme)
    connection = http.client.HTTPConnection(parts.hostname or "", timeout=WITHIN)
    connection.sock = sock
    # each read has its own timeout: this one is for an answer that comes letter by letter
    cut = threading.Timer(WITHIN, _cut, [sock])
    cut.daemon = True
    cut.start()
    try:
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        headers = {"Host": parts.netloc, "Content-Type": "application/json", "Connection": "close"}
        connection.request("POST", path, body, {**headers, "User-Agent": "Hanchan-Desk"})
        return connection.getresponse().status  # what else it says is not read
    finally:
        cut.cancel()
        connection.close()


def _connect(host: str, port: int, scheme: str) -> socket.socket:
    """Connect to an address that was checked itself: a name may mean another one a moment later."""
    try:
        addresses = [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        if not settings.PRIVATE_HOOKS and not all(map(is_public_address, addresses)):
            raise NotSentError("a private address")
        sock = _open(addresses, port)
        secure = scheme.lower() == "https"
        return ssl.create_default_context().wrap_socket(sock, server_hostname=host) if secure else sock
    except (OSError, UnicodeError) as wrong:
        raise NotSentError(str(wrong)) from wrong


def _open(addresses: list[str], port: int) -> socket.socket:
    """Connect to the first of these that takes it: a machine may have no way to those of IPv6."""
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return socket.create_connection((address, port), WITHIN)
    return socket.create_connection((last, port), WITHIN)


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
