"""The tests that read a clock, at moments when clocks are awkward: `python -m tools.nightly.moments [--only NAME …]`.

Each moment comes once in each zone that has it; 400 days from now all tests that use the database run. The clock starts
a second before the others, so that midnight or the change of summer time falls among the first tests of each module;
their order is random. Further arguments go to pytest. Prints how many tests passed as one JSON object, and exits with 1
where one failed.
"""

import argparse
import calendar
import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from bootstrap import REPO

ZONES = ("Europe/Berlin", "Asia/Tokyo", "America/St_Johns")
HOUR, SECOND = dt.timedelta(hours=1), dt.timedelta(seconds=1)
READ_A_CLOCK = "database and not browser and not slow and not nightly"  # every row is dated


@dataclass(frozen=True, slots=True)
class Moment:
    """When and where the clock of the tests starts; `every`: also of tests that name no clock."""

    name: str
    zone: str
    at: dt.datetime
    every: bool = False


def list_moments(now: dt.datetime) -> Iterator[Moment]:
    """Yield the next ones after `now`.

    >>> [each.name for each in list_moments(dt.datetime(2026, 11, 28, tzinfo=dt.UTC)) if each.zone == "Europe/Berlin"]
    ['new-year Europe/Berlin', 'leap-day Europe/Berlin', 'summer Europe/Berlin', 'winter Europe/Berlin', \
'400-days Europe/Berlin']
    """
    year = now.year + 1
    leap = next(each for each in range(year, year + 9) if calendar.isleap(each))
    for name in ZONES:
        zone = ZoneInfo(name)
        yield Moment(f"new-year {name}", name, dt.datetime(year, 1, 1, tzinfo=zone).astimezone(dt.UTC) - SECOND)
        yield Moment(f"leap-day {name}", name, dt.datetime(leap, 2, 29, tzinfo=zone).astimezone(dt.UTC) - SECOND)
        for season, change in summer_time_changes(zone, now):
            yield Moment(f"{season} {name}", name, change - SECOND)
        yield Moment(f"400-days {name}", name, now + dt.timedelta(days=400), every=True)


def summer_time_changes(zone: ZoneInfo, now: dt.datetime) -> Iterator[tuple[str, dt.datetime]]:
    """Yield the changes of the year ahead, spring first: "summer" where clocks go forward, "winter" where back.

    >>> [f"{season} {at:%d %b %H:%M}" for season, at in
    ...  summer_time_changes(ZoneInfo("America/St_Johns"), dt.datetime(2026, 11, 28, tzinfo=dt.UTC))]
    ['summer 14 Mar 05:30', 'winter 07 Nov 04:30']
    """
    start = now.astimezone(dt.UTC).replace(minute=0, second=0, microsecond=0)
    times = [start + each * HOUR / 2 for each in range(366 * 48)]
    offsets = [time.astimezone(zone).utcoffset() or dt.timedelta() for time in times]
    changes = [
        ("summer" if after > before else "winter", time)
        for time, before, after in zip(times[1:], offsets, offsets[1:], strict=False)
        if after != before
    ]
    yield from sorted(changes)


def main() -> None:
    """Run the tests at each moment."""
    parser = argparse.ArgumentParser(prog="python -m tools.nightly.moments")
    parser.add_argument("--only", action="append", metavar="NAME", help='such as "new-year Asia/Tokyo"; again for more')
    options, rest = parser.parse_known_args()
    moments = [each for each in list_moments(dt.datetime.now(dt.UTC)) if each.name in (options.only or [each.name])]
    passed, failed = {}, []
    for moment in moments:
        code, passed[moment.name] = run(moment, rest)
        failed += [moment.name] * bool(code)
    sys.stdout.write(json.dumps({"passed": passed, "failed": len(failed)}, indent=1) + "\n")
    sys.exit(bool(failed))


def run(moment: Moment, arguments: list[str]) -> tuple[int, int]:
    """Run the tests with their clock started at a moment; return pytest's exit code, and how many passed."""
    sys.stdout.write(f"== {moment.name}: {moment.at.astimezone(ZoneInfo(moment.zone)):%Y-%m-%d %H:%M:%S}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts.json"
        command = [sys.executable, "-m", "pytest", "-p", "tools.nightly.clock", "-q", "-m", READ_A_CLOCK, *arguments]
        done = subprocess.run(
            command, cwd=REPO, env={**environment(moment), "HANCHAN_TEST_SKIPS": str(counts)}, check=False
        )
        ran = json.loads(counts.read_text(encoding="utf-8"))["ran"] if counts.exists() else 0
    return done.returncode, ran


def environment(moment: Moment) -> Mapping[str, str]:
    """Return the environment of a machine in the moment's zone, whose desk has no settings but that zone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANCHAN_", "DATABASE_URL"))}
    ours = {"TZ": moment.zone, "HANCHAN_TZ": moment.zone, "HANCHAN_TEST_MOMENT": moment.at.isoformat()}
    return {**kept, "HANCHAN_NO_BOOTSTRAP": "1", **ours, **({"HANCHAN_TEST_EVERY": "1"} if moment.every else {})}


if __name__ == "__main__":
    main()
