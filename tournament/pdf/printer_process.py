"""The process that prints: `python -m tournament.pdf.printer_process` reads jobs, writes how far each is and its file.

Only `tournament.pdf.printers`, its parent, sends it pickles, through a pipe that nobody else can open. It loads
settings, templates and translations, but no app and so no model: printing makes no query.
"""

import contextlib
import gc
import logging
import os
import pickle
import signal
import sys
from queue import SimpleQueue
from typing import Any, BinaryIO

from django.apps import apps
from django.conf import settings
from django.utils.log import configure_logging
from django.utils.translation import override

from tournament.core.threads import start_thread
from tournament.pdf.printers import Job, Step, Unprinted
from tournament.pdf.render import PaperUnavailable, load_all

NICER = 10  # pages of the desk go before paper
# New objects after which Python looks for rings of forgotten ones: at its own 700 that takes a quarter of a booklet.
SELDOM = (50_000, 20, 100)

log = logging.getLogger(__name__)


def main() -> None:
    """Print one job after another until the parent process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the desk's window is for the desk: then the pipe closes
    if hasattr(os, "nice"):  # Windows has priority classes instead, which the parent sets
        os.nice(NICER)
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # other output must not mix with the answers
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
    apps.populate(())
    jobs: SimpleQueue[Job] = SimpleQueue()
    start_thread("printer", lambda: _read(sys.stdin.buffer, jobs))
    with contextlib.suppress(PaperUnavailable):  # the first job will say so
        load_all()
    gc.freeze()  # what is loaded stays
    gc.set_threshold(*SELDOM)
    while True:
        print_job(jobs.get(), answers)
        gc.collect()  # a laid out page is full of rings, and the next job may be hours away


def _read(given: BinaryIO, jobs: "SimpleQueue[Job]") -> None:
    """Take jobs while there are any; end the process at once when the pipe closes, in the middle of a page, too."""
    try:
        while True:
            jobs.put(pickle.load(given))  # noqa: S301 - from our own parent alone
    except (EOFError, OSError, pickle.UnpicklingError):
        pass
    except Exception:  # a job of another version of the program
        log.exception("The process that prints does not understand its job.")
    os._exit(0)


def print_job(job: Job, answers: BinaryIO) -> None:
    """Run a job and write a Step after each portion, then what it has made or Unprinted."""

    def progress(done: int, steps: int) -> None:
        _say(Step(done, steps), answers)

    try:
        with override(job.language):
            said = job.make(progress)
    except PaperUnavailable as unavailable:
        said = Unprinted(str(unavailable), missing=True)
    except Exception as error:  # whatever broke it, the next job may be well
        log.exception("A print broke off.")
        said = Unprinted(f"{type(error).__name__}: {error}")
    _say(said, answers)


def _say(what: Any, answers: BinaryIO) -> None:
    pickle.dump(what, answers)
    answers.flush()


if __name__ == "__main__":
    main()
