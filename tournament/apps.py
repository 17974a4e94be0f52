"""Names the room for Django."""

import pkgutil
from importlib import import_module

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """The app of all models."""

    name = "tournament"

    def ready(self) -> None:
        """Import all services: each declares its acts (`tournament.core.acts`)."""
        from tournament import services

        for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
            import_module(module.name)
