"""How long commands and the desk take to start, beside a Django of these settings that does nothing.

Processor time of processes, the smallest of some: a ratio that holds on any machine.
"""

import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.request import urlopen

from bootstrap import REPO
from tests.shared_fixtures import program_environment

NOTHING = ("-c", "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'web.settings'; import django; django.setup()")
COMMANDS = (
    "help", "migrate", "showmigrations", "rules", "alllast --help", "backup --help", "desk --help",
    "export_event --help", "forget_expired", "import_event --help", "import_results --help", "move_desk --help",
    "organiser_link --help", "replay --help", "restore --help", "score --help", "seat --help", "slips --help",
    "standby --help", "standings --help", "verify_ledger",
)  # fmt: skip
HOST = "127.0.0.1"
PATIENCE = 60  # seconds for which a desk may start


def starting(*, quick: bool = False) -> dict[str, object]:
    """Return the slowest command's ratio to nothing, and what the desk takes from its start to its first answer.

    At a desk of its own: the data of this checkout is somebody's.
    """
    with tempfile.TemporaryDirectory(prefix="hanchan-starting-") as data:
        environment = program_environment(Path(data))
        _processor_s(("manage.py", "migrate"), 1, environment)
        return _measured(environment, quick=quick)


def _measured(environment: Mapping[str, str], *, quick: bool) -> dict[str, object]:
    times, commands = (1, COMMANDS[:2]) if quick else (3, COMMANDS)
    nothing = _processor_s(NOTHING, times, environment)
    ratios = {each: _processor_s(("manage.py", *each.split()), times, environment) / nothing for each in commands}
    slowest = max(ratios, key=ratios.__getitem__)
    desks = [_desk_s(environment) for _again in range(0 if quick else times + 1)][
        1:
    ]  # the first makes what others find
    return {
        "start_nothing_ms": round(nothing * 1000),
        "start_slowest_command": slowest,
        "start_slowest_command_ratio": round(ratios[slowest], 2),
        "start_desk_ratio": round(min((used for _waited, used in desks), default=0) / nothing, 2),
        "start_desk_s": round(min((waited for waited, _used in desks), default=0), 2),
    }


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _processor_s(line: tuple[str, ...], times: int, environment: Mapping[str, str]) -> float:
    found = []
    for _again in range(times):
        before = _used()
        subprocess.run([sys.executable, *line], cwd=REPO, env=environment, capture_output=True, check=True)
        found.append(_used() - before)
    return min(found)


def _desk_s(environment: Mapping[str, str]) -> tuple[float, float]:
    """Start a desk; return the seconds until it has answered, and the processor time that it used till its end."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    line = [sys.executable, "manage.py", "desk", "--host", HOST, "--port", str(port)]
    before, start = _used(), time.perf_counter()
    with subprocess.Popen(line, cwd=REPO, env=environment, stdout=subprocess.PIPE) as desk:
        if desk.stdout is None or not any(b"Organiser" in said for said in desk.stdout):
            raise RuntimeError("the desk did not start")
        with urlopen(f"http://{HOST}:{port}/", timeout=PATIENCE):
            waited = time.perf_counter() - start
        desk.send_signal(signal.SIGINT)
        desk.communicate()
    return waited, _used() - before
