"""The one list of features that register themselves; without its line and its folder a desk runs without the feature.

A module named here adds to hook points when it is imported, at each start of a command: it imports the rest of its
feature when it is called. It may have `list_addresses`.
"""

from importlib import import_module
from typing import Final, Literal

from django.urls import URLPattern

RARE: Final = (
    "tournament.demo.feature",
    "tournament.drill.feature",
    "tournament.online_logs.feature",
    "tournament.slips.feature",
    "tournament.stats.feature",
    "tournament.push.feature",
    "tournament.relay.feature",
    "tournament.publish.feature",
    "tournament.overlay.feature",
)
FEATURES: Final = (
    *RARE,
    "tournament.backups.feature",
    "tournament.alllast.feature",
    "tournament.moments.feature",
    "tournament.seasons.feature",
    "tournament.open_play.feature",
)


def register_features() -> None:
    """Import the module of each feature, which adds to the hook points."""
    for name in FEATURES:
        import_module(name)


def list_addresses(part: Literal["site", "public", "table", "desk", "relay"]) -> list[URLPattern]:
    """Return the addresses of the rare features in one part of the site."""
    modules = [module for module in map(import_module, RARE) if hasattr(module, "list_addresses")]
    return [address for module in modules for address in getattr(module.list_addresses(), part)]
