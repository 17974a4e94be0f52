"""What other programs read: described, nothing before its time, and from other sites' pages nothing but reading."""

import datetime as dt

import pytest
from django.test import Client

from tests.api.test_api import check_described
from tests.factories import enter_all, make_event, play_round, round_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tournament.events.actions import set_timetable
from tournament.events.models import Event
from tournament.rounds.actions import release_round, start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ELSEWHERE = {"Origin": "https://overlays.example"}


made = module_event("ema-2025", tables=1, rounds=2, slug="cup")


def get(client: Client, end: str, path: str) -> dict[str, object]:
    response = client.get(f"/api/v1/events/cup/{end}")
    check_described(response, path, "get")
    assert response.status_code == 200
    body: dict[str, object] = response.json()
    return body


def test_an_event_says_what_it_is_and_how_far(event: Event, client: Client):
    set_timetable(event=event, starts=[dt.datetime(2026, 9, 12, 8, tzinfo=dt.UTC)], by=writer_of(event))
    start_round(round_=round_of(event), by=writer_of(event))
    body = get(client, "", "/{slug}/")
    started = round_of(event).started_at
    assert started
    assert body["rules"] == {"key": "ema-2025", "title": event.ruleset.title, "players": 4, "minutes": 75}
    assert body["rounds"] == [
        {"round": 1, "state": "running", "planned_start": "2026-09-12T08:00:00+00:00",
         "started_at": started.isoformat(timespec="seconds"), "results": False},
        {"round": 2, "state": "published", "planned_start": None, "started_at": None, "results": False},
    ]  # fmt: skip
    assert get(client, "rounds", "/{slug}/rounds")["rounds"] == body["rounds"]


def test_players_are_named_as_everywhere_and_nothing_more_is_told(event: Event, client: Client):
    player = event.players.select_related("person").get(number=1)
    player.person.legal_name, player.person.ema_number = "Ann Otherwise", "12345678"
    player.person.save()
    body = get(client, "players", "/{slug}/players")
    assert body == {
        "event": "cup",
        "players": [
            {"number": number, "name": name, "ranked": True, "withdrawn": False, "disqualified": False}
            for number, name in enumerate(("Akelei", "Birk", "Cyan", "Distel"), start=1)
        ],
    }


@pytest.mark.usefixtures("others_aside")
def test_a_round_has_seats_once_published_and_figures_once_released(client: Client):
    event = make_event("ema-2025", tables=1, rounds=1, slug="cup", published=False)
    assert client.get("/api/v1/events/cup/rounds/1").status_code == 404
    assert client.get("/api/v1/events/cup/rounds/9").status_code == 404
    event = make_event("ema-2025", tables=1, rounds=1, slug="next")
    path = "/api/v1/events/next/rounds/1"
    enter_all(table_of(event), "2r3 340")
    before = client.get(path)
    check_described(before, "/{slug}/rounds/{round_number}", "get")
    assert [seat["score"] for seat in before.json()["tables"][0]["seats"]] == [None] * 4
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    after = client.get(path).json()
    assert after["state"] == "released"
    assert [(seat["name"], seat["score"], seat["place"]) for seat in after["tables"][0]["seats"]] == [
        ("Akelei", 30000, 2), ("Birk", 35200, 1), ("Cyan", 24800, 4), ("Distel", 30000, 2)
    ]  # fmt: skip


def test_pages_of_other_sites_may_read(event: Event, client: Client):
    for end in ("", "version", "players", "standings", "rounds", "rounds/1"):
        answer = client.get(f"/api/v1/events/cup/{end}", headers=ELSEWHERE)
        assert (end, answer.headers.get("Access-Control-Allow-Origin")) == (end, "*")
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_pages_of_other_sites_may_not_write_nor_see_other_pages(event: Event, client: Client):
    asked = {**ELSEWHERE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-csrftoken"}
    answer = client.options("/api/v1/events/cup/rounds/1/tables/1/entries", headers=asked)
    assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert answer.headers["Access-Control-Allow-Headers"] == "accept, if-none-match"
    for page in ("/", "/e/cup/", "/login/"):
        assert "Access-Control-Allow-Origin" not in client.get(page, headers=ELSEWHERE).headers


def test_a_signed_table_has_the_scores_of_the_page(event: Event, client: Client):
    """A stick that nobody won goes to the first (E25 3.7)."""
    play_round(event, 1, "d1/1")
    body = get(client, "rounds/1/tables/1", "/{slug}/rounds/{round_number}/tables/{table_number}")
    seats, final = body["seats"], body["final"]
    assert isinstance(seats, list)
    assert isinstance(final, dict)
    assert [seat["score"] for seat in seats] == final["scores"] == [33000, 29000, 29000, 29000]
