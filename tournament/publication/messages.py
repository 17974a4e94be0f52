"""The words about what the public sees, and when; which it is, `tournament.publication.queries` decides."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.ema_events import LATE_HOLDS
from tournament.core.settings import list_settings
from tournament.events.models import Event
from tournament.publication.queries import PublicView
from tournament.text.acts import word_details
from tournament.text.languages import Words, join_and, join_spaced

PAGES: Words = {
    "clock": "Clock",
    "names": "Seats by name",
    "tables": "Seats by table",
    "standings": "Standings",
    "announcements": "Announcements",
    "codes": "Codes for network and event",
}


def say_publication(changed: Mapping[str, Any]) -> str:
    """Say which settings were changed to what.

    >>> say_publication({"hold": "last", "show_needs": True})
    'results of the last round held; needs in the last hand on phones'
    """
    declared = list_settings(Event, "publication")
    return join_spaced(each.say(changed[each.name]) for each in declared if each.name in changed)


def say_held(seen: PublicView) -> str:
    """Say which results the public does not see yet, and until when; "" where it sees all that are released."""
    if not seen.held:
        return ""
    many = len(seen.held_rounds)
    words = {"rounds": join_and([str(number) for number in seen.held_rounds])}
    if seen.held == "last":
        return (
            ngettext(
                "The results of round %(rounds)s are shown at the prize giving.",
                "The results of rounds %(rounds)s are shown at the prize giving.",
                many,
            )
            % words
        )
    return (
        ngettext(
            "The results of round %(rounds)s are shown later.",
            "The results of rounds %(rounds)s are shown later.",
            many,
        )
        % words
    )


def say_held_at_desk(seen: PublicView) -> str:
    """Say to the desk which released rounds the public does not see; "" where it sees them all."""
    if not seen.held:
        return ""
    words = ngettext(
        "Round %(rounds)s is released only for the desk: the public sees its results when you show them.",
        "Rounds %(rounds)s are released only for the desk: the public sees their results when you show them.",
        len(seen.held_rounds),
    )
    return words % {"rounds": join_and([str(number) for number in seen.held_rounds])}


EVENT_FACTS: Words = {
    "name": "name: {value}",
    "date": "date: {value}",
    "place": "place: {value}",
    "country": "country: {value}",
    "qualified": "players had to qualify: {value}",
    "day_rounds": "rounds of each day: {value}",
    "rounds_planned": "rounds: {value}",
    "time_zone": "time zone: {value}",
}


def say_event_facts(changed: Mapping[str, Any]) -> str:
    """Say what an event is called now, when, where and how long it is.

    >>> say_event_facts({"name": "Cup", "rounds_planned": 5})
    'name: Cup; rounds: 5'
    """
    return join_spaced(_(words).format(value=changed[key]) for key, words in EVENT_FACTS.items() if key in changed)


def say_hold_conflict(*, hold: str, ema_certified: bool) -> str:
    """Say that a hold is not what EMA wants of a certified event; "" where it is no conflict."""
    if not ema_certified or hold not in LATE_HOLDS:
        return ""
    return _(
        "This event is EMA-certified: EMA's guidelines want the results of each round shown before the next session "
        "begins. Show them in time, or hold only the last round."
    )


word_details(
    pages=PAGES,
    publication=say_publication,
    changed=say_event_facts,
    **{each.name: each.say for each in list_settings(Event) if each.options},
)
