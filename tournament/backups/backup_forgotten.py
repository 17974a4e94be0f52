"""Who was forgotten, as lists beside the backups: a backup from before would bring them back.

Event and number name nobody. A restore forgets these players and sign-ups again.
"""

import contextlib
import json
import secrets
from collections.abc import Iterable
from pathlib import Path

from tournament.models.people import Player
from tournament.models.sign_up import SignUp

FILE = "forgotten.json"
FILE_OF_SIGN_UPS = "forgotten-sign-ups.json"
Named = tuple[str, int]  # the event's address and the number of a player or a sign-up


def write_forgotten(folders: Iterable[Path]) -> None:
    """Add those of this database who are forgotten to the lists in each folder that is there."""
    columns = ("event__slug", "number")
    gone = {
        FILE: set(Player.objects.filter(person__forgotten_at__isnull=False).values_list(*columns)),
        FILE_OF_SIGN_UPS: set(SignUp.objects.filter(erased_at__isnull=False).values_list(*columns)),
    }
    for folder in folders:
        for file, named in gone.items():
            with contextlib.suppress(OSError):  # a stick that is out: the next backup writes it
                known = _read(folder / file)
                if folder.is_dir() and named - known:
                    _write(folder / file, known | named)


def list_to_forget_again(folders: Iterable[Path]) -> list[Player]:
    """Return the players of this database whom a list names and who are known by name."""
    named = _named(folders, FILE)
    known = Player.objects.filter(person__forgotten_at=None, event__slug__in={event for event, _ in named})
    return [each for each in known.select_related("person", "event") if (each.event.slug, each.number) in named]


def list_sign_ups_to_erase_again(folders: Iterable[Path]) -> list[SignUp]:
    """Return the sign-ups of this database that a list names and that are still known."""
    named = _named(folders, FILE_OF_SIGN_UPS)
    known = SignUp.objects.filter(erased_at=None, event__slug__in={event for event, _ in named})
    return [each for each in known.select_related("event") if (each.event.slug, each.number) in named]


def _named(folders: Iterable[Path], file: str) -> set[Named]:
    return set[Named]().union(*(_read(folder / file) for folder in folders))


def _read(file: Path) -> set[Named]:
    """Return a list; empty where there is none or it cannot be read."""
    try:
        return {(str(event), int(number)) for event, number in json.loads(file.read_text("utf-8"))}
    except (OSError, ValueError, TypeError):
        return set()


def _write(file: Path, gone: set[Named]) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        draft.write_text(json.dumps(sorted(gone)), encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
