"""A disk that is really full: `python -m tools.faults.full_disk --times 5`, as root on Linux, which may mount one.

The desk's data lies on a small file system of its own. While four tables write it is filled to the last byte, and
emptied again once the desk has said so in words. Prints one JSON object; exits with 1 where a hand was lost, written
twice or broken, or where a page could no longer be read, and with 77 where nothing can be mounted.
"""

import argparse
import contextlib
import errno
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.nightly_scale import own_data
from tests.with_postgresql import NOT_HERE
from tools.faults.processes import DeskProcess

if TYPE_CHECKING:
    from tools.faults.writers import Writer

MEGABYTES = 48  # the program's static files, the event, and room for some thousand hands
PATIENCE = 120  # seconds
NO_ROOM = 507
TOLD = 3  # hands refused for want of room before there is room again
BLOCK = bytes(64 * 1024)


def main() -> int:
    """Fill, count and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults.full_disk", description=__doc__)
    parser.add_argument("--times", type=int, default=5, help="how often the disk is filled")
    times = parser.parse_args().times
    with own_data("full") as (place, _server), mounted(place) as data:
        if data is None:
            sys.stderr.write("A file system can be mounted by root on Linux alone.\n")
            return NOT_HERE
        found = run(times, data)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if found["ok"] else 1


@contextlib.contextmanager
def mounted(place: Path) -> Iterator[Path | None]:
    """Mount a small file system there; yield None where that is not allowed."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(place)]
    try:
        allowed = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        allowed = False
    try:
        yield place if allowed else None
    finally:
        if allowed:
            subprocess.run(["umount", "-l", str(place)], check=True)


def run(times: int, data: Path) -> dict[str, Any]:
    """Play; fill and empty the disk; compare."""
    import django

    django.setup()
    from tools.faults.hall import kept, make_hall
    from tools.faults.kills import TABLES, compare, verified
    from tools.faults.writers import writing_at

    with tempfile.TemporaryFile() as log, contextlib.closing(DeskProcess(data, log)) as desk:
        desk.start()
        hall = make_hall(TABLES)
        with writing_at(hall, desk.port) as writers:
            unread = [what for _ in range(times) for what in full_for_a_while(data, desk.port, hall.slug, writers)]
        lost = compare(writers)
        log.seek(0)
        traces = log.read().count(b"Traceback")
    sound, said = verified()
    wrong = [each for writer in writers for each in writer.wrong]
    return {
        "ok": not lost and not unread and not wrong and sound and not any(writer.statuses[500] for writer in writers),
        "filled": times,
        "hands_answered": sum(len(writer.answered) for writer in writers),
        "hands_there": len(kept()),
        "refused_for_want_of_room": sum(writer.statuses[NO_ROOM] for writer in writers),
        "answers": {str(code): sum(writer.statuses[code] for writer in writers) for code in (200, 201, 500, 503, 507)},
        "lost_or_twice": lost,
        "not_read_meanwhile": unread,
        "refused": wrong[:10],
        "stack_traces_in_the_log": traces,
        "verify_ledger": said,
    }


def full_for_a_while(data: Path, port: int, slug: str, writers: "list[Writer]") -> list[str]:
    """Fill the disk until hands are refused, read meanwhile, make room, and see hands taken; return what went wrong."""
    from tools.faults.kills import wait_for_hands

    wait_for_hands(writers)
    refused = sum(writer.statuses[NO_ROOM] for writer in writers)
    filler = data / "filler"

    def is_told() -> bool:
        fill(filler)  # what the desk frees meanwhile, too
        return sum(writer.statuses[NO_ROOM] for writer in writers) >= refused + TOLD

    wait_until(is_told)
    unread = [
        f"{path} answered {status}"
        for path in (f"/e/{slug}/", f"/e/{slug}/standings/", "/")
        if (status := status_of(f"http://127.0.0.1:{port}{path}")) != 200
    ]
    filler.unlink()
    wait_for_hands(writers)
    return unread


def fill(filler: Path) -> None:
    """Write until nothing more can be written."""
    with filler.open("ab", buffering=0) as file:
        for size in (len(BLOCK), 4096, 1):
            with contextlib.suppress(NoRoomError):
                while True:
                    write(file.fileno(), BLOCK[:size])


class NoRoomError(Exception):
    """The disk is full."""


def write(handle: int, block: bytes) -> None:
    """Write a block; raises NoRoomError where not all of it has room."""
    try:
        if os.write(handle, block) < len(block):
            raise NoRoomError
    except OSError as wrong:
        if wrong.errno != errno.ENOSPC:
            raise
        raise NoRoomError from None


def wait_until(there: Callable[[], bool]) -> None:
    """Return once something is so."""
    deadline = time.monotonic() + PATIENCE
    while not there():
        if time.monotonic() > deadline:
            raise RuntimeError("the disk is full, and no hand was refused for it")
        time.sleep(0.05)


def status_of(address: str) -> int:
    """Ask for a page and return its status."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as wrong:
        return wrong.code


if __name__ == "__main__":
    sys.exit(main())
