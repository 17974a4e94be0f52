"""What this desk sealed and how far, in a signed file beside `record.key`, so that the database cannot say less.

Written after the database, so it may be behind it by a crash and is never ahead of it.
"""

import contextlib
import json
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tournament.core.hash_chain import canonical
from tournament.core.signing_key import is_signed, own_public_key, sign

NAME = "record.sealed"
FORMAT = "hanchan-desk-sealed"
VERSION = 1
SITE = ""  # the site's trail; an event's has its slug
UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class SealedFileError(ValueError):
    """The file is there and is not what this desk wrote."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a trail was sealed: so many acts, the last one's hash, which covers all before it, and sizes of heads.

    `deleted` is the moment at which the desk deleted the event, "" for one that must be there.
    """

    acts: int
    hash: str
    heads: tuple[int, ...] = ()
    deleted: str = ""


Marks = dict[str, Mark]


def facts_of(marks: Marks) -> dict[str, dict[str, Any]]:
    """Return marks as plain values."""
    return {slug: asdict(mark) for slug, mark in marks.items()}


def marks_of(facts: Mapping[str, Mapping[str, Any]]) -> Marks:
    """Return marks from plain values; raises UNREADABLE for other values."""
    return {
        str(slug): Mark(int(each["acts"]), str(each["hash"]), tuple(map(int, each["heads"])), str(each["deleted"]))
        for slug, each in facts.items()
    }


def read_marks(data: Path) -> Marks:
    """Return the marks in a data directory, none without the file; raises SealedFileError for one of another writer."""
    file = data / NAME
    if not file.exists():
        return {}
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        signed = is_signed(canonical(content["sealed"]), content["public_key"], content["signature"])
        trails = content["sealed"]["trails"]
        marks = marks_of(trails)
    except UNREADABLE as wrong:
        raise SealedFileError("it cannot be read") from wrong
    if not signed or content["public_key"] != own_public_key(data):
        raise SealedFileError("it is not signed with this desk's key")
    return marks


def change_marks(data: Path, change: Callable[[Marks], Marks]) -> None:
    """Replace the marks by what `change` returns, one process at a time; raises SealedFileError and OSError."""
    with _alone(data):
        before = read_marks(data)
        after = change(dict(before))
        if after != before:
            write_marks(data, after)


def write_marks(data: Path, marks: Marks) -> None:
    """Write the file, whatever it was."""
    sealed: dict[str, Any] = {"format": FORMAT, "version": VERSION, "trails": facts_of(marks)}
    public_key, signature = sign(canonical(sealed), data)
    draft = data / f"{NAME}.{secrets.token_hex(8)}"
    draft.touch(mode=0o600)
    try:
        with draft.open("w", encoding="utf-8") as out:
            out.write(canonical({"sealed": sealed, "public_key": public_key, "signature": signature}) + "\n")
            out.flush()
            os.fsync(out.fileno())
        draft.replace(data / NAME)
    finally:
        draft.unlink(missing_ok=True)


@contextlib.contextmanager
def _alone(data: Path) -> Iterator[None]:
    """Wait until no other process changes the file; a file system without locks keeps nobody out."""
    lock = data / f"{NAME}.lock"
    lock.touch(mode=0o600)
    with lock.open("a+", encoding="ascii") as file:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                import msvcrt

                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX)
        yield  # closing the file lets go of the lock
