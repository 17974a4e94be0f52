"""Feed damaged input to everything that reads: `python -m tools.fuzz --minutes 45`. Nothing may raise, hang or swell.

Prints one JSON object and exits with 1 where anything was found. Each target runs in a process of its own that may hold
1 GB; `--target NAME --seed S --case N` makes one case again and shows it. The data is its own and removed afterwards.
"""

import argparse
import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bootstrap import REPO
from tests.nightly_scale import own_data

MAX_MEMORY = 1024**3  # bytes that a process may ask for beyond what it has after loading
MAX_GROWN = 300  # megabytes above that
READERS = (
    *("shorthand", "hand line", "tiles", "json text", "entries", "score lines", "replay lines", "alllast lines"),
    *(
        "slips lines",
        "season lines",
        "book TOML",
        "book JSON",
        "search",
        "list of players",
        "results",
        "penalties",
        "schedule",
        "game log",
        "online game",
    ),
)
SERVED = ("API bodies", "forms", "addresses", "event file")
WEIGHTS = {"forms": 6.0, "addresses": 3.0, "API bodies": 2.0, "event file": 2.0, "search": 0.3, "tiles": 0.3}


def main() -> int:
    """Run what is asked for, and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=45.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=[*READERS, *SERVED], action="append", help="only this one; may be repeated")
    parser.add_argument("--case", type=int, help="make this case of --target again")
    parser.add_argument("--in-here", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.in_here or wanted.case is not None:
        return alone(wanted)
    names = wanted.target or [*READERS, *SERVED]
    whole = sum(WEIGHTS.get(name, 1.0) for name in names)
    found = [apart(name, wanted, wanted.minutes * WEIGHTS.get(name, 1.0) / whole) for name in names]
    wrong = [fault for each in found for fault in each["wrong"]]
    said = {"ok": not wrong, "seed": wanted.seed, "calls": sum(each["calls"] for each in found), "targets": found}
    sys.stdout.write(json.dumps(said, indent=1) + "\n")
    return 1 if wrong else 0


def apart(name: str, wanted: argparse.Namespace, minutes: float) -> dict[str, Any]:
    """Run one target in a process of its own; what ends the process is a fault, too."""
    command = [sys.executable, "-m", "tools.fuzz", "--in-here", "--target", name]
    command += ["--minutes", str(minutes), "--seed", str(wanted.seed)]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False, timeout=minutes * 60 + 300)
    try:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        ended = {"why": f"ended with {done.returncode}", "where": done.stderr[-2_000:]}
        found = {"target": name, "calls": 0, "wrong": [ended]}
    sys.stderr.write(f"{name}: {found['calls']} calls, {len(found['wrong'])} faults\n")
    sys.stderr.writelines(f"  {json.dumps(fault)[:1_500]}\n" for fault in found["wrong"])
    return found


def alone(wanted: argparse.Namespace) -> int:
    """Run one target in this process, or make one case again."""
    with own_data("fuzz"):
        (name,) = wanted.target
        set_up(served=name in SERVED)
        from tools.fuzz.hunt import case_of, hunt

        target = load_target(name)
        if wanted.case is not None:
            case = case_of(target, wanted.seed, wanted.case)
            sys.stdout.write(f"{case!r}\n")
            target.call(case)
            return 0
        limit_memory()
        found = hunt(target, wanted.seed, seconds=wanted.minutes * 60)
    if found.grown_mb > MAX_GROWN:
        found.wrong.append({"why": f"grew by {found.grown_mb:.0f} MB", "where": "memory"})
    sys.stdout.write(json.dumps(dataclasses.asdict(found)) + "\n")
    return 0


def set_up(*, served: bool) -> None:
    """Load Django as the tests do: plain names of static files, passwords hashed badly, no waiting for the disk."""
    import logging

    import django
    from django.conf import settings
    from django.core.management import call_command

    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": plain}}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ALLOWED_HOSTS = ["*"]
    options = settings.DATABASES["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace("=FULL", "=OFF")
    django.setup()
    logging.disable(logging.CRITICAL)
    if served:
        call_command("migrate", verbosity=0)


def load_target(name: str) -> Any:
    """Return the target of that name, with what it needs made."""
    from tools.fuzz.readers import all_readers

    if name in READERS:
        return next(target for target in all_readers() if target.name == name)
    from tools.fuzz.served import all_served

    return next(target for target in all_served() if target.name == name)


def limit_memory() -> None:
    """Let this process ask for so much memory and no more, where the system can say so."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MAX_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    sys.exit(main())
