"""Laptops that enter hands by the API, one a table, as fast as they are answered, and send again what was not.

Each keeps a list of what the server has said is written. A draw with everybody tenpai moves no point and ends no game,
so that a table takes as many hands as there is time for.
"""

import contextlib
import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from tools.faults.hall import Hall

HAND = {"kind": "draw", "tenpai": [0, 1, 2, 3]}
TOKEN = "f" * 32  # the token against forged forms is whatever cookie and header agree on
WRITTEN = (200, 201)


@dataclass
class Writer:
    """The laptop at one table."""

    hall: Hall
    port: int
    table: int
    cut: float = 0.0  # of the answers, lost on the way
    answered: list[tuple[int, int, str]] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    silences: int = 0
    cuts: int = 0
    chance: random.Random = field(default_factory=random.Random)
    wrong: list[str] = field(default_factory=list)

    def run(self, stop: threading.Event) -> None:
        """Enter hands until told to stop; the hand under way is sent until it is answered."""
        while not stop.is_set():
            seq = self.answered[-1][1] if self.answered else 0
            client_id = str(uuid4())
            while not self._written(seq, client_id):
                if stop.is_set():
                    return
                time.sleep(0.1)

    def _written(self, seq: int, client_id: str) -> bool:
        body = {"client_id": client_id, "expected_seq": seq, "entry": HAND, "reason": "fault test"}
        try:
            status, answer = self._post(json.dumps(body))
        except (OSError, http.client.HTTPException, ValueError):
            self.silences += 1
            return False
        self.statuses[status] += 1
        if status in WRITTEN:
            self.answered.append((self.table, int(answer["seq"]), client_id))
            return True
        if status < 500:
            self.wrong.append(f"table {self.table}, after {seq}: {status} {json.dumps(answer)[:300]}")
        return False

    def _post(self, body: str) -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            is_cut = self.chance.random() < self.cut
            # half of the cuts are in the middle of the question, the others before the answer
            said = body[: len(body) // 2] if is_cut and self.chance.random() < 0.5 else body
            headers = {
                "Cookie": f"sessionid={self.hall.session}; csrftoken={TOKEN}",
                "X-CSRFToken": TOKEN,
                "Content-Type": "application/json",
                "Content-Length": str(len(body)),
            }
            path = f"/api/v1/events/{self.hall.slug}/rounds/1/tables/{self.table}/entries"
            connection.request("POST", path, said, headers)
            if is_cut:
                self.cuts += 1
                time.sleep(self.chance.uniform(0, 0.05))
                raise ConnectionAbortedError
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, (json.loads(text) if answer.status < 500 else {})
        finally:
            connection.close()


@contextlib.contextmanager
def writing_at(hall: Hall, port: int, *, cut: float = 0.0) -> Iterator[list[Writer]]:
    """Let a laptop write at each table while this holds; afterwards each has its answer."""
    writers = [Writer(hall, port, table, cut) for table in range(1, hall.tables + 1)]
    stop = threading.Event()
    threads = [threading.Thread(target=writer.run, args=[stop], daemon=True) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        yield writers
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
