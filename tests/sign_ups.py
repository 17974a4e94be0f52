"""Sign-ups for tests: an event that takes them, and people who come."""

import datetime as dt
from typing import Any
from uuid import uuid4

from django.utils import timezone

from tests.factories import make_account
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.signup.actions import NewSignUp, sign_up
from tournament.signup.models import SignUp
from tournament.signup.settings import set_sign_up_page

IBAN = "DE89370400440532013000"
SITE = "https://desk.example.org"
TERMS = {"shown": True, "open": True, "places": 2, "fee": 4000, "iban": IBAN, "payee": "Felt Club", "site": SITE}


def event_with(days: int = 60, **terms: Any) -> Event:
    """Return an event so many days from now whose sign-up is open, of two places unless told otherwise."""
    writer = make_account("Organiser", superuser=True)
    date = timezone.localdate() + dt.timedelta(days=days)
    event = create_event(name="Cup", date=date, rules_key="ema-2025", rounds=2, slug="cup", by=writer)
    set_sign_up_page(event=event, terms=dict(TERMS, **terms), by=writer)
    return event


def person(name: str, **said: Any) -> NewSignUp:
    """Return what somebody of that name says."""
    return NewSignUp(**{"name": name, "mail": f"{name.casefold().replace(' ', '.')}@example.org", **said})


def come(event: Event, *names: str, proven: bool = True, **said: Any) -> list[SignUp]:
    """Sign people up in this order."""
    return [sign_up(event=event, new=person(name, **said), client_id=uuid4(), proven=proven) for name in names]


def states(event: Event) -> dict[str, str]:
    """Return the state of each by name, in order of arrival."""
    return dict(event.sign_ups.order_by("number").values_list("name", "state"))
