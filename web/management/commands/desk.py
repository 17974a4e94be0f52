"""`manage.py desk`: Bring the data up to date, serve the desk, and print its addresses.

Never asks anything, and never shows a stack trace for what a person can mend. Why uvicorn serves is written in
docs/decisions/0001-server.md.
"""

import contextlib
import errno
import hashlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.servers.basehttp import get_internal_wsgi_application
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from scoring.problems import Problem
from tournament.backups.config import backup_config
from tournament.backups.thread import BackupThread
from tournament.core.hooks import THREADS
from tournament.core.threads import LoopThread
from tournament.core.version import desk_version
from tournament.pages.addresses import hall_address, proxy_url
from tournament.signup.letter_sender import LetterThread
from tournament.text.problems import problem_text
from web.management.base import refuse_age

EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones in the hall are to reach it
PORTS_TRIED = 50
THREADS_END_WITHIN = 5.0  # seconds
CHECKPOINT_WITHIN = 3000  # milliseconds
IN_USE = (
    "Another program has the database open, so a part of the data is in db.sqlite3-wal. "
    "Copy the two files together, or use `manage.py backup`."
)
WHITE_ON_BLACK = "\033[38;5;231;48;5;16m{}\033[0m"  # fixed colours: a code in a theme's colours may come out inverted


def static_fingerprint() -> str:
    """Return a digest of every static file's name, size and time."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            stat = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def collect_static() -> None:
    """Put the static files where they are served from, hashed and compressed, unless they are there already."""
    stamp = settings.DATA_DIR / "static.stamp"
    fingerprint = static_fingerprint()
    if stamp.exists() and stamp.read_text(encoding="ascii") == fingerprint:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(fingerprint, encoding="ascii")


def is_behind() -> bool:
    """Tell whether the database waits for migrations: to find none by `migrate` itself takes seconds at each start."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the first free port from `port` on; raises CommandError where none can be had."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        # On Windows this option lets two programs share the port; elsewhere it only lets a restart have it at once.
        if sys.platform != "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            sock.listen(128)
        except OSError as error:
            sock.close()
            if error.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise CommandError(f"The desk cannot listen at {host}: {error.strerror}.") from None
        else:
            return sock
    raise CommandError(f"No port from {port} to {candidate} can be had. Name another one with --port.")


def hold_folder(data: Path) -> IO[str]:
    """Keep a second desk out of a data folder while the file stays open; raises CommandError where one runs there.

    The system lets go of it when the process ends, in whatever way. Workers of another server share a folder on purpose
    and ask for nothing. A file system without locks keeps nobody out.
    """
    file = (data / "desk.lock").open("a+", encoding="ascii")
    try:
        _lock(file)
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EAGAIN, errno.EDEADLK}:
            file.close()
            raise CommandError(
                f"A desk runs on {data} already. Stop that one first, or give this one a folder of its own: "
                "HANCHAN_DATA=FOLDER."
            ) from None
    return file


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def listen_for_stops() -> None:
    """Let every way to stop a program in order be the same as Ctrl-C."""
    presses = [signal.SIGINT, signal.SIGTERM]  # the second is a service manager's way to press Ctrl-C
    if sys.platform == "win32":
        presses.append(signal.SIGBREAK)  # Ctrl-Break
    for press in presses:
        signal.signal(press, signal.default_int_handler)  # a shell starts what runs beside it deaf to the first
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # no `nohup` wants it to go on
        # a terminal that is closed; uvicorn ends in order for a SIGINT
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGINT))


def end_threads(threads: Sequence[LoopThread]) -> None:
    """End threads that serve nobody; each closes its connection to the database."""
    for thread in threads:
        thread.stop()
    deadline = time.monotonic() + THREADS_END_WITHIN
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))


def close_database() -> bool:
    """Write SQLite's WAL into the database, so that its file alone holds everything, and close it.

    Return whether all of it could be written: not while another program or a thread that did not end has it open.
    """
    for press in (signal.SIGINT, signal.SIGTERM):
        signal.signal(press, signal.SIG_IGN)  # a second Ctrl-C leaves no half of it
    opened = connection.connection is not None and connection.vendor == "sqlite"
    busy = 0
    try:
        if opened and not getattr(connection, "files_replaced", bool)():
            with connection.cursor() as cursor:
                cursor.execute(f"PRAGMA busy_timeout={CHECKPOINT_WITHIN}")
                busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    except DatabaseError:
        busy = 1
    finally:
        connections.close_all()
    return not busy


def qr_lines(url: str, *, colour: bool) -> list[str]:
    """Draw a QR code in half blocks, two modules a character; light modules are drawn, so it needs a dark ground."""
    rows = [list(row) for row in segno.make(url, error="l", micro=False).matrix_iter(border=2)]
    rows += [[1] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    lines = [
        "".join(blocks[pair] for pair in zip(*pair, strict=True)) for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    return [WHITE_ON_BLACK.format(line) if colour else line for line in lines]


def serve(sock: socket.socket) -> None:
    """Serve until Ctrl-C or a request to end."""
    from web.server.front import serve_socket

    import_module(settings.ROOT_URLCONF)  # all pages, so that the first phone need not wait for them
    serve_socket(sock, get_internal_wsgi_application())


class Command(BaseCommand):
    """The command."""

    help = (
        "Set up, migrate and serve. Prints the address here and in the hall, a QR code for phones, and a one-time link "
        "that makes its first user an organiser (not as a service: its log would keep it). Ctrl-C stops "
        "it; nothing is lost."
    )
    requires_migrations_checks = False
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Describe the arguments."""
        parser.add_argument("--sample", action="store_true", help="add two sample events in mid-play")
        parser.add_argument("--prepare", action="store_true", help="set up and end, without serving")
        parser.add_argument("--host", default=EVERYWHERE, help="address to listen at (default: all of this machine)")
        parser.add_argument("--port", type=int, default=8000, help="port, or the next free one (default: 8000)")

    def handle(self, **options: Any) -> None:
        """Do it all; returns when the desk is stopped."""
        make_terminal_ready()
        if not 0 < options["port"] < 65536:
            raise CommandError(f"{options['port']} is no port: they go from 1 to 65535.")
        listen_for_stops()
        try:
            with contextlib.suppress(KeyboardInterrupt):
                self.run(**options)
        finally:
            complete = close_database()
        self.stdout.write("\nThe desk has stopped. Everything is kept.")
        if not complete:
            self.stdout.write(IN_USE)

    def run(self, **options: Any) -> None:
        """Listen, prepare, tell, serve."""
        if settings.DEMO and not settings.DEMO_UNTIL:
            return self.run_demo(options["host"], options["port"])
        lock = hold_folder(settings.DATA_DIR)
        if options["prepare"]:
            self.prepare(sample=options["sample"])
            return lock.close()
        sock = listen(options["host"], options["port"])
        port = sock.getsockname()[1]
        if port != options["port"]:
            self.stdout.write(f"Port {options['port']} is taken, so the desk uses {port}.")
        token = self.prepare(sample=options["sample"])
        self.welcome(options["host"], port, token)
        threads = self.threads(lambda: self.hall_url(options["host"], port) or "")
        for thread in threads:
            thread.start()
        try:
            serve(sock)
        finally:
            end_threads(threads)
            lock.close()

    def threads(self, hall: Callable[[], str]) -> list[LoopThread]:
        """Return what runs beside the pages; nothing of a demo leaves it."""
        threads: list[LoopThread] = [BackupThread(backup_config(), self.tell_faults)]
        if settings.DEMO:
            return threads
        if settings.MAIL:
            threads.append(LetterThread())
        return [*threads, *(thread for make in THREADS if (thread := make(hall)))]

    def run_demo(self, host: str, port: int) -> None:
        """Run desks of a demo until Ctrl-C."""
        from tournament.demo.views import Demo

        span = timedelta(minutes=settings.DEMO_MINUTES)
        Demo(settings.DATA_DIR / "demo", ("--host", host, "--port", str(port)), span).run()

    def tell_faults(self, faults: Sequence[Problem]) -> None:
        """Say what is wrong with the backups, or that nothing is any more; the desk goes on."""
        words = [problem_text(fault) for fault in faults] or ["The backups are well again."]
        self.stdout.write("\n".join(words))
        self.stdout.flush()

    def prepare(self, *, sample: bool) -> str:
        """Bring all up to date; return the token of a new organiser link, "" for a log; of a relay the pairing code."""
        from tournament.accounts.actions import create_organiser_link

        try:
            refuse_age()
            if is_behind():
                call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        except DatabaseError as error:
            place = "at DATABASE_URL" if settings.DATABASE_URL else f"in {settings.DATA_DIR}"
            raise CommandError(f"The database {place} cannot be used: {' '.join(str(error).split())}") from None
        if not settings.DEBUG:
            collect_static()
        if sample and not settings.RELAY:
            from tournament.demo.sample import DEMO_SLUGS, SLUGS, load_samples

            load_samples(now=timezone.now(), only=DEMO_SLUGS if settings.DEMO else SLUGS)
        if settings.SERVICE and not self.stdout.isatty():
            return ""
        if not settings.RELAY:
            return create_organiser_link()
        from tournament.relay.actions import make_code

        return make_code()

    def welcome(self, host: str, port: int, token: str) -> None:
        """Print where to go."""
        local = f"http://{'localhost' if host == EVERYWHERE else bracketed(host)}:{port}/"
        title = f"Hanchan Desk {desk_version()} is open."
        lines = ["", self.style.SUCCESS(title), "", f"  On this machine   {local}"]
        hall = self.hall_url(host, port)
        if hall:
            lines += [f"  In the hall       {hall}", ""]
            lines += [f"    {line}" for line in qr_lines(hall, colour=self.stdout.isatty())]
        elif host == EVERYWHERE:
            lines += ["  In the hall       no network yet: join one and start again"]
        lines += ["", self.say_token(local, token)]
        lines += ["", f"  Data in {settings.DATA_DIR}. Ctrl-C stops the desk; nothing is lost.", ""]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()

    def say_token(self, local: str, token: str) -> str:
        """Say the token with what it is for, or the command that prints one."""
        if settings.RELAY:
            code = self.style.WARNING(token) if token else "python3 manage.py relay_code prints one"
            return f"  Pairing code      {code}"
        link = self.style.WARNING(f"{local}enter/{token}/")
        return f"  Organiser, once   {link if token else 'python3 manage.py organiser_link prints a link'}"

    def hall_url(self, host: str, port: int) -> str | None:
        """Return the link for phones: the proxy's name, or the address in the hall's network."""
        if found := proxy_url():
            return found
        address = hall_address() if host == EVERYWHERE else host
        return f"http://{bracketed(address)}:{port}/" if address and address not in {"127.0.0.1", "::1"} else None


def bracketed(host: str) -> str:
    """Return a host as it stands in a link."""
    return f"[{host}]" if ":" in host else host


def make_terminal_ready() -> None:
    """Make an old Windows console take colours and block characters."""
    if sys.platform == "win32":
        os.system("")  # noqa: S605 - the known way to switch escape codes on
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
