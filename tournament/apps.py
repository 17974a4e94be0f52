"""Names the room for Django."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """The app of all models."""

    name = "tournament"
