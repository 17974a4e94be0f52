"""Names the room for Django, and has each feature register itself."""

import pkgutil
from importlib import import_module

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """The app of all models."""

    name = "tournament"

    def ready(self) -> None:
        """Import all services, each of which declares its acts (`tournament.core.acts`), and register the features."""
        from tournament import services
        from tournament.features import register_features

        for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
            import_module(module.name)
        register_features()
