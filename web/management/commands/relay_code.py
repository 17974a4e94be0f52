"""`manage.py relay_code`: At a relay, print a new code by which one hall's desk pairs with it."""

from typing import Any

from tournament.relay.actions import make_code
from web.management.base import DeskCommand


class Command(DeskCommand):
    """A new code."""

    help = """At a relay: prints a code by which one hall's desk pairs with it, once, within half an hour. An older code
    that is still unused stops working."""

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print it."""
        self.stdout.write(make_code())
