"""Paper as an answer: a sheet that is printed now, or a page that says in words why there is none.

It never prints itself: that is done in processes of their own.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event
from tournament.selectors.files.paper import print_name
from tournament.sheets.printers import BrokenOff, printers
from tournament.sheets.render import Leaves, PaperUnavailable, Printed
from tournament.sheets.rows import PAPERS, EventHead
from web.frame.file_answer import file_answer
from web.frame.page_context import desk_context
from web.gateways import DeskRequest

PDF = "application/pdf"


def paper_size(request: HttpRequest) -> str:
    """Return the paper size of the query, else the one the session keeps."""
    asked = request.GET.get("paper") or request.session.get("paper", "")
    return asked if asked in PAPERS else PAPERS[0]


def print_now(
    request: DeskRequest, event: Event, sheet: str, leaves: Leaves, head: EventHead, *, tab: str = "paper"
) -> HttpResponse:
    """Answer with a sheet as PDF; where it cannot be printed with a page below `tab` that says why."""
    try:
        return pdf_answer(event, sheet, printers.print(leaves, head))
    except PaperUnavailable as missing:
        return no_paper(request, event, str(missing), tab=tab)
    except BrokenOff as broken:
        why = _("It broke off: %(error)s. All else works; try it once more.") % {"error": broken}
        return no_paper(request, event, why, tab=tab, again=request.get_full_path())


def pdf_answer(event: Event, sheet: str, printed: Printed) -> HttpResponse:
    """Answer with what is printed, to look at and not to be kept by a browser."""
    return file_answer(printed.pdf, PDF, print_name(event, sheet, timezone.localtime(), "pdf"), inline=True)


def no_paper(request: DeskRequest, event: Event, why: str, *, tab: str = "paper", again: str = "") -> HttpResponse:
    """Answer with the page that says why nothing is printed; `again` is the address that tries it once more."""
    context = desk_context(request, event, tab, why=why, again=again)
    return render(request, "frame/paper_unavailable.html", context, status=503)
