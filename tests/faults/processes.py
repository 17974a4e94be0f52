"""The real processes: `manage.py desk` on a data directory, and a PostgreSQL that keeps its promises.

They are ended as a crash ends them, by SIGKILL, and started again on the same data and the same port.
"""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psycopg

from bootstrap import REPO
from tests.with_postgresql import free_port, unprivileged, wait_until_it_answers

PATIENCE = 90  # seconds


class DeskProcess:
    """`manage.py desk`, started again and again on one data directory by a spawner that has loaded it once."""

    def __init__(self, data: Path, log: IO[bytes]) -> None:
        """Choose a port and load the program; no desk runs yet."""
        self.port, self.pid = free_port(), 0
        self.workers: dict[int, int] = {}
        environment = {**os.environ, "HANCHAN_NO_BOOTSTRAP": "1", "HANCHAN_DATA": str(data)}
        self.spawner = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.spawner"],
            cwd=REPO, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip

    def start(self, hours: float = 0) -> None:
        """Start it, its clock so many hours off, and return once it answers."""
        self.pid = self._ask(f"start {self.port} {hours}")
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._answers():
                return
            time.sleep(0.05)
        raise RuntimeError("the desk did not start")

    def kill(self) -> None:
        """End it at once, as a crash does."""
        os.kill(self.pid, signal.SIGKILL)
        self._ask(f"end {self.pid}")

    def work(self, number: int, seed: int) -> None:
        """Start a worker, or start it again after a kill."""
        self.workers[number] = self._ask(f"work {number} {seed}")

    def kill_worker(self, number: int) -> None:
        """End a worker at once."""
        os.kill(self.workers[number], signal.SIGKILL)
        self._ask(f"end {self.workers[number]}")

    def close(self) -> None:
        """End it, its workers and its spawner."""
        with contextlib.suppress(OSError, ValueError):
            self.kill()
        for number in self.workers:
            with contextlib.suppress(OSError, ValueError):
                self.kill_worker(number)
        self.spawner.kill()
        self.spawner.wait()

    def _ask(self, line: str) -> int:
        assert self.spawner.stdin is not None
        assert self.spawner.stdout is not None
        self.spawner.stdin.write(line + "\n")
        self.spawner.stdin.flush()
        return int(self.spawner.stdout.readline())

    def _answers(self) -> bool:
        """Ask for a small page: the socket listens long before there is somebody to answer."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as asked:
                asked.sendall(b"GET /robots.txt HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return asked.recv(1) != b""
        except OSError:
            return False


class Postgresql:
    """A server of its own whose answers are on the disk; `kill` ends all of it at once."""

    def __init__(self, binaries: Path) -> None:
        """Make an empty cluster; nothing runs yet."""
        self.binaries, self.person = binaries, unprivileged()
        self.place = Path(tempfile.mkdtemp(prefix="hanchan-faults-"))
        self.port, password = free_port(), secrets.token_hex(16)
        self.log = self.place / "log"
        secret = self.place / "password"
        secret.write_text(password, encoding="ascii")
        self.log.touch()
        if self.person:
            for path in (self.place, secret, self.log):
                shutil.chown(path, self.person["user"], self.person["group"])
        init = [str(binaries / "initdb"), "-D", str(self.place / "data"), "-U", "hanchan", "-A", "scram-sha-256"]
        init += ["-E", "UTF8", f"--pwfile={secret}", "--locale=C", "--no-sync"]
        subprocess.run(init, cwd=self.place, capture_output=True, check=True, **self.person)
        self.url = f"postgres://hanchan:{password}@127.0.0.1:{self.port}/postgres"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, recover what it finds, and return once it answers."""
        options = ["listen_addresses=127.0.0.1", f"port={self.port}", f"unix_socket_directories={self.place}"]
        command = [str(self.binaries / "postgres"), "-D", str(self.place / "data")]
        command += [part for option in options for part in ("-c", option)]
        deadline = time.monotonic() + PATIENCE
        while True:
            with self.log.open("ab") as out:
                self.process = subprocess.Popen(
                    command, cwd=self.place, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **self.person
                )
            with contextlib.suppress(SystemExit):  # a backend of the one before still holds its memory
                wait_until_it_answers(self.process, self.url, self.log)
                return
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL did not start")
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill the postmaster; its children notice and end, as they do when it crashes."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def kill_a_backend(self) -> None:
        """Kill the process behind one of the desk's connections: PostgreSQL then restarts itself."""
        with psycopg.connect(self.url) as asked:
            row = asked.execute(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() "
                "ORDER BY state = 'active' DESC, random() LIMIT 1"
            ).fetchone()
        if row:
            os.kill(row[0], signal.SIGKILL)

    def close(self) -> None:
        """Stop it and remove everything."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.place, ignore_errors=True)


@contextlib.contextmanager
def postgresql(binaries: Path) -> Iterator[Postgresql]:
    """Run a server and remove it afterwards."""
    server = Postgresql(binaries)
    try:
        server.start()
        yield server
    finally:
        server.close()
