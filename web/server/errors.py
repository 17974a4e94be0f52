"""Answers where no view can answer: no such page, a form without its token, a broken program, a failing database, a
row that was deleted after the view had found it.

Programs, which ask below /api/, get JSON. The page of a broken program uses no other template.
"""

import logging
from collections.abc import Callable

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseServerError, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import is_valid_path
from django.views.csrf import csrf_failure
from django.views.defaults import page_not_found

from scoring.problems import ProblemType
from tournament.backups.container import STORAGE_REPLACED
from tournament.pages.permissions import ACCESS_NO_SUCH_PAGE, ACCESS_NO_TOKEN
from tournament.text.problems import problem_text, problems_json
from web.server.log_lines import request_id
from web.server.sqlite.base import REPLACED

STORAGE_FULL = ProblemType(
    "storage.full",
    "The disk of the desk is full: this was not written. Make room on it, then send it again; nothing else is lost.",
)
STORAGE_AWAY = ProblemType(
    "storage.away", "The database does not answer: this was not written. Wait a moment, then send it again."
)
STORAGE_GONE = ProblemType(
    "storage.gone", "Somebody deleted this in the meantime: nothing was written. Go back and load the page again."
)

LOG = logging.getLogger("hanchan.storage")
GONE = 404
NO_ROOM = 507
AWAY = 503
FULL = ("disk is full", "no space left", "could not extend file", "disk i/o error")  # SQLite twice, PostgreSQL twice
PATIENCE = 5  # seconds


class StorageErrors:
    """Middleware, the innermost: turns the database's refusal into an answer in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as ever."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, wrong: Exception) -> HttpResponse | None:
        """Answer for a view that the database has let down, or an act on a deleted row; None for every other fault."""
        is_gone = isinstance(wrong, ObjectDoesNotExist) and request.method == "POST"
        status = GONE if is_gone else status_of(wrong)
        if status is None:
            return None
        away = STORAGE_REPLACED if REPLACED in str(wrong) else STORAGE_AWAY
        problem = {GONE: STORAGE_GONE, NO_ROOM: STORAGE_FULL}.get(status, away)()
        LOG.error("%s", problem_text(problem), exc_info=wrong if is_gone else None)
        answer = (
            JsonResponse({"problems": problems_json([problem])}, status=status)
            if _is_program(request)
            else render(None, "storage.html", {"words": problem_text(problem)}, status=status)
        )
        if not is_gone:
            answer["Retry-After"] = str(PATIENCE)
        answer["Cache-Control"] = "no-store"
        return answer


def with_page(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a person who opens an address to which forms are sent gets a page in words, and the way back."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET" and not _is_program(request):
            page = _above(request.path)
            while page != "/" and not is_valid_path(page):
                page = _above(page)
            response.content = render_to_string("405.html", {"page": page}, request)
        return response

    return answer


def _above(address: str) -> str:
    """Return the address of the folder around another.

    >>> _above("/desk/cup/clock/"), _above("/")
    ('/desk/cup/', '/')
    """
    return f"{address.rstrip('/').rpartition('/')[0]}/"


def status_of(wrong: Exception) -> int | None:
    """Return 507 where the disk is full, 503 where the database is away or too busy, None for anything else."""
    if not isinstance(wrong, (DatabaseError, InterfaceError)):
        return None
    if any(said in str(wrong).lower() for said in FULL):
        return NO_ROOM
    return AWAY if isinstance(wrong, (OperationalError, InterfaceError)) else None


def no_such_page(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: nothing is at this address, or nothing for this reader."""
    return _refused(request, ACCESS_NO_SUCH_PAGE, 404) or page_not_found(request, exception)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that what was sent lacks the token against forged forms; nothing was written."""
    return _refused(request, ACCESS_NO_TOKEN, 403) or csrf_failure(request, reason)


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _refused(request: HttpRequest, kind: ProblemType, status: int) -> HttpResponse | None:
    if not _is_program(request):
        return None
    return JsonResponse({"problems": problems_json([kind()])}, status=status)


def broken(_request: HttpRequest) -> HttpResponse:
    """Say that something broke, and the number under which the log tells more."""
    return HttpResponseServerError(render_to_string("500.html", {"request_id": request_id.get()}))
