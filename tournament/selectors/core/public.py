"""Answers for the public, kept for as long as nothing changes that the public may see.

The event's own version moves with every hand, the public one with what is published, started, released or announced.
What that is decides `seen_by_public` alone (see `tournament.selectors.core.visibility`).
"""

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from tournament.models import Event
from tournament.selectors.core.cached import A_DAY, by_version
from tournament.selectors.core.events import PublicState, get_public_state
from tournament.selectors.core.shown_names import names_mark
from tournament.selectors.core.visibility import LiveTable, Seen, read_seen, seen_by_public

__all__ = ["LiveTable", "Seen", "by_public_state", "names_key", "public_state", "read_seen", "seen_by_public"]

T = TypeVar("T")


def public_state(event: Event) -> PublicState:
    """Return how far an event has come for the public, asked of the database once a version."""
    return by_version(event, "public-state", lambda: get_public_state(event))


def names_key(event: Event) -> str:
    """Return what tells apart whatever of the public state holds names: the state, and for whom those are read now."""
    state = public_state(event)
    return f"{state.mark}:{names_mark()}" if state.nameless else state.mark


def by_public_state(event: Event, name: str, make: Callable[[], T]) -> T:
    """Return what `make` makes of what the public may see, made once in this process; it must read nothing else.

    What is live is not in it: that differs from phone to phone, and moves with every hand.
    """
    key = f"event:{event.pk}:public:{names_key(event)}:{name}"
    known: T | None = cache.get(key)
    if known is not None:
        return known
    made = make()
    cache.set(key, made, A_DAY)
    return made
