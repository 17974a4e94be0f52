"""How long one hand takes from POST to answer: through the whole of Django, into a file on the disk."""

import json
import statistics
import time
from random import Random
from uuid import uuid4

from django.test import Client

from scoring.entries import to_json
from tests.factories import make_account, make_event
from tools.bench.games import game_of

TABLES, HANDS = 25, 12
WARM_UP = 12


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
    counted = took[WARM_UP:]
    return {
        "post_hand_ms": round(statistics.median(counted), 2),
        "post_hand_p99_ms": round(statistics.quantiles(counted, n=100)[98], 2),
        "post_hands": len(counted),
    }
