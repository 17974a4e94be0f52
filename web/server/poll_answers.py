"""Answer "not modified" to polling phones without Django, as another phone was answered half a second ago.

Five hundred phones poll eighty times a second. Only answers that are the same for every phone are cached.
"""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.urls import Resolver404, resolve

from web.server.caches import SAME
from web.server.request_log import log_answer, new_id

QUESTION: Final = re.compile(r"/e/[^/]+/version/")
MOMENT: Final = 0.5  # seconds for which an answer is given again
MOST: Final = 500  # events under the names of this desk
ITS_OWN: Final = frozenset({"x-request-id", "x-server-time", "date"})  # headers of one answer alone

Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A 304 as a phone got it: its ETag and headers, and the pattern of the address, for the log."""

    until: float
    etag: str
    headers: Headers
    timed: bool
    route: str


class PollAnswers:
    """WSGI middleware around the whole program; `clock` gives seconds that never go back."""

    def __init__(self, application: Application, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.application, self.clock = application, clock
        self.cached: dict[tuple[str, str, str], CachedAnswer] = {}

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer from the cache, or let the program answer."""
        knows = environ.get("HTTP_IF_NONE_MATCH", "").removeprefix("W/")
        if not knows or environ["REQUEST_METHOD"] != "GET" or environ.get("QUERY_STRING"):
            return self.application(environ, start_response)
        path = environ["PATH_INFO"]
        if not QUESTION.fullmatch(path):
            return self.application(environ, start_response)
        start = self.clock()
        key = (environ.get("wsgi.url_scheme", ""), environ.get("HTTP_HOST", ""), path)
        cached = self.cached.get(key)
        if cached is None or cached.until < start or cached.etag != knows:
            return self.application(environ, self._listening(environ, key, start, start_response))
        own = [("X-Request-ID", new_id()), *([("X-Server-Time", str(int(time.time() * 1000)))] if cached.timed else [])]
        start_response("304 Not Modified", [*cached.headers, *own])
        log_answer(cached.route, "GET", 304, self.clock() - start, 0)
        return []

    def _listening(
        self, environ: dict[str, Any], key: tuple[str, str, str], start: float, start_response: StartResponse
    ) -> StartResponse:
        """Return a `start_response` that keeps what is said where it holds for every phone, whomever it follows."""

        def listen(status: str, headers: Headers, *rest: Any) -> Any:
            said = {name.lower(): value for name, value in headers}
            for_all = environ.get(SAME, False) and "set-cookie" not in said
            if status.startswith("304 ") and for_all and "etag" in said:
                alike = [(name, value) for name, value in headers if name.lower() not in ITS_OWN]
                if len(self.cached) >= MOST:
                    self.cached.clear()
                etag = said["etag"].removeprefix("W/")
                self.cached[key] = CachedAnswer(start + MOMENT, etag, alike, "x-server-time" in said, _route(key[2]))
            return start_response(status, headers, *rest)

        return listen


def _route(path: str) -> str:
    try:
        return resolve(path).route
    except Resolver404:  # nobody answers 304 there
        return "-"
