"""Answers kept under (event, version): a change of the event makes a new version, and so a new key."""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from tournament.models import Event

T = TypeVar("T")
A_DAY = 24 * 3600


def by_version(event: Event, name: str, make: Callable[[], T]) -> T:
    """Return what `make` makes for this version of the event, made once in this process."""
    key = f"event:{event.pk}:{event.version}:{name}"
    known: T | None = cache.get(key)
    if known is not None:
        return known
    made = make()
    cache.set(key, made, A_DAY)
    return made
