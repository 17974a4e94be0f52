"""Cache drawn pages in this process, as they are, for as long as Django's cache lasts; and identify the program.

Django's own cache copies what it returns, which for the standings of 200 players takes longer than to draw a page.
Callers never change what they get; a key names all that a drawing depends on. Without it a
phone's page takes 3.4 ms instead of 0.6 after a release, and amid 300 phones the desk 0.51 processors instead of 0.43
(docs/developer/load.md).
"""

import functools
import hashlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.core.cache import cache

PARTS = ("rules", "scoring", "tournament", "web", "templates", "locale", "static/css", "static/js")
KINDS = frozenset({".py", ".toml", ".html", ".svg", ".po", ".css", ".js"})


@functools.cache
def build_id() -> str:
    """Return a digest of all that decides how facts are drawn: the program's files and the settings that pages show.

    Read once a process, some hundredths of a second. The time of a start is not in it: two workers would then answer
    with different ETags, and a phone that asks now the one and now the other would fetch its page for ever.
    """
    shown = (settings.DEBUG, settings.HTTPS, settings.TIME_ZONE, settings.LANGUAGES, settings.PHONE_POLL_SECONDS)
    digest = hashlib.sha256(repr(shown).encode())
    for path in _files(settings.BASE_DIR):
        digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _files(base: Path) -> list[Path]:
    found = (path for part in PARTS for path in (base / part).rglob("*") if path.suffix in KINDS)
    return [base / "requirements.txt", *sorted(path for path in found if path.is_file())]


T = TypeVar("T")
MOST = 2400  # 400 players in the languages of a hall, twice over
EPOCH = "kept-epoch"

_kept: OrderedDict[str, Any] = OrderedDict()
_making: dict[str, threading.Lock] = {}
_door = threading.Lock()
_epoch = ""


def keep(key: str, make: Callable[[], T]) -> T:
    """Return what is kept under a key, made now where nothing is.

    After a release all phones ask at once: one makes it, the others that want the same wait for that one.
    """
    found, known = _find(key)
    if known:
        return found
    with _door:
        making = _making.setdefault(key, threading.Lock())
    with making:
        found, known = _find(key)
        if known:
            return found
        try:
            made = make()
            _put(key, made)
        finally:
            with _door:
                _making.pop(key, None)
        return made


def _find(key: str) -> tuple[Any, bool]:
    """Return what is kept, and whether anything is; forget everything where Django's cache was emptied."""
    global _epoch  # noqa: PLW0603 - one store a process, as the module says
    with _door:
        epoch = cache.get(EPOCH)
        if not epoch or epoch != _epoch:
            _kept.clear()
            _epoch = epoch or secrets.token_hex(8)
            cache.set(EPOCH, _epoch, None)
        if key not in _kept:
            return None, False
        _kept.move_to_end(key)
        return _kept[key], True


def _put(key: str, made: Any) -> None:
    with _door:
        _kept[key] = made
        while len(_kept) > MOST:
            _kept.popitem(last=False)
