"""`manage.py send_letters`: Send every letter that waits, for a server that does not run `manage.py desk`."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from tournament.signup.letter_sender import send_waiting
from web.management.base import DeskCommand


class Command(DeskCommand):
    """All letters that are ready."""

    help = 'Sends the letters to those who sign up that are ready, by the mail server of HANCHAN_MAIL: {"sent"}.'

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Send them."""
        if not settings.MAIL:
            raise CommandError("There is no mail server: set HANCHAN_MAIL.")
        self.write_json({"sent": send_waiting()})
