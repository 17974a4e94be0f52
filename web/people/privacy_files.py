"""The event's own files after somebody was forgotten: those from before hold the name and go; the desk writes anew.

Backups are not touched: each is sealed as one piece, and goes when its time is over.
"""

import re
from pathlib import Path

from tournament.models import Event


def drop_event_files(event: Event, data: Path) -> int:
    """Remove the files that the desk wrote after the rounds of an event, and return how many; raises OSError."""
    name = re.compile(rf"\.?{re.escape(event.slug)}-round-\d+\.json(?:\.[0-9a-f]+)?")
    found = [each for each in (data / "events").glob("*") if name.fullmatch(each.name)]
    for each in found:
        each.unlink(missing_ok=True)
    return len(found)
