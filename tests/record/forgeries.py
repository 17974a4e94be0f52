"""Forgeries of a database in plain SQL, triggers aside, by name: what somebody who has the file could do."""

import datetime as dt
import json
from typing import Any
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection

from tests.conftest import triggers_asleep
from tests.factories import rows_of, table_of
from tournament.core.hash_chain import canonical, genesis, link
from tournament.core.heads import root
from tournament.core.models import AuditRow
from tournament.core.sealed_rows import read_sealed_hands, row_digests
from tournament.core.sealed_rows import read_sealed_rows as sealed_rows
from tournament.events.actions import delete_rows
from tournament.events.models import Event
from tournament.penalties.models import Penalty
from tournament.players.models import Player
from tournament.record.models import RecordHead
from tournament.sheets.models import SheetRow
from tournament.tables.models import Table

OTHER = "other"  # the second event, with the same numbers


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
    if isinstance(value, dt.datetime) and connection.vendor == "sqlite":
        return value.replace(tzinfo=None)  # as Django writes it
    return json.dumps(value) if isinstance(value, list) else value


def player(event: Event, number: int) -> Player:
    return Player.objects.get(event=event, number=number)


def given(event: Event) -> Penalty:
    return Penalty.objects.get(event=event, table=None, cancelled_at=None)


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
    now = row_digests(event.record_salt, {**sealed_rows(event.pk), **dict(read_sealed_hands(event.pk))})
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
        head.root, head.public_key = root(hashes[: head.size]), key.public_key().public_bytes_raw().hex()
        put(head, root=head.root, public_key=head.public_key, signature=key.sign(head.statement.encode()).hex())


# ---------------------------------------------------------------- rows there twice, or of another event


def other_event() -> Event:
    return Event.objects.get(slug=OTHER)


def without_unique(table: str, constraint: str, columns: str) -> None:
    """Take a unique constraint off a table: SQLite needs another table of that name."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{constraint}"')
            return
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [table])
        (made,) = cursor.fetchone()
        loose = made.replace(f'CONSTRAINT "{constraint}" UNIQUE ({columns})', f'CONSTRAINT "{constraint}" CHECK (1)')
        assert loose != made
        cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = %s AND sql <> ''", [table])
        indexes = [text for (text,) in cursor.fetchall()]
        cursor.execute(loose.replace(f'"{table}"', f'"x_{table}"', 1))
        cursor.execute(f'INSERT INTO "x_{table}" SELECT * FROM "{table}"')
        cursor.execute(f'DROP TABLE "{table}"')
        cursor.execute(f'ALTER TABLE "x_{table}" RENAME TO "{table}"')
        for statement in indexes:
            cursor.execute(statement)


def dup_penalty(event: Event) -> None:
    """SQLite takes an identifier in capitals for another one, and Django for the same; the genuine one is read last."""
    client_id: Any = given(event).client_id
    if connection.vendor == "postgresql":
        without_unique("tournament_penalty", "tournament_penalty_client_id_key", "")
    else:
        client_id = client_id.hex.upper()
    copy_of(given(event), id=-1, client_id=client_id, points=30_000, player_id=player(event, 2).pk)


def dup_player(event: Event) -> None:
    without_unique("tournament_player", "one_player_a_number", '"event_id", "number"')
    copy_of(player(event, 1), id=-1, person_id=player(event, 2).person_id)


def dup_table(event: Event) -> None:
    """Let a game of a released round count twice."""
    without_unique("tournament_table", "one_table_a_number", '"round_id", "number"')
    copy_of(table_of(event))


def foreign_player(event: Event) -> None:
    put(given(event), player_id=player(other_event(), given(event).player.number).pk)


def foreign_round(event: Event) -> None:
    put(given(event), round_id=other_event().rounds.get(number=1).pk)


def foreign_seat(event: Event) -> None:
    for seat in player(event, 1).seats.all():
        put(seat, player_id=player(other_event(), 1).pk)


def seat_round(event: Event) -> None:
    seats = {seat.round.number: seat for seat in player(event, 1).seats.select_related("round")}
    spare = other_event().rounds.get(number=1).pk
    for row, round_ in ((seats[1], spare), (seats[2], seats[1].round_id), (seats[1], seats[2].round_id)):
        put(row, round_id=round_)


def foul_at_another_table(event: Event) -> None:
    """The table of that number in another round: its hand would be another one."""
    foul = Penalty.objects.exclude(table=None).get(event=event)
    put(foul, table_id=table_of(event, foul.table.number if foul.table else 0, round_=1).pk)


def give_away(event: Event) -> None:
    other = other_event()
    put(given(event), event_id=other.pk, player_id=player(other, 1).pk, round_id=other.rounds.get(number=1).pk)


def exchange_rounds(event: Event) -> None:
    one, other = table_of(event, 1), table_of(event, 1, round_=2)
    spare = other_event().rounds.get(number=1)
    copy = table_of(other_event(), 1)
    put(copy, number=99)
    for row, round_ in ((one, spare.pk), (other, one.round_id), (one, other.round_id)):
        put(row, round_id=round_)
    put(copy, number=1)


def later_round(event: Event) -> None:
    put(given(event), round_id=event.rounds.get(number=2).pk)


# ---------------------------------------------------------------- the database itself


def double_view(event: Event) -> None:
    """Put a view in the place of a table: each penalty counts twice."""
    columns = ", ".join(f'"{field.column}"' for field in Penalty._meta.concrete_fields)
    doubled = columns.replace('"points"', '"points" * 2 AS "points"')
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute('ALTER TABLE "tournament_penalty" RENAME TO "x_penalty"')
        cursor.execute(f'CREATE VIEW "tournament_penalty" AS SELECT {doubled} FROM "x_penalty"')


TRIGGER = {
    "sqlite": """CREATE TRIGGER later AFTER UPDATE ON tournament_event
        BEGIN UPDATE tournament_penalty SET points = 0; END""",
    "postgresql": """CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE tournament_penalty SET points = 0; RETURN NULL; END $$;
        CREATE TRIGGER later AFTER UPDATE ON tournament_event FOR EACH ROW EXECUTE FUNCTION later()""",
}


def wait_for_an_act(event: Event) -> None:
    """Leave a trigger that waives all penalties with the next act."""
    with connection.cursor() as cursor:
        cursor.execute(TRIGGER[connection.vendor])


def drop_guard(event: Event) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        on = " ON tournament_ledgerentry" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER tournament_ledgerentry_refuses_update{on}")


# ---------------------------------------------------------------- trails


def delete_event(event: Event) -> None:
    with triggers_asleep():
        delete_rows(other_event())


def head_words(event: Event) -> None:
    sql("DELETE FROM tournament_recordhead WHERE round = 0")


def site_trail(event: Event) -> None:
    sql("DELETE FROM tournament_auditrow WHERE event_id IS NULL")


def hold(event: Event) -> None:
    sql("UPDATE tournament_event SET hold = 'last', shown_through = 99, live_tables = 'hands', visibility = 'unlisted'")


def write_act(event: Event) -> None:
    """Insert a penalty with an act that seals it: anybody with the database has the salts, too."""
    copy_of(given(event), client_id=uuid4(), points=20_000, player_id=player(event, 2).pk)
    event.refresh_from_db()
    rows = {**sealed_rows(event.pk), **dict(read_sealed_hands(event.pk))}
    last = AuditRow.objects.filter(event=event).order_by("seq").last()
    assert last is not None
    act = AuditRow(event=event, seq=last.seq + 1, verb="penalty_given", details="{}", by=last.by, at=last.at)
    act.state, act.salt, act.previous_hash = canonical(row_digests(event.record_salt, rows)), uuid4().hex, last.hash
    act.hash = link(act.previous_hash, act.content())
    copy_of(act)


def strip(event: Event) -> None:
    """Take all seals off, exchange two people, and hash the trail again as programs did before there were seals."""
    exchange_persons(event)
    sql("DELETE FROM tournament_recordhead WHERE event_id = %s", event.pk)
    put(event, record_salt="")
    previous = genesis(event.slug)
    for act in AuditRow.objects.filter(event=event).order_by("seq"):
        act.state = act.salt = ""
        put(act, state="", salt="", previous_hash=previous, hash=link(previous, act.content()))
        previous = link(previous, act.content())
