"""`manage.py export_event EVENT FILE`: Write an event to one JSON file.

It changes nothing in the database.
"""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from tournament.archive.queries import get_event_file
from web.management.base import EVENT_ARGUMENT, DeskCommand, event_named


class Command(DeskCommand):
    """One event, one file."""

    help = """Writes an event with everything that it is made of (rules, players, rounds, tables, seats, every ledger
    row with its hash, sheets, penalties, audit trail) to one JSON file, which `import_event` takes in on any desk.
    Names are in it, passwords and links never. The same event gives the same bytes. FILE "-" is standard output.
    With --online-names another desk finds people by their names at Tenhou and Mahjong Soul, if they agreed there and
    here to a page of their own."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the event and the file."""
        parser.add_argument("event", **EVENT_ARGUMENT)
        parser.add_argument("file", metavar="FILE", help='where to write it; "-" for standard output')
        parser.add_argument("--online-names", action="store_true", help="for another desk: with names of who agreed")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Write the file, whole or not at all."""
        text = get_event_file(event_named(options["event"]), online_names=options["online_names"])
        if options["file"] == "-":
            self.stdout.write(text, ending="")
            return
        path = Path(options["file"])
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            draft.write_bytes(text.encode())
            draft.replace(path)
        except OSError as wrong:
            draft.unlink(missing_ok=True)
            raise CommandError(f"{path} cannot be written: {wrong.strerror or wrong}.") from wrong
        self.stderr.write(f"{options['event']} is in {path} ({len(text.encode()):,} bytes).", self.style.SUCCESS)
