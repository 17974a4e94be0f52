"""The files of the desk are for its owner alone: the database holds names, and the key signs links."""

import contextlib
from pathlib import Path

OTHERS = 0o077


def make_private(folder: Path) -> None:
    """Close the data folder and what earlier versions left open in it, where the file system knows owners."""
    for path in (folder, *folder.glob("db.sqlite3*"), *folder.glob("events/*.json"), *folder.glob("*.key")):
        with contextlib.suppress(OSError):  # another owner's, as in a container: doctor tells
            mode = path.stat().st_mode
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)


def is_private(folder: Path) -> bool:
    """Tell whether nobody else may enter a folder; True where the file system knows no owners."""
    return not folder.stat().st_mode & OTHERS
