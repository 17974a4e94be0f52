"""Sessions as their owner reads them: where somebody is signed in, never the key that lets in."""

import datetime as dt
from dataclasses import dataclass

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournament.models import Account, DeskSession


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A browser in which somebody is signed in: `number` names it in a form, `browser` is a code ("firefox mac")."""

    number: str
    browser: str
    made_at: dt.datetime
    seen_at: dt.datetime
    here: bool


def list_sessions(account: Account, *, here: str | None) -> list[SessionRow]:
    """List where an account is signed in, this browser (the key `here`) first, then the last seen; one query."""
    rows = DeskSession.objects.filter(account=account, expire_date__gt=timezone.now()).order_by("-seen_at")
    found = [SessionRow(number_of(row.pk), row.browser, row.made_at, row.seen_at, row.pk == here) for row in rows]
    return sorted(found, key=lambda row: not row.here)


def number_of(key: str) -> str:
    """Return the name of a session in forms, from which its key cannot be found."""
    return salted_hmac("hanchan.session", key, algorithm="sha256").hexdigest()[:16]
