"""Check-in by list: tapping a row, typing letters, the count, the filters, undo; nobody is moved by it."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.factories import fresh, make_account, make_event, writer_of
from tests.pages.at_desk import HTMX, organiser, referee
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players, check_in
from tournament.players.models import Player

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/check-in/"
NAMES = ("Zoë Ångström", "Łucja Śniegocka", "Lucio Prado", "Player 2", "Ben Oak", "Ana Elm", "Ivo Ash", "Kim Fir")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    writer = make_account("Organiser")
    made = create_event(name="Cup", date=now().date(), rules_key="ema-2025", rounds=2, slug="cup", by=writer)
    add_players(event=made, players=[NewPlayer(name) for name in NAMES], by=writer)
    return made


@pytest.fixture
def client(event: Event) -> Client:
    return referee(event)


def here(event: Event) -> list[str]:
    found = event.players.filter(checked_in_at__isnull=False).order_by("number")
    return list(found.values_list("person__preferred_name", flat=True))


def post(client: Client, **fields: Any) -> Any:
    return client.post(URL, fields, follow=True)


def names(page: Any) -> list[str]:
    return texts(page, ".check-name")


def test_the_list_goes_by_name_and_counts(client: Client):
    page = client.get(URL)
    assert text(page, "#check-count") == "0 of 8 here"
    assert names(page) == [
        "Ana Elm", "Ben Oak", "Ivo Ash", "Kim Fir", "Lucio Prado", "Łucja Śniegocka", "Player 2", "Zoë Ångström",
    ]  # fmt: skip
    assert texts(page, ".filters") == ["Everybody 8Not here 8Here 0"]


@pytest.mark.follows("during/check-in.md")
def test_tapping_a_row_ticks_it_and_undo_takes_the_tick_back(client: Client, event: Event):
    page = post(client, here="6")
    assert (here(event), text(page, "#check-count")) == (["Ana Elm"], "1 of 8 here")
    assert text(page, ".check-last") == "Ana Elm is here. Undo"
    page = post(client, gone="6")
    assert (here(event), text(page, "#check-count")) == ([], "0 of 8 here")
    assert text(page, ".check-last") == "Ana Elm is not here. Undo"


def test_two_laptops_that_tick_the_same_row_tick_it_once(client: Client, event: Event):
    post(client, here="6")
    post(client, here="6")
    assert here(event) == ["Ana Elm"]
    assert AuditRow.objects.filter(verb="player_checked_in").count() == 1


@pytest.mark.follows("during/check-in.md")
@pytest.mark.parametrize(
    ("typed", "ticked"),
    [("sniego", "Łucja Śniegocka"), (" ÅNG ", "Zoë Ångström"), ("2", "Łucja Śniegocka"), ("prado luc", "Lucio Prado")],
)
def test_a_few_letters_or_the_number_and_enter_tick(client: Client, event: Event, typed: str, ticked: str):
    page = post(client, q=typed)
    assert here(event) == [ticked]
    assert text(page, ".check-last") == f"{ticked} is here. Undo"


def test_letters_of_several_names_tick_nobody_and_show_them(client: Client, event: Event):
    page = post(client, q="luc")
    assert here(event) == []
    assert names(page) == ["Lucio Prado", "Łucja Śniegocka"]
    assert text(page, ".note") == "2 names have these letters: tap the right one."
    assert 'value="luc"' in page.content.decode()


def test_letters_of_nobody_say_so(client: Client, event: Event):
    page = post(client, q="xx")
    assert (here(event), names(page)) == ([], [])
    assert text(page, ".empty").startswith("Nobody in this list has such a name")
    assert names(post(client, q="  ")) == names(client.get(URL))


def test_the_filter_keeps_who_was_just_ticked_in_sight(client: Client, event: Event):
    page = post(client, here="6", show="missing")
    assert names(page)[0] == "Ana Elm"
    page = post(client, here="5", show="missing")
    assert names(page)[0] == "Ben Oak"
    assert names(client.get(f"{URL}?show=here")) == ["Ana Elm", "Ben Oak"]
    assert len(names(client.get(f"{URL}?show=missing"))) == 6
    assert names(client.get(f"{URL}?show=nonsense")) == names(client.get(URL))


def test_enter_looks_only_among_those_that_are_listed(client: Client, event: Event):
    post(client, here="3")
    post(client, q="luc", show="missing")
    assert here(event) == ["Łucja Śniegocka", "Lucio Prado"]


def test_everybody_here_leads_on_to_the_seats(client: Client, event: Event):
    for number in range(1, 9):
        page = post(client, here=str(number))
    assert text(page, "#check-count") == "8 of 8 here"
    assert text(client.get(f"{URL}?show=missing"), ".empty") == "Everybody is here"
    assert "Draw the seats" not in texts(page, ".button")
    assert "Draw the seats" in texts(organiser(event).get(URL), ".button")


def send(client: Client, *acts: tuple[str, dict[str, str]]) -> Any:
    return client.post(URL, {"acts": json.dumps(acts)}, headers={"Accept": "application/json"})


def test_ticks_sent_together_are_each_answered_and_a_repeat_is_no_second_act(client: Client, event: Event):
    player = {number: str(event.players.get(number=number).pk) for number in (1, 2, 6)}
    event.players.filter(number=2).update(withdrawn_at=now())
    first, refused, back = (str(uuid4()) for _ in range(3))
    acts = (
        (first, {"here": "6", "who": player[6]}),
        (refused, {"here": "2", "who": player[2]}),
        (back, {"gone": "6", "who": player[6]}),
        (str(uuid4()), {"here": "1", "who": "999999"}),
    )
    for _ in range(2):
        answer = send(client, *acts).json()
        assert [each["problems"] for each in answer["answers"]] == [
            [],
            ["Łucja Śniegocka has withdrawn from this event and is not checked in."],
            [],
            ["There is no such player."],
        ]
    assert here(event) == []
    ticks = AuditRow.objects.filter(verb__in=("player_checked_in", "player_checked_out")).count()
    assert ticks == 2
    # the number that was shown may be another player's by now: who was meant is told by the row
    send(client, (str(uuid4()), {"here": "1", "who": player[6]}))
    assert here(event) == ["Ana Elm"]


@pytest.mark.postgresql
def test_a_tick_that_changed_nothing_is_known_when_it_is_sent_again(client: Client, event: Event):
    who = str(event.players.get(number=6).pk)
    tick = (str(uuid4()), {"here": "6", "who": who})
    post(client, here="6")
    version = fresh(event).version
    send(client, tick)  # its answer is lost
    assert fresh(event).version == version
    post(client, gone="6")  # by another laptop
    assert send(client, tick).json()["answers"][0]["problems"] == []
    assert here(event) == []
    rows = AuditRow.objects.filter(verb="player_checked_in").order_by("seq")
    assert ["unchanged" in row.details for row in rows] == [False, True]


@pytest.mark.parametrize(
    "acts", ["", "x", "[]", "3", "[[1]]", '[["x",{}]]', json.dumps([[str(uuid4()), {}]] * 51), "[" * 9999]
)
def test_acts_that_cannot_be_read_are_refused_whole(client: Client, event: Event, acts: str):
    answer = client.post(URL, {"acts": acts}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["problems"]) == (422, ["This page is too old to be sent: load it again."])
    assert here(event) == []


def test_who_has_withdrawn_is_not_on_the_list(client: Client, event: Event):
    event.players.filter(number=6).update(withdrawn_at=now())
    assert "Ana Elm" not in names(client.get(URL))
    page = post(client, here="6")
    assert text(page, ".messages") == "Error Ana Elm has withdrawn from this event and is not checked in."
    assert here(event) == []


@pytest.mark.parametrize("typed", ["99", "x", "", "²", "99999999999999"])
def test_a_row_that_is_not_there_is_said(client: Client, event: Event, typed: str):
    assert text(post(client, here=typed), ".messages") == "Error There is no such player."
    assert here(event) == []


@pytest.mark.usefixtures("others_aside")
def test_a_missing_tick_takes_nobody_out():
    event = make_event(slug="cup")
    referee(event).post(URL, {"here": "1"})
    page = organiser(event).get("/desk/cup/")
    assert texts(page, ".step")[0] == "Players done 1 of 8 here"
    assert Player.objects.filter(event=event, withdrawn_at=None).count() == 8
    assert event.rounds.count() == 2


def test_the_fragment_is_the_pages_own(client: Client):
    part = client.get(URL, headers=HTMX).content.decode()
    assert "<html" not in part
    assert 'id="check-in"' in part
    assert 'id="check-name"' not in part  # what somebody types is never swapped away


@pytest.mark.parametrize("more", [0, 8])
def test_the_list_asks_the_same_number_of_questions_whatever_its_length(
    client: Client, event: Event, django_assert_num_queries: Any, more: int
):
    add_players(event=event, players=[NewPlayer(f"More {n}") for n in range(more)], by=writer_of(event))
    with django_assert_num_queries(6):
        client.get(URL)


@pytest.mark.parametrize("page", ["/desk/cup/players/1/", "/desk/cup/mishaps/?player=1"])
def test_the_pages_of_one_player_say_who_is_not_here(event: Event, page: str):
    client = organiser(event)

    def main() -> str:
        return text(client.get(page), "main")

    assert "not here" not in main()  # nobody is ticked yet: the event may not use check-in
    one, two = event.players.select_related("event").order_by("number")[:2]
    check_in(player=two, here=True, by=writer_of(event))
    assert "not here" in main()
    check_in(player=one, here=True, by=writer_of(event))
    assert "not here" not in main()
