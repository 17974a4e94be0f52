"""The words of personal data: what is stored, what is shown, what was erased."""

from django.utils.translation import gettext as _
from django.utils.translation import override

from tournament.events.models import Event
from tournament.text.acts import word_details
from tournament.text.languages import Words, offered_language


def say_forgotten(event: Event, number: int) -> str:
    """Say in the event's language what a player is called whose name was taken away."""
    with override(offered_language(event.language)):
        return _("Deleted player %(number)d") % {"number": number}


SHOWN_WORDS: Words = {
    "nothing": "nothing is public",
    "name": "the name is public",
    "reason": "name and reason are public",
}


word_details(shown=SHOWN_WORDS)
