"""The event that is played while things are killed: a few tables of four, one round running, a referee signed in.

Made by the desk's own verbs, in the database of the server that is killed.
"""

import time
from dataclasses import dataclass

from django.db import OperationalError, connections
from django.test import Client

from tests.factories import make_account, make_event, round_of, writer_of
from tournament.models import LedgerEntry
from tournament.services.draws.draw import start_round

SLUG = "faults"
PATIENCE = 60  # seconds


@dataclass(frozen=True, slots=True)
class Hall:
    """An event with the session of a referee."""

    slug: str
    session: str
    tables: int


def make_hall(tables: int) -> Hall:
    """Create the event, and leave no connection open."""
    account = make_account("Referee", superuser=True)
    event = make_event("rakkii-nomi-2026", tables=tables, rounds=1, slug=SLUG, by=account)
    start_round(round_=round_of(event, 1), by=writer_of(event))
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    connections.close_all()
    return Hall(event.slug, client.cookies["sessionid"].value, tables)


def kept() -> list[tuple[int, int, str]]:
    """Return table, `seq` and `client_id` of every row of the ledgers, read again once the database answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return _kept()
        except OperationalError:  # it recovers from the last kill
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _kept() -> list[tuple[int, int, str]]:
    connections.close_all()
    rows = LedgerEntry.objects.filter(table__round__event__slug=SLUG).order_by("table__number", "seq")
    found = [(table, seq, str(client_id)) for table, seq, client_id in rows.values_list(
        "table__number", "seq", "client_id")]  # fmt: skip
    connections.close_all()
    return found
