"""The question of a phone whether anything has changed, answered as another phone was answered a moment ago.

Five hundred phones ask it eighty times a second; whoever knows the version that was right half a second ago is told
"not modified" before Django is asked at all. It never answers anybody else, and keeps nothing that is one phone's own.
"""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.urls import Resolver404, resolve

from web.server.caches import SAME
from web.server.request_log import new_id, tell_answer

QUESTION: Final = re.compile(r"/e/[^/]+/version/")
MOMENT: Final = 0.5  # seconds for which an answer is given again
MOST: Final = 500  # events under the names of this desk
ITS_OWN: Final = frozenset({"x-request-id", "x-server-time", "date"})  # headers of one answer alone

Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a phone was told: that this version stands, with these headers, under this pattern of addresses."""

    until: float
    etag: str
    headers: Headers
    timed: bool
    route: str


class PollAnswers:
    """WSGI middleware around the whole program; `clock` gives seconds that never go back."""

    def __init__(self, application: Application, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.application, self.clock = application, clock
        self.told: dict[tuple[str, str, str], Progress] = {}

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer from what was told a moment ago, or let the program answer."""
        knows = environ.get("HTTP_IF_NONE_MATCH", "").removeprefix("W/")
        if not knows or environ["REQUEST_METHOD"] != "GET" or environ.get("QUERY_STRING"):
            return self.application(environ, start_response)
        path = environ["PATH_INFO"]
        if not QUESTION.fullmatch(path):
            return self.application(environ, start_response)
        start = self.clock()
        key = (environ.get("wsgi.url_scheme", ""), environ.get("HTTP_HOST", ""), path)
        told = self.told.get(key)
        if told is None or told.until < start or told.etag != knows:
            return self.application(environ, self._listening(environ, key, start, start_response))
        own = [("X-Request-ID", new_id()), *([("X-Server-Time", str(int(time.time() * 1000)))] if told.timed else [])]
        start_response("304 Not Modified", [*told.headers, *own])
        tell_answer(told.route, "GET", 304, self.clock() - start, 0)
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
                if len(self.told) >= MOST:
                    self.told.clear()
                etag = said["etag"].removeprefix("W/")
                self.told[key] = Progress(start + MOMENT, etag, alike, "x-server-time" in said, _route(key[2]))
            return start_response(status, headers, *rest)

        return listen


def _route(path: str) -> str:
    try:
        return resolve(path).route
    except Resolver404:  # nobody answers 304 there
        return "-"
