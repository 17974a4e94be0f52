"""Forgeries with plain SQL, triggers aside: each is found and named, those with chains made again by a signed head."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection

from tests.conftest import triggers_asleep
from tests.factories import make_event, play_round, rows_of, table_of, writer_of
from tournament.hash_chain import canonical, genesis, link
from tournament.models import AuditRow, Event, Penalty, Player, RecordHead, SheetRow, Table
from tournament.record import merkle
from tournament.record.rows import digests_of, hands_of
from tournament.record.rows import rows_of as sealed_rows
from tournament.record.words import read_head, words_of
from tournament.selectors.files.verify import verify_event
from tournament.selectors.files.verify_record import find_head
from tournament.services.tables.fouls import cancel_penalty, give_penalty
from web.management.words import say

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event with a released round, a penalty that stands and one that was cancelled."""
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230", "2r3 340/2", "d13/1", "4r1 5")
    by = writer_of(event)
    penalties = [
        give_penalty(player=player, points=5_000, reason="late", client_id=uuid4(), by=by)
        for player in event.players.order_by("number")[:2]
    ]
    cancel_penalty(penalty=penalties[1], reason="not so", by=by)
    return event


def sql(statement: str, *values: Any) -> None:
    with triggers_asleep(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def put(row: Any, **values: Any) -> None:
    """Write columns of a row past the model and the triggers."""
    columns = ", ".join(f'"{name}" = %s' for name in values)
    sql(f'UPDATE "{row._meta.db_table}" SET {columns} WHERE id = %s', *values.values(), row.pk)


def copy_of(row: Any, **values: Any) -> None:
    """Insert a row like another one."""
    fields = {field.column: getattr(row, field.attname) for field in row._meta.concrete_fields if field.name != "id"}
    fields = {name: _column(name, value) for name, value in {**fields, **values}.items()}
    names, marks = ", ".join(f'"{name}"' for name in fields), ", ".join("%s" for _ in fields)
    sql(f'INSERT INTO "{row._meta.db_table}" ({names}) VALUES ({marks})', *fields.values())


def _column(name: str, value: Any) -> Any:
    if name == "client_id" and connection.vendor == "sqlite":
        return str(value).replace("-", "")
    return json.dumps(value) if isinstance(value, list) else value


def findings(event: Event) -> str:
    """Return all that is found, in words."""
    return "\n".join(say(problem) for problem in verify_event(event).problems)


def player(event: Event, number: int) -> Player:
    return Player.objects.get(event=event, number=number)


def given(event: Event) -> Penalty:
    return Penalty.objects.get(event=event, cancelled_at=None)


def seat_of(event: Event, seat: int) -> Any:
    return table_of(event, 1).seats.get(seat=seat)


# ---------------------------------------------------------------- forgeries of single tables


def insert_penalty(event: Event) -> None:
    copy_of(given(event), client_id=uuid4(), points=20_000)


def delete_penalty(event: Event) -> None:
    sql("DELETE FROM tournament_penalty WHERE id = %s", given(event).pk)


def exchange_seats(event: Event) -> None:
    one, other = seat_of(event, 0), seat_of(event, 1)
    for row, seat in ((one, 9), (other, 0), (one, 1)):
        put(row, seat=seat)


def exchange_persons(event: Event) -> None:
    one, other = player(event, 1), player(event, 2)
    put(one, person_id=other.person_id)
    put(other, person_id=one.person_id)


def change_uma(event: Event) -> None:
    put(event, rules=json.dumps({**event.rules, "uma": [30_000, 10_000, -10_000, -30_000]}))


def cut_penalty(event: Event) -> None:
    put(given(event), points=1_000)


def charge_another(event: Event) -> None:
    put(given(event), player_id=player(event, 3).pk)


def lift_cancelled(event: Event) -> None:
    put(Penalty.objects.exclude(cancelled_at=None).get(event=event), cancelled_at=None, cancelled_by="")


def give_by_another(event: Event) -> None:
    put(given(event), given_by=str(uuid4()))


def rename(event: Event) -> None:
    put(player(event, 1).person, preferred_name="Somebody Else")


def change_number(event: Event) -> None:
    put(player(event, 1).person, ema_number="12345678")


def withdraw(event: Event) -> None:
    put(player(event, 1), withdrawn_at="2026-09-12 10:00:00")


def take_release_back(event: Event) -> None:
    put(event.rounds.get(number=1), released_at=None)


def release_more(event: Event) -> None:
    put(event.rounds.get(number=2), released_at="2026-09-12 10:00:00", published_at="2026-09-12 10:00:00")


def sign_anew(event: Event) -> None:
    sheet = SheetRow.objects.get(table=table_of(event, 1))
    copy_of(sheet, seq=2, by=str(uuid4()))


def drop_head(event: Event) -> None:
    sql("DELETE FROM tournament_recordhead WHERE event_id = %s AND round = 1", event.pk)


def move_head(event: Event) -> None:
    put(RecordHead.objects.filter(event=event).first(), root="0" * 64)


FORGERIES = [
    (insert_penalty, "(player 1) is in no chained act"),
    (delete_penalty, "is gone; act"),
    (exchange_seats, "seats 1/1 is not what act"),
    (exchange_persons, "name 2 is not what act"),
    (change_uma, "cup: rules is not what act"),
    (lambda event: put(player(event, 1), ranked=False), "player 1 is not what act"),
    # ten more
    (cut_penalty, "(player 1) is not what act"),
    (charge_another, "(player 3) is not what act"),
    (lift_cancelled, "(player 2) is not what act"),
    (give_by_another, "penalty note"),
    (rename, "name 1 is not what act"),
    (change_number, "person 1 is not what act"),
    (withdraw, "player 1 is not what act"),
    (take_release_back, "round 1 is not what act"),
    (release_more, "round 2 is not what act"),
    (sign_anew, "sheet 1/1/2 is in no chained act"),
    (drop_head, "its signed head is gone"),
    (move_head, "signature of the head"),
]


def test_an_honest_event_has_no_findings(event: Event):
    assert findings(event) == ""
    assert verify_event(event).heads == 4  # a release, two penalties, one taken back


@pytest.mark.parametrize(("forge", "said"), FORGERIES)
def test_what_moves_a_standing_is_in_a_chained_act(event: Event, forge: Callable[[Event], None], said: str):
    forge(event)
    assert said in findings(event)


# ---------------------------------------------------------------- chains made again from the first row


def chain_again(event: Event) -> None:
    """Make every hash, digest and signature's hash of the database fit again, as somebody who knows the program can."""
    event.refresh_from_db()
    renewed: dict[str, str] = {}
    for table in Table.objects.filter(round__event=event):
        previous = genesis(table.chain)
        for row in rows_of(table):
            row.previous_hash = previous
            previous = link(previous, row.content())
            renewed[row.hash] = previous
            put(row, previous_hash=row.previous_hash, hash=previous)
    for sheet in SheetRow.objects.filter(table__round__event=event):
        put(sheet, ledger_hash=renewed[sheet.ledger_hash])
    now = digests_of(event.record_salt, {**sealed_rows(event.pk), **dict(hands_of(event.pk))})
    previous = genesis(event.slug)
    for act in AuditRow.objects.filter(event=event).order_by("seq"):
        state = {key: now.get(key, digest) for key, digest in json.loads(act.state or "{}").items()}
        act.state, act.previous_hash = canonical(state) if state else "", previous
        previous = link(previous, act.content())
        put(act, state=act.state, previous_hash=act.previous_hash, hash=previous)


def rewrite_hand(event: Event) -> None:
    """Let the winner of a signed and released hand have more, on the sheet, too."""
    row = rows_of(table_of(event, 1))[0]
    assert '"han":2' in row.payload
    put(row, payload=row.payload.replace('"han":2', '"han":1'))
    totals = [
        sum(pair) for pair in zip(SheetRow.objects.get(table=row.table).totals, (-1500, 500, 500, 500), strict=True)
    ]
    put(SheetRow.objects.get(table=row.table), totals=json.dumps(totals))


def give_acts_to_another(event: Event) -> None:
    other = str(uuid4())
    for row in AuditRow.objects.filter(event=event).order_by("seq")[2:11]:
        put(row, by=other)


def sign_heads_again(event: Event) -> None:
    """Sign the forged trail with a key of the forger's own."""
    key = Ed25519PrivateKey.generate()
    hashes = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("hash", flat=True))
    for head in RecordHead.objects.filter(event=event).select_related("event"):
        head.root, head.public_key = merkle.root(hashes[: head.size]), key.public_key().public_bytes_raw().hex()
        put(head, root=head.root, public_key=head.public_key, signature=key.sign(head.statement.encode()).hex())


REWRITTEN = [rewrite_hand, give_acts_to_another, *(forge for forge, _said in FORGERIES[2:6])]


@pytest.mark.parametrize("forge", REWRITTEN)
def test_a_record_made_again_is_not_the_one_that_was_signed(event: Event, forge: Callable[[Event], None]):
    known = RecordHead.objects.filter(event=event).order_by("size").first()
    assert known is not None
    forge(event)
    chain_again(event)
    found = findings(event).splitlines()
    assert {line.split(" whose ")[0] for line in found} == {"cup: the trail is not the one"}, found

    sign_heads_again(event)
    assert "a key that this desk does not know" in findings(event)
    # who has the desk's key as well is found by everybody who kept a head
    for shown in (known.root, words_of(known.root)):
        assert find_head(read_head(shown) or "", event=event) is None


def test_a_shorter_or_older_record_does_not_have_a_later_head(event: Event):
    last = RecordHead.objects.filter(event=event).order_by("size").last()
    assert last is not None
    asked = read_head(f"http://desk.local/e/cup/record/?head={last.root}") or ""
    assert find_head(asked) is not None
    sql("DELETE FROM tournament_recordhead WHERE id = %s", last.pk)
    sql("DELETE FROM tournament_auditrow WHERE event_id = %s AND seq >= %s", event.pk, last.size)
    assert find_head(asked) is None


# ---------------------------------------------------------------- damage: words, never an exception


@pytest.mark.only_on("sqlite")  # keeps a value that is not of its column's type
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("event", "rules", "{broken"),
        ("event", "kept_amounts", "[1,"),
        ("event", "date", "soon"),
        ("penalty", "points", "many"),
        ("penalty", "client_id", "zz"),
        ("penalty", "given_at", "x"),
        ("round", "released_at", "then"),
        ("seat", "seat", "east"),
        ("sheetrow", "totals", "[1,"),
        ("ledgerentry", "payload", '{"kind":'),
        ("ledgerentry", "payload", "[]"),
        ("auditrow", "state", "{"),
        ("auditrow", "state", "[]"),
        ("auditrow", "at", "x"),
        ("recordhead", "size", -1),
        ("recordhead", "at", "x"),
        ("recordhead", "signature", "zz"),
        ("person", "preferred_name", b"\xff\xfe"),
    ],
)
def test_whatever_is_damaged_is_named(event: Event, table: str, column: str, value: Any):
    sql("PRAGMA ignore_check_constraints = 1")
    sql(f'UPDATE "tournament_{table}" SET "{column}" = %s WHERE id = (SELECT min(id) FROM "tournament_{table}")', value)
    assert findings(event)
    sql("PRAGMA ignore_check_constraints = 0")
