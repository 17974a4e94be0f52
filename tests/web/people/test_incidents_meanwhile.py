"""A page for somebody who leaves or is back, and what happened at the table while it was open: refused in words."""

from uuid import uuid4

import pytest

from tests.factories import enter, make_event, table_of, writer_of
from tests.web.at_desk import organiser
from tournament.models import Event, Substitution
from tournament.services.draws.seats import exchange_players
from tournament.services.people.people import withdraw_player
from tournament.services.people.substitutions import Replacement, put_substitute_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event(slug="cup", tables=2, rounds=2)


@pytest.mark.usefixtures("template_contexts")
def test_who_is_back_is_told_that_play_has_begun_meanwhile(event: Event):
    player, by = event.players.select_related("event").get(number=2), writer_of(event)
    withdraw_player(player=player, reason="ill", by=by)
    wanted = Replacement(when="before", reason="ill", name="Ida")
    put_substitute_in(table=table_of(event), player=player, replacement=wanted, client_id=uuid4(), by=by)
    client, address = organiser(event), "/desk/cup/players/2/back/"
    assert "Ida" in client.get(address).content.decode()
    enter(table_of(event), "1t 3 30")
    page = client.post(address, {"reason": "here", "round": ["1"]})
    assert page.status_code == 422
    assert page.context["errors"] == ["Play has begun at table 1 of round 1: take that substitute out at the table."]
    player.refresh_from_db()
    assert player.withdrawn_at is not None
    assert client.post(address, {"reason": "here"}).status_code == 302
    assert Substitution.objects.filter(cancelled_at=None).count() == 1


@pytest.mark.usefixtures("template_contexts")
def test_whose_seat_is_anothers_by_now_is_not_noted_as_gone_without_a_substitute(event: Event):
    client, address = organiser(event), "/desk/cup/players/2/leaves/"
    fields = {"table": str(table_of(event).pk), "seats": "substitute", "name": "Ida", "reason": "ill"}
    seen = {1: ((1, 1), (2, 2))}
    exchange_players(event=event, one=2, other=7, seen=seen, reason="badges", by=writer_of(event))
    page = client.post(address, {**fields, "client_id": str(uuid4())})
    assert page.status_code == 422
    assert page.context["errors"] == ["Somebody changed these seats meanwhile: look at them, then choose again."]
    assert (Substitution.objects.count(), event.players.get(number=2).withdrawn_at) == (0, None)
    act = {**fields, "table": str(table_of(event, 2).pk), "client_id": str(uuid4())}
    assert [client.post(address, act).status_code for _time in range(2)] == [302, 302]
    assert Substitution.objects.count() == 2
