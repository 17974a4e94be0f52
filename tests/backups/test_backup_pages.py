"""Nothing lost, as people meet it: the page of backups, the commands, a full disk, and a clock that was set back."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import time_machine
from django.conf import LazySettings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client
from django.utils import timezone

from tests.factories import enter, make_account, make_event, play_round, round_of, rows_of, table_of, writer_of
from tests.pages.at_desk import client_of
from tournament.archive.verify import verify_event
from tournament.backups.config import age_of, clock_of, describe_backup, tables_to_check
from tournament.core.now import clock_at
from tournament.rounds.actions import start_round
from tournament.tables.round_queries import get_clock
from web.server.errors import status_of

pytestmark = [pytest.mark.once, pytest.mark.whole_run]

BACKUPS = "/desk/backups/"
ENTRIES = "/api/v1/events/cup/rounds/1/tables/1/entries"
HAND = {"kind": "draw", "tenpai": [0, 1, 2, 3]}


@pytest.fixture
def kept_at(tmp_path: Path, settings: LazySettings) -> Path:
    """Let backups go to folders of this test."""
    settings.DATA_DIR = tmp_path
    settings.BACKUP_TO = (tmp_path / "stick",)
    return tmp_path


def organiser() -> Client:
    return client_of(make_account("Organiser", superuser=True))


@pytest.mark.only_on("sqlite")  # a database in one file
@pytest.mark.django_db(transaction=True)
class TestPage:
    def test_the_button_makes_one_and_the_page_says_what_is_missing(self, kept_at: Path):
        client = organiser()
        assert client.get(BACKUPS).content.decode().count("No backup yet.") == 2
        page = client.post(BACKUPS, follow=True).content.decode()
        assert page.count("Some folders have no backup: see below.") == 1
        assert f"The folder {kept_at / 'stick'} is not there." in page
        ((file,),) = ([path.name for path in (kept_at / "backups").glob("*.backup")],)
        assert file in page
        (kept_at / "stick").mkdir()
        page = client.post(BACKUPS, follow=True).content.decode()
        assert "The backup is made and checked." in page
        assert "is on the same disk as the desk&#x27;s data" in page
        assert "They are not encrypted" in page

    def test_the_command_for_service_managers(self, kept_at: Path, capsys: pytest.CaptureFixture[str]):
        call_command("backup", "--if-due")
        assert capsys.readouterr().out == ""
        event = make_event(tables=1, rounds=1, slug="cup")
        start_round(round_=round_of(event), by=writer_of(event))
        with pytest.raises(CommandError, match=r"^Not every folder has its backup\.$"):
            call_command("backup", "--if-due")
        (kept_at / "stick").mkdir()
        capsys.readouterr()
        play_round(event, 1, "1t 230")
        call_command("backup", "--if-due")
        said = capsys.readouterr().out.splitlines()
        assert [Path(line.partition(" (")[0]).exists() for line in said] == [True] * 3
        assert said[-1] == str(kept_at / "events" / "cup-round-1.json")


def pages(most: int | None = None) -> None:
    """Let the database grow to so many pages, or no further than it is: as on a disk that is full."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {most or cursor.fetchone()[0]}")


@pytest.mark.only_on("sqlite")  # a database in one file
@pytest.mark.django_db(transaction=True)
class TestFullDisk:
    @pytest.fixture(autouse=True)
    def _room_again(self) -> Iterator[None]:
        yield
        pages(1073741823)

    def test_hands_are_refused_in_words_and_nothing_stands_half_written(self):
        event = make_event(tables=1, rounds=1, slug="cup")
        client = client_of(writer_of(event))
        pages()
        seq, answer = 0, None
        client_id = ""
        for _ in range(200):
            client_id = str(uuid4())
            body = {"client_id": client_id, "expected_seq": seq, "entry": HAND, "reason": "x" * 400}
            answer = client.post(ENTRIES, body, content_type="application/json")
            if answer.status_code != 201:
                break
            seq += 1
        assert answer is not None
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (507, "storage.full")
        assert answer.json()["problems"][0]["message"].startswith("The disk of the desk is full: this was not written.")
        assert "Traceback" not in answer.content.decode()
        assert [row.seq for row in rows_of(table_of(event))] == list(range(1, seq + 1))
        assert verify_event(event).problems == []
        page = client.post(
            "/desk/cup/rounds/1/tables/1/",
            {"client_id": uuid4(), "expected_seq": seq, "line": "1t 230", "reason": "x" * 400},
        )
        assert (page.status_code, "Not written" in page.content.decode()) == (507, True)

        pages(1073741823)  # somebody makes room
        body = {"client_id": client_id, "expected_seq": seq, "entry": HAND, "reason": "x" * 400}
        assert client.post(ENTRIES, body, content_type="application/json").status_code == 201
        assert client.post(ENTRIES, body, content_type="application/json").status_code == 200
        assert verify_event(event).problems == []


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (OperationalError("database or disk is full"), 507),
        (OperationalError('could not extend file "base/5/16384": No space left on device'), 507),
        (OperationalError("database is locked"), 503),
        (InterfaceError("connection already closed"), 503),
        (ProgrammingError("relation does not exist"), None),
        (ValueError("disk is full"), None),
    ],
)
def test_which_faults_are_the_disks_and_which_are_ours(wrong: Exception, status: int | None):
    assert status_of(wrong) == status


@pytest.mark.django_db
class TestClock:
    @pytest.mark.postgresql
    def test_an_hour_back_between_two_hands_breaks_nothing_and_is_told(self, kept_at: Path):
        event = make_event(tables=1, rounds=1, slug="cup")
        now, table = timezone.now(), table_of(event)
        with clock_at(now + dt.timedelta(hours=1)):
            start_round(round_=round_of(event), by=writer_of(event))
            enter(table, "1t 230")
        enter(table, "2r3 340/2")
        enter(table, "d13")
        assert [row.seq for row in rows_of(table)] == [1, 2, 3]
        assert rows_of(table)[1].at < rows_of(table)[0].at
        assert verify_event(event).problems == []
        assert get_clock(round_of(event)).started_at == now + dt.timedelta(hours=1)
        client = client_of(writer_of(event))
        assert client.get("/desk/cup/").status_code == 200
        assert client.get("/desk/cup/rounds/1/tables/1/").status_code == 200
        said = "The clock of this computer went back: the last entry is of"
        assert said in organiser().get(BACKUPS).content.decode()
        with time_machine.travel(now + dt.timedelta(hours=2)):  # somebody sets it right
            assert said not in organiser().get(BACKUPS).content.decode()


def test_the_settings_that_keep_an_answered_hand():
    """What a desk's connections are told; what SQLite's say of themselves is asked in tests/test_backups_docs.py."""
    from web.settings import DATABASE_URL, DATABASES, SQLITE

    assert SQLITE["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    if DATABASE_URL:
        assert "synchronous_commit=on" in DATABASES["default"]["OPTIONS"]["options"]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "a moment"),
        (1.9, "a moment"),
        (2, "2 minutes"),
        (119.9, "119 minutes"),
        (120, "2 hours"),
        (179, "2 hours"),
        (2879, "47 hours"),
        (2880, "2 days"),
        (4319, "2 days"),
    ],
)
def test_an_age_is_said_in_the_largest_fitting_unit(minutes: float, words: str):
    with time_machine.travel(timezone.now(), tick=False):
        assert age_of(timezone.now() - dt.timedelta(minutes=minutes)) == words
    assert age_of(None) == "a moment"


def test_the_tables_to_hold_against_their_paper_are_said_with_their_last_hands():
    at = {"event": "cup", "round": 2, "last_hand_at": "2026-09-12T09:30:05+00:00"}
    rows = [
        {**at, "table": 1, "hands": 3, "last": '{"kind": "draw", "tenpai": [0, 2]}'},
        {**at, "table": 2, "hands": 1, "last": ""},
        {**at, "table": 3, "hands": 1, "last": '{"kind": "of a later version"}'},
        {**at, "table": 4, "hands": 0, "last_hand_at": None, "last": ""},
    ]
    hour = clock_of(dt.datetime(2026, 9, 12, 9, 30, 5, tzinfo=dt.UTC))
    assert tables_to_check({"playing": rows}) == [
        f"  cup round 2 table 1: 3 hands, the last at {hour}: d13",
        f"  cup round 2 table 2: 1 hands, the last at {hour}: void",
        f"  cup round 2 table 3: 1 hands, the last at {hour}: another entry",
        "  cup round 2 table 4: 0 hands",
    ]


def test_a_backup_says_when_it_was_made_and_what_it_holds():
    made = dt.datetime(2026, 9, 12, 9, 30, 5, tzinfo=dt.UTC)
    events = [
        {"slug": "cup", "name": "Cup", "hands": 12, "last_hand_at": made.isoformat()},
        {"slug": "new", "name": "New", "hands": 0, "last_hand_at": None},
    ]
    with time_machine.travel(made + dt.timedelta(hours=3), tick=False):
        assert describe_backup({"made_at": made.isoformat(), "events": events}) == [
            f"Made {clock_of(made)}, 3 hours ago.",
            f"  Cup (cup): 12 hands, the last at {clock_of(made)}",
            "  New (new): 0 hands",
        ]
