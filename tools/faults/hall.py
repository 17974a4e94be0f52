"""The event that is played while things are killed: a few tables of four, one round running, a referee signed in.

Made by the desk's own verbs, in the database of the server that is killed.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.db import OperationalError, connections

from tests.factories import make_account, make_event, round_of, writer_of
from tests.pages.at_desk import session_of
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.rounds.actions import start_round
from tournament.tables.models import LedgerEntry

Read = TypeVar("Read")
Row = tuple[int, str, str]  # seq, verb, hash
SLUG = "faults"
PATIENCE = 60  # seconds


@dataclass(frozen=True, slots=True)
class Hall:
    """An event with the session of a referee."""

    slug: str
    session: str
    tables: int


def make_hall(tables: int, workers: int = 0) -> Hall:
    """Create the event, with an account for each worker, and leave no connection open.

    Hands are entered in round 1; workers act in the rounds after it, and redraw the last.
    """
    account = make_account("Referee", superuser=True)
    for number in range(1, workers + 1):
        Account.objects.create(username=f"worker-{number}", display_name=f"Worker {number}")
    event = make_event("rakkii-nomi-2026", tables=tables, rounds=4 if workers else 1, slug=SLUG, by=account)
    start_round(round_=round_of(event, 1), by=writer_of(event))
    session = session_of(account)
    connections.close_all()
    return Hall(event.slug, session, tables)


def kept() -> list[tuple[int, int, str]]:
    """Return table, `seq` and `client_id` of every row of the ledgers of round 1."""
    return _once_it_answers(_kept)


def trail_of(workers: int) -> dict[int, list[Row]]:
    """Return each worker's rows of the trail, in order."""
    return _once_it_answers(lambda: {number: _trail_of(number) for number in range(1, workers + 1)})


def _once_it_answers(read: Callable[[], Read]) -> Read:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connections.close_all()
            return read()
        except OperationalError:  # it recovers from the last kill
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _trail_of(worker: int) -> list[Row]:
    rows = AuditRow.objects.filter(event__slug=SLUG, by=str(Account.objects.get(username=f"worker-{worker}").uid))
    return list(rows.order_by("seq").values_list("seq", "verb", "hash"))


def _kept() -> list[tuple[int, int, str]]:
    rows = LedgerEntry.objects.filter(table__round__event__slug=SLUG, table__round__number=1).order_by(
        "table__number", "seq"
    )
    found = [(table, seq, str(client_id)) for table, seq, client_id in rows.values_list(
        "table__number", "seq", "client_id")]  # fmt: skip
    connections.close_all()
    return found
