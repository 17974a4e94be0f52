"""Which backups are kept: all of the last hour or so, then one an hour for a day, one a day for a month.

Pure; it reads no clock: ages are counted from the newest backup, so that a wrong clock alone removes nothing.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

NEWEST = 12
HOURLY = timedelta(days=1)
DAILY = timedelta(days=31)


def expired(made: Iterable[datetime]) -> list[datetime]:
    """Return the moments of the backups that may go, oldest first; never one of the newest twelve.

    Of an hour or a day the newest stays.
    """
    newest_first = sorted(set(made), reverse=True)
    kept = set(newest_first[:NEWEST])
    seen: set[tuple[int, ...]] = set()
    for moment in newest_first:
        age = newest_first[0] - moment
        slots: list[tuple[int, ...]] = []
        if age <= HOURLY:
            slots.append((moment.year, moment.month, moment.day, moment.hour))
        if age <= DAILY:
            slots.append((moment.year, moment.month, moment.day))
        for slot in slots:
            if slot not in seen:
                seen.add(slot)
                kept.add(moment)
    return [moment for moment in reversed(newest_first) if moment not in kept]
