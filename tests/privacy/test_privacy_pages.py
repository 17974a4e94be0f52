"""The pages on people's data: ticks of who is shown by name, one person's file, taking data away, and its time."""

import datetime as dt
import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scoring.entries import Correction, Tsumo, Win
from tests.factories import enter, make_account, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.at_desk import client_of, organiser, ticked
from tests.pages.html_reader import texts
from tournament.accounts.actions import set_password
from tournament.accounts.models import Membership, Role
from tournament.backups.config import drop_event_files
from tournament.calls.actions import call_referee, close_call
from tournament.drill.actions import KEPT, make_drill
from tournament.events.actions import set_keep_months
from tournament.events.models import Event
from tournament.privacy.actions import set_names_shown
from tournament.rounds.actions import release_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    event.refresh_from_db()
    return event


@pytest.fixture
def client(event: Event) -> Client:
    return organiser(event)


def shown(event: Event) -> list[int]:
    return [each.number for each in event.players.filter(shown_by_name=True).order_by("number")]


def names(event: Event) -> list[str]:
    return list(event.players.order_by("number").values_list("person__preferred_name", flat=True))


def long_over(event: Event) -> None:
    """Let the event's people be kept for a month after a day that is long gone."""
    event.rounds.update(started_at=dt.datetime(2020, 1, 4, 12, tzinfo=dt.UTC))
    Event.objects.filter(pk=event.pk).update(date=dt.date(2020, 1, 4))
    event.refresh_from_db()
    set_keep_months(event=event, months=1, by=writer_of(event))


# ---------------------------------------------------------------- who is shown by name


def test_the_ticks_of_all_players_are_taken_at_once(client: Client, event: Event):
    page = client.get("/desk/cup/settings/privacy/")
    assert ticked(page)["shown"] == ["1", "2", "3", "4"]
    client.post("/desk/cup/settings/privacy/", {"listed": ["1", "2", "3", "4"], "shown": ["1", "4", "99", "x"]})
    assert shown(event) == [1, 4]
    assert ticked(client.get("/desk/cup/settings/privacy/"))["shown"] == ["1", "4"]
    # who came into the list after the page was drawn has no box on it and stays as they are
    client.post("/desk/cup/settings/privacy/", {"listed": ["2"], "shown": ["2"]})
    assert shown(event) == [1, 2, 4]


@pytest.mark.follows("after/privacy.md")
def test_one_player_is_taken_off_and_put_back(client: Client, event: Event):
    client.post("/desk/cup/players/3/privacy/", {})
    assert shown(event) == [1, 2, 4]
    client.post("/desk/cup/players/3/privacy/", {"shown": "on"})
    assert shown(event) == [1, 2, 3, 4]
    assert client.get("/desk/cup/players/9/privacy/").status_code == 404


# ---------------------------------------------------------------- one person's file


@pytest.mark.postgresql
def test_a_persons_file_comes_as_a_file_of_all_events_that_the_reader_manages(client: Client, event: Event):
    others = [make_event(slug=slug, tables=1, rounds=1) for slug in ("mine", "not-mine")]
    for each in (event, *others):
        each.players.get(number=1).person.__class__.objects.filter(players__event=each, players__number=1).update(
            ema_number="04070011"
        )
    Membership.objects.create(event=others[0], account=writer_of(event), role=Role.ORGANISER)
    Membership.objects.create(event=others[1], account=writer_of(event), role=Role.REFEREE)
    answer = client.get("/desk/cup/players/1/person.json")
    assert answer["Content-Disposition"].startswith('attachment; filename="')
    assert answer["Cache-Control"] == "no-store"
    assert [each["event"]["address"] for each in json.loads(answer.content)["events"]] == ["cup", "mine"]
    page = client.get("/desk/cup/players/1/privacy/").content.decode()
    assert ("/desk/mine/players/1/privacy/" in page, "/desk/not-mine/" in page) == (True, False)


# ---------------------------------------------------------------- taking data away


@pytest.mark.follows("after/privacy.md")
@pytest.mark.postgresql
def test_to_take_a_person_away_is_asked_needs_a_reason_and_removes_files(
    client: Client, event: Event, tmp_path: Path, settings: Any
):
    settings.DATA_DIR = tmp_path
    (tmp_path / "events").mkdir()
    mine, other = tmp_path / "events" / "cup-round-1.json", tmp_path / "events" / "cup-round-2-round-1.json"
    for file in (mine, other):
        file.write_text("Akelei")
    assert texts(client.get("/desk/cup/players/1/forget/"), "h1") == ["Delete the data of Akelei?"]
    client.post("/desk/cup/players/1/forget/", {"reason": " "})
    assert (names(event)[0], mine.exists()) == ("Akelei", True)
    client.post("/desk/cup/players/1/forget/", {"reason": "asked by mail"})
    assert (names(event)[0], mine.exists(), other.exists()) == ("Deleted player 1", False, True)
    assert "Akelei" not in client.get("/desk/cup/players/1/privacy/").content.decode()
    assert "Player 1" in Client().get("/e/cup/standings/").content.decode()
    assert drop_event_files(event, tmp_path / "nowhere") == 0


def test_the_password_is_asked_before_data_is_taken_away(event: Event):
    account = writer_of(event)
    set_password(password="seven winds blow", by=account)
    client = client_of(account)
    with time_machine.travel(timezone.now() + dt.timedelta(minutes=16)):
        for end in ("players/1/forget/", "settings/privacy/forget/"):
            answer = client.post(f"/desk/cup/{end}", {"reason": "asked"})
            assert (answer.status_code, names(event)[0]) == (403, "Akelei")


def test_who_is_no_organiser_sees_none_of_it(event: Event):
    head = make_account("Head")
    Membership.objects.create(event=event, account=head, role=Role.HEAD_REFEREE)
    for end in ("players/1/privacy/", "players/1/person.json", "players/1/forget/", "settings/privacy/"):
        assert client_of(head).get(f"/desk/cup/{end}").status_code == 404


# ---------------------------------------------------------------- how long


@pytest.mark.follows("after/privacy.md")
def test_the_settings_say_when_the_time_is_over_and_a_button_ends_it(client: Client, event: Event):
    assert "was to be deleted by" not in client.get("/desk/cup/settings/").content.decode()
    long_over(event)
    assert "was to be deleted by 4 Feb 2020" in client.get("/desk/cup/settings/").content.decode()
    assert texts(client.get("/desk/cup/settings/privacy/forget/"), "h1") == ["Delete the data of 4 players?"]
    client.post("/desk/cup/settings/privacy/forget/")
    assert names(event) == [f"Deleted player {number}" for number in (1, 2, 3, 4)]
    assert "was to be deleted by" not in client.get("/desk/cup/settings/").content.decode()


@pytest.mark.parametrize(("typed", "status", "months"), [("6", 302, 6), ("", 302, None), ("0", 422, 24)])
def test_how_long_people_are_kept(client: Client, event: Event, typed: str, status: int, months: int | None):
    set_keep_months(event=event, months=24, by=writer_of(event))
    answer = client.post("/desk/cup/settings/privacy/months/", {"months": typed})
    event.refresh_from_db()
    assert (answer.status_code, event.keep_months) == (status, months)


def run(*arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("forget_expired", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.postgresql
def test_the_command_takes_what_is_over_and_first_says_what(event: Event):
    make_event(slug="kept", tables=1, rounds=1)
    assert run() == []
    long_over(event)
    line = {"event": "cup", "kept_until": "2020-02-04", "people": 4}
    assert run("--dry-run") == [{**line, "done": False}]
    assert names(event)[0] == "Akelei"
    assert run() == [{**line, "done": True}]
    assert names(event)[0] == "Deleted player 1"
    assert run() == []


def test_the_command_forgets_drills_that_are_over_at_every_event(event: Event):
    for seed in (7, 8):
        made = make_drill(event=event, seed=seed, count=1, kinds=["pay"], by=writer_of(event))
    event.drills.filter(pk=made.pk).update(made_at=made.made_at - KEPT - dt.timedelta(minutes=1))
    assert run("--dry-run") == [{"event": "cup", "drills": 1, "done": False}]
    assert event.drills.count() == 2
    assert run() == [{"event": "cup", "drills": 1, "done": True}]
    assert (event.drills.get().seed, run()) == (7, [])


def test_what_somebody_typed_names_nobody_who_is_hidden():
    event = make_event(slug="open", tables=2, rounds=1)
    by, table = writer_of(event), table_of(event)
    name = event.players.get(number=1).person.preferred_name
    enter(table, Tsumo(winners=(Win(seat=1, han=2, fu=30),), note=f"{name} laughed"))
    enter(table, Correction(deltas=(1000, -1000, 0, 0), reason=f"the stick of {name}"))
    enter(table_of(event, 2), Correction(deltas=(1000, -1000, 0, 0), reason=f"as for {name}"))
    for number in (1, 2):
        sign(table_of(event, number))
    call = call_referee(table=table, client_id=uuid.uuid4(), by=by)
    close_call(call=call, question=f"May {name} call?", ruling=f"{name} may.", by=by)
    release_round(round_=round_of(event), by=by)
    pages = [
        f"/e/open/{end}" for end in ("players/1/", "players/2/", "?me=2", "rounds/1/tables/1/", "rounds/1/tables/2/")
    ] + [f"/api/v1/events/open/rounds/1/tables/{number}" for number in (1, 2)]

    def naming() -> list[str]:
        return [page for page in pages if name in Client().get(page, follow=True).content.decode()]

    assert naming() == pages
    set_names_shown(event=event, numbers=[1], shown=False, by=by)
    assert naming() == []
    assert "Player 1 may." in Client().get("/e/open/players/2/").content.decode()
    hand = Client().get(pages[-2]).json()["hands"][1]
    assert hand["line"] == "=+1000,-1000,+0,+0 the stick of Player 1"
