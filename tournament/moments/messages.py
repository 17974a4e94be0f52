"""A yakuman in words."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.events.models import Event
from tournament.moments.queries import YakumanHand
from tournament.publication.queries import by_public_state
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


def draw_moments(event: Event, found: Sequence[YakumanHand]) -> SafeString:
    """Return yakuman drawn as moments/moments.html does, once for all phones that may see these."""
    drawn = by_public_state(event, f"moments-{get_language()}", dict[tuple[str, ...], SafeString])
    key = tuple(each.mark for each in found)
    if key not in drawn:
        drawn[key] = render_to_string("moments/moments.html", {"moments": yakuman_items(event, found)})
    return drawn[key]


def say_yakuman(found: YakumanHand) -> str:
    """Name a yakuman, as far as that was entered."""
    if not found.win.yakuman:
        return _("Counted yakuman")
    names = join_commas(row["name"] for row in yaku_of(found.win, found.rules))
    return names[:1].upper() + names[1:] or _("Yakuman")
