"""Answers that are files: a download, the logo as a PNG, or a sheet or workbook made now by another process.

Where printing fails, a page says why.
"""

import base64
import datetime as dt
import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournament.core.time_zones import zone_of
from tournament.events.models import Event, Logo, Photo
from tournament.pages.permissions import DeskRequest, desk_context
from tournament.pages.priority import yield_priority
from tournament.pdf.printers import BrokenOff, printers
from tournament.pdf.render import Leaves, PaperUnavailable, Printed
from tournament.tables.models import Seat
from tournament.tables.rows import PAPERS, EventHead

if TYPE_CHECKING:
    from tournament.pages.spreadsheets import Sheet

PDF = "application/pdf"


def paper_size(request: HttpRequest) -> str:
    """Return the paper size of the query, else the one the session keeps."""
    asked = request.GET.get("paper") or request.session.get("paper", "")
    return asked if asked in PAPERS else PAPERS[0]


def print_now(
    request: DeskRequest, event: Event, sheet: str, leaves: Leaves, head: EventHead, *, tab: str = "paper"
) -> HttpResponse:
    """Answer with a sheet as PDF, or with a page below `tab` that says why it cannot be printed."""
    try:
        with yield_priority():
            printed = printers.print(leaves, head)
        return pdf_answer(event, sheet, printed)
    except PaperUnavailable as missing:
        return no_paper(request, event, str(missing), tab=tab)
    except BrokenOff as broken:
        why = _("It stopped: %(error)s. Everything else works; try again.") % {"error": broken}
        return no_paper(request, event, why, tab=tab, again=request.get_full_path())


def pdf_answer(event: Event, sheet: str, printed: Printed) -> HttpResponse:
    """Answer with a printed sheet, shown in the browser and not cached."""
    return file_answer(printed.pdf, PDF, print_name(event, sheet, timezone.localtime(), "pdf"), inline=True)


def no_paper(request: DeskRequest, event: Event, why: str, *, tab: str = "paper", again: str = "") -> HttpResponse:
    """Answer with the page that says why nothing is printed; `again` is the address to retry."""
    context = desk_context(request, event, tab, why=why, again=again)
    return render(request, "pages/paper_unavailable.html", context, status=503)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


MAX_CELLS_HERE = 5_000  # of a workbook: more take longer than 0.2 s, and are written by another process


def book_answer(sheets: "Sequence[Sheet]", made_at: dt.datetime, name: str) -> HttpResponse:
    """Answer with a workbook to download; where another process cannot write a large one, it is written here."""
    from tournament.pages.spreadsheets import make_book  # its package is a tenth of the desk's start

    make, made = partial(make_book, sheets, made_at), b""
    if sum(sheet.cells for sheet in sheets) > MAX_CELLS_HERE:
        with suppress(BrokenOff), yield_priority():
            made = printers.run(make)
    return file_answer(made or make(), XLSX, name)


def file_answer(content: bytes, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    """Answer with a file, to look at `inline` or to download."""
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


class FileArrived:
    """Middleware: delete the cookie by which a page (static/js/progress.js) knows that its file is not here yet."""

    COOKIE = "file-wanted"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and take the cookie away where the answer is a file."""
        answer = self.get_response(request)
        if self.COOKIE in request.COOKIES and answer.has_header("Content-Disposition"):
            answer.delete_cookie(self.COOKIE, samesite="Lax")
        return answer


def get_picture(event: Event, model: type[Logo | Photo]) -> bytes:
    """Return one of the event's pictures, nothing where it has none; a query where it has one."""
    if not getattr(event, model.event_column):
        return b""
    text = model.objects.filter(event=event).values_list(model.file_column, flat=True).first()
    return base64.b64decode(text) if text else b""


def etag_answer(request: HttpRequest, content: bytes, kind: str) -> HttpResponse:
    """Answer with a small file that a browser keeps until another one takes its place; 304 where it has it."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    answer = get_conditional_response(request, etag) or HttpResponse(content, content_type=kind)
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache"
    return answer


NOBODY = "\N{EN DASH}"


def get_head(event: Event, round_: int = 0) -> EventHead:
    """Return the head of every page, printed now; of a round in an open event with the rules of its table."""
    seated = Seat.objects.filter(round__event=event, round__number=round_)
    rules = event.rules_for(seated.count() if event.second_rules and round_ else 0)
    return EventHead(
        name=event.name,
        slug=event.slug,
        date=event.date,
        ruleset_title=rules.title,
        players_per_table=rules.players,
        rounds=0 if event.is_open else event.rounds_planned,
        start_points=rules.start_points,
        deposit=rules.riichi_deposit,
        minutes=rules.minutes,
        extra_hands=rules.extra_hands,
        printed_at=timezone.localtime(timezone=zone_of(event)),
        colour=event.colour,
        logo=get_picture(event, Logo),
        last_date=event.last_date,
    )


def print_name(event: Event, what: str, made_at: dt.datetime, suffix: str) -> str:
    """Name a file: event, what it is, and when it was made."""
    return f"{event.slug}-{what}-{made_at:%Y%m%d-%H%M}.{suffix}"


def qr_code(url: str) -> SafeString:
    """Draw a QR code of an address."""
    return mark_safe(segno.make(url, error="m", micro=False).svg_inline(omitsize=True))  # noqa: S308 - segno's own
