"""`manage.py doctor`: Check the machine before an event. It changes nothing, and needs no Internet."""

import datetime as dt
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

import bootstrap
from tournament.archive.verify import verify_all
from tournament.backups.backup import newest_backup_at, read_state
from tournament.backups.config import age_of, backup_config
from tournament.core.models import AuditRow
from tournament.core.time_zones import distance_words
from tournament.core.version import full_version
from tournament.pdf.drawings import STATIC_DIR
from tournament.pdf.render import FONTS, PaperUnavailable, load_weasyprint
from web.management.base import DeskCommand, say
from web.server.database_age import DATABASE_OLDER, age_problem, older_problem
from web.server.protocol import raise_file_limit
from web.server.settings_values import is_private

Level = Literal["ok", "warning", "fault"]
GIGABYTE = 2**30
MIN_FREE = {"fault": GIGABYTE // 10, "warning": GIGABYTE}  # an event of 100 tables takes some 50 MB with its backups
FEW_PLACES = 3000
OLDEST_CHROMIUM = 108  # the first that knows both :has() and the unit dvh
DRIFT = dt.timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one organ: "ok", a "warning" that an event survives, or a "fault" to mend before it."""

    organ: str
    level: Level
    words: str


def examine() -> Iterator[Finding]:
    """Look at every organ in turn."""
    for organ, look in ORGANS.items():
        try:
            yield from (Finding(organ, level, words) for level, words in look())
        except (OSError, DatabaseError, subprocess.SubprocessError) as wrong:
            yield Finding(organ, "fault", f"This could not be looked at: {' '.join(str(wrong).split())}.")


Said = Iterator[tuple[Level, str]]

# ---------------------------------------------------------------- judgements: pure


def judge_space(free: int) -> tuple[Level, str]:
    """Judge the free space (bytes) where the data lies."""
    words = f"{free / GIGABYTE:.1f} GB are free where the data lies."
    if free < MIN_FREE["fault"]:
        return "fault", f"{words} Make room: without it no hand can be kept."
    return ("warning", f"{words} Make room before the event.") if free < MIN_FREE["warning"] else ("ok", words)


def judge_clock(now: dt.datetime, newest: dt.datetime | None, program: dt.datetime) -> tuple[Level, str]:
    """Judge the machine's clock by the newest row ever written here and by the age of the program itself."""
    words = f"It is {now:%d %B %Y, %H:%M} ({settings.TIME_ZONE})."
    if newest is not None and newest > now + DRIFT:
        written = f"{timezone.localtime(newest):%d %B %Y, %H:%M}"
        return "fault", f"{words} The newest row was written at {written}: the clock went back. Set it."
    if now < program:
        return "fault", f"{words} That is before this program was made. Set the clock."
    return "ok", words


def judge_time_zone(zone: str, offset: dt.timedelta | None, machine: dt.timedelta | None) -> tuple[Level, str]:
    """Judge the desk's time zone, whose distance from UTC is `offset`, by that of the machine."""
    if offset == machine:
        return "ok", f"The desk's time zone, {zone}, agrees with this machine's clock."
    here, there = distance_words(offset or dt.timedelta()), distance_words(machine or dt.timedelta())
    words = f"The desk's time zone is {zone} ({here}), but this machine's clock is at {there}."
    return "warning", f"{words} Set HANCHAN_TZ or the machine's time zone: new events get the desk's."


def judge_browser(version: str | None) -> tuple[Level, str]:
    """Judge what a browser says of its version ("Chromium 150.0.1"); None where none was found."""
    if version is None:
        return (
            "warning",
            "No Chromium or Chrome was found here; any new browser will do for the desk's pages.",
        )
    number = re.search(r"(\d+)\.", version)
    if number and int(number[1]) < OLDEST_CHROMIUM:
        return "fault", f"{version} is too old; the pages need {OLDEST_CHROMIUM} or newer."
    return "ok", f"{version} is new enough."


def judge_places(places: int) -> tuple[Level, str]:
    """Judge how many connections the system allows; a phone that looks takes one or two."""
    words = f"{places:,} connections can be open at once."
    if places >= FEW_PLACES:
        return "ok", words
    return "warning", f"{words} The system allows too few open files: raise the hard limit (ulimit -Hn, LimitNOFILE)."


# ---------------------------------------------------------------- looking


def _check_disk() -> Said:
    yield judge_space(shutil.disk_usage(settings.DATA_DIR).free)
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as trial:
        trial.write(b"0" * 4096)
        trial.flush()
    yield "ok", f"{settings.DATA_DIR} can be written to."
    if os.name == "posix" and not is_private(settings.DATA_DIR):
        yield "warning", f"Other users of this machine can read {settings.DATA_DIR}: run `chmod 700` on it."


def _check_database() -> Said:
    problem = age_problem()
    if problem:
        yield "fault", say(problem)
        return
    executor = MigrationExecutor(connection)
    if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield "fault", say(DATABASE_OLDER(count=len(plan)))
        return
    if connection.vendor != "sqlite":
        yield "ok", f"{connection.vendor.title()} answers, and is as new as this program."
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA quick_check")
        found = cursor.fetchone()[0]
        cursor.execute("PRAGMA journal_mode")
        journal = cursor.fetchone()[0]
    yield ("ok", "SQLite's file is sound.") if found == "ok" else ("fault", f"SQLite's file is damaged: {found}.")
    if journal != "wal":
        yield "warning", f"SQLite works without WAL ({journal}): is the data on a network drive? Put it on a disk."


def _check_ledger() -> Said:
    if age_problem() or older_problem():
        yield "warning", "Not checked: this program cannot read the database as it is."
        return
    report = verify_all()
    if report.problems:
        yield "fault", f"{len(report.problems)} findings; `manage.py verify_ledger` names them."
    else:
        yield "ok", f"{report.entries} entries of {report.tables} tables follow from one another."


def _check_backups() -> Said:
    wanted = backup_config()
    state = read_state(wanted)
    for folder in wanted.folders:
        if not folder.is_dir() and folder != wanted.own:
            yield "fault", f"{folder} is not there: is the stick plugged in?"
            continue
        newest = newest_backup_at(folder)
        if newest is None:
            yield "warning", f"There is no backup in {folder} yet; `manage.py backup` makes one."
        else:
            yield "ok", f"The newest backup in {folder} was made {age_of(newest)} ago."
        if state.of(folder).fault:
            yield "fault", f"The last backup into {folder} failed; the page /desk/backups/ says why."
    if not wanted.minutes:
        yield "warning", "HANCHAN_BACKUP_MINUTES is 0: the desk makes no backups by itself."


def _check_clock() -> Said:
    newest = AuditRow.objects.order_by("-at").values_list("at", flat=True).first()
    program = dt.datetime.fromtimestamp(Path(__file__).stat().st_mtime, dt.UTC)
    now = timezone.localtime()
    yield judge_clock(now, newest, program)
    yield judge_time_zone(settings.TIME_ZONE, now.utcoffset(), settings.MACHINE_OFFSET)


def _check_network() -> Said:
    addresses = [address for address in settings.OWN_ADDRESSES if not address.startswith("[")]
    if addresses:
        yield "ok", f"This machine is {', '.join(addresses)} in its network."
    else:
        yield "warning", "This machine is in no network: phones and other laptops will not reach it."
    yield judge_places(raise_file_limit())
    with socket.socket() as probe:
        taken = probe.connect_ex(("127.0.0.1", 8000)) == 0
    if taken:
        yield (
            "warning",
            "Something answers at port 8000: a desk that runs? Another one takes the next free port.",
        )


def _check_paper() -> Said:
    absent = [name for name in FONTS if not (STATIC_DIR / "fonts" / name).is_file()]
    if absent:
        yield "fault", f"These fonts are missing from static/fonts: {', '.join(absent)}."
    try:
        load_weasyprint()
    except PaperUnavailable as unavailable:
        yield "fault", str(unavailable)
    else:
        yield "ok", "Sheets can be printed, with Japanese names."


def _check_browser() -> Said:
    program = bootstrap.find(name for name in bootstrap.BROWSERS if name not in bootstrap.HEADLESS)
    version = None
    if program is not None:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
        version = done.stdout.strip() or None
    yield judge_browser(version)


def _check_program() -> Said:
    yield "ok", f"{full_version()}."


ORGANS: dict[str, Callable[[], Said]] = {
    "program": _check_program,
    "disk": _check_disk,
    "database": _check_database,
    "ledger": _check_ledger,
    "backups": _check_backups,
    "clock": _check_clock,
    "network": _check_network,
    "paper": _check_paper,
    "browser": _check_browser,
}

SIGNS = {"ok": "ok     ", "warning": "look   ", "fault": "FIX    "}


class Command(DeskCommand):
    """Better before the first round than in it."""

    help = """Looks at what an event depends on: free space, database, ledger, clock, network address, fonts and paper,
    backups, browser. Prints a line for each finding, or with --json one JSON line each: {"organ", "level": "ok",
    "warning" or "fault", "words"}. Changes nothing, and asks nobody on the Internet. Exits with 1 when there is a
    fault."""
    any_database = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the form of the answer."""
        parser.add_argument("--json", action="store_true", help="one JSON line for each finding")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Look, and tell each finding as soon as it is known."""
        faults = 0
        styles = {"ok": self.style.SUCCESS, "warning": self.style.WARNING, "fault": self.style.ERROR}
        for finding in examine():
            faults += finding.level == "fault"
            if options["json"]:
                self.write_json({"organ": finding.organ, "level": finding.level, "words": finding.words})
            else:
                self.stdout.write(f"{styles[finding.level](SIGNS[finding.level])}{finding.organ:<10}{finding.words}")
        if faults:
            sys.exit(1)
