"""The pages of corrections without a browser: what comes back from them is never believed, and all is said in words."""

import json

import pytest
from django.test import Client

from tests.factories import correct, enter, enter_all, fresh, make_event, play_round, rows_of, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import preview, referee, send, table_url, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.sheets.actions import reopen_table
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

NINE = ("2r3 340", "3r4 340", "4r1 340", "1r2 340", "2r3 340", "3r4 340", "4r1 340", "4t 230", "1r4 340")


made = module_event(slug="cup", tables=2, rounds=1)


@pytest.fixture(scope="module")
def made_played(rows_of_module: None) -> Event:
    event = make_event(slug="played", tables=2, rounds=1)
    enter_all(table_of(event), *NINE)
    return event


@pytest.fixture
def played(made_played: Event) -> Event:
    return fresh(made_played)


def unquoted(response) -> dict[str, object]:
    """Return the plan that a page carries."""
    plan: dict[str, object] = json.loads(values(response, "plan")[0].replace("&quot;", '"'))
    return plan


def step(client: Client, event: Event, plan: object, **fields: object):
    """Send a page of corrections."""
    data = {"plan": plan if isinstance(plan, str) else json.dumps(plan), "expected_seq": 9, **fields}
    return client.post(table_url(event, end="corrections/"), data)


# ---------------------------------------------------------------- before it is saved


def test_a_preview_shows_each_later_hand_before_and_after(played: Event):
    page = preview(referee(played), played, "2r3 440", hand="7")
    rows = texts(page, "tr")
    assert len(rows) == 5  # head, hands 7 to 9, and the difference
    assert rows[1].startswith("7. South 3 changed ")
    assert rows[-1].startswith("Final difference ")


def test_making_void_shows_what_comes_of_it_and_what_fits_no_longer(event: Event):
    enter_all(table_of(event), "d", "1r2 340", "d")
    page = referee(event).get(table_url(event) + "?void=2")
    assert texts(page, "caption")[0].startswith("Effect on scores")
    assert len(texts(page, "tr")) == 4
    assert texts(page, ".note") == []


def test_making_void_goes_on_to_the_hand_that_fits_no_longer(event: Event):
    """A chombo at the end keeps nothing alive: without the dealer's win the game ends one hand earlier."""
    enter_all(table_of(event), "1t 230", *(["d"] * 8))
    client = referee(event)
    page = client.get(table_url(event) + "?void=1")
    assert texts(page, ".note") == []
    answer = send(client, event, "d", hand=1, expected_seq=9, reason="no win")
    assert answer.status_code == 422
    assert texts(answer, ".note") == ["Error Hand 9 would no longer fit: the game would be over before it."]
    assert unquoted(answer) == {"changes": [{"hand": 1, "entry": {"kind": "draw", "tenpai": []}}], "forgotten": None}


def test_a_plan_goes_from_page_to_page_and_is_saved_at_once(played: Event):
    client = referee(played)
    first = send(client, played, "1t 230", hand=8, expected_seq=9)
    plan = values(first, "plan")[0].replace("&quot;", '"')
    second = step(client, played, plan, act="void", hand=9, client_id=values(first, "client_id")[0])
    assert second.status_code == 200
    assert texts(second, ".note") == ["All hands fit. Nothing is saved yet."]
    assert [line.split(" ")[1] for line in texts(second, "li") if line.startswith("Hand")] == ["8", "9"]
    plan = values(second, "plan")[0].replace("&quot;", '"')
    refused = step(client, played, plan, act="save", client_id=values(second, "client_id")[0])
    assert (refused.status_code, text(refused, ".error")) == (422, "Changing any hand but the last needs a reason.")
    for _ in range(2):
        saved = step(client, played, plan, act="save", client_id=values(second, "client_id")[0], reason="misread")
        assert saved.status_code == 302
    assert [row.supersedes for row in rows_of(table_of(played))[9:]] == [8, 9]
    page = client.get(table_url(played))
    assert texts(page, ".note")[0] == "Done Saved. All hands are recalculated."


def test_a_change_can_be_left_as_it_was(played: Event):
    client = referee(played)
    plan = {"changes": [{"hand": 1, "entry": {"kind": "draw", "tenpai": []}}, {"hand": 9, "entry": None}]}
    left = step(client, played, plan, drop="1")
    assert unquoted(left) == {"changes": [{"hand": 9, "entry": None}], "forgotten": None}
    assert step(client, played, unquoted(left), drop="9").status_code == 302


def test_a_hand_that_is_impossible_stays_in_the_line(played: Event):
    client = referee(played)
    plan = {"changes": [{"hand": 8, "entry": {"kind": "draw", "tenpai": []}}]}
    answer = step(client, played, plan, act="put", hand=5, line="2r2 340", reason="misread")
    assert answer.status_code == 422
    assert (values(answer, "line"), values(answer, "reason")) == (["2r2 340"], ["misread"])
    assert "Error Birk (player 2) cannot win by ron from their own discard." in texts(answer, ".note")


def test_somebody_else_was_quicker(played: Event):
    client = referee(played)
    plan = {"changes": [{"hand": 1, "entry": {"kind": "draw", "tenpai": []}}]}
    correct(table_of(played), 9, "1r4 240")
    answer = step(client, played, plan, act="save", client_id="7" * 32, reason="misread")
    assert answer.status_code == 409
    assert texts(answer, ".note")[0].startswith("Meanwhile at this table 9. Akelei")
    assert (values(answer, "expected_seq"), values(answer, "reason")) == (["10"], ["misread"])


@pytest.mark.parametrize(
    "plan",
    [
        "no json",
        "[]",
        "{}",
        '{"changes": 1}',
        '{"changes": [{"hand": 1}, {"hand": 1}]}',
        '{"changes": [{"hand": 10, "entry": null}]}',
        '{"changes": [{"hand": 0, "entry": null}]}',
        '{"changes": [{"hand": 1, "entry": {"kind": "tsumo", "winners": [{"seat": 7, "han": 1, "fu": 30}]}}]}',
        '{"changes": [{"hand": 1, "entry": {"kind": "ron", "loser": 1, "winners": []}}]}',
        '{"changes": [], "forgotten": {"before": 12, "entry": {"kind": "draw", "tenpai": []}}}',
        '{"changes": [], "forgotten": {"before": 1}}',
        '{"changes": [], "more": 1}',
        '{"changes": ' + "[" * 200,
    ],
)
def test_a_plan_that_no_page_wrote_is_refused_in_words(played: Event, plan: str):
    client = referee(played)
    answer = step(client, played, plan, act="save", client_id="7" * 32, reason="x")
    assert answer.status_code == 302
    page = client.get(table_url(played))
    assert texts(page, ".note")[0] == ("Error The changes can no longer be read: start again from the list of hands.")
    assert len(rows_of(table_of(played))) == 9


def test_seats_that_no_page_wrote_exchange_nothing(played: Event):
    asked = {"plan": "", "line": "2r2 340", "exchanged": f"1,{'9' * 5000}"}
    assert referee(played).get(table_url(played, end="preview/"), asked).status_code == 200


def test_the_address_of_a_plan_is_no_page(played: Event):
    answer = referee(played).get(table_url(played, end="corrections/"))
    assert (answer.status_code, answer["Location"]) == (302, table_url(played))


@pytest.mark.follows("during/correct.md")
def test_a_forgotten_hand_has_its_own_line(played: Event):
    client = referee(played)
    page = client.get(table_url(played) + "?before=4")
    assert text(page, ".line").startswith("The forgotten hand before hand 4")
    assert values(page, "before") == ["4"]
    answer = send(client, played, "1t 230", before=8, expected_seq=9, reason="forgotten")
    assert texts(answer, ".note") == ["Error Hand 9 would no longer fit: the game would be over before it."]
    assert client.get(table_url(played) + "?before=40").status_code == 200


# ---------------------------------------------------------------- seats


def seats_url(event: Event, query: str = "") -> str:
    return table_url(event, end="seats/") + query


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?look=1&hands=stay", "Choose two players, not 0."),
        ("?look=1&seat=0&hands=stay", "Choose two players, not 1."),
        ("?look=1&seat=0&seat=1&seat=2&hands=stay", "Choose two players, not 3."),
        ("?look=1&seat=0&seat=9&hands=stay", "Choose two players, not 1."),
        ("?look=1&seat=0&seat=x&hands=stay", "Choose two players, not 1."),
        ("?look=1&seat=0&seat=1", "Choose what the hands do."),
        ("?look=1&seat=0&seat=1&hands=dance", "Choose what the hands do."),
        ("?look=1&seat=0&from=6&hands=follow", "Between two tables hands stay with the seats: choose that."),
    ],
)
def test_a_choice_that_is_none_is_said_in_words(played: Event, query: str, said: str):
    answer = referee(played).get(seats_url(played, query))
    assert (answer.status_code, texts(answer, ".note")) == (422, [f"Error {said}"])


@pytest.mark.follows("during/seats.md")
def test_seats_of_two_tables_are_shown_and_changed(played: Event):
    enter(table_of(played, 2), "1t 230")
    client = referee(played)
    page = client.get(seats_url(played, "?look=1&seat=0&from=6&hands=stay"))
    rows = texts(page, "tr")
    assert rows[1].startswith("Akelei table 1, seat 1 → table 2, seat 2 ")
    assert rows[2].startswith("Farn table 2, seat 2 → table 1, seat 1 ")
    fields = {
        name: values(page, name)[0] for name in ("one", "other", "hands", "seen_other", "expected_seq", "client_id")
    }
    refused = client.post(
        seats_url(played), {**fields, "plan": values(page, "plan")[0].replace("&quot;", '"'), "act": "save"}
    )
    assert (refused.status_code, text(refused, ".error")) == (422, "Changing published seats needs a reason.")
    for _ in range(2):
        saved = client.post(seats_url(played), {**fields, "act": "save", "reason": "wrong table"})
        assert (saved.status_code, saved["Location"]) == (302, table_url(played))
    assert Seat.objects.get(table=table_of(played), seat=0).player.number == 6
    assert Seat.objects.get(table=table_of(played, 2), seat=1).player.number == 1


def test_what_a_page_sends_back_about_seats_is_not_believed(played: Event):
    client = referee(played)
    for one, other in (("1:0:1", "1:9:2"), ("1:0:1", "x"), ("", ""), ("9:0:1", "1:1:2")):
        answer = client.post(
            seats_url(played), {"one": one, "other": other, "hands": "stay", "act": "save", "reason": "x"}
        )
        assert (answer.status_code, texts(answer, ".note")) == (
            422, ["Error This page is too old to be sent: load it again."],
        )  # fmt: skip
    data = {"one": "1:0:5", "other": "1:1:2", "hands": "stay", "act": "save", "reason": "x", "client_id": "7" * 32}
    answer = client.post(seats_url(played), {**data, "expected_seq": 9})
    assert texts(answer, ".note") == [
        "Error Somebody changed these seats meanwhile: check them, then choose again."
    ]  # fmt: skip


def test_a_signed_table_says_what_to_do_first(played: Event):
    sign(table_of(played))
    page = referee(played).get(seats_url(played, "?look=1&seat=0&seat=1&hands=stay"))
    assert "This table is signed. Reopen it first, with a reason; then come back." in texts(page, ".note")


def test_a_table_that_is_not_there(event: Event):
    assert referee(event).get(table_url(event, 9, end="seats/")).status_code == 404


# ---------------------------------------------------------------- in public


def test_public_pages_say_what_is_being_corrected(client: Client, event: Event):
    play_round(event, 1, "2r3 340")
    marks = {page: client.get(f"/e/cup/{page}")["ETag"] for page in ("standings/", "rounds/1/", "rounds/1/tables/2/")}
    before = texts(client.get("/e/cup/standings/"), "td")
    reopen_table(table=table_of(event, 2), reason="misread", by=writer_of(event))
    for page, mark in marks.items():
        assert client.get(f"/e/cup/{page}", headers={"If-None-Match": mark}).status_code == 200
    assert "Final, after 1 round · table 2 of round 1 is being corrected" in texts(
        client.get("/e/cup/standings/"), "span"
    )
    assert texts(client.get("/e/cup/standings/"), "td") == before
    assert texts(client.get("/e/cup/rounds/1/"), ".note") == [
        "Table 2 of round 1 is being corrected. Its figures may still change; the standings count it as shown."
    ]
    assert texts(client.get("/e/cup/rounds/1/tables/2/"), ".note") == [
        "This table is being corrected. Scores may still change; the standings count them as shown."
    ]
    assert texts(client.get("/e/cup/rounds/1/tables/1/"), ".note") == []
    reopen_table(table=table_of(event, 1), reason="misread", by=writer_of(event))
    said = "Table 1 of round 1 and table 2 of round 1 are being corrected."
    assert texts(client.get("/e/cup/rounds/1/"), ".note")[0].startswith(said)
    for number in (1, 2):
        sign(table_of(event, number))
    assert texts(client.get("/e/cup/rounds/1/"), ".note") == []


def test_a_reopened_table_shows_what_was_signed(event: Event):
    enter(table_of(event), "2r3 340")
    sign(table_of(event))
    reopen_table(table=table_of(event), reason="misread", by=writer_of(event))
    correct(table_of(event), 1, "2r3 240")
    page = referee(event).get(table_url(event))
    assert "2 Birk 35,200 32,600 −2,600" in texts(page, "tr")
    assert "Signed before reopened: misread" in texts(page, "caption")
