"""Import seating: nothing is taken unseen, every fault is said with its cell; what was shown is what is taken."""

import datetime as dt
import json

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from tests.factories import DAY, make_account, make_event, name_of, writer_of
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text, texts
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.imports.files import read_sheet
from tournament.players.actions import NewPlayer, add_players, remove_player
from tournament.rounds.actions import publish_rounds
from tournament.seating.actions import draw_seats
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/seating/import/"
HEADER = "Round,Table,East,South,West,North\n"
GOOD = f"{HEADER}1,1,Akelei,2,3,4\n1,2,5,6,7,8\n2,1,5,1,8,2\n2,2,6,3,7,4\n"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    by = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)
    add_players(event=event, players=[NewPlayer(name_of(index)) for index in range(8)], by=by)
    return event


def look(client: Client, content: str | bytes, name: str = "seats.csv", url: str = URL):
    data = content if isinstance(content, bytes) else content.encode()
    return client.post(url, {"file": SimpleUploadedFile(name, data)})


def seats(event: Event) -> list[int]:
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(found.values_list("player__number", flat=True))


def test_the_page_says_what_a_file_may_look_like(event: Event):
    page = organiser(event).get(URL)
    assert (text(page, "h1"), text(page, ".lead")) == ("Import seating", "8 players · 2 rounds · tables of 4")
    assert texts(page, "figcaption") == [
        "One row per table",
        "One row per seat",
        "One row per player, one column per round",
        "A line for each round, its tables below",
        "Numbers alone, an empty line between rounds",
    ]


@pytest.mark.once
@pytest.mark.parametrize("index", range(4))
def test_what_the_page_shows_is_understood(event: Event, index: int):
    """Its examples have the headings that a file needs: pasted with tabs, each is read as a layout."""
    shown = organiser(event).get(URL).content.decode().split("<pre>")[index + 1].split("</pre>")[0]
    table = "\n".join(
        "\t".join(part.strip() for part in line.split("  ") if part.strip()) for line in shown.split("\n")
    )
    page = look(organiser(event), table)
    layouts = ["one row a table", "one row a seat", "one row a player, one column a round", "the tables below a line"]
    assert text(page, ".lead").startswith(f"seats.csv · {layouts[index]}")


def test_nothing_is_taken_before_it_was_seen(event: Event):
    page = look(organiser(event), GOOD)
    assert (text(page, "h1"), text(page, ".lead")) == (
        "Review before importing",
        "seats.csv · one row a table · 2 rounds",
    )
    assert texts(page, ".note") == []
    assert texts(page, ".seated")[:5] == [
        "EEast 1Akelei",
        "SSouth 2Birk",
        "WWest 3Cyan",
        "NNorth 4Distel",
        "EEast 5Efeu",
    ]
    assert text(page, ".facts") == (
        "Repeat meetings 4 (proven least: 4) Most often together 2 times One wind, most to least differ by 2 "
        "(possible: 1) One table, most to least differ by 2 Somebody stays at a table 4 times"
    )
    assert {"Akelei – Birk: rounds 1, 2", "Efeu: East 2, South 0, West 0, North 0"} <= set(texts(page, "li"))
    assert seats(event) == []


@pytest.mark.follows("before/seats-from-a-file.md")
def test_what_was_shown_is_taken_once_it_is_confirmed(event: Event):
    client = organiser(event)
    packed = values(look(client, GOOD), "confirmed")[0]
    assert client.post(URL, {"confirmed": packed})["Location"] == "/desk/cup/seating/"
    assert texts(client.get("/desk/cup/seating/"), ".note")[0] == (
        "Done The seats of 2 rounds are imported. Check them, then publish."
    )
    assert seats(event) == [1, 2, 3, 4, 5, 6, 7, 8, 5, 1, 8, 2, 6, 3, 7, 4]
    trail = client.get("/desk/cup/settings/trail/").content.decode()
    assert "imported seats for 8 players in 2 rounds from a file, 4 repeat meetings" in trail


def test_faults_stop_the_file_and_are_said_with_row_and_column(event: Event):
    wrong = f"{HEADER}1,1,Akelai,2,3,4\n1,2,5,6,7,99\n2,1,5,1,8,5\n2,3,6,3,7,\n"
    page = look(organiser(event), wrong)
    assert text(page, "h1") == "This list can't be imported yet"
    assert texts(page, ".note") == [
        "Error Round 2: the tables go up to 3; missing are 2.",
        "Error Round 1: without a seat (1): Hasel (8).",
        "Error Round 2: without a seat (2): Birk (2) and Distel (4).",
        (
            "Error Nothing is imported: 7 things are wrong. Correct them in their rows or leave the rows out, then "
            "check again; or correct the file and choose it again."
        ),
    ]
    assert texts(page, ".verdict")[:4] == [
        "C2: there is no “Akelai” in this event. Did you mean Akelei (1)?",
        "F3: there is no player 99; the list goes up to 8.",
        "F4: Efeu (5) sits in round 2 already, at table 1 (C4).",
        "C5: round 2, table 3 has 3 of 4 players.",
    ]
    assert values(page, "confirmed") == []


@pytest.mark.follows("before/seats-from-a-file.md")
def test_a_wrong_cell_is_corrected_in_the_preview_and_only_what_was_shown_is_taken(event: Event):
    client = organiser(event)
    page = look(client, GOOD.replace("1,1,Akelei", "1,1,Akelai"))
    assert (values(page, "cell-2-2"), values(page, "confirmed")) == (["Akelai"], [])
    page = client.post(URL, {"sheet": values(page, "sheet")[0], "cell-2-2": "Akelei", "act": "look"})
    packed = values(page, "confirmed")[0]
    # a number that has come to mean somebody else is shown before it is taken
    remove_player(player=event.players.get(number=2), by=writer_of(event))
    add_players(event=event, players=[NewPlayer("Iris")], by=writer_of(event))
    page = client.post(URL, {"confirmed": packed, "act": "take"})
    assert (page.status_code, texts(page, ".seated")[1], seats(event)) == (200, "SSouth 2Cyan", [])
    client.post(URL, {"confirmed": values(page, "confirmed")[0], "act": "take"})
    assert seats(event) == [1, 2, 3, 4, 5, 6, 7, 8, 5, 1, 8, 2, 6, 3, 7, 4]


def test_the_output_of_the_seat_command_is_taken(event: Event, capsys):
    call_command("seat", "--players", "8", "--table-size", "4", "--rounds", "2", "--json")
    printed = capsys.readouterr().out
    client = organiser(event)
    page = look(client, printed, "seat.json")
    assert text(page, ".lead") == "seat.json · one row a table · 2 rounds"
    client.post(URL, {"confirmed": values(page, "confirmed")[0]})
    rounds = json.loads(printed)["rounds"]
    assert seats(event) == [player + 1 for tables in rounds for table in tables for player in table]


@pytest.mark.parametrize("kind", ["xlsx", "csv"])
def test_the_file_to_fill_in_is_understood_once_filled_in(event: Event, kind: str):
    client = organiser(event)
    empty = client.get(f"{URL}?template={kind}")
    assert empty["Content-Disposition"] == f'attachment; filename="cup-seats.{kind}"'
    sheet = read_sheet(empty.content, f"cup-seats.{kind}")
    rows = [list(row.cells) for row in sheet.rows][-9:]
    assert rows[0] == ["Player number", "Name", "Round 1", "Round 2"]
    assert rows[1] == ["1", "Akelei"]
    places = ["1E 1S", "1S 1N", "1W 2S", "1N 2N", "2E 1E", "2S 2E", "2W 2W", "2N 1W"]
    filled = "\n".join(";".join([*row, *place.split()]) for row, place in zip(rows[1:], places, strict=True))
    page = look(client, ";".join(rows[0]) + "\n" + filled)
    client.post(URL, {"confirmed": values(page, "confirmed")[0]})
    assert seats(event) == [1, 2, 3, 4, 5, 6, 7, 8, 5, 1, 8, 2, 6, 3, 7, 4]


def test_an_empty_file_to_fill_in_is_refused_in_words(event: Event):
    client = organiser(event)
    page = look(client, client.get(f"{URL}?template=xlsx").content, "seats.xlsx")
    assert texts(page, ".note")[0] == "Error There is no seat in this file."


def test_a_draw_that_is_there_gives_way_and_published_seats_do_not(event: Event):
    client = organiser(event)
    packed = values(look(client, GOOD), "confirmed")[0]
    draw_seats(event=event, seed=1, by=writer_of(event))
    assert any("This replaces" in form for form in texts(client.get(URL), "form"))
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    before = seats(event)
    assert texts(client.get(URL), ".note") == [
        "Warning The seating is published and fixed: no schedule can be imported."
    ]
    client.post(URL, {"confirmed": packed})
    assert texts(client.get(URL), ".note")[0] == "Error The seating is published and fixed."
    assert seats(event) == before


def test_a_preview_that_was_changed_is_not_believed(event: Event):
    client = organiser(event)
    packed = values(look(client, GOOD), "confirmed")[0]
    for tampered in (packed[:-1] + ("A" if packed[-1] != "A" else "B"), packed[1:], "", "x:y:z"):
        assert client.post(URL, {"confirmed": tampered})["Location"] == URL
        assert texts(client.get(URL), ".note")[0] == "Error The preview is too old: choose the file again."
    make_event(slug="other", tables=2, rounds=2, published=False, by=writer_of(event))
    client.post("/desk/other/seating/import/", {"confirmed": packed})
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(minutes=61)):
        organiser(event).post(URL, {"confirmed": packed})
    assert seats(event) == []


def test_no_file_at_all_is_said_beside_the_field(event: Event):
    answer = organiser(event).post(URL, {})
    assert (answer.status_code, texts(answer, ".error")) == (422, ["Choose a file, or paste cells."])


@pytest.mark.usefixtures("others_aside")
def test_an_event_without_players_is_sent_to_add_them():
    by = make_account("Organiser")
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)
    assert text(organiser(event).get(URL), ".empty") == "Nobody to seat Add the players first. Players"


@pytest.mark.once
def test_a_file_with_thousands_of_wrong_rows_makes_a_short_page(event: Event):
    page = look(organiser(event), HEADER + "1,1,x,y,z,q\n" * 4000)
    assert len(texts(page, ".verdict")) == 300
    assert "and 3700 rows more" in texts(page, "p")


@pytest.mark.usefixtures("others_aside")
@pytest.mark.parametrize("tables", [1, 3])
def test_a_look_asks_the_same_number_of_questions_whatever_its_size(django_assert_num_queries, tables: int):
    event = make_event(slug="cup", tables=tables, rounds=1, published=False)
    lines = [f"1,{table + 1}," + ",".join(str(table * 4 + seat + 1) for seat in range(4)) for table in range(tables)]
    client = organiser(event)
    with django_assert_num_queries(10):
        look(client, HEADER + "\n".join(lines))
