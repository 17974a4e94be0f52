"""Backups: which are kept, and that nothing is touched before a restore is proved."""

import datetime as dt
import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import triggers_asleep
from tests.factories import enter, fresh, make_event, play_round, round_of, table_of, writer_of
from tournament.accounts.actions import invite
from tournament.accounts.models import Role
from tournament.accounts.session_store import SessionStore
from tournament.archive.queries import get_event_file
from tournament.backups.backup import (
    BackupConfig,
    back_up,
    delete_outdated,
    expired,
    go_on_from,
    is_event_running,
    list_backups,
    name_at,
    next_at,
    read_state,
    rotate,
)
from tournament.backups.config import describe_backup
from tournament.backups.container import TABLES as EMPTIED
from tournament.backups.container import check_container, extract_database, read_manifest, write_container
from tournament.backups.restore import (
    Source,
    newest_sound,
    playing_of,
    refuse_running,
    restore_sqlite,
)
from tournament.backups.thread import BackupThread, faults_of, write_due_event_files
from tournament.core.errors import DomainError
from tournament.drill.actions import KEPT, make_drill
from tournament.drill.models import CrewDrill, CrewResult
from tournament.events.actions import set_keep_months
from tournament.events.models import VERSIONS_AHEAD, Event
from tournament.privacy.queries import get_backup_kept_until, get_kept_until
from tournament.rounds.actions import start_round

pytestmark = pytest.mark.whole_run

TABLES = [name for name in EMPTIED if name.startswith("tournament_")]  # others are of desks that are not migrated yet
NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)
MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


def code_of(refused: pytest.ExceptionInfo[DomainError]) -> str:
    return refused.value.problems[-1].code


# ---------------------------------------------------------------- which are kept


@pytest.mark.parametrize(
    ("ages", "gone"),
    [
        ([], []),
        ([5 * MINUTE * number for number in range(12)], []),
        # more than twelve within an hour: the thirteenth goes, for of 11 o'clock 11:59 stays
        ([MINUTE * number for number in range(13)], [12 * MINUTE]),
        ([MINUTE * number for number in (*range(12), 20, 30)], [30 * MINUTE, 20 * MINUTE]),
        # of hours that are past the newest stays
        ([*(MINUTE * number for number in range(12)), 3 * HOUR - MINUTE, 3 * HOUR], [3 * HOUR]),
        # after a day one a day, after a month none
        ([*(MINUTE * number for number in range(12)), 2 * DAY, 2 * DAY + HOUR], [2 * DAY + HOUR]),
        ([*(MINUTE * number for number in range(12)), 40 * DAY], [40 * DAY]),
    ],
)
def test_what_goes(ages: list[dt.timedelta], gone: list[dt.timedelta]):
    made = [NOON - age for age in sorted(ages)]
    assert sorted(made[position] for position in expired(made)) == sorted(NOON - age for age in gone)


@given(st.lists(st.integers(0, 100_000), unique=True))
def test_the_newest_twelve_never_go_and_a_second_look_finds_nothing(minutes: list[int]):
    made = sorted((NOON - MINUTE * each for each in minutes), reverse=True)
    gone = expired(made)
    assert all(position >= 12 for position in gone)
    kept = [at for position, at in enumerate(made) if position not in gone]
    assert expired(kept) == []
    assert len(kept) <= 12 + 25 + 32


def touch(folder: Path, at: dt.datetime, number: int, desk: str = "0d2f00aa") -> str:
    name = name_at(at, desk, number, sealed=False)
    (folder / name).touch()
    return name


def test_a_clock_that_was_ahead_deletes_no_new_backup(tmp_path: Path):
    ahead = [touch(tmp_path, NOON + 40 * DAY + MINUTE * number, number) for number in range(1, 13)]
    for number in range(13, 30):
        newest = touch(tmp_path, NOON + MINUTE * number, number)
        rotate(tmp_path, "0d2f00aa")
        kept = {each.path.name for each in list_backups(tmp_path)}
        assert newest in kept
        assert list_backups(tmp_path)[0].path.name == newest
    assert not kept & set(ahead)


def test_the_newest_is_the_one_with_the_highest_number_not_the_latest_time(tmp_path: Path):
    touch(tmp_path, NOON + 25 * HOUR, 1)
    newest = [touch(tmp_path, NOON + MINUTE * number, number) for number in (2, 3)]
    old = tmp_path / "hanchan-20270101-000000Z.backup"  # from before the numbers
    old.touch()
    assert [each.path.name for each in list_backups(tmp_path)][:2] == newest[::-1]
    assert list_backups(tmp_path)[-1].path == old


def test_an_events_day_does_not_push_out_the_backups_from_before_updates(tmp_path: Path):
    updates = []
    for number in range(1, 6):
        updates.append(name_at(NOON - DAY * (90 - number), "0d2f00aa", number, sealed=True, before_update=True))
        (tmp_path / updates[-1]).touch()
    for number in range(6, 60):
        touch(tmp_path, NOON + MINUTE * number, number)
        rotate(tmp_path, "0d2f00aa")
    kept = [each.path.name for each in list_backups(tmp_path)]
    assert [name for name in kept if name in updates] == updates[:1:-1]  # the newest three
    assert len(kept) == 12 + 3


def test_two_desks_on_one_stick_leave_each_others_backups(tmp_path: Path):
    theirs = [touch(tmp_path, NOON + MINUTE * number, number, "ffffffff") for number in range(1, 20)]
    for number in range(1, 30):
        touch(tmp_path, NOON + MINUTE * number, number)
        rotate(tmp_path, "0d2f00aa")
    assert {each.path.name for each in list_backups(tmp_path) if each.desk == "ffffffff"} == set(theirs)
    assert len([each for each in list_backups(tmp_path) if each.desk == "0d2f00aa"]) == 12


@pytest.mark.parametrize("key", ["", "a key"])
def test_a_desk_deletes_its_own_outdated_copies_and_never_the_newest(tmp_path: Path, key: str):
    (tmp_path / "database").write_bytes(b"rows")
    untils = {1: "2026-09-11", 2: "2026-09-12", 3: None, 4: "2026-09-11"}
    for desk in ("0d2f00aa", "ffffffff"):
        for number, until in untils.items():
            file = tmp_path / name_at(NOON + MINUTE * number, desk, number, sealed=bool(key))
            manifest = {"format": 1, "keep_until": until}
            write_container(file, manifest, tmp_path / "database", key)
            check_container(file)
            assert read_manifest(file, key) == manifest
    delete_outdated(tmp_path, "0d2f00aa", dt.date(2026, 9, 12))
    left = {(each.desk, each.number) for each in list_backups(tmp_path)}
    assert left == {("ffffffff", number) for number in untils} | {("0d2f00aa", number) for number in (2, 3, 4)}


@pytest.mark.django_db
def test_a_backup_says_until_when_it_may_be_kept(tmp_path: Path):
    day = NOON.date()
    assert get_backup_kept_until(day) is None
    first, second = make_event(slug="first", tables=1), make_event(slug="second", tables=1)
    set_keep_months(event=first, months=6, by=writer_of(first))
    set_keep_months(event=second, months=3, by=writer_of(second))
    days = [get_kept_until(fresh(event)) for event in (first, second)]
    assert days[0]
    assert days[1]
    assert get_backup_kept_until(days[1]) == days[1] < days[0]
    assert get_backup_kept_until(days[1] + DAY) == days[0]
    assert get_backup_kept_until(days[0] + DAY) is None


def test_a_restore_warns_of_an_outdated_backup():
    manifest = {"made_at": "2026-09-12T10:00:00.000000Z", "events": []}
    words = "It was to be kept until 2026-09-12: run forget_expired, then delete the file and its copies."
    assert words in describe_backup({**manifest, "keep_until": "2026-09-12"})
    for more in ({}, {"keep_until": None}, {"keep_until": "2999-01-01"}):
        assert words[:12] not in " ".join(describe_backup({**manifest, **more}))


def test_numbers_go_on_after_a_restore_and_after_a_lost_state(tmp_path: Path):
    config = BackupConfig(tmp_path)
    go_on_from(config, 41)
    assert read_state(config).number == 41
    go_on_from(config, 7)
    state = read_state(config)
    assert (state.number, len(state.desk)) == (41, 8)


# ---------------------------------------------------------------- making and putting back


@pytest.mark.django_db
def test_when_an_event_runs():
    event = make_event(tables=1, rounds=1)
    assert not is_event_running()
    start_round(round_=round_of(event), by=writer_of(event))
    assert is_event_running()
    play_round(event, 1, "1t 230")
    assert not is_event_running()


@pytest.mark.django_db
class TestEventFiles:
    def test_each_round_leaves_what_export_event_writes(self, tmp_path: Path):
        event = make_event(tables=1, rounds=2, slug="cup")
        assert write_due_event_files(tmp_path) == []
        play_round(event, 1, "1t 230")
        file = tmp_path / "events" / "cup-round-1.json"
        assert write_due_event_files(tmp_path) == [file]
        assert file.read_text(encoding="utf-8") == get_event_file(event)
        assert write_due_event_files(tmp_path) == []
        event.rounds.filter(number=1).update(released_at=NOON)  # taken back, and released again
        assert write_due_event_files(tmp_path) == [file]
        assert [path.name for path in file.parent.iterdir()] == ["cup-round-1.json"]


def no_proof(stage: Path) -> None:
    assert (stage / "db.sqlite3").exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.only_on("sqlite")  # a database in one file
class TestOnSqlite:
    def test_a_day_with_a_stick(self, tmp_path: Path):
        """Nothing is made before play, one after each change, none without; a stick that is out is told."""
        stick = tmp_path / "stick"
        config = BackupConfig(tmp_path, (stick,), "correct horse")
        event = make_event(tables=1, rounds=1, slug="cup")
        assert (back_up(config, NOON).folders[str(stick)].file, faults_of(back_up(config, NOON))) == ("", ())
        start_round(round_=round_of(event), by=writer_of(event))
        enter(table_of(event), "1t 230")

        without = back_up(config, NOON)
        assert [fault.code for fault in faults_of(without)] == ["backup.folder_missing"]
        assert [kept.path.name for kept in list_backups(config.own)] == [
            f"hanchan-{without.desk}-000001-20260912-120000Z.encrypted.backup"
        ]
        assert next_at(config, without) == NOON + 5 * MINUTE
        assert not stick.exists()

        stick.mkdir()
        again = back_up(config, NOON + MINUTE)  # only the stick wants one
        assert [fault.code for fault in faults_of(again)] == ["backup.same_disk"]
        assert (len(list_backups(config.own)), len(list_backups(stick))) == (1, 1)
        assert back_up(config, NOON + 2 * MINUTE).of(stick).at == again.of(stick).at

        play_round(event, 1, "1t 230")
        assert back_up(config, NOON + 3 * MINUTE).of(stick).file.endswith("-000003-20260912-120300Z.encrypted.backup")
        back_up(config, NOON + 4 * MINUTE)  # it has ended, and its end is kept
        assert (len(list_backups(config.own)), len(list_backups(stick))) == (2, 2)
        assert sorted(path.name for path in stick.iterdir() if path.name.startswith(".")) == []

    def test_put_back_it_holds_what_was_there_and_keeps_the_former(self, tmp_path: Path):
        event = make_event(tables=1, rounds=1, slug="cup")
        start_round(round_=round_of(event), by=writer_of(event))
        enter(table_of(event), "1t 230")
        (tmp_path / "desk").mkdir()
        (tmp_path / "desk" / "secret.key").write_text("theirs", encoding="ascii")
        back_up(BackupConfig(tmp_path / "desk", (), "a key"), NOON, always=True)
        source, passed = newest_sound(tmp_path / "desk" / "backups", "a key", database="sqlite")
        assert passed == []
        there = tmp_path / "there"
        there.mkdir()
        with closing(sqlite3.connect(there / "db.sqlite3")) as former:
            former.execute("CREATE TABLE mine (x)")
        (there / "secret.key").write_text("mine", encoding="ascii")

        restored = restore_sqlite(source, there, NOON, no_proof)
        assert sorted(path.name for path in there.iterdir()) == [
            "before-20260912-120000-db.sqlite3",
            "before-20260912-120000-secret.key",
            "db.sqlite3",
            "secret.key",
        ]
        assert (there / "secret.key").read_text(encoding="ascii") == "theirs"
        assert [(table["table"], table["hands"], table["last"]["kind"]) for table in playing_of(restored.manifest)] == [
            (1, 1, "tsumo")
        ]
        with closing(sqlite3.connect(there / "db.sqlite3")) as database:
            assert database.execute("SELECT COUNT(*) FROM tournament_ledgerentry").fetchone() == (1,)
            (version,) = database.execute("SELECT version FROM tournament_event").fetchone()
        assert version == Event.objects.get().version + VERSIONS_AHEAD

    def test_a_backup_lets_nobody_in_and_a_restore_opens_nothing_again(self, tmp_path: Path):
        event = make_event(tables=1, rounds=1, slug="cup")
        session = SessionStore()
        session["marker"] = "a session in clear"
        session.create()
        invite(event=event, role=Role.REFEREE, name="Linde", by=writer_of(event))
        config = BackupConfig(tmp_path / "desk")
        back_up(config, NOON, always=True)
        (kept,) = list_backups(config.own)
        extract_database(kept.path, "", tmp_path / "database")
        with closing(sqlite3.connect(tmp_path / "database")) as copy:
            assert [copy.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in TABLES] == [0, 0, 0]
        assert str(session.session_key).encode() not in (tmp_path / "database").read_bytes()

        whole = tmp_path / "whole"  # as backups were before: with sessions and links
        name = str(connection.settings_dict["NAME"])
        with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(whole)) as copy:
            source.backup(copy)
        digest = hashlib.sha256(whole.read_bytes()).hexdigest()
        write_container(tmp_path / "old", {**read_manifest(kept.path, ""), "sha256": digest}, whole, "")
        restore_sqlite(Source(tmp_path / "old"), tmp_path / "there", NOON, no_proof)
        with closing(sqlite3.connect(tmp_path / "there" / "db.sqlite3")) as there:
            assert [there.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in TABLES] == [0, 0, 0]

    def test_a_broken_chain_is_told_and_the_backup_is_made(self, tmp_path: Path):
        event = make_event(tables=1, rounds=1, slug="cup")
        enter(table_of(event), "1t 230")
        with triggers_asleep(), connection.cursor() as cursor:
            cursor.execute("UPDATE tournament_auditrow SET \"by\" = 'somebody else'")
        state = back_up(BackupConfig(tmp_path), NOON, always=True)
        assert [fault.code for fault in faults_of(state)] == ["backup.chains_broken"]
        assert len(list_backups(tmp_path / "backups")) == 1

    def test_what_is_refused_touches_nothing(self, tmp_path: Path):
        config = BackupConfig(tmp_path / "desk")
        back_up(config, NOON, always=True)
        (kept,) = list_backups(config.own)
        file = kept.path
        there = tmp_path / "there"
        there.mkdir()
        (there / "db.sqlite3").write_bytes(b"damaged, but mine")

        def disproved(_stage: Path) -> None:
            raise DomainError(*no_hands.problems)

        no_hands = DomainError()
        no_hands.problems = (faults_of(back_up(BackupConfig(tmp_path, (tmp_path / "none",)), NOON, always=True))[0],)
        with pytest.raises(DomainError):
            restore_sqlite(Source(file), there, NOON, disproved)
        newer = tmp_path / "newer"
        manifest = {**read_manifest(file, ""), "migrations": ["tournament.9999_future"]}
        extract_database(file, "", tmp_path / "database")
        write_container(newer, manifest, tmp_path / "database", "")
        with pytest.raises(DomainError) as refused:
            restore_sqlite(Source(newer), there, NOON, no_proof)
        assert code_of(refused) == "backup.newer"
        assert {path.name: path.read_bytes() for path in there.iterdir()} == {"db.sqlite3": b"damaged, but mine"}

    def test_a_damaged_one_is_passed_over_for_the_one_before(self, tmp_path: Path):
        config = BackupConfig(tmp_path)
        for minute in range(2):
            back_up(config, NOON + minute * MINUTE, always=True)
        newest, sound = (kept.path for kept in list_backups(config.own))
        newest.write_bytes(newest.read_bytes()[:-1])
        source, passed = newest_sound(config.own, "", database="sqlite")
        assert (source.file, [refused.problems[0].code for refused in passed]) == (sound, ["backup.cut_short"])
        sound.unlink()
        with pytest.raises(DomainError) as refused:
            newest_sound(config.own, "", database="sqlite")
        assert code_of(refused) == "backup.none_sound"

    def test_a_desk_that_runs_is_noticed(self, tmp_path: Path):
        file = tmp_path / "db.sqlite3"
        with closing(sqlite3.connect(file)) as desk:
            desk.execute("PRAGMA journal_mode=WAL")
            desk.execute("CREATE TABLE t (x)")
            with pytest.raises(DomainError) as refused:
                refuse_running(file)
            assert code_of(refused) == "backup.desk_running"
        refuse_running(file)

    def test_the_thread_tells_a_fault_once(self, tmp_path: Path):
        event = make_event(tables=1, rounds=1, slug="cup")
        start_round(round_=round_of(event), by=writer_of(event))
        told: list[list[str]] = []
        thread = BackupThread(
            BackupConfig(tmp_path, (tmp_path / "stick",)), lambda faults: told.append([f.code for f in faults])
        )
        thread.look(backup=True)
        thread.look(backup=True)
        thread.look(backup=False)
        (tmp_path / "events").write_text("a file where the folder should be", encoding="ascii")
        play_round(event, 1, "1t 230")
        thread.look(backup=False)
        assert told == [["backup.folder_missing"], ["backup.folder_missing", "backup.event_file"]]

    def test_the_thread_forgets_old_drills_without_any_backup(self, tmp_path: Path):
        event = make_event(tables=1, rounds=1, slug="cup")
        drill = make_drill(event=event, seed=7, count=1, kinds=["pay"], by=writer_of(event))
        young = make_drill(event=event, seed=8, count=1, kinds=["pay"], by=writer_of(event))
        CrewDrill.objects.filter(pk=drill.pk).update(made_at=drill.made_at - KEPT - MINUTE)
        CrewResult.objects.create(drill=drill, client_id=uuid4(), name="Rita", answers="a", sent_at=drill.made_at)
        BackupThread(BackupConfig(tmp_path, ()), lambda _faults: None).look(backup=False)
        assert [each.pk for each in CrewDrill.objects.all()] == [young.pk]
        assert CrewResult.objects.count() == 0

    def test_hands_are_entered_while_a_copy_is_made(self, tmp_path: Path):
        """The copy is of one moment, and a writer in the midst of it waits for nobody."""
        event = make_event(tables=1, rounds=1, slug="cup")
        name = str(connection.settings_dict["NAME"])
        copied: list[int] = []
        with closing(sqlite3.connect(name)) as source, closing(sqlite3.connect(tmp_path / "copy")) as copy:
            source.execute("BEGIN")
            source.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()

            def between(_status: int, _remaining: int, _total: int) -> None:
                if not copied:
                    enter(table_of(event), "1t 230")
                copied.append(1)

            source.backup(copy, pages=20, progress=between)
            assert len(copied) > 3
            assert copy.execute("SELECT COUNT(*) FROM tournament_ledgerentry").fetchone() == (0,)
        assert table_of(event).ledger.count() == 1


def test_the_state_of_a_newer_program_is_no_reason_to_stop(tmp_path: Path):
    from tournament.backups.backup import State, read_state

    config = BackupConfig(tmp_path)
    config.own.mkdir()
    for text in ("", "{", "[]", json.dumps({"looked_at": "", "running": True, "folders": {"x": {"new": 1}}})):
        (config.own / "state.json").write_text(text, encoding="utf-8")
        assert read_state(config) == State()
