"""Seasons in words: figures line up, and what is not public has no name in any answer."""

from fractions import Fraction

import pytest
from django.test import Client

from scoring.seasons import Points, SeasonRule
from tests.factories import make_account
from tests.pages.at_desk import client_of
from tests.seasons.evenings import play_evening
from tournament.core.now import now
from tournament.events.models import Event
from tournament.people.models import KnownPerson
from tournament.players.models import Person
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.messages import figure_text
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE, DeclaredRule

pytestmark = [pytest.mark.django_db, pytest.mark.once]

FOUR = ("Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik")
MEAN, SUM = DeclaredRule(SeasonRule(gather="mean")), READY_MADE["sum"]
RANKS = DeclaredRule(SeasonRule("evening", "base_rank"))


@pytest.mark.parametrize(
    ("rule", "figure", "said"),
    [
        (MEAN, 5100, "+5.10"), (MEAN, 2834, "+2.83"), (MEAN, 0, "0.00"), (MEAN, -370, "−0.37"), (MEAN, 5, "0.00"),
        (SUM, 5100, "+5.1"), (SUM, -12_345, "−12.345"), (READY_MADE["mers"], Fraction(2901, 4), "725.2"),
        (RANKS, Fraction(-500, 3), "−166.7"), (RANKS, Fraction(-1, 30), "0.0"), (RANKS, Fraction(-1, 10), "−0.1"),
    ],
)  # fmt: skip
def test_a_mean_has_two_decimals_and_a_rank_one(rule: DeclaredRule, figure: Points, said: str):
    assert figure_text(rule, figure) == said


def test_an_unlisted_evening_is_named_in_no_answer(client: Client):
    events = [play_evening(number, FOUR) for number in (1, 2)]
    Event.objects.filter(pk=events[1].pk).update(name="Farnborough", visibility="unlisted")
    season = create_season(facts=SeasonFacts("Year", SUM), by=make_account())
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=make_account())
    answers = [client.get(f"/s/year/{end}") for end in ("", "how/", "season.csv", "season.json")]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert [answer for answer in answers if b"Farnborough" in answer.content] == []


def test_an_event_in_play_is_not_won(client: Client):
    event = play_evening(1, FOUR, FOUR)
    Event.objects.filter(pk=event.pk).update(visibility="public")
    known = KnownPerson.objects.create(agreed_at=now())
    Person.objects.filter(preferred_name=FOUR[0]).update(known=known)
    assert "Won an event" in client.get(f"/p/{known.uid}/").content.decode()
    Event.objects.filter(pk=event.pk).update(rounds_planned=3)
    assert "Won an event" not in client.get(f"/p/{known.uid}/").content.decode()


def test_a_new_season_is_made_by_its_name_and_rule_alone():
    client = client_of(make_account("Owner", superuser=True))
    page = client.get("/desk/seasons/").content.decode()
    assert 'name="carried"' not in page
    sent = {"name": "Year", "ready": "sum", "unit": "game", "measure": "points", "gather": "sum", "least": "1"}
    assert client.post("/desk/seasons/", {**sent, "visibility": "public"}).status_code == 302
    assert Season.objects.get().carried == {}
