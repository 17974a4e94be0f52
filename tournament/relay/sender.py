"""At the hall's desk: the thread that sends each relay what has changed, over one connection that it opens itself.

After a cut it sends the difference between what the relay has and what is public now, so nothing between is lost and
nothing that was taken back is sent. Several senders of one event do no harm: of two messages of one number one counts.
"""

import contextlib
import datetime as dt
import http.client
import json
import random
import ssl
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import DatabaseError, InterfaceError
from django.utils import timezone
from django.utils.translation import override

from scoring.problems import ProblemType
from tournament.core.hash_chain import checksum
from tournament.core.shared_cache import get_shared, share
from tournament.core.signing_key import sign
from tournament.core.threads import note_failure
from tournament.events.models import Event
from tournament.pages.streams import ChangeWatcher
from tournament.publication.queries import get_public_view, public_state
from tournament.relay.actions import RELAY_NOT_PAIRED, RELAY_NOT_UNDERSTOOD
from tournament.relay.models import Relay
from tournament.relay.queries import get_next_change, get_public_part
from tournament.relay.wire import Message, State, pack, statement, step
from tournament.tables.messages import say_nameless
from tournament.text.languages import offered_language
from tournament.wall.queries import wall_mark

RELAY_AWAY = ProblemType("relay.away", "The relay cannot be reached.")
RELAY_NO_RELAY = ProblemType(
    "relay.no_relay",
    "A server is at this address, but it does not answer as a relay: start it with HANCHAN_RELAY=1 and HANCHAN_HOSTS.",
)
RELAY_BROKEN = ProblemType("relay.broken", "This desk could not make the message: its log says why.")

WITHIN: Final = 10.0  # seconds for one answer
MAX_ANSWER: Final = 65_536  # bytes
MIN_PAUSE: Final = 1.0  # seconds between two messages: what happens meanwhile goes together
LOOK_AGAIN: Final = 0.5  # seconds: whether the time has come to try again
FIRST_WAIT, LONGEST_WAIT = 1.0, 15.0  # seconds until it is tried again
NOT_PAIRED_WAIT: Final = 60.0
NO_RELAY: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST, HTTPStatus.METHOD_NOT_ALLOWED})
STATUS_LASTS: Final = 7 * 24 * 3600
TRIES: Final = 2  # of one look: a message that follows, and one that stands alone


@dataclass(frozen=True, slots=True)
class Status:
    """How it goes: when the newest message went, and its bytes; since when the relay does not answer, and why.

    `failing` is "" while all is well, else the reason of a RelayError.
    """

    size: int = 0
    sent_at: str = ""
    failing: str = ""
    since: str = ""


class RelayError(Exception):
    """Why the relay did not take a message, as the code of a problem: the sender's own, or what the relay answered."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Connection:
    """One connection to a relay, opened again when it was closed."""

    def __init__(self, address: str) -> None:
        """Open nothing yet."""
        self.address = address
        self._open: http.client.HTTPConnection | None = None

    def post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        """Send a body; return the status and the JSON answer, None for no JSON. Raises RelayError if nobody answers."""
        kept = self._open is not None
        try:
            return self._post(path, body, headers)
        except (OSError, http.client.HTTPException) as wrong:
            self.close()
            if not kept or isinstance(wrong, TimeoutError):
                raise RelayError(RELAY_AWAY.code) from wrong
        try:  # the relay had closed it between two messages
            return self._post(path, body, headers)
        except (OSError, http.client.HTTPException) as wrong:
            self.close()
            raise RelayError(RELAY_AWAY.code) from wrong

    def close(self) -> None:
        """Close it."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def _post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, Any]:
        if self._open is None:
            self._open = _connect(self.address)
        self._open.request("POST", urlsplit(self.address).path + path, body, headers)
        answer = self._open.getresponse()
        said = answer.read(MAX_ANSWER)
        with contextlib.suppress(ValueError):
            return answer.status, json.loads(said)
        return answer.status, None


def _connect(address: str) -> http.client.HTTPConnection:
    parts = urlsplit(address)
    if parts.scheme == "https":
        trust = ssl.create_default_context()
        return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=WITHIN, context=trust)
    return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=WITHIN)


@dataclass
class Link:
    """What this desk knows of one relay: the state that it has, under which number, and when to try again."""

    slug: str
    pairing: uuid.UUID
    connection: Connection
    asked: bool = False
    number: int = 0
    state: State = field(default_factory=dict)
    under_way: State = field(default_factory=dict)  # whose answer never came
    seen: str = ""  # of what is public, as it was sent last
    changes_at: dt.datetime | None = None
    next_try: float = 0.0
    failures: int = 0
    status: Status = field(default_factory=Status)

    def send(self, state: State) -> None:
        """Bring the relay to a state; raises RelayError."""
        if not self.asked:  # nothing ever counts as message 0: the answer tells what the relay has
            self._exchange(step(0, {}, {}), state)
            self.asked = True
        for _try in range(TRIES):
            if self.state == state and self.number:
                return
            self._exchange(step(self.number + 1, self.state, state), state)
        if self.state != state:
            raise RelayError(RELAY_NOT_UNDERSTOOD.code)

    def _exchange(self, message: Message, state: State) -> None:
        """Send a message, and learn from the answer which state the relay has: this one, an earlier one, or neither."""
        body, lost = pack(message), self.under_way
        self.under_way = state
        self.number, digest = self._post(body)
        known = (each for each in (state, lost, self.state) if checksum(each) == digest)
        self.state, self.under_way = next(known, {}), {}
        if self.state == state:
            self.status = Status(len(body), timezone.now().isoformat())

    def _post(self, body: bytes) -> tuple[int, str]:
        """Return the number and the digest of what the relay has."""
        signature = sign(statement(self.slug, str(self.pairing), body))[1]
        headers = {"Content-Type": "application/octet-stream", "X-Relay-Signature": signature}
        status, answer = self.connection.post(f"relay/{self.slug}/", body, headers)
        if status == HTTPStatus.OK:
            with contextlib.suppress(KeyError, TypeError, ValueError):  # a network between that answers itself
                return int(answer["number"]), str(answer["digest"])
        raise RelayError(_why(status, answer))


def _why(status: int, answer: Any) -> str:
    """Return what a refusal means, by its code; of an answer that is none of a relay's, that the relay is away."""
    with contextlib.suppress(TypeError, KeyError, IndexError, AttributeError):
        return str(answer["problems"][0]["code"])
    return (RELAY_NO_RELAY if status in NO_RELAY else RELAY_AWAY).code


class Sender(ChangeWatcher):
    """The thread; `hall` returns the desk's own address in the hall, "" for none."""

    def __init__(self, hall: Callable[[], str]) -> None:
        """Prepare to send."""
        super().__init__(self.look, name="relay", read_again=LOOK_AGAIN)
        self.hall = hall
        self.links: dict[int, Link] = {}

    def look(self) -> None:
        """Send each relay what has changed, where its time has come."""
        rows = {row.event_id: row for row in Relay.objects.select_related("event")}
        for gone in self.links.keys() - rows.keys():
            self.links.pop(gone).connection.close()
        for pk, row in rows.items():
            link = self.links.get(pk)
            if link is None or link.pairing != row.pairing:
                link = self.links[pk] = Link(row.event.slug, row.pairing, Connection(row.event.other_address))
            if time.monotonic() >= link.next_try:
                self._try(link, row)

    def _try(self, link: Link, row: Relay) -> None:
        """Bring a relay up to date; what is wrong with one event stops no other."""
        try:
            self._bring_up(link, row.event, self.hall() if row.show_hall else "")
        except RelayError as wrong:
            self._wait(link, wrong.why)
        except (DatabaseError, InterfaceError):
            raise
        except Exception as wrong:  # noqa: BLE001 - whatever it is
            note_failure(self.name, wrong)
            self._wait(link, RELAY_BROKEN.code)
        else:
            return
        keep_status(row.event_id, link.status)

    def _bring_up(self, link: Link, event: Event, hall: str) -> None:
        seen = f"{public_mark(event)} {hall}"
        due = link.changes_at is not None and timezone.now() >= link.changes_at
        if seen == link.seen and not due and not link.failures:
            return
        begun = time.monotonic()
        with override(offered_language(event.language)):
            state = get_public_part(event, say_nameless, hall)
        link.send(state)
        link.seen, link.changes_at, link.failures = seen, get_next_change(event), 0
        # a relay that takes long to draw is asked less often
        link.next_try = time.monotonic() + max(MIN_PAUSE, 2 * (time.monotonic() - begun))
        keep_status(event.pk, link.status)

    def _wait(self, link: Link, why: str) -> None:
        again = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(link.failures, 10))
        wait = NOT_PAIRED_WAIT if why == RELAY_NOT_PAIRED.code else again
        link.failures += 1
        link.next_try = time.monotonic() + wait * random.uniform(0.7, 1.3)  # noqa: S311 - spreads halls, hides nothing
        known = link.status
        since = known.since if known.failing == why else timezone.now().isoformat()
        link.status = Status(known.size, known.sent_at, why, since)


def public_mark(event: Event) -> str:
    """Return what moves with all that the public may see, and not with hands that it may not; cached by version."""
    live = " ".join(f"{table.round}/{table.number}:{table.mark}" for table in get_public_view(event).live)
    return f"{event.visibility} {public_state(event).mark} {wall_mark(event)} {live}"


# ---------------------------------------------------------------- what the settings page does


def ask_pairing(address: str, code: str, slug: str) -> uuid.UUID:
    """Pair this desk with the relay at an address; return the pairing. Raises RelayError."""
    asked = json.dumps({"code": code, "slug": slug, "public_key": sign("")[0]}).encode()
    connection = Connection(address)
    try:
        status, answer = connection.post("relay/", asked, {"Content-Type": "application/json"})
    finally:
        connection.close()
    if status == HTTPStatus.OK and isinstance(answer, dict):
        with contextlib.suppress(KeyError, ValueError):
            return uuid.UUID(answer["pairing"])
    raise RelayError(_why(status, answer))


def take_down(address: str, pairing: uuid.UUID, slug: str) -> None:
    """Let the relay show the event no longer, and take nothing more from this desk; raises RelayError."""
    link = Link(slug, pairing, Connection(address))
    try:
        link.send({"end": True})
    finally:
        link.connection.close()


def keep_status(event: int, status: Status) -> None:
    """Keep the status for the settings page, whichever worker answers it."""
    cache.set(_key(event), asdict(status), STATUS_LASTS)
    share(_key(event), asdict(status), seconds=STATUS_LASTS)


def get_status(event: int) -> Status:
    """Return how it goes with an event's relay."""
    found = get_shared(_key(event)) or cache.get(_key(event))
    return Status(**found) if found else Status()


def _key(event: int) -> str:
    return f"relay-status-{event}"
