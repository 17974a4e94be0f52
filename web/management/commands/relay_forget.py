"""`manage.py relay_forget EVENT`: At a relay, delete an event and refuse what its desk sends from then on."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.relay.actions import forget
from web.management.base import DeskCommand


class Command(DeskCommand):
    """An event less."""

    help = """At a relay: deletes an event, and takes nothing more from the desk that sent it. To show it again, pair
    again."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the event."""
        parser.add_argument("event", help="its name in addresses: the part after /e/")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Delete it."""
        forget(options["event"])
