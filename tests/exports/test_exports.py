"""Files for others, from the desk: they hold what the standings hold, nothing that is held, and come back as they went.

Events are the samples, a small one, and the recorded ones.
"""

import csv
import datetime as dt
import io
import json
import re
import zipfile
from pathlib import Path
from posixpath import dirname, join, normpath
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from rules.books import load
from tests.ema.ema_reader import read_ema
from tests.factories import fresh, make_account, make_event, play_round, round_of, set_team, writer_of
from tests.pages.at_desk import client_of, organiser
from tests.pages.html_reader import text, texts
from tournament.demo.sample import SLUGS, load_samples
from tournament.events.actions import Publication, set_details, set_publication
from tournament.events.models import Event
from tournament.imports.actions import import_results
from tournament.imports.results import ResultsPreview, read_results
from tournament.pdf.printers import printers
from tournament.penalties.actions import give_penalty
from tournament.players.queries import list_players
from tournament.standings.queries import get_released_standings, get_standings
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


def sample(slug: str) -> Event:
    (event,) = load_samples(now=timezone.now(), only=[slug])
    return event


@pytest.fixture(scope="module", params=["event-01", "event-07"])
def case(cases: Path, request: pytest.FixtureRequest, rows_of_module: None) -> Event:
    """Take a recorded event in."""
    name = request.param
    return take_in(name, read_results((cases / "events" / f"{name}.csv").read_bytes(), f"{name}.csv"))


def take_in(slug: str, preview: ResultsPreview) -> Event:
    assert [problem for problem in preview.problems if problem.severity == "error"] == []
    day = dt.date(2026, 9, 12)
    made = import_results(slug=slug, preview=preview, rules=load("ema-2025"), date=day, by=make_account("Desk"))
    return made.event


def fetch(event: Event, file: str, client: Client | None = None) -> bytes:
    answer = (client or organiser_of(event)).get(f"/desk/{event.slug}/export/{file}")
    assert answer.status_code == 200, file
    content: bytes = answer.content
    return content


def organiser_of(event: Event) -> Client:
    return organiser(event) if event.memberships.exists() else client_of(make_account(superuser=True))


def body(data: bytes, sheet: str) -> list[list[object]]:
    return [[cell.value for cell in row] for row in load_workbook(io.BytesIO(data))[sheet].iter_rows(min_row=4)]


# ---------------------------------------------------------------- xlsx


def small() -> Event:
    """Return two rounds of three players with wins, a draw, a chombo and a penalty; of one person all is known."""
    event = make_event("sanmatsuri-2026", slug="small", tables=2, rounds=2)
    player = event.players.select_related("person").get(number=1)
    player.person.ema_number, player.person.country, player.person.club = "04070011", "DEU", "Nord"
    player.person.save()
    play_round(event, 1, "2r3 340/2", "1t 230", "d13", "c2")
    play_round(event, 2, "3r1 m", "1t 340/1")
    give_penalty(
        player=player, points=3000, reason="late", client_id=uuid4(), round_=round_of(event, 1), by=writer_of(event)
    )
    return fresh(event)


# a small event, in the nightly run both samples
@pytest.mark.parametrize("slug", ["small", *(pytest.param(slug, marks=pytest.mark.nightly) for slug in SLUGS)])
@pytest.mark.parametrize("apart", [False, True])
def test_every_cell_of_the_workbook_is_what_the_desk_knows(slug: str, apart: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournament.pages.files.MAX_CELLS_HERE", 0 if apart else 10**6)
    started = len(printers.free)
    event = small() if slug == "small" else sample(slug)
    data, standings = fetch(event, "results.xlsx"), get_standings(event)
    assert len(printers.free) == max(started, apart)
    people = {row.name: row for row in list_players(event)}
    tables = load_tables(event, rounds=standings.rounds)
    assert body(data, "Standings") == [
        [
            row.rank, row.name, people[row.name].ema_number or None, people[row.name].country or None,
            people[row.name].club or None, row.total, row.games, row.penalties, *row.results,
        ]
        for row in standings.rows
    ]  # fmt: skip
    games = {(table.round, table.number, game.player.name): game for table in tables for game in table.seat_games}
    assert {(row[0], row[2], row[1]): (row[4], row[5], row[6], row[7]) for row in body(data, "By round")} == {
        key: (game.score, game.place, game.uma, game.result) for key, game in games.items()
    }
    assert [row[:2] + row[2:-1] for row in body(data, "By table")] == [
        [table.round, table.number, *(part for game in table.seat_games for part in (game.player.name, game.score))]
        for table in tables
    ]
    size = event.ruleset.players
    assert [(row[:3], row[4:6], row[9 : 9 + 2 * size]) for row in body(data, "Hands")] == [
        (
            [table.round, table.number, number], [hand.before.honba, hand.before.sticks],
            [*hand.deltas, *hand.after.scores],
        )
        for table in tables
        for number, hand in enumerate(table.game.hands, start=1)
    ]  # fmt: skip
    statistics = body(data, "Statistics")
    assert [row[0] for row in statistics] == [row.name for row in standings.rows]
    assert sum(row[1] for row in statistics) == len(games) > 10  # type: ignore[misc]


def test_nothing_held_is_in_any_file_unless_the_desk_asks(held: Event):
    event = held
    client = organiser(event)
    assert [sheet_totals(fetch(event, name, client)) for name in ("results.xlsx", "results.xlsx?held")] == [
        sorted(row.total for row in get_standings(event).rows),
        sorted(row.total for row in get_released_standings(event).rows),
    ]
    assert {row[0] for row in body(fetch(event, "results.xlsx", client), "Hands")} == {1}
    scores = [
        sorted(line.score for line in read_ema(fetch(event, f"ema.xlsx{q}", client)).lines) for q in ("", "?held")
    ]
    assert scores == [
        sorted(row.total for row in standings.rows)
        for standings in (get_standings(event), get_released_standings(event))
    ]
    assert scores[0] != scores[1]
    rounds = [{line.split(",")[0] for line in fetch(event, f"results.csv{q}", client).decode().splitlines()[1:]}
              for q in ("", "?held")]  # fmt: skip
    assert rounds == [{"1"}, {"1", "2"}]


def sheet_totals(data: bytes) -> list[object]:
    return sorted(row[5] for row in body(data, "Standings"))  # type: ignore[type-var]


@pytest.fixture(scope="module")
def made_and_held(rows_of_module: None) -> Event:
    event = make_event(slug="held", tables=2, rounds=2)
    set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))
    play_round(event, 1, "2r3 340")
    play_round(event, 2, "1t y")
    return event


@pytest.fixture
def held(made_and_held: Event) -> Event:
    return fresh(made_and_held)


def test_the_csv_of_a_case_is_the_case(cases: Path, case: Event):
    source = (cases / "events" / f"{case.slug}.csv").read_text(encoding="utf-8")
    made = fetch(case, "results.csv").decode("utf-8-sig")
    assert sorted(made.splitlines()) == sorted(source.splitlines())


# ---------------------------------------------------------------- EMA


def host(event: Event, country: str, place: str, rounds: list[int]) -> None:
    set_details(
        event=event, name=event.name, date=event.date, place=place, rounds=rounds, country=country, by=writer_of(event)
    )


@pytest.mark.follows("after/rankings.md")
def test_the_federations_workbook_gives_the_standings_back(case: Event):
    host(case, "de", "Kiel", [case.rounds_planned - 1, 1])
    event, name = fresh(case), case.slug
    read = read_ema(fetch(event, "ema.xlsx"))
    assert [(line.position, line.score) for line in read.lines] == [
        (row.rank, row.total) for row in get_standings(event).rows
    ]
    assert [f"{line.first_name} {line.last_name}" for line in read.lines] == [
        row.name for row in get_standings(event).rows
    ]
    assert (read.name, read.country, read.town, read.days, read.date) == (name, "DEU", "Kiel", 2, "12-13 Sept. 2026")
    assert str(read.weight) == "2"


def test_the_files_for_rankings_have_the_places_and_totals_that_were_published(cases: Path, case: Event):
    """Both files of a real event against its published ranking, whose shared places have the better number."""
    published = json.loads((cases / "events" / f"{case.slug}.json").read_text(encoding="utf-8"))["standings"]
    wanted = sorted((row["rank"], row["player"], row["total"]) for row in published)
    event = fresh(case)
    read = read_ema(fetch(event, "ema.xlsx"))
    assert sorted((line.position, f"{line.first_name} {line.last_name}", line.score) for line in read.lines) == wanted
    rows = csv.DictReader(io.StringIO(fetch(event, "ranking.csv").decode("utf-8-sig")))
    named = [(int(row["position"]), f"{row['first_name']} {row['last_name']}", int(row["mahjong"])) for row in rows]
    assert sorted(named) == wanted
    page = organiser_of(event).get(f"/desk/{event.slug}/results/rankings/").content.decode()
    assert f"players {len(wanted)}, " in page


@pytest.mark.follows("after/rankings.md")
def test_the_page_names_what_the_federation_would_stumble_over():
    event = make_event(slug="cup", tables=2, rounds=2)
    play_round(event, 1, "2r3 340")
    page = organiser(event).get("/desk/cup/results/rankings/")
    assert texts(page, ".note")[:2] == [
        "Error The country where it was played is missing.",
        "Error The town is missing.",
    ]
    assert text(page, "#host").startswith("Country: – · Town: – · Days: 1 (12 Sep 2026)")
    assert texts(page, "summary")[-1] == "6 warnings"
    assert [note.split(":")[0] for note in texts(page, ".note")[2:]] == [
        "Error No country",
        "Error EMA wants a first and a last name",
        "Warning 1 of 2 rounds are counted",
        "Warning No EMA number",
        "Warning Place 1 is shared",
        "Warning Place 3 is shared",
        "Warning Place 7 is shared",
        "Warning 8 players only",
    ]


@pytest.mark.usefixtures("template_contexts")
def test_the_page_says_what_each_place_is_worth():
    event = make_event(slug="cup", tables=2, rounds=1)
    for number, ema in ((2, "05000002"), (6, "05000006")):
        person = event.players.select_related("person").get(number=number).person
        person.ema_number, person.country = ema, "DEU"
        person.save()
    play_round(event, 1, "2r3 340")
    host(event, "DEU", "Kiel", [1, 1, 1])
    page = organiser(event).get("/desk/cup/results/rankings/")
    assert text(page, "#worth").startswith(
        "Tournament weight MERS weight 3.0: days 3, players 8, countries 1. "
        "Players without an EMA number get no base rank."
    )
    rows = [row.split() for row in texts(page, "tr")[1:]]
    assert rows[:3] == [
        ["=1", "Birk", "05000002", "DEU", rows[0][4], "1000", "3", "×", "1000"],
        ["=1", "Farn", "05000006", "DEU", rows[1][4], "1000", "3", "×", "1000"],
        ["=3", rows[2][1], "–", "–", rows[2][4], "–", "–"],
    ]
    assert page.context["lines"][0][0].score == get_standings(event).rows[0].total


# ---------------------------------------------------------------- a copy of the public pages


def read_html(page: bytes) -> BeautifulSoup:
    return BeautifulSoup(page.decode(), "html.parser")


def site(event: Event, query: str = "") -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(fetch(event, f"site.zip{query}"))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def copied(rows_of_module: None) -> Event:
    """Return a German event."""
    event = make_event(slug="copied", tables=1, rounds=2)
    event.language = "de"
    event.save()
    play_round(event, 1, "2r3 340", "1t y")
    return event


@pytest.fixture(scope="module")
def copy(copied: Event) -> dict[str, bytes]:
    """Return the files of the copy of an event in all languages."""
    return site(copied, "?languages=all")


@pytest.mark.follows("after/site.md")
@pytest.mark.parametrize("query", [pytest.param("", marks=pytest.mark.nightly), "?languages=all"])
def test_every_link_of_the_copy_leads_to_a_file_in_it(copied: Event, copy: dict[str, bytes], query: str):
    files = copy if query else site(copied)
    pages = {name: read_html(content) for name, content in files.items() if name.endswith(".html")}
    hanging = [
        (name, value)
        for name, page in pages.items()
        for value in (tag[key] for key in ("href", "src", "action") for tag in page.find_all(None, {key: True}))
        if not value.startswith(("https://", "http://"))
        and not (value.startswith("#") and (value == "#" or page.find(id=value[1:])))
        and normpath(join(dirname(name), value.partition("#")[0])) not in files
    ]
    assert hanging == []
    own = {name for name in pages if not name.startswith(("ja/", "en-gb/", "fr/"))}
    assert own == {
        "index.html", "recap.html", "rounds.html", "rules.html", "rules/values.html", "rules/yaku.html",
        "fouls.html", "rounds/1.html", "rounds/2.html",
        *(f"players/{number}.html" for number in range(1, 5)), "rounds/1/tables/1.html",
    }  # fmt: skip
    assert len(pages) == len(own) * (4 if query else 1)


def test_the_copy_has_no_script_no_form_no_desk_and_no_address_of_the_desk(copy: dict[str, bytes]):
    for name, content in copy.items():
        if name.endswith(".html"):
            assert read_html(content).find(["script", "form", "button"]) is None, name
            said = content.decode()
            assert re.findall(r"/desk/|/static/|/e/copied|localhost|testserver|hx-|data-|\?copy", said) == [], name


def test_nothing_held_is_in_the_copy_and_its_standings_are_one_page(held: Event, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournament.public.views.AT_ONCE", 5)
    monkeypatch.setattr("tournament.public.views.ORPHANS", 1)
    event = held
    player = event.players.get(number=1)
    set_team(player=player, team="Foxes", by=writer_of(event))
    files = site(event)
    assert {name for name in files if name.startswith("rounds/")} == {
        "rounds/1.html", "rounds/2.html", "rounds/1/tables/1.html", "rounds/1/tables/2.html",
    }  # fmt: skip
    page = files["index.html"].decode()
    totals = re.findall(r'class="total is-num">\s*<span[^>]*>([^<]*)', page)
    assert len(totals) == 8
    assert "After round 1 of 2" in page
    assert round_of(event, 2).released_at is not None


def test_the_copy_speaks_the_events_language_first(copy: dict[str, bytes]):
    heads = {
        name: re.findall(r'<html lang="([^"]*)"', copy[name].decode()) for name in ("index.html", "en-gb/index.html")
    }
    assert heads == {"index.html": ["de"], "en-gb/index.html": ["en-gb"]}
