"""New events, and the settings of one: what differs from its rule set, people, the trail."""

import datetime as dt

import pytest
from django.test import Client

from rules.books import book_keys
from tests.factories import enter, make_account, make_event, table_of, writer_of
from tests.web.at_desk import client_of, organiser, values
from tests.web.shown import texts
from tournament.models import Event
from tournament.services.core.events import change_rules

pytestmark = pytest.mark.django_db

URL = "/desk/cup/settings/"
NEW = {
    "name": "Spring Cup",
    "date": "2026-05-09",
    "rules_key": "ema-2025",
    "rounds": "5",
    "minutes": "",
    "place": "Hall",
}


@pytest.fixture
def event() -> Event:
    return make_event(slug="cup", tables=1, rounds=1)


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
    page = organiser(event).get(URL)
    assert "All rules are as in EMA 2025." in texts(page, "p")
    assert texts(page, ".rulebook") == []


def test_what_differs_from_the_rule_set_stands_in_a_table(event: Event):
    change_rules(event=event, values={"minutes": 60}, reason="", by=writer_of(event))
    page = organiser(event).get(URL)
    assert texts(page, "h3") == ["1 rule is not as in EMA 2025"]
    (table,) = texts(page, ".rulebook")
    assert table == (
        "This event, EMA 2025 Rule This event EMA 2025 Time Minutes from the start to the signal 60 minutes organiser "
        "75 minutes book E25 7.4: a session of 90 minutes with the signal 15 before its end"
    )
    trail = texts(page, "tbody")[-1]
    assert "Organiser changed rules: minutes from the start to the signal: 60 minutes instead of 75 minutes" in trail


# ---------------------------------------------------------------- people and trail


def test_the_trail_says_who_did_what(event: Event):
    enter(table_of(event), "1t 230")
    trail = texts(organiser(event).get(URL), "tbody")[-1]
    assert "Organiser entered a hand at round 1, table 1 (row 1)" in trail
    assert "Organiser published the seats of rounds 1" in trail


@pytest.mark.parametrize("hands", [1, 3])
def test_the_page_asks_the_same_number_of_questions_whatever_its_size(
    event: Event, django_assert_num_queries, hands: int
):
    for _ in range(hands):
        enter(table_of(event), "1t 230")
    client = organiser(event)
    with django_assert_num_queries(8):
        client.get(URL)
