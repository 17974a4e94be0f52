"""The Content-Security-Policy of every answer."""

from collections.abc import Callable
from typing import Final

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse, HttpResponseBase

OWN: Final = ("_csp_config", "_csp_update", "_csp_replace", "_csp_exempt")  # what a view's decorator leaves


class Policy(CSPMiddleware):
    """django-csp's middleware; the policy of the settings is put together once, and not for each answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.usual = build_policy()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set the header; an answer with a policy of its own gets that."""
        if HEADER in response or any(hasattr(response, name) for name in OWN):
            super().process_response(request, response)
        else:
            response[HEADER] = self.usual
        return response
