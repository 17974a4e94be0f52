"""Warn of players with similar names. Nothing is merged: two spellings of one person stay two players."""

from collections.abc import Iterable

from django.contrib import messages
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models.event import Event
from tournament.models.people import Player
from tournament.pages.permissions_gateways import DeskRequest
from tournament.players.queries import list_names
from tournament.text.names_1 import find_alike

MOST_NAMED = 2


def likes_of(people: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return a label by number for those of these people whose names are similar to others.

    >>> likes_of([(1, "Ana Berg"), (2, "Mio Sol"), (3, "Ana Bergh")])
    {1: 'Similar: Ana Bergh (3)', 3: 'Similar: Ana Berg (1)'}
    """
    rows = list(people)
    alike = find_alike([name for _number, name in rows])
    return {
        number: _("Similar: %(names)s") % {"names": _named([rows[other] for other in others])}
        for (number, _name), others in zip(rows, alike, strict=True)
        if others
    }


def like_of(event: Event, name: str) -> str:
    """Return the label of a new name; "" where no name is similar, or a player has exactly this one."""
    people = sorted(list_names(event))
    if not name.strip() or any(name.strip().casefold() == known.casefold() for _number, known in people):
        return ""
    return likes_of([*people, (0, name)]).get(0, "")


def warn_of_likes(request: DeskRequest, event: Event, player: Player) -> None:
    """Add a message where a new player's name is similar to another's."""
    like = likes_of(sorted(list_names(event))).get(player.number)
    if like:
        said = _("%(name)s (%(number)d) – %(like)s. One person twice, or two people? Nothing is merged automatically.")
        messages.warning(request, said % {"name": player.person, "number": player.number, "like": like})


def _named(rows: list[tuple[int, str]]) -> str:
    said = ", ".join(f"{name} ({number})" for number, name in rows[:MOST_NAMED])
    more = len(rows) - MOST_NAMED
    if more < 1:
        return said
    return said + " " + ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more}
