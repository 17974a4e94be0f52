"""A newer program on an older one's data: a backup first, one sentence from what cannot read it, and a way back."""

import datetime as dt
import json
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.typed import Ended, run_in_turn
from tournament.backups.backup import OLD_DATABASE_DAYS, list_backups
from tournament.backups.container import TABLES, extract_database, kept_until, read_manifest
from web.management.base import NOT_READABLE
from web.management.commands.backup import EMPTY
from web.server.database_age import DATABASE_OLDER

GOLDEN = settings.BASE_DIR / "tests" / "data" / "golden"
OLDEST = min(GOLDEN.glob("2026-*.sqlite3.xz")).name.removesuffix(".sqlite3.xz")
OLDER = DATABASE_OLDER.sentence.partition(":")[0]
KEY = "four words that you remember"

pytestmark = pytest.mark.once


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data directory as an older program left it."""
    return older(tmp_path / "data", "0.1.0")


def older(data: Path, version: str) -> Path:
    data.mkdir()
    (data / "db.sqlite3").write_bytes(lzma.decompress((GOLDEN / f"{version}.sqlite3.xz").read_bytes()))
    return data


def rows_in(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of every table, but for those that no backup holds."""
    with closing(sqlite3.connect(file)) as read:
        names = {name for (name,) in read.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {name: sorted(read.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names - set(TABLES)}


def only_backup(data: Path) -> Path:
    (kept,) = list_backups(data / "backups")
    assert kept.before_update
    return kept.path


@pytest.mark.parametrize("version", ["0.1.0", pytest.param(OLDEST, marks=pytest.mark.nightly)])
def test_the_data_are_backed_up_before_they_are_migrated(version: str, tmp_path: Path):
    data = older(tmp_path / "data", version)
    before = rows_in(data / "db.sqlite3")
    migrated, again = run_in_turn([["migrate", "-v0"], ["migrate", "-v0"]], data, HANCHAN_BACKUP_KEY=KEY)
    assert (migrated.code, migrated.err) == (0, "")
    assert again == Ended(0, "", "")  # nothing waits
    backup = only_backup(data)
    assert migrated.out == f"The data before the update: {backup} ({backup.stat().st_size:,} bytes)\n"
    made_on = dt.date.fromisoformat(read_manifest(backup, KEY)["made_at"][:10])
    assert kept_until(backup) == made_on + dt.timedelta(OLD_DATABASE_DAYS)
    extract_database(backup, KEY, tmp_path / "extracted")
    assert rows_in(tmp_path / "extracted") == before
    assert rows_in(data / "db.sqlite3").keys() > before.keys()

    commands = [["restore", str(backup)], ["verify_ledger"]]
    back, verified = run_in_turn(commands, tmp_path / "back", HANCHAN_BACKUP_KEY=KEY)
    assert (back.code, back.out.splitlines()[:2]) == (
        0,
        [
            "Restored and proved by verify_ledger.",
            f"Data: {tmp_path / 'back'} ({len(before['tournament_event'])} events)",
        ],
    )
    assert (verified.code, json.loads(verified.out.splitlines()[-1])["findings"]) == (0, 0)


def test_an_empty_desk_makes_none_and_is_told_that_its_backup_is_empty(tmp_path: Path):
    *migrated, made = run_in_turn([["migrate", "-v0"], ["migrate", "-v0"], ["backup"]], tmp_path)
    assert migrated == [Ended(0, "", "")] * 2
    assert (made.code, made.err.splitlines()) == (0, [f"Data: {tmp_path} (0 events)", EMPTY])
    (kept,) = list_backups(tmp_path / "backups")
    assert not kept.before_update


def test_without_a_backup_nothing_is_migrated_unless_that_is_asked_for(data: Path):
    (data / "backups").write_text("in the way")
    before = rows_in(data / "db.sqlite3")
    for refused in run_in_turn([["migrate", "-v0"], ["desk", "--prepare"]], data):
        assert (refused.code, "migrate --no-backup" in refused.err, "Traceback" in refused.err) == (1, True, False)
    assert rows_in(data / "db.sqlite3") == before
    (done,) = run_in_turn([["migrate", "tournament", "0020", "-v0", "--no-backup"]], data)
    assert done == Ended(0, "", "")
    assert rows_in(data / "db.sqlite3") != before

    (data / "backups").unlink()
    (started,) = run_in_turn([["desk", "--prepare"]], data)
    assert (started.code, str(only_backup(data)) in started.out) == (0, True), started.err


def test_what_reads_rows_says_that_the_database_is_older_and_calls_no_row_damaged(data: Path):
    before = rows_in(data / "db.sqlite3")
    commands = [["verify_ledger"], ["standings", "sanmatsuri-sample"], ["organiser_link"]]
    for ended in run_in_turn(commands, data):
        assert (ended.code, ended.out, len(ended.err.splitlines())) == (NOT_READABLE, "", 1)
        assert OLDER in ended.err
    (doctor,) = run_in_turn([["doctor", "--json"]], data)
    found = [json.loads(line) for line in doctor.out.splitlines()]
    faults = [each for each in found if each["level"] == "fault" and each["organ"] in ("database", "ledger", "backups")]
    assert (doctor.code, [each["organ"] for each in faults]) == (1, ["database"])
    assert OLDER in faults[0]["words"]
    assert rows_in(data / "db.sqlite3") == before


def test_a_backup_can_be_made_of_it(data: Path, tmp_path: Path):
    (tmp_path / "stick").mkdir()
    if_due, made = run_in_turn([["backup", "--if-due"], ["backup", "--to", str(tmp_path / "stick")]], data)
    assert if_due == Ended(0, "", "")
    assert (made.code, made.err.splitlines()[0]) == (0, f"Data: {data} (2 events)")
    assert [each.name for each in (tmp_path / "stick").iterdir()] == [only_backup(data).name]
