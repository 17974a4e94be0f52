"""Who was forgotten, as a list beside the backups: a backup from before would bring them back.

Event and number name nobody. A restore forgets these players again.
"""

import contextlib
import json
import secrets
from collections.abc import Iterable
from pathlib import Path

from tournament.models import Player

FILE = "forgotten.json"
Named = tuple[str, int]  # the event's address and the player's number


def write_forgotten(folders: Iterable[Path]) -> None:
    """Add the players of this database who are forgotten to the list in each folder that is there."""
    columns = ("event__slug", "number")
    gone = set(Player.objects.filter(person__forgotten_at__isnull=False).values_list(*columns))
    for folder in folders:
        with contextlib.suppress(OSError):  # a stick that is out: the next backup writes it
            known = read_forgotten(folder)
            if folder.is_dir() and gone - known:
                _write(folder / FILE, known | gone)


def read_forgotten(folder: Path) -> set[Named]:
    """Return the list of a folder; empty where there is none or it cannot be read."""
    try:
        return {(str(event), int(number)) for event, number in json.loads((folder / FILE).read_text("utf-8"))}
    except (OSError, ValueError, TypeError):
        return set()


def list_to_forget_again(folders: Iterable[Path]) -> list[Player]:
    """Return the players of this database whom a list names and who are known by name."""
    named = set[Named]().union(*map(read_forgotten, folders))
    known = Player.objects.filter(person__forgotten_at=None, event__slug__in={event for event, _ in named})
    return [each for each in known.select_related("person", "event") if (each.event.slug, each.number) in named]


def _write(file: Path, gone: set[Named]) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        draft.write_text(json.dumps(sorted(gone)), encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
