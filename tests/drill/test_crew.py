"""A drill for the crews: made by an organiser, answered by its link, read and deleted by organisers alone."""

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from tests.factories import fresh, make_event, writer_of
from tests.pages.at_desk import organiser, referee, values
from tests.pages.html_reader import text, texts
from tournament.calculator.views import event_book
from tournament.core.models import AuditRow
from tournament.core.rate_limits import Limiter
from tournament.drill import actions
from tournament.drill.actions import KEPT, MAX_DRILLS, OPEN, make_drill
from tournament.drill.models import CrewDrill, CrewResult
from tournament.drill.questions import get_drill_rules, key_of, make_questions
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

OTHER = str.maketrans("abcd", "bcda")
COUNT = 6


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> CrewDrill:
    event = make_event(slug="cup", tables=1, rounds=1)
    return make_drill(event=event, seed=7, count=COUNT, kinds=["value", "pay", "foul"], by=writer_of(event))


@pytest.fixture
def drill(made: CrewDrill) -> CrewDrill:
    return CrewDrill.objects.get(pk=made.pk)


@pytest.fixture
def event(drill: CrewDrill) -> Event:
    return fresh(drill.event)


@pytest.fixture
def key(drill: CrewDrill) -> str:
    rules, fouls = get_drill_rules(drill)
    return key_of(make_questions(event_book(rules), fouls, seed=7, count=COUNT, kinds=("value", "pay", "foul")))


def link(drill: CrewDrill) -> str:
    return f"/e/cup/drill/{drill.token}/"


def page_of(drill: CrewDrill) -> str:
    return f"/desk/cup/drills/{drill.pk}/"


def answer(drill: CrewDrill, answers: str, name: str = "Rita", **more: Any) -> Any:
    """Hand in answers, a letter a question and "-" for none, as the page sends them."""
    fields = {f"q{number}": letter for number, letter in enumerate(answers, start=1) if letter != "-"}
    return Client().post(link(drill), {"client_id": str(uuid4()), "name": name} | fields | more)


# ---------------------------------------------------------------- the crew


def test_the_page_asks_all_questions_by_the_events_rules(client: Client, drill: CrewDrill):
    page = client.get(link(drill))
    assert text(page, ".lead") == "By the rules of Cup: EMA 2025. 6 questions; one answer to each is right."
    assert len(texts(page, "h2")) == COUNT
    assert values(page, "q1") == ["a", "b", "c", "d"]
    assert page["Cache-Control"] == "no-store"


def test_who_hands_in_sees_what_was_wrong(drill: CrewDrill, key: str):
    page = answer(drill, key[:4] + key[4:].translate(OTHER))
    assert text(page, ".big") == "4 of 6 right"
    assert [heading[0] for heading in texts(page, "h2")] == ["5", "6"]
    kept = CrewResult.objects.get()
    assert (kept.name, kept.answers) == ("Rita", key[:4] + key[4:].translate(OTHER))


def test_what_is_sent_twice_is_kept_once(drill: CrewDrill, key: str):
    again = str(uuid4())
    assert [text(answer(drill, sent, client_id=again), ".big") for sent in (key, key.translate(OTHER))] == [
        "6 of 6 right",
        "6 of 6 right",
    ]
    assert CrewResult.objects.count() == 1


def test_missing_answers_are_asked_for_once_and_nothing_is_lost(drill: CrewDrill, key: str):
    page = answer(drill, f"{key[0]}-{key[2:4]}--")
    assert (page.status_code, CrewResult.objects.count()) == (422, 0)
    assert texts(page, ".note") == ["Error Without an answer yet: 2, 5 and 6."]
    assert values(page, "name") == ["Rita"]
    assert page.content.decode().count(" checked") == 3
    page = answer(drill, f"{key[0]}-{key[2:4]}--", anyway="1")
    assert text(page, ".big") == "3 of 6 right"


@pytest.mark.parametrize(
    ("sent", "said"),
    [({"name": "  "}, "Write your name first."), ({"client_id": "x"}, "This page is too old")],
)
def test_what_cannot_be_kept_is_refused_in_words(drill: CrewDrill, key: str, sent: dict[str, str], said: str):
    page = answer(drill, key, **sent)
    assert (page.status_code, CrewResult.objects.count()) == (422, 0)
    assert said in texts(page, ".note")[0]


def test_letters_that_are_none_count_as_no_answer(drill: CrewDrill, key: str):
    page = answer(drill, key, q1="abcd", q2="e", anyway="1")
    assert CrewResult.objects.get().answers == f"--{key[2:]}"
    assert text(page, ".big") == "4 of 6 right"


def test_the_link_ends_after_a_week_and_with_a_full_drill(drill: CrewDrill, key: str, monkeypatch):
    with time_machine.travel(timezone.now() + OPEN, tick=False):
        assert answer(drill, key).status_code == 404
    monkeypatch.setattr(actions, "MAX_RESULTS", 0)
    page = answer(drill, key)
    assert "This drill has 0 results" in texts(page, ".note")[0]


def test_a_client_id_of_another_drill_is_refused(event: Event, drill: CrewDrill, key: str):
    other = make_drill(event=event, seed=7, count=COUNT, kinds=["value", "pay", "foul"], by=writer_of(event))
    taken = str(uuid4())
    answer(drill, key, client_id=taken)
    assert answer(other, key, client_id=taken).status_code == 422
    assert other.results.count() == 0


def test_one_address_hands_in_so_often(drill: CrewDrill, key: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(actions, "ANSWERS", Limiter(scope="drill", span=dt.timedelta(minutes=10), network=1))
    assert [answer(drill, key).status_code for _ in range(2)] == [200, 429]


def test_other_tokens_and_other_events_find_nothing(client: Client, drill: CrewDrill):
    make_event(slug="other", tables=1, rounds=1)
    assert client.get("/e/cup/drill/nothing/").status_code == 404
    assert client.get(f"/e/other/drill/{drill.token}/").status_code == 404


def test_a_later_change_of_the_rules_leaves_the_questions(event: Event, drill: CrewDrill, key: str):
    event.rules = {**event.rules, "honba_ron": 1500, "kiriage_mangan": False}
    event.save()
    assert text(answer(drill, key), ".big") == "6 of 6 right"


# ---------------------------------------------------------------- the organiser


@pytest.mark.follows("before/drill.md")
def test_an_organiser_makes_a_drill_and_is_led_to_its_code(event: Event):
    made = organiser(event).post("/desk/cup/drills/", {"count": "20", "kind": ["value", "pay"], "seed": "11"})
    drill = CrewDrill.objects.order_by("-pk")[0]
    assert made["Location"] == page_of(drill)
    assert (drill.seed, drill.count, drill.kinds) == (11, 20, ["value", "pay"])
    page = organiser(event).get(page_of(drill))
    assert link(drill) in text(page, "figcaption")
    assert text(page, ".empty").startswith("No results yet")
    assert AuditRow.objects.filter(event=event, verb="drill_made").count() == 2


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"count": "0", "kind": ["pay"]}, "Error A drill has 1 to 60 questions."),
        ({"count": "61", "kind": ["pay"]}, "Error A drill has 1 to 60 questions."),
        ({"count": "10"}, "Error Choose at least one kind of question."),
    ],
)
def test_an_impossible_drill_is_refused(event: Event, sent: dict[str, Any], said: str):
    page = organiser(event).post("/desk/cup/drills/", sent)
    assert (page.status_code, texts(page, ".note")) == (422, [said])
    assert CrewDrill.objects.count() == 1


@pytest.mark.postgresql
def test_there_are_so_many_drills_at_most_and_old_ones_go(event: Event, drill: CrewDrill, key: str):
    client, form = organiser(event), {"count": "1", "kind": ["pay"], "seed": "1"}
    for _ in range(MAX_DRILLS - 1):
        client.post("/desk/cup/drills/", form)
    assert client.post("/desk/cup/drills/", form).status_code == 422
    answer(drill, key)
    with time_machine.travel(timezone.now() + KEPT + dt.timedelta(minutes=1), tick=False):
        assert organiser(event).post("/desk/cup/drills/", form).status_code == 302
    assert (CrewDrill.objects.count(), CrewResult.objects.count()) == (1, 0)


@pytest.mark.postgresql
def test_results_are_listed_best_first_with_what_was_wrong(event: Event, drill: CrewDrill, key: str):
    answer(drill, key[:5] + key[5].translate(OTHER), "Tom")
    answer(drill, key, "Rita")
    page = organiser(event).get(page_of(drill))
    rows = texts(page, "tr")[1:]
    assert [row.split()[:4] for row in rows] == [["Rita", "6", "of", "6"], ["Tom", "5", "of", "6"]]
    assert texts(page, "h3")[0].startswith("6 · ")
    assert texts(page, "h3")[0].endswith("1 person")


@pytest.mark.postgresql
def test_one_result_or_the_whole_drill_is_deleted(event: Event, drill: CrewDrill, key: str):
    answer(drill, key, "Tom")
    answer(drill, key, "Rita")
    client = organiser(event)
    for sure in ({}, {"sure": "1"}):
        assert CrewResult.objects.count() == 2
        client.post(page_of(drill), {"result": CrewResult.objects.get(name="Tom").pk, **sure})
    assert list(CrewResult.objects.values_list("name", flat=True)) == ["Rita"]
    for sure in ({}, {"sure": "1"}):
        assert CrewDrill.objects.count() == 1
        client.post(page_of(drill), sure)
    assert (CrewDrill.objects.count(), CrewResult.objects.count()) == (0, 0)
    rows = AuditRow.objects.filter(event=event).order_by("-seq")[:2]
    assert [(row.verb, "Tom" in row.details) for row in rows] == [
        ("drill_deleted", False),
        ("drill_result_deleted", False),
    ]


def test_only_organisers_see_results(event: Event, drill: CrewDrill):
    for url in ("/desk/cup/drills/", page_of(drill), f"{page_of(drill)}sheet.pdf"):
        assert referee(event, f"Ref {url}").get(url).status_code == 404
    other = make_event(slug="other", tables=1, rounds=1)
    assert organiser(other).get(f"/desk/other/drills/{drill.pk}/").status_code == 404


def test_an_organiser_prints_the_drill(event: Event, drill: CrewDrill):
    answer = organiser(event).get(f"{page_of(drill)}sheet.pdf")
    assert answer.content.startswith(b"%PDF")
