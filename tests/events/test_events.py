"""Events: made with their own rules, which freeze when play begins."""

import datetime as dt
import json

import pytest

from rules.books import load
from tests.factories import DAY, codes_of, enter, make_account, make_event, round_of, table_of, writer_of
from tournament.accounts.models import Membership, Role
from tournament.core.errors import DomainError
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.rounds.actions import start_round
from tournament.rulesets.actions import change_rules

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def make(**values: object) -> Event:
    usual = {"name": "Cup", "date": DAY, "rules_key": "ema-2025", "rounds": 4, "by": make_account()}
    return create_event(**{**usual, **values})  # type: ignore[arg-type]


@pytest.mark.states("event_copy")
def test_an_event_has_its_own_copy_of_the_book_and_its_maker_organises_it():
    by = make_account()
    event = make(name=" Winter Cup ", minutes=60, by=by)
    assert event.date == DAY == dt.date(2026, 9, 12)
    assert (event.slug, event.name, event.version) == ("winter-cup-2026", "Winter Cup", 0)
    assert event.ruleset.minutes == 60
    assert {**event.rules, "minutes": 75} == load("ema-2025").as_json()
    (membership,) = Membership.objects.filter(event=event)
    assert (membership.account, membership.role) == (by, Role.OWNER)
    (audit,) = event.audit.all()
    assert (audit.seq, audit.verb, audit.by) == (1, "event_created", str(by.uid))


def test_a_name_without_latin_letters_still_gives_an_address():
    assert make(name="東京杯").slug == "2026"
    assert make(name="東", slug="tokyo").slug == "tokyo"


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({"name": "  "}, ["event.name_missing"]),
        ({"rules_key": "house"}, ["event.rules_unknown"]),
        ({"rounds": 0}, ["event.rounds_out_of_range"]),
        ({"rounds": 1001}, ["event.rounds_out_of_range"]),
        ({"minutes": -1}, ["event.minutes_out_of_range"]),
        ({"minutes": 601}, ["event.minutes_out_of_range"]),
        ({"slug": "new"}, ["event.exists"]),
        ({"name": "", "rounds": 1099}, ["event.name_missing", "event.rounds_out_of_range"]),
    ],
)
def test_what_cannot_be_is_refused_at_once_and_whole(values: dict[str, object], codes: list[str]):
    with pytest.raises(DomainError) as refusal:
        make(**values)
    assert codes_of(refusal) == codes
    assert not Event.objects.exists()


def test_an_address_is_taken_once():
    make(slug="cup")
    with pytest.raises(DomainError) as refusal:
        make(slug="cup", date=dt.date(2027, 1, 1))
    assert codes_of(refusal) == ["event.exists"]


def test_rules_change_freely_before_play_and_the_difference_is_kept():
    event = make_event()
    before = event.version
    change_rules(event=event, values={"chombo_points": 30_000}, reason="", by=writer_of(event))
    event.refresh_from_db()
    assert event.ruleset.chombo_points == 30_000
    assert event.version == before + 1
    audit = event.audit.latest("seq")
    assert audit.verb == "rules_changed"
    changes = [{"field": "chombo_points", "before": 20_000, "after": 30_000}]
    assert json.loads(audit.details) == {"reason": "", "changes": changes}


def test_the_same_rules_again_change_nothing():
    event = make_event()
    before = (event.version, event.audit.count())
    change_rules(event=event, values={"minutes": event.ruleset.minutes}, reason="", by=writer_of(event))
    event.refresh_from_db()
    assert (event.version, event.audit.count()) == before


@pytest.mark.parametrize("begin", ["start", "hand"])
def test_once_play_has_begun_a_change_wants_a_reason(begin: str):
    event = make_event()
    if begin == "start":
        start_round(round_=round_of(event), by=writer_of(event))
    else:
        enter(table_of(event), "d")
    with pytest.raises(DomainError) as refusal:
        change_rules(event=event, values={"chombo_points": 1}, reason=" ", by=writer_of(event))
    assert codes_of(refusal) == ["rules.frozen"]
    change_rules(event=event, values={"chombo_points": 1}, reason="misprint", by=writer_of(event))
    event.refresh_from_db()
    assert event.ruleset.chombo_points == 1


def test_rules_that_would_not_be_whole_are_refused_in_words():
    event = make_event()
    with pytest.raises(DomainError) as refusal:
        change_rules(event=event, values={"uma": [1, 2]}, reason="", by=writer_of(event))
    assert codes_of(refusal) == ["rules.contradiction"]
    assert dict(refusal.value.problems[0].params) == {"rule": "uma", "why": "has 2 places for 4 players"}


def test_the_number_of_players_stays_once_seats_are_drawn():
    event = make_event()
    three = load("sanmatsuri-2026").as_json()
    with pytest.raises(DomainError) as refusal:
        change_rules(event=event, values=three, reason="", by=writer_of(event))
    assert codes_of(refusal) == ["rules.players_fixed"]
