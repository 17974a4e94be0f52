"""What the settings say of backups, a backup's facts as lines of words for commands, and the files of one event.

It makes none itself: see tournament.backups.
"""

import contextlib
import datetime as dt
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from scoring.entries import from_json
from scoring.problems import InvalidInput
from scoring.shorthand import write
from tournament.accounts.actions import get_command_line
from tournament.backups.backup import BackupConfig, list_sign_ups_to_erase_again, list_to_forget_again, write_forgotten
from tournament.backups.restore import playing_of
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.privacy.actions import erase_person
from tournament.privacy.queries import say_forgotten
from tournament.signup.retention import erase_again

MAX_TABLES = 200


def backup_config() -> BackupConfig:
    """Return what the settings say."""
    return BackupConfig(settings.DATA_DIR, settings.BACKUP_TO, settings.BACKUP_KEY, settings.BACKUP_MINUTES)


def place_of_data() -> str:
    """Return where this desk has its data, without a password: a folder, or the address of a database."""
    if not settings.DATABASE_URL:
        return str(settings.DATA_DIR)
    at = connection.settings_dict
    port = f":{at['PORT']}" if at["PORT"] else ""
    return f"postgres://{at['USER']}@{at['HOST']}{port}/{at['NAME']}"


def say_data(place: str, events: int) -> str:
    """Say which data a command has worked on: on a server it is easily another desk's, or an empty one."""
    return f"Data: {place} ({events} event{'' if events == 1 else 's'})"


def describe_backup(manifest: dict[str, Any]) -> list[str]:
    """Say what a backup holds: when it was made, its events, hands, and the last hand's time."""
    made = moment_of(manifest["made_at"])
    lines = [f"Made {clock_of(made)}, {age_of(made)} ago."]
    until = manifest.get("keep_until")
    if until and until < timezone.localdate().isoformat():
        lines.append(f"It was to be kept until {until}: run forget_expired, then delete the file and its copies.")
    for event in manifest["events"]:
        last = moment_of(event["last_hand_at"])
        end = f", the last at {clock_of(last)}" if last else ""
        lines.append(f"  {event['name']} ({event['slug']}): {event['hands']} hands{end}")
    return lines


def tables_to_check(manifest: dict[str, Any]) -> list[str]:
    """Say of each table of a running round which hand was its last, so that it can be held against its paper."""
    lines = []
    for table in playing_of(manifest)[:MAX_TABLES]:
        last = moment_of(table["last_hand_at"])
        end = f", the last at {clock_of(last)}: {_line(table['last'])}" if last else ""
        lines.append(f"  {table['event']} round {table['round']} table {table['table']}: {table['hands']} hands{end}")
    return lines


def _line(entry: Any) -> str:
    """Return a hand as it is typed; a void one has none."""
    try:
        return write(from_json(entry)) if entry else "void"
    except (InvalidInput, ValueError):
        return "another entry"


def moment_of(text: str | None) -> dt.datetime | None:
    """Return a manifest's moment."""
    return dt.datetime.fromisoformat(text) if text else None


def clock_of(moment: dt.datetime | None) -> str:
    """Return a moment by the desk's own clock, with its day."""
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M:%S}" if moment else "never"


def age_of(moment: dt.datetime | None) -> str:
    """Return how long ago a moment is, in the largest fitting unit."""
    minutes = int((timezone.now() - moment).total_seconds() // 60) if moment else 0
    if minutes < 2:
        return "a moment"
    if minutes < 120:
        return f"{minutes} minutes"
    return f"{minutes // 60} hours" if minutes < 2880 else f"{minutes // 1440} days"


def forget_again(folders: Iterable[str]) -> None:
    """Erase in this database, just restored, the people whom the lists in these folders name."""
    places = [Path(folder) for folder in folders]
    for player in list_to_forget_again(places):
        with contextlib.suppress(DomainError):  # forgotten with another of their players
            erase_person(
                person=player.person,
                stand_in_for=say_forgotten,
                reason="forgotten before this backup was restored",
                by=get_command_line(),
            )
    for sign_up in list_sign_ups_to_erase_again(places):
        erase_again(sign_up=sign_up, by=get_command_line())


def drop_event_files(event: Event, data: Path) -> int:
    """Remove the files that the desk wrote after an event's rounds, since they hold names; return how many.

    Backups stay until they expire: each is sealed as a whole; a restore forgets again. Raises OSError.
    """
    name = re.compile(rf"\.?{re.escape(event.slug)}-round-\d+\.json(?:\.[0-9a-f]+)?")
    found = [each for each in (data / "events").glob("*") if name.fullmatch(each.name)]
    for each in found:
        each.unlink(missing_ok=True)
    write_forgotten(backup_config().folders)
    return len(found)
