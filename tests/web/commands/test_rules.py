"""`rules`: every value with where it comes from."""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management.base import CommandError

from rules.books import book_keys, load, load_book, parse_book
from rules.ruleset import rule_fields
from tests.factories import make_account
from tests.web.commands.conftest import Run
from tournament.events.models import Event
from tournament.rulesets.actions import save_rule_set
from tournament.text.rules import SECTIONS


def test_without_a_key_all_keys_are_listed(run: Run):
    assert json.loads(run("rules", "--json")) == book_keys()
    lines = run("rules").splitlines()
    assert [line.split()[0] for line in lines] == ["key", *book_keys()]


@pytest.mark.parametrize("key", book_keys())
def test_a_rule_set_comes_whole_and_each_value_with_its_source(run: Run, key: str):
    book, printed = load_book(key), json.loads(run("rules", key, "--json"))
    assert list(printed) == ["key", "title", "source", "fields"]
    assert (printed["key"], printed["title"], printed["source"]) == (key, book.ruleset.title, book.source)
    assert [field["name"] for field in printed["fields"]] == [field.name for field in rule_fields()]
    values = load(key).as_json()
    for field in printed["fields"]:
        assert set(field) == {"section", "name", "value", "clause", "ours", "ours_in_part", "says"}
        assert field["value"] == values[field["name"]]
        assert (field["clause"] is None) is not (field["ours"] is None)
        assert field["says"]


def test_a_person_gets_a_table(run: Run):
    lines = run("rules", "ema-2025").splitlines()
    assert lines[0] == "EMA 2025 (ema-2025)"
    assert [line for line in lines if line in SECTIONS.values()] == list(SECTIONS.values())
    rows = {line.split()[0]: re.split(r"  +", line)[1:] for line in lines if "  " in line}
    assert rows["start_points"] == ["points each player starts with", "30,000 points", "E25 1.4, 3.7"]
    assert rows["ittsu"] == ["123, 456 and 789 of one suit", "2 han closed, 1 han open", "E25 4.2"]
    assert rows["kita_furiten"][-2:] == ["no", "ours: no kita"]
    assert "RK 2.2; ours: split on a tie, decimals dropped" in run("rules", "rakkii-nomi-2026")
    assert set(rows) >= {field.name for field in rule_fields()}


def test_a_difference_names_the_fields_in_which_two_disagree(run: Run):
    printed = json.loads(run("rules", "ema-2025", "--diff", "wrc-2025", "--json"))
    here, there = load("ema-2025").as_json(), load("wrc-2025").as_json()
    names = [field.name for field in rule_fields() if here[field.name] != there[field.name]]
    assert printed == {
        "here": "ema-2025",
        "there": "wrc-2025",
        "differences": [{"field": name, "here": here[name], "there": there[name]} for name in names],
    }
    assert "leftover_deposits" in names
    table = run("rules", "ema-2025", "--diff", "wrc-2025").splitlines()
    assert [line.split()[0] for line in table] == ["field", *names]
    (leftover,) = [line for line in table if line.startswith("leftover_deposits")]
    assert re.split(r"  +", leftover) == ["leftover_deposits", "the first place", "nobody"]


def test_a_rule_set_does_not_differ_from_itself(run: Run):
    assert json.loads(run("rules", "ema-2025", "--diff", "ema-2025", "--json"))["differences"] == []
    assert run("rules", "ema-2025", "--diff", "ema-2025") == "ema-2025 and ema-2025 are the same.\n"


@pytest.mark.django_db
@pytest.mark.parametrize("arguments", [["house"], ["ema-2025", "--diff", "house"], ["../books/ema-2025"]])
def test_a_key_that_is_not_there_is_answered_with_those_that_are(run: Run, arguments: list[str]):
    with pytest.raises(CommandError, match=r"there is no rule set '.*'; there are: ema-2016, ema-2025, "):
        run("rules", *arguments)


def test_a_difference_needs_two(run: Run):
    with pytest.raises(CommandError, match="say which"):
        run("rules", "--diff", "ema-2025")


CLUB = 'title = "Club"\nsource = "our club"\nextends = "ema-2025"\n[time]\nminutes = { is = 60, ours = "our hall" }\n'


@pytest.fixture
def club_file(tmp_path: Path) -> str:
    path = tmp_path / "club.toml"
    path.write_text(CLUB, encoding="utf-8")
    return str(path)


def test_a_file_stands_for_a_rule_set(run: Run, club_file: str):
    printed = json.loads(run("rules", club_file, "--diff", "ema-2025", "--json"))
    assert printed == {
        "here": "club.toml",
        "there": "ema-2025",
        "differences": [{"field": "minutes", "here": 60, "there": 75}],
    }
    written = run("rules", club_file, "--toml")
    assert parse_book(written, key="club.toml", source="test") == parse_book(CLUB, key="club.toml", source="test")


def test_every_fault_of_a_file_is_named_with_its_line(run: Run, club_file: str):
    Path(club_file).write_text(CLUB.replace("60", '"x"') + "hours = 1\n", encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        run("rules", club_file)
    assert [line.partition(":")[2][:8] for line in str(refused.value).splitlines()] == [" line 5:", " line 6:"]
    Path(club_file).write_text(CLUB + "".join(f"[t{number}]\nx = 1\n" for number in range(80)), encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        run("rules", club_file)
    assert str(refused.value).splitlines()[-1] == "club.toml: … and 30 more."
    Path(club_file).write_text(CLUB + ".".join("a" * 20_000) + " = 1\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"club\.toml: line 6: a key has more than 6 parts"):
        run("rules", club_file)
    Path(club_file).write_text(CLUB + "#" * 70_000, encoding="utf-8")
    with pytest.raises(CommandError, match=r"club\.toml is too large for a rule set"):
        run("rules", club_file)
    with pytest.raises(CommandError, match=r"gone\.toml cannot be read: No such file or directory"):
        run("rules", "gone.toml")


@pytest.mark.django_db
def test_a_rule_set_of_the_site_stands_for_its_newest_version(run: Run):
    book = parse_book(CLUB, key="", source="test")
    version = save_rule_set(rule_set=None, book=book, client_id=uuid4(), by=make_account())
    assert version is not None
    assert run("rules", "club").splitlines()[0] == "Club (club)"
    game = '{"id": 1, "rules": "club", "entries": [{"kind": "draw", "tenpai": [0]}]}\n'
    assert json.loads(run("replay", given=game.encode()))["ok"]
    results = "round,table,seat,player,points\n" + "".join(f"1,1,{seat},P{seat},30000\n" for seat in range(4))
    assert json.loads(run("import_results", "cup", "-", "--rules", "club", given=results.encode()))["changed"]
    event = Event.objects.get(slug="cup")
    assert (event.ruleset.title, event.ruleset.minutes, event.rule_set_version) == ("Club", 60, 1)
