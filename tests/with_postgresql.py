"""Run a command with DATABASE_URL pointing at a PostgreSQL of its own: `python -m tests.with_postgresql pytest …`.

The server listens on a free port of this machine alone, belongs to an unprivileged user, and is stopped and removed
whatever happens to the command. Exits as the command did, or with 77 where there is no PostgreSQL.
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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg

import bootstrap

NOT_HERE = 77
PATIENCE = 30  # seconds for the server to start
# Nothing here outlives the tests: the disk need not be waited for.
HASTE = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]


def unprivileged() -> dict[str, Any]:
    """Return the arguments of subprocess that give up root's rights, which PostgreSQL refuses; none for other users."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    sys.exit("PostgreSQL will not run as root, and this machine has neither a user postgres nor nobody.")


def free_port() -> int:
    """Return a port of the loopback address that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_it_answers(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Return once the server takes a connection; end with its own words if it stopped."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(url, connect_timeout=2).close()
            return
        time.sleep(0.1)
    server.kill()
    sys.exit(f"PostgreSQL did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")


class Postgresql:
    """A server of its own on a free port of this machine, which belongs to an unprivileged user; `kill` is a crash."""

    def __init__(self, binaries: Path, place: Path, options: Sequence[str]) -> None:
        """Make an empty cluster in an empty folder; nothing runs yet."""
        self.place, self.log, self.person = place, place / "log", unprivileged()
        self.process: subprocess.Popen[bytes] | None = None
        password, port, secret = secrets.token_hex(16), free_port(), place / "password"
        self.url = f"postgres://hanchan:{password}@127.0.0.1:{port}/postgres"
        options = ["listen_addresses=127.0.0.1", f"port={port}", *options]
        options += [] if sys.platform == "win32" else [f"unix_socket_directories={place}"]
        self.command = [str(binaries / "postgres"), "-D", str(place / "data")]
        self.command += [part for option in options for part in ("-c", option)]
        secret.write_text(password, encoding="ascii")
        self.log.touch()
        if self.person:
            for path in (place, secret, self.log):
                shutil.chown(path, self.person["user"], self.person["group"])
        init = [str(binaries / "initdb"), "-D", str(place / "data"), "-U", "hanchan", "-A", "scram-sha-256"]
        init += ["-E", "UTF8", f"--pwfile={secret}", "--locale=C", "--no-sync"]
        done = subprocess.run(init, cwd=place, capture_output=True, text=True, check=False, **self.person)
        if done.returncode:
            sys.exit(f"PostgreSQL could not be set up:\n{done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start it, recover what it finds, and return once it answers; ends with its own words where it does not."""
        deadline = time.monotonic() + 3 * PATIENCE
        while True:
            with self.log.open("ab") as out:
                self.process = subprocess.Popen(
                    self.command, cwd=self.place, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **self.person
                )
            try:
                return wait_until_it_answers(self.process, self.url, self.log)
            except SystemExit:  # a backend of the one before may still hold its memory
                if time.monotonic() > deadline:
                    raise
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
        """Stop it at once, connections or not."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.kill()


@contextlib.contextmanager
def postgresql(*options: str) -> Iterator[Postgresql]:
    """Run a new, empty server and remove it afterwards; exits with 77 where this machine has none."""
    initdb = bootstrap.find(bootstrap.POSTGRESQL)
    if initdb is None:
        sys.stderr.write("There is no PostgreSQL on this machine (no initdb on the PATH).\n")
        sys.exit(NOT_HERE)
    with tempfile.TemporaryDirectory(prefix="hanchan-postgresql-", ignore_cleanup_errors=True) as place:
        server = Postgresql(Path(initdb).resolve().parent, Path(place), options)
        try:
            server.start()
            yield server
        finally:
            server.close()


def main() -> int:
    """Run the command of the command line beside a server."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server goes with us
    with postgresql(*HASTE) as server:
        return subprocess.run(sys.argv[1:], env={**os.environ, "DATABASE_URL": server.url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
