"""The clock that verbs read: the real one, or a fixed moment while a sample event is generated. No request sets it."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import datetime

from django.utils import timezone

_set: ContextVar[datetime | None] = ContextVar("clock", default=None)


def now() -> datetime:
    """Return the present moment."""
    return _set.get() or timezone.now()


@contextlib.contextmanager
def clock_at(moment: datetime) -> Iterator[None]:
    """Fix the clock inside the block."""
    token = _set.set(moment)
    try:
        yield
    finally:
        _set.reset(token)
