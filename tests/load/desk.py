"""A referee at the desk: each hand is looked at before it is sent, as the page does it, then sent; both are timed."""

import http.client
import re
import statistics
import time
import urllib.parse
from collections.abc import Iterator
from uuid import uuid4

from tests.load.hall import Hall

OK = 200
SEQ = re.compile(r'name="expected_seq" value="(\d+)"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Desk:
    """A laptop's browser on the hand pages of one round."""

    def __init__(self, host: str, port: int, hall: Hall) -> None:
        """Open a connection, and the first table for its token."""
        self.hall, self.connection = hall, http.client.HTTPConnection(host, port, timeout=60)
        self.cookies = f"sessionid={hall.session}"
        page = self._ask("GET", f"/desk/{hall.slug}/rounds/2/tables/1/")
        self.token = _found(TOKEN, page)
        self.next_hand = self._hands()

    def enter(self) -> tuple[float, float]:
        """Enter the next hand at the next table; returns milliseconds of the look before it and of the answer."""
        table, line, seq = next(self.next_hand)
        address = f"/desk/{self.hall.slug}/rounds/2/tables/{table}/"
        fields = {"client_id": str(uuid4()), "expected_seq": seq, "line": line, "reason": "as the table says"}
        start = time.perf_counter()
        self._ask("GET", f"{address}preview/?{urllib.parse.urlencode(fields)}")
        looked = time.perf_counter()
        answer = self._ask("POST", address, urllib.parse.urlencode(fields))
        sent = time.perf_counter()
        self.seen[table] = int(_found(SEQ, answer)) if SEQ.search(answer) else -1
        return (looked - start) * 1000, (sent - looked) * 1000

    def _hands(self) -> Iterator[tuple[int, str, int]]:
        self.seen = dict.fromkeys(self.hall.lines, 0)
        for number in range(max(map(len, self.hall.lines.values()))):
            for table, lines in self.hall.lines.items():
                if self.seen[table] >= 0 and number < len(lines):
                    yield table, lines[number], self.seen[table]

    def _ask(self, method: str, path: str, body: str | None = None) -> str:
        headers = {"Cookie": self.cookies, "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}
        if body is not None:
            headers["X-CSRFToken"] = self.token
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != OK:
            raise RuntimeError(f"{method} {path} answered {answer.status}: {text[:300]}")
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and value.startswith("csrftoken="):
                self.cookies = f"sessionid={self.hall.session}; {value.partition(';')[0]}"
        return text


def work(desk: Desk, seconds: float, pause: float) -> dict[str, float]:
    """Enter hands for so long, a pause between them; returns median and 99th percentile in milliseconds."""
    looks: list[float] = []
    sends: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        look, send = desk.enter()
        looks.append(look)
        sends.append(send)
        time.sleep(pause)
    return {"hands": len(looks)} | _percentiles("preview", looks) | _percentiles("post", sends)


def _percentiles(name: str, took: list[float]) -> dict[str, float]:
    return {
        f"{name}_median_ms": round(statistics.median(took), 1),
        f"{name}_p99_ms": round(statistics.quantiles(took, n=100)[98], 1),
    }


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    if match is None:
        raise RuntimeError(f"no {pattern.pattern} on the page")
    return match[1]
