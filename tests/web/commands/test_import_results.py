"""`import_results`: real events by one command, and words for what cannot be."""

import csv
import json
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from tests.imports.test_old_seasons import EVENINGS, workbook
from tests.web.commands.conftest import Run
from tournament.archive.verify import verify_event
from tournament.events.models import Event

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

GAME = "round,table,seat,player,points\n1,1,0,Akelei,41000\n1,1,1,Birk,30000\n1,1,2,Cyan,29000\n1,1,3,Distel,20000\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "results.csv"
    path.write_text(GAME, encoding="utf-8")
    return str(path)


@pytest.mark.follows("after/old-events.md")
@pytest.mark.once
@pytest.mark.parametrize(
    ("number", "book"),
    [
        ("01", "rakkii-nomi-2026"),
        ("07", "wrc-2025"),
        pytest.param("01", "wrc-2025", marks=pytest.mark.nightly),
        pytest.param("07", "rakkii-nomi-2026", marks=pytest.mark.nightly),
    ],
)
def test_real_events_give_exactly_their_recorded_ranking(cases: Path, run: Run, number: str, book: str):
    path = cases / "events" / f"event-{number}.csv"
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    options = ["--rules", book, "--start", str(truth["start"]), "--uma", ",".join(map(str, truth["uma"]))]
    said = json.loads(run("import_results", f"event-{number}", str(path), *options))
    with path.open(encoding="utf-8") as lines:
        tables = {(row["round"], row["table"]) for row in csv.DictReader(lines)}
    assert said == {
        "event": f"event-{number}", "changed": True, "players": truth["players"], "rounds": truth["rounds"],
        "tables": len(tables),
    }  # fmt: skip
    rows = json.loads(run("standings", f"event-{number}", "--json"))["rows"]
    ranking = [{"player": row["player"], "total": row["total"], "rank": row["rank"]} for row in rows]
    assert sorted(ranking, key=lambda row: (row["rank"], row["player"])) == sorted(
        truth["standings"], key=lambda row: (row["rank"], row["player"])
    )


def test_the_same_command_twice_changes_nothing(run: Run, file: str):
    options = ["import_results", "cup", file, "--rules", "wrc-2025", "--uma", "15000,5000,-5000,-15000"]
    assert json.loads(run(*options))["changed"] is True
    version = Event.objects.get().version
    assert json.loads(run(*options))["changed"] is False
    assert json.loads(run("import_results", "cup", file))["changed"] is False
    assert Event.objects.get().version == version


def test_rules_start_and_uma_become_the_events_own(run: Run, file: str):
    run("import_results", "cup", file, "--rules", "wrc-2025", "--start", "30000", "--uma", "30000,10000,-10000,-30000",
        "--date", "2025-05-04")  # fmt: skip
    event = Event.objects.get()
    rules = event.ruleset
    assert (rules.key, rules.start_points, rules.return_points) == ("wrc-2025", 30000, 30000)
    assert rules.uma == (30000, 10000, -10000, -30000)
    assert (event.name, event.date.isoformat()) == ("cup", "2025-05-04")
    totals = [row["total"] for row in json.loads(run("standings", "cup", "--json"))["rows"]]
    assert totals == [41000, 10000, -11000, -40000]


def test_start_is_what_is_subtracted_at_the_end(run: Run, tmp_path: Path):
    path = tmp_path / "low.csv"
    path.write_text(GAME.replace("41000", "21000"), encoding="utf-8")
    run("import_results", "cup", str(path), "--start", "25000")
    totals = [row["total"] for row in json.loads(run("standings", "cup", "--json"))["rows"]]
    assert totals == [20000, 9000, -9000, -20000]


def test_tables_of_three_have_their_own_usual_rules(run: Run, tmp_path: Path):
    path = tmp_path / "three.csv"
    path.write_text(
        "round,table,seat,player,points\n1,1,0,A b,40000\n1,1,1,B c,30000\n1,1,2,C d,20000\n", encoding="utf-8"
    )
    run("import_results", "cup", str(path))
    assert Event.objects.get().ruleset.key == "sanmatsuri-2026"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("41000", "41100", r"Round 1, table 1: the points sum to 120,100 and must make 120,000; "),
        ("41000", "40500", r"Round 1, table 1: the points sum to 119,500 and must make 120,000; "),
    ],
)
def test_points_that_do_not_add_up_are_refused_in_words(run: Run, tmp_path: Path, old: str, new: str, words: str):
    path = tmp_path / "results.csv"
    path.write_text(GAME.replace(old, new), encoding="utf-8")
    with pytest.raises(CommandError, match=words):
        run("import_results", "cup", str(path))
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rules", "house"], "there is no rule set 'house'"),
        (["--uma", "1,2"], "key 'uma': has 2 places for 4 players"),
        (["--uma", "a,b"], "'a,b' is not a list of whole numbers"),
        (["--start", "x"], "invalid int value: 'x'"),
        (["--start", "-5"], "key 'start_points': must be at least 0"),
        (["--date", "4.5.2025"], "'4.5.2025' is not a date"),
        (["--rules", "sanmatsuri-2026"], "The file has 4 players at a table; the rules SanMatsuri 2026 want 3"),
    ],
)
def test_options_that_cannot_be_are_answered_in_words(run: Run, file: str, options: list[str], words: str):
    with pytest.raises(CommandError, match=words):
        run("import_results", "cup", file, *options)
    assert not Event.objects.exists()


def test_a_file_that_is_no_table_is_refused(run: Run, tmp_path: Path):
    path = tmp_path / "results.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(CommandError):
        run("import_results", "cup", str(path))
    with pytest.raises(CommandError, match="cannot be read"):
        run("import_results", "cup", str(tmp_path / "missing.csv"))


def test_results_come_also_from_standard_input(run: Run):
    assert json.loads(run("import_results", "cup", "-", given=GAME.encode()))["tables"] == 1


BY_GAME = (
    "Game,Date,E,S,W,N,Scr-E,Scr-S,Scr-W,Scr-N\n"
    "2,2026-01-09,Birk,Akelei,Distel,Cyan,30000,41000,20000,29000\n"
    "1,2026-01-02,Akelei,Birk,Cyan,Distel,41000,30000,29000,20000\n"
)


@pytest.mark.follows("after/old-events.md")
def test_a_season_with_one_row_a_game_goes_in_and_grows(run: Run, tmp_path: Path):
    path = tmp_path / "games.csv"
    path.write_text(BY_GAME, encoding="utf-8")
    options = ["import_results", "league", str(path), "--rules", "m-league"]
    with pytest.raises(CommandError, match="the points sum to 120,000 and must make 100,000"):
        run(*options)
    # the points that players start with are those of the table, and nobody pays an oka that the file does not know
    assert json.loads(run(*options, "--start", "30000"))["rounds"] == 2
    grown = BY_GAME + "".join(
        f"{game},2026-02-01,Akelei,Birk,Cyan,Efeu,30000,30000,30000,30000\n" for game in range(3, 41)
    )
    path.write_text(grown, encoding="utf-8")
    append = ["import_results", "league", str(path), "--append"]
    with pytest.raises(CommandError, match="has been played already, and not with these results"):
        run("import_results", "league", str(path))
    assert json.loads(run(*append))["changed"] is True
    event = Event.objects.get()
    assert (event.rounds_planned, event.rounds.count(), event.players.count()) == (40, 40, 5)
    assert {round_.state for round_ in event.rounds.all()} == {"released"}
    assert json.loads(run(*append))["changed"] is False
    assert json.loads(run("import_results", "league", str(path)))["changed"] is False
    before = event.rounds.count()
    path.write_text(grown.replace("41000,20000,29000", "40000,21000,29000"), encoding="utf-8")
    with pytest.raises(CommandError, match="Round 2, table 1 of the file is not as the event has it"):
        run(*append)
    rounds = "round,table,seat,player,points\n" + "".join(
        f"{{0}},1,{seat},{name},30000\n" for seat, name in enumerate(("Akelei", "Birk", "Cyan", "Distel"))
    )
    path.write_text(rounds.format(43), encoding="utf-8")
    with pytest.raises(CommandError, match="has 40 rounds, and the file goes on with round 43"):
        run(*append)
    assert event.rounds.count() == before
    path.write_text(rounds.format(41), encoding="utf-8")
    assert json.loads(run(*append))["changed"] is True
    assert verify_event(Event.objects.get()).problems == []


def test_a_season_is_imported_once_and_totals_that_differ_stop_it(tmp_path: Path, run: Run):
    path = tmp_path / "league.xlsx"
    path.write_bytes(workbook(**EVENINGS, Totals=[["Name", "Total"], ["Ana Berg", 51.0]]))
    options = ["--season", "--rules", "wrc-2025"]
    with pytest.raises(CommandError, match="Ana Berg: the file’s total is 51,000, the games give 50,000"):
        run("import_results", "League 2024", str(path), *options)
    assert not Event.objects.exists()
    said = json.loads(run("import_results", "League 2024", str(path), *options, "--differences"))
    assert (said["season"], said["events"], said["people"], len(said["differences"])) == (
        "league-2024", ["league-2024-1", "league-2024-2"], 5, 1,
    )  # fmt: skip
    with pytest.raises(CommandError, match="already imported"):
        run("import_results", "League 2024", str(path), *options, "--differences")
