"""A whole event as one file: canonical JSON, the same bytes from every database, with a checksum over all of it.

It holds everything that the event is made of and no secret: no password, no link, no session. It changes nothing.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tournament.hash_chain import canonical, moment
from tournament.models import (
    Account,
    Announcement,
    AuditRow,
    ClockPause,
    Cut,
    Event,
    LedgerEntry,
    Membership,
    Penalty,
    Player,
    RefereeCall,
    Role,
    Seat,
    SheetCheck,
    SheetRow,
    Substitution,
    Table,
    TableTime,
    TypedSheet,
    Wall,
)
from tournament.selectors.core.snapshot import at_one_moment

FORMAT = "hanchan-desk-event"
VERSION = 1


def get_event_file(event: Event) -> str:
    """Return the event as the text of its file: one line of canonical JSON; a constant number of queries."""
    with at_one_moment():
        content = _content(Event.objects.select_for_update().get(pk=event.pk))
    return canonical({"format": FORMAT, "version": VERSION, "checksum": checksum(content), "content": content}) + "\n"


def checksum(content: Any) -> str:
    """Return the SHA-256 of a content's canonical form."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def _content(event: Event) -> dict[str, Any]:
    rounds = _rounds(event)
    penalties = [_penalty(penalty) for penalty in _penalties(event)]
    substitutions = [_substitution(each) for each in _substitutions(event)]
    calls = [_call(each) for each in _calls(event)]
    cuts = [_cut(each) for each in event.cuts.order_by("made_at", "client_id")]
    announcements = [_announcement(each) for each in event.announcements.order_by("position", "client_id")]
    audit = [_audit(row) for row in event.audit.order_by("seq")]
    people = event.memberships.exclude(role=Role.TABLE_DEVICE)  # devices stay with the hall
    memberships = [_membership(each) for each in people.select_related("account")]
    tables = [table for round_ in rounds for table in round_["tables"]]
    writers = {row["by"] for table in tables for row in [*table["ledger"], *table["sheets"]]}
    writers |= {row["by"] for row in audit} | {each["account"] for each in memberships}
    writers |= {row[key] for row in cuts for key in ("made_by", "cancelled_by")}
    writers |= {row[key] for row in [*penalties, *substitutions] for key in ("given_by", "cancelled_by")}
    writers |= {check["by"] for table in tables for row in table["sheets"] for check in row["checks"]}
    writers |= {row[key] for each in rounds for row in each["pauses"] for key in ("paused_by", "resumed_by")}
    writers |= {row[key] for each in tables for row in each["times"] for key in ("given_by", "cancelled_by")}
    writers |= {row["by"] for table in tables for row in table["typed"]}
    writers |= {row[key] for row in calls for key in ("called_by", "answered_by", "closed_by")}
    writers |= {row[key] for row in announcements for key in ("written_by", "taken_back_by")}
    return {
        "event": _event(event),
        "accounts": _accounts(writers),
        "memberships": sorted(memberships, key=lambda each: each["account"]),
        "players": [_player(player) for player in event.players.select_related("person").order_by("number")],
        "rounds": rounds,
        "penalties": penalties,
        "substitutions": substitutions,
        "calls": calls,
        "cuts": cuts,
        "announcements": announcements,
        "wall": [_wall(each) for each in Wall.objects.filter(event=event)],
        "audit": audit,
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "slug": event.slug,
        "name": event.name,
        "date": event.date.isoformat(),
        "place": event.place,
        "rules": event.rules,
        "rules_frozen_at": _moment(event.rules_frozen_at),
        "rounds_planned": event.rounds_planned,
        "seed": event.seed,
        "foul_amounts": event.foul_amounts,
        "second_person": event.second_person,
        "sheet_numbers": event.sheet_numbers,
        "clock_sound": event.clock_sound,
        "clock_signals": event.clock_signals,
        "language": event.language,
        "second_language": event.second_language,
        "live_tables": event.live_tables,
        "live_others": event.live_others,
        "hold": event.hold,
        "shown_through": event.shown_through,
        "show_needs": event.show_needs,
        "ema_certified": event.ema_certified,
        "timetable": event.timetable,
        "wishes": event.wishes,
        "drawn": event.drawn,
        "team_best": event.team_best,
        "keep_months": event.keep_months,
        "version": event.version,
        "created_at": moment(event.created_at),
    }


def _wall(wall: Wall) -> dict[str, Any]:
    """Return a wall without the hall's network, which is no part of the event, and whose password is a secret."""
    return {
        "pages": [{"page": each["page"], "seconds": each["seconds"]} for each in wall.pages],
        "prizes_open": wall.prizes_open,
        "prizes_top": wall.prizes_top,
        "prizes_step": wall.prizes_step,
        "prizes_mark": wall.prizes_mark,
    }


def _announcement(row: Announcement) -> dict[str, Any]:
    return {
        "client_id": str(row.client_id),
        "position": row.position,
        "title": row.title,
        "text": row.text,
        "second_title": row.second_title,
        "second_text": row.second_text,
        "at_once": row.at_once,
        "shown_from": moment(row.shown_from),
        "shown_until": _moment(row.shown_until),
        "written_by": row.written_by,
        "written_at": moment(row.written_at),
        "taken_back_by": row.taken_back_by,
        "taken_back_at": _moment(row.taken_back_at),
    }


def _accounts(uids: Iterable[str]) -> list[dict[str, Any]]:
    found = Account.objects.filter(uid__in=[uid for uid in uids if uid]).values_list("uid", "display_name")
    return sorted(({"uid": str(uid), "display_name": name} for uid, name in found), key=lambda each: each["uid"])


def _membership(membership: Membership) -> dict[str, Any]:
    return {"account": str(membership.account.uid), "role": membership.role}


def _player(player: Player) -> dict[str, Any]:
    person = player.person
    return {
        "number": player.number,
        "withdrawn_at": _moment(player.withdrawn_at),
        "checked_in_at": _moment(player.checked_in_at),
        "ranked": player.ranked,
        "team": player.team,
        "shown_by_name": player.shown_by_name,
        "preferred_name": person.preferred_name,
        "legal_name": person.legal_name,
        "ema_number": person.ema_number,
        "country": person.country,
        "club": person.club,
        "forgotten_at": _moment(person.forgotten_at),
    }


def _rounds(event: Event) -> list[dict[str, Any]]:
    seats: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for seat in Seat.objects.filter(round__event=event).select_related("player").order_by("seat"):
        seats[seat.table_id].append({"seat": seat.seat, "player": seat.player.number})
    ledgers: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in LedgerEntry.objects.filter(table__round__event=event).order_by("seq"):
        ledgers[row.table_id].append({**row.content(), "previous_hash": row.previous_hash, "hash": row.hash})
    sheets: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for sheet in SheetRow.objects.filter(table__round__event=event).select_related("checked").order_by("seq"):
        sheets[sheet.table_id].append({**sheet.content(), "checks": _checks(sheet)})
    typed: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for each in TypedSheet.objects.filter(table__round__event=event).order_by("seq"):
        typed[each.table_id].append(each.content())
    times, pauses = _times(event), _pauses(event)
    tables: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for table in Table.objects.filter(round__event=event).order_by("number"):
        hanging = {"seats": seats[table.pk], "ledger": ledgers[table.pk], "sheets": sheets[table.pk]}
        hanging |= {"times": times[table.pk], "typed": typed[table.pk]}
        tables[table.round_id].append({"number": table.number, "ready_at": _moment(table.ready_at), **hanging})
    return [
        {
            "number": round_.number,
            "published_at": _moment(round_.published_at),
            "started_at": _moment(round_.started_at),
            "start_taken_back": _moment(round_.start_taken_back),
            "released_at": _moment(round_.released_at),
            "pauses": pauses[round_.pk],
            "drawn": round_.drawn,
            "tables": tables[round_.pk],
        }
        for round_ in event.rounds.order_by("number")
    ]


def _times(event: Event) -> dict[int, list[dict[str, Any]]]:
    """Return the minutes given to each table."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in TableTime.objects.filter(table__round__event=event).order_by("given_at", "client_id"):
        found[row.table_id].append(
            {
                "client_id": str(row.client_id),
                "minutes": row.minutes,
                "reason": row.reason,
                "given_by": row.given_by,
                "given_at": moment(row.given_at),
                "cancelled_by": row.cancelled_by,
                "cancelled_at": _moment(row.cancelled_at),
                "cancel_reason": row.cancel_reason,
            }
        )
    return found


def _pauses(event: Event) -> dict[int, list[dict[str, Any]]]:
    """Return the pauses of each round's clock."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in ClockPause.objects.filter(round__event=event).order_by("paused_at", "pk"):
        found[row.round_id].append(
            {
                "reason": row.reason,
                "paused_by": row.paused_by,
                "paused_at": moment(row.paused_at),
                "resumed_by": row.resumed_by,
                "resumed_at": _moment(row.resumed_at),
            }
        )
    return found


def _checks(sheet: SheetRow) -> list[dict[str, Any]]:
    """Return what a second person said of a sheet: one thing, or nothing."""
    checked: SheetCheck | None = getattr(sheet, "checked", None)
    return [checked.content()] if checked else []


def _penalties(event: Event) -> Iterable[Penalty]:
    return event.penalties.select_related("player", "round", "table").order_by("given_at", "client_id")


def _penalty(penalty: Penalty) -> dict[str, Any]:
    return {
        "client_id": str(penalty.client_id),
        "player": penalty.player.number,
        "round": penalty.round.number if penalty.round else None,
        "table": penalty.table.number if penalty.table else None,
        "seq": penalty.seq,
        "kind": penalty.kind,
        "foul": penalty.foul,
        "case": penalty.case,
        "points": penalty.points,
        "reason": penalty.reason,
        "amount_reason": penalty.amount_reason,
        "clause": penalty.clause,
        "given_by": penalty.given_by,
        "given_at": moment(penalty.given_at),
        "cancelled_by": penalty.cancelled_by,
        "cancelled_at": _moment(penalty.cancelled_at),
        "cancel_reason": penalty.cancel_reason,
    }


def _substitutions(event: Event) -> Iterable[Substitution]:
    found = event.substitutions.select_related("player", "substitute", "table__round")
    return found.order_by("given_at", "client_id")


def _substitution(row: Substitution) -> dict[str, Any]:
    return {
        "client_id": str(row.client_id),
        "round": row.table.round.number,
        "table": row.table.number,
        "player": row.player.number,
        "substitute": row.substitute.number if row.substitute else None,
        "name": row.name,
        "when": row.when,
        "seq": row.seq,
        "reason": row.reason,
        "given_by": row.given_by,
        "given_at": moment(row.given_at),
        "cancelled_by": row.cancelled_by,
        "cancelled_at": _moment(row.cancelled_at),
        "cancel_reason": row.cancel_reason,
    }


def _calls(event: Event) -> Iterable[RefereeCall]:
    return event.calls.select_related("table__round").order_by("called_at", "client_id")


def _call(call: RefereeCall) -> dict[str, Any]:
    return {
        "client_id": str(call.client_id),
        "round": call.table.round.number,
        "table": call.table.number,
        "seq": call.seq,
        "question": call.question,
        "called_by": call.called_by,
        "called_at": moment(call.called_at),
        "answered_by": call.answered_by,
        "answered_at": _moment(call.answered_at),
        "ruling": call.ruling,
        "clause": call.clause,
        "minutes": call.minutes,
        "closed_by": call.closed_by,
        "closed_at": _moment(call.closed_at),
    }


def _cut(row: Cut) -> dict[str, Any]:
    return {
        "client_id": str(row.client_id),
        "after_round": row.after_round,
        "through": row.through,
        "carry": row.carry,
        "others": row.others,
        "made_by": row.made_by,
        "made_at": moment(row.made_at),
        "cancelled_by": row.cancelled_by,
        "cancelled_at": _moment(row.cancelled_at),
        "cancel_reason": row.cancel_reason,
    }


def _audit(row: AuditRow) -> dict[str, Any]:
    return {**row.content(), "previous_hash": row.previous_hash, "hash": row.hash}


def _moment(at: datetime | None) -> str | None:
    return None if at is None else moment(at)
