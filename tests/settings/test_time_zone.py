"""Times of an event are shown and typed in its zone, which is named beside them; other pages have the desk's."""

import datetime as dt
import io
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import openpyxl
import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.factories import enter, fresh, make_account, make_event, round_of, table_of, writer_of
from tests.pages.at_desk import HTMX, client_of, organiser, values
from tests.pages.html_reader import text, texts
from tests.relay.at_relay import Sender, at_relay, forget_hall, part_of
from tournament.events.actions import set_details, set_timetable
from tournament.events.models import Event
from tournament.pages.files import get_head
from tournament.paper.choices import PrintRequest
from tournament.paper.views import _making
from tournament.penalties.actions import give_penalty
from tournament.rounds.actions import start_round
from web.templatetags.hanchan import time_zone_name

pytestmark = pytest.mark.django_db

NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)  # 21:00 in Tokyo, 09:30 in St John's
NEW = {"name": "Spring Cup", "date": "2026-05-09", "rules_key": "ema-2025", "rounds": "5", "place": "Hall"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def tokyo() -> Event:
    return playing("tokyo", "Asia/Tokyo")


def playing(slug: str, zone: str) -> Event:
    """Return an event of EMA rules whose first round starts now."""
    event = make_event(slug=slug, tables=1, rounds=2, time_zone=zone)
    set_timetable(event=event, starts=[NOON, NOON + dt.timedelta(hours=2)], by=writer_of(event))
    start_round(round_=round_of(event), by=writer_of(event))
    return fresh(event)


def move(event: Event, zone: str) -> None:
    set_details(event=event, name=event.name, date=event.date, place="", rounds=2, time_zone=zone, by=writer_of(event))


# ---------------------------------------------------------------- set


def test_a_new_event_is_asked_for_its_zone_and_offers_the_desks():
    site = client_of(make_account("Organiser", superuser=True))
    page = site.get("/desk/new/")
    assert values(page, "time_zone") == [settings.TIME_ZONE]
    assert '<option value="America/St_Johns">' in page.content.decode()
    assert site.post("/desk/new/", NEW | {"time_zone": "america/st_johns"}).status_code == 302
    assert Event.objects.get().time_zone == "America/St_Johns"
    copied = site.get(f"/desk/new/?copy={Event.objects.get().slug}")
    assert values(copied, "time_zone") == ["America/St_Johns"]


def test_a_zone_that_nobody_knows_is_said_and_stays_typed():
    site = client_of(make_account("Organiser", superuser=True))
    answer = site.post("/desk/new/", NEW | {"time_zone": "Berlin"})
    assert (answer.status_code, values(answer, "time_zone")) == (422, ["Berlin"])
    said = "No time zone is called Berlin. Choose one of the list, such as Europe/Berlin."
    assert texts(answer, ".error") == [said]
    assert not Event.objects.exists()


def test_the_settings_change_it_with_a_sentence_in_the_trail(tokyo: Event):
    client = organiser(tokyo)
    facts = {"name": "Tokyo", "date": "2026-09-12", "rounds": "2", "place": ""}
    page = client.get("/desk/tokyo/settings/")
    assert values(page, "time_zone") == ["Asia/Tokyo"]
    answer = client.post("/desk/tokyo/settings/", facts | {"time_zone": "Tokio"})
    assert (answer.status_code, fresh(tokyo).time_zone) == (422, "Asia/Tokyo")
    assert client.post("/desk/tokyo/settings/", facts | {"time_zone": "America/St_Johns"}).status_code == 302
    assert fresh(tokyo).time_zone == "America/St_Johns"
    assert "changed the event (time zone: America/St_Johns)" in text(
        client.get("/desk/tokyo/settings/trail/"), ".trail"
    )
    assert values(client.get("/desk/tokyo/settings/timetable/"), "start-1") == ["2026-09-12T21:00"]  # as it was typed


def test_an_hour_is_typed_in_the_events_zone(tokyo: Event):
    page = organiser(tokyo).get("/desk/tokyo/settings/timetable/")
    assert "(Asia/Tokyo (UTC+9))" in text(page, "main")
    fields = {"start-1": "2026-09-12T21:00", "start-2": "2026-09-12T23:30"}
    organiser(tokyo).post("/desk/tokyo/settings/timetable/", fields)
    assert fresh(tokyo).timetable == ["2026-09-12T12:00+00:00", "2026-09-12T14:30+00:00"]


# ---------------------------------------------------------------- shown

PUBLIC = {"/e/{}/": "main", "/e/{}/rounds/": "main", "/e/{}/rounds/1/": "main", "/e/{}/clock/": "main",
          "/e/{}/display/": "main"}  # fmt: skip


@pytest.mark.parametrize("page", PUBLIC)
def test_public_pages_have_the_events_hours_and_name_its_zone(tokyo: Event, page: str):
    away = playing("away", "America/St_Johns")
    for _again in range(2):  # the second time from the cache
        for event, hours, zone in ((tokyo, "2", "Asia/Tokyo (UTC+9)"), (away, "1", "America/St_Johns (UTC−2:30)")):
            said = text(Client().get(page.format(event.slug)), PUBLIC[page])
            assert f"Times in {zone}" in said
            assert said.count("Times in") == 1
            wanted = {"2": ("22:15", "23:00"), "1": ("10:45", "11:30")}[hours]  # the end of round 1, the start of 2
            assert any(hour in said for hour in wanted)
    assert timezone.get_current_timezone() == timezone.get_default_timezone()


def test_a_phone_gets_the_other_hours_when_the_zone_changes(tokyo: Event):
    phone = Client()
    before = phone.get("/e/tokyo/rounds/")
    version = phone.get("/e/tokyo/version/")["ETag"]
    move(tokyo, "America/St_Johns")
    assert phone.get("/e/tokyo/version/")["ETag"] != version
    assert phone.get("/e/tokyo/rounds/", headers={"If-None-Match": before["ETag"]}).status_code == 200
    part = phone.get("/e/tokyo/rounds/", headers=HTMX).content.decode()
    assert ("23:00" in part, "America/St_Johns" in part, "Asia/Tokyo" in part) == (True, True, False)  # the typed hour


def test_desk_pages_and_files_have_the_events_hours(tokyo: Event):
    client = organiser(tokyo)
    enter(table_of(tokyo), "1t 230")
    ada = tokyo.players.get(number=1)
    give_penalty(player=ada, points=1000, reason="late", client_id=uuid4(), by=writer_of(tokyo))
    page = client.get("/desk/tokyo/rounds/1/clock/")
    assert "22:15" in text(page, "main")
    assert texts(page, ".foot")[0].count("Times in Asia/Tokyo (UTC+9)") == 1
    assert "12 Sep 21:00" in text(client.get("/desk/tokyo/penalties/"), "main")
    assert "21:00" in text(client.get("/desk/tokyo/settings/trail/"), "main")
    book = openpyxl.load_workbook(io.BytesIO(client.get("/desk/tokyo/export/results.xlsx").content))
    cells = [str(cell.value) for sheet in book for row in sheet for cell in row if cell.value]
    assert any("21:00" in cell for cell in cells)
    assert not any("12:00" in cell for cell in cells)


def test_a_sheet_printed_again_in_another_zone_is_another_sheet(tokyo: Event):
    def content() -> str:
        event = fresh(tokyo)
        return _making(PrintRequest(event, get_head(event), 1, "http://desk", 0), "player-cards").content

    first = content()
    assert content() == first
    Event.objects.filter(pk=tokyo.pk).update(time_zone="America/St_Johns")
    assert content() != first


def test_a_page_without_an_event_has_the_desks_zone(tokyo: Event):
    client = organiser(tokyo)
    client.get("/desk/tokyo/clock/")
    said = text(client.get("/account/"), "main")
    assert f"Times in {settings.TIME_ZONE}" in said
    with timezone.override("Asia/Tokyo"):
        assert "Asia/Tokyo (UTC+9)" in time_zone_name(None)


def test_a_relay_shows_the_events_hours(tokyo: Event):
    part = part_of(tokyo)
    forget_hall(tokyo)
    cache.clear()
    with at_relay() as client:
        sender = Sender(client, "tokyo")
        sender.send(part)
        assert Event.objects.get(slug="tokyo").time_zone == "Asia/Tokyo"
        said = text(client.get("/e/tokyo/clock/"), "main")
        assert ("22:15" in said, "Times in Asia/Tokyo (UTC+9)" in said) == (True, True)
        other: Any = {**part, "event": {**part["event"], "time_zone": "America/St_Johns"}}
        sender.send(other)
        said = text(client.get("/e/tokyo/clock/"), "main")
        assert ("10:45" in said, "22:15" in said) == (True, False)
