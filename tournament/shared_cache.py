"""What all workers know together, where several serve: in the cache "shared" that HANCHAN_CACHE names.

For what may be lost: how far a booklet is, how often somebody searched. It never holds what is in no database, and a
cache that cannot be reached stops nobody: each worker then knows its own alone.
"""

import hashlib
import logging
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache, caches

NAME: Final = "shared"

log = logging.getLogger(__name__)


def is_shared() -> bool:
    """Tell whether workers know anything together; one that serves alone needs not."""
    return NAME in settings.CACHES


def tell_all(key: str, value: Any, *, seconds: int) -> None:
    """Let all workers know a value (plain ones: numbers, texts, bytes, dicts of them) for so many seconds."""
    if is_shared():
        try:
            caches[NAME].set(_short(key), value, seconds)
        except Exception:  # noqa: BLE001 - each backend has its own errors
            log.warning("The shared cache cannot be reached: workers do not know of each other.")


def known_to_all(key: str) -> Any:
    """Return what was told under a key, None where nothing was or it is over."""
    if not is_shared():
        return None
    try:
        return caches[NAME].get(_short(key))
    except Exception:  # noqa: BLE001 - each backend has its own errors
        log.warning("The shared cache cannot be reached: workers do not know of each other.")
        return None


def count_together(key: str, *, seconds: int) -> int:
    """Count once more under a key, from the first time for so many seconds; return how often it was."""
    if is_shared():
        try:
            return _count(caches[NAME], _short(key), seconds)
        except Exception:  # noqa: BLE001 - each backend has its own errors
            log.warning("The shared cache cannot be reached: each worker counts for itself.")
    return _count(cache, key, seconds)


def _count(store: Any, key: str, seconds: int) -> int:
    store.add(key, 0, seconds)
    try:
        return int(store.incr(key))
    except ValueError:  # thrown out of the cache this instant
        return 1


def _short(key: str) -> str:
    """Return a key that every cache takes: some want no blanks and no great length."""
    return hashlib.sha256(key.encode()).hexdigest()
