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
    logs.write_bytes(zipped({f"{at}.jsonl": mjai(game) for at, game in enumerate(games[:2])} | {"x.txt": b"x"}))
    arguments = ("import_games", "cup", str(logs), "--aliases", str(aliases))
    look = [json.loads(line) for line in run(*arguments, "--dry-run").splitlines()]
    assert [(each["ok"], each.get("signed")) for each in look] == [(True, False), (True, False), (False, None)]
    assert rows_of(table_of(event)) == []
    said = [json.loads(line) for line in run(*arguments, "--sign").splitlines()]
    assert [(each.get("round"), each.get("signed")) for each in said] == [(1, True), (2, True), (None, None)]
    assert said[2]["problems"][0]["code"] == "log.unknown"
    again = [json.loads(line) for line in run(*arguments).splitlines()]
    assert [each["problems"][0]["code"] for each in again[:2]] == ["log.taken_already"] * 2
