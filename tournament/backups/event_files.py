"""Each event as one JSON file after each round, by itself: what `export_event` writes, in the data directory.

It is written beside the desk's work, never in a verb: a disk that is full stops no release.
"""

import contextlib
import os
import secrets
from datetime import datetime
from pathlib import Path

from tournament.models import Event, Round
from tournament.selectors.files.archive import get_event_file

NEAR = 2  # seconds: some file systems keep a file's time no finer


def write_due_event_files(data: Path) -> list[Path]:
    """Write the file of each event's newest released round where it is not there; return what was written.

    A round that is taken back and released again is written again. Raises OSError where the disk takes nothing.
    """
    folder = data / "events"
    written = []
    for event, number, released_at in _newest_released():
        file = folder / f"{event.slug}-round-{number}.json"
        if not _is_written(file, released_at):
            folder.mkdir(parents=True, exist_ok=True)
            _write_durably(file, get_event_file(event).encode(), released_at)
            written.append(file)
    return written


def _newest_released() -> list[tuple[Event, int, datetime]]:
    """Return each event with its highest round that is released; two queries at most."""
    newest: dict[int, tuple[int, datetime]] = {}
    released = Round.objects.filter(released_at__isnull=False).order_by("number")
    for event, number, released_at in released.values_list("event_id", "number", "released_at"):
        if released_at is not None:
            newest[event] = (number, released_at)
    events = Event.objects.in_bulk(list(newest)) if newest else {}
    return [(events[pk], *found) for pk, found in sorted(newest.items()) if pk in events]


def _is_written(file: Path, released_at: datetime) -> bool:
    """Tell whether a file is that of this release: its time is the release's."""
    try:
        return abs(file.stat().st_mtime - released_at.timestamp()) <= NEAR
    except OSError:
        return False


def _write_durably(file: Path, content: bytes, released_at: datetime) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.utime(draft, (released_at.timestamp(), released_at.timestamp()))
        draft.replace(file)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
