"""What one hand costs the desk, through the whole of Django, into a file on the disk.

By the API how long it takes from POST to answer; from the page processor time, queries and bytes of previews and hands.
"""

import functools
import json
import statistics
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from uuid import uuid4

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import path

from scoring.entries import to_json
from tests.factories import make_account, make_event
from tools.bench.games import game_of
from tools.load.hall import Hall, make_hall
from tools.load.tables import ROUND, stamp_of
from web.urls import urlpatterns as pages

TABLES = 25
WARM_UP = 2  # tables, which load modules and compile queries and templates; queries are counted at the second
HANDS = 12  # of a game that is posted
POSTS_TO_WARM_UP = 12
HEADERS = {"hx-request": "true", "accept": "application/json"}
FORM = "application/x-www-form-urlencoded"

Measure = Callable[[Callable[[], Any]], tuple[float, Any]]


def empty(_request: HttpRequest) -> HttpResponse:
    """Answer at once: what all middleware costs."""
    return HttpResponse("done")


def insert(_request: HttpRequest) -> HttpResponse:
    """Write one row in a transaction and answer."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("INSERT INTO bench_row VALUES (%s)", [str(uuid4())])
    return HttpResponse("done")


urlpatterns = [path("bench/empty/", empty), path("bench/insert/", insert), *pages]


@override_settings(ROOT_URLCONF=__name__)
def way_hand_ms(*, quick: bool = False) -> dict[str, object]:
    """Return the medians of both in a late round as a page sends them, beside an empty view and one insert."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS bench_row (text varchar(36))")
    hall = make_hall(WARM_UP + (1 if quick else TABLES), make_account("Bench of the way", superuser=True))
    seen: dict[str, list[float]] = defaultdict(list)
    for table in range(1, len(hall.lines) + 1):
        for kind, figure, size in _play(hall, table, _count_queries if table <= WARM_UP else _own_ms):
            if table > WARM_UP:
                seen[f"way_{kind}_ms"].append(figure)
                seen[f"way_{kind}_bytes"].append(size)
            elif table == WARM_UP:
                seen[f"way_{kind}_queries"].append(figure)
    medians = {name: statistics.median(figures) for name, figures in sorted(seen.items())}
    ratios = {
        "way_hand_to_insert": medians["way_hand_ms"] / medians["way_insert_ms"],
        "way_preview_to_empty": medians["way_preview_ms"] / medians["way_empty_ms"],
        "way_hand_bytes_most": max(seen["way_hand_bytes"]),
    }
    return {name: round(figure, 2) for name, figure in (medians | ratios).items()}


def _play(hall: Hall, table: int, measure: Measure) -> Iterator[tuple[str, float, int]]:
    """Look at each hand of a table's game and send it; yield what was measured, and the bytes of the answer."""
    client = Client(headers={"host": "localhost"})
    client.cookies["sessionid"] = hall.session
    address = f"/desk/{hall.slug}/rounds/{ROUND}/tables/{table}/"
    stamp = stamp_of(client.get(address).content.decode())
    for seq, line in enumerate(hall.lines[table]):
        fields: dict[str, str | int] = {"client_id": str(uuid4()), "expected_seq": seq, "line": line}
        fields["reason"] = "as the table says"
        post = functools.partial(client.generic, "POST", content_type=FORM, headers=HEADERS)
        sent = urllib.parse.urlencode(fields | {"stamp": stamp})
        for kind, ask in (
            ("empty", functools.partial(client.get, "/bench/empty/", headers=HEADERS)),
            ("preview", functools.partial(client.get, f"{address}preview/", fields, headers=HEADERS)),
            ("insert", functools.partial(post, "/bench/insert/", sent)),
            ("hand", functools.partial(post, address, sent)),
        ):
            figure, answer = measure(ask)
            if answer.status_code != 200:
                raise RuntimeError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
            yield kind, figure, len(answer.content)
        stamp = stamp_of(answer.json()["page"])


def _own_ms(ask: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    answer = ask()
    return (time.process_time() - start) * 1000, answer


def _count_queries(ask: Callable[[], Any]) -> tuple[float, Any]:
    with CaptureQueriesContext(connection) as asked:
        answer = ask()
    return len(asked), answer


def post_hand_ms(*, quick: bool = False) -> dict[str, object]:
    """Return median and 99th percentile; the first posts, which load modules, do not count."""
    client = Client(headers={"host": "localhost"})
    client.force_login(make_account("Bench", superuser=True), backend="django.contrib.auth.backends.ModelBackend")
    tables = 2 if quick else TABLES
    event = make_event("ema-2025", tables=tables, rounds=1)
    chance, rules, took = Random(100), event.ruleset, []
    for table in range(1, tables + 1):
        address = f"/api/v1/events/{event.slug}/rounds/1/tables/{table}/entries"
        for seq, entry in enumerate(game_of(rules, chance, HANDS)):
            body = json.dumps({"client_id": str(uuid4()), "expected_seq": seq, "entry": to_json(entry)})
            start = time.perf_counter()
            answer = client.post(address, body, content_type="application/json")
            took.append((time.perf_counter() - start) * 1000)
            if answer.status_code != 201:
                raise RuntimeError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
    counted = took[POSTS_TO_WARM_UP:]
    return {
        "post_hand_ms": round(statistics.median(counted), 2),
        "post_hand_p99_ms": round(statistics.quantiles(counted, n=100)[98], 2),
        "post_hands": len(counted),
    }
