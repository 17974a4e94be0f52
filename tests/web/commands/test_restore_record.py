"""A backup that has less than the desk had sealed, or its seals taken off: said, on the trail, or refused."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.conftest import triggers_asleep
from tests.factories import make_event, play_round
from tests.record.forgeries import strip
from tournament.backups.backup import BackupConfig, back_up, list_backups
from tournament.backups.restore import Source
from tournament.core.errors import DomainError
from tournament.core.sealed_marks import SITE, read_marks
from web.management.base import say
from web.management.commands.restore import put_back

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.only_on("sqlite"),
    pytest.mark.slow,  # a restore proves itself in a process of its own
]


@pytest.fixture
def desk(settings: LazySettings, tmp_path: Path) -> Path:
    """Give the desk a data directory of its own, with a key for its backups."""
    settings.DATA_DIR, settings.BACKUP_TO, settings.BACKUP_KEY = tmp_path, (), "a key"
    return tmp_path


def test_a_restore_of_less_is_said_and_on_the_trail_and_noted(desk: Path):
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230")
    back_up(BackupConfig(desk, (), "a key"), timezone.now(), always=True)
    early = read_marks(desk)["cup"]
    play_round(event, 2, "1t 230")
    late = read_marks(desk)["cup"]

    (backup,) = list_backups(desk / "backups")
    _restored, remarks = put_back(Source(backup.path, "a key"), desk)
    words = f"cup: this desk noted {late.acts} acts, and the trail has {early.acts}."
    assert [remark.partition(" If ")[0] for remark in remarks] == [words]
    with closing(sqlite3.connect(desk / "db.sqlite3")) as database:
        rows = database.execute("SELECT verb, details, seq, hash FROM tournament_auditrow WHERE event_id IS NULL")
        verb, details, seq, last = rows.fetchall()[-1]
    assert (verb, json.loads(details)) == (
        "record_accepted",
        {"found": ["cup"], "reason": f"restored from {backup.path.name}"},
    )
    marks = read_marks(desk)
    assert marks["cup"] == early
    assert (marks[SITE].acts, marks[SITE].hash) == (seq, last)


def test_a_backup_whose_seals_were_taken_off_is_refused(desk: Path):
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230")
    with triggers_asleep():
        strip(event)
    back_up(BackupConfig(desk), timezone.now(), always=True)
    (backup,) = list_backups(desk / "backups")
    with pytest.raises(DomainError) as refused:
        put_back(Source(backup.path, "a key", unsealed=True), desk)
    assert "nothing is sealed: its seals were taken off" in " ".join(map(say, refused.value.problems))
    assert not (desk / "db.sqlite3").exists()
