"""What workers know together: two presses that share a cache, a worker that dies, and a cache that is not there."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import caches

from tournament.core.shared_cache import NAME, count_shared, get_shared, is_shared, share
from tournament.paper.views import Booklet, Press, State
from tournament.pdf.render import Printed, Progress

PRINTED = Printed(b"%PDF of the first worker", 2, "U+D55C")
FILES = "django.core.cache.backends.filebased.FileBasedCache"


@pytest.fixture
def presses(settings, tmp_path: Path) -> Iterator[tuple[Press, Press]]:
    """Yield the presses of two workers that share a folder."""
    settings.CACHES = {**settings.CACHES, NAME: {"BACKEND": FILES, "LOCATION": str(tmp_path)}}
    yield Press(), Press()
    for thread in threading.enumerate():
        if thread.name == "press":
            thread.join(30)


def never(_told: Progress) -> Printed:
    raise AssertionError("printed twice")


def test_a_booklet_of_one_worker_is_followed_and_fetched_at_another(presses: tuple[Press, Press]):
    first, second = presses
    go, half = threading.Event(), threading.Event()

    def make(told: Progress) -> Printed:
        told(3, 8)
        half.set()
        assert go.wait(30)
        return PRINTED

    assert second.look("a") is None
    first.start("a", make)
    assert half.wait(30)
    assert second.look("a") == second.start("a", never) == Booklet(State.MAKING, 3, 8)
    go.set()
    assert second.wait("a", never) == Booklet(State.DONE, 8, 8, PRINTED)


def test_what_a_dead_worker_had_begun_is_printed_by_another(presses: tuple[Press, Press]):
    first, second = presses
    go, begun = threading.Event(), threading.Event()

    def make(_told: Progress) -> Printed:
        begun.set()
        assert go.wait(30)
        return PRINTED

    first.start("a", make)
    assert begun.wait(30)
    caches[NAME].clear()
    share("booklet a", {"press": "gone", "state": "making", "steps": (1, 8), "printed": None, "why": ""}, seconds=60)
    assert second.look("a") is None
    assert second.wait("a", lambda _told: PRINTED) == Booklet(State.DONE, 1, 1, PRINTED)
    go.set()


def test_a_failure_is_told_everywhere_and_tried_again_anywhere(presses: tuple[Press, Press]):
    first, second = presses

    def broken(_told: Progress) -> Printed:
        raise OSError("no room")

    why = first.wait("a", broken).why
    found = second.look("a")
    assert found is not None
    assert (found.state, found.why) == (State.FAILED, why)
    assert second.wait("a", lambda _told: PRINTED).printed == PRINTED


def test_what_is_counted_together_is_counted_once_for_all(presses: tuple[Press, Press]):
    assert [count_shared("a", seconds=60) for _ in range(3)] == [1, 2, 3]
    assert caches[NAME].get("a") is None  # under a digest: it may hold an address


def test_one_worker_alone_counts_for_itself_and_tells_nobody():
    assert not is_shared()
    share("a", 1, seconds=60)
    assert (get_shared("a"), count_shared("b", seconds=60), count_shared("b", seconds=60)) == (None, 1, 2)


def test_a_cache_that_cannot_be_reached_stops_nobody(settings, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "file").write_text("no folder")
    settings.CACHES = {**settings.CACHES, NAME: {"BACKEND": FILES, "LOCATION": str(tmp_path / "file")}}
    share("a", 1, seconds=60)
    assert (get_shared("a"), count_shared("b", seconds=60), count_shared("b", seconds=60)) == (None, 1, 2)
    assert {record.getMessage().partition(":")[0] for record in caplog.records} == {
        "The shared cache cannot be reached"
    }
