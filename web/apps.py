"""Names the room for Django, and has English texts found at once."""

from django.apps import AppConfig
from django.conf import settings


class WebConfig(AppConfig):
    """The app of pages, API and commands; it has no models."""

    name = "web"

    def ready(self) -> None:
        """Ask no further than one catalogue for a text of the language that texts are written in."""
        from django.utils.translation.trans_real import translation  # not before all apps are known

        # A text that stands in no catalogue, as English ones do, would be looked for in one of each app after another,
        # which hold nothing: hundreds of times on a page, at twice the price.
        translation(settings.LANGUAGE_CODE)._fallback = None  # type: ignore[attr-defined]  # noqa: SLF001
