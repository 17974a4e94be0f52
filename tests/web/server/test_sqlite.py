"""SQLite's own lock makes writers wait, or says so; files deleted under an open desk: nothing answered is lost."""

import copy
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, connections, transaction

from tests.factories import enter, make_event, rows_of, table_of, writer_of
from tests.pages.at_desk import client_of
from web import settings
from web.server.errors import AWAY, status_of
from web.server.sqlite.base import REPLACED, DatabaseWrapper, are_replaced


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "db.sqlite3"


def connected(file: Path) -> DatabaseWrapper:
    """Open a database with the desk's own settings."""
    values: dict[str, Any] = {**copy.deepcopy(connections["default"].settings_dict), **settings.SQLITE}
    return DatabaseWrapper(values | {"NAME": str(file)})


@pytest.fixture
def desk(file: Path, django_db_blocker: Any) -> Iterator[DatabaseWrapper]:
    with django_db_blocker.unblock():
        found = connected(file)
        write(found, "CREATE TABLE hand (n)")
        write(found, "INSERT INTO hand VALUES (1)")
        yield found
        found.close()


def write(desk: DatabaseWrapper, sql: str) -> None:
    desk.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        with desk.cursor() as cursor:
            cursor.execute(sql)
        desk.commit()
    finally:
        desk.set_autocommit(True)


def hands(file: Path) -> list[tuple[int]]:
    with closing(sqlite3.connect(file)) as other:
        return other.execute("SELECT n FROM hand").fetchall()


def test_connections_that_come_and_go_see_no_replaced_files(file: Path, django_db_blocker: Any):
    """The last one deletes the WAL while the next one opens its own."""
    refused: list[OperationalError] = []

    def come_and_go() -> None:
        for _ in range(150):
            found = connected(file)
            try:
                found.ensure_connection()
            except OperationalError as wrong:
                refused.append(wrong)
            found.close()

    with django_db_blocker.unblock():
        threads = [threading.Thread(target=come_and_go) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert refused == []


def test_a_deleted_wal_is_noticed_and_what_it_held_is_kept(desk: DatabaseWrapper, file: Path):
    assert not desk.files_replaced()
    Path(f"{file}-wal").unlink()
    assert desk.files_replaced()
    with pytest.raises(OperationalError, match=REPLACED) as refused:
        write(desk, "INSERT INTO hand VALUES (2)")
    assert status_of(refused.value) == AWAY
    assert hands(file) == [(1,)]


def test_no_new_connection_writes_past_the_old_one(desk: DatabaseWrapper, file: Path):
    Path(f"{file}-wal").unlink()
    later = connected(file)
    with pytest.raises(OperationalError, match=REPLACED):
        write(later, "INSERT INTO hand VALUES (2)")
    later.close()


def test_another_database_moved_in_is_noticed(desk: DatabaseWrapper, file: Path):
    with closing(sqlite3.connect(file.with_name("other"))) as other:
        other.execute("CREATE TABLE hand (n)")
    file.with_name("other").replace(file)
    with pytest.raises(OperationalError, match=REPLACED):
        write(desk, "INSERT INTO hand VALUES (2)")


def test_closing_and_opening_again_is_no_replacing(desk: DatabaseWrapper, file: Path):
    desk.close()  # SQLite itself deletes the WAL with the last connection
    assert not Path(f"{file}-wal").exists()
    assert not are_replaced(str(file))
    write(desk, "INSERT INTO hand VALUES (2)")
    assert len(hands(file)) == 2


def test_a_mac_flushes_to_the_disk_itself(desk: DatabaseWrapper):
    with desk.cursor() as cursor:
        assert cursor.execute("PRAGMA fullfsync").fetchone() == (1,)


# ---------------------------------------------------------------- writers

SOON = 30  # seconds, after which a test gives up


def in_threads(*acts: Callable[[], object]) -> None:
    """Do these at once, each by a connection of its own, and wait for all."""

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.only_on("sqlite")  # PostgreSQL has rows to lock, and no one writer
@pytest.mark.django_db(transaction=True)
class TestWriters:
    def test_ten_at_once_all_write(self):
        event = make_event(tables=10, rounds=1)
        in_threads(*(lambda number=number: enter(table_of(event, number), "1t 230") for number in range(1, 11)))
        assert [len(rows_of(table_of(event, number))) for number in range(1, 11)] == [1] * 10

    def test_a_reader_does_not_wait_and_sees_what_was_there(self):
        event, seen = make_event(tables=1, rounds=1), []
        with transaction.atomic():
            enter(table_of(event), "1t 230")
            in_threads(lambda: seen.append(len(rows_of(table_of(event)))))
        assert seen == [0]

    def test_who_waits_too_long_is_told_in_words_and_nothing_is_written(self, monkeypatch: pytest.MonkeyPatch):
        event = make_event(slug="cup")
        client = client_of(writer_of(event))
        answers: list[Any] = []
        hand = {"client_id": str(uuid4()), "expected_seq": 0, "entry": {"kind": "draw", "tenpai": []}}
        address = "/api/v1/events/cup/rounds/1/tables/1/entries"

        def send() -> None:
            answers.append(client.post(address, hand, content_type="application/json"))

        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
        with transaction.atomic():
            in_threads(send)
        [answer] = answers
        assert answer.status_code == AWAY
        assert [problem["code"] for problem in answer.json()["problems"]] == ["storage.away"]
        assert rows_of(table_of(event)) == []
        in_threads(send)
        assert [answer.status_code for answer in answers] == [AWAY, 201]
