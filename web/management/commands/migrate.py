"""`manage.py migrate`: Bring the database up to date, and seal events that are older than the sealed record."""

from typing import Any

from django.core.management.commands import migrate

from tournament.models import Event
from tournament.services.access.access import get_command_line
from tournament.services.core.writing import seal_event
from web.management.base import refuse_age

HELP = """Brings the database up to date, and seals events from before acts sealed what they change. Without an app all
apps are migrated; with an app and a migration, that app to that state."""


class Command(migrate.Command):
    """Bring the database up to date."""

    help = HELP

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; seal what nothing has sealed, unless the way was to an older state."""
        refuse_age()
        super().handle(*args, **options)
        if options["app_label"] or options["check_unapplied"] or options["plan"]:
            return
        for event in Event.objects.filter(record_salt=""):
            seal_event(event, by=str(get_command_line().uid))
