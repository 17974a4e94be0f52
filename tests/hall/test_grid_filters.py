"""The grid's filters, its search and its sheet for paper: what is shown, and that nothing that is missing is hidden."""

import re
from uuid import uuid4

import pytest

from tests.factories import enter, enter_all, make_event, play_round, round_of, sign, table_of, writer_of
from tests.hall.test_grid import grid, shown
from tests.pages.at_desk import client_of, organiser, referee
from tests.pages.html_reader import text, texts
from tournament.calls.actions import answer_call, call_referee, close_call
from tournament.events.models import Event, SecondPerson
from tournament.hall.views import FILTERS, filter_links, groups_of
from tournament.rounds.actions import start_round
from tournament.sheets.actions import reject_sheet

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

OVER = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "1r2 340")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event whose tables 1 to 6 are: without a hand, playing, called to, over, to confirm, sent back."""
    event = make_event(tables=6, rounds=2, slug="cup")
    event.second_person = SecondPerson.OTHER_PERSON
    event.save()
    start_round(round_=round_of(event), by=writer_of(event))
    for number in (2, 3, 5, 6):
        enter(table_of(event, number), "1t 230")
    call_referee(table=table_of(event, 3), client_id=uuid4(), by=writer_of(event))
    enter_all(table_of(event, 4), *OVER)
    for number in (5, 6):
        sign(table_of(event, number))
    referee(event, "Rita")
    other = event.memberships.select_related("account").get(account__display_name="Rita").account
    reject_sheet(table=table_of(event, 6), sheet=1, reason="names", by=other)
    return event


@pytest.mark.parametrize(
    ("show", "tables"),
    [
        ("all", [1, 2, 3, 4, 5, 6]),
        ("waiting", [1]),
        ("playing", [2, 3]),
        ("sheet", [4]),
        ("confirm", [5]),
        ("trouble", [3, 6]),
        ("signed", []),
        ("nonsense", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_a_filter_shows_the_tables_of_its_state(event: Event, show: str, tables: list[int]):
    assert shown(grid(event, f"?round=1&show={show}")) == tables


def test_filters_carry_counts_and_keep_in_the_address(event: Event):
    page = grid(event, "?show=sheet").content.decode()
    links = re.findall(
        r'href="\?([^"]*)"[^>]*data-filter-key="(\w)"[^>]*?( aria-current="true")?>([^<]*?) <b>(\d+)</b>', page
    )
    assert links == [
        ("round=1", "a", "", "All", "6"),
        ("round=1&amp;show=waiting", "w", "", "no hand yet", "1"),
        ("round=1&amp;show=playing", "l", "", "still playing", "2"),
        ("round=1&amp;show=sheet", "s", ' aria-current="true"', "sheet due", "1"),
        ("round=1&amp;show=confirm", "c", "", "to confirm", "1"),
        ("round=1&amp;show=trouble", "t", "", "trouble or call", "2"),
    ]
    assert 'hx-get="/desk/cup/?show=sheet"' in page  # a new version fetches the same choice


def test_a_filter_never_hides_what_is_missing(event: Event):
    pages = [grid(event, query) for query in ("", "?show=confirm", "?show=signed")]
    assert len({text(page, ".grid-missing") for page in pages}) == 1
    assert "table 6 was sent back" in text(pages[1], ".grid-missing")
    hints = [[line for line in texts(page, ".state") if "more" in line] for page in pages]
    assert hints == [[], ["2 more tables with trouble or a call"], ["2 more tables with trouble or a call"]]
    assert text(pages[2], ".empty").startswith("No table to show")


def test_a_called_table_is_in_two_filters_and_time_in_a_third():
    assert groups_of("playing", 1, called=True) == ["playing", "time", "trouble"]
    assert groups_of("released", None, called=False) == ["signed"]
    assert len({letter for _key, letter, _words in FILTERS} - {"p"}) == len(FILTERS)  # p prints
    (only,) = filter_links([], "all", 1)
    assert (only["key"], only["count"]) == ("all", 0)


# ---------------------------------------------------------------- search


def rename(event: Event, number: int, name: str) -> None:
    player = event.players.select_related("person").get(number=number)
    player.person.preferred_name = name
    player.person.save()


def test_accents_are_folded_and_one_match_opens_its_table(event: Event):
    rename(event, 5, "Łucja Śniegocka")
    assert shown(grid(event, "?q=snie+luc")) == [2]
    assert grid(event, "?q=SNIEGOCKA&open=1")["Location"] == "/desk/cup/rounds/1/tables/2/"
    assert grid(event, "?q=4&open=1")["Location"] == "/desk/cup/rounds/1/tables/4/"


def test_several_matches_show_with_the_names_found_whatever_the_filter(event: Event):
    rename(event, 5, "Ania Nowak")
    rename(event, 21, "Ania Kowal")
    page = grid(event, "?q=ania&open=1&show=sheet")
    assert shown(page) == [2, 6]
    assert texts(page, ".tile-found") == ["Ania Nowak", "Ania Kowal"]


def test_words_of_two_people_at_one_table_are_no_match(event: Event):
    rename(event, 5, "Ania Nowak")
    rename(event, 6, "Berta Kowal")
    assert shown(grid(event, "?q=ania+kowal")) == []


# ---------------------------------------------------------------- calls in the navigation


def test_the_tab_of_calls_counts_those_that_are_open(event: Event):
    client = referee(event, "Ben")
    for end in ("", "penalties/", "rounds/1/tables/1/", "calls/"):
        assert texts(client.get(f"/desk/cup/{end}"), ".nav-count") == ["1"]
    call = event.calls.get()
    answer_call(call=call, by=writer_of(event))
    close_call(call=call, ruling="noten", by=writer_of(event))
    page = client.get("/desk/cup/calls/").content.decode()
    assert re.search(r'<a href="/desk/cup/calls/" aria-current="page">Calls<span class="nav-count" [^>]*hidden>0', page)


# ---------------------------------------------------------------- paper


def test_the_sheet_for_paper_holds_every_table_whatever_is_shown(event: Event):
    enter(table_of(event, 2), "d12/2")
    page = grid(event, "?show=confirm")
    rows = texts(page, "tr")
    assert rows[0] == "Table Hand to play Seat 1 Seat 2 Seat 3 Seat 4 Hands so far State"
    assert [row.split()[0] for row in rows[1:]] == ["1", "2", "3", "4", "5", "6"]
    assert rows[2] == (
        "2 East 1 honba 2 · riichi sticks 1 E Efeu 34,500 S Farn 29,500 W Ginster 27,500 N Hasel 27,500 2 playing"
    )
    assert rows[5].endswith("1 ✓ to confirm")
    event.refresh_from_db()
    assert f"version {event.version}" in text(page, ".grid-print")


def test_three_players_print_three_seats():
    event = make_event("sanma-rule-book", tables=1, rounds=1)
    rows = texts(grid(event), "tr")
    assert rows[0] == "Table Hand to play Seat 1 Seat 2 Seat 3 Hands so far State"


@pytest.mark.usefixtures("others_aside")
def test_a_released_round_is_printed_as_it_ended():
    event = make_event(tables=1, rounds=1, slug="cup")
    play_round(event, 1, "1t 230")
    assert texts(organiser(event).get("/desk/cup/?round=1"), "tr")[1].endswith("1 ✓ released")


# ---------------------------------------------------------------- the API


def test_the_api_says_whether_a_sheet_is_confirmed(event: Event):
    client = client_of(writer_of(event))
    found = [client.get(f"/api/v1/events/cup/rounds/1/tables/{number}").json() for number in (2, 5, 6)]
    assert [(table["confirmed"], table["sent_back"]) for table in found] == [
        (False, False), (False, False), (False, True)
    ]  # fmt: skip
    other = make_event(tables=1, rounds=1, slug="plain")
    answer = client_of(writer_of(other)).get("/api/v1/events/plain/rounds/1/tables/1").json()
    assert (answer["confirmed"], answer["sent_back"]) == (None, False)
