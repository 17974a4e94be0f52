"""The database's files deleted under an open desk: said loudly, nothing more written, nothing answered lost."""

import copy
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connections

from web import settings
from web.server.errors import AWAY, status_of
from web.server.sqlite_queue.base import REPLACED, DatabaseWrapper, are_replaced


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
