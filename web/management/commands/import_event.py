"""`manage.py import_event FILE`: Import an event from its file, completely or not at all."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.accounts.actions import get_command_line
from tournament.archive.actions import import_event
from web.management.base import DeskCommand, read_input

MAX_BYTES = 256 * 1024**2


class Command(DeskCommand):
    """One file, one event."""

    help = """Takes in an event from a file that `export_event` wrote. All hash chains, hands and signed sheets are
    checked first; a file that is damaged, of another version, or of an event that is here already is refused whole,
    with words. Accounts are found by their uid, or made without a way to sign in. FILE "-" is standard input. Prints
    one JSON object: {"event", "players", "rounds"}."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", metavar="FILE", help='the file; "-" for standard input')

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import, and say what came in."""
        event = import_event(data=read_input(options["file"], most=MAX_BYTES), by=get_command_line())
        self.write_json({"event": event.slug, "players": event.players.count(), "rounds": event.rounds.count()})
