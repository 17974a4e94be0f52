"""A backup of PostgreSQL put back by real commands: proved, the former kept aside; a bad one changes nothing."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

import bootstrap
from bootstrap import REPO
from tests.shared_fixtures import program_environment
from tests.with_postgresql import Postgresql, postgresql
from web.management.base import NOT_READABLE
from web.server.database_age import known_migrations

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
LOAD = (
    "from tests.factories import enter, make_event, table_of; enter(table_of(make_event(tables=1, rounds=1)), '1t 230')"
)
SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname = 'public' OR nspname LIKE 'before%' ORDER BY 1"


@pytest.fixture
def server() -> Iterator[Postgresql]:
    if bootstrap.find(bootstrap.POSTGRESQL) is None:
        pytest.skip("there is no PostgreSQL on this machine")
    with postgresql() as running:
        yield running


def asked(server: Postgresql, question: str) -> list[object]:
    with psycopg.connect(server.url) as connection:
        return [row[0] for row in connection.execute(question).fetchall()]


def manager(server: Postgresql, data: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return what runs a command of manage.py on this server and data directory."""
    environment = program_environment(data, DATABASE_URL=server.url)

    def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(REPO / "manage.py"), *arguments]
        return subprocess.run(command, cwd=REPO, env=environment, capture_output=True, text=True, check=False)

    return manage


def test_an_older_database_is_backed_up_before_it_is_migrated(server: Postgresql, tmp_path: Path):
    manage = manager(server, tmp_path)
    older, *_between, newest = known_migrations()[-3:]
    assert manage("migrate", "tournament", older, "-v0").stdout == ""  # the first start of an empty desk
    place = f"Data: {re.sub(r':[^:@/]*@', '@', server.url)} (0 events)"
    assert manage("verify_ledger").returncode == NOT_READABLE
    migrated = manage("migrate", "-v0")
    (file,) = (tmp_path / "backups").glob("*.before-update.backup")
    assert (migrated.returncode, str(file) in migrated.stdout) == (0, True), migrated.stderr
    applied = "SELECT MAX(name) FROM django_migrations WHERE app = 'tournament'"
    assert asked(server, applied) == [newest]
    back = manage("restore", str(file))
    assert back.stdout.splitlines()[:2] == ["Restored and proved by verify_ledger.", place], back.stderr
    assert asked(server, applied) == [newest]
    assert len(list((tmp_path / "backups").glob("*.backup"))) == 1  # none of the backup itself


def test_a_backup_goes_back_and_what_was_there_stays_aside(server: Postgresql, tmp_path: Path):
    manage = manager(server, tmp_path)
    assert manage("migrate", "-v0").returncode == 0
    assert manage("shell", "-v0", "-c", LOAD).returncode == 0
    made = manage("backup")
    assert made.returncode == 0, made.stderr
    (file,) = (tmp_path / "backups").glob("*.backup")
    hands = asked(server, "SELECT COUNT(*) FROM tournament_ledgerentry")

    held = psycopg.connect(server.url)  # a desk that runs
    refused = manage("restore", str(file))
    held.close()
    assert "The desk is running on this database." in refused.stderr
    assert asked(server, SCHEMAS) == ["public"]

    back = manage("restore", str(file))
    assert "Restored and proved by verify_ledger." in back.stdout, back.stderr
    assert asked(server, "SELECT COUNT(*) FROM tournament_ledgerentry") == hands
    assert len(asked(server, SCHEMAS)) == 2
    assert manage("backup").returncode == 0  # and from there on again
    assert manage("verify_ledger").returncode == 0
