"""People over events in words: why two may be one, and what is known of somebody."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.people.queries import Human, Reason
from tournament.text.languages import Words, join_commas

REASON_WORDS: Words = {
    Reason.EMA_NUMBER: gettext_lazy("the same EMA number"),
    Reason.ONLINE_NAME: gettext_lazy("the same online name"),
    Reason.NAME: gettext_lazy("the same name"),
    Reason.ALIAS: gettext_lazy("a name that is noted for the person"),
    Reason.SIMILAR: gettext_lazy("a similar name"),
}


def say_human(human: Human) -> str:
    """Say what is known of somebody beside the name: events, clubs, countries, EMA number."""
    count = len(human.events)
    said = [ngettext("%(n)d event", "%(n)d events", count) % {"n": count}, *human.clubs, *human.countries]
    if human.ema_numbers:
        said.append(_("EMA number %(number)s") % {"number": join_commas(sorted(human.ema_numbers))})
    return " · ".join(said)
