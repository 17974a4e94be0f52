"""The outermost part of every request: an id, a measured time, and queries that took too long, for log and figures.

Never an address, a name, a path or what somebody typed: of a request it tells the pattern of its address, of a query
its text without its values. How a line looks is web.server.log_lines' part.
"""

import logging
import random
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse

from web.server.health import count_request
from web.server.log_lines import request_id, route_of

REQUESTS = logging.getLogger("hanchan.request")
QUERIES = logging.getLogger("hanchan.query")
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

_ids = random.Random(secrets.randbits(128))  # noqa: S311 - ids are no secrets

View = Callable[[HttpRequest], HttpResponse]


def request_id_of(request: HttpRequest) -> str:
    """Return the id that a proxy gave this request, where there is a proxy; else a new one."""
    given = request.headers.get("X-Request-ID", "") if settings.HTTPS else ""
    return given if _GIVEN_ID.fullmatch(given) else new_id()


def new_id() -> str:
    """Return an id that no other request has. Nothing is kept safe by it, and the system's own chance takes a call."""
    return f"{_ids.getrandbits(64):016x}"


class RequestLog:
    """Middleware, the outermost: gives each request an id, measures it, and logs it without saying whose it was."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with the id in the header X-Request-ID."""
        mark = request_id.set(request_id_of(request))
        start = time.perf_counter()
        try:
            log_slow_queries()
            answer = self.get_response(request)
            seconds = time.perf_counter() - start
            answer["X-Request-ID"] = request_id.get()
            tell(request, answer, seconds)
            return answer
        finally:
            request_id.reset(mark)


def tell(request: HttpRequest, answer: HttpResponse, seconds: float) -> None:
    """Log a request that was answered, and count it."""
    size = None if answer.streaming else len(answer.content)
    log_answer(route_of(request), request.method or "", answer.status_code, seconds, size)


def log_answer(route: str, method: str, status: int, seconds: float, size: int | None) -> None:
    """Log an answer by the pattern of its address, and count it; `size` in bytes, None where nobody knows."""
    count_request(route, method, status, seconds)
    facts = {"route": route, "method": method, "status": status, "ms": round(seconds * 1000, 1)}
    REQUESTS.info("answered", extra={"facts": facts | ({} if size is None else {"bytes": size})})


def log_slow_queries() -> None:
    """Log each query of this thread's connection that takes longer than HANCHAN_SLOW_QUERY_MS; 0 looks at none."""
    wrappers = connections["default"].execute_wrappers
    if settings.SLOW_QUERY_MS and _timed not in wrappers:
        wrappers.append(_timed)


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    start = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        ms = (time.perf_counter() - start) * 1000
        if 0 < settings.SLOW_QUERY_MS <= ms:
            QUERIES.warning("slow query", extra={"facts": {"ms": round(ms, 1), "sql": sql}})
