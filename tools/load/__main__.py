"""A hall under load: `python -m tools.load` starts the desk as organisers do, and lets a hall play at it.

Prints one JSON object. Each part has an event of its own: tables alone; amid phones; amid phones and organisers who
print; the same while every phone fetches a new page; then more and more phones until something is no longer well.
The data is its own and removed afterwards; PostgreSQL is this machine's, with a cluster of its own. Phones, tables and
desk share this machine's processors: a server alone has more.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bootstrap import REPO
from tests.nightly_scale import own_data
from tests.with_postgresql import free_port
from tools.load.figures import percentiles
from tools.load.phones import COME, shows_table

if TYPE_CHECKING:
    from tools.load.hall import Hall

HOST = "127.0.0.1"
STARTS_WITHIN = 90  # seconds
ALL_HAVE_ASKED = 7.0  # seconds after which every phone that came has asked once
MORE = (2000, 5000, 10_000)  # phones
# What is still well, as the 99th percentile in milliseconds: a hand is sent while the table goes on, a phone is told
WELL = {"preview": 500.0, "hand": 1000.0, "hand_to_phone": 2000.0}
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True, slots=True)
class Load:
    """What a part lets loose: phones, seconds between two hands at a table, organisers who print, for how long."""

    phones: int
    tables: int
    every: float
    organisers: int
    seconds: float
    released: bool = False
    live: bool = True  # phones follow a table of the round that is played
    attack: str = ""  # a kind of tools.load.attackers


def main() -> int:
    """Measure and print; exit with 1 where anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.load", description=__doc__)
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--every", type=float, default=9.0, help="seconds between two hands at a table")
    parser.add_argument("--organisers", type=int, default=2, help="how many print one booklet after another")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each part lasts")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--workers", type=int, default=1, help="so many of uvicorn's, in place of `manage.py desk`")
    parser.add_argument("--saturate", action="store_true", help="let phones come until it is no longer well")
    parser.add_argument(
        "--results-only",
        action="store_true",
        help="nothing is live, as events begin; more phones get a release",
    )
    parser.add_argument("--attacks", action="store_true", help="let guests attack the desk, instead of all other parts")
    parser.add_argument("--stages", action="store_true", help="say where the time of previews and hands went")
    wanted = parser.parse_args()
    with own_data("load", wanted.database):
        found = measure(wanted)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 1 if failures(found["parts"]) else 0


def measure(wanted: argparse.Namespace) -> dict[str, Any]:
    """Start the desk and measure part by part."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from tools.load.hall import make_hall, make_referee

    referee = make_referee()
    loads = {
        "tables alone": Load(0, wanted.tables, wanted.every, 0, wanted.seconds),
        "amid phones": Load(wanted.phones, wanted.tables, wanted.every, 0, wanted.seconds),
        "and printing": Load(wanted.phones, wanted.tables, wanted.every, wanted.organisers, wanted.seconds),
        "and released": Load(wanted.phones, wanted.tables, wanted.every, wanted.organisers, 20.0, released=True),
    }
    if wanted.attacks:
        attacks = ("half-open", "logins", "uploads")
        loads = {kind: Load(20, wanted.tables, wanted.every, 0, wanted.seconds, attack=kind) for kind in attacks}
    more = {
        f"{phones} phones": Load(
            phones, wanted.tables, wanted.every, wanted.organisers, wanted.seconds, released=wanted.results_only
        )
        for phones in (MORE if wanted.saturate else ())
    }
    port, parts = free_port(), dict[str, dict[str, Any]]()
    with serving(port, ["-m", "tools.load.stages"] if wanted.stages else [], wanted.workers) as server:
        pids = children(server.pid) if wanted.workers > 1 else [server.pid]
        part(port, make_hall(1, referee), Load(2, 1, 0.2, 1, 3.0), pids)  # modules and templates are loaded
        for name, each in (loads | more).items():
            load = replace(each, live=not wanted.results_only)
            hall = make_hall(load.tables, referee, live=load.live)
            parts[name] = part(port, hall, load, pids)
            if name in more and unwell(parts):
                break
    return {"database": wanted.database, "cores": os.cpu_count(), "parts": parts, "no_longer_well": unwell(parts)}


def part(port: int, hall: "Hall", load: Load, pids: list[int]) -> dict[str, Any]:
    """Let a hall play at the desk, and what else there is; every program is a process of its own."""
    from tools.load.hall import change_for_all

    quiet = yardstick()
    coming = load.phones / COME + ALL_HAVE_ASKED
    shown = json.dumps({player: table for table, players in hall.players.items() for player in players if load.live})
    phones = run("phones", port, hall.slug, str(4 * load.tables), str(load.phones), str(load.seconds + coming), shown)
    time.sleep(coming)
    before, start, changed = sum(map(processor_seconds, pids)), time.perf_counter(), time.time()
    if load.released:
        change_for_all(hall)
    attackers = run("attackers", port, load.attack, str(load.seconds + 2)) if load.attack else None
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as lines:
        json.dump(hall.lines, lines)
        lines.flush()
        tables = run("tables", port, hall.slug, hall.session, lines.name, str(load.seconds), str(load.every))
        printers = run("printers", port, hall.slug, hall.session, str(load.organisers), str(load.seconds))
        seen = {"tables": answer(tables), "phones": answer(phones)}
        used = (sum(map(processor_seconds, pids)) - before) / (time.perf_counter() - start)
        seen["printing"] = answer(printers)
        seen |= {"attack": answer(attackers)} if attackers else {}
    fetched = seen["phones"].pop("fetched")
    if load.released and fetched:
        moments = [at for who, at in first_after(fetched, changed).items() if not (load.live and shows_table(who))]
        seen["phones"]["last_page_after_s"] = round(max(moments) - changed, 1)
    answered = seen["tables"].pop("answered")
    seen["phones"] |= percentiles({"hand_to_phone": hand_to_phone(hall, answered, fetched) if load.live else []})
    return seen | {
        "yardstick_ms": quiet,
        "server_processors_used": round(used, 2),
        "server_memory_mb": round(sum(map(memory_mb, pids)), 1),
    }


def first_after(fetched: list[tuple[int, float]], moment: float) -> dict[int, float]:
    """Return when each phone first had a page after a moment."""
    found: dict[int, float] = {}
    for phone, at in fetched:
        if at >= moment:
            found[phone] = min(at, found.get(phone, at))
    return found


def hand_to_phone(hall: "Hall", answered: list[tuple[int, float]], fetched: list[tuple[int, float]]) -> list[float]:
    """Return the milliseconds from a hand's answer to its page on each phone of a player of its table."""
    people = sum(len(players) for players in hall.players.values())
    return [
        max(0.0, (at - moment) * 1000)
        for table, moment in answered
        for phone, at in first_after(fetched, moment - 0.05).items()  # the phone may be told before the referee
        if shows_table(phone) and phone % people + 1 in hall.players[table]
    ]


def yardstick() -> float:
    """Return how many milliseconds a piece of work takes on this machine now: the less it has to do, the fewer."""
    start = time.perf_counter()
    for _ in range(20):
        hashlib.pbkdf2_hmac("sha256", b"yard", b"stick", 10_000)
    return round((time.perf_counter() - start) * 1000, 1)


def unwell(parts: dict[str, dict[str, Any]]) -> list[str]:
    """Say what is no longer well in the last part; for a moment after a release phones may wait longer."""
    name = list(parts)[-1]
    figures = parts[name]["tables"] | parts[name]["phones"]
    slow = [
        f"{name}: {kind} {figures[f'{kind}_p99_ms']} ms"
        for kind in WELL
        if figures.get(f"{kind}_p99_ms", 0) > WELL[kind]
    ]
    return slow + failures({name: parts[name]})


def failures(parts: dict[str, dict[str, Any]]) -> list[str]:
    """List what failed: a request without its answer, a status that it should not have, a booklet that did not come."""
    kinds = ("tables", "phones", "printing")
    return [
        f"{name}: {kind} {wrong}" for name, seen in parts.items() for kind in kinds for wrong in seen[kind]["failed"]
    ]


def run(program: str, port: int, *arguments: str) -> "subprocess.Popen[str]":
    """Start phones, tables or printers at a hall, or guests who mean harm."""
    command = [sys.executable, "-m", f"tools.load.{program}", HOST, str(port), *arguments]
    return subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, text=True)


def answer(program: "subprocess.Popen[str]") -> Any:
    """Wait for a program and return what it printed; raises RuntimeError where it broke."""
    told = program.communicate()[0]
    if program.returncode:
        raise RuntimeError(f"{program.args!r} ended with {program.returncode}")
    return json.loads(told)


@contextmanager
def running(command: list[str], address: str = "", **environment: str) -> "Iterator[subprocess.Popen[str]]":
    """Run a program of this Python, from when it answers at an address until the end."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL if address else subprocess.PIPE}
    program = subprocess.Popen(
        [sys.executable, *command], cwd=REPO, text=True, env={**os.environ, **environment}, **pipes
    )
    try:
        until = time.monotonic() + STARTS_WITHIN
        while address and not answers_at(address):
            if time.monotonic() > until:
                raise RuntimeError(f"{command} did not start")
            time.sleep(0.1)
        yield program
    finally:
        program.terminate()
        program.wait()


def answers_at(address: str) -> bool:
    """Tell whether a page is there."""
    try:
        with urllib.request.urlopen(address, timeout=5):
            return True
    except OSError:
        return False


def desk_at(port: int) -> list[str]:
    """Return the command of a desk at a port."""
    return [str(REPO / "manage.py"), "desk", "--host", HOST, "--port", str(port)]


def serving(port: int, program: list[str], workers: int = 1) -> "AbstractContextManager[subprocess.Popen[str]]":
    """Run `manage.py desk`, or a program or several workers in its place."""
    address = f"http://{HOST}:{port}/"
    if workers == 1:
        return running([*program, HOST, str(port)] if program else desk_at(port), address)
    # as docs/operate/server.md says it
    subprocess.run([sys.executable, str(REPO / "manage.py"), "collectstatic", "--noinput", "-v0"], cwd=REPO, check=True)
    options = f"--http web.server.protocol:DeskProtocol --host {HOST} --port {port} --workers {workers}".split()
    options += ["--no-proxy-headers", "--timeout-keep-alive", "75", "--no-access-log"]
    return running(["-m", "uvicorn", "web.asgi:application", *options], address, HANCHAN_CACHE="files")


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used, where /proc tells it; 0 elsewhere."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, where /proc tells them."""
    return [int(each) for tasks in Path(f"/proc/{pid}/task").glob("*/children") for each in tasks.read_text().split()]


def memory_mb(pid: int) -> float:
    """Return a process's megabytes of memory, of what workers share its part; 0 where /proc does not tell it."""
    status = Path(f"/proc/{pid}/smaps_rollup")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((round(int(line.split()[1]) / 1024, 1) for line in lines if line.startswith("Pss:")), 0.0)


if __name__ == "__main__":
    sys.exit(main())
