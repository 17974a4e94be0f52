"""`import_games`: logs by one command, a line of JSON each."""

import json
from pathlib import Path

import pytest

from tests.factories import make_event, rows_of, table_of
from tests.online_logs.online_writers import mjai, simulated
from tests.online_logs.test_online_games import zipped
from tests.online_logs.test_online_games_pages import ALIASES
from tests.web.commands.conftest import Run

pytestmark = pytest.mark.django_db


def test_the_command_enters_games_and_refuses_others_by_name(run: Run, tmp_path: Path) -> None:
    event = make_event("tenhou-yonma", tables=1, rounds=3, slug="cup")
    games, aliases = simulated(), tmp_path / "aliases.csv"
    aliases.write_text(ALIASES, encoding="utf-8")
    logs = tmp_path / "games.zip"
    other = json.loads(json.dumps(games[2]))
    next(event for event in other[50:] if event["type"] == "start_kyoku")["honba"] += 5
    files = {f"{at}.jsonl": mjai(game) for at, game in enumerate([*games[:2], other])}
    logs.write_bytes(zipped(files | {"x.txt": b"x"}))
    arguments = ("import_games", "cup", str(logs), "--aliases", str(aliases))
    look = [json.loads(line) for line in run(*arguments, "--dry-run").splitlines()]
    assert [(each["ok"], each.get("signed")) for each in look] == [(True, False)] * 2 + [(False, None)] * 2
    assert rows_of(table_of(event)) == []
    said = [json.loads(line) for line in run(*arguments, "--sign").splitlines()]
    assert [(each.get("round"), each.get("signed")) for each in said] == [(1, True), (2, True), *[(None, None)] * 2]
    problems = [each["problems"][0] for each in said[2:]]
    assert [(each["code"], each["at"]) for each in problems] == [("log.other_hand", 1), ("log.unknown", None)]
    again = [json.loads(line) for line in run(*arguments).splitlines()]
    assert [each["problems"][0]["code"] for each in again[:2]] == ["log.taken_already"] * 2
