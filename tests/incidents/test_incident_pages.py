"""Something went wrong: what the page offers in which state and to whom, and what its forms refuse."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import DAY, enter, make_account, make_event, play_round, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee, values
from tests.pages.html_reader import text, texts
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.incidents.models import Substitution
from tournament.pages.forms import likes_of
from tournament.players.actions import NewPlayer, add_players, withdraw_player
from tournament.seating.seat_actions import exchange_players

pytestmark = [
    pytest.mark.once,
    pytest.mark.django_db,
    pytest.mark.usefixtures("template_contexts"),
    pytest.mark.whole_run,
]
URL = "/desk/cup/mishaps/"
AT_TABLE = ["Came late", "Sits in a wrong seat"]
WHOLE = ["Leaves for good", "Is disqualified", "Somebody else played under this name"]


made = module_event(slug="cup", tables=2, rounds=2)


def offered(page: Any) -> list[str]:
    """List what can have happened to the player, by the page's buttons."""
    return [act.title for act in page.context["acts"]]


def replace(event: Event, number: int) -> None:
    put_substitute_in(
        table=table_of(event),
        player=event.players.get(number=number),
        replacement=Replacement(when="before", reason="ill", name="Ida", later=True),
        client_id=uuid4(),
        by=writer_of(event),
    )


def test_what_is_offered_follows_what_has_happened(event: Event):
    client, address = organiser(event), f"{URL}?player=2"
    assert offered(client.get(address)) == ["Did not come", *AT_TABLE, *WHOLE]
    enter(table_of(event), "1t 3 30")
    assert offered(client.get(address)) == ["Cannot finish this game", *AT_TABLE, *WHOLE]
    replace(event, 2)
    assert offered(client.get(address)) == ["Came after all, or the substitute is wrong", *AT_TABLE, "Is back", *WHOLE]
    withdraw_player(player=event.players.get(number=2), reason="ill", by=writer_of(event))
    assert offered(client.get(address)) == [
        "Came after all, or the substitute is wrong", *AT_TABLE, "Is back", *WHOLE[1:],
    ]  # fmt: skip


def test_a_referee_is_offered_what_a_referee_may_do(event: Event):
    page = referee(event).get(f"{URL}?player=2")
    assert offered(page) == ["Did not come", *AT_TABLE]
    assert "Recent actions, and how to undo them" not in texts(page, "h2")


@pytest.mark.usefixtures("others_aside")
def test_before_seats_are_drawn_the_list_itself_is_put_right():
    writer = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=1, slug="cup", by=writer)
    add_players(event=event, players=[NewPlayer("Ana Berg"), NewPlayer("Ana Bergh")], by=writer)
    page = organiser(event).get(f"{URL}?player=2")
    assert offered(page) == ["Does not come", "Is in the list twice, or under a wrong name"]
    assert texts(page, ".like") == ["Similar: Ana Berg (1)"]


def test_a_player_who_is_not_there_is_said(event: Event):
    assert "There is no such player." in texts(organiser(event).get(f"{URL}?player=99"), ".note")[-1]


@pytest.mark.parametrize("end", ["players/99/leaves/", "players/99/back/"])
def test_pages_of_nobody_are_not_there(event: Event, end: str):
    assert organiser(event).get(f"/desk/cup/{end}").status_code == 404


def test_leaving_wants_a_reason_and_a_page_that_knows_its_number(event: Event):
    client, url = organiser(event), "/desk/cup/players/2/leaves/"
    page = client.get(url)
    table = values(page, "table")[0]
    sent = {"table": table, "seats": "substitute", "name": "Ida", "client_id": values(page, "client_id")[0]}
    for data, said in (({**sent}, "needs a reason"), ({**sent, "client_id": "x", "reason": "ill"}, "page")):
        answer = client.post(url, data)
        assert answer.status_code == 422
        assert said in text(answer, ".problems")
    assert not event.players.filter(withdrawn_at__isnull=False).exists()
    assert not Substitution.objects.exists()


@pytest.mark.parametrize(
    ("end", "fields"),
    [
        ("players/2/leaves/", {"seats": "later"}),
        ("players/2/disqualify/", {"shown": "name"}),
        ("rounds/1/tables/1/substitutes/", {"act": "put", "player": "2", "when": "before"}),
        ("seating/swap/", {"round": "1", "one": "1", "other": "6", "seen_one": "1:0", "seen_other": "2:1"}),
        ("wrong-person/", {"one": "1", "other": "6", "round": "1", "seen": "1=1:0=2:1"}),
    ],
)
def test_each_kind_refused_shows_its_page_with_what_was_typed(event: Event, end: str, fields: dict[str, str]):
    sent = {"client_id": str(uuid4()), "name": "Ida", "reason": " ", **fields}
    before = event.audit.count()
    page = organiser(event).post(f"/desk/cup/{end}", sent)
    assert (page.status_code, len(page.context["errors"])) == (422, 1)
    shown = page.context["incident"]
    assert (shown.client_id, shown.name, event.audit.count()) == (sent["client_id"], "Ida", before)


def test_who_has_played_all_signed_games_leaves_without_a_substitute(event: Event):
    play_round(event, 1, "1t 3 30")
    play_round(event, 2, "1t 3 30")
    client = organiser(event)
    page = client.get("/desk/cup/players/2/leaves/")
    assert "No published seat is left to fill." in texts(page, "li")
    client.post("/desk/cup/players/2/leaves/", {"reason": "train", "seats": "substitute", "client_id": str(uuid4())})
    assert (event.players.filter(withdrawn_at__isnull=False).count(), Substitution.objects.count()) == (1, 0)


def test_who_was_never_gone_is_not_back(event: Event):
    page = organiser(event).get("/desk/cup/players/2/back/")
    assert "This player has not left" in texts(page, ".note")[-1]
    assert "Is back" not in texts(page, "button")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("look=1", "Choose two different players."),
        ("one=1&other=1&round=1&look=1", "Choose two different players."),
        ("one=1&other=2&look=1", "Choose at least one round."),
        ("one=1&other=2&round=9&look=1", "Choose at least one round."),
    ],
)
def test_two_names_want_two_people_and_a_round(event: Event, query: str, said: str):
    page = organiser(event).get(f"/desk/cup/wrong-person/?{query}")
    assert page.status_code == 422
    assert said in text(page, ".problems")


@pytest.mark.parametrize("seen", ["", "x", "1=9:9=8:8", "1=1:0", "7=1:0=2:0"])
def test_what_a_page_sends_back_wrongly_changes_nothing(event: Event, seen: str):
    data = {"one": "1", "other": "6", "round": "1", "seen": seen, "reason": "Ana"}
    answer = organiser(event).post("/desk/cup/wrong-person/", data)
    assert answer.status_code == 422
    assert list(event.audit.filter(verb="players_exchanged")) == []


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("tables", [2, 5])
def test_the_page_asks_the_same_number_of_questions_whatever_its_size(django_assert_num_queries: Any, tables: int):
    event = make_event(slug="cup", tables=tables, rounds=2)
    enter(table_of(event), "1t 3 30")
    sign(table_of(event))
    client = organiser(event)
    client.get(f"{URL}?player=2")
    with django_assert_num_queries(16):
        client.get(f"{URL}?player=2")


def test_more_than_two_likes_are_counted():
    people = [(number, f"Ana {name}") for number, name in enumerate(("Adler", "Moss", "Sol", "Wirth"), start=1)]
    assert likes_of(people)[1] == "Similar: Ana Moss (2), Ana Sol (3) and 1 more"


# ---------------------------------------------------------------- what happened while a page was open


@pytest.mark.postgresql
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


def test_whose_seat_is_anothers_by_now_is_not_noted_as_gone_without_a_substitute(event: Event):
    client, address = organiser(event), "/desk/cup/players/2/leaves/"
    fields = {"table": str(table_of(event).pk), "seats": "substitute", "name": "Ida", "reason": "ill"}
    seen = {1: ((1, 1), (2, 2))}
    exchange_players(event=event, one=2, other=7, seen=seen, reason="badges", by=writer_of(event))
    page = client.post(address, {**fields, "client_id": str(uuid4())})
    assert page.status_code == 422
    assert page.context["errors"] == ["Somebody changed these seats meanwhile: check them, then choose again."]
    assert (Substitution.objects.count(), event.players.get(number=2).withdrawn_at) == (0, None)
    act = {**fields, "table": str(table_of(event, 2).pk), "client_id": str(uuid4())}
    assert [client.post(address, act).status_code for _time in range(2)] == [302, 302]
    assert Substitution.objects.count() == 2
