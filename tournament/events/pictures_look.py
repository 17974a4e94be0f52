"""Verbs on the look of an event: its colour and its logo. Each returns whether anything changed."""

import base64
import hashlib

from scoring.problems import ProblemType
from tournament.core.acts import Act
from tournament.core.errors import Refused
from tournament.core.transaction import writing
from tournament.events.pictures_1 import logo_of
from tournament.events.pictures_colours import is_colour, readable
from tournament.models.access import Account
from tournament.models.event import Event, Logo

COLOUR_SET = Act("colour_set", "set the event's colour {colour}")
COLOUR_REMOVED = Act("colour_removed", "removed the event's colour")
LOGO_SET = Act("logo_set", "set the event's logo")
LOGO_REMOVED = Act("logo_removed", "deleted the event's logo")

LOOK_COLOUR_UNKNOWN = ProblemType("look.colour_unknown", "A colour is written like #1f5a44.")


def set_colour(*, event: Event, colour: str, by: Account) -> bool:
    """Set the event's colour, "#rrggbb" or "" for none; one on which white is not read is set darker.

    Raises Refused for what is no colour.
    """
    wanted = colour.strip().lower()
    with writing(event, COLOUR_SET if wanted else COLOUR_REMOVED, by=by) as change:
        if wanted and not is_colour(wanted):
            raise Refused(LOOK_COLOUR_UNKNOWN())
        new = readable(wanted) if wanted else ""
        changed = change.set_event(colour=new)
        change.details = {"colour": new} if new else {}
        return changed


def set_logo(*, event: Event, data: bytes, by: Account) -> bool:
    """Set the event's logo, redrawn as a small PNG; raises Refused as `logo_of` does."""
    png = logo_of(data)
    with writing(event, LOGO_SET, by=by) as change:
        name = name_of_logo(png)
        if change.set_event(logo=name):
            text = base64.b64encode(png).decode()
            Logo.objects.update_or_create(event=change.event, defaults={"png": text})
        return change.changed


def remove_logo(*, event: Event, by: Account) -> bool:
    """Delete the event's logo."""
    with writing(event, LOGO_REMOVED, by=by) as change:
        Logo.objects.filter(event=change.event).delete()
        changed = change.set_event(logo="")
        change.details = {}
        return changed


def name_of_logo(png: bytes) -> str:
    """Return the name of a picture, which moves with its content."""
    return hashlib.sha256(png).hexdigest()[:16]
