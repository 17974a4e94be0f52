"""New events, and the settings of one: what differs from its rule set, people, the trail."""

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.test import Client

from rules.books import book_keys
from tests.factories import enter, make_account, set_team, table_of, writer_of
from tests.fixtures import own_event
from tests.pages.at_desk import client_of, organiser, referee, values
from tests.pages.html_reader import text, texts
from tournament.accounts.models import Membership, Role
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players, remove_player
from tournament.rulesets.actions import change_rules

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/settings/"
NEW = {
    "name": "Spring Cup",
    "date": "2026-05-09",
    "rules_key": "ema-2025",
    "rounds": "5",
    "minutes": "",
    "place": "Hall",
}


event = own_event(slug="cup", tables=1, rounds=1)


@pytest.fixture
def site() -> Client:
    return client_of(make_account("Organiser", superuser=True))


# ---------------------------------------------------------------- a new event


def test_every_rule_set_is_offered_with_what_it_is(site: Client):
    page = site.get("/desk/new/")
    assert len(texts(page, ".rule-card")) == len(book_keys())
    assert texts(page, ".rule-card")[:4] == [
        "Rakkii Nomi Spring 2026: 4 players start 30 uma +15 / +5 / −5 / −15 3 red fives 75 minutes",
        "SanMatsuri 2026: 3 players start 30 uma +15 / 0 / −15 2 red fives 60 minutes",
        "EMA 2016: 4 players start 30 uma +15 / +5 / −5 / −15 75 minutes",
        "EMA 2025: 4 players start 30 uma +15 / +5 / −5 / −15 75 minutes",
    ]
    (red,) = [card for card in texts(page, ".rule-card") if card.startswith("EMA 2025 with red fives")]
    assert red.endswith("oka 20 3 red fives ends below zero 75 minutes based on EMA 2025, 4 changes")


@pytest.mark.follows("before/event.md")
def test_a_new_event_takes_the_rule_sets_own_and_goes_on_to_its_players(site: Client):
    assert site.post("/desk/new/", NEW)["Location"] == "/desk/spring-cup-2026/players/"
    event = Event.objects.get()
    assert (event.name, event.date, event.place, event.rounds_planned) == (
        "Spring Cup", dt.date(2026, 5, 9), "Hall", 5,
    )  # fmt: skip
    assert (event.ruleset.key, event.ruleset.minutes) == ("ema-2025", 75)


def test_minutes_of_ones_own_replace_the_books(site: Client):
    site.post("/desk/new/", NEW | {"minutes": "0"})
    assert Event.objects.get().ruleset.minutes == 0


def test_the_same_form_sent_twice_makes_one_event(site: Client):
    site.post("/desk/new/", NEW)
    answer = site.post("/desk/new/", NEW)
    assert (answer.status_code, texts(answer, ".note")) == (
        422, ["Error There is an event at the address 'spring-cup-2026' already."],
    )  # fmt: skip
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"date": "soon"}, "Enter a valid date."),
        ({"rules_key": ""}, "This field is required."),
        ({"rules_key": "none"}, "Select a valid choice. none is not one of the available choices."),
        ({"rounds": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"minutes": "-1"}, "Ensure this value is greater than or equal to 0."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(site: Client, fields: dict[str, str], said: str):
    answer = site.post("/desk/new/", NEW | fields)
    assert (answer.status_code, texts(answer, ".error")) == (422, [said])
    assert values(answer, "place") == ["Hall"]
    assert Event.objects.count() == 0


# ---------------------------------------------------------------- rules in short


def test_an_event_that_changed_nothing_says_so(event: Event):
    page = organiser(event).get(f"{URL}rule-set/")
    assert "All rules are as in EMA 2025." in texts(page, "p")
    assert texts(page, ".rulebook") == []


def test_what_differs_from_the_rule_set_stands_in_a_table(event: Event):
    change_rules(event=event, values={"minutes": 60}, reason="", by=writer_of(event))
    page = organiser(event).get(f"{URL}rule-set/")
    assert texts(page, "h2") == ["1 rule differs from EMA 2025"]
    (table,) = texts(page, ".rulebook")
    assert table == (
        "This event, EMA 2025 Rule This event EMA 2025 Time Minutes from the start to the signal 60 minutes organiser "
        "75 minutes book E25 7.4: a session of 90 minutes with the signal 15 before its end"
    )
    trail = text(organiser(event).get(f"{URL}trail/"), ".trail")
    assert "Organiser changed rules: minutes from the start to the signal: 60 minutes instead of 75 minutes" in trail


# ---------------------------------------------------------------- people and trail


def test_the_trail_says_who_did_what(event: Event):
    enter(table_of(event), "1t 230")
    trail = text(organiser(event).get(f"{URL}trail/"), ".trail")
    assert "Organiser entered a hand at round 1, table 1 (row 1)" in trail
    assert "Organiser published the seats of round 1" in trail


@pytest.mark.parametrize("hands", [1, 3])
def test_the_page_asks_the_same_number_of_questions_whatever_its_size(
    event: Event, django_assert_num_queries, hands: int
):
    for _ in range(hands):
        enter(table_of(event), "1t 230")
    client = organiser(event)
    with django_assert_num_queries(4):
        client.get(URL)
    with django_assert_num_queries(11):
        client.get(f"{URL}trail/")


# ---------------------------------------------------------------- the sections


@pytest.mark.postgresql
def test_every_section_is_one_click_away_and_says_where_it_is(event: Event):
    client = organiser(event)
    links = re.findall(r'<nav class="rooms-nav.*?</nav>', client.get(URL).content.decode(), re.DOTALL)[0]
    urls = re.findall(r'href="([^"]+)"', links)
    assert len(urls) >= 14
    assert "/desk/cup/settings/timetable/" in urls
    for url in urls:
        page = client.get(url)
        assert page.status_code == 200, url
        if "/wall/" not in url:
            assert f'href="{url}" aria-current="page"' in page.content.decode(), url


def test_a_head_referee_finds_the_section_of_devices_alone(event: Event):
    account = make_account("Hedda")
    Membership.objects.create(event=event, account=account, role=Role.HEAD_REFEREE)
    page = client_of(account).get("/desk/cup/devices/").content.decode()
    nav = re.findall(r'<nav class="rooms-nav.*?</nav>', page, re.DOTALL)[0]
    on_day = [f"{URL}rota/", f"{URL}equipment/", "/desk/cup/wall/"]
    assert re.findall(r'href="([^"]+)"', nav) == [*on_day, "/desk/cup/devices/"]


@pytest.mark.postgresql
def test_the_trail_is_searched_and_filtered_and_names_players(event: Event):
    enter(table_of(event), "1t 230")
    set_team(player=event.players.get(number=2), team="Elbe", by=writer_of(event))
    rita = referee(event, "Rita")
    rita.post("/desk/cup/penalties/", {})
    client, url = organiser(event), f"{URL}trail/"
    assert "changed the team of player 2 Birk" in text(client.get(url), ".trail")

    def rows(asked: str) -> list[str]:
        return [said.partition("Organiser ")[2] for said in texts(client.get(url + asked), "tr")[1:]]

    hand = ["entered a hand at round 1, table 1 (row 1)"]
    assert rows("?what=hands") == hand
    assert rows("?q=ROUND 1, table") == hand
    assert rows("?q=BIRK team") == ["changed the team of player 2 Birk"]
    assert rows("?what=players&q=added") == ["added players 1 Akelei, 2 Birk, 3 Cyan and 4 Distel"]
    assert rows("?what=settings") == ["created the event"]
    uid = writer_of(event).uid
    assert len(rows(f"?who={uid}")) == event.audit.count()
    assert rows("?who=nobody") == rows("?since=2200-01-01") == rows("?until=2000-01-01") == []
    assert len(rows("?since=nonsense&what=nonsense&before=x")) == event.audit.count()


def test_a_number_that_belonged_to_somebody_else_then_stays_a_number(site: Client):
    site.post("/desk/new/", NEW)
    made = Event.objects.get()
    add_players(event=made, players=[NewPlayer(name) for name in ("Akelei", "Birk")], by=writer_of(made))
    remove_player(player=made.players.get(number=1), by=writer_of(made))
    trail = text(site.get(f"/desk/{made.slug}/settings/trail/"), ".trail")
    assert "added players 1 and 2" in trail
    assert "Birk" not in trail


def test_a_long_trail_goes_on_with_older_rows(event: Event):
    for number in range(102):
        set_team(player=event.players.get(number=1), team=f"Team {number}", by=writer_of(event))
    client, url = organiser(event), f"{URL}trail/"
    page = client.get(f"{url}?q=team")
    (older,) = re.findall(r'rel="next" href="([^"]*)"', page.content.decode())
    assert len(texts(page, "tr")) == 101
    assert len(texts(client.get(url + html.unescape(older)), "tr")) == 3


@pytest.mark.follows("during/stream.md")
def test_the_stream_page_has_the_addresses_of_the_round(event: Event):
    page = organiser(event).get(f"{URL}stream/")
    assert "http://testserver/e/cup/rounds/1/tables/1/overlay/" in texts(page, "a")
    assert "the strip shows names and the clock only" in text(page, ".note")


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Spring Cup", "spring-cup-2026"), ("Spring Cup 2026", "spring-cup-2026"), ("春", "2026")],
)
def test_the_address_says_the_year_once(site: Client, name: str, slug: str):
    site.post("/desk/new/", NEW | {"name": name})
    assert Event.objects.get().slug == slug


def chosen_at(page: Any) -> list[str]:
    return re.findall(r'name="visibility" value="(\w+)"[^>]* checked', page.content.decode())


def test_a_new_event_is_unlisted_unless_something_else_is_chosen(site: Client):
    assert chosen_at(site.get("/desk/new/")) == ["unlisted"]
    site.post("/desk/new/", NEW)
    event = Event.objects.get()
    assert event.visibility == "unlisted"
    for chosen, offered in (("public", "unlisted"), ("unlisted", "unlisted"), ("draft", "draft")):
        Event.objects.update(visibility=chosen)
        assert chosen_at(site.get("/desk/new/?copy=spring-cup-2026")) == [offered]


def test_a_new_event_is_hidden_from_the_start_if_it_shall_be(site: Client):
    site.post("/desk/new/", NEW | {"visibility": "draft"})
    assert Event.objects.get().visibility == "draft"
    assert Client().get("/e/spring-cup-2026/").status_code == 404
