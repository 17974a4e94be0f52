"""The words about people's data: who is shown by name, who is forgotten and when, refusals and acts of the trail."""

from django.utils.translation import gettext as _

from tournament.models import Event
from web.words.languages import Words, said_in

COLUMNS: Words = {"shown_by_name": "may be shown by name"}

SENTENCES: Words = {
    "privacy.reason_missing": "To take somebody's data away needs a reason.",
    "privacy.forgotten_already": "The data of this player was taken away already.",
    "privacy.months": "Say for how many months after the event, from {least} to {most}, or leave it empty.",
    "privacy.not_due": "The time that this event keeps its people is not over.",
    "import.consent_unclear": (
        "Row {row} says '{given}' of whether the name may be shown; it is not shown. Write yes or no to be understood."
    ),
}

VERBS: Words = {
    "names_shown": "let everybody see the names of players {numbers}",
    "names_hidden": "took the names of players {numbers} off the public pages",
    "person_forgotten": "took away the name and all that was known of player {number}: {reason}",
    "people_forgotten": "took away the names and all that was known of players {numbers}, whose time was over",
    "keep_months_set": "set that people’s data is kept for {months} months after the event",
    "keep_months_unset": "set that people’s data is kept without an end",
}


def say_nameless() -> str:
    """Say what stands for a name that is not shown, with {number} where the player's number goes."""
    return _("Player {number}")


def say_forgotten(event: Event, number: int) -> str:
    """Say in the event's language what a player is called whose name was taken away."""
    return said_in(event.language, lambda: _("Deleted player %(number)d") % {"number": number})
