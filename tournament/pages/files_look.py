"""The logo of an event, as a PNG."""

import base64

from tournament.models.event import Event, Logo


def get_logo(event: Event) -> bytes:
    """Return the event's logo, nothing where it has none; a query where it has one."""
    if not event.logo:
        return b""
    text = Logo.objects.filter(event=event).values_list("png", flat=True).first()
    return base64.b64decode(text) if text else b""
