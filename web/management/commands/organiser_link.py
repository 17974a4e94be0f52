"""`manage.py organiser_link`: Print a one-time link for the organiser, for a desk without a terminal."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.accounts.actions import create_organiser_link
from tournament.backups.config import place_of_data, say_data
from tournament.events.models import Event
from web.management.base import DeskCommand


class Command(DeskCommand):
    """The command."""

    help = "Prints a one-time link, good for 12 hours, that lets in as organiser. An older unused one stops working."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address."""
        parser.add_argument("--at", default="http://localhost:8000/", help="address of the desk (default: %(default)s)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Make the link and print it; say beside it, not in it, whose it is."""
        self.stderr.write(say_data(place_of_data(), Event.objects.count()))
        self.stdout.write(f"{options['at'].rstrip('/')}/enter/{create_organiser_link()}/")
