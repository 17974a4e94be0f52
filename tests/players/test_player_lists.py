"""A list of players from a file or pasted: looked at, mended in the preview, taken once."""

import datetime as dt
import io
import re

import openpyxl
import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import DAY, make_account, make_event, writer_of
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text, texts
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/players/"
CSV = "Name,Country,Club,EMA number\nÅsa Łukasiewicz-Ørsted,SWE,Nordlys,01020304\n山田 花子,JPN,,\n"


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    by = make_account("Organiser")
    return create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, slug="cup", by=by)


def look(client: Client, content: str | bytes, name: str = "players.csv"):
    data = content if isinstance(content, bytes) else content.encode()
    return client.post(f"{URL}import/", {"file": SimpleUploadedFile(name, data)})


def names(event: Event) -> list[str]:
    return [player.person.preferred_name for player in event.players.select_related("person").order_by("number")]


def rows(page) -> list[str]:
    """Return what each row of a preview brings, and its verdict."""
    return [" ".join(each).strip() for each in zip(texts(page, ".file-brings"), texts(page, ".verdict"), strict=True)]


def columns(page) -> list[str]:
    """List the columns of a preview with what each was taken for, as the page has it chosen."""
    found = []
    for row in re.findall(r"<tr[^>]*><td>([A-Z]+)</td><td>(.*?)</td><td>(.*?)</tr>", page.content.decode(), re.DOTALL):
        chosen = re.search(r"<option[^>]* selected>(.*?)</option>", row[2])
        guessed = ", guessed" if "tag" in row[2] else ""
        found.append(f"{row[0]} {row[1]} → {chosen[1] if chosen else 'not used'}{guessed}")
    return found


def test_a_file_is_looked_at_before_anything_is_added(event: Event):
    page = look(organiser(event), CSV)
    assert page.status_code == 200
    assert text(page, "h1") == "Review before importing"
    assert text(page, ".lead") == "players.csv · 2 players"
    assert columns(page) == [
        "A Name → name", "B Country → country", "C Club → club", "D EMA number → EMA number",
    ]  # fmt: skip
    assert rows(page) == ["Åsa Łukasiewicz-Ørsted · SWE · Nordlys · 01020304 OK", "山田 花子 · JPN OK"]
    assert names(event) == []


def test_what_was_shown_is_added_once_it_is_confirmed(event: Event):
    client = organiser(event)
    packed = values(look(client, CSV), "confirmed")[0]
    assert client.post(f"{URL}import/", {"confirmed": packed})["Location"] == URL
    assert texts(client.get(URL), ".note")[0] == "Done 2 players added."
    assert names(event) == ["Åsa Łukasiewicz-Ørsted", "山田 花子"]
    page = client.post(f"{URL}import/", {"confirmed": packed})
    assert (page.status_code, text(page, "h1")) == (422, "This list can't be imported yet")
    assert texts(page, ".verdict")[0] == (
        "“Åsa Łukasiewicz-Ørsted” in row 2 is already in this event as “Åsa Łukasiewicz-Ørsted”."
    )
    assert len(names(event)) == 2


def test_a_workbook_is_read_as_well(event: Event):
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (["Vorname", "Nachname", "Land", "Startgeld"], ["Ida", "Moos", "Deutschland", 30]):
        book.worksheets[0].append(row)
    book.save(file)
    page = look(organiser(event), file.getvalue(), "list.xlsx")
    assert columns(page) == [
        "A Vorname → first name", "B Nachname → last name", "C Land → country", "D Startgeld → not used",
    ]  # fmt: skip
    assert rows(page) == ["Ida Moos · DEU OK"]


def test_a_heading_that_was_guessed_says_so(event: Event):
    page = look(organiser(event), "Nme,What is your country please\nIda,GBR\n")
    assert columns(page) == ["A Nme → name, guessed", "B What is your country please → country, guessed"]


@pytest.mark.follows("before/players.md")
def test_a_column_that_was_taken_for_the_wrong_thing_is_changed(event: Event):
    client = organiser(event)
    page = look(client, "Alias,Wer\nidi,Ida Moos\n")
    assert columns(page) == ["A Alias → display name", "B Wer → not used"]
    sent = {"confirmed": values(page, "confirmed")[0], "column-0": "", "column-1": "name"}
    again = client.post(f"{URL}import/", {**sent, "act": "look"})
    assert columns(again) == ["A Alias → not used", "B Wer → name"]
    assert (names(event), rows(again)) == ([], ["Ida Moos OK"])
    # columns of which the page has shown nothing yet are shown first
    assert client.post(f"{URL}import/", {**sent, "act": "take"}).status_code == 200
    assert names(event) == []
    client.post(f"{URL}import/", {**sent, "confirmed": values(again, "confirmed")[0], "act": "take"})
    assert names(event) == ["Ida Moos"]


def test_a_file_without_known_headings_is_taken_once_its_columns_are_named(event: Event):
    client = organiser(event)
    page = look(client, "Wer,Woher\nIda Moos,Deutschland\n")
    assert (text(page, "h1"), values(page, "confirmed")) == ("This list can't be imported yet", [])
    sent = {"sheet": values(page, "sheet")[0], "column-0": "name", "column-1": "country"}
    page = client.post(f"{URL}import/", {**sent, "act": "look"})
    client.post(f"{URL}import/", {**sent, "confirmed": values(page, "confirmed")[0]})
    assert names(event) == ["Ida Moos"]


def test_a_wrong_row_stops_the_file_and_is_named(event: Event):
    page = look(organiser(event), "Name,EMA number\nIda,1234\nIda,\n")
    assert rows(page) == [
        "Ida EMA number “1234” in row 2 has 4 digits instead of 8.",
        "Ida “Ida” in row 3 is already in row 2. If they are two people, make the names different.",
    ]
    assert texts(page, ".note") == [
        (
            "Error Nothing is imported: 2 things are wrong. Correct them in their rows or leave the rows out, then "
            "check again; or correct the file and choose it again."
        )
    ]
    assert values(page, "confirmed") == []


def test_rows_without_a_country_are_named_once_and_can_be_imported(event: Event):
    client = organiser(event)
    page = look(client, "Name,Country\nIda,SWE\nJo,\nKai,\n")
    assert texts(page, ".note") == [
        (
            "Warning 2 without a country (rows 3 and 4). They can be imported: add the country on the player’s page "
            "before the results go to EMA."
        )
    ]
    client.post(f"{URL}import/", {"confirmed": values(page, "confirmed")[0], "act": "take"})
    assert names(event) == ["Ida", "Jo", "Kai"]


def test_wrong_rows_stand_above_good_ones(event: Event):
    page = look(organiser(event), "Name,Country,EMA number\nIda,SWE,\nJo,SWE,\nKai,SWE,1234\n")
    assert rows(page)[0].startswith("Kai · SWE EMA number “1234”")


def test_a_file_that_is_no_list_is_refused_in_words(event: Event):
    page = look(organiser(event), b"%PDF-1.7 something", "list.pdf")
    assert texts(page, ".note")[0] == (
        "Error This is not a table (a PDF, a picture or a web page). Save the list as .xlsx or csv."
    )
    assert values(page, "confirmed") == []


def test_no_file_at_all_is_said_beside_the_field(event: Event):
    answer = organiser(event).post(f"{URL}import/", {})
    assert (answer.status_code, texts(answer, ".error")) == (422, ["Choose a file, or paste cells."])


def test_a_preview_that_was_changed_adds_nobody(event: Event):
    client = organiser(event)
    packed = values(look(client, CSV), "confirmed")[0]
    for tampered in (packed[:-1] + ("A" if packed[-1] != "A" else "B"), packed[1:], "", "x:y:z"):
        client.post(f"{URL}import/", {"confirmed": tampered})
        assert texts(client.get(URL), ".note")[0] == "Error The preview is too old: choose the file again."
    assert names(event) == []


def test_a_preview_belongs_to_its_event_and_lasts_an_hour(event: Event):
    client = organiser(event)
    other = make_event(slug="other", tables=1, rounds=1, by=writer_of(event))
    packed = values(look(client, CSV), "confirmed")[0]
    client.post("/desk/other/players/import/", {"confirmed": packed})
    assert other.players.count() == 4
    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(minutes=61)):
        organiser(event).post(f"{URL}import/", {"confirmed": packed})
    assert names(event) == []


def test_the_empty_list_has_headings_that_are_understood(event: Event):
    client = organiser(event)
    empty = client.get(f"{URL}import/")
    assert empty["Content-Disposition"] == 'attachment; filename="players.csv"'
    page = look(client, empty.content)
    assert rows(page) == ["Example Player · GBR · Example Club · 01020304 OK"]


@pytest.mark.follows("before/players.md")
def test_cells_are_corrected_and_rows_left_out_in_the_preview_and_shown_before_they_are_taken(event: Event):
    client = organiser(event)
    page = client.post(f"{URL}import/", {"file": "", "pasted": "Name\tCountry\nAda\tGBR\nAda\tFRA\nBo\tDEU\n\tITA\n"})
    assert "2 things are wrong. Correct them in their rows or leave the rows out" in text(page, "main")
    assert (values(page, "cell-3-0"), values(page, "cell-4-0")) == (["Ada"], [])
    sent = {"sheet": values(page, "sheet")[0], "act": "look"}
    page = client.post(f"{URL}import/", {**sent, "cell-3-0": " Ada  Elm ", "cell-3-1": "Frnce", "leave-5": "1"})
    assert rows(page) == [
        "Ada Elm The country “Frnce” in row 3 is not known and is left empty. Did you mean France (FRA)?",
        "Ada · GBR OK", "Bo · DEU OK", "left out",
    ]  # fmt: skip
    # a good row has its fields once they are asked for; what was corrected stays
    page = client.post(f"{URL}import/", {"confirmed": values(page, "confirmed")[0], "open": "4", "leave-5": "1"})
    assert (values(page, "cell-4-0"), values(page, "cell-3-0")) == (["Bo"], ["Ada Elm"])
    confirmed = {"confirmed": values(page, "confirmed")[0], "act": "take", "leave-5": "1"}
    for changed in ({"cell-3-1": "FRA"}, {"leave-4": "1"}, {"column-0": "name", "column-1": ""}):
        page = client.post(f"{URL}import/", {**confirmed, **changed})
        assert (page.status_code, event.players.count()) == (200, 0)
    page = client.post(f"{URL}import/", {**confirmed, "cell-3-1": "FRA", "act": "look"})
    client.post(f"{URL}import/", {**confirmed, "confirmed": values(page, "confirmed")[0]})
    taken = list(event.players.order_by("number").values_list("person__preferred_name", "person__country"))
    assert taken == [("Ada", "GBR"), ("Ada Elm", "FRA"), ("Bo", "DEU")]


def test_a_name_that_the_list_has_is_refused_also_when_it_was_typed_in_the_preview(event: Event):
    client = organiser(event)
    page = client.post(f"{URL}import/", {"pasted": "Name\nAda\nBo\n"})
    sent = {"confirmed": values(page, "confirmed")[0], "act": "take"}
    page = client.post(f"{URL}import/", {**sent, "cell-3-0": "ada"})
    assert "1 thing is wrong" in text(page, "main")
    assert event.players.count() == 0
    page = client.post(f"{URL}import/", {**sent, "leave-2": "1", "leave-3": "1"})
    assert values(page, "confirmed") == []


def test_what_changed_in_the_event_since_the_preview_is_shown_first(event: Event):
    client = organiser(event)
    page = client.post(f"{URL}import/", {"pasted": "Name\nAda Moss\nBo Elm\n"})
    add_players(event=event, players=[NewPlayer("Ada Mosss")], by=writer_of(event))
    page = client.post(f"{URL}import/", {"confirmed": values(page, "confirmed")[0], "act": "take"})
    assert (page.status_code, event.players.count()) == (200, 1)
    client.post(f"{URL}import/", {"confirmed": values(page, "confirmed")[0], "act": "take"})
    assert event.players.count() == 3


def test_names_pasted_without_headings_are_all_taken(event: Event):
    page = organiser(event).post(f"{URL}import/", {"pasted": "Ada\tSweden\nBo\tDEU\n"})
    assert rows(page) == ["Ada · SWE OK", "Bo · DEU OK"]


def test_nothing_given_is_said_at_the_file(event: Event):
    page = organiser(event).post(f"{URL}import/", {"pasted": "  "})
    assert (page.status_code, "Choose a file, or paste cells." in text(page, "main")) == (422, True)


def test_a_column_without_heading_is_shown_by_its_first_cell(event: Event):
    page = look(organiser(event), "1. Akelei (PL),\n2. Birk (NL),Utrecht\n")
    assert columns(page) == ["A such as “1. Akelei (PL)” → name, guessed", "B such as “Utrecht” → not used"]
    assert rows(page) == ["Akelei · POL OK", "Birk · NLD OK"]
