"""Before seats are drawn numbers close up: a page that is sent twice or late must not mean the next player."""

from uuid import uuid4

import pytest

from tests.factories import DAY, make_account
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.players.actions import NewPlayer, add_players, remove_player
from tournament.players.queries import list_players

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    by = make_account("Organiser")
    found = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)
    names = ("Akelei", "Birk", "Cyan", "Distel")
    add_players(event=found, players=[NewPlayer(name) for name in names], by=by)
    return found


def names(event: Event) -> list[str]:
    return [row.name for row in list_players(event)]


def test_taken_out_twice_is_once(event: Event):
    client = organiser(event)
    address = "/desk/cup/players/2/"
    who = values(client.get(address), "who")
    fields = {"act": "remove", "who": who[-1]}
    client.post(address, fields)
    page = client.post(address, fields, follow=True)
    assert names(event) == ["Akelei", "Cyan", "Distel"]
    assert text(page, ".messages") == (
        "Done Birk is taken out. Error The list has changed meanwhile: check it, then choose again."
    )
    client.post(address, {"name": "Birke", "who": who[0]})
    assert names(event) == ["Akelei", "Cyan", "Distel"]
    fourth = "/desk/cup/players/3/"
    fields["who"] = values(client.get(fourth), "who")[-1]
    client.post(fourth, fields)
    assert client.post(fourth, fields)["Location"] == "/desk/cup/players/"
    assert names(event) == ["Akelei", "Cyan"]


@pytest.mark.postgresql
def test_a_tick_on_an_old_list_ticks_nobody_else(event: Event):
    client, address = organiser(event), "/desk/cup/check-in/"
    (listed,) = values(client.get(address), "listed")
    remove_player(player=event.players.select_related("event").get(number=1), by=make_account())
    page = client.post(address, {"here": "2", "listed": listed}, follow=True)
    said = "Error Somebody was taken out, and numbers moved up: tap the name once more."
    assert text(page, ".messages") == said
    assert [row.here for row in list_players(event)] == [False, False, False]
    (listed,) = values(page, "listed")
    add_players(event=event, players=[NewPlayer("Efeu")], by=make_account())
    client.post(address, {"here": "1", "listed": listed})
    assert [row.name for row in list_players(event) if row.here] == ["Birk"]


def test_whom_the_register_names_can_leave_instead(event: Event):
    client, address, player = organiser(event), "/desk/cup/players/4/", event.players.get(number=4)
    assert "Leaves for good" not in text(client.get(address), "main")
    give_penalty(player=player, points=0, reason="late", client_id=uuid4(), by=make_account())
    page = client.post(address, {"act": "remove", "who": str(player.pk)}, follow=True)
    assert text(page, ".messages") == (
        "Error Distel is in the register of penalties, where every row is kept. Leave the name in the list and note"
        " “Has left” at the player: then no seat is drawn for it."
    )
    assert client.get(address).content.count(b"/players/4/leaves/") == 1
    client.post(f"{address}leaves/", {"client_id": str(uuid4()), "reason": "not here"})
    assert client.get(address).content.count(b"/players/4/back/") == 1
    assert [row.withdrawn for row in list_players(event)] == [False, False, False, True]
    fields = {"number": ["4"]}
    assert client.post("/desk/cup/players/import/back/", fields, follow=True).status_code == 200
    assert client.post("/desk/cup/players/import/back/", {"number": ["9" * 400]}).status_code == 302
