"""What is answered where no view can: nothing at an address, a form without its token, a program that broke.

Programs, which ask below /api/, are answered in JSON. The page of a broken program stands alone: it must work when
nothing else does.
"""

from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string
from django.views.csrf import csrf_failure
from django.views.defaults import page_not_found

from scoring.problems import error
from web.server.log_lines import request_id
from web.words.problem_json import problems_json


def no_such_page(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that there is nothing at this address, or nothing for whoever asks."""
    return _refused(request, "access.no_such_page", 404) or page_not_found(request, exception)


def not_our_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that what was sent lacks the token against forged forms; nothing was written."""
    return _refused(request, "access.no_token", 403) or csrf_failure(request, reason)


def _refused(request: HttpRequest, code: str, status: int) -> HttpResponse | None:
    if not request.path.startswith("/api/"):
        return None
    return JsonResponse({"problems": problems_json([error(code)])}, status=status)


def broken(_request: HttpRequest) -> HttpResponse:
    """Say that something broke, and the number under which the log tells more."""
    return HttpResponseServerError(render_to_string("500.html", {"request_id": request_id.get()}))
