"""What open play adds: a table is released by its signature, and phones show who waits."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from tournament.accounts.models import Account
from tournament.core.hooks import LIVE_MARKS, SHEET_SIGNED
from tournament.events.models import Event
from tournament.pages.hooks import PHONE_CONTEXT
from tournament.tables.models import Table


def _release(table: Table, by: Account | None) -> None:
    from tournament.open_play.actions import release_signed

    release_signed(table, by)


def _mark(event: Event, numbers: Sequence[int | None]) -> Mapping[int | None, str]:
    from tournament.open_play.queries import waiting_mark

    return dict.fromkeys(numbers, waiting_mark(event) if event.is_open else "")


def _phone(_request: HttpRequest, event: Event, number: int | None) -> Mapping[str, Any]:
    from tournament.open_play.queries import get_evening

    if not event.is_open:
        return {}
    evening = get_evening(event, timezone.now())
    # a relay knows seats, and not who is in the hall
    order = [] if settings.RELAY else [each.number for each in evening.waiting]
    return {"evening": evening, "waits": not settings.RELAY, "turn": order.index(number) + 1 if number in order else 0}


SHEET_SIGNED.append(_release)
LIVE_MARKS.append(_mark)
PHONE_CONTEXT.append(_phone)
