"""How a line of the log looks, for a person at a terminal or as JSON; web.settings.LOGGING names these classes.

Never an address, a name, a path or what somebody typed: a line names the pattern of an address (`enter/<str:token>/`)
and never what stood in it; of an error it says where and of what kind. Imports nothing that needs Django to be set up.
"""

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest

request_id: ContextVar[str] = ContextVar("request_id", default="")
FIRST_LINE_MOST = 200


def route_of(request: HttpRequest) -> str:
    """Return the pattern of the address asked for, without what stood in it; "-" where no page answers there."""
    match = request.resolver_match
    return match.route if match is not None else "-"


class RedactPathsFilter(logging.Filter):
    """Takes out of a record what Django would tell of a person: the path of a request stands in its own errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put the pattern of the address where its path stood; always lets the record through."""
        record.request_id = request_id.get()
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            title = record.getMessage().partition(":")[0]  # its own words are "Internal Server Error: /a/path/"
            record.msg, record.args = f"{title}: {route_of(request)}", ()
        return True


def where(error: BaseException) -> str:
    """Tell an error by its calls, its kind and the first line of its words: a database's second line shows values."""
    calls = "".join(traceback.format_tb(error.__traceback__))
    first = (str(error).splitlines() or [""])[0][:FIRST_LINE_MOST]
    return f"{calls}{type(error).__qualname__}: {first}"


class LineFormatter(logging.Formatter):
    """A line for a person at a terminal, with the request's id where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the time, the level, what happened and the facts."""
        facts = "".join(f" {name}={value}" for name, value in getattr(record, "facts", {}).items())
        asked = getattr(record, "request_id", "")
        mark = f" [{asked}]" if asked else ""
        moment = self.formatTime(record, "%H:%M:%S")
        line = f"{moment} {record.levelname} {record.name}{mark}: {record.getMessage()}{facts}"
        return f"{line}\n{where(record.exc_info[1])}" if record.exc_info and record.exc_info[1] else line


class JsonFormatter(logging.Formatter):
    """A line of JSON for a program that gathers logs: time (UTC), level, logger, message, request id, facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the record as one line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": moment, "level": record.levelname, "logger": record.name}
        line |= {"message": record.getMessage(), **getattr(record, "facts", {})}
        if getattr(record, "request_id", ""):
            line["request"] = record.request_id  # type: ignore[attr-defined]
        if record.exc_info and record.exc_info[1]:
            line["error"] = where(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)
