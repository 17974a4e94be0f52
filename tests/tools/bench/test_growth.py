"""No page or file grows faster than n log n with the players of an event, and none asks more questions for more."""

import doctest

import pytest
from django.urls import get_resolver, resolve

from tests.pages.rights_table import TABLE
from tests.pages.test_audiences import walk
from tools.bench import growth
from tools.bench.growth import LEFT_OUT, ROUNDS, SIZES, Asked, exponent, measure

MOST = 1.25  # n log n has 1.20 between the small sizes, n squared 1.99
FEW = 100  # calls: a page of a few dozen may have some more of them by the draw of its games
SUITE = (12, 36, 120)  # a page that comes in parts is whole in all of them

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.nightly
@pytest.mark.parametrize(("sizes", "rounds"), [(SUITE, 2), (SIZES, ROUNDS)], ids=["small", "large"])
def test_nothing_grows_faster_than_n_log_n_and_queries_do_not_grow(sizes: tuple[int, ...], rounds: int):
    found = measure(sizes, rounds)
    readable = {name for name, (read, _send) in TABLE.items() if read}
    left_out = {resolve(address).view_name for address, _part in walk(get_resolver()) if address.endswith(LEFT_OUT)}
    assert found.keys() == readable - left_out
    states = {name: {each.status for each in asked} for name, asked in found.items()}
    assert {name: seen for name, seen in states.items() if len(seen) > 1 or max(seen) >= 500} == {}
    assert {name: asked for name, asked in found.items() if asked[-1].queries > asked[-2].queries} == {}
    assert {name: asked for name, asked in found.items() if grows(sizes, asked) > MOST} == {}


def grows(sizes: tuple[int, ...], asked: list[Asked]) -> float:
    one, two, three = (each.calls for each in asked)
    return exponent(sizes, (one, max(two, one + FEW), three))


@pytest.mark.parametrize(("power", "is_refused"), [(1, False), (2, True)])
def test_a_page_that_walks_all_for_each_is_found(power: int, is_refused: bool):
    asked = [Asked(200, 500 + size**power, 5, 1, 1) for size in SUITE]
    assert (grows(SUITE, asked) > MOST) is is_refused


def test_the_exponent_is_of_what_grows():
    assert doctest.testmod(growth).failed == 0
