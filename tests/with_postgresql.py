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
from collections.abc import Iterator
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


@contextlib.contextmanager
def running(binaries: Path) -> Iterator[str]:
    """Run a new, empty server and yield its address as a DATABASE_URL."""
    person = unprivileged()
    place = Path(tempfile.mkdtemp(prefix="hanchan-postgresql-"))
    data, log, password_file = place / "data", place / "log", place / "password"
    password, port = secrets.token_hex(16), free_port()
    password_file.write_text(password, encoding="ascii")
    log.touch()
    if person:
        for path in (place, password_file, log):
            shutil.chown(path, person["user"], person["group"])
    try:
        init = [str(binaries / "initdb"), "-D", str(data), "-U", "hanchan", "-A", "scram-sha-256", "-E", "UTF8"]
        init += [f"--pwfile={password_file}", "--locale=C", "--no-sync"]
        done = subprocess.run(init, cwd=place, capture_output=True, text=True, check=False, **person)
        if done.returncode:
            sys.exit(f"PostgreSQL could not be set up:\n{done.stdout}{done.stderr}")
        sockets = [] if sys.platform == "win32" else [f"unix_socket_directories={place}"]
        options = ["listen_addresses=127.0.0.1", f"port={port}", *HASTE, *sockets]
        command = [
            str(binaries / "postgres"),
            "-D",
            str(data),
            *(part for option in options for part in ("-c", option)),
        ]
        with log.open("wb") as out:
            server = subprocess.Popen(command, cwd=place, stdin=subprocess.DEVNULL, stdout=out, stderr=out, **person)
        url = f"postgres://hanchan:{password}@127.0.0.1:{port}/postgres"
        try:
            wait_until_it_answers(server, url, log)
            yield url
        finally:
            server.send_signal(
                signal.SIGTERM if sys.platform == "win32" else signal.SIGINT
            )  # at once, connections or not
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()
            server.wait()
    finally:
        shutil.rmtree(place, ignore_errors=True)


def main() -> int:
    """Run the command of the command line beside a server."""
    initdb = bootstrap.find(bootstrap.POSTGRESQL)
    if initdb is None:
        sys.stderr.write("There is no PostgreSQL on this machine (no initdb on the PATH).\n")
        return NOT_HERE
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server goes with us
    with running(Path(initdb).resolve().parent) as url:
        return subprocess.run(sys.argv[1:], env={**os.environ, "DATABASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
