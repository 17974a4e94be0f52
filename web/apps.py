"""Names the room for Django."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The app of pages, API and commands; it has no models."""

    name = "web"
