"""A desk that was stopped leaves one file: a copy of `db.sqlite3` alone has every row of every table."""

import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from bootstrap import REPO
from tests.shared_fixtures import PASSWORD, copy_of_desk, program_environment
from web.management.commands.desk import IN_USE

HOST = "127.0.0.1"
SERVER_PAGE = REPO / "docs" / "operate" / "server.md"
Rows = dict[str, list[tuple[Any, ...]]]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that a test can send to one process"),
]


class Desk:
    """`manage.py desk` on a data directory, as a person starts it."""

    def __init__(self, data: Path, *arguments: str) -> None:
        """Start it; it is ready when it has said where it is."""
        line = [sys.executable, str(REPO / "manage.py"), "desk", "--host", HOST, *arguments]
        self.process = subprocess.Popen(
            line, cwd=data, env=program_environment(data), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        self.said = ""
        for told in self.process.stdout:
            self.said += told
            if "Ctrl-C" in told:
                break
        found = re.search(rf"http://{HOST}:(\d+)/enter/", self.said)
        assert found, self.said
        self.port = int(found[1])

    def stop(self, *presses: signal.Signals) -> tuple[str, int]:
        """Send signals; return what it says then, and its exit code."""
        for press in presses:
            self.process.send_signal(press)
        said, _ = self.process.communicate(timeout=60)
        return said.strip(), self.process.returncode


def rows_in(file: Path) -> Rows:
    """Return every row of every table, as another program reads them."""
    with closing(sqlite3.connect(file)) as read:
        names = [name for (name,) in read.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(read.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr) for name in names}


class Visitor:
    """A browser that keeps its cookies."""

    def __init__(self, port: int) -> None:
        self.site = f"http://{HOST}:{port}"
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def sign_in(self) -> str:
        """Sign in by password, which writes; return the page that this leads to."""
        form = self.get("/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token
        fields = {"csrfmiddlewaretoken": token[1], "username": "elke", "password": PASSWORD}
        with self.opener.open(f"{self.site}/login/", urlencode(fields).encode(), timeout=20) as answer:
            return str(answer.url)

    def get(self, path: str) -> str:
        """Return a page."""
        with self.opener.open(self.site + path, timeout=20) as answer:
            return str(answer.read().decode())


@pytest.fixture
def data(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_desk(tmp_path_factory, tmp_path / "data")


def use(port: int, held: ExitStack) -> None:
    """Read pages as a phone does, keep a stream open, and sign in."""
    for path in ("/", "/e/cup/", "/e/cup/standings/", "/e/cup/rounds/1/tables/1/"):
        assert Visitor(port).get(path)
    connection = HTTPConnection(HOST, port, timeout=20)
    held.callback(connection.close)
    connection.request("GET", "/e/cup/version/", headers={"Accept": "text/event-stream"})
    assert connection.getresponse().status == 200
    assert Visitor(port).sign_in().endswith("/desk/cup/")


def assert_complete(data: Path, before: Rows) -> None:
    """Hold a copy of the database's file alone against what was there."""
    assert before["tournament_desksession"]  # of who has signed in
    assert sorted(path.name for path in data.glob("db.sqlite3*")) == ["db.sqlite3"]
    copy = shutil.copy(data / "db.sqlite3", data.parent / "copy")
    assert rows_in(Path(copy)) == before


@pytest.mark.parametrize("presses", [["SIGINT"], ["SIGTERM"], ["SIGHUP"], ["SIGINT", "SIGINT"]], ids="-".join)
def test_a_copy_of_the_file_has_every_row(presses: list[str], data: Path):
    desk = Desk(data)
    with ExitStack() as held:
        try:
            use(desk.port, held)
            before = rows_in(data / "db.sqlite3")
        finally:
            said, code = desk.stop(*(signal.Signals[press] for press in presses))
    assert (said, code) == ("The desk has stopped. Everything is kept.", 0)
    assert_complete(data, before)


def test_what_a_killed_desk_left_is_in_the_file_after_the_next_stop(data: Path):
    desk = Desk(data)
    with ExitStack() as held:
        try:
            use(desk.port, held)
        finally:
            desk.stop(signal.SIGKILL)
    assert (data / "db.sqlite3-wal").stat().st_size > 0
    set_up = subprocess.run(
        [sys.executable, "manage.py", "desk", "--prepare"], cwd=REPO, env=program_environment(data), check=False
    )
    assert set_up.returncode == 0
    assert_complete(data, rows_in(data / "db.sqlite3"))


def test_it_says_so_where_another_program_keeps_the_wal(data: Path):
    desk = Desk(data)
    with closing(sqlite3.connect(data / "db.sqlite3", isolation_level=None)) as other:
        try:
            other.execute("BEGIN")
            other.execute("SELECT COUNT(*) FROM tournament_event").fetchone()  # what it sees must stay
            Visitor(desk.port).sign_in()
        finally:
            said, code = desk.stop(signal.SIGINT)
    assert code == 0
    assert said.splitlines()[1:] == [IN_USE]


def test_workers_of_another_server_leave_one_file(data: Path):
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    line = re.search(r"-m (uvicorn web\.asgi.*?)\n```", SERVER_PAGE.read_text("utf-8"), re.DOTALL)
    assert line
    command = shlex.split(
        line[1].replace("\\\n", " ").replace("--port 8000", f"--port {port}").replace("--workers 4", "--workers 2")
    )
    with ExitStack() as held, subprocess.Popen(
        [sys.executable, "-m", *command, "--log-level=warning"], cwd=REPO, env=program_environment(data)
    ) as server:  # fmt: skip
        try:
            until_answered(server, port)
            use(port, held)
            before = rows_in(data / "db.sqlite3")
        finally:
            server.terminate()
            server.wait(60)
    assert_complete(data, before)


def until_answered(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until it listens; the test's own time limit ends what never does."""
    while server.poll() is None:
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
    raise AssertionError("the server has ended")
