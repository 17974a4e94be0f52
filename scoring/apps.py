"""Names the room for Django; nothing else in `scoring` knows that Django exists."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """The app of the scoring functions; it has no models."""

    name = "scoring"
