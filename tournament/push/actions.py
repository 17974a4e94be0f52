"""Verbs of phones that ask to be told of their player's next table. They take no right and are on no trail."""

import datetime as dt

from django.db import transaction

from scoring.problems import ProblemType
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.events.models import Event
from tournament.players.models import Player
from tournament.push.models import ToldPhone

PHONE_TOO_MANY = ProblemType("phone.too_many", "Too many phones asked for notifications: try again later.")

MAX_PHONES = 3000  # of an event
KEPT_FOR = dt.timedelta(days=3)  # after the event's last planned day, or after the phone asked


def tell_phone(*, event: Event, number: int, endpoint: str, key: str, secret: str, language: str) -> ToldPhone:
    """Let a phone be told of this player's seats, and of nobody else's; raises DomainError where there are too many."""
    with transaction.atomic():
        player = Player.objects.get(event=event, number=number)
        others = ToldPhone.objects.filter(player__event=event).exclude(endpoint=endpoint)
        if others.count() >= MAX_PHONES:
            raise DomainError(PHONE_TOO_MANY())
        facts = {"player": player, "key": key, "secret": secret, "language": language, "asked_at": now()}
        phone, _made = ToldPhone.objects.update_or_create(endpoint=endpoint, defaults=facts)
    return phone


def leave_phone(*, endpoint: str) -> None:
    """Tell a phone nothing more; what its browser gave is deleted."""
    ToldPhone.objects.filter(endpoint=endpoint).delete()


def note_told(*, phone: ToldPhone, told: str) -> None:
    """Note the seat that a phone was told of."""
    ToldPhone.objects.filter(pk=phone.pk).update(told=told)


def forget_phones() -> None:
    """Delete what phones of past events gave."""
    before = now() - KEPT_FOR
    ToldPhone.objects.filter(asked_at__lt=before, player__event__date__lt=before.date()).delete()
