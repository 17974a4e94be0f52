"""Compiled queries are shared by the threads of a process, each of which has a connection of its own."""

import threading

import pytest
from django.db import connection
from django.db.models import QuerySet

from tournament.core.prepared import Prepared
from tournament.events.models import Event


@pytest.mark.django_db(transaction=True)
def test_a_query_is_compiled_once_for_all_threads():
    compiled, found = [], []

    def ask(event: int) -> QuerySet[Event]:
        compiled.append(threading.get_ident())
        return Event.objects.filter(pk=event)

    query = Prepared(ask)

    def read() -> None:
        found.append(query(1))
        connection.close()

    for _ in range(2):
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
    assert found == [[], []]
    assert len(set(compiled)) == 1
