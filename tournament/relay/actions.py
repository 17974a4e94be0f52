"""Actions of the relay: codes, pairing, messages of a hall's desk, and begin and stop at that desk.

The relay's rows of an event are made of the newest state alone: rows that have not changed stay, rows that a message no
longer has are deleted.
"""

import contextlib
import datetime as dt
import hashlib
import secrets
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction

from rules.books import from_json
from rules.ruleset import RulesetError
from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.archive.actions import check_look
from tournament.archive.event_file import EVENT as EVENT_RECORD
from tournament.archive.event_file import find_misfits
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.acts import Act, Shown
from tournament.core.errors import DomainError
from tournament.core.hash_chain import canonical, checksum
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.core.signing_key import is_signed
from tournament.core.transaction import event_transaction
from tournament.events.actions import delete_rows, triggers_aside
from tournament.events.models import Event, Logo, Photo
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.players.models import Person, Player
from tournament.record.models import RecordHead
from tournament.relay.models import Relay, RelayCode, RelayedEvent
from tournament.relay.queries import ANNOUNCEMENT, CUT, EVENT, PENALTY, SUBSTITUTION, WALL
from tournament.relay.wire import (
    BadMessageError,
    Message,
    State,
    TooLargeError,
    follow,
    is_address,
    pack_values,
    statement,
    unpack,
    unpack_values,
)
from tournament.rounds.models import ClockPause, TableTime
from tournament.sheets.models import SheetRow
from tournament.standings.models import Cut
from tournament.tables.models import LedgerEntry, Round, Seat, Table
from tournament.wall.models import Announcement, Wall

RELAY_CODE_UNKNOWN = ProblemType(
    "relay.code_unknown", "The relay does not know this code: it works once, within half an hour. Ask for a new one."
)
RELAY_SLUG_TAKEN = ProblemType("relay.slug_taken", "The relay has an event “{slug}” of its own.")
RELAY_NOT_PAIRED = ProblemType("relay.not_paired", "The relay no longer knows this desk: pair again with a new code.")
RELAY_NOT_UNDERSTOOD = ProblemType(
    "relay.not_understood", "The relay cannot read what this desk sends: update the program at both."
)
RELAY_TOO_LARGE = ProblemType("relay.too_large", "This event is larger than a relay takes.")
RELAY_NOT_HERE = ProblemType("relay.not_here", "This relay has no event “{slug}”.")

RELAY_BEGUN = Act("relay_begun", "began to send the public pages to the relay {address}")
RELAY_ENDED = Act("relay_ended", "stopped sending to the relay {address}")

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that is taken for another
CODE_LENGTH = 8
CODE_LASTS = dt.timedelta(minutes=30)
# what values of other kinds than a desk sends raise where rows are made of them
BROKEN = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, ValidationError, IntegrityError, DataError
)  # fmt: skip


# ---------------------------------------------------------------- at the hall's desk


def begin_relay(*, event: Event, address: str, pairing: uuid.UUID, show_hall: bool, by: Account) -> Relay:
    """Note that the relay at this address shows the event from now on."""
    with event_transaction(event, RELAY_BEGUN, by=by) as change:
        known = Relay.objects.filter(event=change.event, pairing=pairing, show_hall=show_hall).first()
        if known is not None and change.event.other_address == address:
            change.mark_unchanged()
            return known
        change.set_event(other_address=address)
        change.details, change.changed = {"address": address}, True
        facts = {"pairing": pairing, "show_hall": show_hall}
        facts |= {"paired_at": change.at, "paired_by": change.by}
        relay, _made = Relay.objects.update_or_create(event=change.event, defaults=facts)
    return relay


def end_relay(*, event: Event, taken_down: bool, by: Account) -> bool:
    """Send nothing more; `taken_down` says that the relay shows the event no longer. False where nothing was sent."""
    with event_transaction(event, RELAY_ENDED, by=by) as change:
        relay = Relay.objects.filter(event=change.event).first()
        if relay is None:
            return change.mark_unchanged()
        change.details = {"address": change.event.other_address, "taken_down": taken_down}
        change.set_event(other_address="")
        relay.delete()
    return True


# ---------------------------------------------------------------- at the relay: pairing


def make_code() -> str:
    """Return a new code for one hall's desk; older ones that nobody used go."""
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    with transaction.atomic():
        RelayCode.objects.filter(used_at=None).delete()
        RelayCode.objects.create(digest=_digest(code), expires_at=now() + CODE_LASTS)
    return code


def pair(*, code: str, slug: str, public_key: str) -> RelayedEvent:
    """Let the desk with this key send the event of this slug, in the place of who sent it before.

    The same request sent twice pairs once. Raises DomainError for a code that is not known, used by another desk or too
    old, for an unusable slug, and for the slug of another event of this desk.
    """
    with transaction.atomic():
        at, of_code = now(), RelayCode.objects.filter(digest=_digest(code), expires_at__gt=now())
        known = RelayedEvent.objects.filter(slug=slug, public_key=public_key, paired_at__in=of_code.values("used_at"))
        if again := known.first():
            return again
        if Event.objects.filter(slug=slug, relayed=None).exists():
            raise DomainError(RELAY_SLUG_TAKEN(slug=slug))
        facts = {"public_key": public_key, "pairing": uuid.uuid4(), "paired_at": at}
        try:
            RelayedEvent(slug=slug, **facts).clean_fields(exclude={"event", "received_at"})
        except ValidationError:
            raise DomainError(RELAY_NOT_UNDERSTOOD()) from None
        if not of_code.filter(used_at=None).update(used_at=at):
            raise DomainError(RELAY_CODE_UNKNOWN())
        paired, _made = RelayedEvent.objects.update_or_create(slug=slug, defaults=facts)
    return paired


def forget(slug: str) -> None:
    """Delete an event that was sent, with its pairing; raises DomainError where there is none."""
    with transaction.atomic():
        known = RelayedEvent.objects.filter(slug=slug).first()
        if known is None:
            raise DomainError(RELAY_NOT_HERE(slug=slug))
        if known.event is not None:
            with triggers_aside():
                delete_rows(known.event)
        known.delete()


def _digest(code: str) -> str:
    typed = "".join(letter for letter in code.upper() if letter in LETTERS)
    return hashlib.sha256(typed.encode()).hexdigest()


# ---------------------------------------------------------------- at the relay: messages


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the relay has after a message: its number, the digest of the state, and whether it took this one."""

    number: int
    digest: str
    taken: bool


def receive(*, slug: str, body: bytes, signature: str) -> Receipt:
    """Take a message of a hall's desk. One that was taken before, is older or follows another state does nothing.

    Raises DomainError for one that the paired desk did not sign, and for one that makes no event here.
    """
    known = RelayedEvent.objects.filter(slug=slug).first()
    if known is None or not is_signed(statement(slug, str(known.pairing), body), known.public_key, signature):
        raise DomainError(RELAY_NOT_PAIRED())
    before: State = unpack_values(bytes(known.state)) if known.state else {}
    read = _read(body, known, before)  # unpacked and checked before anything is locked
    if read is None:
        return Receipt(known.number, checksum(before), taken=False)
    message, after = read
    with transaction.atomic():
        same = RelayedEvent.objects.select_for_update().filter(pk=known.pk, pairing=known.pairing, number=known.number)
        locked = same.first()
        if locked is not None:
            try:
                with triggers_aside() if deletes(before, after) else contextlib.nullcontext():
                    locked.event = bring_up(locked.event, locked.slug, message.number, before, after)
            except BROKEN as wrong:
                raise DomainError(RELAY_NOT_UNDERSTOOD()) from wrong
            locked.number, locked.received_at = message.number, now()
            locked.state = pack_values(after)
            if after.get("end"):
                locked.pairing = uuid.uuid4()  # nothing more is taken from this desk
            locked.save()
    if locked is None:  # another message came meanwhile
        return receive(slug=slug, body=body, signature=signature)
    return Receipt(locked.number, message.digest, taken=True)


def _read(body: bytes, known: RelayedEvent, before: State) -> tuple[Message, State] | None:
    """Return a message with the state that it makes; None for an old one and one that does not follow.

    Raises DomainError for one that is too large, and for a state that cannot be shown.
    """
    try:
        message = unpack(body)
        if message.number <= known.number:
            return None
        after = follow(message, before)
        check_state(after)
    except TooLargeError:
        raise DomainError(RELAY_TOO_LARGE()) from None
    except BadMessageError:
        return None
    except RecursionError:
        raise DomainError(RELAY_NOT_UNDERSTOOD()) from None
    return message, after


RELAY_WALL = Act("relay_wall", "", shown=Shown.WALL)
RELAY_LIVE = Act("relay_live", "", shown=Shown.DESK)
RELAY_ALL = Act("relay_all", "")

RELAY_UNUSABLE = ProblemType(
    "relay.unusable",
    "The relay cannot show the rules, timetable or address that this desk sends: update the program at both.",
)

BATCH = 1000
# What a hall may name. Any other name, such as a key's, could reach rows of another hall's event
OF_EVENT = (*EVENT, "date", "archived_at", "seed")
OF_CALL = ("minutes", "question", "ruling", "clause")
OF_DISQUALIFICATION = ("after_round", "shown", "reason", "clause")
Place = tuple[int, int]


def deletes(before: State, after: State) -> bool:
    """Tell whether rows of append-only tables go: more is not written than was there, or something else."""
    if "event" not in after:
        return True
    rounds, heads = _rebuilt(before, after), before.get("heads", [])
    hands = (key for key in before if key.startswith("hands/"))
    if after["heads"][: len(heads)] != heads or rounds & _numbers(before, "round"):
        return True
    return any(not _goes_on(before[key], after.get(key)) for key in hands)


def check_state(state: State) -> None:
    """Raise DomainError for a state whose rules, timetable or address no page could show."""
    if "event" not in state:
        return
    try:
        for rules in (state["rules"], state.get("second_rules", state["rules"])):
            from_json(rules)
        misfit = next(find_misfits(_named(state["event"], OF_EVENT), EVENT_RECORD), "")
        fits = not misfit and is_address(state.get("hall", "http://hall/"))
    except (LookupError, TypeError, RulesetError):
        fits = False
    if not fits:
        raise DomainError(RELAY_UNUSABLE())


def bring_up(event: Event | None, slug: str, number: int, before: State, after: State) -> Event | None:
    """Bring the rows of an event from one state to the next; None where nothing is left."""
    if "event" not in after:
        if event is not None:
            delete_rows(event)
        return None
    fresh = event is None
    rules = {"rules": after["rules"], "second_rules": after.get("second_rules", {})}
    event = _event(event, slug, {**_named(after["event"], OF_EVENT), **rules})
    _Rows(event, {} if fresh else before, after).bring_up()
    check_look(event)
    changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}
    event.other_address = str(after.get("hall", ""))
    # the trail's numbers make versions: each message is a row of it
    AuditRow.objects.create(event=event, seq=number, verb=_kind(changed, after).name, details="{}", at=now())
    event.version = number
    event.save()
    return event


def _kind(changed: set[str], after: State) -> Act:
    """Return the act from which marks of pages are made: one that all show, the wall alone, or live tables alone."""
    if changed <= {"wall", "announcements"}:
        return RELAY_WALL
    live = {key for key in changed if key.startswith("hands/") and not after[f"round/{key.split('/')[1]}"]["at"][2]}
    return RELAY_LIVE if changed <= live else RELAY_ALL


def _event(event: Event | None, slug: str, facts: Mapping[str, Any]) -> Event:
    row = event or Event(slug=slug, created_at=now())
    for name, value in facts.items():
        setattr(row, name, value)
    row.date = dt.date.fromisoformat(facts["date"])
    row.archived_at = _moment(facts["archived_at"])
    row.full_clean(exclude=["rules", "slug", "compared_with", "foul_amounts", "kept_amounts", "house_rules", "contact",
                            "timetable", "wishes", "drawn", "seed", "rule_set_uid", "keep_months", "archived_at",
                            "rules_frozen_at"])  # fmt: skip
    row.save()
    return row


# ---------------------------------------------------------------- at the relay: the rows of an event


class _Rows:
    """The rows of one event, brought from a state to the next; what has not changed keeps its row."""

    def __init__(self, event: Event, before: State, after: State) -> None:
        self.event, self.before, self.after = event, before, after
        self.rebuilt = _rebuilt(before, after)
        self.changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}

    def bring_up(self) -> None:
        acts = bool(self.rebuilt) or bool(self.changed & {"calls", "substitutions", "penalties", "disqualifications"})
        if acts:
            for model in (Penalty, Substitution, Disqualification, RefereeCall):
                _rows_of(model).filter(event=self.event).delete()
        self._delete_rounds()
        self._players()
        self.players = dict(self.event.players.values_list("number", "pk"))
        for number in sorted(_numbers(self.after, "round")):
            self._round(number)
        found = Table.objects.filter(round__event=self.event).values_list("round__number", "number", "pk")
        self.tables = {(round_, number): pk for round_, number, pk in found}
        for key in self.changed:
            self._hang(key)
        if acts:
            self._acts()
        self._heads()
        self._others()

    def _delete_rounds(self) -> None:
        gone = Round.objects.filter(event=self.event, number__in=self.rebuilt)
        for model in (LedgerEntry, SheetRow):
            models.QuerySet.delete(model.objects.filter(table__round__in=gone))  # as in deletion
        TableTime.objects.filter(table__round__in=gone).delete()
        Seat.objects.filter(round__in=gone).delete()
        gone.delete()

    def _players(self) -> None:
        wanted = {number: self.after[f"player/{number}"] for number in _numbers(self.after, "player")}
        known = {row.number: row for row in self.event.players.select_related("person")}
        for number in known.keys() - wanted.keys():
            person = known[number].person
            known[number].delete()
            person.delete()
        for number, facts in wanted.items():
            if number not in known or f"player/{number}" in self.changed:
                _save_player(known.get(number) or Player(event=self.event, number=number, person=Person()), facts)

    def _round(self, number: int) -> None:
        key, facts = f"round/{number}", self.after[f"round/{number}"] or {"at": [None] * 3, "drawn": {}, "pauses": []}
        if number not in self.rebuilt and key not in self.changed:
            return
        round_, _made = Round.objects.get_or_create(event=self.event, number=number)
        round_.published_at, round_.started_at, round_.released_at = map(_moment, facts["at"])
        round_.drawn = facts["drawn"]
        round_.save()
        round_.pauses.all().delete()
        ClockPause.objects.bulk_create(
            ClockPause(round=round_, paused_at=dt.datetime.fromisoformat(since), resumed_at=_moment(until), reason=why)
            for since, until, why in facts["pauses"]
        )
        if number in self.rebuilt:
            self._seats(round_)

    def _seats(self, round_: Round) -> None:
        seated = self.after.get(f"seats/{round_.number}", {})
        tables = {number: Table(round=round_, number=int(number)) for number in seated}
        Table.objects.bulk_create(tables.values())
        Seat.objects.bulk_create(
            [
                Seat(round=round_, table=tables[number], seat=seat, player_id=self.players[player])
                for number, players in seated.items()
                for seat, player in enumerate(players)
            ],
            batch_size=BATCH,
        )
        # what hangs on them is new, too
        hanging = (f"hands/{round_.number}/", f"minutes/{round_.number}/")
        self.changed |= {key for key in self.after if f"{key}/".startswith(hanging)}

    def _hang(self, key: str) -> None:
        kind, _slash, place = key.partition("/")
        if kind == "hands":
            round_, table = map(int, place.split("/"))
            if (round_, table) in self.tables:
                self._hands(key, (round_, table))
        elif kind == "minutes":
            self._minutes(int(place), self.after.get(key, []))

    def _hands(self, key: str, place: Place) -> None:
        """Write the hands of a table: those that are new, or all again where they do not go on from what is there."""
        table, given = self.tables[place], self.after.get(key, {"rows": []})
        before = self.before.get(key, {"rows": []}) if place[0] not in self.rebuilt else {"rows": []}
        known = len(before["rows"])
        if not _goes_on(before, given):
            for model in (LedgerEntry, SheetRow):
                models.QuerySet.delete(model.objects.filter(table=table))  # as in deletion
            before, known = {"rows": []}, 0
        at, rows = dt.datetime.fromtimestamp(0, dt.UTC), []
        for seq, (payload, supersedes, seconds, *reason) in enumerate(given["rows"], start=1):
            at += dt.timedelta(seconds=seconds)
            if seq > known:
                text = canonical(payload) if payload else ""
                facts = {"seq": seq, "payload": text, "supersedes": supersedes, "reason": "".join(reason), "at": at}
                rows.append(LedgerEntry(table_id=table, client_id=uuid.uuid4(), **facts))
        LedgerEntry.objects.bulk_create(rows, batch_size=BATCH)
        if given.get("sheet") and given["sheet"] != before.get("sheet"):
            signed, totals, leftover = given["sheet"]
            seq = SheetRow.objects.filter(table=table).count() + 1
            SheetRow.objects.create(table_id=table, seq=seq, signed=signed, totals=totals, leftover=leftover, at=now())

    def _minutes(self, round_: int, given: list[list[int]]) -> None:
        TableTime.objects.filter(table__round__event=self.event, table__round__number=round_).delete()
        TableTime.objects.bulk_create(
            TableTime(table_id=self.tables[round_, table], client_id=uuid.uuid4(), minutes=minutes, given_at=now())
            for table, minutes in given
        )

    def _acts(self) -> None:
        event, at = self.event, now()
        rounds = dict(event.rounds.values_list("number", "pk"))
        RefereeCall.objects.bulk_create(
            RefereeCall(
                event=event, kind=CallKind.CALL, seq=1, client_id=uuid.uuid4(), called_at=at, answered_at=at,
                closed_at=at, **self._placed(row, OF_CALL),
            )
            for row in self.after["calls"]
        )  # fmt: skip
        substitutions = Substitution.objects.bulk_create(
            [
                Substitution(event=event, client_id=uuid.uuid4(), **self._placed(row, SUBSTITUTION))
                for row in self.after["substitutions"]
            ]
        )
        for row in self.after["penalties"]:
            facts, which, round_ = self._placed(row, PENALTY), row["substitution"], row["round"]
            Penalty.objects.create(
                event=event,
                client_id=uuid.uuid4(),
                round_id=rounds[round_] if round_ is not None else None,
                substitution=substitutions[which] if which is not None else None,
                charged_at=at if row["charged"] else None,
                **facts,
            )
        for row in self.after["disqualifications"]:
            kept = {"was_ranked": True, "was_withdrawn": False, "client_id": uuid.uuid4(), "given_at": at}
            Disqualification.objects.create(event=event, **kept, **self._placed(row, OF_DISQUALIFICATION))

    def _placed(self, row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
        """Return these columns of an act, with the keys of its table and its people."""
        facts = _named(row, names)
        if "at" in row:
            place = row["at"]
            facts["table_id"] = self.tables[place[0], place[1]] if place else None
        for name in ("player", "substitute"):
            if name in row:
                facts[f"{name}_id"] = None if row[name] is None else self.players[row[name]]
        if "given_at" in row:
            facts["given_at"] = _moment(row["given_at"])
        return facts

    def _heads(self) -> None:
        known = self.before.get("heads", [])
        if self.after["heads"][: len(known)] != known:
            models.QuerySet.delete(_rows_of(RecordHead).filter(event=self.event))
            known = []
        for size, root, round_, at, key, signature in self.after["heads"][len(known) :]:
            facts = {"size": size, "root": root, "round": round_, "public_key": key, "signature": signature}
            RecordHead.objects.create(event=self.event, at=dt.datetime.fromisoformat(at), **facts)

    def _others(self) -> None:
        """Write what hangs on the event alone."""
        event, at = self.event, now()
        kinds: dict[str, tuple[type[models.Model], list[dict[str, Any]]]] = {
            "cuts": (
                Cut,
                [{**_named(row, CUT), "client_id": uuid.uuid4(), "made_at": at} for row in self.after["cuts"]],
            ),
            "announcements": (Announcement, [_announcement(row) for row in self.after["announcements"]]),
            "wall": (Wall, [_named(self.after["wall"], WALL)] if self.after["wall"] else []),
            "logo": (Logo, [{"png": png} for png in self.after["logo"]]),
            "photo": (Photo, [{"webp": webp} for webp in self.after.get("photo", [])]),
        }
        for key, (model, rows) in kinds.items():
            if key in self.changed:
                _rows_of(model).filter(event=event).delete()
                _rows_of(model).bulk_create(model(event=event, **row) for row in rows)


def _save_player(player: Player, facts: Mapping[str, Any]) -> None:
    person = player.person
    person.preferred_name, person.country, person.club = facts["name"], facts["country"], facts["club"]
    person.save()
    player.person = person
    player.team, player.ranked, player.shown_by_name = facts["team"], facts["ranked"], bool(facts["name"])
    player.withdrawn_at = (player.withdrawn_at or now()) if facts["withdrawn"] else None
    player.save()


def _announcement(row: Mapping[str, Any]) -> dict[str, Any]:
    moments = {name: _moment(row[name]) for name in ("shown_from", "shown_until")}
    return {**_named(row, ANNOUNCEMENT), **moments, "client_id": uuid.uuid4(), "written_at": now()}


def _rebuilt(before: State, after: State) -> set[int]:
    """Return the rounds whose seats are other ones, or that are there on one side alone."""
    rounds = _numbers(before, "round") | _numbers(after, "round")
    return {
        number
        for number in rounds
        if (f"round/{number}" in before) != (f"round/{number}" in after)
        or before.get(f"seats/{number}") != after.get(f"seats/{number}")
    }


def _numbers(state: State, kind: str) -> set[int]:
    return {int(key.partition("/")[2]) for key in state if key.startswith(f"{kind}/")}


def _goes_on(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> bool:
    """Tell whether a table's hands begin with those that were there, and its sheet was not taken away."""
    if after is None:
        return False
    known = before["rows"]
    return bool(after["rows"][: len(known)] == known and ("sheet" in after or "sheet" not in before))


def _named(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names if name in row}


def _moment(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None


def _rows_of(model: type[models.Model]) -> models.Manager[Any]:
    manager: models.Manager[Any] = model._default_manager
    return manager
