"""Names of backups, their order, and which expire. Sequence decides, not the clock: a wrong clock deletes nothing.

A name is `hanchan-DESK-NUMBER-STAMP.backup`: the desk's id, its running number, and the time in UTC. A backup from
before the numbers has the time alone. `.before-update` marks one that was made before a migration: the backups of an
event's day never push it out.
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from tournament.backups.container import kept_until
from tournament.core.errors import Refused

NAME = re.compile(r"hanchan-(?:([0-9a-f]{8})-(\d{6,})-)?(\d{8}-\d{6})Z(\.before-update)?(?:\.encrypted)?\.backup")
STAMP = "%Y%m%d-%H%M%S"
NEWEST = 12  # kept in any case
HOURLY = timedelta(days=1)  # one an hour is kept for so long
DAILY = timedelta(days=31)
UPDATES = 3  # of the newest backups from before updates are kept


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in a folder: its desk ("" and number 0 before the numbers), and its time by that desk's clock."""

    path: Path
    desk: str
    number: int
    at: datetime
    before_update: bool = False


def name_at(at: datetime, desk: str, number: int, *, sealed: bool, before_update: bool = False) -> str:
    """Return the name of a backup's file.

    >>> name_at(datetime(2026, 9, 12, 9, 30, tzinfo=UTC), "0d2f00aa", 7, sealed=True)
    'hanchan-0d2f00aa-000007-20260912-093000Z.encrypted.backup'
    """
    stamp = at.astimezone(UTC).strftime(STAMP)
    marks = (".before-update" if before_update else "") + (".encrypted" if sealed else "")
    return f"hanchan-{desk}-{number:06d}-{stamp}Z{marks}.backup"


def list_backups(folder: Path) -> list[Kept]:
    """Return the backups of a folder, newest first by number; raises OSError where it cannot be read.

    The number goes on where a backup is restored, so it orders the backups of both laptops.
    """
    return sorted(_found(folder), key=lambda kept: (kept.number, kept.at), reverse=True)


def _found(folder: Path) -> Iterator[Kept]:
    for path in folder.iterdir():
        match = NAME.fullmatch(path.name)
        at = _read_stamp(match[3]) if match else None
        if match and at:
            yield Kept(path, match[1] or "", int(match[2] or 0), at, bool(match[4]))


def newest_backup_at(folder: Path) -> datetime | None:
    """Return when the newest backup of a folder was made; None where there is none, or no such folder."""
    found = list_backups(folder) if folder.is_dir() else []
    return found[0].at if found else None


def _read_stamp(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def rotate(folder: Path, desk: str) -> None:
    """Delete the expired backups of this desk; those of another desk on the same stick are not ours to delete."""
    own = [kept for kept in list_backups(folder) if kept.desk in (desk, "")]
    regular = [kept for kept in own if not kept.before_update]
    outdated = [regular[position] for position in expired([kept.at for kept in regular])]
    for kept in [*outdated, *[kept for kept in own if kept.before_update][UPDATES:]]:
        kept.path.unlink(missing_ok=True)


def delete_outdated(folder: Path, desk: str, today: date) -> None:
    """Delete this desk's backups that may be kept no longer, for the people in them; never its newest."""
    with contextlib.suppress(OSError):  # a stick that is out
        own = [kept for kept in list_backups(folder) if kept.desk == desk]
        for kept in own[1:]:
            with contextlib.suppress(Refused, ValueError):  # damaged: rotation takes it
                until = kept_until(kept.path)
                if until and until < today:
                    kept.path.unlink(missing_ok=True)


def expired(newest_first: Sequence[datetime]) -> list[int]:
    """Return the positions of the backups to delete: all but the newest twelve and one an hour and a day.

    Ages count from the newest backup, before or after it: a clock that was wrong makes some look old, and the newest
    by number are kept whatever their time.
    """
    kept = set(range(min(NEWEST, len(newest_first))))
    seen: set[tuple[int, ...]] = set()
    for position, made_at in enumerate(newest_first):
        age = abs(newest_first[0] - made_at)
        slots: list[tuple[int, ...]] = []
        if age <= HOURLY:
            slots.append((made_at.year, made_at.month, made_at.day, made_at.hour))
        if age <= DAILY:
            slots.append((made_at.year, made_at.month, made_at.day))
        for slot in slots:
            if slot not in seen:
                seen.add(slot)
                kept.add(position)
    return [position for position in range(len(newest_first)) if position not in kept]
