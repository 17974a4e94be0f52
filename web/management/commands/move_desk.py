"""`manage.py move_desk --to URL`: Copy every event, account and trail of this desk into another, empty database.

It changes nothing where it comes from. The other database is filled by a process of its own, whole or not at all.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from tournament.accounts.actions import get_command_line
from tournament.archive.actions import get_sign_ups_file, import_event, take_sign_ups, take_site
from tournament.archive.event_file import ARCHIVE_CHECKSUM
from tournament.archive.people import get_people_file, take_people
from tournament.archive.queries import get_event_file, get_site_file
from tournament.archive.verify import verify_all
from tournament.backups.backup import mark_of_database
from tournament.core.errors import DomainError
from tournament.events.models import Event
from web.management.base import DeskCommand, refuse

SITE, SIGN_UPS, PEOPLE = "site.json", "sign-ups.json", "people.json"


class Command(DeskCommand):
    """A desk, from one database into another."""

    help = """Moves a whole desk to another, empty database, from SQLite to PostgreSQL say: stop the desk first. Every
    event goes as its file, written by export_event and taken in by import_event, and is written again and compared byte
    for byte; accounts keep their passwords, the site's audit trail its rows, sign-ups their links and letters, people
    their links over events, seasons their rules; verify_ledger walks all of it. Here nothing is changed. Left
    behind: sessions, links that were not used, table devices with their PINs, drafts of draws, counted tries,
    presence and the hall network's password: everybody signs in again, devices get new cards. Then start the desk
    with DATABASE_URL set to the new address, and with the same secret key."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address; the other half is called by this one."""
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument("--to", metavar="URL", help='address of the new database; "-" reads it from standard input')
        way.add_argument("--take", type=Path, metavar="FOLDER", help="the other half: fill this database from a folder")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Give or take."""
        if options["take"]:
            self.take(options["take"])
        else:
            self.give(sys.stdin.readline().strip() if options["to"] == "-" else options["to"])

    def give(self, url: str) -> None:
        """Write everything into a folder that nobody else may read, and have another process take it."""
        if url == settings.DATABASE_URL:
            raise CommandError("The desk is at this address already.")
        before = mark_of_database()
        with tempfile.TemporaryDirectory(prefix="hanchan-move-", ignore_cleanup_errors=True) as name:
            slugs = write_desk(Path(name))
            environment = {**os.environ, "DATABASE_URL": url, "HANCHAN_DATA": str(settings.DATA_DIR)}
            line = [sys.executable, str(settings.BASE_DIR / "manage.py"), "move_desk", "--take", name]
            done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CommandError(f"Nothing was moved. {done.stderr.strip()}")
        if mark_of_database() != before:
            raise CommandError(
                "Somebody wrote here meanwhile: what was moved is not the newest. Stop the desk, empty the new "
                "database and do it again."
            )
        self.stdout.write(done.stdout.strip())
        self.stdout.write(self.style.SUCCESS(f"Moved and compared byte for byte: {', '.join(slugs) or 'no event'}."))
        self.stdout.write("Now start the desk with DATABASE_URL set to the new address. Here nothing was changed.")

    def take(self, folder: Path) -> None:
        """Fill this database, which must be empty, from a folder; all of it or nothing."""
        call_command("migrate", interactive=False, verbosity=0)
        with transaction.atomic():
            accounts = take_site(data=(folder / SITE).read_bytes())
            files = sorted(path for path in folder.glob("*.json") if path.name not in (SITE, SIGN_UPS, PEOPLE))
            for file in files:
                data = file.read_bytes()
                if get_event_file(import_event(data=data, by=get_command_line())).encode() != data:
                    raise DomainError(ARCHIVE_CHECKSUM())
            sign_ups = take_sign_ups(data=(folder / SIGN_UPS).read_bytes())
            take_people(data=(folder / PEOPLE).read_bytes())
            report = verify_all()
            if report.problems:
                refuse(report.problems)
        self.stdout.write(
            f"{accounts} accounts, {len(files)} events, {sign_ups} sign-ups, {report.tables} tables, "
            f"{report.entries} entries, {report.audit_rows} rows of trails: all chains and sheets hold."
        )


def write_desk(folder: Path) -> list[str]:
    """Write the desk's own file and each event's into a folder, in the order of their making; return their slugs."""
    (folder / SITE).write_text(get_site_file(), encoding="utf-8", newline="")
    (folder / SIGN_UPS).write_text(get_sign_ups_file(), encoding="utf-8", newline="")
    (folder / PEOPLE).write_text(get_people_file(), encoding="utf-8", newline="")
    events = list(Event.objects.order_by("pk"))
    for position, event in enumerate(events):
        (folder / f"{position:06}.json").write_text(get_event_file(event), encoding="utf-8", newline="")
    return [event.slug for event in events]
