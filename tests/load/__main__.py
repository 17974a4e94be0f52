"""A hall under load: `python -m tests.load` starts the desk as organisers do; a referee works alone, then amid phones.

Prints one JSON object. The data is its own and removed afterwards. Phones, desk and server share this machine's
processors: a server alone has more.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.load.desk import Desk
    from tests.load.hall import Hall

REPO = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
STARTS_WITHIN = 60  # seconds
BURST = 20.0  # seconds
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each of the two parts lasts")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two hands of the referee")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hanchan-load-") as data:
        os.environ |= {"HANCHAN_DATA": data, "DJANGO_SETTINGS_MODULE": "web.settings"}
        sys.stdout.write(json.dumps(measure(wanted), indent=1) + "\n")
    return 0


def measure(wanted: argparse.Namespace) -> dict[str, Any]:
    """Make the hall, start the server, and measure both parts."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from tests.load.desk import Desk, work
    from tests.load.hall import make_hall

    hall = make_hall(wanted.tables)
    port = free_port()
    server = start_server(port)
    try:
        desk = Desk(HOST, port, hall)
        work(desk, 3, 0)  # modules and templates are loaded
        idle = work(desk, wanted.seconds, wanted.pause)
        before, start = processor_seconds(server.pid), time.perf_counter()
        phones = start_phones(wanted, port, hall, wanted.seconds + 8)
        time.sleep(7)  # every phone has asked once
        amid = work(desk, wanted.seconds, wanted.pause)
        polling = json.loads(phones.communicate()[0])
        used = (processor_seconds(server.pid) - before) / (time.perf_counter() - start)
        return {
            "tables": wanted.tables,
            "desk_alone": idle,
            "desk_amid_phones": amid,
            "phones": polling,
            "server_processors_used": round(used, 2),
            "after_a_release": burst(wanted, port, hall, desk),
            "server_memory_mb": memory_mb(server.pid),
            "cores": os.cpu_count(),
        }
    finally:
        server.terminate()
        server.wait()


def burst(wanted: argparse.Namespace, port: int, hall: "Hall", desk: "Desk") -> dict[str, Any]:
    """Let every phone fetch its page because something public happened; the referee goes on."""
    from tests.load.desk import work
    from tests.load.hall import change_for_all

    phones = start_phones(wanted, port, hall, BURST + 8)
    time.sleep(7)
    changed = time.time()
    change_for_all(hall)
    amid = work(desk, BURST, wanted.pause)
    fetched = json.loads(phones.communicate()[0])
    return {"desk": amid, "phones": fetched, "last_phone_after_s": round(fetched["last_page_at"] - changed, 1)}


def start_phones(wanted: argparse.Namespace, port: int, hall: "Hall", seconds: float) -> "subprocess.Popen[str]":
    """Start the phones, in a process of their own."""
    where = [HOST, str(port), hall.slug, str(4 * wanted.tables), str(wanted.phones), str(seconds)]
    command = [sys.executable, "-m", "tests.load.phones", *where]
    return subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, text=True)


def free_port() -> int:
    """Return a port that nobody listens at; the desk would quietly take the next one."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def start_server(port: int) -> "subprocess.Popen[bytes]":
    """Start `manage.py desk` and wait until it answers."""
    command = [sys.executable, str(REPO / "manage.py"), "desk", "--host", HOST, "--port", str(port)]
    environment = {**os.environ, "HANCHAN_NO_BOOTSTRAP": "1"}
    server = subprocess.Popen(command, cwd=REPO, env=environment, stdout=subprocess.DEVNULL)
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/", timeout=5):
                return server
        except OSError:
            time.sleep(0.1)
    server.terminate()
    raise RuntimeError("the desk did not start")


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used, where /proc tells it; 0 elsewhere."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mb(pid: int) -> float:
    """Return a process's resident memory in megabytes, where /proc tells it; 0 elsewhere."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((round(int(line.split()[1]) / 1024, 1) for line in lines if line.startswith("VmRSS:")), 0.0)


if __name__ == "__main__":
    sys.exit(main())
