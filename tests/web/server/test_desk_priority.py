"""The desk goes before phones: in waitress's own dispatcher and threads, with tasks that end when they are told."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from waitress.task import ThreadedTaskDispatcher

from web.server.desk_priority import DeskFirst, is_phones

THREADS = 4
SOON = 10  # seconds; nothing here waits for as long unless it is broken


@dataclass
class Request:
    """What waitress has parsed."""

    path: str


@dataclass(eq=False)
class Connection:
    """A connection with one request, which is served until it is let go."""

    path: str
    began: threading.Event = field(default_factory=threading.Event)
    go: threading.Event = field(default_factory=threading.Event)
    served: threading.Event = field(default_factory=threading.Event)
    breaks: bool = False
    cancelled: bool = False

    @property
    def requests(self) -> list[Request]:
        """The request alone."""
        return [Request(self.path)]

    def service(self) -> None:
        """Wait to be let go."""
        self.began.set()
        self.go.wait(SOON)
        self.served.set()
        if self.breaks:
            raise ConnectionError("the phone is gone")

    def cancel(self) -> None:
        """Note it."""
        self.cancelled = True


@pytest.fixture
def dispatcher() -> Iterator[ThreadedTaskDispatcher]:
    """Return waitress's dispatcher with the two lanes, its threads running as `waitress.create_server` starts them."""
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(THREADS)
    DeskFirst(dispatcher)
    yield dispatcher
    dispatcher.shutdown()


def phones(count: int) -> list[Connection]:
    return [Connection(f"/e/cup/players/{number}/") for number in range(count)]


@pytest.mark.parametrize(
    ("path", "is_phone"),
    [("/e/cup/", True), ("/e/cup/version/", True), ("/desk/cup/", False), ("/", False), ("/e", False),
     ("/static/js/poll.js", False), ("/api/v1/events/cup/rounds/1/tables/1/entries", False)],
)  # fmt: skip
def test_a_page_of_the_public_is_told_by_its_address(path: str, is_phone: bool):
    assert is_phones(Connection(path)) is is_phone


def test_the_desk_does_not_wait_behind_phones(dispatcher: ThreadedTaskDispatcher):
    waiting, desk = phones(30), Connection("/desk/cup/")
    for each in waiting:
        dispatcher.add_task(each)
    assert waiting[1].began.wait(SOON)
    dispatcher.add_task(desk)
    assert desk.began.wait(SOON)  # although thirty came before it, and none has ended
    assert [each.began.is_set() for each in waiting] == [True, True, *[False] * 28]
    for each in (*waiting, desk):
        each.go.set()
    assert all(each.served.wait(SOON) for each in (*waiting, desk))


def test_phones_are_served_in_the_order_they_asked_two_at_a_time(dispatcher: ThreadedTaskDispatcher):
    waiting = phones(5)
    for each in waiting:
        dispatcher.add_task(each)
    assert waiting[0].began.wait(SOON)
    assert waiting[1].began.wait(SOON)
    assert not waiting[2].began.is_set()
    waiting[1].go.set()
    assert waiting[2].began.wait(SOON)
    assert not waiting[3].began.is_set()
    for each in waiting:
        each.go.set()
    assert waiting[4].served.wait(SOON)


def test_a_phone_whose_answer_breaks_makes_room(dispatcher: ThreadedTaskDispatcher):
    waiting = phones(3)
    for each in waiting[:2]:
        each.breaks = True
    for each in waiting:
        dispatcher.add_task(each)
        each.go.set()
    assert waiting[2].served.wait(SOON)


def test_what_waits_when_the_desk_stops_is_given_up():
    dispatcher = ThreadedTaskDispatcher()
    DeskFirst(dispatcher)
    tasks = [*phones(2), Connection("/desk/cup/")]
    for each in tasks:
        dispatcher.add_task(each)
    dispatcher.shutdown()
    assert [each.cancelled for each in tasks] == [True, True, True]
