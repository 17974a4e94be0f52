"""What the demo adds: its page, on desks of a demo alone."""

from django.conf import settings
from django.urls import path

from tournament.pages.hooks import Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.demo import views as guests

    return Addresses(site=[path("demo/", guests.demo, name="demo")] if settings.DEMO_UNTIL else [])
