"""The long forms of all tests, one after another: `python -m tools.nightly [--to FOLDER] [--only NAME …]`; hours.

Writes FOLDER/report.md and FOLDER/last.json: how each went, its figures, and what they were in the report before.
Exits with 1 where one failed; one that this machine cannot run (77) is skipped.
What they measure is measured alone: nothing runs beside it.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bootstrap import REPO
from tools.nightly.report import Night, figures_in, read_last, write_report


@dataclass(frozen=True, slots=True)
class Form:
    """A long form: its name, and the program that runs it and may print one JSON object."""

    name: str
    command: Sequence[str]


def module(name: str, *arguments: str) -> Sequence[str]:
    """Return the call of a package of the tools."""
    return (sys.executable, "-m", f"tools.{name}", *arguments)


MANAGE = (sys.executable, str(REPO / "manage.py"))
FORMS = (
    Form("tests", (*MANAGE, "test", "-m", "nightly", "-q", "-n", "2")),
    Form("properties", (*MANAGE, "test", "--hypothesis-profile=nightly", "-q", "-n", "2", "tests/scoring")),
    Form("moments", module("nightly.moments", "-n", "2")),
    Form("oracles", module("oracles", "--hands", "200000")),
    Form("fuzz", module("fuzz", "--minutes", "45")),
    Form("faults", module("faults", "--faults", "1000", "--kills", "500")),
    Form("faults, PostgreSQL", module("faults", "--faults", "0", "--kills", "100", "--database", "postgresql")),
    Form("bench", (*MANAGE, "bench")),
    Form("load", module("load")),
    Form("load, PostgreSQL", module("load", "--database", "postgresql")),
    Form("relay", module("load.relay")),
    Form("attacks", module("load", "--attacks")),
    Form("visitors", module("visitors")),
)


def main() -> None:
    """Run the forms, and write the report after each: a night that is cut short has told what it saw."""
    parser = argparse.ArgumentParser(prog="python -m tools.nightly")
    parser.add_argument("--to", type=Path, default=REPO / "var" / "nightly")
    parser.add_argument("--only", nargs="+", choices=[form.name for form in FORMS], default=None)
    options = parser.parse_args()
    before, nights = read_last(options.to), list[Night]()
    for form in FORMS:
        if options.only is None or form.name in options.only:
            nights.append(run(form))
            write_report(options.to, nights, before)
    sys.exit(any(night.failed for night in nights))


def run(form: Form) -> Night:
    """Run a form; its output goes on to the terminal when it has ended."""
    sys.stdout.write(f"== {form.name}\n")
    sys.stdout.flush()
    began = time.monotonic()
    done = subprocess.run(
        form.command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
    )
    sys.stdout.write(done.stdout)
    return Night(form.name, done.returncode, round(time.monotonic() - began), figures_in(done.stdout))


if __name__ == "__main__":
    main()
