"""Counting tries: exactly so many are free within a span, from narrow to wide, also when others count at once."""

import datetime as dt
import importlib
import pkgutil
import threading

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

import tournament
import web
from tournament.accounts.models import Tries
from tournament.core.rate_limits import Limiter, Source

NOON = dt.datetime(2026, 9, 12, 12, tzinfo=dt.UTC)
SPAN = dt.timedelta(minutes=10)
THREE = Limiter(scope="test", span=SPAN, network=3)
A, B = Source("192.0.2.1"), Source("192.0.2.2")


def find_limiters() -> dict[str, Limiter]:
    """Return every limiter of the program by its scope; each module is imported."""
    found: dict[str, set[Limiter]] = {}
    for package in (tournament, web):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" in module.name or module.name in ("web.asgi", "web.wsgi"):
                continue
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, Limiter):
                    found.setdefault(value.scope, set()).add(value)
    assert all(len(same) == 1 for same in found.values()), "two limiters count under one scope"
    return {scope: same.pop() for scope, same in found.items()}


LIMITERS = find_limiters()


def exhaust(limiter: Limiter, source: Source, most: int = 5000) -> int:
    """Try until a try is refused; return how many were free."""
    for free in range(most):
        if limiter.count(source):
            return free
    raise AssertionError(f"{limiter.scope}: {most} tries and none was refused")


@pytest.mark.django_db
def test_three_are_free_and_the_fourth_waits_for_the_end_of_the_span():
    with time_machine.travel(NOON, tick=False) as clock:
        assert [THREE.count(A) for _ in range(3)] == [0, 0, 0]
        clock.shift(dt.timedelta(minutes=4))
        assert [THREE.count(A), THREE.count(A)] == [360, 360]
        clock.shift(dt.timedelta(minutes=6))
        assert THREE.count(A) == 0


@pytest.mark.django_db
def test_each_key_and_each_kind_is_counted_for_itself():
    other = Limiter(scope="other", span=SPAN, network=3)
    assert exhaust(THREE, A) == 3
    assert (THREE.count(B), other.count(A)) == (0, 0)


@pytest.mark.django_db
def test_a_row_names_nobody_and_is_deleted_after_an_hour():
    with time_machine.travel(NOON, tick=False) as clock:
        THREE.count(A)
        assert A.network not in Tries.objects.get().key
        clock.shift(dt.timedelta(hours=1, seconds=1))
        THREE.count(B)
        assert Tries.objects.count() == 1


@pytest.mark.django_db
def test_a_refused_try_writes_nothing():
    exhaust(THREE, A)
    with CaptureQueriesContext(connection) as asked:
        assert THREE.count(A)
    assert [query["sql"] for query in asked.captured_queries if not query["sql"].startswith("SELECT")] == []


@pytest.mark.django_db(transaction=True)
def test_tries_at_the_same_moment_are_all_counted():
    waits: list[int] = []

    def run() -> None:
        try:
            waits.extend(THREE.count(A) for _ in range(3))
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(wait == 0 for wait in waits), len(waits)) == (3, 12)
    assert Tries.objects.get().count == 3


@pytest.mark.parametrize(
    "widths",
    [
        {"everybody": 50},
        {"account": 50},
        {"network": 50, "everybody": 50},
        {"pair": 60, "account": 50},
        {"network": 10, "account": 50},
    ],
)
def test_a_wide_limit_that_one_network_could_use_up_cannot_be_declared(widths: dict[str, int]):
    with pytest.raises(ValueError, match="needs a narrower one"):
        Limiter(scope="test", span=SPAN, **widths)


@pytest.mark.django_db
@pytest.mark.parametrize("scope", sorted(LIMITERS))
def test_one_network_shuts_nobody_else_out(scope: str):
    """It tries one account, then one invented account after another, until each of its limits refuses."""
    limiter = LIMITERS[scope]
    guest, most = "192.0.2.66", limiter.network or 0
    if limiter.pair:
        assert exhaust(limiter, Source(guest, "holder")) == limiter.pair
    for number in range(most + 500):  # long after it is refused
        limiter.count(Source(guest, f"invented {number}"))
    if limiter.network:
        assert limiter.count(Source(guest, "another")) > 0
        assert limiter.count(Source("192.0.2.1", "stranger")) == 0
    if limiter.pair:
        assert limiter.count(Source("192.0.2.1", "holder")) == 0
    if limiter.proven:
        assert limiter.count(Source(guest, "holder", proven=True)) == 0
        assert exhaust(limiter, Source(guest, "guest", proven=True)) == limiter.proven
        assert limiter.count(Source(guest, "holder", proven=True)) == 0


@pytest.mark.django_db
def test_a_limit_counts_narrow_ones_first_and_stops_where_one_refuses():
    limiter = Limiter(scope="test", span=SPAN, pair=2, network=4, account=5, everybody=7)
    assert [exhaust(limiter, Source("a", name)) for name in ("one", "two", "three")] == [2, 2, 0]
    assert [exhaust(limiter, Source(network, "one")) for network in ("b", "c", "d")] == [2, 1, 0]
    assert max(Tries.objects.values_list("count", flat=True)) == 7
    assert exhaust(limiter, Source("e", "four")) == 0, "everybody's seven are used up"


@pytest.mark.django_db
def test_a_right_try_counts_nowhere_and_does_not_open_its_network_again():
    limiter = Limiter(scope="test", span=SPAN, pair=5, network=6, account=9, everybody=20)
    for _ in range(4):
        limiter.count(Source("a", "own"))
    right = Source("a", "own")
    limiter.count(right)
    limiter.forget(right)
    assert exhaust(limiter, Source("a", "own")) == 2, "four wrong ones of six were from this network"
