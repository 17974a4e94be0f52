"""The penalty register: given by hand, cancelled with a reason, chombo listed beside, refusals in words."""

import json
import re
import uuid
from html import unescape

import pytest

from scoring.entries import Chombo
from tests.factories import enter, make_event, play_round, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import referee, values
from tests.pages.html_reader import text, texts
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.actions import give_penalty
from tournament.penalties.models import Penalty

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/penalties/"


made = module_event(slug="cup", tables=1, rounds=2)


def form(**fields: str) -> dict[str, str]:
    return {"client_id": str(uuid.uuid4()), "player": "2", "amount": "5,000", "reason": "late"} | fields


def rows(page) -> list[str]:
    return texts(page, "tbody")


def penalise(event: Event, number: int = 1, points: int = 1000) -> Penalty:
    return give_penalty(
        player=event.players.get(number=number),
        points=points,
        reason="late",
        client_id=uuid.uuid4(),
        by=writer_of(event),
    )


def test_an_empty_register_says_where_chombo_come_from(event: Event):
    page = referee(event).get(URL)
    assert text(page, ".empty") == "No penalties A chombo is entered at its table and appears here automatically."


@pytest.mark.states("penalty_by_hand")
@pytest.mark.once
@pytest.mark.parametrize(
    ("amount", "points"),
    [("5,000", 5000), ("20P", 20_000), ("2.5p", 2500), ("20 000", 20_000), ("0", 0), ("20'000", 20_000)],
)
def test_a_penalty_is_given_in_points_or_in_p(event: Event, amount: str, points: int):
    client = referee(event)
    assert client.post(URL, form(amount=amount, round="1", clause="EMA 7.3"))["Location"] == URL
    penalty = Penalty.objects.get()
    assert (penalty.points, penalty.player.number, penalty.round.number, penalty.clause) == (points, 2, 1, "EMA 7.3")
    page = client.get(URL)
    assert texts(page, ".note") == [f"Done Birk: {points:,} points off."]
    kind = f"Points {points:,}" if points else "Warning –"
    assert rows(page)[0].endswith(f"round 1 2 Birk {kind} late EMA 7.3 Rita Cancel")


@pytest.mark.once
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"amount": "lots"}, "Write points as 20,000 or as 20P."),
        ({"amount": "2.5"}, "Write points as 20,000 or as 20P."),
        ({"amount": "-5000"}, "Write points as 20,000 or as 20P."),
        ({"player": ""}, "This field is required."),
        ({"player": "9"}, "Select a valid choice. 9 is not one of the available choices."),
        ({"reason": ""}, "This field is required."),
        ({"round": "7"}, "Select a valid choice. 7 is not one of the available choices."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(event: Event, fields: dict[str, str], said: str):
    answer = referee(event).post(URL, form(**fields))
    assert (answer.status_code, texts(answer, ".error")) == (422, [said])
    assert Penalty.objects.count() == 0


@pytest.mark.postgresql
def test_an_amount_beyond_all_books_is_refused_by_the_desk(event: Event):
    answer = referee(event).post(URL, form(amount="101P"))
    said = "101,000 points is not possible; 0 to 100,000 are."
    assert (answer.status_code, texts(answer, "#id_amount_error")) == (422, [said])


def test_the_same_page_sent_twice_gives_one_penalty(event: Event):
    client, data = referee(event), form()
    for _ in range(2):
        assert client.post(URL, data).status_code == 302
    assert Penalty.objects.count() == 1
    assert AuditRow.objects.filter(verb="penalty_given").count() == 1


def test_another_penalty_from_a_page_that_was_sent_already_is_not_lost(event: Event):
    client, data = referee(event), form()
    client.post(URL, data)
    answer = client.post(URL, data | {"player": "3", "reason": "telephone"})
    assert answer.status_code == 422
    assert texts(answer, ".note")[-1] == (
        "Error This page was already sent with other content, which was kept. "
        "Nothing new is written: check it, then send again."
    )
    fresh = values(answer, "client_id")[0]
    assert fresh != data["client_id"]
    assert values(answer, "reason") == ["telephone"]
    assert client.post(URL, data | {"player": "3", "reason": "telephone", "client_id": fresh}).status_code == 302
    assert sorted(Penalty.objects.values_list("player__number", flat=True)) == [2, 3]


def test_a_page_without_its_number_is_too_old(event: Event):
    answer = referee(event).post(URL, form(client_id="x"))
    assert texts(answer, ".note") == ["Error This page is too old to be sent: load it again."]
    assert len(values(answer, "client_id")[0]) == len(str(uuid.uuid4()))


@pytest.mark.follows("during/penalties.md")
def test_a_penalty_is_cancelled_with_a_reason_and_its_row_stays(event: Event):
    penalty = penalise(event, points=8000)
    client = referee(event)
    cancel = f"{URL}{penalty.pk}/cancel/"
    assert text(client.get(cancel), "h1") == "Cancel 8,000 points of Akelei?"
    refused = client.post(cancel, {"reason": " "})
    assert (refused.status_code, texts(refused, ".note")) == (
        422, ["Error A penalty, and cancelling one, needs a reason."],
    )  # fmt: skip
    for _ in range(2):
        assert client.post(cancel, {"reason": "the tram"}).status_code == 302
    assert AuditRow.objects.filter(verb="penalty_cancelled").count() == 1
    page = client.get(URL)
    assert rows(page)[0].endswith("1 Akelei Points 8,000 late cancelled the tram Organiser")
    assert "Total 0" in texts(page, "p")


@pytest.mark.postgresql
def test_a_penalty_of_another_event_is_not_there(event: Event):
    other = penalise(make_event(tables=1, rounds=1))
    assert referee(event).get(f"{URL}{other.pk}/cancel/").status_code == 404


@pytest.mark.once
def test_chombo_stand_beside_and_lead_to_their_table(event: Event):
    enter(table_of(event), "c2 #dead wall touched")
    penalise(event, points=5000)
    page = referee(event).get(URL)
    assert texts(page, "tr")[-1].split(" ", 3)[3] == (
        "round 1, table 1 2 Birk Chombo 20,000 dead wall touched Organiser At its table"
    )
    assert 'href="/desk/cup/rounds/1/tables/1/"' in page.content.decode()
    assert "Total 25,000" in texts(page, "p")


@pytest.mark.usefixtures("others_aside")
@pytest.mark.once
@pytest.mark.parametrize("size", [1, 3])
def test_the_register_asks_the_same_number_of_questions_whatever_its_length(django_assert_num_queries, size: int):
    event = make_event(slug="cup", tables=size, rounds=2)
    play_round(event, 1, "c1", "1t 230")
    for number in range(1, size + 1):
        penalise(event, number)
    client = referee(event)
    with django_assert_num_queries(14):
        client.get(URL)


# ---------------------------------------------------------------- substitutes


def put_in(event: Event) -> None:
    put_substitute_in(
        table=table_of(event),
        player=event.players.get(number=2),
        replacement=Replacement(when="before", reason="ill", name="Kay Fir"),
        client_id=uuid.uuid4(),
        by=writer_of(event),
    )


def test_a_chombo_of_a_substitute_is_listed_under_them_and_charged_by_a_written_act(event: Event):
    put_in(event)
    client = referee(event)
    enter(table_of(event), Chombo(offenders=(1,)))
    page = client.get(URL)
    assert "Kay Fir, for Birk" in rows(page)[0]
    (ask,) = (unescape(link) for link in re.findall(r'href="([^"]*/payer/[^"]*)"', page.content.decode()))
    asked = client.get(ask)
    assert (text(asked, "h1"), text(asked, ".note")) == (
        "Charge Birk?",
        "Note The substitute pays for it now, and Birk nothing.",
    )
    sent = {name: values(asked, name)[-1] for name in ("round", "table", "hand", "player", "payer")}
    refused = client.post(ask.partition("?")[0], sent | {"reason": " "})
    assert (refused.status_code, "To decide who pays needs a reason." in refused.content.decode()) == (422, True)
    for _ in range(2):
        assert client.post(ask.partition("?")[0], sent | {"reason": "agreed"})["Location"] == URL
    assert rows(client.get(URL))[0].endswith(
        "2 Birk Chombo 20,000 Chombo charged for what Kay Fir did: agreed Rita Who pays Cancel"
    )
    back = client.get(f"{ask.partition('?')[0]}?penalty={Penalty.objects.get().pk}")
    assert text(back, "h1") == "Charge Kay Fir, for Birk?"


def test_a_penalty_by_hand_for_a_replaced_round_says_whose_it_is(event: Event):
    put_in(event)
    page = referee(event).post(URL, form(round="1"), follow=True)
    assert "Kay Fir, for Birk: 5,000 points off." in page.content.decode()


def test_who_was_not_replaced_has_nobody_else_to_pay(event: Event):
    penalty = penalise(event)
    assert referee(event).get(f"{URL}payer/?penalty={penalty.pk}").status_code == 404


def test_a_foul_given_at_the_table_names_who_sits_there(event: Event):
    put_in(event)
    client = referee(event)
    address = "/desk/cup/penalties/give/?round=1&table=1"
    assert "Kay Fir, for Birk" in text(client.get(address), ".foul-players")
    page = client.get(f"{address}&player=2&pick=riichi_no_deposit")
    assert text(page, "h3").startswith("Kay Fir, for Birk:")
    assert "It is charged to the substitute: it costs Birk nothing." in page.content.decode()


def test_penalties_that_a_laptop_kept_are_given_once_and_undone_once(event: Event):
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    acts = [
        (first, {"player": "2", "amount": "20P", "reason": "late", "clause": "3.1", "round": "1"}),
        (second, {"player": "3", "amount": "0", "reason": "phone"}),
        (str(uuid.uuid4()), {"undo": first}),
        (str(uuid.uuid4()), {"undo": str(uuid.uuid4())}),
        (str(uuid.uuid4()), {"player": "99", "amount": "1", "reason": "x"}),
        (str(uuid.uuid4()), {"player": "1", "amount": "much", "reason": "x"}),
        (str(uuid.uuid4()), {"player": "1", "amount": "1", "reason": " "}),
    ]
    for _ in range(2):
        answer = referee(event).post(URL, {"acts": json.dumps(acts)}, headers={"Accept": "application/json"})
        assert [len(each["problems"]) for each in answer.json()["answers"]] == [0, 0, 0, 0, 1, 1, 1]
    found = Penalty.objects.order_by("pk").values_list("player__number", "points", "kind", "clause", "cancel_reason")
    assert list(found) == [(2, 20_000, "points", "3.1", "undone at once"), (3, 0, "warning", "", "")]
