"""Hook points of pages: a feature adds itself in the module that `tournament.features` names; else nothing is shown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpRequest
from django.urls import NoReverseMatch, URLPattern, reverse

from tournament.events.models import Event

if TYPE_CHECKING:
    from tournament.tables.queries import LoadedTable

PHONE_CONTEXT: Final[list[Callable[[HttpRequest, Event, int | None], Mapping[str, Any]]]] = []
"""Return more context of public/phone.html for the followed player, None for nobody."""
PLAYER_SECTIONS: Final[list[Callable[[Event, int], Mapping[str, Any]]]] = []
"""Return more context of public/player.html for the player with a number."""
TABLE_SECTIONS: Final[list[Callable[["LoadedTable"], Mapping[str, Any]]]] = []
"""Return more context of public/table.html."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a feature: at the root, below /e/SLUG/, at a table of the desk, below /desk/, and of a relay."""

    site: Sequence[URLPattern] = ()
    public: Sequence[URLPattern] = ()
    table: Sequence[URLPattern] = ()
    desk: Sequence[URLPattern] = ()
    relay: Sequence[URLPattern] = ()


def merge_contexts(contexts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the entries of all contexts."""
    return {name: value for context in contexts for name, value in context.items()}


def find_address(name: str, *args: object) -> str:
    """Return the address with a name, "" where the feature that it belongs to is not part of this desk."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
