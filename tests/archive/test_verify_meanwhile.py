"""An event that is verified while a table plays on; in a file of its own, for its rows are really committed."""

import threading
from typing import Any

import pytest
from django.db import connection

from tests.factories import enter_all, make_event, sign, table_of
from tournament.archive.verify import verify_event


@pytest.mark.only_on("sqlite")  # PostgreSQL locks the event while it is read
@pytest.mark.django_db(transaction=True)
def test_what_is_written_while_an_event_is_walked_is_no_finding():
    event = make_event(slug="cup")
    table = table_of(event)
    enter_all(table, "1t 230")
    written: list[int] = []

    def play_on() -> None:
        enter_all(table, "2r3 340/2")
        sign(table)
        written.append(2)
        connection.close()

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        if 'FROM "tournament_sheetrow"' in sql and not written:  # the ledger has been read, the sheets have not
            writer = threading.Thread(target=play_on)
            writer.start()
            writer.join(30)
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        report = verify_event(event)
    assert (report.problems, report.entries, report.sheets, written) == ([], 1, 0, [2])
