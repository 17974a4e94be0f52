"""What the copy of the public pages adds: its file among the results."""

from django.urls import path

from tournament.pages.hooks import Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.publish import site_copy as rankings

    return Addresses(desk=[path("<slug:slug>/export/site.zip", rankings.site_zip, name="site_zip")])
