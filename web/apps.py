"""Names the room for Django, and has texts, addresses and the time zone found without waiting for other threads."""

import threading

from django.apps import AppConfig
from django.conf import settings
from django.core.management.base import BaseCommand


class WebConfig(AppConfig):
    """The app of pages, API and commands; it has no models."""

    name = "web"

    def ready(self) -> None:
        """Have what every text of a page asks for at hand."""
        BaseCommand.requires_system_checks = []  # they load all pages: `check` does, and the tests run it
        keep_by_thread()
        look_in_one_catalogue()


def keep_by_thread() -> None:
    """Keep each thread's language, address prefix and time zone where no other thread is.

    Django keeps them so that asynchronous code finds them, too, and asks for them at each text of a page: with six
    threads at work a page takes a fifth longer by that. Nothing here is asynchronous.
    """
    from django.core.cache import caches
    from django.urls import base
    from django.utils import timezone
    from django.utils.translation import trans_real

    trans_real._active = threading.local()  # type: ignore[attr-defined]  # noqa: SLF001
    timezone._active = threading.local()  # type: ignore[attr-defined]  # noqa: SLF001
    base._prefixes = threading.local()  # type: ignore[attr-defined]  # noqa: SLF001
    base._urlconfs = threading.local()  # type: ignore[attr-defined]  # noqa: SLF001
    caches._connections = threading.local()  # type: ignore[attr-defined]  # noqa: SLF001


def look_in_one_catalogue() -> None:
    """Ask no further than one catalogue for a text of the language that texts are written in.

    A text that stands in no catalogue, as English ones do, would be looked for in one of each app after another, which
    hold nothing: hundreds of times on a page, at twice the price.
    """
    from django.utils.translation.trans_real import translation  # not before all apps are known

    translation(settings.LANGUAGE_CODE)._fallback = None  # type: ignore[attr-defined]  # noqa: SLF001
