"""Who is served first, with work that ends when it is told."""

import itertools
import threading
from collections.abc import Iterator

import pytest

from tournament.pages.priority import Lanes, PriorityClass, yield_priority

SOON = 10  # seconds; nothing here waits for as long unless it is broken


class Work:
    """A request that is served until it is let go."""

    def __init__(self) -> None:
        self.began, self.go, self.served = threading.Event(), threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.began.set()
        self.go.wait(SOON)
        self.served.set()


class Aside(Work):
    """A request that waits for another process until it is let go."""

    def __call__(self) -> None:
        with yield_priority():
            super().__call__()


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    lanes = Lanes()
    yield lanes
    lanes.stop(SOON)


def queued(lanes: Lanes, lane: PriorityClass, count: int, address: str = "") -> list[Work]:
    works = [Work() for _ in range(count)]
    for work in works:
        lanes.run(lane, work, address)
    return works


def test_a_hand_waits_behind_nobody(lanes: Lanes):
    crowd = {
        PriorityClass.DESK: 3,
        PriorityClass.CLAIM: 1,
        PriorityClass.PHONE: 2,
        PriorityClass.DOOR: 1,
    }  # by lane, how many are served at once
    works = {lane: queued(lanes, lane, 30) for lane in crowd}
    for lane, at_once in crowd.items():
        assert all(work.began.wait(SOON) for work in works[lane][:at_once])  # the last one may begin before another
    (hand,) = queued(lanes, PriorityClass.ACT, 1)
    assert hand.began.wait(SOON)  # although all those came before it, and none has ended
    assert {lane: sum(work.began.is_set() for work in works[lane]) for lane in crowd} == crowd
    everybody = [hand, *itertools.chain(*works.values())]
    for work in everybody:
        work.go.set()
    assert all(work.served.wait(SOON) for work in everybody)


def test_what_waits_for_another_process_lets_others_be_served(lanes: Lanes):
    waits = [Aside() for _ in range(3)]
    for work in waits:
        lanes.run(PriorityClass.DESK, work)
    assert all(work.began.wait(SOON) for work in waits)
    pages = queued(lanes, PriorityClass.DESK, 3)  # two stand aside, and no third one
    assert pages[1].began.wait(SOON)
    assert not pages[2].began.is_set()
    waits[0].go.set()
    assert waits[0].served.wait(SOON)
    pages[0].go.set()
    pages[1].go.set()
    assert pages[2].began.wait(SOON)
    everybody = [*waits, *pages]
    for each in everybody:
        each.go.set()
    assert all(each.served.wait(SOON) for each in everybody)


def test_all_else_waits_for_a_hand_but_not_for_long(lanes: Lanes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournament.pages.priority.HANDS_FIRST", SOON)
    (hand,) = queued(lanes, PriorityClass.ACT, 1)
    assert hand.began.wait(SOON)
    pages, phones = queued(lanes, PriorityClass.DESK, 2), queued(lanes, PriorityClass.PHONE, 2)
    (other,) = queued(lanes, PriorityClass.ACT, 1)
    assert other.began.wait(SOON)
    assert not any(work.began.is_set() for work in (*pages, *phones))
    hand.go.set()
    other.go.set()
    assert all(work.began.wait(SOON) for work in (*pages, *phones))

    monkeypatch.setattr("tournament.pages.priority.HANDS_FIRST", 0.01)
    (imported,) = queued(lanes, PriorityClass.ACT, 1)
    assert imported.began.wait(SOON)
    (late,) = queued(lanes, PriorityClass.DESK, 1)
    assert late.began.wait(SOON)
    for work in (imported, late, *pages, *phones):
        work.go.set()


def test_outside_the_threads_nobody_stands_aside():
    with yield_priority():
        pass


def test_phones_are_served_in_the_order_they_asked(lanes: Lanes):
    phones = queued(lanes, PriorityClass.PHONE, 4)
    assert phones[1].began.wait(SOON)
    assert not phones[2].began.is_set()
    phones[1].go.set()
    assert phones[2].began.wait(SOON)
    assert not phones[3].began.is_set()
    for work in phones:
        work.go.set()


def test_an_address_that_asks_for_much_waits_for_itself(lanes: Lanes):
    greedy = queued(lanes, PriorityClass.PHONE, 30, "10.0.0.66")
    assert greedy[1].began.wait(SOON)
    (modest,) = queued(lanes, PriorityClass.PHONE, 1, "10.0.0.7")
    greedy[0].go.set()
    greedy[1].go.set()
    assert modest.began.wait(SOON)
    assert sum(work.began.is_set() for work in greedy) <= 3
    for work in (*greedy, modest):
        work.go.set()


def test_nothing_is_left_that_a_thread_without_work_could_do(lanes: Lanes):
    left = threading.Semaphore(0)

    def come() -> None:
        for lane in [*PriorityClass] * 100:
            lanes.run(lane, left.release)

    comers = [threading.Thread(target=come) for _ in range(3)]
    for comer in comers:
        comer.start()
    assert all(left.acquire(timeout=SOON) for _ in range(3 * 100 * len(PriorityClass)))
    for comer in comers:
        comer.join(SOON)


def test_what_waits_when_the_desk_stops_is_given_up():
    lanes = Lanes(1)
    first, second = queued(lanes, PriorityClass.DESK, 2)
    assert first.began.wait(SOON)
    ending = threading.Thread(target=lanes.stop, args=[SOON])
    ending.start()
    with lanes.changed:
        assert lanes.changed.wait_for(lambda: lanes.stopping, SOON)
    first.go.set()
    ending.join(SOON)
    assert (first.served.is_set(), second.began.is_set()) == (True, False)
