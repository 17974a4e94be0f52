"""What a preview and a sent hand cost the desk: processor time, queries and bytes, through the whole of Django."""

import re
import statistics
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_account
from tools.bench.busy import ROUNDS_AT_ONCE
from tools.load.hall import Hall, make_hall
from tournament.hands.tour import COOKIE

TABLES = 25
WARM_UP = 2  # tables, which load modules and compile queries and templates; queries are counted at the second
HEADERS = {"hx-request": "true", "accept": "application/json"}
STAMP = re.compile(r'data-stamp="([^"]*)"')
KINDS = ("preview", "hand")

Measure = Callable[[Callable[[], Any]], tuple[float, Any]]


def way_hand_ms(*, quick: bool = False) -> dict[str, object]:
    """Return the medians of both as a page sends them.

    `way_…_rounds` is the time in rounds of the busy loop, a thousand at once, which are measured beside each table.
    """
    hall = make_hall(WARM_UP + (1 if quick else TABLES), make_account("Bench of the way", superuser=True))
    seen: dict[str, list[float]] = defaultdict(list)
    for table in range(1, len(hall.lines) + 1):
        loop = _busy_ms()
        for kind, figure, size in _play(hall, table, _count_queries if table <= WARM_UP else _own_ms):
            if table > WARM_UP:
                seen[f"way_{kind}_ms"].append(figure)
                seen[f"way_{kind}_rounds"].append(figure / loop)
                seen[f"way_{kind}_bytes"].append(size)
            elif table == WARM_UP:
                seen[f"way_{kind}_queries"].append(figure)
    return {name: round(statistics.median(figures), 2) for name, figures in sorted(seen.items())}


def _play(hall: Hall, table: int, measure: Measure) -> Iterator[tuple[str, float, int]]:
    """Look at each hand of a table's game and send it; yield what was measured, and the bytes of the answer."""
    client = Client(headers={"host": "localhost"})
    client.cookies["sessionid"], client.cookies[COOKIE] = hall.session, "1"
    address = f"/desk/{hall.slug}/rounds/2/tables/{table}/"
    stamp = _stamp(client.get(address).content.decode())
    for seq, line in enumerate(hall.lines[table]):
        fields = {"client_id": str(uuid4()), "expected_seq": seq, "line": line, "reason": "as the table says"}
        asked, sent = f"{address}preview/?{urllib.parse.urlencode(fields)}", fields | {"stamp": stamp}
        for kind, ask in (
            ("preview", lambda asked=asked: client.get(asked, headers=HEADERS)),
            ("hand", lambda sent=sent: client.post(address, sent, headers=HEADERS)),
        ):
            figure, answer = measure(ask)
            if answer.status_code != 200:
                raise RuntimeError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
            yield kind, figure, len(answer.content)
        stamp = _stamp(answer.json()["page"])


def _own_ms(ask: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    answer = ask()
    return (time.process_time() - start) * 1000, answer


def _count_queries(ask: Callable[[], Any]) -> tuple[float, Any]:
    with CaptureQueriesContext(connection) as asked:
        answer = ask()
    return len(asked), answer


def _stamp(page: str) -> str:
    match = STAMP.search(page)
    return match[1] if match else ""


def _busy_ms() -> float:
    """Return the own time of so many rounds of the busy loop, the least of several."""

    def loop() -> int:
        number = 0
        for step in range(ROUNDS_AT_ONCE):
            number = (number * 31 + step) % 1_000_003
        return number

    return min(_own_ms(loop)[0] for _ in range(20))
