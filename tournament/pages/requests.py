"""Read the values of a request, show a refusal, and do the acts that a laptop sends together (static/hands/outbox.js).

Acts of one request are done in order, and each has its own answer.
"""

import contextlib
import json
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.contrib import messages
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from scoring.problems import InvalidInput, Problem
from tournament.core.errors import FORM_STALE, DomainError
from tournament.events.models import Event
from tournament.pages.permissions import DeskRequest
from tournament.tables.models import Round, Table
from tournament.tables.queries import LoadedTable, get_table
from tournament.tables.round_queries import get_round
from tournament.text.problems import problem_text


class Fields(Protocol):
    """A submitted form: one value or all values of a name."""

    def get(self, key: str, default: str, /) -> str: ...
    def getlist(self, key: str, /) -> list[str]: ...


POINTS_OF_P = 1000
MAX_DIGITS = 7
MAX_QUERY_LENGTH = 60  # characters of a search
MAX_TYPED = 12  # characters of points

_SEPARATORS = r"[ ,.'’\u00a0\u202f]"
_PLAIN = re.compile(rf"(?P<sign>[-+]?)(?P<number>[0-9]{{1,3}}(?:{_SEPARATORS}[0-9]{{3}})+|[0-9]{{1,{MAX_DIGITS}}})")
_P = re.compile(r"(?P<whole>[0-9]{1,4})(?:[.,](?P<rest>[0-9]{1,3}))?\s*[pP]")


def read_points(text: str) -> int | None:
    """Read 30000, 30,000, 30 000, −1.200 or +500 as points; None for anything else.

    >>> [read_points(text) for text in ("30,000", "−1.200", "+500", "30.0", "1,2345", "")]
    [30000, -1200, 500, None, None, None]
    """
    match = _PLAIN.fullmatch(text.strip().replace("−", "-"))
    if not match:
        return None
    digits = re.sub(_SEPARATORS, "", match["number"])
    return int(match["sign"] + digits) if len(digits) <= MAX_DIGITS else None


def read_amount(text: str) -> int | None:
    """Read points, or thousands of them as 20P and 2.5P; None for anything else and for what is below zero.

    >>> [read_amount(text) for text in ("20P", "2.5p", "20,000", "2.5", "-1000")]
    [20000, 2500, 20000, None, None]
    """
    match = _P.fullmatch(text.strip())
    if match:
        return int(match["whole"]) * POINTS_OF_P + int((match["rest"] or "0").ljust(3, "0"))
    points = read_points(text)
    return None if points is None or points < 0 else points


MAX_STICKS = 99
_DECIMAL = re.compile(r"(?P<sign>[-+]?)(?P<whole>[0-9]{1,3}(?=[.,])|[0-9]{1,2})(?:[.,](?P<tenth>[0-9]))?")


def read_score(text: str) -> int | None:
    """Read whole points, or thousands with one decimal or with one or two digits; None for anything else.

    >>> [read_score(text) for text in ("45200", "45,200", "45.2", "+15,2", "−3.4", "45", "452", "45.20", "45 2")]
    [45200, 45200, 45200, 15200, -3400, 45000, 452, None, None]
    """
    plain = text.strip().replace("−", "-")
    match = _DECIMAL.fullmatch(plain)
    if match is None:
        return read_points(plain)
    points = int(match["whole"]) * POINTS_OF_P + int(match["tenth"] or 0) * (POINTS_OF_P // 10)
    return -points if match["sign"] == "-" else points


def read_sticks(text: str, deposit: int) -> int | None:
    """Read riichi sticks as points, by their count or by their points; empty is none, None is unreadable.

    >>> [read_sticks(text, 1000) for text in ("", "2", "2000", "2.0", "-1", "x")]
    [0, 2000, 2000, 2000, None, None]
    """
    plain = text.strip() or "0"
    count = read_points(plain)
    if count is not None and 0 <= count <= MAX_STICKS:
        return count * deposit if deposit else count
    points = read_score(plain)
    return None if points is None or points < 0 else points


CONFLICT, UNPROCESSABLE = 409, 422


def load_or_404(event: Event, round_number: int, table_number: int, row: Table | None = None) -> LoadedTable:
    """Load a table, from its row where the gateway has just read it; raises Http404 where there is none."""
    loaded = get_table(event, round_number, table_number, row=row)
    if loaded is None:
        raise Http404("There is no such table.")
    return loaded


def round_or_404(event: Event, number: int) -> Round:
    """Return a round; raises Http404 where there is none."""
    found = get_round(event, number)
    if found is None:
        raise Http404("There is no such round.")
    return found


def table_model(loaded: LoadedTable) -> Table:
    """Return the database row of a loaded table, as actions take it."""
    return loaded.row or Table.objects.select_related("round__event").get(pk=loaded.id)


def to_int(text: str | None) -> int:
    """Read a whole number; 0 for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 9 else 0


def to_uuid(text: str) -> uuid.UUID:
    """Read the UUID of a submission; raises InvalidInput where its page is too old to have one."""
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise InvalidInput([FORM_STALE()]) from wrong


def wrong_seats(problems: Iterable[Problem]) -> list[int]:
    """List the seats that problems name, so that a page can mark their fields."""
    return [seat for problem in problems if isinstance(seat := problem.params.get("seat"), int)]


def wants_json(request: HttpRequest) -> bool:
    """Whether the sender names JSON; a browser that accepts anything does not."""
    return "application/json" in request.headers.get("Accept", "")


def flash_saved(request: HttpRequest, done: str, *, changed: bool) -> None:
    """Show on the next page that something is done, or that nothing was changed."""
    if changed:
        messages.success(request, done)
    else:
        messages.info(request, _("Nothing was changed."))


@contextlib.contextmanager
def flash_refusal(request: HttpRequest) -> Iterator[None]:
    """Show what the code inside refuses on the next page, and go on after it."""
    try:
        yield
    except (DomainError, InvalidInput) as refused:
        flash_problems(request, refused)


def flash_problems(request: HttpRequest, refused: DomainError | InvalidInput) -> None:
    """Show each problem of a refusal as an error message on the next page."""
    for problem in refused.problems:
        messages.error(request, problem_text(problem))


MAX_ACTS = 50  # static/hands/outbox_store.js sends no more at a time


@dataclass(frozen=True, slots=True)
class SentAct:
    """One act: the fields of its form, under the `client_id` that makes a repeat of it no second act."""

    client_id: uuid.UUID
    fields: Mapping[str, str]


def answer_acts(request: DeskRequest, do: Callable[[SentAct], object]) -> JsonResponse:
    """Do each act of `acts`, a JSON list of `[client_id, {field: text}]`; answer with the problems of each, in order.

    An act that is refused does not stop those after it. 422 for a list that cannot be read: then nothing is done.
    """
    try:
        acts = _read(request.POST.get("acts", ""))
    except InvalidInput as wrong:
        problems = [problem_text(problem) for problem in wrong.problems]
        return JsonResponse({"problems": problems, "between": []}, status=UNPROCESSABLE)
    answers = [{"client_id": str(act.client_id), "problems": _problems_of(act, do)} for act in acts]
    return JsonResponse({"seq": 0, "answers": answers})


def _problems_of(act: SentAct, do: Callable[[SentAct], object]) -> list[str]:
    try:
        do(act)
    except (InvalidInput, DomainError) as wrong:
        return [problem_text(problem) for problem in wrong.problems]
    return []


def _read(text: str) -> list[SentAct]:
    try:
        listed: Any = json.loads(text)
        acts = [
            SentAct(to_uuid(str(client_id)), {str(k): str(v) for k, v in fields.items()})
            for client_id, fields in listed
        ]
    except (ValueError, TypeError, AttributeError, RecursionError) as wrong:
        raise InvalidInput([FORM_STALE()]) from wrong
    if not 0 < len(acts) <= MAX_ACTS:
        raise InvalidInput([FORM_STALE()])
    return acts
