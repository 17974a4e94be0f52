"""An old season from a club's spreadsheet: evenings, people in one sitting, its own totals, and what is refused."""

import datetime as dt
import io
from collections.abc import Sequence

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from rules.books import load
from tests.factories import enter, make_account, make_event, refused, table_of
from tests.pages.at_desk import client_of
from tests.pages.html_reader import texts
from tests.seasons.evenings import play_evening
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.imports.old_seasons import AT_ONCE, OldSeason, import_old_season, read_old_season
from tournament.people.queries import list_humans
from tournament.seasons.models import Season
from tournament.seasons.queries import get_season_view

pytestmark = [pytest.mark.django_db, pytest.mark.once]

WRC = load("wrc-2025")
DAY = dt.date(2024, 1, 2)
A, B, C, D, E = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik", "Ede Holm"
# WRC 2025: 30,000 to begin with, uma 15, 5, -5, -15
FIRST, SECOND, THIRD, LAST = 25_000, 8_000, -8_000, -25_000
SCORES = (40_000, 33_000, 27_000, 20_000)

Rows = Sequence[Sequence[object]]


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


def game(round_: int, *names: str) -> list[list[object]]:
    return [[round_, 1, seat, name, SCORES[seat]] for seat, name in enumerate(names)]


def workbook(**sheets: Rows) -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name.replace("_", "-").removeprefix("day-"))
        for row in rows:
            sheet.append(list(row))
    book.save(out)
    return out.getvalue()


HEAD: list[object] = ["Round", "Table", "Seat", "Player", "Points"]
TOTAL = [(A, 2 * FIRST), (B, SECOND + LAST), (C, THIRD + THIRD), (D, LAST), (E, SECOND)]
EVENINGS: dict[str, Rows] = {
    "day_2024_01_09": [HEAD, *game(1, A, E, C, B)],
    "day_2024_01_02": [HEAD, *game(1, A, B, C, D)],
}


def read(data: bytes, name: str = "league.xlsx") -> OldSeason:
    return read_old_season(data, name, day=DAY, rules=WRC)


def words(old: OldSeason) -> list[tuple[str, str]]:
    return [(where, problem.code) for where, problem in old.problems]


def figures(season: Season) -> dict[str, object]:
    return {line.name: line.row.figure for line in get_season_view(season).lines}


def test_a_sheet_an_evening_becomes_the_events_of_a_season_with_one_person_each(by: Account):
    old = read(workbook(**EVENINGS, Totals=[("Name", "Total"), *TOTAL]))
    assert (words(old), old.differences) == ([], ())
    season = import_old_season(name="League 2024", old=old, rules=WRC, by=by)
    assert figures(season) == dict(TOTAL)
    days = list(season.events.values_list("event__slug", "event__date", "event__name"))
    assert days == [
        ("league-2024-1", dt.date(2024, 1, 2), "League 2024 · 2024-01-02"),
        ("league-2024-2", dt.date(2024, 1, 9), "League 2024 · 2024-01-09"),
    ]
    assert sorted(len(human.events) for human in list_humans()) == [1, 1, 2, 2, 2]


def test_a_sheet_a_season_with_a_day_in_each_row_or_in_the_first_of_a_day(by: Account):
    rows = [*game(1, A, B, C, D), *game(2, A, C, B, D), *game(3, E, B, C, A)]
    days = ["2024-01-02", "", "", "", "", "", "", "", "9.1.2024", "", "", ""]
    data = workbook(Games=[["Date", *HEAD], *([day, *row] for day, row in zip(days, rows, strict=True))])
    season = import_old_season(name="League", old=read(data), rules=WRC, by=by)
    rounds = [(row.event.date, row.event.rounds.count()) for row in season.events.all()]
    assert rounds == [(dt.date(2024, 1, 2), 2), (dt.date(2024, 1, 9), 1)]


def test_a_row_a_game_and_forty_rounds(by: Account):
    head = ["East", "Points", "South", "Points", "West", "Points", "North", "Points"]
    row = [A, 40_000, B, 33_000, C, 27_000, D, 20_000]
    old = read(workbook(Games=[head, *[row] * 40]))
    assert old.errors == []
    assert [len(evening.preview.rounds) for evening in old.evenings] == [40]


def test_totals_that_differ_are_listed_in_words_before_anything_is_written():
    totals: Rows = [["Name", "Total"], [A, 50.0], [B, -17.0], [C, -15.9], ["Gone Guest", 3.0]]
    old = read(workbook(**EVENINGS, Totals=totals))
    assert [(each.code, each.params["name"]) for each in old.differences] == [
        ("old_season.total_differs", C),
        ("old_season.total_unknown", "Gone Guest"),
    ]
    assert (old.differences[0].params["total"], old.differences[0].params["points"]) == (-15_900, 2 * THIRD)


def test_what_is_wrong_names_its_evening_and_stops_the_whole_file(by: Account):
    wrong = game(1, A, E, C, B)
    wrong[0][4] = 50_000
    old = read(
        workbook(day_2024_01_02=EVENINGS["day_2024_01_02"], Broken=[HEAD, *wrong], Notes=[["Rules", "of the club"]])
    )
    assert words(old) == [("", "old_season.sheet_left_out"), ("Broken", "results.table_sum")]
    with refused("results.table_sum"):
        import_old_season(name="League", old=old, rules=WRC, by=by)
    assert (Event.objects.count(), Season.objects.count()) == (0, 0)


def test_a_large_season_waits_while_hands_are_entered(by: Account):
    head = ["East", "Points", "South", "Points", "West", "Points", "North", "Points"]
    row = [A, 40_000, B, 33_000, C, 27_000, D, 20_000]
    large, small = (read(workbook(Games=[head, *[row] * games])) for games in (AT_ONCE + 1, 2))
    event = make_event(slug="live", tables=1)
    enter(table_of(event), "1t 230")
    with refused("old_season.while_played"):
        import_old_season(name="League", old=large, rules=WRC, by=by)
    assert Event.objects.count() == 1
    import_old_season(name="Small", old=small, rules=WRC, by=by)


def test_the_same_file_is_refused_while_its_season_is_here(by: Account):
    old = read(workbook(**EVENINGS))
    season = import_old_season(name="League", old=old, rules=WRC, by=by)
    with refused("import.file_taken_already"):
        import_old_season(name="Again", old=old, rules=WRC, by=by)
    assert (Season.objects.count(), Event.objects.count()) == (1, 2)
    season.delete()
    import_old_season(name="Other", old=old, rules=WRC, by=by)


def test_people_are_matched_in_one_sitting_and_two_of_an_evening_are_not_one(by: Account):
    known = play_evening(1, (A, B, C, D))
    client = client_of(by)
    assert client.get("/desk/seasons/from/file/").status_code == 200
    fields = {"name": "League", "rules_key": "wrc-2025", "day": "2024-01-02"}
    file = SimpleUploadedFile("league.xlsx", workbook(**EVENINGS, Totals=[["Name", "Total"], [A, 1.0]]))
    seen = client.post("/desk/seasons/from/file/", fields | {"file": file})
    assert seen.status_code == 200
    assert Event.objects.count() == 1
    said = " ".join(texts(seen, "main"))
    assert f"{A}: the file’s total is 1,000, the games give 50,000." in said
    boxes = texts(seen, ".proposals > li > p > b")
    assert sorted(boxes) == [A, B, C, D]
    packed = seen.content.decode().split('name="packed" value="')[1].split('"')[0]
    row = known.players.get(person__preferred_name=A).person_id
    other = known.players.get(person__preferred_name=B).person_id
    wrong = {"packed": packed, "group": ["0", "1"], "people-1": [str(row), str(other), "-1"]}
    back = client.post("/desk/seasons/from/file/", wrong)
    assert (back.status_code, Event.objects.count()) == (200, 1)
    assert "they cannot be one person" in back.content.decode()
    made = client.post("/desk/seasons/from/file/", wrong | {"people-1": [str(row), "-1"]})
    season = Season.objects.get()
    assert made["Location"] == f"/desk/seasons/{season.slug}/"
    assert sorted(len(human.events) for human in list_humans() if human.name == A) == [3]
    assert sorted(len(human.events) for human in list_humans() if human.name == B) == [1, 2]
    assert AuditRow.objects.filter(event=None, verb="old_season_imported").count() == 1


def test_what_is_no_table_or_changed_since_is_refused_in_words(by: Account):
    client = client_of(by)
    fields = {"name": "League", "rules_key": "wrc-2025", "day": "2024-01-02"}
    answer = client.post("/desk/seasons/from/file/", fields | {"file": SimpleUploadedFile("x.pdf", b"%PDF-1.7")})
    assert "not a table" in answer.content.decode()
    tampered = client.post("/desk/seasons/from/file/", {"packed": "e30:x:y", "group": "0"})
    assert (tampered.status_code, Season.objects.count()) == (422, 0)
    assert client_of(make_account()).get("/desk/seasons/from/file/").status_code == 404
