"""One fault at each operation of the disk in turn, as SQLite's own tests do it: at 1, 2, 3, … until an act is not hit.

An act is sent, a read, write, truncation or sync of it fails, and it is sent again with the fault one operation later.
After each attempt every row of every table is compared: an act changes them once or not at all, and not if it was
refused. With a power cut as the fault the process ends, and the files become what a disk may then hold.
"""

import hashlib
import os
import random
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.db import DatabaseError, connection, connections
from django.db.backends.signals import connection_created

from tests.factories import make_account, make_event, writer_of
from tests.faults.acts import KINDS, Act, Organiser
from tests.faults.disk import CUT, Disk, Kind
from tests.faults.power import after_the_cut
from tournament.refusal import Refused
from tournament.selectors.files.verify import verify_all
from tournament.services.core.clock import clock_at

ACTS_A_CUT = 3
CHECKPOINT = 6  # pages; the desk's 1000 would leave checkpoints out
MOMENT = datetime(2026, 9, 12, 10, tzinfo=UTC)
NOT_OURS = ("django_session", "tournament_session", "desk_cache")
Contents = dict[str, str]


@dataclass
class Tally:
    """What was injected, what came of it, and what cannot be explained."""

    faults: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    raised: Counter[str] = field(default_factory=Counter)
    states: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        found = {"lost": self.lost, "twice": self.twice, "unexplained": self.unexplained}
        return {
            "faults": self.faults.total(),
            "by_operation": dict(self.faults.most_common()),
            "acts": dict(self.acts.most_common()),
            "attempts": dict(self.outcomes),
            "raised": dict(self.raised.most_common(12)),
            "states_compared": self.states,
            **{name: len(said) for name, said in found.items()},
            "what": [each for said in found.values() for each in said][:10],
        }


class InTurn:
    """The workload on one database, whose disk fails."""

    def __init__(self, seed: int) -> None:
        """Take the desk's database, which is migrated; nothing of the desk runs on it."""
        self.file = Path(settings.DATABASES["default"]["NAME"])
        self.chance, self.tally, self.events = random.Random(seed), Tally(), 0
        connections.close_all()
        connection_created.connect(_checkpoint_often)
        self.log = self.file.with_suffix(".log")
        self.disk = Disk(str(self.file))
        self.salts = random.Random(seed)
        self.worker, self.acts_left = self._next_event(), ACTS_A_CUT

    def close(self) -> None:
        """Leave no connection open to the disk."""
        self.disk.close()
        connection_created.disconnect(_checkpoint_often)
        connections.close_all()

    def run(self, faults: int) -> Tally:
        """Inject so many, and those that finish the last act: errors act by act, and now and then power cuts."""
        kinds: list[str] = []
        while self.tally.faults.total() < faults:
            if not kinds:
                self.worker, kinds = self._next_event(), [*KINDS.split(), ""]
                self.chance.shuffle(kinds)
                kinds.insert(-5, "")
            kind = kinds.pop()
            with clock_at(MOMENT):
                if kind:
                    self._errors(self.worker.plan(kind))
                    continue
                # acts make salts: the same ones from the same state, or no two runs could be compared row by row
                with patch("secrets.token_hex", lambda size: self.salts.randbytes(size).hex()):
                    self._power_cuts()
        self._verify("at the end")
        return self.tally

    def _next_event(self) -> Organiser:
        self.events += 1
        event = make_event("rakkii-nomi-2026", tables=2, rounds=3, slug=f"disk-{self.events}", by=make_account())
        return Organiser(event, writer_of(event), random.Random(self.chance.getrandbits(32)))

    # ------------------------------------------------------------ errors

    def _errors(self, act: Act) -> None:
        before, changes = contents(self.file), 0
        reopens = self.chance.random() < 0.2  # the file is then read again from its first page
        for number in range(1, 10_000):
            outcome = self._attempt(act, number, reopens=reopens)
            after = contents(self.file)
            self.tally.states += 1
            changes += after != before
            if after != before and outcome == "refused":
                self.tally.unexplained.append(f"{act}: refused, and changed {changed(before, after)}")
            before = after
            if not self.disk.hit:
                break
        if changes > 1:
            self.tally.twice.append(f"{act}: {changes} times")
        self.tally.acts[act.kind + ("" if changes else " without effect")] += 1
        if self.chance.random() < 0.2:
            self._verify(str(act))

    def _attempt(self, act: Act, number: int, *, reopens: bool) -> str:
        kind = self.chance.choice((Kind.ERROR, Kind.FULL, Kind.TORN))
        if reopens:
            connections.close_all()
        self.disk.arm(number, kind, lasting=self.chance.random() < 0.3)
        outcome = self._send(self.worker, act)
        self.disk.disarm()
        for what in self.disk.hit[:1]:
            self.tally.faults[f"{kind} {what}" if "write" in what else f"error {what}"] += 1
        if not self.disk.hit and outcome not in ("answered", "refused"):
            self.tally.unexplained.append(f"{act}: {outcome} without a fault")
        self.tally.outcomes[outcome] += 1
        return outcome

    def _send(self, worker: Organiser, act: Act) -> str:
        try:
            worker.do(act)
        except Refused:
            return "refused"
        except Exception as wrong:  # noqa: BLE001  (whatever it is, it is counted)
            self.tally.raised[f"{type(wrong).__name__}: {wrong}"[:80]] += 1
            return "unanswered"
        return "answered"

    # ------------------------------------------------------------ power cuts

    def _power_cuts(self) -> None:
        """Send a few acts again and again from one state, with the power cut at operation 1, 2, 3, …

        Or all operations fail from there on, those of a checkpoint, too, and then the power is cut.
        """
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connections.close_all()
        kept = {self.file.name: self.file.read_bytes()}
        state = self.worker.chance.getstate()
        expected = self._all_acts(kept)
        for number in range(1, 10_000):
            self._put_back(kept)
            self.worker.chance.setstate(state)
            fault = self.chance.choice(("power cut", "power cut", "power cut after lost syncs", "disk gone for good"))
            lying = fault == "power cut after lost syncs"
            answered, status = self._cut_at(number, Kind.ERROR if fault == "disk gone for good" else Kind.CUT)
            if status != CUT:
                break
            self.tally.faults[fault] += 1
            self._put_back(after_the_cut(kept, self.log.read_bytes(), self.chance, lying=lying))
            self._explain(number, 0 if lying else answered, expected[: answered + 2])

    def _all_acts(self, kept: dict[str, bytes]) -> list[Contents]:
        """Return the contents after 0, 1, 2, … of the acts where nothing fails; the file is as before afterwards."""
        found, salts = [contents(self.file)], self.salts.getstate()
        for _ in range(ACTS_A_CUT):
            self._send(self.worker, self.worker.plan())
            found.append(contents(self.file))
        self.salts.setstate(salts)
        connections.close_all()
        self._put_back(kept)
        self.acts_left = ACTS_A_CUT
        return found

    def _cut_at(self, number: int, kind: Kind) -> tuple[int, int]:
        """Send the acts from a process of their own; return how many were answered, and how it ended."""
        out, into = os.pipe()
        if (child := os.fork()) == 0:
            os.close(out)
            self._in_child(number, kind, into)
        os.close(into)
        with os.fdopen(out, "rb") as answers:
            answered = len(answers.read())
        return answered, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def _in_child(self, number: int, kind: Kind, into: int) -> None:
        # a copy of the parent's: each child makes the salts that the acts without a fault made
        self.disk.log = os.open(self.log, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        self.disk.arm(number, kind, lasting=True)
        with suppress(DatabaseError):
            while self.acts_left and self._send(self.worker, self.worker.plan()) != "unanswered":
                os.write(into, b".")
                self.acts_left -= 1
        os._exit(CUT if self.disk.hit else 0)

    def _put_back(self, files: dict[str, bytes]) -> None:
        connections.close_all()
        for path in self.file.parent.glob(self.file.name + "*"):
            path.unlink()
        for name, data in files.items():
            self.file.with_name(name).write_bytes(data)

    def _explain(self, number: int, answered: int, expected: list[Contents]) -> None:
        """Hold what is there against the states after each act up to the one under way: none answered is missing."""
        self.tally.states += 1
        there = contents(self.file)
        at = [count for count, each in enumerate(expected) if each == there]
        if not at:
            nearest = changed(expected[answered], there)
            self.tally.unexplained.append(f"power cut at {number}, {answered} answered: {nearest} differ")
        elif max(at) < answered:
            self.tally.lost.append(f"power cut at {number}: {answered} answered, {max(at)} there")
        if self.chance.random() < 0.2:
            self._verify(f"power cut at {number}")

    def _verify(self, when: str) -> None:
        connections.close_all()
        self.tally.unexplained += [f"{when}: {problem.code} {problem.params}" for problem in verify_all().problems]
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            said = cursor.fetchall()
        if said != [("ok",)]:
            self.tally.unexplained.append(f"{when}: {said}"[:300])


def _checkpoint_often(connection: Any, **_signal: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT}")


def contents(file: Path) -> Contents:
    """Return a digest of all rows of each table of a database, as another program reads it."""
    with closing(sqlite3.connect(file)) as read:
        names = [name for (name,) in read.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = [name for name in names if name not in NOT_OURS]
        rows = {name: repr(read.execute(f'SELECT * FROM "{name}"').fetchall()) for name in kept}
        return {name: hashlib.sha256(said.encode()).hexdigest() for name, said in rows.items()}


def changed(before: Contents, after: Contents) -> list[str]:
    """Return the tables whose rows differ."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
