"""The page that is shown when the program itself broke. It stands alone: it must work when nothing else does."""

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template.loader import render_to_string

from web.log_lines import request_id


def broken(_request: HttpRequest) -> HttpResponse:
    """Say that something broke, and the number under which the log tells more."""
    return HttpResponseServerError(render_to_string("500.html", {"request_id": request_id.get()}))
