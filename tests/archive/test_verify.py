"""The walk over chains, hands and sheets: silent on an honest database, and naming the row that somebody changed."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.conftest import triggers_asleep
from tests.factories import correct, enter_all, make_event, play_round, rows_of, sign, table_of, writer_of
from tournament.accounts.actions import create_organiser_link
from tournament.archive.verify import verify_all, verify_event
from tournament.core.models import AuditRow
from tournament.events.models import Event
from tournament.sheets.actions import reopen_table
from tournament.tables.models import Table

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event with a released round, a reopened table and a correction."""
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230", "2r3 340/2", "d13/1", "4r1 5")
    table = table_of(event, 1, round_=2)
    enter_all(table, "1t 230", "d")
    sign(table)
    reopen_table(table=table, reason="misread", by=writer_of(event))
    correct(table, 1, "1t 340")
    create_organiser_link()
    return event


def by_hand(statement: str, *values: Any) -> None:
    """Do to the database what only somebody with the file in hands can do."""
    with triggers_asleep(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def change(row: Any, column: str, value: Any) -> None:
    by_hand(f"UPDATE {row._meta.db_table} SET {column} = %s WHERE id = %s", value, row.pk)


def found(event: Event) -> list[tuple[str, str, Any]]:
    """Return the findings as code, place and row."""
    return [(p.code, str(p.params["where"]), p.params.get("row")) for p in verify_event(event).problems]


@pytest.fixture
def table(event: Event) -> Table:
    """Return the second table of the released round: four hands, signed."""
    return table_of(event, 2)


def test_an_honest_event_has_no_findings(event: Event):
    report = verify_event(event)
    assert report.problems == []
    assert (report.events, report.tables, report.entries, report.sheets) == (1, 4, 11, 4)
    assert report.audit_rows == event.audit.count()


def test_the_whole_database_is_walked_with_the_sites_own_trail(event: Event):
    report = verify_all()
    assert report.problems == []
    assert report.audit_rows == AuditRow.objects.count() == event.audit.count() + 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("payload", '{"kind":"ron","loser":2,"riichi":[1],"winners":[{"fu":40,"han":2,"seat":1}]}'),
        ("by", "x" * 36),
        ("reason", "because"),
        ("client_id", "00000000000000000000000000000001"),
        ("at", "2026-09-12 10:00:00+00:00"),
        ("hash", "0" * 64),
    ],
)
def test_one_changed_value_in_a_ledger_row_names_that_row(event: Event, table: Table, column: str, value: str):
    change(rows_of(table)[1], column, value)
    assert ("verify.hash", "cup/rounds/1/tables/2", 2) in found(event)
    # and no other row of that chain is blamed
    rows = [row for code, where, row in found(event) if code in ("verify.hash", "verify.previous_hash", "verify.seq")]
    assert rows == [2]


def drop(table: Table, at: int) -> None:
    by_hand("DELETE FROM tournament_ledgerentry WHERE id = %s", rows_of(table)[at].pk)


HERE = "cup/rounds/1/tables/2"
OTHER = "cup/rounds/2/tables/1"


@pytest.mark.parametrize(
    ("forge", "wanted"),
    [
        (lambda table: change(rows_of(table)[1], "payload", rows_of(table)[1].payload.replace('"han":3', '"han":2')),
         [("verify.hash", HERE, 2), ("verify.sheet_differs", HERE, 1)]),
        (lambda table: change(rows_of(table)[1], "previous_hash", "0" * 64), [("verify.previous_hash", HERE, 2)]),
        (lambda table: drop(table, 1),
         [("verify.seq", HERE, 3), ("verify.sheet_differs", HERE, 1), ("verify.row_missing", HERE, 2)]),
        (lambda table: drop(table, 3), [("verify.sheet_entries", HERE, 1), ("verify.row_missing", HERE, 4)]),
        (lambda table: change(rows_of(table_of(table.round.event, 1, round_=2))[2], "supersedes", 7),
         [("verify.hash", OTHER, 3), ("verify.supersedes", OTHER, 3)]),
        *((lambda table, value=value: change(table.sheets.get(), "totals", value), [("verify.sheet_differs", HERE, 1)])
          for value in ("[1,2,3,4]", "[30000,30000,30000]")),
        (lambda table: change(table.sheets.get(), "leftover", 5000), [("verify.sheet_differs", HERE, 1)]),
        (lambda table: change(table.sheets.get(), "ledger_hash", "0" * 64), [("verify.sheet_entries", HERE, 1)]),
        (lambda table: change(table.sheets.get(), "ledger_hash", rows_of(table)[2].hash),
         [("verify.sheet_late", HERE, 1)]),
        (lambda table: change(table.round.event, "rules", '{"players": 4}'), [("verify.rules_unusable", "cup", None)]),
    ],
)  # fmt: skip
def test_what_was_changed_by_hand_is_named_and_nothing_else(
    event: Event, table: Table, forge: Callable[[Table], None], wanted: list[tuple[str, str, Any]]
):
    forge(table)
    assert found(event) == wanted


def test_a_payload_that_cannot_be_read_is_named(event: Event, table: Table):
    change(rows_of(table)[2], "payload", '{"kind":"dr')
    assert ("verify.payload", "cup/rounds/1/tables/2", 3) in found(event)


def test_a_hand_that_never_could_be_entered_is_named(event: Event, table: Table):
    change(rows_of(table)[0], "payload", '{"kind":"tsumo","winners":[{"fu":20,"han":1,"seat":0}]}')
    report = verify_event(event)
    assert [(p.code, p.params["row"]) for p in report.problems] == [("verify.hash", 1)]
    assert [(p.code, p.params["row"], p.params["because"]) for p in report.remarks] == [
        ("verify.refused", 1, "win.fu_impossible")
    ]


def test_a_changed_audit_row_is_named(event: Event):
    row = event.audit.get(seq=4)
    change(row, "verb", "nothing_happened")
    assert ("verify.hash", "cup/audit", 4) in found(event)


def test_a_changed_row_of_the_sites_trail_is_named(event: Event):
    change(AuditRow.objects.get(event=None), "details", "{}")
    assert [(p.code, p.params["where"], p.params["row"]) for p in verify_all().problems] == [
        ("verify.hash", "site/audit", 1)
    ]


@pytest.mark.only_on("sqlite")  # keeps a value that is not of its column's type
@pytest.mark.parametrize(
    ("column", "value"), [("at", "yesterday"), ("at", "2026-13-01 00:00:00"), ("client_id", "zz"), ("seq", "x")]
)
def test_a_value_that_cannot_even_be_read_is_named(event: Event, table: Table, column: str, value: str):
    change(rows_of(table)[1], column, value)
    place = "x" if column == "seq" else 2
    assert ("verify.row_unreadable", "cup/rounds/1/tables/2", place) in found(event)


@pytest.mark.only_on("sqlite")  # keeps bytes that are no text
def test_bytes_that_are_no_text_are_named(event: Event, table: Table):
    row = rows_of(table)[1]
    by_hand("UPDATE tournament_ledgerentry SET payload = CAST(x'ff7b' AS TEXT) WHERE id = %s", row.pk)
    assert ("verify.row_unreadable", "cup/rounds/1/tables/2", 2) in found(event)
