"""Who may do what, as pages list it."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament.compiled_queries import Prepared
from tournament.models import Account, Event, Membership, Role
from tournament.rights import LADDER, Rights
from tournament.selectors.tables.tables import names_of


@dataclass(frozen=True, slots=True)
class EventRole:
    """An event that somebody may enter, and as what."""

    slug: str
    name: str
    date: dt.date
    role: str


_MEMBERSHIP = Prepared(lambda account, event: Membership.objects.filter(account=account, event=event))


def get_rights(account: Any, event: Event) -> Rights:
    """Return who somebody is at an event: whoever runs the desk as its owner, a stranger as nobody; one query."""
    if not account.is_authenticated:
        return Rights()
    if account.is_superuser:
        return Rights(Role.OWNER)
    membership = _MEMBERSHIP.first(account.pk, event.pk)
    return Rights(Role(membership.role), membership.table_number) if membership else Rights()


def list_roles(account: Account) -> list[EventRole]:
    """List the desks that an account may enter, the newest first: all for who runs the desk, none for a table device.

    One query.
    """
    events = Event.objects.order_by("-date", "name")
    if account.is_superuser:
        return [EventRole(event.slug, event.name, event.date, str(Role.OWNER)) for event in events]
    mine = events.filter(memberships__in=account.memberships.exclude(role=Role.TABLE_DEVICE))
    rows = mine.values_list("slug", "name", "date", "memberships__role")
    return [EventRole(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class MemberRow:
    """Somebody with a role at an event."""

    account_id: int
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
    """List the people who may enter an event's desk, the owner first; table devices are no people. One query."""
    people = event.memberships.exclude(role=Role.TABLE_DEVICE)
    rows = [MemberRow(*row) for row in people.values_list("account_id", "account__display_name", "role")]
    return sorted(rows, key=lambda row: (-LADDER.index(Role(row.role)), row.name))


def list_audit(event: Event, *, most: int = 100) -> list[AuditLine]:
    """List the newest rows of an event's audit trail, the newest first; two queries."""
    rows = list(event.audit.order_by("-seq")[:most])
    details = [json.loads(row.details) for row in rows]
    names = names_of([*(row.by for row in rows), *(each["account"] for each in details if "account" in each)])
    return [
        AuditLine(row.at, row.verb, names.get(row.by, ""), _named(told, names))
        for row, told in zip(rows, details, strict=True)
    ]


def _named(details: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Put the name of whom an act was about in place of the uid that the trail keeps."""
    return {**details, "account": names.get(details["account"], "")} if "account" in details else details
