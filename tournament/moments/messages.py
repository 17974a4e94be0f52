"""A yakuman in words."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.events.models import Event
from tournament.moments.queries import YakumanHand
from tournament.text.hands import yaku_of
from tournament.text.languages import join_commas


def yakuman_items(event: Event, found: Iterable[YakumanHand]) -> list[dict[str, Any]]:
    """Return yakuman as moments/yakuman.html shows them."""
    return [
        {
            "key": each.key,
            "at": each.at,
            "title": say_yakuman(each),
            "name": each.name or _("a substitute"),
            "where": _("round %(round)d, table %(table)d") % {"round": each.round, "table": each.table},
            "url": f"{reverse('public:table', args=[event.slug, each.round, each.table])}#hand-{each.number}",
            "hand": each.win.hand,
        }
        for each in found
    ]


def say_yakuman(found: YakumanHand) -> str:
    """Name a yakuman, as far as that was entered."""
    if not found.win.yakuman:
        return _("Counted yakuman")
    names = join_commas(row["name"] for row in yaku_of(found.win, found.rules))
    return names[:1].upper() + names[1:] or _("Yakuman")
