"""What seasons add: the thread that tells their webhooks of releases."""

from collections.abc import Callable

from django.conf import settings

from tournament.core.hooks import THREADS
from tournament.core.threads import LoopThread


def _thread(_hall: Callable[[], str]) -> LoopThread | None:
    from tournament.seasons.posts import Poster

    return None if settings.RELAY else Poster()


THREADS.append(_thread)
