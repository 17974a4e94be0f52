"""What a cache between desk and reader may keep: nothing, unless a page says otherwise of itself.

Public pages say so in web.frame.public_page; static files carry the digest of their content. The rest is for one
reader: the desk's pages, sign-in, errors.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class KeptPrivate:
    """Middleware: an answer that says nothing of caches is kept by the reader's own browser alone, and asked anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say what a cache may do where the page did not."""
        answer = self.get_response(request)
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        return answer
