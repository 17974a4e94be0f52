"""Values shared by several workers, in the cache "shared" that HANCHAN_CACHE names; for values that may be lost.

Where the cache cannot be reached each worker has its own values only.
"""

import logging
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache, caches

from tournament.core.hash_chain import digest_of

NAME: Final = "shared"

log = logging.getLogger(__name__)


def is_shared() -> bool:
    """Tell whether a shared cache is set; a single worker needs none."""
    return NAME in settings.CACHES


def share(key: str, value: Any, *, seconds: int) -> None:
    """Share a plain value (numbers, texts, bytes, dicts of them) with all workers for so many seconds."""
    if is_shared():
        try:
            caches[NAME].set(digest_of(key), value, seconds)
        except Exception:  # noqa: BLE001 - each backend has its own errors
            log.warning("The shared cache cannot be reached: workers do not know of each other.")


def get_shared(key: str) -> Any:
    """Return the shared value of a key, None where there is none or it has expired."""
    if not is_shared():
        return None
    try:
        return caches[NAME].get(digest_of(key))
    except Exception:  # noqa: BLE001 - each backend has its own errors
        log.warning("The shared cache cannot be reached: workers do not know of each other.")
        return None


def count_shared(key: str, *, seconds: int) -> int:
    """Increment a shared counter that expires so many seconds after its first use; return its value."""
    if is_shared():
        try:
            return _count(caches[NAME], digest_of(key), seconds)
        except Exception:  # noqa: BLE001 - each backend has its own errors
            log.warning("The shared cache cannot be reached: each worker counts for itself.")
    return _count(cache, key, seconds)


def _count(store: Any, key: str, seconds: int) -> int:
    store.add(key, 0, seconds)
    try:
        return int(store.incr(key))
    except ValueError:  # evicted this instant
        return 1
