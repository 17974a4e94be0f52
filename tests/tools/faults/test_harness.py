"""The harness finds what it is for: a disk that loses answered commits, a trail that lacks rows, has them twice or
in another order."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tools.faults.disk import Disk, Kind, NotReachableError
from tools.faults.hall import Row
from tools.faults.history import Sent, judge
from tools.faults.power import after_the_cut


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE t (a)")
        made.commit()
    return path


@pytest.fixture
def disk(file: Path) -> Iterator[Disk]:
    with file.with_suffix(".log").open("wb", buffering=0) as log:
        try:
            made = Disk(str(file), log.fileno())
        except NotReachableError:
            pytest.skip("Python's SQLite is no library of its own here")
        yield made
        made.close()


def rows_after(file: Path, files: dict[str, bytes], folder: Path) -> int:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with closing(sqlite3.connect(folder / file.name)) as read:
        assert read.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (count,) = read.execute("SELECT COUNT(*) FROM t").fetchone()
        return int(count)


@pytest.mark.parametrize(
    ("synchronous", "lying", "all_there"), [("FULL", False, True), ("OFF", False, False), ("FULL", True, False)]
)
def test_a_power_cut_takes_what_was_not_synced(
    file: Path, disk: Disk, synchronous: str, lying: bool, all_there: bool, tmp_path: Path
):
    before = {file.name: file.read_bytes()}
    with closing(sqlite3.connect(file, isolation_level=None)) as write:
        write.execute(f"PRAGMA synchronous={synchronous}")
        for number in range(5):
            write.execute("INSERT INTO t VALUES (?)", [number])
        log = file.with_suffix(".log").read_bytes()
    found = [
        rows_after(file, after_the_cut(before, log, random.Random(seed), lying=lying), tmp_path / str(seed))
        for seed in range(20)
    ]
    assert (set(found) == {5}) is all_there


def test_each_operation_fails_in_turn_and_nothing_is_written_by_halves(file: Path, disk: Disk):
    hit = []
    with closing(sqlite3.connect(file, isolation_level=None)) as write:
        write.execute("PRAGMA synchronous=FULL")
        for number in range(1, 100):
            disk.arm(number, Kind.TORN)
            try:
                write.execute("INSERT INTO t VALUES (?)", [b"x" * 9000])
                written = 1
            except sqlite3.OperationalError:
                written = 0
            disk.disarm()
            assert write.execute("SELECT COUNT(*) FROM t").fetchone() == (written,)
            if not disk.hit:
                break
            hit += disk.hit
    assert {"write wal", "sync wal"} <= set(hit)


def act(worker: int, began: float, ended: float | None, *rows: Row, outcome: str = "answered") -> Sent:
    return Sent(worker, {"kind": "hand"}, began, ended=ended, outcome=outcome, rows=list(rows))


ONE, TWO, THREE = (1, "hand_entered", "a"), (2, "hand_entered", "b"), (3, "hand_entered", "c")


@pytest.mark.parametrize(
    ("acts", "there", "lost", "twice", "unexplained"),
    [
        ([act(1, 0, 1, ONE), act(2, 2, 3, TWO)], {1: [ONE], 2: [TWO]}, 0, 0, 0),
        ([act(1, 0, 5, TWO), act(2, 2, 3, ONE)], {1: [TWO], 2: [ONE]}, 0, 0, 0),  # at the same time: any order
        ([act(1, 0, 1, ONE), act(1, 2, None)], {1: [ONE, TWO]}, 0, 0, 0),  # unanswered, and there
        ([act(1, 0, 1, ONE), act(1, 2, None)], {1: [ONE]}, 0, 0, 0),  # unanswered, and not there
        ([act(1, 0, 1, ONE)], {1: []}, 1, 0, 0),
        ([act(1, 0, 1, ONE)], {1: [(1, "hand_entered", "x")]}, 1, 0, 1),
        ([act(1, 0, 1, ONE, TWO)], {1: [ONE, TWO]}, 0, 1, 0),
        ([act(1, 0, 1, ONE)], {1: [ONE, TWO]}, 0, 0, 1),  # there, and nobody sent it
        ([act(1, 0, 1, TWO), act(2, 2, 3, ONE)], {1: [TWO], 2: [ONE]}, 0, 0, 1),  # answered first, and second there
        ([act(1, 0, 1, ONE, outcome="refused")], {1: [ONE]}, 0, 0, 1),
        ([act(1, 0, 1, ONE), act(1, 2, None)], {1: [ONE, TWO, THREE]}, 0, 1, 0),  # one act was under way, not two
    ],
)  # fmt: skip
def test_a_history_is_held_against_the_trail(
    acts: list[Sent], there: dict[int, list[Row]], lost: int, twice: int, unexplained: int
):
    found = judge(acts, there)
    assert (len(found.lost), len(found.twice), len(found.unexplained)) == (lost, twice, unexplained)
