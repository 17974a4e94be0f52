"""`manage.py forget_expired`: Delete the data of people whose events have reached the end of their retention.

Each event has its number of months; one without keeps its people.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from tournament.accounts.actions import get_command_line
from tournament.backups.config import drop_event_files
from tournament.core.hooks import HOUSEKEEPING
from tournament.core.time_zones import today_at
from tournament.events.models import Event
from tournament.privacy.actions import erase_event_people
from tournament.privacy.queries import get_kept_until, is_due, list_to_forget, say_forgotten
from tournament.signup.retention import list_due, tend_sign_ups
from web.management.base import DeskCommand


class Command(DeskCommand):
    """All events whose time is over."""

    help = """Takes away the names and data of people at every event that has kept them for as long as its settings say.
    A relay deletes the whole event. Events without such a setting are left alone. One JSON line an event: {"event",
    "kept_until", "people", "done"}. Drills of crews go after 30 days at every event: {"event", "drills", "done"}.
    Sign-ups go on the day that each event's page states: {"event", "sign_ups", "done"}; and offered places whose
    deadline is over go to the next person."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take whether to look alone."""
        parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Go through the events, the oldest first."""
        today, dry = timezone.localdate(), options["dry_run"]
        for event in Event.objects.filter(keep_months__isnull=False).order_by("date", "pk"):
            day = today_at(event)
            if not is_due(event, day):
                continue
            until, people = get_kept_until(event), list_to_forget(event).count()
            if not dry and settings.RELAY:
                from tournament.relay.actions import forget

                forget(event.slug)  # what the hall sent has the names, too
            elif not dry:
                erase_event_people(event=event, stand_in_for=say_forgotten, today=day, by=get_command_line())
                self._drop_files(event)
            self.write_json(
                {"event": event.slug, "kept_until": str(until), "people": people, "done": not dry},
            )
        for each in HOUSEKEEPING:
            for row in each.list_due():
                self.write_json({**row, "done": not dry})
        for event in list_due(today):
            self.write_json({"event": event.slug, "sign_ups": event.sign_ups.count(), "done": not dry})
        if not dry:
            for each in HOUSEKEEPING:
                each.forget()
            tend_sign_ups(today)

    def _drop_files(self, event: Event) -> None:
        try:
            drop_event_files(event, settings.DATA_DIR)
        except OSError as wrong:
            words = f"The files of {event.slug} in {settings.DATA_DIR / 'events'} hold names still: {wrong.strerror}."
            raise CommandError(words) from wrong
