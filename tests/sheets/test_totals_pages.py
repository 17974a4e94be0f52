"""The pages for sheets without hands: the pile, the form, gaps in words; the same without scripts."""

import re
from typing import Any

import pytest

from tests.factories import enter_all, make_event, play_round, rows_of, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee, table_url, values
from tests.pages.html_reader import text, texts
from tests.sheets.at_totals import PILE, RIGHT, fields, gap, post, url
from tournament.events.actions import set_sheet_numbers
from tournament.events.models import Event
from tournament.sheets.models import TypedSheet

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


made = module_event(tables=3, rounds=1, slug="cup")


# ---------------------------------------------------------------- the pile


def test_the_pile_says_what_is_next(event: Event):
    client = referee(event)
    enter_all(table_of(event, 2), "1t 230")
    page = client.get(PILE)
    assert text(page, "#pile-said") == (
        "Press Enter for table 1: the next one with neither hands nor a sheet. 2 are due."
    )
    assert texts(page, ".pile-state") == ["sheet due", "has hands", "sheet due"]
    answer = post(client, event, *RIGHT)
    assert answer["Location"] == f"{PILE}?after=1"
    page = client.get(answer["Location"])
    assert text(page, ".messages") == (
        "Done Table 1: Akelei 45,200 (1) · Birk 30,000 (2) · Cyan 28,000 (3) · Distel 16,800 (4)."
    )
    assert text(page, "#pile-said") == "Press Enter for table 3, the last one that is due."
    assert text(page, "#pile-release") == ""
    assert client.get(f"{PILE}?after=1&table=")["Location"] == url(event, 3)
    assert client.get(f"{PILE}?after=1&table=2")["Location"] == url(event, 2)
    page = client.get(f"{PILE}?table=9")
    assert text(page, ".messages") == "Error There is no table 9 in this round."


def test_an_empty_pile_says_so(event: Event):
    client = referee(event)
    for number in (1, 2, 3):
        post(client, event, *RIGHT, table=number, follow=True)
    page = client.get(f"{PILE}?table=")
    assert text(page, ".messages") == "Error No sheet is due."
    assert text(page, ".lead") == "3 of 3 are in"
    assert text(page, "#pile-release") == "All sheets are in."
    assert text(organiser(event).get(PILE), "#pile-release") == "All sheets are in. Release round 1"
    assert client.get("/desk/cup/rounds/7/totals/").status_code == 404


def test_the_way_there_stands_on_the_grid_and_at_a_table_without_hands(event: Event):
    client = referee(event)
    assert f'href="{PILE}" data-filter-key="e"' in client.get("/desk/cup/").content.decode()
    assert f'href="{url(event)}" accesskey="e"' in client.get(table_url(event)).content.decode()
    enter_all(table_of(event), "1t 230")
    assert url(event) not in client.get(table_url(event)).content.decode()


# ---------------------------------------------------------------- one sheet


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize(
    ("key", "counts", "scores"),
    [
        ("ema-2025", RIGHT, "45,200 30,000 28,000 16,800"),
        ("sanmatsuri-2026", ("51.0", "40.2", "-1.2"), "51,000 40,200 −1,200"),
    ],
)
def test_a_sheet_counts_and_says_what_it_is(key: str, counts: tuple[str, ...], scores: str):
    event = make_event(key, tables=2, rounds=1, slug="cup")
    client = referee(event)
    page = client.get(url(event))
    assert texts(page, ".totals-name")[0].startswith("Akelei")
    assert values(page, "count-0") == [""]
    post(client, event, *counts)
    page = client.get(url(event))
    assert " ".join(texts(page, ".final")) == scores
    assert text(page, ".sheet-note") == "Entered only from its sheet, and signed."
    assert re.search(rf'href="{PILE}\?after=1">On to table 2', page.content.decode())


def test_seats_stand_in_paper_order_and_nobody_is_chosen(event: Event):
    page = referee(event).get(url(event))
    names = re.findall(r'<span class="totals-name">([^<]*)', page.content.decode())
    assert names[:4] == ["Akelei", "Birk", "Cyan", "Distel"]
    assert "<select" not in page.content.decode().partition("<main")[2]


def test_what_is_typed_stays_when_the_sum_is_wrong(event: Event):
    page = post(referee(event), event, "44.2", *RIGHT[1:], leftover="")
    assert (page.status_code, gap(page)) == (
        422,
        "Short by 1,000: the sheet makes 119,000 of 120,000. One riichi stick left on the table? Apply Alt+K",
    )
    assert [values(page, f"count-{seat}") for seat in range(4)] == [["44.2"], ["30000"], ["28,000"], ["16 800"]]
    assert rows_of(table_of(event)) == []


@pytest.mark.parametrize(
    ("counts", "others", "words"),
    [
        (("45.2", "30.0", "28.0", "46.8"), {}, "Are borrowed points forgotten (30,000)?"),
        (("56.6", "38.4", "28.4", "3.4"), {}, "One sign lost? The 3,400 of Distel (player 4), counted twice,"),
        (("52.2", "30.0", "48.0", "16.8"), {}, "27,000 is divisible by nine: two digits swapped at Akelei"),
        (("4520", "30.0", "28.0", "16.8"), {}, "A zero missing at Akelei (player 1), 4,520 for 45,200?"),
        (("45.2", "30.0", "2800", "16.8"), {}, "A zero missing at Cyan (player 3), 2,800 for 28,000?"),
        (
            ("4200", "30.0", "28.0", "16.8"),
            {"count-3": "15800"},
            "A digit lost at Akelei (player 1), 4,200 for 46,",
        ),
        (("45.2", "330000", "28.0", "16.8"), {}, "A digit too many at Birk (player 2), 330,000 for 30,000?"),
        (("45.2", "30.0", "28.0", "16.3"), {}, "A digit misread at Distel (player 4), 16,300 for 16,800?"),
        (("45.2", "30.0", "28.0", "16.8"), {"leftover": "1000"}, "The 1,000 left on the table seem to be in a count"),
    ],
)
def test_the_gap_is_said_in_words(event: Event, counts: tuple[str, ...], others: dict[str, Any], words: str):
    page = post(referee(event), event, *counts, **others)
    assert words in gap(page)
    live = referee(event).get(url(event, end="preview/"), fields(*counts, **others))
    assert gap(live) == gap(page)


@pytest.mark.parametrize(
    ("numbers", "counts", "others", "repair"),
    [
        ("totals", ("44.2", "30000", "28000", "16800"), {}, ("leftover", "1000")),
        ("totals", ("43.2", "30000", "28000", "16800"), {}, ("leftover", "2000")),
        ("totals", ("4520", "30000", "28000", "16800"), {}, ("count-0", "45200")),
        ("totals", ("45200", "30000", "28000", "16800"), {"leftover": "1000"}, ("leftover", "0")),
        ("totals", ("45200", "30000", "28000", "17800"), {"loan-3": "2000"}, ("leftover", "1000")),
        ("totals", ("45200", "30000", "28000", "16800"), {"loan-3": "1000"}, ("loan-3", "0")),
        ("totals", ("45200", "30000", "-2000", "16800"), {}, ("count-2", "28000")),
        ("totals", ("45200", "30000", "28000", "46800"), {}, ("", "")),
        ("differences", ("15200", "0", "-2000", "13200"), {}, ("count-3", "-13200")),
    ],
)
def test_the_likeliest_cause_is_taken_with_one_key(
    event: Event, numbers: str, counts: tuple[str, ...], others: dict[str, Any], repair: tuple[str, str]
):
    set_sheet_numbers(event=event, numbers=numbers, by=writer_of(event))
    client, typed = referee(event), fields(*counts, **others) | {"numbers": numbers}
    page = client.get(url(event, end="preview/"), typed).content.decode()
    first = re.search(r'data-repair="([^"]*)" value="([^"]*)"', page)
    assert (first.groups() if first else ("", "")) == repair
    if first is None:
        return
    mended = client.get(url(event, end="preview/"), typed | {repair[0]: repair[1]})
    assert "The sum is right." in mended.content.decode()


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (("452", "30.0", "28.0", "16.8"), "Error 452 of Akelei (player 1) ends in points that no payment makes"),
        (("x", "30.0", "28.0", "16.8"), "Error 'x' of Akelei (player 1) cannot be read: write 45200 or 45.2."),
        (("45.2", "30.0", "28.0", ""), "Error The number of Distel (player 4) is missing."),
    ],
)
def test_a_field_that_cannot_be_is_named(event: Event, counts: tuple[str, ...], words: str):
    page = post(referee(event), event, *counts)
    assert page.status_code == 422
    assert text(page, ".problems").startswith(words)


def test_what_is_not_typed_yet_is_no_error(event: Event):
    page = referee(event).get(url(event, end="preview/"), fields("45.2", "30000", "", ""))
    assert text(page, ".so-far") == "75,200 so far, 2 numbers to type."
    assert 'role="alert"' not in page.content.decode()


def test_the_sum_read_back_names_everybody(event: Event):
    page = referee(event).get(url(event, end="preview/"), fields("41.0", "30.0", "28.0", "20.0", leftover="1000"))
    assert texts(page, "li") == [
        "EEast Akelei42,0001",
        "SSouth Birk30,0002",
        "WWest Cyan28,0003",
        "NNorth Distel20,0004",
    ]


def test_a_far_score_wants_a_reason_once(event: Event):
    client, counts = referee(event), ("131.0", "2.0", "-4.3", "-8.7")
    page = post(client, event, *counts)
    assert (page.status_code, "data-wants-reason" in page.content.decode()) == (422, True)
    assert "Akelei (player 1) ends at 131,000, more than 70,000 from the start" in text(page, ".problems")
    assert re.search(r'id="reason"[^>]*autofocus', page.content.decode())
    assert post(client, event, *counts, reason="two yakuman").status_code == 302


# ---------------------------------------------------------------- counts or differences


def test_differences_where_counts_are_expected_are_asked_about(event: Event):
    client = referee(event)
    page = post(client, event, "15.2", "0", "-2.0", "-13.2")
    assert text(page, ".kind-note").startswith(
        "These look like differences: they sum to 0, and this page expects final"
    )
    assert "Read them as differences" in texts(page, "button")
    typed = fields("15.2", "0", "-2.0", "-13.2", switch="differences")
    page = client.post(url(event), typed)
    assert rows_of(table_of(event)) == []
    assert (values(page, "count-0"), values(page, "numbers")) == (["15.2"], ["differences"])
    assert texts(page, ".final") == ["45,200", "30,000", "28,000", "16,800"]
    event.refresh_from_db()
    assert event.sheet_numbers == "differences"
    assert client.post(url(event), {**typed, "switch": "", "numbers": "differences"}).status_code == 302
    page = client.get(url(event, 2))
    assert text(page, ".expects").startswith("Type differences from 30,000: 15.2 or 15200")


def test_counts_where_differences_are_expected_are_asked_about(event: Event):
    set_sheet_numbers(event=event, numbers="differences", by=writer_of(event))
    page = post(referee(event), event, *RIGHT, numbers="differences")
    assert text(page, ".kind-note").startswith("These look like final scores: they sum to 120,000")


def test_a_plus_sign_among_counts_is_refused_with_words(event: Event):
    page = post(referee(event), event, "+45.2", *RIGHT[1:])
    assert page.status_code == 422
    assert text(page, ".kind-note").startswith(
        "'+45.2' of Akelei (player 1) has a plus sign, and this page expects final"
    )


# ---------------------------------------------------------------- where hands are, and two at once


def test_a_table_with_hands_names_its_own_sheet(event: Event):
    client = referee(event)
    enter_all(table_of(event), "1t 230")
    page = client.get(url(event))
    assert text(page, ".empty").startswith("Hands are entered at this table")
    page = post(client, event, *RIGHT, expected_seq="1")
    assert page.status_code == 422
    assert text(page, ".problems") == "Error There are hands at this table: it is signed, not entered by totals."
    assert f'href="{table_url(event)}"' in page.content.decode()


def test_the_second_laptop_sees_what_came_between(event: Event):
    one, other = referee(event), referee(event, "Sven")
    post(one, event, *RIGHT)
    page = post(other, event, "45.2", "28.0", "30.0", "16.8")
    assert page.status_code == 409
    assert any(words.startswith("Meanwhile at this table") for words in texts(page, ".is-warning"))
    assert len(rows_of(table_of(event))) == 1


def test_the_same_form_sent_twice_is_one_sheet(event: Event):
    client, typed = referee(event), fields(*RIGHT)
    assert [client.post(url(event), typed).status_code for _ in range(2)] == [302, 302]
    other = client.post(url(event), typed | {"count-0": "30.0", "count-1": "45.2"})
    assert (other.status_code, TypedSheet.objects.count()) == (409, 1)
    assert text(other, ".problems").startswith("Error This page was already sent with other content")


def test_a_laptop_that_kept_a_sheet_is_answered_in_words(event: Event):
    client = referee(event)
    for counts, status, said in (
        (
            ("44.2", *RIGHT[1:]),
            422,
            ["Short by 1,000: the sheet makes 119,000 of 120,000.", "One riichi stick left on the table?"],
        ),
        (RIGHT, 200, []),
    ):
        answer = client.post(url(event), fields(*counts), headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["problems"]) == (status, said)
    assert (answer.json()["seq"], answer.json()["last_seq"]) == (1, 1)
    rolling = client.post(url(event, 2), fields(*RIGHT), headers={"Accept": "application/json"})
    assert rolling.json()["said"].startswith("Table 2: Efeu 45,200 (1)")


# ---------------------------------------------------------------- when the round is over


def test_a_released_table_of_totals_is_what_it_is(event: Event, client: Any):
    desk = organiser(event)
    for number in (1, 2, 3):
        post(desk, event, *RIGHT, table=number)
    desk.post("/desk/cup/rounds/1/release/")
    page = client.get("/e/cup/rounds/1/tables/1/")
    assert page.status_code == 200
    assert "45,200" in page.content.decode()
    assert client.get("/e/cup/standings/").status_code == 200
    assert event.rounds.get().released_at is not None


@pytest.mark.usefixtures("others_aside")
def test_a_played_round_shows_no_way_to_type_sheets():
    event = make_event(tables=2, rounds=1, slug="cup")
    play_round(event, 1, "1t 230")
    assert PILE not in organiser(event).get("/desk/cup/?round=1").content.decode()
