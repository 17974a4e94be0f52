"""What is new in a season, and the thread that tells its webhook: each release once, as everybody may see it.

A message is a row before it is sent. What certainly did not arrive is tried again, also after a restart; what went
without an answer is not, for then it might be there twice.
"""

import datetime as dt
import http.client
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from scoring.seasons import printed
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.core.threads import LoopThread, attempt, note_failure
from tournament.events.actions import RESULTS_SHOWN
from tournament.events.models import Event, Visibility
from tournament.pages.addresses import proxy_url
from tournament.pages.calendars import one_line
from tournament.people.queries import human_key
from tournament.players.models import Person
from tournament.publication.names import read_for_public
from tournament.publication.queries import get_public_view
from tournament.seasons.messages import figure_text, line_name
from tournament.seasons.models import PostState, Season, SeasonPost
from tournament.seasons.queries import SeasonLine, SeasonView, get_season_view
from tournament.seasons.reach_actions import NEWS, add_posts, is_public_address, public_events, read_reach
from tournament.standings.queries import get_standings
from tournament.tables.messages import say_nameless
from tournament.text.languages import join_commas, offered_language

EVERY: Final = 5.0  # seconds between two looks
WITHIN: Final = 10.0  # seconds for a connection, and for the answer
LONGEST: Final = dt.timedelta(minutes=2)  # after which a message under way was cut off by the end of the program
WAITS: Final = (5, 30, 120, 600, 1800, 3600, 3600)  # seconds until it is tried again
BUSY: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
TOP: Final = 10  # lines of the table that a message has
MAX_CONTENT: Final = 2000  # letters of a message in Discord's form
MARKUP = re.compile(r"([\\`*_~|<>\[\]()#])")


class NotSentError(OSError):
    """Nothing has left this machine: no such name, no connection, or an address that is not to be reached."""


class Poster(LoopThread):
    """The thread."""

    def __init__(self) -> None:
        """Prepare to send."""
        super().__init__("season-posts")

    def run_once(self) -> None:
        """Wait, then look."""
        if not self.stopping.wait(EVERY):
            self.look()
            close_old_connections()

    def look(self) -> None:
        """Note what was released, and send what is due; what is wrong with one season stops no other."""
        for season in Season.objects.filter(reach__has_key="hook").exclude(visibility=Visibility.DRAFT):
            self._attempt(partial(add_posts, season, PostState.WAITING, now().date() - NEWS))
        posts = SeasonPost.objects.select_related("season", "event").order_by("at", "pk")
        posts.filter(state=PostState.SENDING, next_at__lt=now()).update(state=PostState.UNCLEAR)
        for post in posts.filter(state=PostState.WAITING, next_at__lte=now()):
            if not self.stopping.is_set():
                self._attempt(partial(send_post, post))

    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except (DatabaseError, InterfaceError):
            raise
        except Exception as wrong:  # noqa: BLE001 - whatever it is
            note_failure(self.name, wrong)


def send_post(post: SeasonPost) -> None:
    """Send a message, unless another worker does; note what came of it."""
    row = SeasonPost.objects.filter(pk=post.pk)
    under_way = {"state": PostState.SENDING, "tries": F("tries") + 1, "next_at": now() + LONGEST}
    if not row.filter(state=PostState.WAITING).update(**under_way):
        return
    body = write_post(post)
    if body is None:
        row.delete()
        return
    again, status = False, 0
    try:
        status = post_json(read_reach(post.season.reach).hook, body)
        state = PostState.SENT if status // 100 == 2 else PostState.REFUSED
        again = status in BUSY or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    except NotSentError:
        state, again = PostState.REFUSED, True
    except (OSError, http.client.HTTPException):
        state = PostState.UNCLEAR
    wait = WAITS[post.tries] if again and post.tries < len(WAITS) else 0
    next_at = now() + dt.timedelta(seconds=wait)
    row.update(state=PostState.WAITING if wait else state, answer=status, next_at=next_at)


class EventNews(NamedTuple):
    """The public results of an event: the newest round, who leads, or has won where it is `over`, and since when.

    In an open event each table is a round, which nobody numbers: `games` are so many.
    """

    event: Event
    round: int
    games: int
    over: bool
    first: list[str]
    at: dt.datetime

    def __str__(self) -> str:
        """Say it in a line."""
        name = one_line(self.event.name)
        facts = {"event": name, "names": join_commas(self.first), "round": self.round, "n": self.games}
        if self.over:
            return _("%(event)s: won by %(names)s") % facts if self.first else name
        if self.event.is_open:
            said = ngettext(
                "%(event)s, after %(n)d table: first %(names)s",
                "%(event)s, after %(n)d tables: first %(names)s",
                self.games,
            )
            return said % facts if self.first else name
        said = _("%(event)s, after round %(round)d: first %(names)s") if self.first else _("%(event)s, round %(round)d")
        return said % facts


def get_news(view: SeasonView, event: Event) -> EventNews | None:
    """Return the public results of an event with names as the season has them, None without any; three queries."""
    rounds = get_public_view(event).rounds
    if not rounds:
        return None
    released = dict(event.rounds.values_list("number", "released_at"))
    unveiled = AuditRow.objects.filter(event=event, verb=RESULTS_SHOWN.name).values_list("at", flat=True)
    best = [row.number for row in get_standings(event).rows if row.rank == 1 and row.games]
    people = Person.objects.filter(players__event=event, players__number__in=best)
    keys = {human_key(*row) for row in people.values_list("pk", "known")}
    first = sorted(line_name(line) for line in view.lines if line.row.person in keys)
    over = event.ends_with(len(rounds)) and len(rounds) >= max(released)
    moments = [*unveiled, *(at for number, at in released.items() if at and number in rounds)]
    return EventNews(event, max(rounds), len(rounds), over, first, max(moments))


def say_line(view: SeasonView, line: SeasonLine) -> str:
    """Say a line of the table: place, name, figure."""
    return f"{line.row.rank}. {one_line(line_name(line))} {figure_text(view.rule, line.row.figure)}"


def write_post(post: SeasonPost) -> bytes | None:
    """Write a message as JSON, as all may see it now; None where it is switched off or its release is hidden again."""
    season, reach, events = post.season, read_reach(post.season.reach), public_events(post.season)
    event = post.event or next(iter(events), None)
    language = offered_language(event.language if event else settings.LANGUAGE_CODE)
    if not reach.hook or season.visibility == Visibility.DRAFT or (post.event and post.event not in events):
        return None
    with override(language), read_for_public(say_nameless):
        view = get_season_view(season)
        news = get_news(view, post.event) if post.event else None
        if post.event and (news is None or news.round < post.round):
            return None
        top, name = view.ranked[:TOP], one_line(season.name)
        text, lines = str(news) if news else name, [say_line(view, line) for line in top]
        rows = [(line.row.rank, line_name(line), printed(line.row.figure), line.row.games) for line in top]
    link = _link(proxy_url(), "season", season.slug)
    said: dict[str, Any] = {"id": post.key, "text": text, "season": {"name": name, "url": link}, "event": None}
    if reach.form == "discord":
        embed = {"title": _plain(name), "description": _plain("\n".join(lines)), **({"url": link} if link else {})}
        # whatever somebody is called, it calls nobody
        said = {"content": _plain(text)[:MAX_CONTENT], "embeds": [embed], "allowed_mentions": {"parse": []}}
    else:
        said["rows"] = [dict(zip(("rank", "name", "figure", "games"), row, strict=True)) for row in rows]
        if news:
            url = _link(proxy_url() or news.event.other_address, "public:phone", news.event.slug)
            facts = {"name": news.event.name, "date": news.event.date.isoformat(), "url": url}
            said["event"] = {**facts, "round": news.round, "over": news.over, "first": news.first}
    return json.dumps(said, ensure_ascii=False).encode()


def _link(base: str, name: str, slug: str) -> str | None:
    return base.rstrip("/") + reverse(name, args=[slug]) if base else None


def _plain(text: str) -> str:
    return MARKUP.sub(r"\\\1", text)


def post_json(url: str, body: bytes) -> int:
    """Send JSON to a webhook, following nothing; return the status.

    Raises NotSentError where nothing went, OSError or HTTPException where no answer came in time.
    """
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", timeout=WITHIN)
    connection.sock = sock = _connect(parts.hostname or "", parts.port, secure=parts.scheme.lower() == "https")
    # each read has its own timeout: this one is for an answer that comes letter by letter
    cut = threading.Timer(WITHIN, attempt, ["posts", partial(_cut, sock)])
    cut.daemon = True
    cut.start()
    try:
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        headers = {"Host": parts.netloc, "Content-Type": "application/json", "User-Agent": "Hanchan-Desk"}
        connection.request("POST", path, body, headers)
        return connection.getresponse().status  # what else it says is not read
    finally:
        cut.cancel()
        connection.close()


def _connect(host: str, port: int | None, *, secure: bool) -> socket.socket:
    """Connect, and check who is there before anything is sent: what a name means may change from look to look."""
    try:
        sock = socket.create_connection((host, port or (443 if secure else 80)), WITHIN)
        if not settings.PRIVATE_HOOKS and not is_public_address(sock.getpeername()[0]):
            sock.close()
            raise NotSentError("a private address")
        return ssl.create_default_context().wrap_socket(sock, server_hostname=host) if secure else sock
    except (OSError, UnicodeError) as wrong:
        raise NotSentError(str(wrong)) from wrong


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
