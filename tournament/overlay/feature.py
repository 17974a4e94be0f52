"""What the stream's overlay adds: its pages, and the page of the settings that names them."""

from django.urls import path

from tournament.pages.hooks import Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.overlay import views as overlay
    from tournament.overlay import views as settings

    return Addresses(
        public=[
            path("rounds/<int:round_number>/tables/<int:table_number>/overlay/", overlay.overlay, name="overlay"),
            path("rounds/<int:round_number>/overlay/", overlay.board, name="overlay_board"),
            path("overlay/ticker/", overlay.ticker, name="overlay_ticker"),
        ],
        desk=[path("<slug:slug>/settings/stream/", settings.stream, name="stream")],
    )
