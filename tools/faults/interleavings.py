"""Faults of the disk in turn, as SQLite's own tests do it, and power cuts after acts that were answered.

An act is sent, a write, truncation or sync of it fails (of some acts also a read), and it is sent again with the fault
one operation later. After each attempt every row of every table is compared: an act changes them once or not at all,
and not if it was refused. Of a power cut the process ends in the middle of a series of acts, and the files become what
a disk may then hold: all that was answered must be there.
"""

import hashlib
import itertools
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
from tools.faults.acts import KINDS, Act, Organiser
from tools.faults.disk import CUT, Disk, Kind
from tools.faults.power import after_the_cut
from tournament.archive.verify import verify_all
from tournament.core.acts import list_acts
from tournament.core.errors import DomainError
from tournament.core.now import clock_at
from tournament.publication.queries import keep

ACTS_A_CUT = 16  # acts of a series in which the power is cut
CUTS = 25  # at most, of a series, spread over what its acts write and sync
READS_STEP = 5  # where reads fail, too: they are many and change nothing
ACTS_BETWEEN = 3  # acts with errors between two such series
# Pages; the desk's 1000 would leave checkpoints out. After a few pages each act ends with one, which syncs what the act
# has not; with many a lost sync shows.
CHECKPOINTS = (6, 100)
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
    answered: int = 0  # acts that wrote and were answered before a power cut, each looked for afterwards
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
            "answered_before_a_power_cut": self.answered,
            "attempts": dict(self.outcomes),
            "raised": dict(self.raised.most_common(12)),
            "states_compared": self.states,
            **{name: len(said) for name, said in found.items()},
            "what": [each for said in found.values() for each in said][:10],
        }


class InTurn:
    """The workload on one database, whose disk fails."""

    def __init__(self, seed: int, synchronous: str = "") -> None:
        """Take the desk's database, which is migrated; nothing of the desk runs on it.

        `synchronous` takes the place of the desk's own setting: a defect that is to be found.
        """
        self.synchronous = synchronous
        self.checkpoints = itertools.cycle(CHECKPOINTS)
        self.checkpoint = next(self.checkpoints)
        self.file = Path(settings.DATABASES["default"]["NAME"])
        self.chance, self.tally, self.events = random.Random(seed), Tally(), 0
        connections.close_all()
        connection_created.connect(self._set_up)
        self.log = self.file.with_suffix(".log")
        self.disk = Disk(str(self.file))
        self.salts = random.Random(seed)
        self.worker, self.acts_left = self._next_event(), ACTS_A_CUT

    def close(self) -> None:
        """Leave no connection open to the disk."""
        self.disk.close()
        connection_created.disconnect(self._set_up)
        connections.close_all()

    def _set_up(self, connection: Any, **_signal: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA wal_autocheckpoint={self.checkpoint}")
            if self.synchronous:
                cursor.execute(f"PRAGMA synchronous={self.synchronous}")

    def run(self, faults: int) -> Tally:
        """Inject so many, and those that finish the last act: errors act by act, and series of power cuts."""
        list_acts()  # imports all features, one of which draws a number: it would shift the salts of the first acts
        keep("first", dict)  # so does the first that is kept in this process
        kinds: list[str] = []
        while self.tally.faults.total() < faults:
            if not kinds:
                self.worker, kinds = self._next_event(), KINDS.split()
                self.chance.shuffle(kinds)
            with clock_at(MOMENT):
                if (len(KINDS.split()) - len(kinds)) % ACTS_BETWEEN == 0:
                    left = faults - self.tally.faults.total()  # half of them for power cuts, also in a short run
                    # acts make salts: the same ones from the same state, or no two runs could be compared row by row
                    with patch("secrets.token_hex", lambda size: self.salts.randbytes(size).hex()):
                        self._power_cuts(min(CUTS, (left + 1) // 2))
                self._errors(self.worker.plan(kinds.pop()))
        self._verify("at the end")
        return self.tally

    def _next_event(self) -> Organiser:
        self.events += 1
        event = make_event("rakkii-nomi-2026", tables=2, rounds=3, slug=f"disk-{self.events}", by=make_account())
        return Organiser(event, writer_of(event), random.Random(self.chance.getrandbits(32)))

    # ------------------------------------------------------------ errors

    def _errors(self, act: Act) -> None:
        before, changes = contents(self.file), 0
        reads = self.chance.random() < 0.2  # the file is then read again from its first page
        for number in range(1, 10_000, READS_STEP if reads else 1):
            outcome = self._attempt(act, number, reads=reads)
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

    def _attempt(self, act: Act, number: int, *, reads: bool) -> str:
        kind = self.chance.choice((Kind.ERROR, Kind.FULL, Kind.TORN))
        if reads:
            connections.close_all()
        self.disk.arm(number, kind, lasting=self.chance.random() < 0.3, reads=reads)
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
        except DomainError:
            return "refused"
        except Exception as wrong:  # noqa: BLE001  (whatever it is, it is counted)
            self.tally.raised[f"{type(wrong).__name__}: {wrong}"[:80]] += 1
            return "unanswered"
        return "answered"

    # ------------------------------------------------------------ power cuts

    def _power_cuts(self, most: int) -> None:
        """Send a series of acts again and again from one state, with the power cut at one write or sync after another.

        Or all operations fail from there on, those of a checkpoint, too, and then the power is cut.
        """
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.checkpoint = next(self.checkpoints)
        connections.close_all()
        kept = {self.file.name: self.file.read_bytes()}
        state = self.worker.chance.getstate()
        expected, operations = self._all_acts(kept)
        for number in sorted(self.chance.sample(range(1, operations + 1), min(most, operations))):
            self._put_back(kept)
            self.worker.chance.setstate(state)
            fault = self.chance.choice((*("power cut",) * 3, "power cut after lost syncs", "disk gone for good"))
            lying = fault == "power cut after lost syncs"
            answered, status = self._cut_at(number, Kind.ERROR if fault == "disk gone for good" else Kind.CUT)
            if status == CUT:
                self.tally.faults[fault] += 1
                self._put_back(after_the_cut(kept, self.log.read_bytes(), self.chance, lying=lying))
                self._explain(number, 0 if lying else answered, expected[: answered + 2])
        self._put_back(kept)

    def _all_acts(self, kept: dict[str, bytes]) -> tuple[list[Contents], int]:
        """Return the contents after 0, 1, 2, … of the acts where nothing fails, and how often they change the disk.

        The file is as before afterwards.
        """
        found, salts, operations = [contents(self.file)], self.salts.getstate(), 0
        for _ in range(ACTS_A_CUT):
            self.disk.arm(0, Kind.CUT, reads=False)
            self._send(self.worker, self._next_of_series())
            self.acts_left -= 1
            operations += self.disk.count
            found.append(contents(self.file))
        self.salts.setstate(salts)
        self._put_back(kept)
        self.acts_left = ACTS_A_CUT
        return found, operations

    def _next_of_series(self) -> Act:
        """Plan any act, and every second time a hand: many others are refused, which is no answer to keep."""
        return self.worker.plan("hand" if self.acts_left % 2 else "")

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
        self.disk.arm(number, kind, lasting=True, reads=False)
        with suppress(DatabaseError):
            while self.acts_left and self._send(self.worker, self._next_of_series()) != "unanswered":
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
        self.tally.answered += sum(expected[at] != expected[at + 1] for at in range(answered))
        try:
            there = contents(self.file)
        except sqlite3.DatabaseError as wrong:  # it cannot be read: all that was answered is gone
            gone = self.tally.lost if answered else self.tally.unexplained
            return gone.append(f"power cut at {number}: {answered} answered, {wrong}")
        at = [count for count, each in enumerate(expected) if each == there]
        if not at:
            nearest = changed(expected[answered], there)
            self.tally.unexplained.append(f"power cut at {number}, {answered} answered: {nearest} differ")
        elif max(at) < answered:
            self.tally.lost.append(f"power cut at {number}: {answered} answered, {max(at)} there")
        if self.chance.random() < 0.2:
            self._verify(f"power cut at {number}")
        return None

    def _verify(self, when: str) -> None:
        connections.close_all()
        try:
            wrong = [f"{problem.code} {problem.params}" for problem in verify_all().problems]
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA integrity_check")
                wrong += [str(line) for (line,) in cursor.fetchall() if line != "ok"]
        except DatabaseError as unreadable:
            wrong = [str(unreadable)]
        self.tally.unexplained += [f"{when}: {each}"[:300] for each in wrong]


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
