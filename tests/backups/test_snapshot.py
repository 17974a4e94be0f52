"""A long read sees one moment and hinders no writer."""

import threading

import pytest
from django.db import connection, transaction

from tests.factories import make_event
from tournament.archive.queries import at_one_moment
from tournament.events.models import Event

SOON = 30  # seconds, after which a test gives up


@pytest.mark.only_on("sqlite")  # PostgreSQL locks the event, as its docstring says
@pytest.mark.django_db(transaction=True)
def test_what_is_written_meanwhile_is_written_at_once_and_not_read():
    event = make_event(slug="cup")

    def rename() -> None:
        with transaction.atomic():
            Event.objects.filter(pk=event.pk).update(name="Renamed")
        connection.close()

    def name() -> str:
        return Event.objects.values_list("name", flat=True).get(pk=event.pk)

    with at_one_moment():
        before = name()
        writer = threading.Thread(target=rename)
        writer.start()
        writer.join(SOON)
        assert (writer.is_alive(), name()) == (False, before)
    assert (before, name()) == (event.name, "Renamed")


@pytest.mark.django_db
def test_within_a_transaction_it_is_a_part_of_it_and_the_next_one_writes():
    event = make_event(slug="cup")
    with at_one_moment(), at_one_moment():
        assert Event.objects.get(pk=event.pk) == event
    with transaction.atomic():
        Event.objects.filter(pk=event.pk).update(name="Renamed")
    assert Event.objects.get(pk=event.pk).name == "Renamed"


@pytest.mark.django_db(transaction=True)
def test_an_error_ends_it():
    with pytest.raises(ZeroDivisionError), at_one_moment():
        assert 1 // 0
    assert connection.in_atomic_block is False
    assert getattr(connection, "transaction_mode", "IMMEDIATE") == "IMMEDIATE"
