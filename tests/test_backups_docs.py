"""docs/operate/backups.md: every command of the page runs as it stands there, on a machine that is lost and found."""

import re
import sys
from pathlib import Path

import pytest
from django.core.management import execute_from_command_line

from bootstrap import REPO
from tests.shared_fixtures import copy_of_desk
from tests.test_desk_command import running_desk, status_of
from tests.typed import Ended, type_lines

PAGE = REPO / "docs" / "operate" / "backups.md"
KEY = "four words that you remember"


def commands() -> list[str]:
    """Return the page's commands in order: its indented lines."""
    return [line.strip() for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"    +\S", line)]


def run(commands: list[str], data: Path, stick: Path) -> list[Ended]:
    """Run lines of the page one after the other, with what its first two lines set."""
    return type_lines(commands, data, STICK=str(stick), HANCHAN_BACKUP_TO=str(stick), HANCHAN_BACKUP_KEY=KEY)


def assert_refused_as_cut_short(file: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Restore a file as the page's command does, in this process: it is about the answer."""
    before = sorted(path.name for path in data.iterdir())
    with pytest.raises(SystemExit) as stop:
        execute_from_command_line(["manage.py", "restore", str(file), "--into", str(data), "--key", KEY])
    told = capsys.readouterr().err
    assert (stop.value.code, "is cut short" in told, "Traceback" in told) == (1, True, False)
    assert sorted(path.name for path in data.iterdir()) == before


def test_the_page_has_these_commands():
    assert commands() == [
        'export HANCHAN_BACKUP_TO="$STICK"',
        'export HANCHAN_BACKUP_KEY="four words that you remember"',
        "python3 manage.py backup",
        "python3 manage.py backup --if-due",
        'python3 manage.py standby "$STICK"',
        'python3 manage.py restore "$STICK"/hanchan-*.backup',
        "python3 manage.py verify_ledger",
    ]


@pytest.mark.slow  # real commands, as a person types them
@pytest.mark.skipif(sys.platform == "win32", reason="not on Windows: the page's lines are a shell's")
def test_a_laptop_is_lost_and_another_goes_on_by_the_page_alone(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    first, second, stick = (tmp_path / name for name in ("first", "second", "stick"))
    copy_of_desk(tmp_path_factory, first)
    stick.mkdir()
    second.mkdir()
    _to, _key, backup, if_due, standby, restore, verify = commands()
    made, again = run([backup, if_due], first, stick)
    assert (made.code, again.code) == (0, 0), made.err + again.err
    (file,) = stick.glob("hanchan-*.encrypted.backup")
    assert str(file) in made.out
    assert (again.out, len(list(stick.glob("hanchan-*")))) == ("", 1)  # nothing is new

    whole = file.read_bytes()
    file.write_bytes(whole[:-1000])
    assert_refused_as_cut_short(file, first, capsys)
    file.write_bytes(whole)
    back, verified = run([restore, verify], first, stick)
    assert "Restored and proved by verify_ledger." in back.out, back.err
    assert len(list(first.glob("before-*-db.sqlite3"))) == 1
    assert verified.code == 0, verified.err

    for name, value in (("STICK", str(stick)), ("HANCHAN_BACKUP_KEY", KEY)):
        monkeypatch.setenv(name, value)
    assert standby == 'python3 manage.py standby "$STICK"'
    with running_desk(second, "--host", "127.0.0.1", command=("standby", str(stick))) as running:
        assert "is restored and proved by verify_ledger." in running.said
        assert "cup round 2 table 1: " in running.said
        assert "In the hall" not in running.said  # it is for this machine alone; that it starts again: tools/faults
        assert status_of(running.link[1] + "e/cup/") == 200
