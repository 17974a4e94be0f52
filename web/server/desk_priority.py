"""The order in which requests are served: the desk's before those of phones, however many phones ask at once.

A released round lets every phone in the hall fetch its page; the referee who types meanwhile must not wait behind
five hundred of them. It refuses nothing and drops nothing: what phones ask is answered later, in the order they asked.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

PHONES = ("/e/",)  # where addresses of the public begin; static files are short and the desk needs them, too
AT_ONCE = 2  # of Python's threads one runs at a time, so a third adds nothing but a longer wait for the desk


class Task(Protocol):
    """What waitress serves: a connection with the requests that came over it."""

    @property
    def requests(self) -> Sequence[Any]:
        """What came over the connection and is not answered, the oldest first; each has a `path`."""

    def service(self) -> None:
        """Answer the first request."""

    def cancel(self) -> None:
        """Give the connection up."""


class Dispatcher(Protocol):
    """The part of waitress's ThreadedTaskDispatcher that is used here."""

    queue: Any
    lock: Any
    queue_cv: Any


class _Counted:
    """A phone's task under way; a thread may take the next one when it has ended."""

    def __init__(self, task: Task, lanes: "DeskFirst") -> None:
        self.task, self.lanes = task, lanes

    def service(self) -> None:
        try:
            self.task.service()
        finally:
            self.lanes.ended()

    def cancel(self) -> None:
        self.task.cancel()


class DeskFirst:
    """The queue of a dispatcher, in two lanes. Its methods are called with the dispatcher's lock held, as a deque's.

    It is false while only phones wait of which enough are being served: its threads then wait, ready for the desk.
    """

    def __init__(self, dispatcher: Dispatcher, *, at_once: int = AT_ONCE) -> None:
        """Take the place of a dispatcher's queue, which must be empty still."""
        self.dispatcher, self.at_once = dispatcher, at_once
        self.desk: deque[Task] = deque()
        self.phones: deque[Task] = deque()
        self.serving = 0  # phones
        dispatcher.queue = self

    def append(self, task: Task) -> None:
        """Put a task at the end of its lane."""
        (self.phones if is_phones(task) else self.desk).append(task)

    def popleft(self) -> Task | _Counted:
        """Take the task that is next; raises IndexError where none is."""
        if self.desk:
            return self.desk.popleft()
        task = self.phones.popleft()
        self.serving += 1
        return _Counted(task, self)

    def ended(self) -> None:
        """Count a phone's task as served, and wake a thread for the next one; takes the lock itself."""
        with self.dispatcher.lock:
            self.serving -= 1
            self.dispatcher.queue_cv.notify()

    def __bool__(self) -> bool:
        """Whether a thread has something to do now."""
        return bool(self.desk) or (bool(self.phones) and self.serving < self.at_once)

    def __len__(self) -> int:
        """Count what a thread could begin now: what waits for its turn is no backlog that anybody should be told of."""
        return len(self.desk) + max(0, min(len(self.phones), self.at_once - self.serving))


def is_phones(task: Task) -> bool:
    """Tell whether the next request of a connection is for a page of the public; one that is none has no path."""
    path = str(getattr(task.requests[0], "path", "")) if task.requests else ""
    return path.startswith(PHONES)
