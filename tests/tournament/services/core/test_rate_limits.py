"""Counting tries: exactly so many are free within a span, also when others count at the same time."""

import datetime as dt
import threading

import pytest
import time_machine
from django.db import connection

from tournament.models import Tries
from tournament.services.core.rate_limits import Limit, count_try, reset_tries

NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)
THREE = Limit("test", 3, dt.timedelta(minutes=10))


@pytest.mark.django_db
def test_three_are_free_and_the_fourth_waits_for_the_end_of_the_span():
    with time_machine.travel(NOON, tick=False) as clock:
        assert [count_try(THREE, "a") for _ in range(3)] == [0, 0, 0]
        clock.shift(dt.timedelta(minutes=4))
        assert [count_try(THREE, "a"), count_try(THREE, "a")] == [360, 360]
        clock.shift(dt.timedelta(minutes=6))
        assert count_try(THREE, "a") == 0


@pytest.mark.django_db
def test_each_key_and_each_kind_is_counted_for_itself():
    other = Limit("other", 3, dt.timedelta(minutes=10))
    for _ in range(4):
        count_try(THREE, "a")
    assert (count_try(THREE, "b"), count_try(other, "a")) == (0, 0)
    reset_tries(THREE, "a")
    assert count_try(THREE, "a") == 0


@pytest.mark.django_db
def test_a_row_names_nobody_and_is_thrown_away():
    with time_machine.travel(NOON, tick=False) as clock:
        count_try(THREE, "192.168.1.7")
        assert "192.168" not in Tries.objects.get().key
        clock.shift(dt.timedelta(hours=1, seconds=1))
        count_try(THREE, "another")
        assert Tries.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_tries_at_the_same_moment_are_all_counted():
    waits: list[int] = []

    def run() -> None:
        try:
            waits.extend(count_try(THREE, "a") for _ in range(3))
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(wait == 0 for wait in waits), len(waits)) == (3, 12)
    assert Tries.objects.get().count > 3
