"""Answers that are files: to download, or a sheet printed now in another process; a page where printing fails."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models.event import Event
from tournament.pages.permissions_gateways import DeskRequest
from tournament.pages.permissions_page_context import desk_context
from tournament.pages.priority import stand_aside
from tournament.paper.queries import print_name
from tournament.pdf.printers import BrokenOff, printers
from tournament.pdf.render import Leaves, PaperUnavailable, Printed
from tournament.tables.rows import PAPERS, EventHead

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
        with stand_aside():
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
    return render(request, "frame/paper_unavailable.html", context, status=503)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def file_answer(content: bytes, kind: str, name: str, *, inline: bool = False) -> HttpResponse:
    """Answer with a file, to look at `inline` or to download."""
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'{"inline" if inline else "attachment"}; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    return answer


class FileArrived:
    """Middleware: tell the page that waits for a file (static/js/busy.js) that it comes, by taking its cookie away."""

    COOKIE = "file-wanted"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and take the cookie away where the answer is a file."""
        answer = self.get_response(request)
        if self.COOKIE in request.COOKIES and answer.has_header("Content-Disposition"):
            answer.delete_cookie(self.COOKIE, samesite="Lax")
        return answer
