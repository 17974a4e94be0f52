"""A long read in which everything is as it was at one moment, whatever is written meanwhile.

It writes nothing, and it hinders nobody who does: on SQLite a transaction that only reads has its own picture.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction


@contextlib.contextmanager
def at_one_moment() -> Iterator[None]:
    """Read in one transaction; whoever reads an event takes its row with `select_for_update`, for PostgreSQL.

    There each query would see what was written before it, so that writers wait for the row; SQLite would make them all
    wait for a transaction that begins as ours do (IMMEDIATE), so that this one begins without.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
        return
    connection.ensure_connection()
    ours: Any = connection
    mode, ours.transaction_mode = ours.transaction_mode, "DEFERRED"
    try:
        block = transaction.atomic()
        block.__enter__()
    finally:
        ours.transaction_mode = mode
    with contextlib.ExitStack() as end:
        end.push(block)
        yield
