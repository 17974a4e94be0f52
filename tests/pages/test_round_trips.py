"""What goes out as xlsx, csv or json comes in again at an empty event, through the desk's own pages, as it was.

Events are both samples, in mid-play and with penalties, and every recorded event.
"""

import datetime as dt
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from rules.books import load
from rules.ruleset import diff
from tests.archive.archive_acts import empty_the_database
from tests.factories import make_account, make_event, play_round, round_of, writer_of
from tests.pages.at_desk import client_of, values
from tests.pages.html_reader import texts
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.demo.sample import SLUGS, load_samples
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.imports.actions import import_results, own_rules
from tournament.imports.results import read_results
from tournament.paper.queries import list_penalty_rows
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.rulesets.actions import change_rules
from tournament.standings.columns import StandingRow
from tournament.standings.queries import get_standings
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

LANGUAGES = ("en-gb", "de", "fr", "ja")
LISTS = ("players", "results", "penalties")


@pytest.fixture
def client() -> Client:
    return client_of(make_account("Desk", superuser=True))


def sample(slug: str) -> Event:
    (event,) = load_samples(now=timezone.now(), only=[slug])
    return event


def case(path: Path) -> Event:
    """Return a recorded event, played by the start and uma that it says of itself."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    own = {"start_points": truth["start"], "return_points": truth["start"], "uma": truth["uma"]}
    rules = own_rules(load("wrc-2025"), own, source="test")
    preview = read_results(path.read_bytes(), path.name)
    day = dt.date(2026, 9, 12)
    return import_results(slug=path.stem, preview=preview, rules=rules, date=day, by=make_account("Desk")).event


def fetch(client: Client, event: Event, file: str) -> bytes:
    answer = client.get(f"/desk/{event.slug}/export/{file}")
    assert answer.status_code == 200, file
    return bytes(answer.content)


def empty_copy(event: Event, slug: str) -> Event:
    """Return a new event by the same rules, without a player."""
    by = make_account(slug, superuser=True)
    made = create_event(
        name=slug, date=event.date, rules_key=event.ruleset.key, rounds=event.rounds_planned, slug=slug, by=by
    )
    own = {each.field: each.there for each in diff(made.ruleset, event.ruleset)}
    if own:
        change_rules(event=made, values=own, reason="", by=by)
    return Event.objects.get(pk=made.pk)


def take(client: Client, event: Event, what: str, data: bytes, name: str) -> None:
    """Send a file to one of the pages that take lists, look at it and say yes."""
    page = client.post(f"/desk/{event.slug}/{what}/import/", {"file": SimpleUploadedFile(name, data)})
    assert values(page, "confirmed"), (what, name, texts(page, ".note"), texts(page, ".verdict")[:5])
    answer = client.post(f"/desk/{event.slug}/{what}/import/", {"confirmed": values(page, "confirmed")[0]})
    assert answer.status_code == 302


def ranking(event: Event) -> list[tuple[Any, ...]]:
    rows: Sequence[StandingRow] = get_standings(event).rows
    # who shares a place may stand in either order
    return sorted(
        (row.rank, row.shared, row.name, row.total, row.games, row.penalties, row.results, row.tie_break)
        for row in rows
    )


def games(event: Event) -> list[tuple[Any, ...]]:
    """Return every seat of the rounds that are public, with points, place, uma and result."""
    tables = load_tables(event, rounds=get_standings(event).rounds)
    return [
        (table.round, table.number, game.player.seat, game.player.name, game.score, game.place, game.uma, game.result)
        for table in tables
        for game in table.seat_games
    ]


def penalties(event: Event) -> list[tuple[Any, ...]]:
    rows = list_penalty_rows(event, get_standings(event).rounds)
    return sorted((row.name, row.points, row.reason, row.round, row.clause) for row in rows if not row.cancelled)


def people(event: Event) -> list[tuple[str, ...]]:
    found = event.players.values_list(
        "person__preferred_name", "person__ema_number", "person__country", "person__club", "team"
    )
    return sorted(found)


def known(event: Event) -> tuple[list[Any], ...]:
    return ranking(event), games(event), penalties(event), people(event)


# as lists and as the whole event; as a workbook, too, in the nightly run: below, a small event comes back from that
@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "kinds"),
    [(SLUGS[1], ["csv"]), *(pytest.param(slug, ["xlsx", "csv"], marks=pytest.mark.nightly) for slug in SLUGS)],
)
def test_a_sample_comes_back_from_every_kind_of_file(client: Client, slug: str, kinds: list[str]):
    event = sample(slug)
    before, hands, archive = known(event), hands_of(event), get_event_file(event)
    assert before[2]
    csvs = {what: fetch(client, event, f"{what}.csv") for what in LISTS}
    for name in kinds:
        files = csvs if name == "csv" else dict.fromkeys(LISTS, fetch(client, event, "results.xlsx"))
        again = empty_copy(event, name)
        for what, data in files.items():
            take(client, again, what, data, f"{what}.{name}")
        assert known(again) == before, name
        # the workbook lists players as they stand
        lists = LISTS if name == "csv" else ("results", "penalties")
        assert [fetch(client, again, f"{what}.csv") for what in lists] == [csvs[what] for what in lists]
    empty_the_database()
    made = import_event(data=archive.encode(), by=make_account("Desk", superuser=True))
    assert (get_event_file(made), known(made), hands_of(made)) == (archive, before, hands)


# in two of the languages, in all of them in the nightly run; in English it comes back with a sample
@pytest.mark.parametrize("languages", [("fr", "ja"), pytest.param(LANGUAGES, marks=pytest.mark.nightly)])
def test_a_workbook_comes_back_in_every_language(client: Client, languages: tuple[str, ...]):
    event = small_event()
    before = known(event)
    assert [row[1:4] for row in before[2]] == [(8000, "chombo", 1), (1500, "=late", None)]
    for language in languages:
        Event.objects.filter(pk=event.pk).update(language=language)
        check_in_this_language(client, event, before, language)


@pytest.mark.nightly
@pytest.mark.parametrize("slug", SLUGS)
def test_a_sample_comes_back_from_its_workbook_in_every_language(client: Client, slug: str):
    event = sample(slug)
    before = known(event)
    for language in LANGUAGES:
        Event.objects.filter(pk=event.pk).update(language=language)
        check_in_this_language(client, event, before, language)


def check_in_this_language(client: Client, event: Event, before: tuple[list[Any], ...], language: str) -> None:
    data = fetch(client, event, "results.xlsx")
    for sheet in load_workbook(io.BytesIO(data)):
        headings = [cell.value for cell in sheet[3]]
        assert len(set(headings)) == len(headings), (language, sheet.title, headings)
    again = empty_copy(event, f"{event.slug}-{language}")
    for what in LISTS:
        take(client, again, what, data, "results.xlsx")
    assert known(again) == before, language


def small_event() -> Event:
    """Return an event of two played rounds with penalties, one of them cancelled, and a name like a formula."""
    event = make_event("ema-2025", tables=2, rounds=2, slug="cup")
    by, players = writer_of(event), list(event.players.select_related("person").order_by("number"))
    players[0].person.preferred_name, players[0].person.ema_number = "=Akelei", "01020304"
    players[0].person.country, players[0].person.club = "DEU", "-Nord"
    players[0].person.save()
    play_round(event, 1, "2r3 340", "1t y")
    play_round(event, 2, "1t y", "3r1 230")
    given = [(1, 8000, "chombo", round_of(event, 1)), (2, 1500, "=late", None), (3, 900, "the tram", None)]
    penalties = [
        give_penalty(
            player=players[number], points=points, reason=reason, client_id=uuid4(), round_=round_, clause="7.5", by=by
        )
        for number, points, reason, round_ in given
    ]
    cancel_penalty(penalty=penalties[2], reason="it was late", by=by)
    return event


@pytest.mark.slow  # a real event, taken in twice; from every kind of file in the nightly run, as a sample is here
def test_a_shared_event_comes_back_from_its_csv(cases: Path, client: Client):
    check_shared(client, cases / "events" / "event-01.csv", files=["results.csv"], archive=False)


@pytest.mark.nightly
def test_every_shared_event_comes_back_from_every_kind_of_file(cases: Path, client: Client):
    paths = sorted((cases / "events").glob("*.csv"))
    assert len(paths) >= 2
    for path in paths:
        check_shared(client, path)
        empty_the_database()
        client.force_login(make_account("Desk", superuser=True))


def check_shared(
    client: Client, path: Path, *, files: Sequence[str] = ("results.xlsx", "results.csv"), archive: bool = True
) -> None:
    event = case(path)
    before = known(event)
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["standings"]
    assert sorted((row[0], row[2], row[3]) for row in before[0]) == sorted(
        (row["rank"], row["player"], row["total"]) for row in truth
    )
    for file in files:
        again = empty_copy(event, f"{path.stem}-{file.partition('.')[2]}")
        take(client, again, "results", fetch(client, event, file), file)
        assert known(again) == before, file
    if archive:
        data = get_event_file(event)
        empty_the_database()
        made = import_event(data=data.encode(), by=make_account("Desk", superuser=True))
        assert (get_event_file(made), known(made)) == (data, before)


def hands_of(event: Event) -> list[tuple[Any, ...]]:
    return [
        (table.round, table.number, number, hand.deltas, hand.after.scores)
        for table in load_tables(event)
        for number, hand in enumerate(table.game.hands, start=1)
    ]
