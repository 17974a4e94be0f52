"""The page of what can be printed: sheets at once, booklets one after another in the background, and cached."""

import datetime as dt
import hashlib
import io
import logging
import pickle
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from tournament.alllast.queries import TableNeeds, list_needs
from tournament.alllast.views import seat_cards
from tournament.core.rights import Right
from tournament.core.shared_cache import get_shared, share
from tournament.core.threads import attempt, start_thread
from tournament.events.models import Event
from tournament.pages.addresses import hall_url
from tournament.pages.files import get_head, no_paper, paper_size, pdf_answer, print_now
from tournament.pages.permissions import DeskRequest, current_round, desk_context, who_may
from tournament.pages.priority import yield_priority
from tournament.pages.requests import to_int
from tournament.paper.all_last import FilledSheet, filled_all_last_leaves
from tournament.paper.choices import SHEETS, PrintRequest, paper_sections
from tournament.pdf.printers import BrokenOff, Ended, printers
from tournament.pdf.render import Leaves, PaperUnavailable, Printed, Progress
from tournament.tables.round_queries import get_round, list_rounds
from tournament.text.readback import hand_name, honba_and_sticks

BEST = 3  # ranks that get a certificate unless all do


@require_GET
@who_may(Right.PRINT)
def paper(request: DeskRequest, event: Event) -> HttpResponse:
    """List what can be printed; `?paper=a4` or `letter` chooses the paper until another is chosen."""
    chosen = paper_size(request)
    if request.session.get("paper") != chosen:
        request.session["paper"] = chosen
    now, rounds = current_round(event), list_rounds(event)
    sections = paper_sections(event, [row.number for row in rounds], now.number if now else 0)
    names = (("a4", _("A4")), ("letter", _("US letter")))
    papers = [{"key": key, "name": name, "chosen": key == chosen} for key, name in names]
    context = {"rounds": rounds, "sections": sections, "papers": papers}
    printers.get_ready()
    return render(request, "paper/paper.html", desk_context(request, event, "paper", **context))


@require_GET
@who_may(Right.PRINT)
def print_sheet(request: DeskRequest, event: Event, sheet: str) -> HttpResponse:
    """Print one sheet now, or return the booklet that is printed already.

    `?round=N` chooses the round, `?paper=` the size, `?all` a certificate for everybody.
    """
    ask = _ask(request, event, sheet)
    found = press.look(_key(ask, sheet, request.GET.get("content", "")))
    if found is None or found.state != State.DONE:
        making = _making(ask, sheet)
        if not SHEETS[sheet].booklet:
            return print_now(request, event, sheet, making.leaves, ask.head)
        with yield_priority():
            found = press.wait(_key(ask, sheet, making.content), making)
    if found.printed:
        return pdf_answer(event, sheet, found.printed)
    return no_paper(request, event, found.why, again=request.get_full_path())


@require_GET
@who_may(Right.PRINT)
def booklet(request: DeskRequest, event: Event, sheet: str) -> HttpResponse:
    """Show the progress of a booklet, start to print it where nobody has, and lead to it once it is done."""
    if sheet not in SHEETS or not SHEETS[sheet].booklet:
        raise Http404("There is no such booklet.")
    ask = _ask(request, event, sheet)
    content = request.GET.get("content", "")
    found = press.look(_key(ask, sheet, content)) if content else None
    if found is None:
        making = _making(ask, sheet)
        content = making.content
        found = press.look(_key(ask, sheet, content))
        if found is None or (found.state == State.FAILED and "again" in request.GET):
            found = press.start(_key(ask, sheet, content), making)
    query = urlencode([("round", ask.round), ("paper", ask.head.paper), *([] if ask.best else [("all", 1)])])
    # a log of all rounds would be printed again for each hand that was entered while it was printed
    said = f"&content={content}" if SHEETS[sheet].all_rounds else ""
    pdf = f"{reverse('desk:print', args=[event.slug, sheet])}?{query}{said}"
    moving = request.htmx  # type: ignore[attr-defined]
    if found.state == State.DONE and not (found.printed and found.printed.missing):
        return HttpResponse(status=204, headers={"HX-Redirect": pdf}) if moving else redirect(pdf)
    context = {
        "booklet": found,
        "title": SHEETS[sheet].title,
        "percent": 100 * found.done // found.steps,
        "pdf_url": pdf,
        "again_url": f"{request.path}?{query}",
        "moving_url": f"{request.path}?{query}&content={content}",
        "round": ask.round if SHEETS[sheet].by_round else 0,
    }
    if not moving:
        return render(request, "paper/paper_booklet.html", desk_context(request, event, "paper", **context))
    answer = render(request, "paper/paper_booklet.html#progress", {"event": event, **context})
    answer["Cache-Control"] = "no-store"
    return answer


@require_GET
@who_may(Right.PRINT)
def last_sheets(request: DeskRequest, event: Event) -> HttpResponse:
    """Print the filled all-last sheets of `?round=N`, or of `?table=N` alone."""
    now = current_round(event)
    round_ = get_round(event, to_int(request.GET.get("round"))) or (get_round(event, now.number) if now else None)
    needs = list_needs(round_) if round_ else []
    wanted = to_int(request.GET.get("table"))
    needs = [each for each in needs if wanted in (0, each.number)]
    if not needs:
        messages.info(request, _("No table is in its last hand now: there is no sheet to fill."))
        return redirect("desk:paper", slug=event.slug)
    head = replace(get_head(event, round_.number if round_ else 0), paper=paper_size(request))
    leaves = filled_all_last_leaves(head, [paper_sheet(each) for each in needs])
    return print_now(request, event, "all-last-filled", leaves, head)


def paper_sheet(needs: TableNeeds) -> FilledSheet:
    """Return the filled all-last sheet of a table."""
    return FilledSheet(
        round=needs.round,
        table=needs.number,
        hand=hand_name(needs.state),
        about=honba_and_sticks(needs.state),
        sticks=needs.state.sticks,
        seats=tuple(seat_cards(needs)),
    )


@dataclass(frozen=True, slots=True)
class _Making:
    """A sheet with its rows, read in the request: the press needs no database."""

    ask: PrintRequest
    leaves: Leaves

    @property
    def content(self) -> str:
        """A digest of the sheet without the time of printing, but with the time zone in which it shows times."""
        head = self.ask.head
        undated = replace(head, printed_at=dt.datetime.min.replace(tzinfo=dt.UTC))
        written = io.BytesIO()
        pickler = pickle.Pickler(written)
        pickler.fast = True  # what equal rows share is no content
        pickler.dump((self.leaves, undated, str(head.printed_at.tzinfo)))
        return hashlib.sha256(written.getvalue()).hexdigest()[:32]

    def __call__(self, told: Progress) -> Printed:
        return printers.print(self.leaves, self.ask.head, told)


def _making(ask: PrintRequest, sheet: str) -> _Making:
    try:
        return _Making(ask, SHEETS[sheet].make(ask))
    except ValueError as nothing:
        raise Http404(_("There is nothing to print on this sheet yet.")) from nothing


def _key(ask: PrintRequest, sheet: str, content: str) -> str:
    """Return the key of a booklet: its content, not the event's version, which moves with every hand."""
    parts = (ask.event.pk, sheet, ask.round, ask.best, ask.head.paper, get_language(), content)
    return " ".join(str(part) for part in parts)


def _ask(request: DeskRequest, event: Event, sheet: str) -> PrintRequest:
    if sheet not in SHEETS:
        raise Http404("There is no such sheet.")
    base = hall_url(request, "/").removesuffix("/")
    text, now = request.GET.get("round", ""), None if SHEETS[sheet].all_rounds else current_round(event)
    number = int(text[:4]) if text.isascii() and text.isdigit() else (now.number if now else 0)
    head = replace(get_head(event, number if SHEETS[sheet].by_round else 0), paper=paper_size(request))
    return PrintRequest(event, head, number, base, 0 if "all" in request.GET else BEST)


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
