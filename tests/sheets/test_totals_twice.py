"""Sheets without hands that two people type: who may see what of the first entry, what counts, who decides."""

import re
from typing import Any
from uuid import uuid4

import pytest

from tests.factories import fresh, make_event, writer_of
from tests.pages.at_desk import organiser, referee, table_url, values
from tests.pages.html_reader import text, texts
from tests.sheets.at_totals import PILE, RIGHT, fields, post, type_first, url
from tournament.events.actions import set_second_person
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of three tables at which nothing is entered; its sheets are typed twice."""
    event = make_event(tables=3, rounds=1, slug="cup")
    set_second_person(event=event, second_person="blind", by=writer_of(event))
    event.refresh_from_db()
    return event


@pytest.fixture
def blind(made: Event) -> Event:
    return fresh(made)


def counts(*thousands: int) -> str:
    """Return a pattern of these counts, which end in 700 or 300, however they are written; no address or key is one."""
    return rf"\b(?:{'|'.join(map(str, thousands))})(?:[,.\s]?[37]00|[,.][37])\b"


def test_a_first_entry_is_shown_to_its_writer_alone(blind: Event):
    type_first(blind, 47_700, 32_300, 22_300, 17_700)
    mine, other = organiser(blind).get(url(blind)), referee(blind).get(url(blind))
    assert texts(mine, ".was-typed")[0] == "47,700"
    assert re.search(counts(47), mine.content.decode())
    assert text(mine, ".sheet-note").startswith(
        "You typed this sheet. It counts when another person has typed the same"
    )
    assert text(other, ".sheet-note").startswith("Organiser has typed this sheet. Type it from the paper yourself")
    for page in (other, referee(blind, "Sven").get(PILE), referee(blind, "Tove").get("/desk/cup/")):
        assert not re.search(counts(47, 22, 17), page.content.decode().partition("<main")[2])


@pytest.mark.postgresql
def test_the_second_who_agrees_makes_it_count(blind: Event):
    type_first(blind, 45_200, 30_000, 28_000, 16_800)
    client = referee(blind)
    assert post(client, blind, *RIGHT)["Location"] == f"{PILE}?after=1"
    assert text(client.get(url(blind)), ".sheet-note") == "Entered only from its sheet, and confirmed."
    assert text(client.get(table_url(blind, end="confirm/")), "caption").startswith("Signed by Organiser, ")


def test_a_laptop_that_kept_a_first_entry_is_told_that_it_is_in(blind: Event):
    answer = referee(blind).post(url(blind), fields(*RIGHT), headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["seq"], answer.json()["last_seq"]) == (200, 0, 0)
    assert "45" not in str(answer.json())


def test_the_same_account_is_refused_with_words(blind: Event):
    client = referee(blind)
    post(client, blind, *RIGHT)
    page = post(client, blind, *RIGHT)
    assert page.status_code == 422
    assert text(page, ".problems") == (
        "Error You typed the sheet of table 1 first yourself: another person types it again."
    )
    assert values(client.get(f"{url(blind)}?again=1"), "again") == ["1"]
    assert post(client, blind, *RIGHT, again="1").status_code == 302


def test_where_two_differ_the_seats_are_said_and_no_numbers(blind: Event):
    type_first(blind, 45_200, 28_000, 30_000, 16_800)
    second = referee(blind)
    assert post(second, blind, *RIGHT)["Location"] == url(blind)
    for client in (second, organiser(blind)):
        page = client.get(url(blind))
        assert text(page, ".sheet-note").startswith(
            "Two people read this sheet differently: Birk (seat 2) and Cyan (seat 3). Look at the sheet again"
        )
        assert [values(page, f"count-{seat}") for seat in range(4)] == [[""]] * 4
        assert not re.search(r"45[,.]2|28[,.]0", page.content.decode().partition("<main")[2].replace("45.2</kbd>", ""))
    assert "Show both and decide" in organiser(blind).get(url(blind)).content.decode()
    assert "Show both and decide" not in second.get(url(blind)).content.decode()
    assert post(second, blind, "45.2", "28.0", "30.0", "16.8", again="1")["Location"] == f"{PILE}?after=1"


@pytest.mark.follows("during/totals.md")
def test_an_organiser_sees_both_and_decides(blind: Event):
    type_first(blind, 45_200, 28_000, 30_000, 16_800)
    second, client = referee(blind), organiser(blind)
    post(second, blind, *RIGHT)
    address = url(blind, end="decide/")
    assert second.get(address).status_code == 404
    page = client.get(address)
    assert texts(page, ".is-differing") == ["SSouth Birk 28,000 30,000", "WWest Cyan 30,000 28,000"]
    assert "Likely exchanged: Birk and Cyan." in text(page, "main")
    chosen = {"client_id": str(uuid4()), "expected_seq": "0", "typed": "2", "reason": ""}
    page = client.post(address, chosen)
    assert (page.status_code, text(page, ".problems")) == (422, "Error Deciding between two entries needs a reason.")
    page = client.post(address, {**chosen, "reason": "the paper"}, follow=True)
    assert text(page, ".messages").startswith("Done Table 1: Akelei 45,200 (1) · Birk 30,000 (2)")
    trail = texts(client.get("/desk/cup/settings/trail/"), "td")
    assert "decided between two entries of the sheet of round 1, table 1: the paper" in trail
    assert client.get(address)["Location"] == url(blind)


def test_the_desk_says_which_tables_wait_for_the_second_entry(blind: Event):
    for number in (1, 3):
        type_first(blind, 45_200, 30_000, 28_000, 16_800, table=number)
    page = referee(blind).get("/desk/cup/")
    assert text(page, ".grid-missing") == "Table 2 has no hand yet; tables 1 and 3 wait for the second entry."
    assert texts(page, ".state")[:3] == ["second entry", "no hands yet", "second entry"]
    assert "Type the sheet of table 1" in texts(page, ".button")
    assert "Type the sheet of table 1" not in texts(organiser(blind).get("/desk/cup/"), ".button")
    post(referee(blind, "Sven"), blind, "45.2", "28.0", "30.0", "16.8")
    page = referee(blind, "Tove").get("/desk/cup/")
    assert "table 1 has two entries that differ" in text(page, ".grid-missing")
    assert texts(page, ".state")[0] == "entries differ"


def test_nothing_of_a_first_entry_is_public(blind: Event, client: Any):
    pages = [
        "/e/cup/", "/e/cup/standings/", "/e/cup/rounds/", "/e/cup/rounds/1/", "/e/cup/rounds/1/tables/1/",
        "/e/cup/players/1/", "/e/cup/display/", "/api/v1/events/cup/standings", "/api/v1/events/cup/rounds/1/tables/1",
    ]  # fmt: skip

    def shown() -> list[tuple[int, str]]:
        found = [client.get(page) for page in pages]
        return [
            (page.status_code, re.sub(r"\d{2}:\d{2}|data-server-now=\S+", "", page.content.decode())) for page in found
        ]

    type_first(blind, 77_700, 22_300, 11_100, 8_900)
    said = " ".join(words for _status, words in shown())
    assert not re.search(rf"{counts(77, 47)}|second entry|sheet is typed", said)


@pytest.mark.usefixtures("others_aside")
def test_who_confirms_can_be_set_to_blind():
    event = make_event(tables=2, rounds=1, slug="cup")
    client = organiser(event)
    page = client.post("/desk/cup/settings/second-person/", {"second_person": "blind"}, follow=True)
    event.refresh_from_db()
    assert (event.types_twice, event.confirms) == (True, True)
    assert "set who confirms signed sheets: another person, typing blind" in texts(
        client.get("/desk/cup/settings/trail/"), "td"
    )
    assert re.search(r'value="blind" checked', page.content.decode())
