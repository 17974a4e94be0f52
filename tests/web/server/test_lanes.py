"""Who is served first, with work that ends when it is told."""

import threading
from collections.abc import Iterator

import pytest

from web.server.lanes import Lane, Lanes

THREADS = 4
SOON = 10  # seconds; nothing here waits for as long unless it is broken


class Work:
    """A request that is served until it is let go."""

    def __init__(self) -> None:
        self.began, self.go, self.served = threading.Event(), threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.began.set()
        self.go.wait(SOON)
        self.served.set()


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    lanes = Lanes(THREADS)
    yield lanes
    lanes.stop(SOON)


def queued(lanes: Lanes, lane: Lane, count: int, address: str = "") -> list[Work]:
    works = [Work() for _ in range(count)]
    for work in works:
        lanes.run(lane, work, address)
    return works


def test_the_desk_waits_behind_nobody(lanes: Lanes):
    phones, doors = queued(lanes, Lane.PHONE, 30), queued(lanes, Lane.DOOR, 30)
    assert phones[1].began.wait(SOON)
    assert doors[0].began.wait(SOON)
    (desk,) = queued(lanes, Lane.DESK, 1)
    assert desk.began.wait(SOON)  # although sixty came before it, and none has ended
    assert sum(work.began.is_set() for work in phones) == 2
    assert sum(work.began.is_set() for work in doors) == 1
    for work in (*phones, *doors, desk):
        work.go.set()
    assert all(work.served.wait(SOON) for work in (*phones, *doors, desk))


def test_phones_are_served_in_the_order_they_asked(lanes: Lanes):
    phones = queued(lanes, Lane.PHONE, 4)
    assert phones[1].began.wait(SOON)
    assert not phones[2].began.is_set()
    phones[1].go.set()
    assert phones[2].began.wait(SOON)
    assert not phones[3].began.is_set()
    for work in phones:
        work.go.set()


def test_an_address_that_asks_for_much_waits_for_itself(lanes: Lanes):
    greedy = queued(lanes, Lane.PHONE, 30, "10.0.0.66")
    assert greedy[1].began.wait(SOON)
    (modest,) = queued(lanes, Lane.PHONE, 1, "10.0.0.7")
    greedy[0].go.set()
    greedy[1].go.set()
    assert modest.began.wait(SOON)
    assert sum(work.began.is_set() for work in greedy) <= 3
    for work in (*greedy, modest):
        work.go.set()


def test_nothing_is_left_that_a_thread_without_work_could_do(lanes: Lanes):
    left = threading.Semaphore(0)

    def come() -> None:
        for lane in [*Lane] * 100:
            lanes.run(lane, left.release)

    comers = [threading.Thread(target=come) for _ in range(3)]
    for comer in comers:
        comer.start()
    assert all(left.acquire(timeout=SOON) for _ in range(3 * 100 * len(Lane)))
    for comer in comers:
        comer.join(SOON)


def test_what_waits_when_the_desk_stops_is_given_up():
    lanes = Lanes(1)
    first, second = queued(lanes, Lane.DESK, 2)
    assert first.began.wait(SOON)
    ending = threading.Thread(target=lanes.stop, args=[SOON])
    ending.start()
    with lanes.changed:
        assert lanes.changed.wait_for(lambda: lanes.stopping, SOON)
    first.go.set()
    ending.join(SOON)
    assert (first.served.is_set(), second.began.is_set()) == (True, False)
