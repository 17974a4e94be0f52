"""The words about a round by standing: the wishes that it misses, who is concerned, and what stood in the way.

It words what `round_report` has counted; it decides nothing.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.seating.round_report import Missed
from web.languages import Words

SENTENCES: Words = {
    "round.apart": "Two who are to be kept apart sit at one table.",
    "round.fixed_table": "Somebody does not sit at the table kept for them.",
    "round.group": "Two of one team or club sit at one table.",
    "round.thrice": "Two meet for the third time or more.",
}

REASONS: Final[Mapping[str, Promise]] = {
    "not_asked": gettext_lazy("The format sets the tables by rank alone."),
    "crowded": gettext_lazy("More of them play than there are tables."),
    "conflict": gettext_lazy("Nothing better was found."),
}


def say_missed(missed: Missed, names: Mapping[int, str]) -> str:
    """Say which wish a round misses, for whom, and why.

    >>> say_missed(Missed("round.apart", (1, 7), "not_asked"), {1: "Ada", 7: "Ben"})
    'Two who are to be kept apart sit at one table: Ada, Ben. The format sets the tables by rank alone.'
    """
    what = SENTENCES.get(missed.code, missed.code).removesuffix(".")
    who = ", ".join(names.get(player, str(player)) for player in missed.players)
    why = REASONS.get(missed.reason, missed.reason)
    return _("%(what)s: %(who)s. %(why)s") % {"what": what, "who": who, "why": why}
