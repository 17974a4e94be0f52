"""An organiser's process that acts at the event by itself, on the desk's database, and keeps a journal of its answers.

The journal has a line before each act and one after its answer, so that a process which is killed says what it was
doing. Started again it sends that act again, under the same token, and goes on. Its clock may be wrong, and jumps.
"""

import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import time_machine
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, connections
from django.utils import timezone

from tests.factories import fresh
from tools.faults.acts import Act, Organiser
from tournament.accounts.models import Account
from tournament.backups.backup import back_up
from tournament.backups.config import backup_config
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.models import Event

JUMP = timedelta(hours=30)
PAUSE = 0.15  # seconds at most between two acts, as people are no faster either
Line = dict[str, Any]


def journal_of(number: int) -> Path:
    """Return the file of a worker's journal, in the data directory."""
    path: Path = settings.DATA_DIR / f"journal-{number}.jsonl"
    return path


def lines_of(number: int) -> list[Line]:
    """Read a journal; a line that a kill cut off is none."""
    file = journal_of(number)
    return list(_whole(file.read_text(encoding="utf-8"))) if file.exists() else []


def _whole(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        if line.endswith("}"):
            yield json.loads(line)


class Worker:
    """The process of one organiser."""

    def __init__(self, slug: str, number: int, seed: int) -> None:
        """Go on where the journal ends."""
        self.number, lines = number, lines_of(number)
        self.by = Account.objects.get(username=f"worker-{number}")
        self.chance = random.Random(seed)
        self.organiser = Organiser(Event.objects.get(slug=slug), self.by, self.chance, first=2)
        self.claimed = max((row[0] for line in lines for row in line.get("rows", ())), default=0)
        open_ = [line for line in lines if "backup" not in line][-1:]
        self.unanswered = next((line["act"] for line in reversed(lines) if "act" in line), None)
        if not open_ or "outcome" in open_[0]:
            self.unanswered = None
        self.journal = os.open(journal_of(number), os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        if lines_of(number) and not journal_of(number).read_bytes().endswith(b"\n"):
            os.write(self.journal, b"\n")
        if self.unanswered:
            self._write({"again": time.monotonic()})

    def run(self) -> None:
        """Act until the process is ended."""
        with time_machine.travel(datetime.now(UTC) + self._jump(), tick=True) as clock:
            while True:
                if self.chance.random() < 0.1:
                    clock.move_to(datetime.now(UTC) + self._jump())
                act = Act(**self.unanswered) if self.unanswered else self._planned()
                if act is not None:
                    self._send(act)
                if self.chance.random() < 0.3:
                    connections.close_all()
                time.sleep(self.chance.uniform(0, PAUSE))

    def _jump(self) -> timedelta:
        return JUMP * self.chance.uniform(-1, 1) if self.chance.random() < 0.5 else timedelta()

    def _planned(self) -> Act | None:
        """Choose an act and write it down."""
        try:
            if self.number == 1 and connection.vendor == "sqlite" and self.chance.random() < 0.02:
                self._back_up()
            self.organiser.event = fresh(self.organiser.event)
            act = self.organiser.plan()
        except (DatabaseError, InterfaceError):
            self._wait()
            return None
        self._write({"act": asdict(act), "at": time.monotonic()})
        return act

    def _send(self, act: Act) -> None:
        """Send an act until it is answered."""
        while True:
            try:
                self.organiser.do(act)
                outcome = "answered"
            except DomainError:
                outcome = "refused"
            except (DatabaseError, InterfaceError):
                self._write({"again": time.monotonic()})
                self._wait()
                continue
            except (KeyError, ValueError, IndexError) as wrong:  # planned from what somebody has changed since
                outcome = f"broken: {type(wrong).__name__} {wrong}"[:200]
            break
        answered = time.monotonic()
        rows = self._rows()
        self.claimed = max((row[0] for row in rows), default=self.claimed)
        self.unanswered = None
        self._write({"outcome": outcome, "rows": rows, "at": answered})

    def _rows(self) -> list[list[Any]]:
        """Return what the trail has of this organiser since the last answer."""
        while True:
            try:
                found = AuditRow.objects.filter(event=self.organiser.event, by=str(self.by.uid), seq__gt=self.claimed)
                return [list(row) for row in found.order_by("seq").values_list("seq", "verb", "hash")]
            except (DatabaseError, InterfaceError):
                self._wait()

    def _back_up(self) -> None:
        began = time.monotonic()
        state = back_up(backup_config(), timezone.now(), always=True)
        file = backup_config().own / state.of(backup_config().own).file
        self._write({"backup": str(file), "at": began})

    def _wait(self) -> None:
        connections.close_all()
        time.sleep(0.05)

    def _write(self, line: Line) -> None:
        os.write(self.journal, json.dumps(line).encode() + b"\n")
