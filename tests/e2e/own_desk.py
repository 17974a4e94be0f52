"""A desk of a test's own: `manage.py desk` in its own process with its own data, killed and started again at will.

What each begins with, three events and the static files, is made once for all tests of a run, and copied.
"""

import contextlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from bootstrap import REPO
from tests.shared_fixtures import copy_migrated, program_environment

# The desk takes the next free port from here. Each worker has some of its own: a desk comes back to its old one.
FIRST_PORT = 8600 + 100 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
MAKE_EVENTS = """
from tests.factories import make_account, make_event
from tests.pages.at_desk import session_of
organiser = make_account("Organiser")
make_event(slug="cup", tables=8, rounds=1, by=organiser)
make_event("rakkii-nomi-2026", slug="hall", tables=8, rounds=1, by=organiser)
make_event("rakkii-nomi-2026", slug="room", tables=3, rounds=1, by=organiser)
print(session_of(make_account("Ben", superuser=True)), session_of(organiser))
"""


@dataclass
class OwnDesk:
    """A desk with the events "cup" and "hall", each of eight tables of four players, and "room" of three.

    A test that needs an untouched table of "cup" takes the next of `free`. `session` is that of the organiser
    of all, the last of `sessions`; the other is somebody's who may do everything.
    """

    data: Path
    port: int = 0
    session: str = ""
    sessions: list[str] = field(default_factory=list)
    free: Iterator[int] = field(default_factory=lambda: itertools.count(1), repr=False)
    process: "subprocess.Popen[str] | None" = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Where the desk answers."""
        return f"http://127.0.0.1:{self.port}"

    @classmethod
    def copy_of(cls, prepared: Path, data: Path) -> "OwnDesk":
        """Return a desk that is not started yet, with a copy of the data that `prepare` made."""
        shutil.copytree(prepared / "data", data)
        sessions = (prepared / "sessions").read_text(encoding="ascii").split()
        return cls(data, session=sessions[-1], sessions=sessions)

    def start(self) -> None:
        """Start the desk, at the port it had before, and return once it listens; the first time with its events."""
        self.process = subprocess.Popen(
            [*COMMAND, "desk", "--host", "127.0.0.1", "--port", str(self.port or FIRST_PORT)],
            cwd=self.data,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        port = self._port()
        assert port == (self.port or port), "the desk has its old port again"
        self.port = port
        if not self.session:
            made = self.run("shell", "-c", MAKE_EVENTS)
            self.sessions = made.splitlines()[-1].split()
            self.session = self.sessions[-1]

    def kill(self) -> None:
        """Take the power away."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()
        self.process = None

    def run(self, *command: str) -> str:
        """Run a command of the desk beside it and return what it prints."""
        done = subprocess.run(
            [*COMMAND, *command], cwd=REPO, env=self._environment(), capture_output=True, text=True, check=True
        )
        return done.stdout

    def _port(self) -> int:
        assert self.process is not None
        assert self.process.stdout is not None
        said, port = "", 0
        for line in self.process.stdout:
            said += line
            found = [urlsplit(word).port for word in line.split() if word.startswith("http://")]
            port = next((each for each in found if each), port)
            if "Ctrl-C" in line:
                return port
        self.kill()  # it has ended by itself, and is nobody's child any more
        raise AssertionError(said)

    def _environment(self) -> dict[str, str]:
        return program_environment(self.data, PYTHONIOENCODING="utf-8")


COMMAND = (sys.executable, str(REPO / "manage.py"))


def prepare(room: Path) -> Path:
    """Return a folder of `room` with the data of a desk that has its events; make it if no worker has yet."""
    folder = room / "desk"
    if not folder.exists():
        made = Path(tempfile.mkdtemp(dir=room))
        (made / "data").mkdir()
        copy_migrated(made / "data")
        first = OwnDesk(made / "data")
        first.start()
        first.kill()
        (made / "sessions").write_text(" ".join(first.sessions), encoding="ascii")
        with contextlib.suppress(OSError):  # another worker was quicker
            made.rename(folder)
    return folder
