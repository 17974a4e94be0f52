"""Table devices as pages list them, and what one of them may reach just now."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Max

from tournament.models import ANY_TABLE, Account, Event, Table, TableDevice


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

    @property
    def live(self) -> bool:
        """Tell whether it may come in."""
        return not (self.revoked or self.expired)


def list_devices(event: Event, *, at: dt.datetime) -> list[DeviceRow]:
    """List the devices of an event by table, those of any table after them, those that ended last; one query."""
    rows = event.devices.select_related("account").annotate(used_at=Max("account__desk_sessions__seen_at"))
    rows = rows.order_by("table", "pk")  # a model's own order is not kept beside a maximum
    found = [
        DeviceRow(
            row.pk,
            row.account.display_name,
            row.table,
            row.made_at,
            row.expires_at,
            row.used_at or row.signed_in_at,
            bool(row.used_at) and not has_ended(row, at=at),
            bool(row.revoked_at),
            row.expires_at <= at,
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


def has_ended(device: TableDevice, *, at: dt.datetime) -> bool:
    """Tell whether a device is shut out: revoked, or past its time."""
    return device.revoked_at is not None or device.expires_at <= at


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
