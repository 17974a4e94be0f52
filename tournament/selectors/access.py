"""Who may do what, as pages list it."""

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from tournament.models import Account, Event, Role
from tournament.selectors.tables import names_of


@dataclass(frozen=True, slots=True)
class EventRole:
    """An event that somebody may enter, and as what."""

    slug: str
    name: str
    date: dt.date
    role: str


def list_roles(account: Account) -> list[EventRole]:
    """List the events that an account may enter, the newest first: all for whoever runs the desk; one query."""
    events = Event.objects.order_by("-date", "name")
    if account.is_superuser:
        return [EventRole(event.slug, event.name, event.date, str(Role.ORGANISER)) for event in events]
    mine = events.filter(memberships__account=account)
    rows = mine.values_list("slug", "name", "date", "memberships__role")
    return [EventRole(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class MemberRow:
    """Somebody with a role at an event."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One act of an event's audit trail: verb in the past tense, details as they were written."""

    at: dt.datetime
    verb: str
    by: str
    details: dict[str, Any]


def list_members(event: Event) -> list[MemberRow]:
    """List who may enter an event's desk; one query."""
    rows = event.memberships.values_list("account__display_name", "role").order_by("role", "account__display_name")
    return [MemberRow(name, role) for name, role in rows]


def list_audit(event: Event, *, most: int = 100) -> list[AuditLine]:
    """List the newest rows of an event's audit trail, the newest first; two queries."""
    rows = list(event.audit.order_by("-seq")[:most])
    names = names_of(row.by for row in rows)
    return [AuditLine(row.at, row.verb, names.get(row.by, ""), json.loads(row.details)) for row in rows]
