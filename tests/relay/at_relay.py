"""A relay for tests: one database, which is first the hall's and then the relay's."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache import cache
from django.test import Client, override_settings
from django.utils.translation import override

from tests.pages.html_reader import source_of
from tournament.core.hash_chain import checksum
from tournament.core.signing_key import sign
from tournament.events.actions import delete_rows, triggers_aside
from tournament.events.models import Event
from tournament.relay.actions import make_code
from tournament.relay.queries import get_public_part
from tournament.relay.wire import State, pack, statement, step
from tournament.tables.messages import say_nameless

MOVING = re.compile(r' data-(?:server-now|version|seen|record|size|root|words|broken)="[^"]*"|\?v=[0-9a-f]{8}')


def part_of(event: Event, hall: str = "") -> State:
    with override(event.language):
        return get_public_part(Event.objects.get(pk=event.pk), say_nameless, hall)


def pages(client: Client, addresses: Iterable[str], language: str = "en-gb") -> dict[str, str]:
    """Return the pages at these addresses without what names a version, or "" where there is none."""
    cache.clear()
    client.cookies["django_language"] = language
    found = {}
    for address in addresses:
        answer = client.get(address)
        found[address] = MOVING.sub("", source_of(answer)) if answer.status_code == 200 else ""
    return found


def forget_hall(event: Event) -> None:
    """Delete an event: from now on the database is a relay's."""
    with triggers_aside():
        delete_rows(Event.objects.get(pk=event.pk))


@contextmanager
def at_relay() -> Iterator[Client]:
    """Serve as a relay does."""
    with override_settings(ROOT_URLCONF="web.urls_relay", RELAY=True):
        yield Client()


class Sender:
    """A hall's desk as a relay sees it: a pairing, a number, and the state that was sent last."""

    def __init__(self, client: Client, slug: str) -> None:
        self.client, self.slug = client, slug
        self.key = sign("")[0]
        answer = client.post(
            "/relay/",
            json.dumps({"code": make_code(), "slug": slug, "public_key": self.key}),
            content_type="application/json",
        ).json()
        self.pairing, self.number = answer["pairing"], answer["number"]
        self.state: State = {}

    def message(self, state: State) -> bytes:
        """Return the next message."""
        return pack(step(self.number + 1, self.state, state))

    def post(self, body: bytes, signature: str | None = None) -> Any:
        """Send bytes."""
        signed = sign(statement(self.slug, self.pairing, body))[1] if signature is None else signature
        return self.client.post(
            f"/relay/{self.slug}/", body, content_type="application/octet-stream", headers={"X-Relay-Signature": signed}
        )

    def send(self, state: State) -> int:
        """Send a state; return the bytes that it took."""
        body = self.message(state)
        answer = self.post(body)
        told = {"number": self.number + 1, "digest": checksum(state), "taken": True}
        assert answer.json() == told, answer.content
        self.number, self.state = self.number + 1, state
        return len(body)
