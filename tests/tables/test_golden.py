"""Data of earlier versions: databases are migrated, verified, exported, backed up and restored, event files imported.

`tests/data/golden` has one database and one event file for each version, with the standings that it printed.
"""

import contextlib
import json
import lzma
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.factories import make_account
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_event
from tournament.standings.queries import read_standings

pytestmark = pytest.mark.whole_run

GOLDEN = settings.BASE_DIR / "tests" / "data" / "golden"
VERSIONS = sorted(path.name.removesuffix(".sqlite3.xz") for path in GOLDEN.glob("*.sqlite3.xz"))
IN_FILE = "sanmatsuri-sample"
# the zone in which a desk showed times before events had zones
SHOWN_UNTIL_NOW = os.environ.get("HANCHAN_TZ") or "Europe/London"
STEPS = """
import contextlib, io, json, sys
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
from tournament.events.models import Event

def run(*command, **options):
    out = io.StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()

run("migrate", verbosity=0)
folder = Path(sys.argv[1])
said = {"verify": [json.loads(line) for line in run("verify_ledger").splitlines()]}
slugs = sorted(Event.objects.values_list("slug", flat=True))
said["standings"] = {slug: json.loads(run("standings", slug, json=True))["rows"] for slug in slugs}
for slug in slugs:
    run("export_event", slug, str(folder / f"{slug}.json"))
(folder / "backups").mkdir()
run("backup", to=folder / "backups")
(backup,) = (folder / "backups").iterdir()
said["restored"] = run("restore", str(backup), into=folder / "again")
print(json.dumps(said))
"""


def standings_of(version: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{version}.standings.json").read_text(encoding="utf-8"))
    return found


def in_process(script: str, data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own, whose desk has this data directory."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "HANCHAN_BACKUP_TO")}
    ours = {"HANCHAN_DATA": str(data), "DJANGO_SETTINGS_MODULE": "web.settings"}
    line = [sys.executable, "-c", script, *arguments]
    return subprocess.run(
        line, cwd=settings.BASE_DIR, env=kept | ours, capture_output=True, encoding="utf-8", check=False
    )


def test_five_versions_are_kept():
    assert len(VERSIONS) >= 5


# The oldest passes every migration, and a release is what people have; commits between them run in the nightly.
RELEASES = [version for version in VERSIONS if "." in version]
FOR_SUITE = [min(set(VERSIONS) - set(RELEASES)), *RELEASES]
BY_VERSION = [pytest.param(each, marks=[] if each in FOR_SUITE else pytest.mark.nightly) for each in VERSIONS]


@pytest.mark.once
@pytest.mark.parametrize("version", BY_VERSION)
def test_a_database_of_an_earlier_version_comes_up_with_its_standings(version: str, tmp_path: Path):
    (tmp_path / "data").mkdir()
    packed = (GOLDEN / f"{version}.sqlite3.xz").read_bytes()
    (tmp_path / "data" / "db.sqlite3").write_bytes(lzma.decompress(packed))
    done = in_process(STEPS, tmp_path / "data", str(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.splitlines()[-1])
    rows = {
        slug: [[row["rank"], row["player"], row["total"]] for row in each] for slug, each in said["standings"].items()
    }
    assert rows == standings_of(version)
    *remarks, summary = said["verify"]
    assert summary["ok"], remarks
    assert summary["heads"] == len(rows)
    assert said["restored"].startswith("Restored and proved")
    assert (tmp_path / "again" / "db.sqlite3").exists()
    for slug in rows:
        content = json.loads((tmp_path / f"{slug}.json").read_text(encoding="utf-8"))["content"]
        assert content["heads"]
        assert content["event"]["time_zone"] == SHOWN_UNTIL_NOW


@pytest.mark.django_db
@pytest.mark.parametrize("version", VERSIONS)
def test_an_event_file_of_an_earlier_version_comes_in_with_its_standings(version: str):
    data = lzma.decompress((GOLDEN / f"{version}.event.json.xz").read_bytes())
    event = import_event(data=data, by=make_account("Desk"))
    rows = [[row.rank, row.name, row.total] for row in read_standings(event).rows]
    assert rows == standings_of(version)[IN_FILE]
    assert verify_event(event).problems == []
    assert json.loads(get_event_file(event))["content"]["heads"]


MIGRATE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""
ZEROED = """
import io, json, shutil, sys
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

whole = Path(sys.argv[1]).read_bytes()
found = {}
for page in range(0, len(whole) // 4096, int(sys.argv[2])):
    connection.close()
    damaged = Path(connection.settings_dict["NAME"])
    for ending in ("", "-wal", "-shm"):
        Path(f"{damaged}{ending}").unlink(missing_ok=True)
    damaged.write_bytes(whole[: page * 4096] + bytes(4096) + whole[(page + 1) * 4096 :])
    out = io.StringIO()
    try:
        call_command("verify_ledger", stdout=out)
        found[page] = ""
    except SystemExit:
        found[page] = json.loads(out.getvalue().splitlines()[0])["message"]
    except CommandError as words:
        found[page] = str(words)
print(json.dumps(found))
"""


@pytest.mark.once
def test_a_zeroed_page_ends_in_words_wherever_it_is(tmp_path: Path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "db.sqlite3").write_bytes(lzma.decompress((GOLDEN / f"{VERSIONS[-1]}.sqlite3.xz").read_bytes()))
    done = in_process(MIGRATE, data)
    assert done.returncode == 0, done.stderr[-2000:]
    whole = tmp_path / "whole.sqlite3"
    with contextlib.closing(sqlite3.connect(data / "db.sqlite3")) as database:
        database.execute("VACUUM INTO ?", [str(whole)])
    done = in_process(ZEROED, data, str(whole), "29")
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found) > 6
    assert [page for page, words in found.items() if not words] == []
