"""The files of the desk are for its owner alone: the database holds names, and the key signs links."""

import contextlib
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

OTHERS = 0o077


def make_private(folder: Path) -> None:
    """Close the data folder and what earlier versions left open in it, where the file system knows owners."""
    for path in (folder, *folder.glob("db.sqlite3*"), *folder.glob("events/*.json"), *folder.glob("*.key")):
        with contextlib.suppress(OSError):  # another owner's, as in a container: doctor tells
            mode = path.stat().st_mode
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)


def refuse_foreign_files(folder: Path) -> None:
    """Refuse a data folder that has something of another user, who started the desk with sudo, say.

    Raises ImproperlyConfigured with a sentence.
    """
    for path in (folder, *folder.glob("db.sqlite3*"), *folder.glob("*.lock"), *folder.glob("*.key")):
        if not os.access(path, os.R_OK | os.W_OK):
            owner = f" belongs to {path.owner()} and" if os.name == "posix" else ""
            raise ImproperlyConfigured(
                f"{path}{owner} cannot be read and written by this user. Start the desk as the user that the data "
                "belongs to, or name another folder: HANCHAN_DATA=FOLDER."
            )


def is_private(folder: Path) -> bool:
    """Tell whether nobody else may enter a folder; True where the file system knows no owners."""
    return not folder.stat().st_mode & OTHERS
