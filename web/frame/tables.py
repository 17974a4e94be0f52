"""What a page reads from its address and its form, and how it shows a refusal."""

import uuid
from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpRequest

from scoring.problems import InvalidInput, Problem, error
from tournament.compiled_queries import Prepared
from tournament.models import Event, Round, Table
from tournament.selectors.rounds.rounds import get_round
from tournament.selectors.tables.tables import LoadedTable, get_table
from web.words.problems import say

CONFLICT, UNPROCESSABLE = 409, 422


def load_or_404(event: Event, round_number: int, table_number: int) -> LoadedTable:
    """Load a table; raises Http404 where there is none."""
    loaded = get_table(event, round_number, table_number)
    if loaded is None:
        raise Http404("There is no such table.")
    return loaded


def round_or_404(event: Event, number: int) -> Round:
    """Return a round; raises Http404 where there is none."""
    found = get_round(event, number)
    if found is None:
        raise Http404("There is no such round.")
    return found


_ROW = Prepared(lambda pk: Table.objects.select_related("round__event").filter(pk=pk))


def row_of(loaded: LoadedTable) -> Table:
    """Return the row of a loaded table, as verbs take it."""
    [row] = _ROW(loaded.id)
    return row


def to_int(text: str | None) -> int:
    """Read a number of a form; 0 for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 9 else 0


def to_uuid(text: str) -> uuid.UUID:
    """Read the number of an act; raises InvalidInput for a page that is too old to have one."""
    try:
        return uuid.UUID(text)
    except ValueError as wrong:
        raise InvalidInput([error("form.stale")]) from wrong


def show_problems(request: HttpRequest, problems: Iterable[Problem]) -> None:
    """Show each problem on the next page as an error."""
    for problem in problems:
        messages.error(request, say(problem))
