"""Print, and write large workbooks, in processes of their own, so that no page of the desk waits for them.

One is started by the first print, or when the page of prints is read, and ended after some minutes without work. A
second one prints single sheets while a booklet takes the first. This module never loads WeasyPrint.
"""

import atexit
import contextlib
import importlib.util
import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, TypeVar, cast

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.core.threads import attempt
from tournament.pdf.render import Leaves, PaperUnavailable, Printed, Progress, install_hint, print_leaves
from tournament.tables.rows import EventHead

ROOT: Final = Path(__file__).resolve().parents[2]
LINE: Final = (sys.executable, "-P", "-m", "tournament.pdf.printer_process")
MOST: Final = 2  # processes at once, 80 MB each and more with a long booklet
IDLE: Final = 300.0  # seconds without work after which a process is ended
SILENT: Final = 600.0  # seconds without a word after which a process counts as stuck and is killed
TRIES: Final = 2  # a process that dies may have been killed by chance; one that dies twice has a reason
PATIENCE: Final = 5.0  # seconds for which a process that shall end may take to do so
# Windows has classes where others have os.nice, which the process calls by itself.
PRIORITY: Final[int] = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job:
    """What makes a file, by an importable function without a model, and in which language."""

    make: Callable[[Progress], Any]
    language: str


@dataclass(frozen=True, slots=True)
class Step:
    """So many steps of a job are done."""

    done: int
    steps: int


@dataclass(frozen=True, slots=True)
class Unprinted:
    """Why a job is not printed; `missing` says that this machine cannot print at all, and then it is a sentence."""

    why: str
    missing: bool = False


class BrokenOff(RuntimeError):  # noqa: N818 - a state to be shown, as in DomainError
    """A print broke off; its text says why and is no sentence yet."""


class Ended(BrokenOff):
    """All processes were ended, as the desk ends: no fault."""


class PrinterGone(RuntimeError):  # noqa: N818 - the same
    """The process died before it had printed; its text is the exit code."""


class Printer:
    """A process that prints one job at a time."""

    def __init__(self, line: Sequence[str], silent: float = SILENT) -> None:
        """Start the process; raises BrokenOff if this machine cannot."""
        self.silent = silent
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        try:
            self.process = subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
                creationflags=PRIORITY,
            )
        except OSError as error:
            raise BrokenOff(f"{type(error).__name__}: {error}") from error
        self.jobs, self.answers = cast("IO[bytes]", self.process.stdin), cast("IO[bytes]", self.process.stdout)
        self.printing = False
        self.ending: threading.Timer | None = None

    @property
    def can_print(self) -> bool:
        """Whether it lives and has answered all that it was given."""
        return not self.printing and self.process.poll() is None

    def run(self, job: Job, progress: Progress | None) -> Any:
        """Return what a job makes; raises PaperUnavailable, BrokenOff, and PrinterGone where the process dies."""
        given = pickle.dumps(job)
        self.printing = True
        with self._or_gone():
            self.jobs.write(given)
            self.jobs.flush()
        said = self._hear()
        while isinstance(said, Step):
            if progress:
                progress(said.done, said.steps)
            said = self._hear()
        self.printing = False
        if isinstance(said, Unprinted):
            raise PaperUnavailable(said.why) if said.missing else BrokenOff(said.why)
        return said

    def _hear(self) -> Any:
        stuck = threading.Timer(self.silent, attempt, ["printers", self.process.kill])
        stuck.daemon = True
        stuck.start()
        try:
            with self._or_gone():
                return pickle.load(self.answers)  # noqa: S301 - from our own process alone
        finally:
            stuck.cancel()

    @contextlib.contextmanager
    def _or_gone(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as error:  # ValueError: the pipe is closed
            with contextlib.suppress(subprocess.TimeoutExpired):  # it ends a moment after its pipes
                self.process.wait(PATIENCE)
            raise PrinterGone(f"exit code {self.process.returncode}") from error

    def end(self) -> None:
        """End the process: at once if it prints, for nobody waits for that any more."""
        if self.ending:
            self.ending.cancel()
        if self.printing:
            self.process.kill()
        with contextlib.suppress(OSError):  # it died before it had read all
            self.jobs.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.answers.close()


class Printers:
    """A pool of printing processes; each prints one job at a time, and a caller who finds all busy waits."""

    def __init__(self, *, idle: float = IDLE, silent: float = SILENT, line: Sequence[str] = LINE) -> None:
        """Have none yet."""
        self.idle, self.silent, self.line = idle, silent, line
        self.changed = threading.Condition()
        self.free: list[Printer] = []
        self.busy: list[Printer] = []
        self.started = 0
        self.ends = 0  # how often all were ended

    def print(self, leaves: Leaves, head: EventHead, progress: Progress | None = None) -> Printed:
        """Print in the language in use; arguments and raises as print_leaves has them, and BrokenOff or Ended."""
        if not _has_weasyprint():
            raise PaperUnavailable(install_hint(sys.platform))
        return self.run(partial(print_leaves, leaves, head), progress)

    def run(self, make: Callable[[Progress], T], progress: Progress | None = None) -> T:
        """Return what `make` makes in a process, in the language in use; raises BrokenOff or Ended.

        Where a process dies meanwhile, another one tries once more.
        """
        job, ends = Job(make, get_language() or "en"), self.ends
        for _again in range(TRIES):
            try:
                with self._one(ends) as printer:
                    made: T = printer.run(job, progress)
                    return made
            except PrinterGone as gone:
                self._unless_ended(ends)
                log.warning("The process that prints has died in the middle of a job: %s.", gone)
        raise BrokenOff(_("the printing process has stopped"))

    def get_ready(self) -> None:
        """Start a process unless there is one: it loads meanwhile what a first print would wait for."""
        with self.changed, contextlib.suppress(BrokenOff):
            self._drop_dead()
            if not self.free and not self.busy and _has_weasyprint():
                self._keep(self._start())

    def end(self) -> None:
        """End all processes; callers that print or wait get Ended, and start no other one."""
        with self.changed:
            self.ends += 1
            ending = [*self.free, *self.busy]
            self.free.clear()
            self.changed.notify_all()
        for printer in ending:
            printer.end()

    @contextlib.contextmanager
    def _one(self, ends: int) -> Iterator[Printer]:
        printer = self._take(ends)
        try:
            yield printer
        finally:
            with self.changed:
                self.busy.remove(printer)
                if printer.can_print:
                    self._keep(printer)
                self.changed.notify()
            if not printer.can_print:
                printer.end()

    def _take(self, ends: int) -> Printer:
        with self.changed:
            while True:
                self._unless_ended(ends)
                self._drop_dead()
                if self.free:
                    printer = self.free.pop()
                    break
                if len(self.busy) < MOST:
                    printer = self._start()
                    break
                self.changed.wait()
            if printer.ending:
                printer.ending.cancel()
            self.busy.append(printer)
            return printer

    def _unless_ended(self, ends: int) -> None:
        if self.ends != ends:
            raise Ended(_("the printing process has stopped"))

    def _start(self) -> Printer:
        if not self.started:
            atexit.register(self.end)
        self.started += 1
        return Printer(self.line, self.silent)

    def _keep(self, printer: Printer) -> None:
        printer.ending = threading.Timer(self.idle, attempt, ["printers", partial(self._let_go, printer)])
        printer.ending.daemon = True
        printer.ending.start()
        self.free.append(printer)

    def _let_go(self, printer: Printer) -> None:
        with self.changed:
            if printer not in self.free:
                return
            self.free.remove(printer)
        printer.end()

    def _drop_dead(self) -> None:
        for printer in [each for each in self.free if not each.can_print]:
            self.free.remove(printer)
            printer.end()


def _has_weasyprint() -> bool:
    """Whether the package is there; whether it finds what it needs on this machine only a process can tell."""
    return importlib.util.find_spec("weasyprint") is not None


printers = Printers()  # those of this process
