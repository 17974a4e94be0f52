"""Write a whole event, or the desk's accounts and own trail, as one file: canonical JSON with a checksum.

The event's file has the same bytes from every database and no secret: no password, link or session. The site's file has
password digests: it is for the move of a desk to another database and must not be passed on.
"""

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import connection, transaction

from tournament.accounts.models import Account, Role
from tournament.archive.event_file import (
    ANNOUNCEMENT,
    AUDIT_ROW,
    CALL,
    CLOCK_PAUSE,
    CUT,
    DISQUALIFICATION,
    EVENT,
    HEAD,
    LEDGER_ROW,
    LOGO,
    PENALTY,
    PERSON,
    PHOTO,
    PLAYER,
    ROUND,
    SEAT,
    SHEET_CHECK,
    SHEET_ROW,
    SIGN_UP_PAGE,
    SUBSTITUTION,
    TABLE,
    TABLE_TIME,
    TYPED_SHEET,
    WALL,
    write_event_file,
    writers_in,
)
from tournament.core.hash_chain import canonical, checksum, moment
from tournament.core.models import AuditRow
from tournament.core.transaction import table_details
from tournament.events.models import Event, Logo, Photo
from tournament.people.queries import list_online_names
from tournament.players.models import Player
from tournament.rounds.models import ClockPause, TableTime
from tournament.rulesets.models import RuleSet
from tournament.sheets.models import SheetRow, TypedSheet
from tournament.signup.models import SignUpPage
from tournament.tables.models import LedgerEntry, Seat, Table
from tournament.wall.models import Wall


@contextlib.contextmanager
def at_one_moment() -> Iterator[None]:
    """Read in one transaction that hinders no writer on SQLite; lock the event's row with `select_for_update` in it.

    On PostgreSQL each query sees what was committed before it, so writers must wait for that row. On SQLite a
    transaction that begins IMMEDIATE, as ours do, would make all writers wait, so this one begins DEFERRED.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    connection.ensure_connection()
    ours: Any = connection
    mode, ours.transaction_mode = ours.transaction_mode, "DEFERRED"
    try:
        block = transaction.atomic()
        block.__enter__()
    finally:
        ours.transaction_mode = mode
    with contextlib.ExitStack() as end:
        end.push(block)
        yield


FORMAT = "hanchan-desk-site"
VERSION = 1


def get_site_file() -> str:
    """Return accounts, trail and rule sets as one line of canonical JSON; four queries."""
    content = {
        "accounts": [_account(account) for account in Account.objects.order_by("date_joined", "uid")],
        "audit": [_audit(row) for row in AuditRow.objects.filter(event=None).order_by("seq")],
        "rule_sets": [_rule_set(each) for each in RuleSet.objects.prefetch_related("versions")],
    }
    return canonical({"format": FORMAT, "version": VERSION, "checksum": checksum(content), "content": content}) + "\n"


def _rule_set(rule_set: RuleSet) -> dict[str, Any]:
    plain = ("number", "rules", "source", "citations", "note", "by")
    return {
        "uid": str(rule_set.uid),
        "key": rule_set.key,
        "created_at": moment(rule_set.created_at),
        "versions": [
            {name: getattr(version, name) for name in plain}
            | {"client_id": str(version.client_id), "at": moment(version.at)}
            for version in rule_set.versions.all()
        ],
    }


def _account(account: Account) -> dict[str, Any]:
    return {
        "uid": str(account.uid),
        "username": account.username,
        "password": account.password,
        "display_name": account.display_name,
        "email": account.email,
        "is_superuser": account.is_superuser,
        "is_staff": account.is_staff,
        "is_active": account.is_active,
        "date_joined": moment(account.date_joined),
    }


def _audit(row: AuditRow) -> dict[str, Any]:
    return {**row.content(), "previous_hash": row.previous_hash, "hash": row.hash}


Rows = defaultdict[int, list[dict[str, Any]]]


def get_event_file(event: Event, *, online_names: bool = False) -> str:
    """Return the event as the text of its file: one line of canonical JSON; a constant number of queries.

    With `online_names` another desk finds who agreed to be known over events by them; it does not store them, so its
    own file of the event has none, and a desk of an older version refuses such a file where it has any.
    """
    with at_one_moment():
        content = _content(Event.objects.select_for_update().get(pk=event.pk))
        if online_names:
            _add_online_names(event, content)
    return write_event_file(content)


def _add_online_names(event: Event, content: dict[str, Any]) -> None:
    names = list_online_names(event)
    for facts in content["players"]:
        if facts["number"] in names:
            facts["online_names"] = [{"kind": kind, "text": text} for kind, text in names[facts["number"]]]


def _content(event: Event) -> dict[str, Any]:
    people = event.memberships.exclude(role=Role.TABLE_DEVICE)  # devices stay with the hall
    memberships = [{"account": str(each.account.uid), "role": each.role} for each in people.select_related("account")]
    content = {
        "event": _event(event),
        "memberships": sorted(memberships, key=lambda each: each["account"]),
        "players": [_player(player) for player in event.players.select_related("person").order_by("number")],
        "rounds": _rounds(event),
        **_acts(event),
        "logo": [LOGO.write(each) for each in Logo.objects.filter(event=event)],
        "photo": [PHOTO.write(each) for each in Photo.objects.filter(event=event)],
        "sign_up_page": [SIGN_UP_PAGE.write(each) for each in SignUpPage.objects.filter(event=event)],
        "wall": [WALL.write(each) for each in Wall.objects.filter(event=event)],
        "audit": [AUDIT_ROW.write(row) for row in event.audit.order_by("seq")],
        "heads": [HEAD.write(row) for row in event.heads.order_by("size")],
    }
    uids = {*writers_in(content), *(each["account"] for each in memberships)}
    return {**content, "accounts": _accounts(uids)}


def _event(event: Event) -> dict[str, Any]:
    facts = EVENT.write(event)
    if not event.second_rules:  # an older program reads the file of an event without
        del facts["second_rules"]
    return facts


def _acts(event: Event) -> dict[str, Any]:
    """Return the acts of the whole event: what a referee or an organiser did beside the hands."""
    penalties = event.penalties.select_related("player", "round", "table", "substitution")
    substitutions = event.substitutions.select_related("player", "substitute", "table__round")
    calls = event.calls.select_related("table__round", "player").order_by("called_at", "client_id")
    return {
        "penalties": [
            PENALTY.write(
                row,
                player=row.player.number,
                round=row.round.number if row.round else None,
                table=row.table.number if row.table else None,
                substitution=str(row.substitution.client_id) if row.substitution else None,
            )
            for row in penalties.order_by("given_at", "client_id")
        ],
        "substitutions": [
            SUBSTITUTION.write(
                row,
                **table_details(row.table),
                player=row.player.number,
                substitute=row.substitute.number if row.substitute else None,
            )
            for row in substitutions.order_by("given_at", "client_id")
        ],
        "calls": [
            CALL.write(row, **table_details(row.table), player=row.player.number if row.player else None)
            for row in calls
        ],
        "disqualifications": [
            DISQUALIFICATION.write(row, player=row.player.number)
            for row in event.disqualifications.select_related("player").order_by("given_at", "client_id")
        ],
        "cuts": [CUT.write(row) for row in event.cuts.order_by("made_at", "client_id")],
        "announcements": [ANNOUNCEMENT.write(row) for row in event.announcements.order_by("position", "client_id")],
    }


def _accounts(uids: Iterable[str]) -> list[dict[str, Any]]:
    found = Account.objects.filter(uid__in=[uid for uid in uids if uid]).values_list("uid", "display_name")
    return sorted(({"uid": str(uid), "display_name": name} for uid, name in found), key=lambda each: each["uid"])


def _player(player: Player) -> dict[str, Any]:
    return PLAYER.write(player, **PERSON.write(player.person))


def _rounds(event: Event) -> list[dict[str, Any]]:
    of_event = {"table__round__event": event}
    seats = Seat.objects.filter(round__event=event).select_related("player").order_by("seat")
    sheets = SheetRow.objects.filter(**of_event).select_related("checked").order_by("seq")
    ledger = LedgerEntry.objects.filter(**of_event).order_by("seq")
    typed = TypedSheet.objects.filter(**of_event).order_by("seq")
    times = TableTime.objects.filter(**of_event).order_by("given_at", "client_id")
    pauses = ClockPause.objects.filter(round__event=event).order_by("paused_at", "pk")
    hanging = {
        "seats": _by(seats, "table_id", lambda row: SEAT.write(row, player=row.player.number)),
        "ledger": _by(ledger, "table_id", LEDGER_ROW.write),
        "sheets": _by(sheets, "table_id", lambda row: SHEET_ROW.write(row, checks=_checks(row))),
        "typed": _by(typed, "table_id", TYPED_SHEET.write),
        "times": _by(times, "table_id", TABLE_TIME.write),
    }
    tables = _by(
        Table.objects.filter(round__event=event).order_by("number"),
        "round_id",
        lambda row: TABLE.write(row, **{key: rows[row.pk] for key, rows in hanging.items()}),
    )
    of_round = _by(pauses, "round_id", CLOCK_PAUSE.write)
    rounds = event.rounds.order_by("number")
    return [ROUND.write(row, pauses=of_round[row.pk], tables=tables[row.pk]) for row in rounds]


def _by(rows: Iterable[Any], key: str, write: Callable[[Any], dict[str, Any]]) -> Rows:
    """Return rows as objects of the file, by what they hang on."""
    found: Rows = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(write(row))
    return found


def _checks(sheet: SheetRow) -> list[dict[str, Any]]:
    """Return what a second person said of a sheet: one row, or none."""
    checked = getattr(sheet, "checked", None)
    return [SHEET_CHECK.write(checked)] if checked else []
