"""Names of players as a reader may see them: a stand-in with the number for players who are not shown by name.

Inside `read_for_public` the database returns the stand-in, so no page can leak the name; elsewhere (desk, paper, files)
everybody has a name.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from django.db.models import Case, CharField, F, Q, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Concat

from tournament.models.people import Player

NUMBER = "{number}"  # where a stand-in has the player's number

_say: ContextVar[Callable[[], str] | None] = ContextVar("stand-in for names", default=None)


@contextlib.contextmanager
def read_for_public(stand_in: Callable[[], str]) -> Iterator[None]:
    """Read names as the public may see them until this ends; `stand_in` says "Player {number}" for a reader."""
    token = _say.set(stand_in)
    try:
        yield
    finally:
        _say.reset(token)


def names_mark() -> str:
    """Return a cache key of the reader for whom names are read now: "" for the desk."""
    words = _words()
    return hashlib.sha256(words.encode()).hexdigest()[:8] if words else ""


def name_of(player: str = "") -> str | Combinable:
    """Return the expression of a player's name for a query; `player` is the path, such as "player__"."""
    plain, words = f"{player}person__preferred_name", _words()
    if not words:
        return plain
    before, _, after = words.partition(NUMBER)
    stand_in = Concat(Value(before), Cast(f"{player}number", CharField()), Value(after), output_field=CharField())
    # a missing player, as that of a substitute who is none, has no name
    shown = Q(**{f"{player}shown_by_name": True}) | Q(**{f"{player}number": None})
    return Case(When(shown, then=F(plain)), default=stand_in, output_field=CharField())


def shown_name(player: Player) -> str:
    """Return the name of a player who was read with the person."""
    return player.person.preferred_name if _is_open(player) else _words().replace(NUMBER, str(player.number))


def shown_country(player: Player) -> str:
    """Return the country of a player, "" where it would identify a stand-in."""
    return player.person.country if _is_open(player) else ""


def shown_club(player: Player) -> str:
    """Return the club of a player, "" where it would identify a stand-in."""
    return player.person.club if _is_open(player) else ""


def _words() -> str:
    say = _say.get()
    return say() if say else ""


def _is_open(player: Player) -> bool:
    return player.shown_by_name or _say.get() is None
