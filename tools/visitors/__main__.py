"""Visitors of a demo: `python -m tools.visitors [--hours 24] [--visitors 50] [--minutes 0.5]` runs one and walks it.

Each visitor follows random links and sends random forms of a demo that begins again `--hours` times, `--minutes` after
one another. It fails where a page breaks or leads away, where the demo does not begin again or grows, and where one of
its processes reaches for another machine.
"""

import argparse
import contextlib
import http.client
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

from bootstrap import REPO
from tests.shared_fixtures import program_environment
from tools.page_forms import PageForms
from tournament.pages.addresses import FAR_AWAY

PORT = 8970
WORDS = ("", "1", "2r3 340/2", "3t 230", "d1/23", "-5000", "Müller", "日本", "0", "<b>", "99999999999", "x" * 300)
LINES = ("1r2 330", "2t 230", "3r1 m", "d12", "d", "1r3 240/13", "2r1 1000")


@dataclass
class Visitor:
    """Somebody who tries everything, with cookies of their own."""

    number: int
    seen: Counter[str]
    faults: list[str]
    over: threading.Event
    rng: random.Random = field(init=False)
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Seed the generator by the number."""
        self.rng = random.Random(self.number)

    def walk(self) -> None:
        """Go from page to page until the end; where there is none, begin again."""
        at = "/"
        while not self.over.wait(self.rng.random()):
            try:
                at = self.step(at)
            except OSError:  # the demo begins again
                self.seen["away"] += 1
                self.cookies.clear()
                at = "/"
            except http.client.HTTPException:
                self.seen["cut off"] += 1
                at = "/"
            except Exception as wrong:
                self.faults.append(f"a visitor stumbled behind {at}: {wrong!r}")
                raise

    def step(self, at: str) -> str:
        """Open a page, then follow a link or send a form of it; return where that leads."""
        page = PageForms(self.ask("GET", at))
        posts = [form for form in page.forms if form[0] == "POST" and "logout" not in form[1]]
        if posts and self.rng.random() < 0.5:
            _method, action, fields = self.rng.choice(posts)
            filled = {name: self.fill(name, values[-1] or "") for name, values in fields.items()}
            self.ask("POST", urljoin(at, action), urlencode(filled))
        inside = [link for link in (urljoin(at, link) for link in page.links) if link.startswith("/")]
        return self.rng.choice(inside) if inside and self.rng.random() < 0.95 else "/demo/"

    def fill(self, name: str, value: str) -> str:
        """Return what is typed into a field; what protects a form stays."""
        if name in ("csrfmiddlewaretoken", "client_id") or (value and self.rng.random() < 0.6):
            return value
        return self.rng.choice(LINES if name == "line" else WORDS)

    def ask(self, method: str, path: str, body: str = "") -> str:
        """Send a request and return the page, after redirects within the demo."""
        for _redirect in range(5):
            answer, text = self.request(method, path.partition("#")[0], body)
            self.seen[str(answer.status)] += 1
            if answer.status >= 500:
                self.faults.append(f"{answer.status} at {method} {path}")
            if answer.status not in (301, 302, 303):
                return text if "html" in answer.getheader("Content-Type", "") else ""
            to = urljoin(path, answer.getheader("Location", "/"))
            if urlsplit(to).netloc:
                self.faults.append(f"{path} leads away to {to}")
            method, path, body = "GET", to, ""
        return ""

    def request(self, method: str, path: str, body: str) -> tuple[http.client.HTTPResponse, str]:
        """Send one request; cookies are kept."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=20)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            if "event-stream" in answer.getheader("Content-Type", ""):
                return answer, ""
            text = answer.read(500_000).decode("utf-8", "replace")
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return answer, text


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes below one."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield int(child)
        yield from descendants(int(child))


def written(host: str, port: int) -> str:
    """Return an IPv4 address as /proc writes it."""
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"


def reached(pid: int) -> set[str]:
    """Return addresses of other machines that processes below `pid` are connected to; as /proc writes them.

    Left out is the datagram socket by which the desk looks up its own address.
    """
    found = set()
    for process in descendants(pid):
        sockets = {
            name[8:-1] for name in map(target, Path(f"/proc/{process}/fd").glob("*")) if name.startswith("socket")
        }
        for table in ("tcp", "tcp6", "udp", "udp6"):
            for line in Path(f"/proc/{process}/net/{table}").read_text().splitlines()[1:]:
                cells = line.split()
                address, port = cells[2].split(":")
                if table == "udp" and cells[2] == written(*FAR_AWAY):
                    continue
                if cells[9] in sockets and port != "0000" and not address.endswith("0100007F"):
                    found.add(cells[2])
    return found


def target(link: Path) -> str:
    """Return what an open file of a process is, "" where it has been closed."""
    try:
        return str(link.readlink())
    except OSError:
        return ""


def say(line: str) -> None:
    """Write a line of the report."""
    sys.stdout.write(f"{line}\n")


def size(place: Path) -> int:
    """Return the bytes below a folder."""
    total = 0
    for folder, _folders, names in os.walk(place):  # unlike rglob it bears that a folder is removed meanwhile
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(folder, name).stat().st_size
    return total


def main() -> None:
    """Run the demo and its visitors, and print what was seen; exits with 1 after a fault."""
    parser = argparse.ArgumentParser(prog="python -m tools.visitors")
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=0.5, help="what an hour of the demo takes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        faults = run(Path(data), options.hours, options.visitors, options.minutes)
    say("\n".join(faults) or "nothing left the demo, and nothing broke")
    sys.exit(1 if faults else 0)


def run(data: Path, hours: int, count: int, minutes: float) -> list[str]:
    """Walk a demo for so many of its hours; return what was wrong."""
    environment = program_environment(data, HANCHAN_DEMO="1", HANCHAN_DEMO_MINUTES=str(minutes))
    line = [sys.executable, str(REPO / "manage.py"), "desk", "--host", "127.0.0.1", "--port", str(PORT)]
    faults: list[str] = []
    seen: Counter[str] = Counter()
    sizes: list[int] = []
    over = threading.Event()
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as demo:
        visitors = [Visitor(number, seen, faults, over) for number in range(count)]
        threads = [threading.Thread(target=visitor.walk) for visitor in visitors]
        assert demo.stdout is not None
        began = 0
        watch = threading.Thread(target=watch_over, args=(demo.pid, data, sizes, faults, over))
        for told in demo.stdout:
            if " is open." in told:  # its version stands before that
                began += 1
                if began == 1:
                    for thread in (*threads, watch):
                        thread.start()
                if began > hours:
                    break
        over.set()
        for thread in (*threads, watch):
            thread.join()
        demo.terminate()
        demo.stdout.read()
    if began <= hours:
        faults.append(f"the demo began {began} times")
    if left := [path.name for path in (data / "demo").glob("*")]:
        faults.append(f"the demo left {left}")
    say(f"{began} beginnings, {sum(seen.values())} answers: {dict(seen.most_common())}")
    say(f"bytes in the folder: first {sizes[0]:,}, most {max(sizes):,}, last {sizes[-1]:,}")
    return faults


def watch_over(pid: int, data: Path, sizes: list[int], faults: list[str], over: threading.Event) -> None:
    """Note each second how large the demo is and whom it reaches."""
    while not over.wait(1):
        sizes.append(size(data))
        try:
            faults += [f"a connection to {address}" for address in reached(pid)]
        except OSError:  # a process ended meanwhile
            continue


if __name__ == "__main__":
    main()
