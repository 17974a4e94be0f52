"""What a page or the API says when the database takes nothing: a disk that is full, a database that does not answer.

The transaction has been rolled back by then, so that nothing stands half written. It tries nothing again by itself.
"""

import logging
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from scoring.problems import error
from web.words.problem_json import problems_json
from web.words.problems import say

LOG = logging.getLogger("hanchan.storage")
NO_ROOM = 507
AWAY = 503
FULL = ("disk is full", "no space left", "could not extend file", "disk i/o error")  # SQLite twice, PostgreSQL twice
PATIENCE = 5  # seconds


class StorageTrouble:
    """Middleware, the innermost: turns the database's refusal into an answer in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as ever."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, wrong: Exception) -> HttpResponse | None:
        """Answer for a view that the database has let down; None for every other fault."""
        status = status_of(wrong)
        if status is None:
            return None
        problem = error("storage.full" if status == NO_ROOM else "storage.away")
        LOG.error("%s", say(problem))
        answer = (
            JsonResponse({"problems": problems_json([problem])}, status=status)
            if request.path.startswith("/api/")
            else render(None, "storage.html", {"words": say(problem)}, status=status)
        )
        answer["Retry-After"] = str(PATIENCE)
        answer["Cache-Control"] = "no-store"
        return answer


def status_of(wrong: Exception) -> int | None:
    """Return 507 where the disk is full, 503 where the database is away or too busy, None for anything else."""
    if not isinstance(wrong, (DatabaseError, InterfaceError)):
        return None
    if any(said in str(wrong).lower() for said in FULL):
        return NO_ROOM
    return AWAY if isinstance(wrong, (OperationalError, InterfaceError)) else None
