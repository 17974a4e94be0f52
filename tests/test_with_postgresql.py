"""The PostgreSQL that tests start for themselves answers, passes the exit code on, and is gone afterwards."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

import bootstrap
from bootstrap import REPO
from tests.with_postgresql import NOT_HERE

VISITOR = """
import os, psycopg, sys
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    print(connection.execute("SELECT current_setting('data_directory')").fetchone()[0])
print(os.environ["DATABASE_URL"])
sys.exit(7)
"""


def run_beside(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command beside a PostgreSQL of its own."""
    whole = [sys.executable, "-m", "tests.with_postgresql", *command]
    return subprocess.run(whole, cwd=REPO, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_it_comes_and_goes() -> None:
    if bootstrap.find(bootstrap.POSTGRESQL) is None:
        pytest.skip("no PostgreSQL on this machine")
    done = run_beside(sys.executable, "-c", VISITOR)
    assert done.returncode == 7, done.stderr
    data, url = done.stdout.split()
    assert not Path(data).parent.exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=5)


def test_where_there_is_none_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from tests import with_postgresql

    monkeypatch.setattr(bootstrap, "POSTGRESQL", ("no-such-program-of-the-desk",))
    with pytest.raises(SystemExit, match=str(NOT_HERE)):
        with_postgresql.main()
    assert capsys.readouterr().err == "There is no PostgreSQL on this machine (no initdb on the PATH).\n"
