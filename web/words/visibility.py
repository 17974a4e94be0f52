"""The words about what the public sees, and when: settings, the audit trail, what stands on public pages meanwhile.

The rules are in `tournament.selectors.core.public`.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.selectors.core.public import Seen
from web.words.languages import Words, listed, side_by_side

PAGES: Words = {
    "clock": "Clock",
    "names": "Seats by name",
    "tables": "Seats by table",
    "standings": "Standings",
    "announcements": "Announcements",
    "codes": "Codes for network and event",
}


SENTENCES: Words = {
    "event.publication_unknown": "Choose what the public sees from what is offered.",
    "wall.no_page": "Choose at least one page for the hall screen.",
    "wall.page_unknown": "The hall screen has no such page: load this one again.",
    "wall.seconds_out_of_range": "{seconds} is not possible; {least} to {most} are.",
    "look.colour_unknown": "A colour is written like #1f5a44.",
    "look.picture_unreadable": "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF.",
    "look.picture_too_large": "The picture has more than {most} MB.",
    "look.picture_too_many_pixels": "The picture has more than {most} million pixels.",
    "wall.network_missing": "A password needs the name of its network.",
    "wall.network_too_long": "The name of a network has at most {most} letters.",
    "wall.password_length": (
        "A network's password has {least} to {most} characters; leave it empty for an open network."
    ),
    "prizes.nothing": "No round is released yet: there are no places to reveal.",
    "prizes.not_open": "No prize giving is open: begin it first.",
    "prizes.results_moved": (
        "The results have changed since the prize giving was begun. The hall screen shows no place: check the "
        "results, then "
        "start over."
    ),
    "prizes.top_out_of_range": "{top} places is not possible; 0 (all) to {most} are.",
    "prizes.step_out_of_range": "There is no step {step}; there are {most}.",
    "announcement.title_missing": "An announcement needs a title.",
    "announcement.title_too_long": "A title has at most {most} letters: more cannot be read from a distance.",
    "announcement.text_too_long": "The text has at most {most} letters: more cannot be read from a distance.",
    "announcement.ends_before": "It would end before it begins.",
    "announcement.too_many": "There are {most} announcements: change an old one.",
    "announcement.time_unreadable": "Write the time as day and hour, such as 2026-09-12 14:05.",
}


SETTINGS: Words = {
    "live_tables": {
        "nothing": "rounds only when they are released",
        "signed": "a table's result from its signature on",
        "hands": "tables hand by hand",
    },
    "live_others": {"own": "a phone's own table first", "all": "all live tables on every phone"},
    "hold": {
        "nothing": "no results held",
        "before_last": "results of the second-last round held",
        "last": "results of the last round held",
    },
    "show_needs": {True: "needs in the last hand on phones", False: "no needs in the last hand on phones"},
    "ema_certified": {True: "EMA-certified", False: "not EMA-certified"},
}


def say_publication(changed: Mapping[str, Any]) -> str:
    """Say which settings were changed to what.

    >>> say_publication({"hold": "last", "show_needs": True})
    'results of the last round held; needs in the last hand on phones'
    """
    return side_by_side(_(words[changed[name]]) for name, words in SETTINGS.items() if name in changed)


def say_held(seen: Seen) -> str:
    """Say which results the public does not see yet, and until when; "" where it sees all that are released."""
    if not seen.held:
        return ""
    many = len(seen.held_rounds)
    words = {"rounds": listed([str(number) for number in seen.held_rounds])}
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


def say_held_at_desk(seen: Seen) -> str:
    """Say to the desk which released rounds the public does not see; "" where it sees them all."""
    if not seen.held:
        return ""
    words = ngettext(
        "Round %(rounds)s is released only for the desk: the public sees its results when you show them.",
        "Rounds %(rounds)s are released only for the desk: the public sees their results when you show them.",
        len(seen.held_rounds),
    )
    return words % {"rounds": listed([str(number) for number in seen.held_rounds])}


VISIBILITY: Words = {
    "draft": "Draft",
    "unlisted": "Unlisted",
    "public": "Public",
}
VISIBILITY_SENTENCES: Words = {
    "draft": "Only people with a role at this event see its pages.",
    "unlisted": "Anyone with the link sees its pages; it is in no list.",
    "public": "Everybody sees its pages; it is in the list of events.",
}
EVENT_FACTS: Words = {
    "name": "name: {value}",
    "date": "date: {value}",
    "place": "place: {value}",
    "rounds_planned": "rounds: {value}",
    "time_zone": "time zone: {value}",
}


def say_event_facts(changed: Mapping[str, Any]) -> str:
    """Say what an event is called now, when, where and how long it is.

    >>> say_event_facts({"name": "Cup", "rounds_planned": 5})
    'name: Cup; rounds: 5'
    """
    return side_by_side(_(words).format(value=changed[key]) for key, words in EVENT_FACTS.items() if key in changed)
