"""The public pages as files in a folder: written again when they change, and gone when they are taken back."""

import datetime as dt
import io
from pathlib import Path

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from tests.factories import fresh, make_event, play_round, writer_of
from tournament.events.actions import set_visibility
from tournament.events.models import Event
from tournament.privacy.actions import set_names_shown

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture
def event() -> Event:
    event = make_event(slug="cup", tables=1, rounds=1)
    play_round(event, 1, "2r3 340/2")
    return event


def publish(folder: Path, *arguments: str) -> str:
    out = io.StringIO()
    call_command("publish", "cup", str(folder), "--once", *arguments, stdout=out)
    return out.getvalue().split("  ")[1].strip()


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_follows_the_event_and_keeps_what_is_not_ours(event: Event, tmp_path: Path):
    folder, log = tmp_path / "club" / "live", tmp_path / "log"
    folder.mkdir(parents=True)
    (folder / "own.html").write_text("the club's own")
    publish(folder, "--then", f"touch {log}")
    assert {"index.html", "rounds.html", "players/1.html", "own.html"} <= files_in(folder)
    assert (folder / "index.html").stat().st_mode & 0o777 == 0o644
    assert log.exists()
    log.unlink()
    with time_machine.travel(timezone.now() + dt.timedelta(hours=1)):
        assert publish(folder, "--then", f"touch {log}") == "0 files"  # nothing public has changed
    assert not log.exists()

    set_names_shown(event=event, numbers=[1], shown=False, by=writer_of(event))
    count = int(publish(folder).removesuffix(" files"))
    assert 0 < count < len(files_in(folder))
    assert not [path for path in folder.rglob("*.html") if "Akelei" in path.read_text(encoding="utf-8")]

    set_visibility(event=fresh(event), visibility="draft", by=writer_of(event))
    publish(folder)
    assert files_in(folder) == {"own.html", ".hanchan-files.json"}


def test_what_could_not_be_sent_is_said(tmp_path: Path):
    make_event(slug="cup", tables=1, rounds=1, published=False)
    assert publish(tmp_path / "site", "--then", "false").endswith(", not sent")
    with pytest.raises(CommandError, match="No such file"):
        publish(tmp_path / "other", "--then", "/no/such/program")


def test_a_list_that_names_files_elsewhere_is_not_believed(tmp_path: Path):
    make_event(slug="cup", tables=1, rounds=1, published=False)
    folder, other = tmp_path / "site", tmp_path / "other.txt"
    folder.mkdir()
    other.write_text("stays")
    (folder / ".hanchan-files.json").write_text('{"../other.txt": "x"}')
    publish(folder)
    assert other.read_text() == "stays"
