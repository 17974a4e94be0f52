"""`manage.py doctor`: what it judges of disk, clock and browser, and that a fault ends it with 1."""

import contextlib
import datetime as dt
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.db import connection

from tests.conftest import triggers_asleep
from tests.factories import enter, make_event, table_of
from web.management.commands.doctor import (
    GIGABYTE,
    ORGANS,
    Finding,
    Said,
    examine,
    judge_browser,
    judge_clock,
    judge_places,
    judge_space,
    judge_time_zone,
)

NOON = dt.datetime(2026, 9, 12, 12, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


@pytest.mark.parametrize(
    ("free", "level"), [(0, "fault"), (GIGABYTE // 10 - 1, "fault"), (GIGABYTE // 2, "warning"), (GIGABYTE, "ok")]
)
def test_space(free: int, level: str):
    assert judge_space(free)[0] == level


@pytest.mark.parametrize(
    ("newest", "program", "level"),
    [
        (None, NOON - HOUR, "ok"),
        (NOON - HOUR, NOON - HOUR, "ok"),
        (NOON + dt.timedelta(minutes=1), NOON - HOUR, "ok"),
        (NOON + HOUR, NOON - HOUR, "fault"),
        (None, NOON + HOUR, "fault"),
    ],
)
def test_clock(newest: dt.datetime | None, program: dt.datetime, level: str):
    assert judge_clock(NOON, newest, program)[0] == level


@pytest.mark.parametrize(
    ("zone", "machine", "level", "words"),
    [
        ("Europe/Berlin", 2, "ok", "The desk's time zone, Europe/Berlin, agrees with this machine's clock."),
        ("Europe/London", -4, "warning", "Europe/London (UTC+1), but this machine's clock is at UTC−4."),
        ("America/St_Johns", 9, "warning", "America/St_Johns (UTC−2:30), but this machine's clock is at UTC+9."),
    ],
)
def test_time_zone(zone: str, machine: int, level: str, words: str):
    offset = NOON.astimezone(ZoneInfo(zone)).utcoffset()
    judged, said = judge_time_zone(zone, offset, machine * HOUR)
    assert (judged, words in said, "HANCHAN_TZ" in said) == (level, True, level == "warning")


@pytest.mark.parametrize(
    ("version", "level"),
    [(None, "warning"), ("Chromium 107.0.1", "fault"), ("Google Chrome 108.0.5359.71", "ok"), ("Chromium 156.0", "ok")],
)
def test_browser(version: str | None, level: str):
    assert judge_browser(version)[0] == level


@pytest.mark.parametrize(("places", "level"), [(874, "warning"), (2_999, "warning"), (12_000, "ok")])
def test_places(places: int, level: str):
    assert judge_places(places)[0] == level


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what depends on the machine that the tests run on."""
    for organ in ("disk", "clock", "network", "paper", "browser"):
        monkeypatch.delitem(ORGANS, organ)


def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.django_db
@pytest.mark.usefixtures("looked_at")
def test_a_sound_desk(capsys: pytest.CaptureFixture[str]):
    enter(table_of(make_event(tables=1, rounds=1)), "2r3 340")
    call_command("doctor", "--json")
    findings = told(capsys)
    assert {finding["level"] for finding in findings if finding["organ"] != "backups"} == {"ok"}
    assert [finding["words"] for finding in findings if finding["organ"] == "ledger"] == [
        "1 entries of 1 tables follow from one another."
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("looked_at")
def test_a_row_that_somebody_changed_is_a_fault(capsys: pytest.CaptureFixture[str]):
    table = table_of(make_event(tables=1, rounds=1))
    enter(table, "2r3 340")
    with triggers_asleep(), connection.cursor() as cursor:
        cursor.execute("UPDATE tournament_ledgerentry SET hash = 'other'")
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json")
    faults = [finding for finding in told(capsys) if finding["level"] == "fault"]
    assert (ended.value.code, [finding["organ"] for finding in faults]) == (1, ["ledger"])


def test_an_organ_that_cannot_be_looked_at_is_a_fault(monkeypatch: pytest.MonkeyPatch):
    def absent() -> Said:
        Path("/no/such/disk").stat()
        yield "ok", "never said"

    monkeypatch.setattr("web.management.commands.doctor.ORGANS", {"disk": absent})
    assert list(examine()) == [
        Finding("disk", "fault", "This could not be looked at: [Errno 2] No such file or directory: '/no/such/disk'.")
    ]


@pytest.mark.slow
@pytest.mark.django_db
def test_every_organ_of_this_very_machine_has_something_to_say(capsys: pytest.CaptureFixture[str]):
    with contextlib.suppress(SystemExit):
        call_command("doctor")
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in lines} == set(ORGANS)
