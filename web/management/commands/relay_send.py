"""`manage.py relay_send`: Send events to their relays, for a server that does not run `manage.py desk`."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.relay.sender import Sender
from web.management.base import DeskCommand


class Command(DeskCommand):
    """The sender alone."""

    help = """Sends the events of this desk to their relays, until it is stopped. `desk` does so automatically; run this
    once beside several workers or another server."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address for phones in the hall."""
        parser.add_argument("--hall", default="", help="this desk's own address in the hall, for a link at the relay")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Send."""
        try:
            Sender(lambda: options["hall"]).run()
        except KeyboardInterrupt:
            self.stdout.write("Nothing more is sent.")
