"""Print booklets in a background thread, one after another, and cache them.

A key names all that a booklet depends on, so a cached one is never stale. Several workers share progress through
tournament.core.shared_cache.
"""

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from tournament.core.shared_cache import get_shared, share
from tournament.core.threads import attempt, start_thread
from tournament.pdf.printers import BrokenOff, Ended
from tournament.pdf.render import PaperUnavailable, Printed, Progress

MOST: Final = 24  # booklets cached; the largest ones have some hundred kilobytes
KEPT: Final = 3600  # seconds for which all workers know a booklet
SILENT: Final = 60  # seconds without a word after which another worker counts as gone
Make = Callable[[Progress], Printed]

log = logging.getLogger(__name__)


class State(StrEnum):
    """How far a booklet is."""

    WAITING = "waiting"
    MAKING = "making"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Booklet:
    """A booklet as it is now: `done` of `steps`; `printed` once it is done, `why` in words where it failed."""

    state: State = State.WAITING
    done: int = 0
    steps: int = 1
    printed: Printed | None = None
    why: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state in (State.DONE, State.FAILED)


class Press:
    """Prints one booklet at a time, in the order asked for; a second one at once would only make both slower."""

    def __init__(self) -> None:
        """Make a press that prints nothing yet."""
        self.changed = threading.Condition()
        self.booklets: OrderedDict[str, Booklet] = OrderedDict()
        self.waiting: OrderedDict[str, tuple[str, Make]] = OrderedDict()
        self.running = False
        self.name = secrets.token_hex(8)  # among the presses of other workers

    def look(self, key: str) -> Booklet | None:
        """Return how far a booklet is here or at another worker, None where nobody asked for it or it is evicted."""
        with self.changed:
            found = self.booklets.get(key)
        return found or _elsewhere(key)

    def start(self, key: str, make: Make) -> Booklet:
        """Queue a booklet in the language in use, unless it is printed or queued; one that failed is queued again."""
        found = self.look(key)
        if found and found.state != State.FAILED and key not in self.booklets:
            return found
        with self.changed:
            found = self.booklets.get(key)
            if found and found.state != State.FAILED:
                self.booklets.move_to_end(key)
                return found
            self._put(key, Booklet())
            self.waiting[key] = (get_language() or "en", make)
            if not self.running:
                start_thread("press", self._work)
                self.running = True
            return self.booklets[key]

    def wait(self, key: str, make: Make) -> Booklet:
        """Have a booklet printed and wait until it is over."""
        booklet = self.start(key, make)
        while not booklet.over:
            with self.changed:
                here = self.booklets.get(key)
                if here is None or not here.over:
                    self.changed.wait(1)
            booklet = self.look(key) or self.start(key, make)  # the worker that printed it is gone
        return booklet

    def _work(self) -> None:
        while True:
            with self.changed:
                if not self.waiting:
                    self.running = False
                    return
                key, (language, make) = self.waiting.popitem(last=False)
            if not attempt("press", partial(self._print_in, language, key, make)):
                attempt("press", partial(self._fail, key, ""))

    def _print_in(self, language: str, key: str, make: Make) -> None:
        with override(language):
            self._print(key, make)

    def _print(self, key: str, make: Make) -> None:
        def progress(done: int, steps: int) -> None:
            self._put(key, Booklet(State.MAKING, done, steps))

        self._put(key, Booklet(State.MAKING))
        try:
            printed = make(progress)
        except PaperUnavailable as missing:
            self._fail(key, str(missing))
        except Exception as error:  # whatever broke it, the page must not wait for a booklet that is over
            if not isinstance(error, Ended):
                log.exception("A booklet broke off.")
            said = _("It stopped at step %(done)d of %(steps)d: %(error)s. Everything else works; try again.")
            at, words = self.booklets[key], str(error)
            what = words if isinstance(error, BrokenOff) else f"{type(error).__name__}: {words}"
            self._fail(key, said % {"done": at.done + 1, "steps": at.steps, "error": what})
        else:
            steps = self.booklets[key].steps
            self._put(key, Booklet(State.DONE, steps, steps, printed))

    def _fail(self, key: str, why: str) -> None:
        self._put(key, replace(self.booklets[key], state=State.FAILED, why=why))

    def _put(self, key: str, booklet: Booklet) -> None:
        share(f"press {self.name}", 1, seconds=SILENT)
        share(f"booklet {key}", _facts(booklet, self.name), seconds=KEPT)
        with self.changed:
            self.booklets[key] = booklet
            self.booklets.move_to_end(key)
            finished = [each for each, each_booklet in self.booklets.items() if each_booklet.over]
            for old in finished[: max(0, len(self.booklets) - MOST)]:
                del self.booklets[old]
            self.changed.notify_all()


def _facts(booklet: Booklet, press_name: str) -> dict[str, Any]:
    """Return a booklet in plain values: a worker that runs another program can read them, too."""
    printed = booklet.printed
    return {
        "press": press_name,
        "state": str(booklet.state),
        "steps": (booklet.done, booklet.steps),
        "printed": (printed.pdf, printed.pages, printed.missing) if printed else None,
        "why": booklet.why,
    }


def _elsewhere(key: str) -> Booklet | None:
    """Return how far a booklet is at another worker, None where none has it, or one that has fallen silent."""
    facts = get_shared(f"booklet {key}")
    if not facts:
        return None
    done, steps = facts["steps"]
    printed = Printed(*facts["printed"]) if facts["printed"] else None
    found = Booklet(State(facts["state"]), done, steps, printed, facts["why"])
    return found if found.over or get_shared(f"press {facts['press']}") else None


press = Press()  # the one of this process
