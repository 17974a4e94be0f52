"""The thread that tells phones of their tables; it sends where phones have asked, and opens no connection else."""

import http.client
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from tournament.pages.addresses import proxy_url
from tournament.pages.streams_watch import Watch
from tournament.push.actions import forget_phones, leave_phone, note_told
from tournament.push.queries import Telling, list_tellings
from tournament.push.sender_sealing import authorization, seal
from tournament.text.languages import offered_language
from tournament.text.numbers_formatting import wind_word

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


class Pusher(Watch):
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

    def _tell(self, telling: Telling) -> int:
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


def message(telling: Telling) -> bytes:
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


def _begins(telling: Telling) -> str:
    if telling.starts is None:
        return ""
    minutes = round((telling.starts - timezone.now()).total_seconds() / 60)
    if minutes <= 0:
        return ""
    return " · " + ngettext("in %(count)d minute", "in %(count)d minutes", minutes) % {"count": minutes}
