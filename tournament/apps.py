"""Names the room for Django, and has each feature register itself."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """The app of all models."""

    name = "tournament"

    def ready(self) -> None:
        """Register the features, once all models are there."""
        from tournament.features import register_features

        register_features()
