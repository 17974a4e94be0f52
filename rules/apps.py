"""Names the room for Django; nothing else in `rules` knows that Django exists."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    """The app of the rule sets; it has no models."""

    name = "rules"
