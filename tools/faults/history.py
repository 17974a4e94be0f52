"""What all workers were answered, held against what is there: each answered act once, in an order that agrees.

A worker sends one act at a time, so that its rows in the audit trail, in order, are its acts, in order. Two acts of two
workers may have any order where they overlap; where one was answered before the other began, it has the earlier row.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tools.faults.hall import Row
from tools.faults.worker import lines_of

MANY = frozenset({"leave", "back", "foul"})  # acts that may write several rows


@dataclass(slots=True)
class Sent:
    """An act as a worker's journal has it; `began` and `ended` in seconds of one clock, `ended` None if unanswered."""

    worker: int
    act: dict[str, Any]
    began: float
    attempts: int = 1
    ended: float | None = None
    outcome: str = "unanswered"
    rows: list[Row] = field(default_factory=list)


def sent_by(worker: int) -> list[Sent]:
    """Return a worker's acts in order."""
    found: list[Sent] = []
    for line in lines_of(worker):
        if "act" in line:
            found.append(Sent(worker, line["act"], line["at"]))
        elif "again" in line:
            found[-1].attempts += 1
        elif "outcome" in line:
            last = found[-1]
            last.ended, last.outcome, last.rows = line["at"], line["outcome"], [tuple(row) for row in line["rows"]]
    return found


@dataclass(slots=True)
class Found:
    """What cannot be, by its kind."""

    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)


def judge(acts: list[Sent], there: dict[int, list[Row]]) -> Found:
    """Hold the workers' acts against the rows of the trail, by worker in order."""
    found = Found()
    for worker, rows in there.items():
        mine = [act for act in acts if act.worker == worker]
        claimed = [row for act in mine for row in act.rows]
        found.lost += [f"worker {worker}: {row} was answered and is not there" for row in set(claimed) - set(rows)]
        rest = [row for row in rows if row not in set(claimed)]
        if mine and mine[-1].ended is None:
            mine[-1].rows = rest  # under way at the end: there once or not at all
        elif rest:
            found.unexplained.append(f"worker {worker}: {rest[:5]} are there and were never answered")
        for act in mine:
            _judge_act(act, found)
    _judge_order(acts, found)
    return found


def _judge_act(act: Sent, found: Found) -> None:
    again = [verb for verb, times in Counter(verb for _seq, verb, _hash in act.rows).items() if times > 1]
    if again and act.act["kind"] not in MANY:
        found.twice.append(f"{act}")
    if act.outcome.startswith("broken") or (act.outcome == "refused" and act.rows and act.attempts == 1):
        found.unexplained.append(f"{act}")


def _judge_order(acts: list[Sent], found: Found) -> None:
    """Walk the acts in the trail's order: none may have ended before one with an earlier row began."""
    written = sorted((act for act in acts if act.rows), key=lambda act: act.rows[0][0])
    latest: Sent | None = None
    for act in written:
        if latest and act.ended is not None and act.ended < latest.began:
            found.unexplained.append(f"{act} was answered before {latest} began, and comes after it")
        if latest is None or act.began > latest.began:
            latest = act
