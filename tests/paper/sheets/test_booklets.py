"""The press: one booklet after another, kept under what it depends on, told how far, and a failure in words."""

import threading
from collections.abc import Iterator

import pytest
from django.utils.translation import get_language, override

from tests.paper.every_kind import leaves_of
from tests.paper.samples import make_head
from tournament.paper.views import MOST, Booklet, Press, State
from tournament.pdf.render import PaperUnavailable, Printed, Progress, print_leaves

PRINTED = Printed(b"%PDF", 1)


@pytest.fixture
def press() -> Iterator[Press]:
    made = Press()
    yield made
    for thread in threading.enumerate():
        if thread.name == "press":
            thread.join(30)


def quick(_told: Progress) -> Printed:
    return PRINTED


def test_a_booklet_is_printed_once_and_kept_under_its_key(press: Press) -> None:
    calls = []

    def make(_told: Progress) -> Printed:
        calls.append(1)
        return PRINTED

    assert press.look("a") is None
    assert [press.wait(key, make) for key in "aab"] == [Booklet(State.DONE, 1, 1, PRINTED)] * 3
    assert len(calls) == 2


def test_whoever_asks_is_answered_at_once_and_told_how_far_it_is(press: Press) -> None:
    go, half = threading.Event(), threading.Event()

    def make(told: Progress) -> Printed:
        told(3, 8)
        half.set()
        assert go.wait(30)
        return PRINTED

    assert press.start("a", make).state in (State.WAITING, State.MAKING)
    assert half.wait(30)
    assert press.look("a") == Booklet(State.MAKING, 3, 8)
    assert press.start("b", quick) == Booklet()
    assert press.look("b") == Booklet()  # its turn comes when the first is over
    go.set()
    assert press.wait("b", quick).state == State.DONE
    assert press.look("a") == Booklet(State.DONE, 8, 8, PRINTED)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (PaperUnavailable("install this"), "install this"),
        (
            OSError("disk full"),
            "It stopped at step 3 of 5: OSError: disk full. Everything else works; try again.",
        ),
    ],
)
def test_a_failed_booklet_says_why_and_is_printed_when_asked_again(press: Press, error: Exception, why: str) -> None:
    def broken(told: Progress) -> Printed:
        told(2, 5)
        raise error

    failed = press.wait("a", broken)
    assert (failed.state, failed.why, failed.printed) == (State.FAILED, why, None)
    assert press.wait("b", quick).state == State.DONE
    assert press.wait("a", quick).state == State.DONE


def test_a_booklet_speaks_the_language_of_whoever_asked(press: Press) -> None:
    heard = []

    def make(_told: Progress) -> Printed:
        heard.append(get_language())
        return PRINTED

    with override("ja"):
        press.wait("a", make)
    assert heard == ["ja"]


def test_the_oldest_booklets_are_let_go(press: Press) -> None:
    for number in range(MOST + 3):
        press.wait(str(number), quick)
    assert [press.look(str(number)) is None for number in (0, 1, 2, 3)] == [True, True, True, False]


def test_a_booklet_is_printed_step_by_step_and_has_every_page() -> None:
    steps: list[tuple[int, int]] = []
    head = make_head(4)
    printed = print_leaves(leaves_of("tents", head), head, lambda done, of: steps.append((done, of)))
    assert (printed.pages, printed.missing, steps) == (2, "", [(1, 2), (2, 2)])
