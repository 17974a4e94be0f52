"""What backups add: the files of an event are deleted with the names in them."""

from pathlib import Path

from tournament.core.hooks import PEOPLE_ERASED
from tournament.events.models import Event


def _erased(event: Event, data: Path) -> None:
    from tournament.backups.config import drop_event_files

    drop_event_files(event, data)


PEOPLE_ERASED.append(_erased)
