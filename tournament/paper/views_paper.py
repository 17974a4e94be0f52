"""Paper: the page of what can be printed, sheets printed at once, and booklets printed in the background."""

import datetime as dt
import hashlib
import pickle
from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from tournament.core.rights import Verb
from tournament.models.event import Event
from tournament.pages.addresses import hall_url
from tournament.pages.files_file_answers import no_paper, paper_size, pdf_answer, print_now
from tournament.pages.permissions_gateways import DeskRequest, who_may
from tournament.pages.permissions_page_context import current_round, desk_context
from tournament.pages.priority import stand_aside
from tournament.paper.choices import SHEETS, Ask, paper_sections
from tournament.paper.queries import get_head
from tournament.paper.views_booklets import State, press
from tournament.pdf.printers import printers
from tournament.pdf.render import Leaves, Printed, Progress
from tournament.tables.round_queries_rounds import list_rounds

BEST = 3  # ranks that get a certificate unless all do


@require_GET
@who_may(Verb.PRINT)
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
@who_may(Verb.PRINT)
def print_sheet(request: DeskRequest, event: Event, sheet: str) -> HttpResponse:
    """Print one sheet now, or return the booklet that is printed already.

    `?round=N` chooses the round, `?paper=` the size, `?all` a certificate for everybody.
    """
    ask = _ask(request, event, sheet)
    making = _making(ask, sheet)
    if not SHEETS[sheet].booklet:
        return print_now(request, event, sheet, making.leaves, ask.head)
    with stand_aside():
        found = press.wait(_key(ask, sheet, making.content), making)
    if found.printed:
        return pdf_answer(event, sheet, found.printed)
    return no_paper(request, event, found.why, again=request.get_full_path())


@require_GET
@who_may(Verb.PRINT)
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
    pdf = f"{reverse('desk:print', args=[event.slug, sheet])}?{query}"
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


@dataclass(frozen=True, slots=True)
class _Making:
    """A sheet with its rows, read in the request: the press needs no database."""

    ask: Ask
    leaves: Leaves

    @property
    def content(self) -> str:
        """A digest of the sheet without the time of printing, but with the time zone in which it shows times."""
        head = self.ask.head
        undated = replace(head, printed_at=dt.datetime.min.replace(tzinfo=dt.UTC))
        return hashlib.sha256(pickle.dumps((self.leaves, undated, str(head.printed_at.tzinfo)))).hexdigest()[:32]

    def __call__(self, told: Progress) -> Printed:
        return printers.print(self.leaves, self.ask.head, told)


def _making(ask: Ask, sheet: str) -> _Making:
    try:
        return _Making(ask, SHEETS[sheet].make(ask))
    except ValueError as nothing:
        raise Http404(_("There is nothing to print on this sheet yet.")) from nothing


def _key(ask: Ask, sheet: str, content: str) -> str:
    """Return the key of a booklet: its content, not the event's version, which moves with every hand."""
    parts = (ask.event.pk, sheet, ask.round, ask.best, ask.head.paper, get_language(), content)
    return " ".join(str(part) for part in parts)


def _ask(request: DeskRequest, event: Event, sheet: str) -> Ask:
    if sheet not in SHEETS:
        raise Http404("There is no such sheet.")
    head = replace(get_head(event), paper=paper_size(request))
    base = hall_url(request, "/").removesuffix("/")
    return Ask(event, head, _round_number(request, event), base, 0 if "all" in request.GET else BEST)


def _round_number(request: HttpRequest, event: Event) -> int:
    text, now = request.GET.get("round", ""), current_round(event)
    return int(text[:4]) if text.isascii() and text.isdigit() else (now.number if now else 0)
