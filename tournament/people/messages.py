"""People over events in words: why two may be one, and what is known of somebody."""

from collections.abc import Iterable

from django.contrib import messages
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest
from tournament.people.queries import Human, Reason, list_humans, list_proposals, manageable_events
from tournament.text.languages import Words, join_commas

REASON_WORDS: Words = {
    Reason.EMA_NUMBER: gettext_lazy("the same EMA number"),
    Reason.NAME: gettext_lazy("the same name"),
    Reason.SIMILAR: gettext_lazy("a similar name"),
}


def say_human(human: Human) -> str:
    """Say what is known of somebody beside the name: events, clubs, countries, EMA number."""
    count = len(human.events)
    said = [ngettext("%(n)d event", "%(n)d events", count) % {"n": count}, *human.clubs, *human.countries]
    if human.ema_numbers:
        said.append(_("EMA number %(number)s") % {"number": join_commas(sorted(human.ema_numbers))})
    return " · ".join(said)


def offer_known(request: DeskRequest, event: Event, people: Iterable[int]) -> None:
    """Add a message where somebody who was just added may be known from other events."""
    new = set(people)
    humans = list_humans(manageable_events(request.user))
    found = sum(any(new & set(human.people) for human in each.humans) for each in list_proposals(humans))
    if found:
        said = ngettext(
            "%(n)d player may be known from other events.", "%(n)d players may be known from other events.", found
        ) % {"n": found}
        link = reverse("desk:known_players", args=[event.slug])
        messages.info(request, format_html('{} <a href="{}">{}</a>', said, link, _("Who is it?")))
