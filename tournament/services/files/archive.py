"""The verb that takes an event's file in: the whole of it or nothing, and only if every chain, hand and sheet holds.

It changes nothing of what the file says, so that exporting the event again gives the same bytes.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from scoring.problems import error, shown
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
    Person,
    Player,
    RefereeCall,
    Round,
    Seat,
    SheetCheck,
    SheetRow,
    Substitution,
    Table,
    TableTime,
    TypedSheet,
    Wall,
)
from tournament.refusal import Refused
from tournament.selectors.files.verify import verify_event
from tournament.services.core.clock import now
from tournament.services.core.writing import append_audit
from tournament.services.files.archive_form import moment_of, read_event_file

MOST_FINDINGS = 20
BATCH = 1000

Row = TypeVar("Row", bound=models.Model)


def import_event(*, data: bytes, by: Account) -> Event:
    """Make the event that a file holds, as it was, and write who did so into the site's audit trail.

    Accounts are found by uid, or made without a way in. Raises Refused, with nothing written, for what is damaged, of
    another version, contradicts itself, or is there already.
    """
    content = read_event_file(data)
    slug = content["event"]["slug"]
    _refuse_known(content, slug)
    try:
        with transaction.atomic():
            event = _make(content)
            findings = verify_event(event).problems
            if findings:
                raise Refused(*findings[:MOST_FINDINGS])
            append_audit(None, "event_imported", {"slug": slug, "version": event.version}, by=str(by.uid), at=now())
    except ValidationError as wrong:
        raise Refused(error("archive.contradiction", why=_words(wrong))) from wrong
    except IntegrityError as wrong:
        raise Refused(error("archive.contradiction", why="something is there twice, or points at nothing")) from wrong
    except KeyError as wrong:
        raise Refused(error("archive.contradiction", why=f"there is no {shown(str(wrong))}")) from wrong
    return event


def _refuse_known(content: Mapping[str, Any], slug: str) -> None:
    if Event.objects.filter(slug=slug).exists():
        raise Refused(error("archive.exists", slug=slug))
    tables = [table for round_ in content["rounds"] for table in round_["tables"]]
    entries = [row["client_id"] for table in tables for row in table["ledger"]]
    found = _count_known(LedgerEntry.objects, entries)
    found += _count_known(TableTime.objects, [row["client_id"] for table in tables for row in table["times"]])
    found += _count_known(TypedSheet.objects, [row["client_id"] for table in tables for row in table["typed"]])
    with_ids: tuple[tuple[models.Manager[Any], str], ...] = (
        (Penalty.objects, "penalties"),
        (Substitution.objects, "substitutions"),
        (Cut.objects, "cuts"),
        (RefereeCall.objects, "calls"),
        (Announcement.objects, "announcements"),
    )
    for rows, key in with_ids:
        found += _count_known(rows, [row["client_id"] for row in content[key]])
    if found:
        raise Refused(error("archive.known_entries", count=found))


def _count_known(rows: models.Manager[Any], client_ids: Sequence[str]) -> int:
    """Count which of these are there, in portions that every database takes."""
    portions = (client_ids[start : start + BATCH] for start in range(0, len(client_ids), BATCH))
    return sum(rows.filter(client_id__in=portion).count() for portion in portions)


def _words(wrong: ValidationError) -> str:
    fields = getattr(wrong, "message_dict", {"": wrong.messages})
    return "; ".join(f"{field}: {' '.join(said)}".lstrip(": ") for field, said in fields.items()).rstrip(".")


def _make(content: Mapping[str, Any]) -> Event:
    facts = content["event"]
    times = _moments(facts, "rules_frozen_at", "created_at")
    event = _checked(Event(**{**facts, **times, "date": date.fromisoformat(facts["date"])}))
    event.save()
    accounts = {each["uid"]: _account(each["uid"], each["display_name"]) for each in content["accounts"]}
    for each in content["memberships"]:
        _checked(Membership(event=event, account=accounts[each["account"]], role=each["role"])).save()
    players = {each["number"]: _player(event, each) for each in content["players"]}
    rounds = {each["number"]: _round(event, each, players) for each in content["rounds"]}
    _insert(Penalty.objects, _penalties(event, content["penalties"], players, rounds))
    _insert(Substitution.objects, _substitutions(event, content["substitutions"], players))
    _insert(RefereeCall.objects, _calls(event, content["calls"]))
    _insert(Cut.objects, [_cut(event, each, players) for each in content["cuts"]])
    _insert(Announcement.objects, [_announcement(event, each) for each in content["announcements"]])
    _insert(Wall.objects, [Wall(event=event, **each) for each in content["wall"]])
    _insert(AuditRow.objects, [AuditRow(event=event, **{**row, **_moments(row, "at")}) for row in content["audit"]])
    event.refresh_from_db()
    return event


def _account(uid: str, display_name: str) -> Account:
    """Return the account of that uid; a new one cannot sign in until somebody lets it."""
    known = Account.objects.filter(uid=uid).first()
    if known:
        return known
    account = Account(uid=UUID(uid), username=f"imported-{uid}", display_name=display_name)
    account.set_unusable_password()
    _checked(account).save()
    return account


def _player(event: Event, facts: Mapping[str, Any]) -> Player:
    names = ("preferred_name", "legal_name", "ema_number", "country", "club")
    person = _checked(Person(**{name: facts[name] for name in names}, **_moments(facts, "forgotten_at")))
    person.save()
    values = {name: facts[name] for name in ("number", "ranked", "team", "shown_by_name")}
    values |= _moments(facts, "withdrawn_at", "checked_in_at")
    player = _checked(Player(event=event, person=person, **values))
    player.save()
    return player


def _round(event: Event, facts: Mapping[str, Any], players: Mapping[int, Player]) -> Round:
    times = _moments(facts, "published_at", "started_at", "start_taken_back", "released_at")
    round_ = _checked(Round(event=event, number=facts["number"], drawn=facts["drawn"], **times))
    round_.save()
    tables = [
        _checked(Table(round=round_, number=each["number"], **_moments(each, "ready_at"))) for each in facts["tables"]
    ]
    Table.objects.bulk_create(tables)
    seats, ledger, sheets, checks = [], [], [], []
    for table, each in zip(tables, facts["tables"], strict=True):
        seats += [
            Seat(round=round_, table=table, seat=seat["seat"], player=players[seat["player"]]) for seat in each["seats"]
        ]
        ledger += [LedgerEntry(table=table, **{**row, **_moments(row, "at")}) for row in each["ledger"]]
        for row in each["sheets"]:
            facts_alone = {key: value for key, value in row.items() if key != "checks"}
            sheets.append(SheetRow(table=table, **{**facts_alone, **_moments(row, "at")}))
            checks += [(sheets[-1], {**check, **_moments(check, "at")}) for check in row["checks"]]
    _insert(Seat.objects, seats)
    _insert(LedgerEntry.objects, ledger)
    _insert(SheetRow.objects, sheets)
    _insert(SheetCheck.objects, [SheetCheck(sheet=sheet, **check) for sheet, check in checks])
    typed = [(table, row) for table, each in zip(tables, facts["tables"], strict=True) for row in each["typed"]]
    _insert(TypedSheet.objects, [TypedSheet(table=table, **{**row, **_moments(row, "at")}) for table, row in typed])
    _set_clock(round_, tables, facts)
    return round_


def _set_clock(round_: Round, tables: Sequence[Table], facts: Mapping[str, Any]) -> None:
    """Write the pauses of a round's clock and the minutes that its tables were given."""
    times = [(table, row) for table, each in zip(tables, facts["tables"], strict=True) for row in each["times"]]
    pauses = [{**row, **_moments(row, "paused_at", "resumed_at")} for row in facts["pauses"]]
    _insert(ClockPause.objects, [ClockPause(round=round_, **row) for row in pauses])
    given = [(table, {**row, **_moments(row, "given_at", "cancelled_at")}) for table, row in times]
    _insert(TableTime.objects, [TableTime(table=table, **row) for table, row in given])


def _penalties(
    event: Event, facts: Sequence[Mapping[str, Any]], players: Mapping[int, Player], rounds: Mapping[int, Round]
) -> list[Penalty]:
    tables = _tables(event)
    return [_penalty(event, each, players, rounds, tables) for each in facts]


def _penalty(
    event: Event,
    facts: Mapping[str, Any],
    players: Mapping[int, Player],
    rounds: Mapping[int, Round],
    tables: Mapping[tuple[int, int], int],
) -> Penalty:
    values = {key: value for key, value in facts.items() if key != "table"}
    pointers = {
        "event": event,
        "player": players[facts["player"]],
        "round": None if facts["round"] is None else rounds[facts["round"]],
        "table_id": None if facts["table"] is None else tables[facts["round"], facts["table"]],
    }
    return Penalty(**{**values, **pointers, **_moments(facts, "given_at", "cancelled_at")})


def _substitutions(
    event: Event, facts: Sequence[Mapping[str, Any]], players: Mapping[int, Player]
) -> list[Substitution]:
    tables, rows = _tables(event), []
    for each in facts:
        values = {key: value for key, value in each.items() if key not in ("round", "table")}
        pointers = {
            "event": event,
            "player": players[each["player"]],
            "substitute": None if each["substitute"] is None else players[each["substitute"]],
            "table_id": tables[each["round"], each["table"]],
        }
        rows.append(Substitution(**{**values, **pointers, **_moments(each, "given_at", "cancelled_at")}))
    return rows


def _calls(event: Event, facts: Sequence[Mapping[str, Any]]) -> list[RefereeCall]:
    tables, rows = _tables(event), []
    for each in facts:
        values = {key: value for key, value in each.items() if key not in ("round", "table")}
        times = _moments(each, "called_at", "answered_at", "closed_at")
        rows.append(RefereeCall(event=event, table_id=tables[each["round"], each["table"]], **{**values, **times}))
    return rows


def _cut(event: Event, facts: Mapping[str, Any], players: Mapping[int, Player]) -> Cut:
    for number in facts["through"]:
        players[number]  # a KeyError is said as what there is not
    return Cut(**{**facts, "event": event, **_moments(facts, "made_at", "cancelled_at")})


def _announcement(event: Event, facts: Mapping[str, Any]) -> Announcement:
    times = _moments(facts, "shown_from", "shown_until", "written_at", "taken_back_at")
    return Announcement(event=event, **{**facts, **times})


def _tables(event: Event) -> dict[tuple[int, int], int]:
    """Return the tables of an event by round and number."""
    found = Table.objects.filter(round__event=event).values_list("round__number", "number", "pk")
    return {(round_, number): pk for round_, number, pk in found}


def _moments(facts: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: moment_of(facts[name]) for name in names}


def _insert(there: models.Manager[Any], rows: Sequence[models.Model]) -> None:
    there.bulk_create([_checked(row) for row in rows], batch_size=BATCH)


def _checked(row: Row) -> Row:
    """Return the row if each value fits its column: lengths, choices, ranges; raises ValidationError.

    What may be empty is the database's to judge: Django asks that of forms.
    """
    fields = row._meta.concrete_fields  # noqa: SLF001 - its name notwithstanding, Django's documented way
    pointers = [field.name for field in fields if field.is_relation or field.primary_key]
    empty = [field.name for field in fields if getattr(row, field.attname) in (None, "", [], {})]
    row.clean_fields(exclude=[*pointers, *empty])
    return row
