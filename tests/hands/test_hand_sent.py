"""What a laptop is told that kept hands until the desk answered: JSON at the address of the hand page, in words."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories import enter_all, last_seq, make_event, rows_of, table_of
from tests.fixtures import module_event
from tests.pages.at_desk import HTMX, referee, table_url
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db]

# East 1 to South 4, where the dealer wins once and plays on
NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")
KEYS = {"seq", "last_seq", "problems", "between", "page", "goes_on", "facts"}


made = module_event(slug="cup", tables=2, rounds=1)


def send_kept(client: Any, event: Event, line: str, *, seen: int, page: bool = False, **fields: Any) -> Any:
    """Send a hand as static/hands/outbox.js does."""
    data = {"client_id": str(uuid4()), "expected_seq": seen, "line": line, **fields}
    headers = {"Accept": "application/json", **(HTMX if page else {})}
    return client.post(table_url(event), data, headers=headers)


def told(answer: Any) -> tuple[int, int, int, list[str], list[str], bool]:
    """Return status, seq, last_seq, problems, what came between, and whether a page came along."""
    said = answer.json()
    return (answer.status_code, said["seq"], said["last_seq"], said["problems"], said["between"], bool(said["page"]))


def test_a_written_hand_tells_its_row(event: Event) -> None:
    answer = send_kept(referee(event), event, "2r3 340", seen=0)
    assert told(answer) == (200, 1, 1, [], [], False)
    assert set(answer.json()) == KEYS


def test_the_fragment_comes_where_the_table_is_on_screen(event: Event) -> None:
    page = send_kept(referee(event), event, "2r3 340", seen=0, page=True).json()["page"]
    assert page.lstrip().startswith('<div class="stack" id="table-page"')
    assert page.count("is-new") == 1


def test_a_hand_sent_again_tells_the_same_row_although_another_came_after_it(event: Event) -> None:
    client, number = referee(event), str(uuid4())
    first = send_kept(client, event, "2r3 340", seen=0, client_id=number)
    enter_all(table_of(event), "1t 230")
    again = send_kept(client, event, "2r3 340", seen=0, client_id=number)
    assert [told(each)[:3] for each in (first, again)] == [(200, 1, 1), (200, 1, 2)]
    assert len(rows_of(table_of(event))) == 2


def test_a_hand_that_cannot_be_is_refused_in_words_under_the_same_number(event: Event) -> None:
    number = str(uuid4())
    answer = send_kept(referee(event), event, "2r3 3", seen=0, client_id=number)
    assert told(answer) == (422, 0, 0, ["3 han needs its fu."], [], False)
    assert answer.json()["client_id"] == number
    assert rows_of(table_of(event)) == []


@pytest.mark.usefixtures("others_aside")
def test_a_warning_wants_a_reason() -> None:
    event = make_event("rakkii-nomi-2026", slug="nomi", tables=1, rounds=1)
    client = referee(event)
    refused = send_kept(client, event, "n4d23/2", seen=0)
    assert refused.status_code == 422
    assert refused.json()["problems"][0].startswith("Nagashi mangan needs a closed hand")
    assert send_kept(client, event, "n4d23/2", seen=0, reason="closed").status_code == 200


def test_what_came_between_is_told(event: Event) -> None:
    enter_all(table_of(event), "1t 230")
    client = referee(event)
    answer = send_kept(client, event, "2r3 340", seen=0)
    status, seq, last, problems, between, page = told(answer)
    assert (status, seq, last, problems, page) == (409, 0, 1, [], False)
    assert [words.partition(" (")[0] for words in between] == ["1. Akelei"]
    assert send_kept(client, event, "2r3 340", seen=last).status_code == 200


def test_a_number_that_was_sent_with_another_hand_gets_a_new_one(event: Event) -> None:
    client, number = referee(event), str(uuid4())
    send_kept(client, event, "2r3 340", seen=0, client_id=number)
    answer = send_kept(client, event, "1t 230", seen=1, client_id=number)
    assert answer.status_code == 409
    assert answer.json()["client_id"] not in {"", number}
    assert last_seq(table_of(event)) == 1


def test_a_correction_that_later_hands_do_not_bear_goes_on(event: Event) -> None:
    enter_all(table_of(event), *NINE)
    answer = send_kept(referee(event), event, "1t 230", seen=9, hand=8, page=True)
    said = answer.json()
    assert (answer.status_code, said["problems"], said["goes_on"]) == (
        422, ["Hand 9 would no longer fit: the game would be over before it."], True,
    )  # fmt: skip
    assert said["page"].count("Correct hands") == 1


@pytest.mark.postgresql
def test_a_forgotten_hand_tells_the_last_row_of_its_act(event: Event) -> None:
    enter_all(table_of(event), "1t 230", "d")
    answer = send_kept(referee(event), event, "2r3 340", seen=2, before=1, reason="forgotten")
    assert told(answer)[:3] == (200, last_seq(table_of(event)), last_seq(table_of(event)))
    assert last_seq(table_of(event)) > 3


def test_a_browser_gets_pages(event: Event) -> None:
    data = {"client_id": str(uuid4()), "expected_seq": 0, "line": "2r3 340"}
    answer = referee(event).post(
        table_url(event), data, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    )
    assert (answer.status_code, answer["Location"]) == (302, table_url(event))


def test_somebody_who_is_signed_out_is_sent_to_the_door(event: Event) -> None:
    client = referee(event)
    client.logout()
    answer = send_kept(client, event, "2r3 340", seen=0)
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/login/")
