"""Who has a place becomes a player once, even where the list has them already, with consent and guardian."""

import pytest

from tests.factories import make_account, writer_of
from tests.sign_ups import come, event_with
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.signup.actions import EntryResult, cancel, make_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return event_with(places=8)


def listed(event: Event) -> list[tuple[int, str]]:
    return list(event.players.order_by("number").values_list("number", "person__preferred_name"))


def test_who_is_in_the_list_already_is_the_same_person_or_left_out(event: Event):
    known = [NewPlayer("Ada", ema_number="04020001"), NewPlayer("ben"), NewPlayer("Cem", ema_number="04020003")]
    add_players(event=event, players=known, by=writer_of(event))
    come(event, "Ada Moss", ema_number="04020001")  # the number decides
    come(event, "Ben", ema_number="04020002")  # the name, where one of both has no number
    come(event, "Cem", ema_number="04020099")  # somebody else of that name
    come(event, "Dov")
    come(event, "dov", mail="another@example.org")  # two of one name: the second is left out
    assert make_players(event=event, by=writer_of(event)) == EntryResult(added=(4,), found=(1, 2), left_out=(3, 5))
    assert make_players(event=event, by=writer_of(event)) == EntryResult(added=(), found=(), left_out=(3, 5))
    assert listed(event) == [(1, "Ada"), (2, "ben"), (3, "Cem"), (4, "Dov")]


def test_only_places_become_players_and_late_ones_follow(event: Event):
    ada, *_others = come(event, "Ada", "Ben")
    come(event, "Cem", proven=False)
    cancel(sign_up=ada)
    assert make_players(event=event, by=writer_of(event)).added == (2,)
    come(event, "Dov")
    assert make_players(event=event, by=make_account()).added == (4,)
    assert listed(event) == [(1, "Ben"), (2, "Dov")]


def test_consent_and_guardian_go_along(event: Event):
    come(event, "Ada", show_name=True, photo=True, stream=False)
    come(event, "Ben", show_name=False, photo=True, stream=True)
    come(event, "Kid", minor=True, guardian="Gus", guardian_mail="g@example.org", guardian_agrees=True, show_name=True)
    make_players(event=event, by=writer_of(event))
    rows = event.players.order_by("number").values_list("shown_by_name", "filmed", "minor", "guardian")
    assert list(rows) == [(True, False, False, ""), (False, True, False, ""), (True, False, True, "Gus")]
