"""`export_event`, `import_event` and `verify_ledger`: a whole event travels, and damage is named."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from tests.conftest import triggers_asleep
from tests.factories import make_event, play_round, rows_of, table_of
from tests.typed import run_in_turn
from tests.web.commands.conftest import Run
from tournament.archive.queries import get_event_file
from tournament.events.models import Event
from tournament.record.queries import head_words

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.whole_run,
]  # the actions behind these commands run again


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup")
    play_round(event, 1, "1t 230", "2r3 340/2")
    return event


@pytest.mark.follows("after/keep.md")
@pytest.mark.slow
def test_out_of_one_desk_into_an_empty_one_and_out_again_byte_for_byte(event: Event, run: Run, tmp_path: Path):
    """The other desk is a process with a database that is not even there yet."""
    file = tmp_path / "cup.json"
    run("export_event", "cup", str(file))
    assert file.read_bytes() == get_event_file(event).encode()

    commands = [["import_event", str(file)], ["export_event", "cup", "-"], ["verify_ledger"]]
    taken, out, verified = run_in_turn(commands, tmp_path)
    assert (taken.code, taken.err, json.loads(taken.out)) == (0, "", {"event": "cup", "players": 8, "rounds": 2})
    assert (out.code, out.out.encode()) == (0, file.read_bytes()), out.err
    assert json.loads(verified.out)["ok"] is True


def test_an_event_that_is_there_is_not_taken_a_second_time(event: Event, run: Run, tmp_path: Path):
    with pytest.raises(CommandError, match=r"^There is an event 'cup' already; nothing was imported\.$"):
        run("import_event", "-", given=get_event_file(event).encode())


def test_a_damaged_file_is_refused_in_words(event: Event, run: Run, tmp_path: Path):
    file = tmp_path / "cup.json"
    file.write_text(get_event_file(event).replace("Akelei", "Akelej"), encoding="utf-8")
    with pytest.raises(CommandError, match=r"^The event file is damaged: its content does not fit its checksum\.$"):
        run("import_event", str(file))


def test_a_place_that_cannot_be_written_is_said_and_leaves_nothing(event: Event, run: Run, tmp_path: Path):
    with pytest.raises(CommandError, match=r"cannot be written: No such file or directory\.$"):
        run("export_event", "cup", str(tmp_path / "nowhere" / "cup.json"))
    (tmp_path / "taken").mkdir()
    with pytest.raises(CommandError, match="cannot be written"):
        run("export_event", "cup", str(tmp_path / "taken"))
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_file_that_is_not_there_is_said(run: Run, tmp_path: Path):
    with pytest.raises(CommandError, match=r"cannot be read: No such file or directory\.$"):
        run("import_event", str(tmp_path / "cup.json"))


@pytest.mark.follows("after/keep.md")
def test_an_honest_database_passes(event: Event, run: Run):
    head = event.heads.get()
    assert json.loads(run("verify_ledger")) == {
        "ok": True, "events": 1, "tables": 4, "entries": 4, "sheets": 2, "audit_rows": event.audit.count(),
        "heads": 1, "keys": [head.public_key], "findings": 0, "remarks": 0,
    }  # fmt: skip
    assert json.loads(run("verify_ledger", "cup"))["ok"] is True


def test_a_head_is_found_by_its_words_or_its_digits_or_in_a_file(event: Event, run: Run, tmp_path: Path):
    head = event.heads.get()
    file = tmp_path / "head.txt"
    file.write_text(f"{head_words(head.root)}\n")
    wanted = {"against": {"event": "cup", "acts": head.size, "since": event.audit.count() - head.size}}
    address = f"http://desk.local/e/cup/record/?head={head.root}"
    for given in (head_words(head.root).upper(), head.root, address, str(file)):
        assert json.loads(run("verify_ledger", "--against", given).splitlines()[0]) == wanted
    with pytest.raises(CommandError, match="eight words"):
        run("verify_ledger", "--against", "abandon")
    assert _first_finding("--against", "0" * 64) == "verify.against"


def test_a_key_that_is_not_known_is_named_until_it_is_trusted(event: Event, run: Run, settings: Any, tmp_path: Path):
    settings.DATA_DIR = tmp_path
    assert json.loads(run("verify_ledger"))["ok"] is True  # a desk that never signed nor took an event knows no key
    (tmp_path / "record.trusted").write_text("00" * 32)
    assert _first_finding() == "verify.head_key"
    assert json.loads(run("verify_ledger", "--trust", event.heads.get().public_key))["ok"] is True


def _first_finding(*arguments: str) -> str:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_ledger", *arguments, stdout=out)
    return str(json.loads(out.getvalue().splitlines()[0])["code"])


def test_one_byte_changed_by_hand_names_the_row_and_exits_with_1(event: Event):
    row = rows_of(table_of(event, 2))[1]
    with triggers_asleep(), connection.cursor() as cursor:
        changed = row.payload.replace('"fu":40', '"fu":30')
        cursor.execute("UPDATE tournament_ledgerentry SET payload = %s WHERE id = %s", [changed, row.pk])
    out = io.StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("verify_ledger", stdout=out)
    assert stop.value.code == 1
    *findings, summary = [json.loads(line) for line in out.getvalue().splitlines()]
    assert findings[0] == {
        "code": "verify.hash",
        "message": "cup/rounds/1/tables/2 row 2: its content does not fit its hash.",
        "params": {"where": "cup/rounds/1/tables/2", "row": 2},
    }
    assert [finding["code"] for finding in findings] == ["verify.hash", "verify.sheet_differs"]
    assert (summary["ok"], summary["findings"]) == (False, 2)
