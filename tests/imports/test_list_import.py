"""Results, penalties and a game from files at the desk: looked at, columns changed, taken whole, taken back."""

import itertools
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import rows_of, table_of
from tests.fixtures import module_event
from tests.imports.damaged_files import SMALL
from tests.imports.test_damage import OF_RESULTS
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text, texts
from tournament.archive.queries import get_event_file
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.imports.queries import list_imports
from tournament.penalties.models import Penalty

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

RESULTS = "/desk/cup/results/import/"
PENALTIES = "/desk/cup/penalties/import/"
GAME = "/desk/cup/rounds/1/tables/1/import/"
PLAYERS = "/desk/cup/players/import/"
SEATS = "/desk/cup/seating/import/"
ROUND = "選手,点\nAkelei,40000\nBirk,30000\nCyan,30000\nDistel,20000\n"
HANDS = [
    {"kind": "ron", "loser": 3, "winners": [{"seat": 0, "han": 3, "fu": 30}]},
    {"kind": "draw", "tenpai": [1, 2]},
]
IMPOSSIBLE = {"kind": "ron", "loser": 0, "winners": [{"seat": 0, "han": 3, "fu": 30}]}


made = module_event("wrc-2025", tables=1, slug="cup")


def look(client: Client, url: str, content: str | bytes, name: str = "list.csv", **more: str):
    data = content if isinstance(content, bytes) else content.encode()
    return client.post(url, {"file": SimpleUploadedFile(name, data), **more})


@pytest.mark.follows("after/old-events.md")
def test_results_of_one_round_are_looked_at_then_taken(event: Event):
    client = organiser(event)
    before = AuditRow.objects.count()
    page = look(client, RESULTS, ROUND, only="1")
    assert (text(page, "h1"), text(page, ".lead")) == ("Review before importing", "list.csv · 1 round · 1 table")
    assert texts(page, ".verdict") == ["OK"] * 4
    assert AuditRow.objects.count() == before
    client.post(RESULTS, {"confirmed": values(page, "confirmed")[0]})
    assert texts(client.get("/desk/cup/results/"), ".note")[0] == "Done The results of 1 table are imported."
    assert json.loads(rows_of(table_of(event))[0].payload)["scores"] == [40000, 30000, 30000, 20000]


def test_a_fault_stands_at_its_row_and_nothing_can_be_taken(event: Event):
    page = look(organiser(event), RESULTS, ROUND.replace("Cyan", "Cyann"), only="1")
    assert text(page, "h1") == "This list can't be imported yet"
    assert texts(page, ".verdict")[0] == "A4: there is no “Cyann” in this event. Did you mean Cyan (3)?"
    assert values(page, "confirmed") == []


def test_a_table_that_does_not_add_up_is_said_at_its_first_row(event: Event):
    page = look(organiser(event), RESULTS, ROUND.replace("40000", "40100"), only="1")
    assert values(page, "confirmed") == []
    assert texts(page, ".verdict")[0] == (
        "Round 1, table 1: the points sum to 120,100 and must make 120,000; what is missing can only be riichi sticks "
        "of 1,000 that nobody won."
    )


def test_points_are_corrected_in_the_preview(event: Event):
    client = organiser(event)
    page = look(
        client,
        RESULTS,
        "東,南,西,北,点 東,点 南,点 西,点 北\nAkelei,Birk,Cyan,Distel,40100,30000,30000,20000\n",
        only="1",
    )
    assert (values(page, "confirmed"), values(page, "cell-2-4")) == ([], ["40100"])
    page = client.post(RESULTS, {"sheet": values(page, "sheet")[0], "cell-2-4": "40000", "act": "look"})
    assert texts(page, ".file-brings") == ["Round 1, table 1; Akelei 40,000; Birk 30,000; Cyan 30,000; Distel 20,000"]
    client.post(RESULTS, {"confirmed": values(page, "confirmed")[0], "act": "take"})
    assert json.loads(rows_of(table_of(event))[0].payload)["scores"] == [40000, 30000, 30000, 20000]


def test_another_column_is_chosen_for_the_points(event: Event):
    client = organiser(event)
    text_ = "Player,Raw,Score\n" + "".join(
        f"{name},{raw},{raw + 99}\n"
        for name, raw in (("Akelei", 40000), ("Birk", 30000), ("Cyan", 30000), ("Distel", 20000))
    )
    page = look(client, RESULTS, text_, only="1")
    assert values(page, "confirmed") == []
    sent = {"sheet": values(page, "sheet")[0], "column-0": "player", "column-1": "points", "column-2": ""}
    again = client.post(RESULTS, {**sent, "act": "look"})
    assert text(again, "h1") == "Review before importing"
    client.post(RESULTS, {**sent, "confirmed": values(again, "confirmed")[0], "act": "take"})
    assert json.loads(rows_of(table_of(event))[0].payload)["scores"] == [40000, 30000, 30000, 20000]


@pytest.mark.usefixtures("template_contexts")
def test_the_columns_of_a_schedule_are_chosen_by_hand(event: Event):
    client = organiser(event)
    page = look(client, SEATS, "Phase,Ort,A,B,C,D\n1,1,Akelei,Birk,Cyan,Distel\n2,1,Birk,Akelei,Distel,Cyan\n")
    assert text(page, "h1") == "This list can't be imported yet"
    meanings = ("round", "table", "wind3", "wind1", "wind2", "wind0")
    sent = {f"column-{index}": meaning for index, meaning in enumerate(meanings)}
    again = client.post(SEATS, {"sheet": values(page, "sheet")[0], "act": "look", **sent})
    assert text(again, "h1") == "Review before importing"
    assert "Row 1 holds the headings: it is not imported." in again.content.decode()
    (first, _second) = again.context["rounds"]
    assert [seat["name"] for seat in first["tables"][0]["seats"]] == ["Distel", "Birk", "Cyan", "Akelei"]
    assert [column.meaning for column, _heading, _guessed in again.context["columns"]] == list(meanings)
    less = client.post(SEATS, {"sheet": values(page, "sheet")[0], "act": "look", **sent, "column-1": ""})
    assert text(less, "h1") == "This list can't be imported yet"
    assert client.post(SEATS, {"sheet": "x:y:z", **sent}).status_code == 302


@pytest.mark.follows("after/old-events.md")
def test_penalties_are_looked_at_given_and_taken_back(event: Event):
    client = organiser(event)
    page = look(client, PENALTIES, "Spieler;Strafe;Grund;Runde\nBirk;-20,0;Chombo;1\n3;0;zu spät;\n")
    assert text(page, ".lead") == "list.csv · 2 penalties"
    assert texts(page, ".note") == ["Warning The points are written in thousands: 34.1 was read as 34,100."]
    client.post(PENALTIES, {"confirmed": values(page, "confirmed")[0]})
    given = Penalty.objects.order_by("-points").values_list("player__number", "points", "reason", "round__number")
    assert list(given) == [(2, 20000, "Chombo", 1), (3, 0, "zu spät", None)]
    (row,) = list_imports(event)
    url = f"/desk/cup/imports/{row.seq}/back/"
    assert text(client.get(url), "h1") == "Take back: 2 penalties?"
    assert texts(client.get("/desk/cup/imports/"), "td")[:2] == ["list.csv", "2 penalties"]
    client.post(url, {"reason": "wrong event"})
    assert Penalty.objects.filter(cancelled_at=None).count() == 0
    assert "taken back" in texts(client.get("/desk/cup/imports/"), "td")[4]


@pytest.mark.follows("after/old-events.md")
def test_a_game_is_looked_at_hand_by_hand_and_entered(event: Event):
    client = organiser(event)
    page = look(client, GAME, json.dumps({"rules": "wrc-2025", "entries": HANDS}), "log.json")
    assert (text(page, "h1"), len(texts(page, ".verdict"))) == ("Review before importing", 2)
    assert texts(page, ".file-cells")[0].startswith("East 1: Akelei")
    answer = client.post(GAME, {"confirmed": values(page, "confirmed")[0]})
    assert answer["Location"] == "/desk/cup/rounds/1/tables/1/"
    assert len(rows_of(table_of(event))) == 2


@pytest.mark.postgresql
def test_an_impossible_hand_stops_the_log_and_what_follows_is_not_judged(event: Event):
    page = look(organiser(event), GAME, json.dumps([HANDS[0], IMPOSSIBLE, HANDS[1]]), "log.json")
    assert values(page, "confirmed") == []
    verdicts = texts(page, ".verdict")
    assert (verdicts[0], verdicts[2]) == ("OK", "not judged: a hand before it is wrong")


@pytest.mark.parametrize("url", [RESULTS, PENALTIES, GAME])
@pytest.mark.parametrize(
    "content", [b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{", b"%PDF-1.7", b"a,b\n1,2\n", b"[[[[", b"\xff"]
)
def test_whatever_is_sent_is_answered_in_words(event: Event, url: str, content: bytes):
    before = AuditRow.objects.count()
    page = look(organiser(event), url, content, "x.bin")
    assert page.status_code in (200, 422)
    assert re.search(r'class="(note is-error|error)', page.content.decode())
    assert (AuditRow.objects.count(), values(page, "confirmed")) == (before, [])


# each file to two of the pages by turns, to all of them in the nightly run
@pytest.mark.parametrize("turns", [2, pytest.param(5, marks=pytest.mark.nightly)])
def test_no_damaged_file_leaves_anything_behind(event: Event, turns: int):
    """Each is answered in words, offers nothing to confirm, and writes no row of any kind."""
    client = organiser(event)
    before = get_event_file(event)
    files = {name: make() for name, make in SMALL.items()}
    damaged = {name: file for name, file in files.items() if file[2] and file[2] not in OF_RESULTS}
    assert len(damaged) > 15
    pages = itertools.cycle([PLAYERS, SEATS, RESULTS, PENALTIES, GAME])
    for name, (filename, data, _wanted) in damaged.items():
        for url in itertools.islice(pages, turns):
            page = look(client, url, data, filename)
            assert page.status_code in (200, 422), (name, url)
            assert re.search(r'class="(note is-error|error)', page.content.decode()), (name, url)
            assert values(page, "confirmed") == [], (name, url)
    assert get_event_file(event) == before


@pytest.mark.parametrize("url", [RESULTS, PENALTIES, GAME])
def test_what_was_tampered_with_is_not_believed(event: Event, url: str):
    client = organiser(event)
    before = AuditRow.objects.count()
    assert client.post(url, {"confirmed": "x:y:z"}).status_code == 302
    assert AuditRow.objects.count() == before


def test_a_preview_is_of_one_kind_and_one_event(event: Event):
    client = organiser(event)
    packed = values(look(client, RESULTS, ROUND, only="1"), "confirmed")[0]
    assert client.post(PENALTIES, {"confirmed": packed}).status_code == 302
    assert list_imports(event) == []
