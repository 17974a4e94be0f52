"""`manage.py test`: everything that must hold before a change goes in, or, with arguments, just pytest.

Never touches the organiser's data: every step gets a data directory of its own that is removed afterwards.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

import bootstrap

HELP = """Without arguments, everything: lints, types, borders, migrations, all tests on SQLite in random order, those
in a browser apart, and those that use the database once more on a PostgreSQL that is started for them. With
arguments, pytest alone gets them, on SQLite: `manage.py test tests/scoring -k ron`. `--coverage` adds a table of
untested lines to either. CI=true turns what would be skipped, because this machine lacks it, into failures."""

PYTHON = sys.executable
NOT_HERE = 77  # of tests.with_postgresql
WORKERS = min(max(os.cpu_count() or 2, 2), 8)
PYTEST = [PYTHON, "-m", "pytest"]
PARALLEL = ["-n", str(WORKERS), "--dist", "worksteal"]
# A test in a browser keeps a processor busy by itself, Chromium beside Python; one worker more fills what it waits.
IN_A_BROWSER = ["-n", str(WORKERS + 1), "--dist", "worksteal", "tests/e2e"]
# Where no test asks a database, or only in a browser: to collect those 7,000 takes longer than many a step.
ASKS_NONE = [
    f"--ignore=tests/{place}"
    for place in (
        *("bench", "cases", "e2e", "faults", "load", "oracles", "rules", "scoring", "test_docstrings.py"),
        *(f"tournament/{folder}" for folder in ("exports", "imports", "seating", "sheets")),
    )
]
BORDERS = "from importlinter import cli; cli.lint_imports_command()"
COVERAGE = ["--cov", "--cov-report=term-missing:skip-covered"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to run; `promised` where CI=true says that it can run, `beside` names those that run at one time."""

    name: str
    command: list[str]
    promised: bool = True
    beside: str = ""
    always_told: bool = True  # else what it says is told only where it failed


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went: its exit code, seconds, and the word for the table."""

    step: Step
    code: int
    seconds: float

    @property
    def verdict(self) -> str:
        """Word the exit code."""
        return {0: "ok", NOT_HERE: "NOT RUN"}.get(self.code, f"FAILED ({self.code})")


def all_steps(*, coverage: bool) -> list[Step]:
    """List the steps of a whole run, the quick ones first."""
    manage = [PYTHON, str(settings.BASE_DIR / "manage.py")]
    measured, append = (COVERAGE, ["--cov-append"]) if coverage else ([], [])
    again = ["-m", "database and not browser and not nightly and not once", "tests", *ASKS_NONE]
    return [
        Step("types", [PYTHON, "-m", "mypy"], beside="types"),  # on one processor alone: all that follows, on the other
        Step("ruff", [PYTHON, "-m", "ruff", "check", "."], beside="types"),
        Step("format", [PYTHON, "-m", "ruff", "format", "--check", "."], beside="types"),
        Step("templates", [PYTHON, "-m", "djlint", "templates", "--lint", "--quiet"], beside="types"),
        Step("scripts", [PYTHON, "-m", "tests.scripts"], promised=False, beside="types"),
        Step("borders", [PYTHON, "-c", BORDERS, "--no-logo"], beside="types"),
        Step("migrations", [*manage, "makemigrations", "--check", "--dry-run"], beside="types"),
        Step("a new database", [*manage, "migrate", "--verbosity", "0"], beside="types"),  # each worker takes a copy
        Step(
            "packages", [PYTHON, "-m", "tests.audit"], promised=False, beside="types"
        ),  # the lists are on the Internet
        # compiles them, which else each worker would
        Step("tests are found", [*PYTEST, "--collect-only", "-qq"], beside="types", always_told=False),
        Step("tests, PostgreSQL", [PYTHON, "-m", "tests.with_postgresql", *PYTEST, *PARALLEL, *again], beside="types"),
        Step("tests, SQLite", [*PYTEST, *PARALLEL, *measured, "--ignore=tests/e2e"]),
        Step("tests, browser", [*PYTEST, *measured, *append, *IN_A_BROWSER]),
    ]


def stages(steps: list[Step]) -> list[list[Step]]:
    """Put neighbours that run side by side together."""
    named = ((step.beside or step.name, step) for step in steps)
    return [[step for _name, step in group] for _name, group in groupby(named, key=lambda pair: pair[0])]


class Command(BaseCommand):
    """The command; its arguments are pytest's, so Django's own parser sees only --help."""

    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: object) -> CommandParser:
        """Describe the arguments for --help."""
        parser = CommandParser(prog=f"{prog_name} {subcommand}", description=HELP, **kwargs)  # type: ignore[arg-type]
        parser.add_argument("--coverage", action="store_true", help="show the lines that no test reached")
        parser.add_argument("pytest", nargs="*", help="arguments for pytest, see `pytest --help`")
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        """Run what was asked for and exit with 0 only if all of it held."""
        arguments = argv[2:]
        if {"-h", "--help"} & set(arguments):
            self.print_help(argv[0], argv[1])
            return
        coverage = "--coverage" in arguments
        arguments = [argument for argument in arguments if argument != "--coverage"]
        steps = all_steps(coverage=coverage)
        if arguments:
            steps = [Step("tests, SQLite", [*PYTEST, *(COVERAGE if coverage else []), *arguments])]
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hanchan-test-") as data:
            try:
                outcomes = [outcome for group in stages(steps) for outcome in self.run_stage(group, data)]
            except KeyboardInterrupt:
                sys.exit(130)
        if len(outcomes) > 1:
            self.tell(outcomes, time.monotonic() - start)
        sys.exit(1 if any(self.fails(outcome) for outcome in outcomes) else 0)

    def run_stage(self, steps: list[Step], data: str) -> list[Outcome]:
        """Run one step with its output where ours goes; or several side by side, and tell each when all have ended."""
        if len(steps) == 1:
            self.head(steps[0])
            return [self.run_step(steps[0], data)]
        names = [Path(data) / f"said-{number}" for number in range(len(steps))]
        with ThreadPoolExecutor(WORKERS) as pool:
            outcomes = list(pool.map(lambda step, name: self.run_step(step, data, name), steps, names))
        for outcome, name in zip(outcomes, names, strict=True):
            self.head(outcome.step)
            if outcome.step.always_told or outcome.code != 0:
                self.stdout.write(name.read_text(encoding="utf-8", errors="replace"), ending="")
            name.unlink()
        return outcomes

    def head(self, step: Step) -> None:
        """Say what runs now, or ran."""
        self.stdout.write(self.style.MIGRATE_HEADING(f"\n== {step.name}"))
        self.stdout.flush()

    def run_step(self, step: Step, data: str, said: Path | None = None) -> Outcome:
        """Run one step; what it says goes into a file, else where ours goes."""
        environment = {**os.environ, "HANCHAN_DATA": data, "PYTHONPATH": str(settings.BASE_DIR)}
        # without bytecode on the disk every step, every worker and every program that a test starts compiles all anew
        unwanted = ("HANCHAN_DEBUG", "HANCHAN_HTTPS", "HANCHAN_HOSTS", "HANCHAN_TZ", "PYTHONDONTWRITEBYTECODE")
        for name in ("DATABASE_URL", *unwanted):
            environment.pop(name, None)
        if (migrated := Path(data) / "db.sqlite3").exists():
            environment["HANCHAN_TEST_MIGRATED"] = str(migrated)
        start = time.monotonic()
        with said.open("wb") if said else contextlib.nullcontext() as told:
            done = subprocess.run(
                step.command, cwd=Path(settings.BASE_DIR), env=environment, stdout=told, stderr=told, check=False
            )
        return Outcome(step, done.returncode, time.monotonic() - start)

    def fails(self, outcome: Outcome) -> bool:
        """Tell whether an outcome spoils the run; what is not here does so only where CI=true promises it."""
        promised = outcome.step.promised and os.environ.get("CI") == "true"
        return outcome.code != 0 and (outcome.code != NOT_HERE or promised)

    def tell(self, outcomes: list[Outcome], seconds: float) -> None:
        """Print the closing table, and aloud what did not run."""
        self.stdout.write("")
        for outcome in outcomes:
            style = self.style.SUCCESS if outcome.code == 0 else self.style.ERROR
            self.stdout.write(f"{outcome.step.name:<20} {outcome.seconds:7.1f} s  {style(outcome.verdict)}")
        self.stdout.write(f"{'together':<20} {seconds:7.1f} s")
        if any(outcome.code == NOT_HERE and outcome.step.promised for outcome in outcomes):
            self.stdout.write(self.style.ERROR("PostgreSQL is not here: NOTHING was tried on it."))
        if bootstrap.find(bootstrap.BROWSERS) is None:
            self.stdout.write(self.style.ERROR("Chromium is not here: NOTHING was tried in a browser."))
