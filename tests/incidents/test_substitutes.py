"""Substitutes at the desk: looked at, put in, refused in words, taken out; and what players see of it."""

from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pypdf import PdfReader

from scoring.entries import Totals
from tests.factories import enter, make_event, name_of, round_of, set_ranked, sign, table_of, writer_of
from tests.fixtures import module_event
from tests.pages.at_desk import organiser, referee, table_url, values
from tests.pages.html_reader import text, texts
from tournament.events.models import Event
from tournament.incidents.models import Substitution
from tournament.rounds.actions import release_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/rounds/1/tables/1/substitutes/"


def form(**fields: str) -> dict[str, str]:
    return {
        "client_id": str(uuid4()),
        "player": "1",
        "name": "Kay Fir",
        "when": "during",
        "hand": "",
        "reason": "ill",
    } | fields


def finish(event: Event, number: int = 1) -> None:
    table = table_of(event)
    enter(table, Totals(scores=(45_000, 35_000, 25_000, 15_000), leftover=0))
    sign(table)
    release_round(round_=round_of(event, number), by=writer_of(event))


made = module_event(slug="cup", tables=1, rounds=2)


def test_what_it_changes_is_shown_first_and_nothing_is_written(event: Event):
    finish(event)
    answer = referee(event).post(URL, form())
    assert text(answer, "h1") == "Kay Fir for Akelei?"
    seats, ranks = texts(answer, "tbody")
    assert seats == (
        "Akelei replaced 45,000 +15,000 → −15,000 +30,000 → −30,000 "
        "Birk 35,000 +5,000 → +15,000 +10,000 → +20,000 "
        "Cyan 25,000 −5,000 → +5,000 −10,000 → 0 "
        "Distel 15,000 −15,000 → −5,000 −30,000 → −20,000"
    )
    assert ranks == (
        "Birk 2 → 1 +10,000 → +20,000 Cyan 3 → 2 −10,000 → 0 "
        "Distel 4 → 3 −30,000 → −20,000 Akelei 1 → 4 +30,000 → −30,000"
    )
    assert Substitution.objects.count() == 0


def test_before_the_table_is_signed_the_page_says_that_no_rank_moves(event: Event):
    answer = referee(event).post(URL, form(when="before"))
    assert [text for text in texts(answer, ".soft") if text.startswith("The table is not signed yet")]


@pytest.mark.follows("during/substitutes.md")
@pytest.mark.postgresql
def test_what_was_looked_at_can_be_changed_and_is_put_in_once(event: Event):
    client, data = referee(event), form(hand="1", later="1")
    look = client.post(URL, data)
    sent = {name: values(look, name)[0] for name in ("client_id", "player", "name", "when", "hand", "reason", "later")}
    assert sent == data
    again = client.post(URL, sent | {"act": "edit"})
    assert (values(again, "name")[-1], values(again, "reason"), values(again, "hand")) == ("Kay Fir", ["ill"], ["1"])
    for _ in range(2):
        assert client.post(URL, sent | {"act": "put"})["Location"] == URL
    assert Substitution.objects.count() == 2
    page = client.get(URL)
    assert texts(page, ".note")[0] == "Done Akelei is replaced."
    assert texts(page, "li")[-1].startswith("Kay Fir, for Akelei replaced from hand 1 · ill")


@pytest.mark.once
@pytest.mark.parametrize("act", ["look", "put"])
def test_what_cannot_be_is_said_in_words_and_what_was_typed_stays(event: Event, act: str):
    client = referee(event)
    cases: list[tuple[dict[str, str], str]] = [
        ({"player": ""}, "Choose who is replaced."),
        ({"when": ""}, "Choose when the substitute came in: before the game, or during it."),
        ({"hand": "two"}, "'two' is not the number of a hand."),
        ({"hand": "3"}, "There is no hand 3 yet: 1 to 1 can be the first of a substitute."),
        ({"reason": " "}, "To put a substitute in, or to take one out, needs a reason."),
        ({"name": "cyan"}, "cyan is a ranked player of this event and cannot be a substitute."),
        ({"client_id": "x"}, "This page is too old to be sent: load it again."),
    ]
    for fields, said in cases:
        answer = client.post(URL, form(**fields) | {"act": act})
        assert (fields, answer.status_code, texts(answer, ".note")) == (fields, 422, [f"Error {said}"])
        assert (fields, values(answer, "name")[-1]) == (fields, fields.get("name", "Kay Fir"))
        assert Substitution.objects.count() == 0


@pytest.mark.follows("during/substitutes.md")
@pytest.mark.once
def test_taking_one_out_shows_what_comes_back_and_wants_a_reason(event: Event):
    finish(event)
    client = referee(event)
    client.post(URL, form(act="put"))
    out = f"{URL}{Substitution.objects.get().pk}/out/"
    page = client.get(out)
    assert text(page, "h1") == "Count the game as Akelei’s own again?"
    assert texts(page, "tbody")[0].startswith("Akelei 45,000 −15,000 → +15,000 −30,000 → +30,000")
    refused = client.post(out, {"reason": ""})
    assert (refused.status_code, texts(refused, ".note")) == (
        422, ["Error To put a substitute in, or to take one out, needs a reason."],
    )  # fmt: skip
    assert client.post(out, {"reason": "it was Birk"}).status_code == 302
    listed = client.get("/desk/cup/substitutes/")
    assert "taken out" in texts(listed, "li")[-1]
    assert texts(listed, "li")[-1].endswith(
        "Taken out: it was Birk " + texts(listed, "li")[-1].split("it was Birk ")[1]
    )


@pytest.mark.postgresql
def test_a_substitute_of_another_table_or_event_is_not_there(event: Event):
    client = referee(event)
    client.post(URL, form(act="put"))
    number = Substitution.objects.get().pk
    assert client.get(table_url(event, 1, 2, f"substitutes/{number}/out/")).status_code == 404
    other = make_event(slug="other", tables=1)
    assert referee(other).get(table_url(other, 1, 1, f"substitutes/{number}/out/")).status_code == 404
    assert client.get(table_url(event, 9, 1, "substitutes/")).status_code == 404


def test_the_name_is_changed_from_the_list(event: Event):
    client = referee(event)
    client.post(URL, form(act="put", name=""))
    number = str(Substitution.objects.get().pk)
    client.post(URL, {"act": "name", "id": number, "name": "Birk"})
    assert (
        texts(client.get(URL), ".note")[-1] == "Error Birk is a ranked player of this event and cannot be a substitute."
    )
    client.post(URL, {"act": "name", "id": number, "name": "Jo Elm"})
    assert texts(client.get(URL), "li")[-1].startswith("Jo Elm, for Akelei")


@pytest.mark.postgresql
def test_whoever_is_missing_is_found_at_their_table(event: Event):
    client = referee(event)
    assert client.get("/desk/cup/substitutes/?round=2&player=3")["Location"] == (
        "/desk/cup/rounds/2/tables/1/substitutes/?player=3"
    )
    for wrong in ("?player=99", "?player=x", "?round=7&player=1", "?round=99999999&player=²"):
        page = client.get(f"/desk/cup/substitutes/{wrong}")
        assert texts(page, ".note")[0].startswith("Error There is no such player in round")


# ---------------------------------------------------------------- who is not ranked


@pytest.mark.follows("during/substitutes.md")
def test_a_player_is_taken_out_of_the_ranking_and_back(event: Event):
    finish(event)
    client, url = organiser(event), "/desk/cup/players/2/"
    known = {"preferred_name": name_of(1), "shown_by_name": "on"}
    assert client.post(url, known | {"reason": "house player"}).status_code == 302
    assert texts(client.get("/desk/cup/players/"), ".tag") == ["not ranked"]
    assert texts(client.post(url, known | {"ranked": "on"}), ".error") == [
        "Play has begun: to rank a player or not needs a reason."
    ]
    assert client.post(url, known | {"ranked": "on", "reason": "mistaken"}).status_code == 302
    assert texts(client.get("/desk/cup/players/"), ".tag") == []


@pytest.mark.once
def test_who_is_not_ranked_stands_apart_on_every_list(client: Client, event: Event):
    set_ranked(player=event.players.select_related("event").get(number=2), ranked=False, by=writer_of(event))
    finish(event)
    page = client.get("/e/cup/standings/")
    assert [line.split()[1] for line in texts(page, "tr")[1:]] == ["Akelei", "Cyan", "Distel"]
    assert "Not ranked: Birk (1 game)" in texts(page, "p")
    desk = organiser(event).get("/desk/cup/results/")
    said = "For MERS the event counts 4 players: substitutes count, at most three."
    assert f"3 players are ranked and listed in the EMA file. {said}" in texts(desk, "p")
    assert "not ranked" in texts(client.get("/e/cup/players/2/"), ".lead")[0]
    assert "3 players" in texts(client.get("/"), ".card")[0]
    api = client.get("/api/v1/events/cup/standings").json()
    assert [row["player"] for row in api["rows"]] == ["Akelei", "Cyan", "Distel"]


# ---------------------------------------------------------------- what players see


def replaced(event: Event, **fields: Any) -> None:
    referee(event).post(URL, form(act="put", **fields))


@pytest.mark.once
def test_the_table_says_who_played_for_whom_and_what_it_came_to(client: Client, event: Event):
    for line in ("1t 230", "2r3 340/2"):
        enter(table_of(event), line)
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    replaced(event, hand="2")
    page = client.get("/e/cup/rounds/1/tables/1/")
    rows = texts(page, "tr")
    assert "Kay Fir, for Akelei replaced from hand 2: −30,000" in rows[4]
    assert "ill" not in page.content.decode().split("<main")[1].replace("till", "").replace("will", "").split()
    round_ = client.get("/e/cup/rounds/1/")
    assert texts(round_, ".name")[0] == "Kay Fir, for Akelei"
    assert client.get("/e/cup/players/1/").content.decode().count("replaced from hand 2; Kay Fir played") == 1


@pytest.mark.usefixtures("others_aside")
@pytest.mark.once
def test_under_wrc_the_page_says_which_place_the_substitute_took(client: Client):
    event = make_event("wrc-2025", slug="cup", tables=1, rounds=2)
    finish(event)
    replaced(event, name="")
    page = client.get("/e/cup/rounds/1/tables/1/")
    assert (
        "a substitute, for Akelei replaced during the game: 0, and 30,000 off; the substitute took place 1"
        in (texts(page, "tr")[4])
    )
    assert texts(client.get("/e/cup/players/1/"), "li")[-1].endswith("Penalty −30.0 replaced by a substitute")


def test_a_seat_ahead_names_the_substitute(client: Client, event: Event):
    replaced(event, when="before")
    assert texts(client.get("/e/cup/rounds/1/"), ".name")[0] == "Kay Fir, for Akelei"
    ahead = texts(client.get("/e/cup/players/2/"), ".fact")
    assert "Kay Fir" in ahead
    assert "Kay Fir plays for Akelei." in texts(client.get("/e/cup/?me=1", follow=True), "p")


def test_api_file_and_workbook_say_the_same(client: Client, event: Event):
    finish(event)
    replaced(event)
    table = client.get("/api/v1/events/cup/rounds/1/tables/1").json()
    assert (table["final"]["results"], table["final"]["places"]) == ([-30_000, 20_000, 0, -20_000], [None, 1, 2, 3])
    assert [seat["substitute"] for seat in table["seats"]] == [{"name": "Kay Fir", "when": "during"}, None, None, None]
    api = client.get("/api/v1/events/cup/standings").json()
    assert [(row["player"], row["total"]) for row in api["rows"]] == [
        ("Birk", 20_000), ("Cyan", 0), ("Distel", -20_000), ("Akelei", -30_000),
    ]  # fmt: skip
    assert organiser(event).get("/desk/cup/export/results.xlsx").status_code == 200


def test_the_person_who_sits_there_is_named_wherever_a_referee_looks(event: Event):
    client = referee(event)
    client.post(URL, form(act="put", when="before", player="2", name="Kay Fir"))
    sheet = client.get(table_url(event, end="totals/"))
    enter(table_of(event), "2r3 3 40")
    who = "Kay Fir, for Birk"
    pages = {
        "grid": client.get("/desk/cup/"),
        "table": client.get(table_url(event)),
        "sheet": sheet,
        "penalty": client.get("/desk/cup/penalties/give/?round=1&table=1"),
    }
    assert {name: who in page.content.decode() for name, page in pages.items()} == dict.fromkeys(pages, True)
    assert "Kay Fir (2, South) ron from Cyan (3, West)" in pages["table"].content.decode()
    found = client.get("/desk/cup/?q=kay").content.decode()
    assert who in found
    read = client.get(table_url(event, end="preview/"), {"line": "2t 3 40"}).content.decode()
    assert "Kay Fir (2" in read
    pdf = PdfReader(BytesIO(client.get("/desk/cup/print/report-sheets.pdf?round=1").content))
    assert who in " ".join(" ".join(page.extract_text().split()) for page in pdf.pages)
