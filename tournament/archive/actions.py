"""Take an event's file, and the site's accounts, trail and sign-ups when a desk moves to another database.

An event is imported unchanged, so that exporting it again gives the same bytes; all or nothing, and only if every
chain, hand and sheet is valid.
"""

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from scoring.problems import CommandProblemType, printable_excerpt
from tournament.accounts.models import Account, Membership
from tournament.archive.event_file import (
    ARCHIVE_CHECKSUM,
    CLOCK_PAUSE,
    CONTENT,
    EVENT,
    LEDGER_ROW,
    MOMENT,
    NUMBER,
    OBJECT,
    PERSON,
    PLAYER,
    ROUND,
    SEAT,
    SHEET_CHECK,
    SHEET_ROW,
    TABLE,
    TABLE_TIME,
    TYPED_SHEET,
    Record,
    or_null,
    read_event_file,
    record_for_model,
)
from tournament.archive.queries import FORMAT, VERSION
from tournament.archive.verify import verify_event
from tournament.calls.models import RefereeCall
from tournament.core.acts import Act
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.hash_chain import canonical, checksum
from tournament.core.heads import note_sealed
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.core.signing_key import trust
from tournament.core.transaction import seal_event
from tournament.events.models import Event, Logo, Photo
from tournament.events.pictures import is_colour, make_logo, make_photo, name_of_picture
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.people.actions import link_agreed
from tournament.players.models import Person, Player
from tournament.record.models import RecordHead
from tournament.rounds.models import ClockPause, TableTime
from tournament.rulesets.models import RuleSet, RuleSetVersion
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.signup.models import EmaPlayer, FeePayment, Letter, SignUp, SignUpPage
from tournament.standings.models import Cut
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.wall.models import Announcement, Wall

EVENT_IMPORTED = Act("event_imported", "imported the event")

ARCHIVE_CONTRADICTION = CommandProblemType("archive.contradiction", "The event file contradicts itself: {why}.")
ARCHIVE_EXISTS = CommandProblemType("archive.exists", "There is an event '{slug}' already; nothing was imported.")
ARCHIVE_NOT_EMPTY = CommandProblemType(
    "archive.not_empty", "The new database is not empty: there are accounts or events in it already."
)
ARCHIVE_KNOWN_ENTRIES = CommandProblemType(
    "archive.known_entries",
    "{count} entries of this file are in the database already, under another event; nothing was imported.",
)

MAX_FINDINGS = 20
OF_OTHERS = frozenset({"verify.head_key", "verify.unsealed"})
BATCH = 1000

ACTS: dict[str, type[Any]] = {
    "substitutions": Substitution,
    "disqualifications": Disqualification,
    "penalties": Penalty,
    "calls": RefereeCall,
    "cuts": Cut,
    "announcements": Announcement,
    "wall": Wall,
    "logo": Logo,
    "photo": Photo,
    "sign_up_page": SignUpPage,
    "audit": AuditRow,
    "heads": RecordHead,
}

Row = TypeVar("Row", bound=models.Model)


def import_event(*, data: bytes, by: Account) -> Event:
    """Import the event of a file, with a row in the site's audit trail.

    Accounts are found by uid, or made without a way to sign in. A player with the EMA number of somebody who agreed to
    be known over events is that person, and so is one with the online name where both agreed; all others are proposed
    at the page of people. Raises DomainError for a file that is damaged, of another version, inconsistent, or imported
    already.
    """
    content = read_event_file(data)
    slug = content["event"]["slug"]
    _refuse_known(content, slug)
    try:
        with transaction.atomic():
            event = _make(content)
            _link_agreed(event, content, by)
            report = verify_event(event)
            # the file may be another desk's, whose key is known here from now on, or an older program's
            findings = [problem for problem in report.problems if problem.code not in OF_OTHERS]
            if findings:
                raise DomainError(*findings[:MAX_FINDINGS])
            seal_event(event, by=str(by.uid))
            trust(settings.DATA_DIR, report.signed)
            transaction.on_commit(lambda: note_sealed([(event.pk, slug)]), robust=True)
            event.refresh_from_db()
            append_audit(None, EVENT_IMPORTED, {"slug": slug, "version": event.version}, by=str(by.uid), at=now())
    except ValidationError as wrong:
        raise DomainError(ARCHIVE_CONTRADICTION(why=_words(wrong))) from wrong
    except IntegrityError as wrong:
        raise DomainError(ARCHIVE_CONTRADICTION(why="something is there twice, or points at nothing")) from wrong
    except KeyError as wrong:
        raise DomainError(ARCHIVE_CONTRADICTION(why=f"there is no {printable_excerpt(str(wrong))}")) from wrong
    return event


def _link_agreed(event: Event, content: Mapping[str, Any], by: Account) -> None:
    """Link players to who agreed to be known over events here; names of who is not shown by name count for nothing."""
    rows = dict(event.players.values_list("number", "person"))
    link_agreed(
        names={
            rows[each["number"]]: [(name["kind"], name["text"]) for name in each["online_names"]]
            if each["shown_by_name"]
            else []
            for each in content["players"]
        },
        by=by,
    )


def _refuse_known(content: Mapping[str, Any], slug: str) -> None:
    if Event.objects.filter(slug=slug).exists():
        raise DomainError(ARCHIVE_EXISTS(slug=slug))
    tables = [table for round_ in content["rounds"] for table in round_["tables"]]
    entries = [row["client_id"] for table in tables for row in table["ledger"]]
    found = _count_known(LedgerEntry.objects, entries)
    found += _count_known(TableTime.objects, [row["client_id"] for table in tables for row in table["times"]])
    found += _count_known(TypedSheet.objects, [row["client_id"] for table in tables for row in table["typed"]])
    for key, model in ACTS.items():
        if "client_id" in CONTENT.keys[key][0].keys:
            found += _count_known(model.objects, [row["client_id"] for row in content[key]])
    if found:
        raise DomainError(ARCHIVE_KNOWN_ENTRIES(count=found))


def _count_known(rows: models.Manager[Any], client_ids: Sequence[str]) -> int:
    """Count the known ones of these, in portions that every database takes."""
    portions = (client_ids[start : start + BATCH] for start in range(0, len(client_ids), BATCH))
    return sum(rows.filter(client_id__in=portion).count() for portion in portions)


def _words(wrong: ValidationError) -> str:
    fields = getattr(wrong, "message_dict", {"": wrong.messages})
    return "; ".join(f"{field}: {' '.join(texts)}".lstrip(": ") for field, texts in fields.items()).rstrip(".")


def _make(content: Mapping[str, Any]) -> Event:
    event = _checked(Event(**EVENT.read(content["event"])))
    event.save()
    accounts = {each["uid"]: _account(each["uid"], each["display_name"]) for each in content["accounts"]}
    for each in content["memberships"]:
        _checked(Membership(event=event, account=accounts[each["account"]], role=each["role"])).save()
    players = {each["number"]: _player(event, each) for each in content["players"]}
    rounds = {each["number"]: _round(event, each, players) for each in content["rounds"]}
    _make_acts(event, content, players, rounds)
    check_look(event)
    event.refresh_from_db()
    return event


def check_look(event: Event) -> None:
    """Raise ValidationError where the colour is none, or the logo or photo no picture of ours under its own name."""
    if event.colour and not is_colour(event.colour):
        raise ValidationError({"colour": "is no colour"})
    logos = Logo.objects.filter(event=event).values_list("png", flat=True)
    photos = Photo.objects.filter(event=event).values_list("webp", flat=True)
    _check_pictures("logo", event.logo, logos, make_logo)
    _check_pictures("photo", event.photo, photos, make_photo)


def _check_pictures(key: str, name: str, texts: Iterable[str], make: Callable[[bytes], bytes]) -> None:
    try:
        pictures = [base64.b64decode(text, validate=True) for text in texts]
        names = [name_of_picture(picture) for picture in pictures if make(picture)]
    except (ValueError, DomainError) as broken:
        raise ValidationError({key: "is no picture"}) from broken
    if names != [name] * bool(name):
        raise ValidationError({key: "is another one than the event names"})


def _account(uid: str, display_name: str) -> Account:
    """Return the account of that uid; a new one cannot sign in until it is invited."""
    known = Account.objects.filter(uid=uid).first()
    if known:
        return known
    account = Account(uid=UUID(uid), username=f"imported-{uid}", display_name=display_name)
    account.set_unusable_password()
    _checked(account).save()
    return account


def _player(event: Event, facts: Mapping[str, Any]) -> Player:
    person = _checked(Person(**PERSON.read(facts)))
    person.save()
    player = _checked(Player(event=event, person=person, **PLAYER.read(facts)))
    player.save()
    return player


def _round(event: Event, facts: Mapping[str, Any], players: Mapping[int, Player]) -> Round:
    round_ = _checked(Round(event=event, **ROUND.read(facts)))
    round_.save()
    tables = [_checked(Table(round=round_, **TABLE.read(each))) for each in facts["tables"]]
    Table.objects.bulk_create(tables)
    pairs = list(zip(tables, facts["tables"], strict=True))
    seats = [
        Seat(round=round_, table=table, player=players[seat["player"]], **SEAT.read(seat))
        for table, each in pairs
        for seat in each["seats"]
    ]
    _insert(Seat.objects, seats)
    _insert(LedgerEntry.objects, _rows(LedgerEntry, LEDGER_ROW, pairs, "ledger"))
    sheets = _rows(SheetRow, SHEET_ROW, pairs, "sheets")
    _insert(SheetRow.objects, sheets)
    checks = [row["checks"] for _table, each in pairs for row in each["sheets"]]
    checked = [(sheet, check) for sheet, each in zip(sheets, checks, strict=True) for check in each]
    _insert(SheetCheck.objects, [SheetCheck(sheet=sheet, **SHEET_CHECK.read(check)) for sheet, check in checked])
    _insert(TypedSheet.objects, _rows(TypedSheet, TYPED_SHEET, pairs, "typed"))
    _insert(ClockPause.objects, [ClockPause(round=round_, **CLOCK_PAUSE.read(row)) for row in facts["pauses"]])
    _insert(TableTime.objects, _rows(TableTime, TABLE_TIME, pairs, "times"))
    return round_


def _rows(model: type[Row], record: Record, pairs: Sequence[tuple[Table, Mapping[str, Any]]], key: str) -> list[Row]:
    """Return the rows of all tables, in the order of the file."""
    return [model(table=table, **record.read(row)) for table, each in pairs for row in each[key]]


def _make_acts(
    event: Event, content: Mapping[str, Any], players: Mapping[int, Player], rounds: Mapping[int, Round]
) -> None:
    found = Table.objects.filter(round__event=event).values_list("round__number", "number", "pk")
    tables = {(round_, number): pk for round_, number, pk in found}
    for cut in content["cuts"]:
        for number in cut["through"]:
            players[number]  # a KeyError is refused as a contradiction

    def table_of(facts: Mapping[str, Any]) -> int:
        return tables[facts["round"], facts["table"]]

    def substitution_of(facts: Mapping[str, Any]) -> int:
        return dict(event.substitutions.values_list("client_id", "pk"))[UUID(facts["substitution"])]

    pointers: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
        "penalties": lambda facts: {
            "player": players[facts["player"]],
            "round": None if facts["round"] is None else rounds[facts["round"]],
            "table_id": None if facts["table"] is None else table_of(facts),
            "substitution_id": None if facts["substitution"] is None else substitution_of(facts),
        },
        "substitutions": lambda facts: {
            "player": players[facts["player"]],
            "substitute": None if facts["substitute"] is None else players[facts["substitute"]],
            "table_id": table_of(facts),
        },
        "calls": lambda facts: {
            "table_id": table_of(facts),
            "player": None if facts["player"] is None else players[facts["player"]],
        },
        "disqualifications": lambda facts: {"player": players[facts["player"]]},
    }
    for key, model in ACTS.items():
        record, of = CONTENT.keys[key][0], pointers.get(key)
        rows = [(record.read(facts), of(facts) if of else {}) for facts in content[key]]
        _insert(model.objects, [model(event=event, **own, **others) for own, others in rows])


def _insert(there: models.Manager[Any], rows: Sequence[models.Model]) -> None:
    there.bulk_create([_checked(row) for row in rows], batch_size=BATCH)


def _checked(row: Row) -> Row:
    """Return the row if each value fits its column: lengths, choices, ranges; raises ValidationError.

    Empty values are left to the database's constraints: Django's rule on them is for forms.
    """
    fields = row._meta.concrete_fields
    pointers = [field.name for field in fields if field.is_relation or field.primary_key]
    empty = [field.name for field in fields if getattr(row, field.attname) in (None, "", [], {})]
    row.clean_fields(exclude=[*pointers, *empty])
    return row


# ---------------------------------------------------------------- the site


def take_site(*, data: bytes) -> int:
    """Import accounts, the site's audit trail and its rule sets into an empty database; return how many accounts.

    Raises DomainError where the database holds anything, or the file is damaged.
    """
    file = json.loads(data)
    content = file["content"]
    if (file["format"], file["version"]) != (FORMAT, VERSION) or checksum(content) != file["checksum"]:
        raise DomainError(ARCHIVE_CHECKSUM())
    with transaction.atomic():
        if Event.objects.exists() or Account.objects.exists() or AuditRow.objects.exists():
            raise DomainError(ARCHIVE_NOT_EMPTY())
        Account.objects.bulk_create(
            Account(**{**facts, "uid": UUID(facts["uid"]), "date_joined": MOMENT.read(facts["date_joined"])})
            for facts in content["accounts"]
        )
        AuditRow.objects.bulk_create([AuditRow(**{**row, "at": MOMENT.read(row["at"])}) for row in content["audit"]])
        for facts in content.get("rule_sets", ()):
            _site_rule_set(facts)
    return len(content["accounts"])


def _site_rule_set(facts: dict[str, Any]) -> None:
    rule_set = RuleSet.objects.create(
        uid=UUID(facts["uid"]), key=facts["key"], created_at=MOMENT.read(facts["created_at"])
    )
    versions = (
        {**each, "client_id": UUID(each["client_id"]), "at": MOMENT.read(each["at"])} for each in facts["versions"]
    )
    RuleSetVersion.objects.bulk_create([RuleSetVersion(rule_set=rule_set, **each) for each in versions])


# ---------------------------------------------------------------- sign-ups


def take_sign_ups(*, data: bytes) -> int:
    """Take what `get_sign_ups_file` wrote into a database that has the events; return how many sign-ups.

    Raises DomainError where the same file does not come out again.
    """
    content: dict[str, Any] = json.loads(data)
    with transaction.atomic():
        EmaPlayer.objects.bulk_create([EmaPlayer(**EMA_PLAYER.read(each)) for each in content["ema_list"]])
        for slug, facts in content["events"].items():
            event = Event.objects.get(slug=slug)
            players = {player.number: player for player in event.players.all()}
            for each in facts["sign_ups"]:
                row = SignUp.objects.create(event=event, player=players.get(each["player"]), **SIGN_UP.read(each))
                _take_payments(event, row, players, each["payments"])
                _take_letters(event, row, each["letters"])
            _take_payments(event, None, players, facts["payments"])
            _take_letters(event, None, facts["letters"])
        if get_sign_ups_file().encode() != data:
            raise DomainError(ARCHIVE_CHECKSUM())
    return sum(len(facts["sign_ups"]) for facts in content["events"].values())


def _take_payments(
    event: Event, row: SignUp | None, players: Mapping[int, Player], payments: list[dict[str, Any]]
) -> None:
    FeePayment.objects.bulk_create(
        FeePayment(event=event, sign_up=row, player=players.get(each["player"]), **PAYMENT.read(each))
        for each in payments
    )


def _write_payment(each: FeePayment) -> dict[str, Any]:
    return PAYMENT.write(each, player=each.player.number if each.player else None)


def _take_letters(event: Event, row: SignUp | None, letters: list[dict[str, Any]]) -> None:
    # the newest is written first, and of equal moments the one that was made last
    Letter.objects.bulk_create([Letter(event=event, sign_up=row, **LETTER.read(each)) for each in reversed(letters)])


PAYMENT = record_for_model(FeePayment, forms={"player": or_null(NUMBER)})
LETTER = record_for_model(Letter)
SIGN_UP = record_for_model(
    SignUp,
    forms={"answers": OBJECT, "player": or_null(NUMBER), "payments": [PAYMENT], "letters": [LETTER]},
)
EMA_PLAYER = record_for_model(EmaPlayer)


def get_sign_ups_file() -> str:
    """Return the sign-ups of all events, and EMA's list, as one line of canonical JSON."""
    events = {event.slug: _of_event(event) for event in Event.objects.order_by("pk")}
    return (
        canonical({"events": events, "ema_list": [EMA_PLAYER.write(each) for each in EmaPlayer.objects.all()]}) + "\n"
    )


def _of_event(event: Event) -> dict[str, Any]:
    rows = event.sign_ups.select_related("player").prefetch_related("payments__player", "letters")
    return {
        "sign_ups": [
            SIGN_UP.write(
                row,
                player=row.player.number if row.player else None,
                payments=[_write_payment(each) for each in row.payments.all()],
                letters=[LETTER.write(each) for each in row.letters.all()],
            )
            for row in rows
        ],
        "payments": [_write_payment(each) for each in event.payments.filter(sign_up=None).select_related("player")],
        "letters": [LETTER.write(each) for each in event.letters.filter(sign_up=None)],
    }
