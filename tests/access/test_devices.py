"""Table devices over their pages: cards and PINs, the door, the table and nothing else, shut out at once."""

import datetime as dt
import html
import logging
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests.factories import make_event, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee, table_url
from tests.pages.html_reader import text, texts
from tournament.accounts.actions import (
    NewCard,
    card_token,
    create_organiser_link,
    make_devices,
    renew_device,
    revoke_devices,
    set_password,
)
from tournament.accounts.models import Account, Role, TableDevice
from tournament.accounts.queries import get_rights
from tournament.accounts.second_factor import new_key, switch_on
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.tables.models import LedgerEntry

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


made = module_event(slug="cup")


def make(event: Event, *tables: int) -> list[NewCard]:
    wanted = [(number, f"Table {number}" if number else "Tablet") for number in tables]
    until = timezone.now() + dt.timedelta(hours=11)
    return make_devices(event=event, tables=wanted, expires_at=until, by=writer_of(event))


def pins_on(page: Any) -> list[str]:
    """List the lines of a page's PINs."""
    found = text(page, ".pin-list") if texts(page, ".pin-list") else ""
    return re.findall(r"\w+(?: \d)? \d{6}", found)


def door(card: NewCard) -> str:
    return f"/device/{card_token(card.device)}/"


def come_in(card: NewCard, client: Client | None = None) -> Client:
    client = client or Client()
    assert client.post(door(card), {"pin": card.pin})["Location"] == "/device/"
    return client


def hand(client: Client, event: Event, table: int, round_: int = 1) -> int:
    data = {"client_id": "6f1c5d2e-1111-4a4a-9b9b-0123456789ab", "expected_seq": 0, "line": "1t 230"}
    return client.post(table_url(event, table, round_), data).status_code


# ---------------------------------------------------------------- the organiser's page


@pytest.mark.follows("before/table-devices.md")
@pytest.mark.postgresql
def test_cards_and_pins_are_shown_once(event: Event):
    client = organiser(event)
    day = timezone.localdate().isoformat()
    page = client.post("/desk/cup/devices/", {"tables": "1-2", "name": "Tablet", "last_day": day})
    assert texts(page, ".device-card-name") == ["Table 1", "Table 2", "Tablet"]
    pins = [line.rpartition(" ") for line in pins_on(page)]
    assert [name for name, _, _ in pins] == ["Table 1", "Table 2", "Tablet"]
    assert all(re.fullmatch(r"\d{6}", pin) for _, _, pin in pins)
    assert "no-store" in page["Cache-Control"]
    again = client.get("/desk/cup/devices/cards/")
    assert texts(again, ".device-card-name") == ["Table 1", "Table 2", "Tablet"]
    assert pins_on(again) == []


@pytest.mark.follows("before/table-devices.md")
def test_the_shown_pin_opens_the_door(event: Event):
    day = timezone.localdate().isoformat()
    page = organiser(event).post("/desk/cup/devices/", {"tables": "2", "last_day": day})
    pin = pins_on(page)[0].split()[-1]
    come_in(NewCard(TableDevice.objects.get(), pin))


def test_the_form_begins_with_the_tables_that_have_none(event: Event):
    make(event, 1)
    page = organiser(event).get("/desk/cup/devices/")
    assert 'name="tables" value="2"' in page.content.decode()


def test_the_same_tables_again_get_no_second_device(event: Event):
    make(event, 1)
    day = timezone.localdate().isoformat()
    page = organiser(event).post("/desk/cup/devices/", {"tables": "1", "last_day": day}, follow=True)
    assert texts(page, ".messages") == [
        "Note These tables have a device already: a new card is made in the list below."
    ]
    assert TableDevice.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"tables": "3-1"}, "Write the tables as numbers: 1-12, 15."),
        ({"tables": "one"}, "Write the tables as numbers: 1-12, 15."),
        ({"tables": "0"}, "Write the tables as numbers: 1-12, 15."),
        ({"tables": "1-9999"}, "Too many tables at once."),
        ({"tables": "1", "last_day": "someday"}, "Write the day as 2026-09-12."),
        ({"tables": "1", "last_day": "2020-01-01"}, "Choose a day from today on, at most 31 days ahead."),
    ],
)
def test_what_cannot_be_made_is_said(event: Event, sent: dict[str, str], why: str):
    day = timezone.localdate().isoformat()
    page = organiser(event).post("/desk/cup/devices/", {"last_day": day, **sent})
    assert (page.status_code, texts(page, ".error")) == (422, [why])
    assert TableDevice.objects.count() == 0


def test_a_form_that_asks_for_nothing_is_refused(event: Event):
    page = organiser(event).post("/desk/cup/devices/", {"last_day": timezone.localdate().isoformat()})
    assert texts(page, ".problems") == ["Error Say which tables get a device."]


@pytest.mark.parametrize("devices", [1, 2])
def test_the_page_asks_the_same_number_of_questions(event: Event, django_assert_num_queries, devices: int):
    make(event, *range(1, devices + 1))
    client = organiser(event)
    with django_assert_num_queries(7):
        client.get("/desk/cup/devices/")


def test_a_referee_makes_no_device(event: Event):
    client = referee(event)
    assert client.get("/desk/cup/devices/").status_code == 404
    assert client.post("/desk/cup/devices/", {"tables": "1", "last_day": "2026-09-12"}).status_code == 404
    assert TableDevice.objects.count() == 0


# ---------------------------------------------------------------- the door


def test_the_door_says_which_table_a_card_is_for(event: Event):
    page = Client().get(door(make(event, 2)[0]))
    assert texts(page, "h1") == ["Table 2"]
    assert "This card lets one tablet or phone enter the hands of table 2." in texts(page, "p")


@pytest.mark.postgresql
def test_a_device_lands_on_its_table_in_the_round_that_is_played(event: Event):
    client = come_in(make(event, 2)[0])
    assert client.get("/device/")["Location"] == "/desk/cup/rounds/1/tables/2/"
    assert client.get("/device/", headers={"HX-Request": "true"})["HX-Redirect"] == "/desk/cup/rounds/1/tables/2/"
    assert client.get("/desk/cup/rounds/1/tables/2/").status_code == 200
    event.rounds.filter(number=1).update(released_at=timezone.now())
    assert client.get("/device/")["Location"] == "/desk/cup/rounds/2/tables/2/"
    event.rounds.filter(number=2).update(released_at=timezone.now())
    waiting = client.get("/device/")
    assert (texts(waiting, "h1"), texts(waiting, "p")[0]) == (["Table 2"], "No round is played just now.")


def test_a_device_without_a_table_chooses_one(event: Event):
    client = come_in(make(event, 0)[0])
    page = client.get("/device/")
    links = re.findall(r'href="(/desk/[^"]*)"', page.content.decode())
    assert links == ["/desk/cup/rounds/1/tables/1/", "/desk/cup/rounds/1/tables/2/"]
    assert [client.get(link).status_code for link in links] == [200, 200]


def test_a_device_whose_table_is_not_played_is_told(event: Event):
    page = come_in(make(event, 9)[0]).get("/device/")
    assert texts(page, "p")[0] == "This table is not played in this round."


def test_a_wrong_pin_is_said_and_too_many_wait(event: Event):
    card = make(event, 1)[0]
    wrong = "0" * 6 if card.pin != "0" * 6 else "1" * 6
    for _ in range(5):
        page = Client().post(door(card), {"pin": wrong})
        assert (page.status_code, texts(page, ".error")) == (422, ["This PIN does not match this card."])
    page = Client().post(door(card), {"pin": card.pin})
    assert (page.status_code, int(page["Retry-After"]) in range(880, 901)) == (429, True)
    assert texts(page, ".error") == [
        (
            "This PIN was tried too often: it can be tried again in 15 minutes. A new card and PIN from the organiser "
            "work at once."
        )
    ]


def test_who_photographed_a_card_does_not_lock_its_tablet(event: Event):
    card = make(event, 1)[0]
    tablet = come_in(card)
    tablet.post("/logout/")
    wrong = "0" * 6 if card.pin != "0" * 6 else "1" * 6
    guesser = Client()
    assert [guesser.post(door(card), {"pin": wrong}).status_code for _ in range(6)] == [*[422] * 5, 429]
    assert Client().post(door(card), {"pin": card.pin}).status_code == 429
    assert tablet.post(door(card), {"pin": card.pin}).status_code == 302
    tablet.post("/logout/")
    assert [tablet.post(door(card), {"pin": wrong}).status_code for _ in range(6)] == [*[422] * 5, 429]


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_card_that_is_void_says_so(event: Event, method: str):
    card = make(event, 1)[0]
    address = door(card)
    renew_device(device=card.device, by=writer_of(event))
    page = getattr(Client(), method)(address, {"pin": card.pin})
    assert (page.status_code, texts(page, "h1")) == (410, ["This card no longer works"])


# ---------------------------------------------------------------- what a device may


def test_a_device_enters_hands_at_its_table_and_nowhere_else(event: Event):
    client = come_in(make(event, 2)[0])
    assert hand(client, event, 1) == 404
    assert hand(client, event, 2, round_=2) == 404
    assert LedgerEntry.objects.count() == 0
    assert hand(client, event, 2) == 302
    assert LedgerEntry.objects.get().by == str(TableDevice.objects.get().account.uid)


@pytest.mark.parametrize(
    "end",
    ["", "penalties/", "settings/", "devices/", "players/", "results/", "rounds/1/tables/1/", "rounds/2/tables/2/",
     "rounds/1/release/", "export/event.json"],
)  # fmt: skip
def test_a_device_finds_no_other_page(event: Event, end: str):
    assert come_in(make(event, 2)[0]).get(f"/desk/cup/{end}").status_code == 404


def test_a_device_has_no_account_page_and_no_password(event: Event):
    client = come_in(make(event, 2)[0])
    assert client.get("/account/")["Location"] == "/device/"
    client.post("/account/", {"form": "password", "new_password1": "seven winds", "new_password2": "seven winds"})
    client.post("/account/", {"form": "name", "display_name": "Zora"})
    account = TableDevice.objects.get().account
    assert (account.has_usable_password(), account.display_name) == (False, "Table 2")


PAGES_OF_PEOPLE = ("/account/", "/account/second-step/", "/account/sessions/end/")


def test_no_page_gives_a_device_a_password_or_a_second_step(event: Event):
    card, password = make(event, 1)[0], "seven winds blow"
    client, account = come_in(card), card.device.account
    new = {"new_password1": password, "new_password2": password}
    sent = {"act": "begin", "form": "password", "display_name": "Me", "others": "1", **new}
    sent |= {f"again-{name}": value for name, value in new.items()}
    for page in PAGES_OF_PEOPLE:
        for answer in (client.get(page), client.post(page, sent), client.post(page, {**sent, "form": "name"})):
            assert answer.status_code == 405 or answer["Location"] == "/device/", page
    account.refresh_from_db()
    assert (account.has_usable_password(), account.display_name) == (False, "Table 1")
    with pytest.raises(DomainError):
        set_password(password=password, by=account)
    with pytest.raises(DomainError):
        switch_on(key=new_key(), code="000000", by=account)


def test_a_password_that_a_device_has_anyway_lets_it_in_nowhere(event: Event):
    card, password = make(event, 1)[0], "seven winds blow"
    account = card.device.account
    account.set_password(password)
    account.save()
    client = Client()
    for name in (account.username, account.display_name):
        assert client.post("/login/", {"username": name, "password": password}).status_code == 200
    assert client.get("/device/")["Location"] == "/login/?next=/device/"


def test_the_rights_of_a_device_end_with_its_day_whatever_its_session_says(event: Event):
    client = come_in(make(event, 1)[0])
    account = TableDevice.objects.get().account
    table, entries = table_url(event, 1), "/api/v1/events/cup/rounds/1/tables/1/entries"
    assert client.get(table).status_code == 200
    assert get_rights(account, event).role is Role.TABLE_DEVICE
    TableDevice.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    assert get_rights(Account.objects.get(pk=account.pk), event).role is None
    assert [client.get(page).status_code for page in (table, "/device/", "/account/")] == [302] * 3
    assert hand(client, event, 1) == 302
    at_table = "/api/v1/events/cup/rounds/1/tables/1"
    assert client.get(at_table).status_code == Client().get(at_table).status_code == 404
    assert client.post(entries, {"entry": {}}, content_type="application/json").status_code == 401
    assert LedgerEntry.objects.count() == 0


def test_a_person_has_no_device_page(event: Event):
    assert organiser(event).get("/device/")["Location"] == "/"


# ---------------------------------------------------------------- shut out at once


def test_a_revoked_device_is_a_stranger_at_its_next_step(event: Event):
    one, two = make(event, 1, 2)
    first, second = come_in(one), come_in(two)
    page = organiser(event).post(f"/desk/cup/devices/{one.device.pk}/shut-out/", follow=True)
    assert texts(page, ".messages") == ["Done 1 device no longer has access."]
    assert first.get("/desk/cup/rounds/1/tables/1/")["Location"] == "/login/?next=/desk/cup/rounds/1/tables/1/"
    assert hand(first, event, 1) == 302
    assert LedgerEntry.objects.count() == 0
    assert second.get("/desk/cup/rounds/1/tables/2/").status_code == 200


@pytest.mark.follows("before/table-devices.md")
def test_all_are_shut_out_by_one_act(event: Event):
    clients = [come_in(card) for card in make(event, 1, 2, 0)]
    client = organiser(event)
    asked = client.get("/desk/cup/devices/shut-out/")
    assert texts(asked, "p")[0].startswith("3 devices are signed out at once")
    client.post("/desk/cup/devices/shut-out/")
    assert [each.get("/device/")["Location"] for each in clients] == ["/login/?next=/device/"] * 3


def test_a_device_whose_time_is_over_is_a_stranger(event: Event):
    client = come_in(make(event, 1)[0])
    with time_machine.travel(timezone.now() + dt.timedelta(hours=10, minutes=59)):
        assert client.get("/desk/cup/rounds/1/tables/1/").status_code == 200
    with time_machine.travel(timezone.now() + dt.timedelta(hours=11)):
        assert client.get("/desk/cup/rounds/1/tables/1/")["Location"].startswith("/login/")


def test_a_second_device_with_the_card_signs_the_first_out(event: Event):
    card = make(event, 1)[0]
    first, second = come_in(card), come_in(card)
    assert first.get("/device/").status_code == 302
    assert first.get("/device/")["Location"] == "/login/?next=/device/"
    assert second.get("/device/")["Location"] == "/desk/cup/rounds/1/tables/1/"


@pytest.mark.follows("before/table-devices.md")
@pytest.mark.postgresql
def test_a_new_card_signs_out_and_is_shown(event: Event):
    card = make(event, 1)[0]
    client = come_in(card)
    page = organiser(event).post(f"/desk/cup/devices/{card.device.pk}/renew/")
    assert (texts(page, ".device-card-name"), len(pins_on(page))) == (["Table 1"], 1)
    assert client.get("/device/")["Location"] == "/login/?next=/device/"


@pytest.mark.parametrize("end", ["renew", "shut-out"])
def test_a_device_of_another_event_is_not_there(event: Event, end: str):
    other = make(make_event(slug="other"), 1)[0]
    assert organiser(event).post(f"/desk/cup/devices/{other.device.pk}/{end}/").status_code == 404
    come_in(other)


# ---------------------------------------------------------------- nothing of it in logs and trail


class Lines(logging.Handler):
    """What the console would have shown, through its own filter and formatter."""

    def __init__(self, console: logging.Handler) -> None:
        super().__init__()
        self.console, self.lines = console, list[str]()

    def emit(self, record: logging.LogRecord) -> None:
        if self.console.filter(record):
            self.lines.append(self.console.format(record))


@pytest.fixture
def logged() -> Any:
    """Collect what any logger says, chatter of ordinary days included, as the console would show it."""
    console = next(handler for handler in logging.getLogger("django").handlers)
    names = ["", "django", "django.request", "django.security", "hanchan.request", "hanchan.query"]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    handler = Lines(console)
    for logger in loggers:
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    yield handler.lines
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)
        logger.removeHandler(handler)


@pytest.mark.postgresql
def test_no_log_has_a_secret(event: Event, logged: list[str], settings: Any):
    card = make(event, 1)[0]
    secrets = {"card": card_token(card.device), "pin": card.pin, "wrong": "918273", "password": "seven winds blow"}
    client = Client(raise_request_exception=False)
    client.post(door(card), {"pin": secrets["wrong"]})
    come_in(card, client)
    account = writer_of(event)
    set_password(password=secrets["password"], by=account)
    for password in ("not " + secrets["password"], secrets["password"]):
        client.post("/login/", {"username": account.username, "password": password})
    secrets["link"] = create_organiser_link()
    client.post(f"/enter/{secrets['link']}/")
    client.post(f"/enter/{secrets['link']}/")
    doors = [door(card), f"/enter/{secrets['link']}/"]
    settings.SECRET_KEY = ""  # from here on both doors break
    broken = Client(raise_request_exception=False)
    assert [broken.post(address, {"pin": card.pin}).status_code for address in doors] == [500, 500]
    told = "\n".join(logged)
    assert told.count("ImproperlyConfigured: The SECRET_KEY setting must not be empty.") == 2
    assert {name for name, secret in secrets.items() if secret in told} == set()


@pytest.mark.postgresql
def test_no_page_of_trouble_and_no_trail_has_a_pin(event: Event):
    card = make(event, 1)[0]
    come_in(card)
    revoke_devices(event=event, by=writer_of(event))
    trail = " ".join(AuditRow.objects.values_list("details", flat=True))
    page = html.unescape(organiser(event).get("/desk/cup/settings/trail/").content.decode())
    assert [where for where in (trail, page) if card.pin in where or card_token(card.device) in where] == []
    assert "added devices at tables 1 (0 is any table)" in page
