"""Two server processes on one database, behind no common memory: what is done at one is so at the other.

They are started as operators start several, `web.asgi` with static files collected, and share what HANCHAN_CACHE
names. On SQLite, and on PostgreSQL where the tests run there. One test asks all of it: to start the
workers takes longer.
"""

import contextlib
import http.cookiejar
import json
import os
import re
import secrets
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPErrorProcessor, OpenerDirector, Request, build_opener, urlopen

import psycopg
import pytest

from bootstrap import REPO
from tests.shared_fixtures import PASSWORD, copy_of_desk, fill, program_environment

pytestmark = [pytest.mark.slow, pytest.mark.database]  # two real servers, and static files collected for them

# uvicorn as operators start it, on a socket that takes connections from the beginning: nobody has to try again.
SERVE = """
import socket, uvicorn
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
config = uvicorn.Config("web.asgi:application", http="web.server.protocol:DeskProtocol", log_level="warning")
uvicorn.Server(config).run(sockets=[server])
"""
TOLD_WITHIN = 4  # seconds on a very busy machine; what nobody tells is read again after five


class Stay(HTTPErrorProcessor):
    """Takes every answer as it is: no redirect is followed and no status is an exception."""

    def http_response(self, request: Request, response: Any) -> Any:
        """Hand the answer on."""
        return response


@dataclass
class Browser:
    """One person's browser: the same cookies, whichever worker answers."""

    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def ask(self, port: int, path: str, form: dict[str, str] | bytes | None = None, **headers: str) -> Any:
        """Ask a worker; `form` makes it a POST, bytes are JSON."""
        token = next((cookie.value for cookie in self.jar if cookie.name == "csrftoken"), "")
        given = {"X-CSRFToken": token or "", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if isinstance(form, bytes):
            given["Content-Type"] = "application/json"
        data = urlencode(form).encode() if isinstance(form, dict) else form
        opener: OpenerDirector = build_opener(HTTPCookieProcessor(self.jar), Stay)
        answer = opener.open(Request(f"http://127.0.0.1:{port}{path}", data=data, headers=given))
        answer.body = answer.read()
        return answer

    def sign_in(self, port: int, name: str, password: str = PASSWORD) -> int:
        """Sign in at a worker and return the status; 302 says that it worked."""
        self.ask(port, "/login/")
        return int(self.ask(port, "/login/", {"username": name, "password": password}).status)


@contextlib.contextmanager
def database() -> Iterator[dict[str, str]]:
    """Yield what the workers' environment says of an empty PostgreSQL database of their own; nothing on SQLite."""
    server = os.environ.get("DATABASE_URL", "")
    if not server:
        yield {}
        return
    name = f"workers_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        yield {"DATABASE_URL": f"{server.rpartition('/')[0]}/{name}"}
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture
def workers(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Yield the ports of two workers."""
    with database() as address:
        shared = {**address, "HANCHAN_CACHE": "database" if address else "files"}
        if address:
            fill(tmp_path, **shared)
        else:
            copy_of_desk(tmp_path_factory, tmp_path)
        environment = program_environment(tmp_path, **shared)
        line = [sys.executable, "-c", SERVE]
        running = [
            subprocess.Popen(line, cwd=REPO, env=environment, stdout=subprocess.PIPE, text=True) for _worker in range(2)
        ]
        try:
            first, second = (int(process.stdout.readline()) for process in running)
            yield first, second
        finally:
            for process in running:
                process.terminate()
                process.communicate()


def both_are_well(workers: tuple[int, int], elke: Browser):
    said = [json.loads(elke.ask(port, "/health/").body) for port in workers]
    assert said == [{"status": "ok", "failing": [], "threads": []}] * 2


def who_signed_in_at_one_is_signed_in_at_the_other_and_out_again(workers: tuple[int, int], elke: Browser):
    first, second = workers
    assert [elke.ask(port, "/desk/cup/").status for port in workers] == [200, 200]
    elke.ask(second, "/logout/", {})
    assert [elke.ask(port, "/desk/cup/").status for port in (first, second)] == [302, 302]


def a_hand_entered_at_one_is_at_the_other_with_the_same_version_and_etag(workers: tuple[int, int], elke: Browser):
    first, second = workers
    before = elke.ask(first, "/api/v1/events/cup/version")
    hand = {"client_id": str(uuid.uuid4()), "expected_seq": 0, "entry": {"kind": "draw", "tenpai": [0]}}
    path = "/api/v1/events/cup/rounds/2/tables/1/entries"
    entered = elke.ask(second, path, json.dumps(hand).encode())
    assert entered.status == 201, entered.body
    after = [elke.ask(port, "/api/v1/events/cup/version") for port in workers]
    assert [json.loads(each.body)["version"] for each in after] == [json.loads(before.body)["version"] + 1] * 2
    assert after[0].headers["ETag"] == after[1].headers["ETag"]
    again = elke.ask(first, path, json.dumps(hand).encode())  # the answer was lost, and the other worker is asked
    assert (again.status, json.loads(again.body)) == (200, json.loads(entered.body))


def a_hand_entered_at_one_is_told_at_once_on_a_stream_of_the_other(workers: tuple[int, int], elke: Browser):
    first, second = workers
    path = "/api/v1/events/cup/version"
    version = json.loads(elke.ask(first, path).body)["version"]
    with urlopen(Request(f"http://127.0.0.1:{second}{path}", headers={"Accept": "text/event-stream"})) as stream:
        assert told(stream) == version
        waits: list[float] = []
        for seq in range(1, 5):  # where nobody told, each after the first would wait five seconds for the next reading
            hand = {"client_id": str(uuid.uuid4()), "expected_seq": seq, "entry": {"kind": "draw", "tenpai": [0]}}
            entered = elke.ask(first, "/api/v1/events/cup/rounds/2/tables/1/entries", json.dumps(hand).encode())
            assert entered.status == 201, entered.body
            asked = time.monotonic()
            while (latest := told(stream)) == version:  # a sign of life
                pass
            version = latest
            waits.append(time.monotonic() - asked)
            if min(waits[1:], default=TOLD_WITHIN) < TOLD_WITHIN:
                break
        assert min(waits[1:]) < TOLD_WITHIN


def told(stream: Any) -> int:
    """Return the next version that a stream tells."""
    line = next(line for line in stream if line.startswith(b"data: "))
    return int(json.loads(line.removeprefix(b"data: "))["etag"].strip('"'))


def a_phone_that_asks_now_the_one_and_now_the_other_has_its_page_already(workers: tuple[int, int], _elke: Browser):
    phone = Browser()
    for path in ("standings/", "version/", "display/version/", "players/1/", "manifest.webmanifest", "worker.js"):
        etags = {phone.ask(port, f"/e/cup/{path}").headers["ETag"] for port in workers}
        assert (path, len(etags)) == (path, 1)
        known = [phone.ask(port, f"/e/cup/{path}", If_None_Match=next(iter(etags))).status for port in workers]
        assert (path, known) == (path, [304, 304])
    pages = [phone.ask(port, "/e/cup/standings/").body.decode().replace(f":{port}/", "/") for port in workers]
    assert re.sub(r'data-server-now="\d+"', "", pages[0]) == re.sub(r'data-server-now="\d+"', "", pages[1])
    sheet = re.search(r"/static/css/phone\.[0-9a-f]+\.css", pages[0])
    assert sheet is not None
    kept = [phone.ask(port, sheet[0]).headers["Cache-Control"] for port in workers]
    assert kept == ["max-age=315360000, public, immutable"] * 2


def two_laptops_at_two_workers_see_each_other(workers: tuple[int, int], elke: Browser):
    first, second = workers
    otto = Browser()
    assert otto.sign_in(second, "otto") == 302
    table = "/desk/cup/rounds/2/tables/2/"
    elke.ask(first, "/desk/cup/presence/", {"tab": "a", "path": table, "typing": "1"})
    seen = json.loads(otto.ask(second, "/desk/cup/presence/", {"tab": "b", "path": table}).body)
    assert [person["name"] for person in seen["people"]] == ["Elke"]
    elke.ask(first, "/desk/cup/presence/", {"tab": "a", "gone": "1"})
    assert json.loads(otto.ask(second, "/desk/cup/presence/", {"tab": "b", "path": table}).body)["people"] == []


def a_clock_that_one_pauses_stands_still_at_the_other(workers: tuple[int, int], elke: Browser):
    first, second = workers

    def clocks() -> list[str]:
        shown = [elke.ask(port, "/e/cup/clock/").body.decode() for port in workers]
        return [page.partition('<section class="wall')[2].partition("</section>")[0] for page in shown]

    running = clocks()
    assert running[0] == running[1] != ""
    act = {"act": "pause", "reason": "fire alarm"}
    assert elke.ask(first, "/desk/cup/rounds/2/clock/", act).status == 302
    standing = clocks()
    assert standing[0] == standing[1] != running[0]
    assert elke.ask(second, "/desk/cup/rounds/2/clock/", {"act": "resume"}).status == 302
    assert len(set(clocks())) == 1


def a_booklet_begun_at_one_is_fetched_from_the_other(workers: tuple[int, int], elke: Browser):
    first, second = workers
    assert elke.ask(first, "/desk/cup/print/badges/?paper=a4").status in (200, 302)
    made = elke.ask(second, "/desk/cup/print/badges.pdf?paper=a4")  # waits for the first
    assert (made.status, made.body[:5]) == (200, b"%PDF-")
    pages = [elke.ask(port, "/desk/cup/print/badges/?paper=a4") for port in workers]
    assert [page.status for page in pages] == [302, 302]
    # one and the same: a PDF holds the moment at which it was made
    assert [elke.ask(first, page.headers["Location"]).body for page in pages] == [made.body] * 2


def wrong_passwords_are_counted_together(workers: tuple[int, int], _elke: Browser):
    guesser = Browser()
    tried = [guesser.sign_in(workers[number % 2], "uta", "wrong") for number in range(10)]
    assert tried[:9] == [200] * 9
    assert guesser.sign_in(workers[1], "uta") == 429
    assert guesser.sign_in(workers[0], "elke") == 302  # it is that pair alone


def test_two_workers_are_one_desk(workers: tuple[int, int]):
    elke = Browser()
    assert elke.sign_in(workers[0], "elke") == 302
    for holds in (
        both_are_well,
        a_hand_entered_at_one_is_at_the_other_with_the_same_version_and_etag,
        a_hand_entered_at_one_is_told_at_once_on_a_stream_of_the_other,
        a_phone_that_asks_now_the_one_and_now_the_other_has_its_page_already,
        two_laptops_at_two_workers_see_each_other,
        a_clock_that_one_pauses_stands_still_at_the_other,
        a_booklet_begun_at_one_is_fetched_from_the_other,
        who_signed_in_at_one_is_signed_in_at_the_other_and_out_again,  # only here: to sign in is dear by design
        wrong_passwords_are_counted_together,
    ):
        holds(workers, elke)
