"""The thread that tells phones of their next seat, by messages sealed (RFC 8291) and signed (VAPID, RFC 8292).

It opens no connection where no phone has asked, and tells nobody anything while a round is played.
"""

import base64
import datetime as dt
import functools
import hashlib
import http.client
import json
import logging
import os
import re
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from tournament.core.threads import note_failure
from tournament.events.models import Event, Visibility
from tournament.pages.addresses import proxy_url
from tournament.pages.streams import ChangeWatcher
from tournament.push.actions import forget_phones, leave_phone, note_told
from tournament.push.models import ToldPhone
from tournament.tables.models import Seat
from tournament.tables.round_queries import planned_start
from tournament.text.languages import offered_language
from tournament.text.numbers import wind_word

LOG = logging.getLogger("hanchan.push")
WITHIN: Final = 10.0  # seconds for one answer
AT_ONCE: Final = 8
GOOD_FOR: Final = 600  # seconds: a phone that is off learns of it later on its page
PAUSE: Final = 30.0  # seconds until a phone is tried again whose service did not answer, or was busy
GONE: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})  # the browser has taken its word back
BUSY: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS})
FORGET_EVERY: Final = 3600.0

Post = Callable[[str, bytes, dict[str, str]], int]


def post(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a message to a push service; return the status. Raises OSError or HTTPException."""
    parts = urlsplit(endpoint)
    connection = http.client.HTTPSConnection(parts.hostname or "", timeout=WITHIN)
    try:
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


@dataclass(frozen=True, slots=True)
class PhoneMessage:
    """A phone with the seat that it is to be told of; `starts` is the planned start, None where there is none."""

    phone: ToldPhone
    event: Event
    round: int
    table: int
    seat: int
    starts: dt.datetime | None

    @property
    def told(self) -> str:
        """The seat as it is noted."""
        return f"{self.round}/{self.table}/{self.seat}"


class Pusher(ChangeWatcher):
    """The thread; `carry` sends one message."""

    def __init__(self, carry: Post = post) -> None:
        """Prepare to send."""
        super().__init__(self.look, name="push")
        self.carry = carry
        self.next_forget = 0.0
        self.next_try: dict[str, float] = {}  # by endpoint

    def look(self) -> None:
        """Tell the phones that are to be told now."""
        if time.monotonic() >= self.next_forget:
            self.next_forget = time.monotonic() + FORGET_EVERY
            forget_phones()
        self.next_try = {endpoint: at for endpoint, at in self.next_try.items() if at > time.monotonic()}
        tellings = [each for each in list_tellings(timezone.now()) if each.phone.endpoint not in self.next_try]
        if not tellings:
            return
        with ThreadPoolExecutor(AT_ONCE) as pool:
            statuses = list(pool.map(self._tell, tellings))
        for telling, status in zip(tellings, statuses, strict=True):
            if status in GONE:
                leave_phone(endpoint=telling.phone.endpoint)
            elif status == 0 or status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in BUSY:
                self.next_try[telling.phone.endpoint] = time.monotonic() + PAUSE
            else:
                if status >= HTTPStatus.MULTIPLE_CHOICES:
                    LOG.warning("A push service refused a message: %d", status)
                note_told(phone=telling.phone, told=telling.told)  # what was refused would be refused again

    def _tell(self, telling: PhoneMessage) -> int:
        """Send one message; return the status, 0 where no answer came. It reads no database: many run at once."""
        phone = telling.phone
        try:
            headers = {
                "Authorization": authorization(phone.endpoint, time.time(), contact()),
                "Content-Encoding": "aes128gcm",
                "TTL": str(GOOD_FOR),
                "Urgency": "high",
                "Topic": "table",
            }
            return self.carry(phone.endpoint, seal(message(telling), phone.key, phone.secret), headers)
        except Exception as wrong:  # noqa: BLE001 - whatever is wrong with one phone, the others are told
            LOG.warning("A push service did not answer: %s", type(wrong).__name__)
            return 0


def contact() -> str:
    """Return the address by which a push service can find the operator."""
    return proxy_url() or "https://localhost/"


def message(telling: PhoneMessage) -> bytes:
    """Return what the phone shows: the event, the table and the wind, and when it begins where that is known."""
    language = offered_language(telling.phone.language)
    with override(language):
        place = _("Table %(table)d, %(wind)s") % {"table": telling.table, "wind": wind_word(telling.seat)}
        title = _("Round %(number)d") % {"number": telling.round}
        facts = {
            "title": f"{title} · {place}",
            "body": f"{telling.event.name}{_begins(telling)}",
            "url": reverse("public:phone", args=[telling.event.slug]),
            "lang": language,
        }
    return json.dumps(facts, ensure_ascii=False).encode()


def _begins(telling: PhoneMessage) -> str:
    if telling.starts is None:
        return ""
    minutes = round((telling.starts - timezone.now()).total_seconds() / 60)
    if minutes <= 0:
        return ""
    return " · " + ngettext("in %(count)d minute", "in %(count)d minutes", minutes) % {"count": minutes}


CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve's group
RECORD = 4096
POINT, SECRET, SALT = 65, 16, 16  # bytes
LASTS = 12 * 3600  # seconds that a signature is good for; services take at most a day
# Browsers' own services: a message goes nowhere else, whatever address somebody sends. Host and path are printable
# ASCII, so that no part of sending can refuse them; \Z, because $ lets a line break pass.
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOSTS = (
    r"fcm\.googleapis\.com", r"updates\.push\.services\.mozilla\.com", r"web\.push\.apple\.com",
    rf"(?:{LABEL}\.){{1,2}}notify\.windows\.com",
)  # fmt: skip
SERVICE = re.compile(rf"https://(?:{'|'.join(HOSTS)})/[!-\"$-~]*\Z")


def is_service(endpoint: str) -> bool:
    """Tell whether an address is one at a browser's push service.

    >>> is_service("https://fcm.googleapis.com/fcm/send/x"), is_service("https://fcm.googleapis.com.example.org/")
    (True, False)
    """
    return SERVICE.match(endpoint) is not None


def as_text(data: bytes) -> str:
    """Return bytes as base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    """Return what `as_text` wrote; raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fits(key: str, secret: str) -> bool:
    """Tell whether these are a browser's key, a point of the curve, and its secret."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, as_bytes(key))
        return len(as_bytes(key)) == POINT and len(as_bytes(secret)) == SECRET
    except ValueError:
        return False


def seal(
    text: bytes, key: str, secret: str, *, salt: bytes = b"", own: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """Return a message that only the browser with this key can read; `salt` and `own` are random where not given."""
    salt, own = salt or os.urandom(SALT), own or ec.generate_private_key(CURVE)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, as_bytes(key))
    point = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    info = b"WebPush: info\0" + as_bytes(key) + point
    shared = _derive(own.exchange(ec.ECDH(), theirs), as_bytes(secret), info, 32)
    content_key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", RECORD, len(point)) + point
    return head + AESGCM(content_key).encrypt(nonce, text + b"\x02", None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


@functools.lru_cache(maxsize=2)
def _key_of(secret: str) -> ec.EllipticCurvePrivateKey:
    digest = hashlib.sha512(b"hanchan-desk push 1\0" + secret.encode()).digest()
    return ec.derive_private_key(int.from_bytes(digest, "big") % (ORDER - 1) + 1, CURVE)


def own_key() -> ec.EllipticCurvePrivateKey:
    """Return this desk's key, the same at all its workers: it follows from the secret key."""
    return _key_of(settings.SECRET_KEY)


def public_key() -> str:
    """Return the key that browsers are given when they ask to be told."""
    return as_text(own_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def authorization(endpoint: str, now: float, contact: str) -> str:
    """Return the header by which a push service knows this desk; `contact` is an address of its operator."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + LASTS, "sub": contact}
    words = [{"typ": "JWT", "alg": "ES256"}, claims]
    signed = ".".join(as_text(json.dumps(each, separators=(",", ":")).encode()) for each in words)
    r, s = decode_dss_signature(own_key().sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={signed}.{as_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={public_key()}"


BEFORE = dt.timedelta(minutes=5)  # of the planned start


def list_tellings(now: dt.datetime) -> list[PhoneMessage]:
    """List what phones are to be told now; one query while nobody has asked, three more an event where somebody has.

    Seats are told as soon as they are public, five minutes before the start where a timetable says it. While a round
    is played nobody is told anything.
    """
    events = Event.objects.filter(players__told_phones__isnull=False).exclude(visibility=Visibility.DRAFT).distinct()
    return [telling for event in events for telling in _list_of_event(event, now)]


def _list_of_event(event: Event, now: dt.datetime) -> list[PhoneMessage]:
    """List those of an event, none where it cannot be read: the phones of other events are told."""
    try:
        return list(_of_event(event, now))
    except DatabaseError:
        raise
    except Exception as wrong:  # noqa: BLE001 - whatever one event holds
        note_failure("push", wrong)
        return []


def _of_event(event: Event, now: dt.datetime) -> Iterator[PhoneMessage]:
    rounds = list(event.rounds.order_by("number"))
    if any(row.state == "running" for row in rounds):
        return
    ahead = next((row for row in rounds if row.state == "published"), None)
    starts = planned_start(event, ahead.number) if ahead else None
    if ahead is None or (starts and now < starts - BEFORE):
        return
    phones = {row.player_id: row for row in ToldPhone.objects.filter(player__event=event).select_related("player")}
    seats = Seat.objects.filter(round=ahead, player__in=phones, player__withdrawn_at=None).select_related("table")
    by_player = {row.player_id: row for row in seats}
    for phone in ToldPhone.objects.filter(player__in=by_player):
        seat = by_player[phone.player_id]
        telling = PhoneMessage(phone, event, ahead.number, seat.table.number, seat.seat, starts)
        if telling.told != phone.told:
            yield telling
