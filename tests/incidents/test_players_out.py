"""Taking players out of the list before seats are drawn: what is gone, what cannot go, and two organisers at once."""

from uuid import uuid4

import pytest

from tests.factories import DAY, make_account, writer_of
from tournament.core.errors import DomainError
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.players.actions import NewPlayer, add_players, remove_last_players, remove_player
from tournament.players.models import Person
from tournament.players.queries import list_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    by = make_account("Organiser")
    found = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)
    names = ("Akelei", "Birk", "Cyan", "Distel")
    add_players(event=found, players=[NewPlayer(name) for name in names], by=by)
    return found


def listed(event: Event) -> list[tuple[int, str]]:
    return [(row.number, row.name) for row in list_players(event)]


def test_whom_the_register_names_is_not_taken_out(event: Event):
    by, before = writer_of(event), listed(event)
    player = event.players.select_related("event").get(number=4)
    give_penalty(player=player, points=0, reason="late", client_id=uuid4(), by=by)
    with pytest.raises(DomainError) as refusal:
        remove_last_players(event=event, numbers=[3, 4], by=by)
    assert [(each.code, each.params) for each in refusal.value.problems] == [
        ("players.has_penalty", {"name": "Distel"})
    ]
    with pytest.raises(DomainError) as refusal:
        remove_player(player=player, by=by)
    assert [each.code for each in refusal.value.problems] == ["players.has_penalty"]
    assert (listed(event), Person.objects.count()) == (before, 4)


def test_who_is_taken_out_leaves_no_name_behind(event: Event):
    by = writer_of(event)
    remove_last_players(event=event, numbers=[3, 4], by=by)
    remove_player(player=event.players.select_related("event").get(number=1), by=by)
    assert listed(event) == [(1, "Birk")]
    assert list(Person.objects.values_list("preferred_name", flat=True)) == ["Birk"]


def test_two_organisers_take_two_players_out_at_once(event: Event):
    by = writer_of(event)
    first, third = event.players.select_related("event").filter(number__in=(1, 3)).order_by("number")
    again = event.players.select_related("event").get(number=1)
    remove_player(player=first, by=by)
    remove_player(player=third, by=by)
    remove_player(player=again, by=by)
    assert listed(event) == [(1, "Birk"), (2, "Distel")]
    assert list(event.audit.order_by("seq").values_list("details", flat=True))[-2:] == ['{"number":1}', '{"number":2}']
