"""Places in order of arrival, offers with a deadline, nobody twice, and what of it the trail says."""

import dataclasses
import datetime as dt
import json
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from tests.factories import codes_of, writer_of
from tests.sign_ups import TERMS, come, event_with, person, states
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.signup.actions import accept_offer, cancel, confirm, give_place, make_players, set_consent, sign_up
from tournament.signup.models import Letter, SignUp
from tournament.signup.queries import find_by_token, sign_up_token, waiting_place
from tournament.signup.retention import tend_sign_ups
from tournament.signup.settings import set_sign_up_page

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture
def event() -> Event:
    return event_with()


def kinds(sign_up: SignUp) -> list[str]:
    return list(sign_up.letters.order_by("pk").values_list("kind", flat=True))


def later(hours: int) -> dt.datetime:
    return timezone.now() + dt.timedelta(hours=hours)


def test_places_go_by_arrival_and_who_cancels_makes_room(event: Event):
    ada, _ben, cem, dov = come(event, "Ada", "Ben", "Cem", "Dov")
    assert states(event) == {"Ada": "place", "Ben": "place", "Cem": "waiting", "Dov": "waiting"}
    assert [waiting_place(row) for row in (cem, dov)] == [1, 2]
    assert cancel(sign_up=ada)
    assert not cancel(sign_up=ada)
    assert states(event) == {"Ada": "cancelled", "Ben": "place", "Cem": "offered", "Dov": "waiting"}
    assert accept_offer(sign_up=cem)
    assert not accept_offer(sign_up=cem)
    assert kinds(cem) == ["waiting", "offer", "place"]
    with pytest.raises(DomainError) as refused:
        accept_offer(sign_up=dov)
    assert codes_of(refused) == ["sign_up.no_offer"]
    eva = come(event, "Eva")[0]
    assert eva.state == "waiting"
    assert verify_event(event).problems == []


def test_an_offer_lapses_and_the_next_one_is_asked(event: Event):
    ada, _ben, cem, _dov, _eva = come(event, "Ada", "Ben", "Cem", "Dov", "Eva")
    cancel(sign_up=ada)
    with time_machine.travel(later(47), tick=False):
        tend_sign_ups(timezone.localdate())
        assert states(event)["Cem"] == "offered"
    with time_machine.travel(later(49), tick=False):
        tend_sign_ups(timezone.localdate())
        assert list(states(event).values()) == ["cancelled", "place", "cancelled", "offered", "waiting"]
    with time_machine.travel(later(98), tick=False):
        with pytest.raises(DomainError):
            accept_offer(sign_up=cem)
        assert list(states(event).values()) == ["cancelled", "place", "cancelled", "cancelled", "offered"]
    assert kinds(cem) == ["waiting", "offer", "lapsed"]


def test_no_place_is_offered_once_the_event_has_begun(event: Event):
    ada, *_others = come(event, "Ada", "Ben", "Cem")
    with time_machine.travel(later(24 * 61), tick=False):
        cancel(sign_up=ada)
        assert states(event)["Cem"] == "waiting"
        assert give_place(sign_up=event.sign_ups.get(name="Cem"), reason="stood at the door", by=writer_of(event))
    assert states(event)["Cem"] == "place"


def test_sent_twice_is_there_once_and_one_address_has_one_sign_up(event: Event):
    client_id = uuid4()
    first = sign_up(event=event, new=person("Ada"), client_id=client_id, proven=True)
    again = sign_up(event=event, new=person("Ada"), client_id=client_id, proven=True)
    other = sign_up(event=event, new=person("Ada B", mail="ADA@example.org "), client_id=uuid4(), proven=True)
    assert first.pk == again.pk == other.pk
    cancel(sign_up=first)
    assert come(event, "Ada")[0].number == 2


def test_an_ema_number_that_is_there_waits_for_the_organiser(event: Event):
    come(event, "Ada", ema_number="04020001")
    twin = come(event, "Ada Two", ema_number="0402 0001")[0]
    assert (twin.state, kinds(twin)) == ("unconfirmed", ["received"])
    assert confirm(event=event, numbers=[2], by=writer_of(event)) == []
    with pytest.raises(DomainError) as refused:
        give_place(sign_up=twin, reason="asked", by=writer_of(event))
    assert codes_of(refused) == ["sign_up.known"]


def test_without_mail_the_organiser_confirms_in_order_of_arrival(event: Event):
    come(event, "Ada", "Ben", "Cem", "Ada", proven=False)
    assert set(states(event).values()) == {"unconfirmed"}
    assert confirm(event=event, numbers=[3, 1, 2, 4], by=writer_of(event)) == [1, 2, 3]
    listed = list(event.sign_ups.order_by("number").values_list("state", flat=True))
    assert listed == ["place", "place", "waiting", "unconfirmed"]


def test_more_places_are_offered_and_fewer_take_nobody_out(event: Event):
    come(event, "Ada", "Ben", "Cem")
    terms = {"shown": True, "open": True, "places": 3}
    assert set_sign_up_page(event=event, terms=terms, by=writer_of(event))
    assert not set_sign_up_page(event=event, terms=terms, by=writer_of(event))
    assert states(event)["Cem"] == "offered"
    set_sign_up_page(event=event, terms={"shown": True, "open": True, "places": 1}, by=writer_of(event))
    assert list(states(event).values()) == ["place", "place", "offered"]
    with pytest.raises(DomainError):
        give_place(sign_up=come(event, "Dov")[0], reason="a friend", by=writer_of(event))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"name": " "}, "players.name_missing"),
        ({"mail": "ada"}, "contact.mail_unusable"),
        ({"club": "x" * 81}, "entry.text_too_long"),
        ({"ema_number": "12"}, "players.ema_number"),
        ({"country": "Atlantis"}, "sign_up.country_unknown"),
        ({"minor": True, "guardian": "Gus"}, "sign_up.guardian_missing"),
        ({"answers": {"Food": "x" * 301}}, "sign_up.answer_too_long"),
    ],
)
def test_what_cannot_be_is_refused(event: Event, said: dict[str, object], code: str):
    new = dataclasses.replace(person("Ada"), **said)  # type: ignore[arg-type]
    with pytest.raises(DomainError) as refused:
        sign_up(event=event, new=new, client_id=uuid4(), proven=True)
    assert codes_of(refused) == [code]


@pytest.mark.parametrize(
    ("mail", "guardian", "same"),
    [
        ("ada@example.org", "ada@example.org", True),
        ("ada@example.org", " ADA@Example.org ", True),
        ("ada@example.org", "ada+mum@example.org", True),
        ("ada+cup@example.org", "ada+mum@example.org", True),
        ("a.da@gmail.com", "ada@googlemail.com", True),
        ("ada@m\u00fcller.example", "ada@xn--mller-kva.example", True),
        ("a.da@example.org", "ada@example.org", False),  # two boxes at most providers
        ("ada@example.org", "ada@example.net", False),
        ("ada@example.org", "gus@example.org", False),
    ],
)
def test_a_guardian_has_a_mail_of_their_own(event: Event, mail: str, guardian: str, same: bool):
    said = {"minor": True, "guardian": "Gus", "guardian_mail": guardian, "guardian_agrees": True}
    new = dataclasses.replace(person("Ada"), mail=mail, **said)  # type: ignore[arg-type]
    if same:
        with pytest.raises(DomainError) as refused:
            sign_up(event=event, new=new, client_id=uuid4(), proven=True)
        assert codes_of(refused) == ["sign_up.guardian_same_mail"]
    else:
        assert sign_up(event=event, new=new, client_id=uuid4(), proven=True).guardian == "Gus"


def test_closed_is_closed(event: Event):
    for other in (
        dict(TERMS, open=False),
        dict(TERMS, shown=False),
        dict(TERMS, closes_at=timezone.now()),
    ):
        set_sign_up_page(event=event, terms=other, by=writer_of(event))
        with pytest.raises(DomainError) as refused:
            come(event, "Ada")
        assert codes_of(refused) == ["sign_up.closed"]


def test_sign_up_ends_when_the_event_begins_unless_a_time_is_set(event: Event):
    with time_machine.travel(later(24 * 61), tick=False):
        with pytest.raises(DomainError):
            come(event, "Ada")
        on_the_day = dict(TERMS, closes_at=timezone.now() + dt.timedelta(hours=1))
        set_sign_up_page(event=event, terms=on_the_day, by=writer_of(event))
        assert come(event, "Ada")[0].state == "place"


def test_links_are_of_one_person_and_nobody_guesses_them(event: Event):
    ada, ben = come(event, "Ada", "Ben")
    assert find_by_token(event, sign_up_token(ada)) == ada
    number, _dash, seal = sign_up_token(ada).partition("-")
    for token in ("", "1", "1-", f"2-{seal}", f"{number}-{seal[:-1]}", f"{number}-{'0' * 32}", "x-y", "9999999999-a"):
        assert find_by_token(event, token) is None, token
    assert sign_up_token(ben) not in str(list(SignUp.objects.values_list())) + str(list(Letter.objects.values_list()))


def test_the_trail_has_numbers_and_no_names(event: Event):
    ada, *_others = come(event, "Ada Lovelace", "Ben", "Cem")
    cancel(sign_up=ada, reason="Ada Lovelace wrote that she is ill", by=writer_of(event))
    rows = [(row.verb, json.loads(row.details)) for row in event.audit.order_by("seq")][2:]
    assert rows[-2:] == [
        ("sign_up_places_offered", {"sign_ups": [3]}),
        ("sign_up_cancelled", {"sign_up": 1, "reason": "– wrote that she is ill"}),
    ]
    assert "Ada" not in str(rows)


def test_consent_follows_to_the_player_and_a_minor_without_a_guardian_stays_hidden(event: Event):
    ada, ben = come(event, "Ada", "Ben", show_name=True)
    make_players(event=event, by=writer_of(event))
    event.players.filter(person__preferred_name="Ben").update(minor=True, shown_by_name=False, filmed=False)
    for row in (ada, ben):
        set_consent(sign_up=row, show_name=True, photo=True, stream=True)
    assert list(event.players.values_list("shown_by_name", "filmed")) == [(True, True), (False, False)]
    set_consent(sign_up=ada, show_name=False, photo=True, stream=False)
    assert list(event.players.values_list("shown_by_name", "filmed")) == [(False, False), (False, False)]


def test_consent_is_set_by_ones_own_link(event: Event):
    ada = come(event, "Ada")[0]
    assert set_consent(sign_up=ada, show_name=True, photo=True, stream=False)
    assert not set_consent(sign_up=ada, show_name=True, photo=True, stream=False)
    ada.refresh_from_db()
    assert (ada.show_name, ada.photo, ada.stream) == (True, True, False)
