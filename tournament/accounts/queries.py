"""Accounts as pages list them: roles, audit trail, table devices, sessions, and who is at the desk now."""

import datetime as dt
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournament.accounts.models import ANY_TABLE, Account, DeskSession, Membership, Role, TableDevice
from tournament.accounts.session_store import stored_key
from tournament.core.prepared import Prepared
from tournament.core.redactions import redact_value
from tournament.core.rights import ROLES_BY_RANK, Rights
from tournament.events.models import Event, Visibility
from tournament.hall.models import DeskPresence
from tournament.tables.models import Seat, Table

GONE = dt.timedelta(seconds=20)  # three polls of a page that is in the foreground


@dataclass(frozen=True, slots=True)
class EventRole:
    """An event that somebody may enter, and as what; everybody finds it if it is `listed`."""

    slug: str
    name: str
    date: dt.date
    listed: bool
    role: str


_MEMBERSHIP = Prepared(lambda account, event: Membership.objects.filter(account=account, event=event))


def get_rights(account: Any, event: Event) -> Rights:
    """Return the rights of an account at an event: a superuser's are those of its owner, an ended device has none.

    One query, two for a table device, three for a player's phone.
    """
    if not account.is_authenticated:
        return Rights()
    if account.is_superuser:
        return Rights(Role.OWNER)
    membership = _MEMBERSHIP.first(account.pk, event.pk)
    if membership is None:
        return _rights_of_phone(account.device, event) if event.club_code and event.is_open else Rights()
    if membership.role == Role.TABLE_DEVICE and account.is_shut_out(timezone.now()):
        return Rights()
    return Rights(Role(membership.role), membership.table_number)


def _rights_of_phone(phone: TableDevice | None, event: Event) -> Rights:
    """Return those of a player's phone in an open event: of a table device, where the player sits and nobody else does.

    In a tournament it types totals alone, on a page of its own.
    """
    if phone is None or not phone.player_id or phone.event_id != event.pk or phone.has_ended(timezone.now()):
        return Rights()
    seats = Seat.objects.filter(round__event=event, player=phone.player_id, round__released_at=None)
    replaced = Q(table__substitutions__player=phone.player_id, table__substitutions__cancelled_at=None)
    found = seats.exclude(replaced).values_list("table__number", "round__number").first()
    return Rights(Role.TABLE_DEVICE, *found) if found else Rights()


def list_roles(account: Account) -> list[EventRole]:
    """List the desks that an account may enter, the newest first: all for who runs the desk, none for a table device.

    One query.
    """
    events = Event.objects.order_by("-date", "name").annotate(listed=Q(visibility=Visibility.PUBLIC))
    if account.is_superuser:
        return [EventRole(*row, str(Role.OWNER)) for row in events.values_list("slug", "name", "date", "listed")]
    mine = events.filter(memberships__in=account.memberships.exclude(role=Role.TABLE_DEVICE))
    rows = mine.values_list("slug", "name", "date", "listed", "memberships__role")
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
    seq: int = 0


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows of a trail: of one author (a uid), of some acts, or with `is_other` of none of them, since, until."""

    by: str = ""
    acts: Collection[str] = ()
    is_other: bool = False
    since: dt.datetime | None = None
    until: dt.datetime | None = None

    def query(self) -> Q:
        """Return it as a condition."""
        found = Q(by=self.by) if self.by else Q()
        of_acts = Q(verb__in=self.acts) if self.acts else Q()
        found &= ~of_acts if self.is_other else of_acts
        found &= Q(at__gte=self.since) if self.since else Q()
        return found & (Q(at__lt=self.until) if self.until else Q())


def list_members(event: Event) -> list[MemberRow]:
    """List the people who may enter an event's desk, the owner first; table devices are no people. One query."""
    people = event.memberships.exclude(role=Role.TABLE_DEVICE)
    rows = [MemberRow(*row) for row in people.values_list("account_id", "account__display_name", "role")]
    return sorted(rows, key=lambda row: (-ROLES_BY_RANK.index(Role(row.role)), row.name))


def list_audit(
    event: Event, *, first: int = 0, most: int = 100, wanted: AuditFilter | None = None, oldest_first: bool = False
) -> list[AuditLine]:
    """List so many wanted rows of an event's audit trail from the `first` on, the newest first; two queries."""
    found = event.audit.filter((wanted or AuditFilter()).query()).order_by("seq" if oldest_first else "-seq")
    rows = list(found[first : first + most])
    details = [redact_value(event, json.loads(row.details)) for row in rows]
    names = account_names([*(row.by for row in rows), *(each["account"] for each in details if "account" in each)])
    return [
        AuditLine(row.at, row.verb, names.get(row.by, ""), _with_player_name(each, names), row.seq)
        for row, each in zip(rows, details, strict=True)
    ]


def count_audit(event: Event, wanted: AuditFilter) -> int:
    """Count the wanted rows of an event's audit trail; one query."""
    return event.audit.filter(wanted.query()).count()


def list_authors(event: Event) -> list[tuple[str, str]]:
    """List who wrote a row of an event's audit trail, (uid, name) by name; two queries."""
    uids = list(event.audit.order_by().values_list("by", flat=True).distinct())
    return sorted(
        ((uid, name) for uid, name in account_names(uids).items() if name), key=lambda each: each[1].casefold()
    )


def _with_player_name(details: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Put the name of whom an act was about in place of the uid that the trail keeps."""
    return {**details, "account": names.get(details["account"], "")} if "account" in details else details


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device of an event; `table` is ANY_TABLE for one that enters for all, `seen_at` None where it never came in."""

    id: int
    name: str
    table: int
    made_at: dt.datetime
    expires_at: dt.datetime
    seen_at: dt.datetime | None
    signed_in: bool
    revoked: bool
    expired: bool
    has_card: bool  # a player's phone has none: it comes in by the club's code

    @property
    def live(self) -> bool:
        """Tell whether it may come in."""
        return not (self.revoked or self.expired)


def list_devices(event: Event, *, at: dt.datetime) -> list[DeviceRow]:
    """List the devices of an event by table, those of any table after them, those that ended last; one query."""
    rows = event.devices.select_related("account").annotate(used_at=Max("account__desk_sessions__seen_at"))
    rows = rows.order_by("table", "pk")  # an aggregate drops the order of Meta
    found = [
        DeviceRow(
            row.pk,
            row.account.display_name,
            row.table,
            row.made_at,
            row.expires_at,
            row.used_at or row.signed_in_at,
            bool(row.used_at) and not row.has_ended(at),
            bool(row.revoked_at),
            row.expires_at <= at,
            row.player_id is None,
        )
        for row in rows
    ]
    return sorted(found, key=lambda row: (not row.live, row.table == ANY_TABLE))


def list_live_devices(event: Event, *, at: dt.datetime) -> list[TableDevice]:
    """List the devices that may come in, by table, those of any table last; one query."""
    rows = event.devices.select_related("account").filter(revoked_at=None, expires_at__gt=at)
    return sorted(rows.order_by("table", "pk"), key=lambda row: row.table == ANY_TABLE)


def list_tables_served(event: Event, *, at: dt.datetime) -> set[int]:
    """Return the tables that have a device of their own; one query."""
    rows = event.devices.filter(revoked_at=None, expires_at__gt=at).exclude(table=ANY_TABLE)
    return set(rows.values_list("table", flat=True))


def list_table_numbers(event: Event) -> list[int]:
    """List the numbers of an event's tables, over all rounds; one query."""
    rows = Table.objects.filter(round__event=event).order_by("number").values_list("number", flat=True)
    return list(rows.distinct())


def get_device(event: Event, device_id: int) -> TableDevice | None:
    """Return a device of an event; one query."""
    return event.devices.select_related("account", "event").filter(pk=device_id).first()


def get_device_of(account: Account, *, at: dt.datetime) -> TableDevice | None:
    """Return the device that an account is, with its event; None for a person, or where it has ended; one query."""
    rows = TableDevice.objects.select_related("event").filter(account=account, revoked_at=None, expires_at__gt=at)
    return rows.first()


def list_tables_of_device(event: Event, round_number: int | None, table: int) -> list[int]:
    """List the tables of a round that a device may come to, ANY_TABLE reaching all; none without a round; one query."""
    if round_number is None:
        return []
    rows = Table.objects.filter(round__event=event, round__number=round_number).order_by("number")
    numbers = rows if table == ANY_TABLE else rows.filter(number=table)
    return list(numbers.values_list("number", flat=True))


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
    found = [
        SessionRow(session_number(row.pk), row.browser, row.made_at, row.seen_at, row.pk == stored_key(here))
        for row in rows
    ]
    return sorted(found, key=lambda row: not row.here)


def session_number(key: str) -> str:
    """Return the name of a session in forms, from which its key cannot be found."""
    return salted_hmac("hanchan.session", key, algorithm="sha256").hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PresentRow:
    """Somebody at a page of the desk; `own` is the asking account in another of its tabs or laptops."""

    name: str
    own: bool
    place: str
    round: int
    table: int
    typing: bool


def list_present(event: Event, *, viewer: Account, tab: str, at: dt.datetime) -> list[PresentRow]:
    """List who else was seen at the desk in the last twenty seconds, those who type first; one query."""
    found = DeskPresence.objects.filter(event=event, seen_at__gte=at - GONE).exclude(account=viewer, tab=tab)
    rows = found.select_related("account").order_by("-typing", "account__display_name", "pk")
    return [
        PresentRow(row.account.display_name, row.account == viewer, row.place, row.round, row.table, row.typing)
        for row in rows
    ]


def account_names(uids: Iterable[str]) -> dict[str, str]:
    """Return the display names of accounts by uid."""
    wanted = {UUID(str(uid)) for uid in uids if uid}
    found = _NAMES(*wanted) if len(wanted) == 1 else _NAMES.make(*wanted)
    return {str(uid): name for uid, name in found}


_NAMES = Prepared(lambda *uids: Account.objects.filter(uid__in=uids).values_list("uid", "display_name"))
