"""The clock that verbs read: the real one, or a set moment while a sample event's past is played.

Nothing that a person or a program sends ever sets it.
"""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import datetime

from django.utils import timezone

_set: ContextVar[datetime | None] = ContextVar("clock", default=None)


def now() -> datetime:
    """Return the moment at which a verb acts."""
    return _set.get() or timezone.now()


@contextlib.contextmanager
def clock_at(moment: datetime) -> Iterator[None]:
    """Let every verb inside act at this moment."""
    token = _set.set(moment)
    try:
        yield
    finally:
        _set.reset(token)
