"""`manage.py publish EVENT FOLDER`: Write the public pages as files to a folder and update them, for any web server."""

import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from tournament.pages.streams import ChangeWatcher
from tournament.publish.site_copy import copy_languages, publish
from tournament.relay.sender import public_mark
from web.management.base import DeskCommand, event_named

PAUSE = 20.0  # seconds between two writes: all pages are drawn again


class Command(DeskCommand):
    """A folder that follows the event."""

    help = """Writes the public pages of an event into a folder, and again whenever something public changes, until it
    is stopped. With --then a command runs after each change, such as one that copies the folder to a server: rclone
    sync FOLDER REMOTE (SFTP, S3 and others), rsync, sftp."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take event, folder, languages and what to run."""
        parser.add_argument("event", help="its name in addresses: the part after /e/")
        parser.add_argument("folder", type=Path)
        parser.add_argument("--all-languages", action="store_true", help="not the event's alone")
        parser.add_argument("--once", action="store_true", help="write and end")
        parser.add_argument("--then", default="", metavar="COMMAND", help="run this after each change")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write, and write again."""
        self.event, self.folder = options["event"], options["folder"]
        self.all_languages, self.command = options["all_languages"], shlex.split(options["then"])
        self.seen, self.sent, self.next_at = "", True, 0.0
        self.bring_up()
        if not options["once"]:
            try:
                self.follow()
            except KeyboardInterrupt:
                self.stdout.write("The folder stays as it is.")

    def follow(self) -> None:
        """Bring the folder up whenever something has changed; raises CommandError where it cannot be written."""
        wrong: list[CommandError] = []

        def bring_up() -> None:
            try:
                self.bring_up()
            except CommandError as found:  # of this command and no fault of a thread: it ends
                wrong.append(found)
                watch.stop()

        watch = ChangeWatcher(bring_up)
        watch.run()
        if wrong:
            raise wrong[0]

    def bring_up(self) -> None:
        """Write where something public has changed; what could not be sent is sent again."""
        event = event_named(self.event)
        seen = public_mark(event)
        if (seen == self.seen and self.sent) or time.monotonic() < self.next_at:
            return
        self.next_at = time.monotonic() + PAUSE
        try:
            changed = publish(event, self.folder, copy_languages(event, every=self.all_languages))
            if self.command and (changed or not self.sent):
                self.sent = subprocess.run(self.command, check=False).returncode == 0
        except OSError as wrong:
            raise CommandError(f"{wrong.filename or self.command[0]}: {wrong.strerror}.") from None
        self.seen = seen
        self.stdout.write(f"{timezone.localtime():%H:%M:%S}  {changed} files{'' if self.sent else ', not sent'}")
        self.stdout.flush()
