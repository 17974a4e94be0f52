"""What is drawn once and handed to every phone: kept in this process as it is, for as long as Django's cache lasts.

Django's own cache copies what it gives out, which for the standings of 200 players takes longer than to draw a page.
What is kept here is never changed by whoever gets it. It decides nothing: a key says all that a drawing depends on.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache

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
