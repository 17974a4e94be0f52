"""What telling phones of their tables adds: the button on a phone's page, its address, and the thread that sends."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import path

from tournament.core.hooks import THREADS
from tournament.core.threads import LoopThread
from tournament.events.models import Event
from tournament.pages.hooks import PHONE_CONTEXT, Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.push import views as ask

    return Addresses(public=[path("tell/", ask.tell, name="tell")])


def _phone(request: HttpRequest, _event: Event, number: int | None) -> Mapping[str, Any]:
    from tournament.push.sender import public_key

    return {"push_key": public_key() if number is not None and request.is_secure() and not settings.DEMO else ""}


def _thread(_hall: Callable[[], str]) -> LoopThread | None:
    from tournament.push.sender import Pusher

    return Pusher() if settings.HTTPS else None  # browsers let nobody tell them anything in plain http


PHONE_CONTEXT.append(_phone)
THREADS.append(_thread)
