"""Phones that ask are told of their own player's table, once, before it begins, and never while a round is played."""

import datetime as dt
import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import time_machine
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from tests.factories import enter, fresh, make_event, round_of, sign, table_of, writer_of
from tests.fixtures import own_event
from tournament.core.threads import list_failures
from tournament.events.models import Event
from tournament.privacy.actions import erase_person
from tournament.privacy.queries import say_forgotten
from tournament.push.actions import MAX_PHONES, tell_phone
from tournament.push.models import ToldPhone
from tournament.push.sender import CURVE, Pusher, as_bytes, as_text
from tournament.rounds.actions import publish_rounds, release_round, start_round
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NOW = dt.datetime(2026, 9, 12, 9, 0, tzinfo=dt.UTC)


class Phone:
    """A browser that asked: its keys, and what it was shown."""

    def __init__(self, number: int) -> None:
        self.private = ec.generate_private_key(CURVE)
        self.key = as_text(self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
        self.secret, self.endpoint = as_text(b"s" * 16), f"https://fcm.googleapis.com/fcm/send/{number}"

    def given(self, **others: object) -> dict[str, object]:
        """Return what the browser gives a page."""
        return {"endpoint": self.endpoint, "keys": {"p256dh": self.key, "auth": self.secret}, **others}

    def open(self, body: bytes) -> dict[str, str]:
        """Read a message as the browser does."""
        salt, point, sealed = body[:16], body[21:86], body[86:]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
        info = b"WebPush: info\0" + as_bytes(self.key) + point
        shared = HKDF(hashes.SHA256(), 32, as_bytes(self.secret), info).derive(self.private.exchange(ec.ECDH(), theirs))
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(shared)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(shared)
        told: dict[str, str] = json.loads(AESGCM(key).decrypt(nonce, sealed, None).removesuffix(b"\x02"))
        return told


class Service:
    """A push service: what it was sent, and how it answers."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes, dict[str, str]]] = []
        self.status = 201

    def carry(self, endpoint: str, body: bytes, headers: dict[str, str]) -> int:
        """Take a message."""
        self.sent.append((endpoint, body, headers))
        if self.status == 0:
            raise TimeoutError
        return self.status


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


event = own_event(slug="cup", tables=1, rounds=2, published=False)


def following(number: int) -> Client:
    client = Client(headers={"Sec-Fetch-Site": "same-origin"})
    client.get(f"/e/cup/?me={number}")
    return client


def ask(client: Client, given: object, **headers: str) -> int:
    return client.post("/e/cup/tell/", json.dumps(given), content_type="application/json", headers=headers).status_code


def seat_of(number: int, round_: int) -> tuple[int, int]:
    found = Seat.objects.filter(round__number=round_, player__number=number).values_list("table__number", "seat")
    return found.get()


@pytest.mark.postgresql
def test_a_phone_is_told_once_of_each_round_and_never_while_one_is_played(event: Event):
    phone, service = Phone(1), Service()
    client = following(2)
    client.cookies["django_language"] = "de"
    assert ask(client, phone.given()) == 204
    pusher = Pusher(service.carry)
    pusher.look()
    assert service.sent == []  # no seats are public
    publish_rounds(event=event, numbers=[1, 2], by=writer_of(event))
    for _ in range(2):
        pusher.look()
    (endpoint, body, headers), *more = service.sent
    assert (endpoint, more) == (phone.endpoint, [])
    assert {"Content-Encoding": "aes128gcm", "TTL": "600"}.items() <= headers.items()
    told = phone.open(body)
    _table, seat = seat_of(2, 1)
    wind = ("Ost", "Süd", "West", "Nord")[seat]
    assert told == {"title": f"Runde 1 · Tisch 1, {wind}", "body": "Cup", "url": "/e/cup/", "lang": "de"}
    start_round(round_=round_of(event, 1), by=writer_of(event))
    pusher.look()
    enter(table_of(event), "2r3 340/2")
    sign(table_of(event))
    pusher.look()
    assert len(service.sent) == 1
    release_round(round_=round_of(event, 1), by=writer_of(event))
    pusher.look()
    assert phone.open(service.sent[1][1])["title"].startswith("Runde 2 · Tisch 1, ")
    assert len(service.sent) == 2


def test_with_a_timetable_it_is_five_minutes_before(event: Event, clock: time_machine.Traveller):
    service, phone = Service(), Phone(1)
    ask(following(1), phone.given())
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    starts = (NOW + dt.timedelta(minutes=30)).isoformat()
    Event.objects.filter(pk=event.pk).update(timetable=[starts, ""])
    pusher = Pusher(service.carry)
    pusher.look()
    clock.shift(dt.timedelta(minutes=24, seconds=50))
    pusher.look()
    assert service.sent == []
    clock.shift(dt.timedelta(seconds=10))
    pusher.look()
    (_endpoint, body, _headers) = service.sent[0]
    assert phone.open(body)["body"] == "Cup · in 5 minutes"


def test_what_a_service_says_is_heeded(event: Event):
    service = Service()
    ask(following(1), Phone(1).given())
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    pusher = Pusher(service.carry)
    for status in (0, 503, 429):
        service.status = status
        pusher.next_try.clear()
        pusher.look()
        pusher.look()  # not at once again
    assert len(service.sent) == 3
    ask(following(2), Phone(2).given())
    service.status = 413
    pusher.look()  # the other phone does not wait, and is not sent again what its service refuses
    pusher.next_try.clear()
    service.status = 410
    pusher.look()
    assert [sent[0][-1] for sent in service.sent] == ["1", "1", "1", "2", "1"]
    assert ToldPhone.objects.get().endpoint.endswith("2")


@pytest.mark.parametrize(
    "bad", [{"endpoint": "https://fcm.googleapis.com/\u00fc"}, {"key": "?"}, {"language": "\0" * 8}]
)
def test_a_phone_that_cannot_be_told_holds_up_no_other(event: Event, bad: dict[str, str]):
    """A row that was stored before such addresses were refused, or changed by hand."""
    for number in (1, 2, 3):
        assert ask(following(number), Phone(number).given()) == 204
    ToldPhone.objects.filter(player__number=2).update(**bad)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    sent: list[str] = []

    def carry(endpoint: str, body: bytes, headers: dict[str, str]) -> int:
        """Write the head of the request as `post` does, and send nothing."""
        connection = http.client.HTTPSConnection(urlsplit(endpoint).hostname or "")
        connection.putrequest("POST", urlsplit(endpoint).path)
        sent.append(endpoint[-1])
        return 201

    pusher = Pusher(carry)
    pusher.look()
    pusher.next_try.clear()
    pusher.look()  # who has been told is not told again
    assert [sent.count(number) for number in "13"] == [1, 1]
    assert ToldPhone.objects.exclude(told="").exclude(player__number=2).count() == 2


def test_an_event_that_cannot_be_read_holds_up_no_other(event: Event):
    other = make_event(slug="other", tables=1, rounds=1)
    ask(following(1), Phone(1).given())
    tell_phone(event=other, number=1, language="en-gb", endpoint=Phone(9).endpoint, key=Phone(9).key, secret="s" * 22)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    Event.objects.filter(pk=other.pk).update(timetable=["no moment"])
    service = Service()
    before = {each.name: each.count for each in list_failures()}  # of other tests of this process
    Pusher(service.carry).look()
    assert [endpoint[-1] for endpoint, _body, _headers in service.sent] == ["1"]
    assert [each.name for each in list_failures() if each.count > before.get(each.name, 0)] == ["push"]


def test_a_phone_is_of_one_player_and_stops_when_it_says(event: Event):
    phone = Phone(1)
    assert ask(following(1), phone.given()) == 204
    assert ask(following(2), phone.given()) == 204
    assert list(ToldPhone.objects.values_list("player__number", flat=True)) == [2]
    for _ in range(2):
        assert ask(following(2), {"endpoint": phone.endpoint, "off": True}) == 204
    assert not ToldPhone.objects.exists()


def test_what_is_no_phone_of_ours_is_refused(event: Event):
    phone, client = Phone(1), following(1)
    assert ask(client, phone.given(), **{"Sec-Fetch-Site": "cross-site"}) == 403
    stranger = Client()
    assert ask(stranger, phone.given()) == 403
    assert ask(stranger, phone.given(), Origin="https://example.org") == 403
    assert ask(stranger, phone.given(), Origin="http://testserver") == 409  # follows nobody
    unusable: list[object] = [
        [],
        {},
        {"endpoint": "https://example.org/"},
        phone.given(keys={"p256dh": "x", "auth": "y"}),
        phone.given(keys=[1]),
    ]
    for wrong in unusable:
        assert ask(client, wrong) == 422
    assert client.post("/e/cup/tell/", "[" * 2000, content_type="application/json").status_code == 422
    assert client.get("/e/cup/tell/").status_code == 405
    assert not ToldPhone.objects.exists()


def test_what_a_phone_gave_goes_with_its_player_and_with_time(event: Event, clock: time_machine.Traveller):
    for number in (1, 2):
        ask(following(number), Phone(number).given())
    person = event.players.get(number=1).person
    erase_person(person=person, stand_in_for=say_forgotten, reason="asked", by=writer_of(event))
    assert list(ToldPhone.objects.values_list("player__number", flat=True)) == [2]
    pusher = Pusher(Service().carry)
    clock.shift(dt.timedelta(days=2))
    pusher.look()
    assert ToldPhone.objects.count() == 1
    clock.shift(dt.timedelta(days=2))
    pusher.next_forget = 0.0
    pusher.look()
    assert not ToldPhone.objects.exists()


def test_there_is_an_end_to_how_many(event: Event):
    player = event.players.get(number=1)
    facts = {"player": player, "key": "", "secret": "", "language": "en-gb", "asked_at": NOW}
    ToldPhone.objects.bulk_create(ToldPhone(endpoint=f"https://x/{count}", **facts) for count in range(MAX_PHONES))
    assert ask(following(1), Phone(1).given()) == 503
    again = tell_phone(event=fresh(event), number=2, endpoint="https://x/1", key="", secret="", language="de")
    assert again.player.number == 2


def test_the_button_is_there_for_who_follows_a_player_over_https(event: Event):
    client = following(1)
    assert 'id="tell"' not in client.get("/e/cup/").content.decode()
    page = client.get("/e/cup/", secure=True).content.decode()
    assert 'data-tell="/e/cup/tell/"' in page
    assert 'data-player="1"' in page
    assert 'id="tell"' not in Client().get("/e/cup/", secure=True).content.decode()
