"""What the long forms share: the data of a desk of their own, and how a test runs one and reads what it printed."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bootstrap import REPO
from tests.with_postgresql import NOT_HERE, Postgresql, postgresql


@contextlib.contextmanager
def own_data(name: str, database: str = "sqlite") -> Iterator[tuple[Path, Postgresql | None]]:
    """Give this process and those that it starts an empty data directory, removed afterwards, and the settings of it.

    With "postgresql" the database is a server of its own, which keeps its promises; exits with 77 where there is none.
    """
    os.environ |= {"DJANGO_SETTINGS_MODULE": "web.settings", "HANCHAN_NO_BOOTSTRAP": "1"}
    os.environ.pop("DATABASE_URL", None)
    with contextlib.ExitStack() as held:
        data = held.enter_context(tempfile.TemporaryDirectory(prefix=f"hanchan-{name}-"))
        os.environ["HANCHAN_DATA"] = data
        server = held.enter_context(postgresql()) if database == "postgresql" else None
        if server:
            os.environ["DATABASE_URL"] = server.url
        yield Path(data), server


def printed_by(module: str, *arguments: str) -> tuple[int, Any]:
    """Run a long form as people do; return its exit code and what it printed, or skip where the machine lacks it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=REPO, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == NOT_HERE:
        pytest.skip(done.stderr.strip())
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)
