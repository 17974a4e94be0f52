"""What the relay adds: the hall's page, the addresses at which a relay is sent something, and the thread that sends."""

from collections.abc import Callable

from django.conf import settings
from django.urls import path

from tournament.core.hooks import THREADS
from tournament.core.threads import LoopThread
from tournament.pages.hooks import Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.relay import views as hall_page
    from tournament.relay import views as receive

    return Addresses(
        desk=[
            path("<slug:slug>/settings/relay/", hall_page.relay, name="relay"),
            path("<slug:slug>/settings/relay/end/", hall_page.end, name="end_relay"),
        ],
        relay=[
            path("relay/", receive.pair, name="relay_pair"),
            path("relay/<slug:slug>/", receive.receive, name="relay_receive"),
        ],
    )


def _thread(hall: Callable[[], str]) -> LoopThread | None:
    from tournament.relay.sender import Sender

    return None if settings.RELAY else Sender(hall)


THREADS.append(_thread)
