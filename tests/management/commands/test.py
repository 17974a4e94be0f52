"""`manage.py test`: Run lints, types and all tests, a fast part of them, or pytest alone with the given arguments.

Never touches the organiser's data: every step gets a data directory of its own that is removed afterwards.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

HELP = """Without arguments, everything: lints, types, borders, migrations, all tests on SQLite in random order, those
in a browser apart, and those that use the database once more on a PostgreSQL that is started for them. With
arguments, pytest alone gets them, on SQLite: `manage.py test tests/scoring -k ron`. What this machine lacks is
skipped and listed in the closing table."""

PYTHON = sys.executable
NOT_HERE = 77  # exit code of tests.with_postgresql and tests.audit
HEARTBEAT = 20  # seconds without output until the names of the running steps are printed
WORKERS = min(max(os.cpu_count() or 2, 2), 8)
PYTEST = [PYTHON, "-m", "pytest"]
PARALLEL = ["-n", str(WORKERS), "--dist", "worksteal"]
# A test in a browser keeps a processor busy, Chromium beside Python: one worker more makes others wait in vain.
IN_A_BROWSER = [*PARALLEL, "tests/e2e"]
# Tests that reckon, hardly one of them with a database. They run beside the browser's, which often wait, and give way;
# as many workers as there are processors, for most of them run when those of the browser have ended.
RECKONING = [
    f"tests/{place}" for place in ("cases", "rules", "scoring", "test_docstrings.py", "tools/oracles", "seating/search")
]
GIVING_WAY = ["nice", "-n", "19"] if shutil.which("nice") else []
NOT_RECKONING = [f"--ignore={place}" for place in RECKONING]
# Where no test asks a database, or only in a browser or at night: to collect those 7,000 takes longer than many a step.
ASKS_NONE = [
    *NOT_RECKONING,
    *(f"--ignore=tests/{place}" for place in ("e2e", "paper/sheets", "pdf")),
    *(f"--ignore=tests/tools/{place}" for place in ("bench", "faults", "load")),
]
FAST = [
    "tests",
    *(f"--ignore=tests/{place}" for place in ("cases", "e2e", "tools", "paper/sheets", "pdf")),
    *("--ignore-glob=tests/test_*.py", "--hypothesis-profile=fast", "-q"),
    *("-m", "not slow and not whole_run and not browser and not nightly"),
]
BORDERS = "from importlinter import cli; cli.lint_imports_command()"
COVERAGE = ["--cov", "--cov-report=term-missing:skip-covered"]
# How the reason of a skipped test begins that fails no run there; with --require-all every other one does.
EXCUSED = {"win32": "not on Windows: "}
# Settings of the person who runs the tests. Without bytecode on the disk every step and worker compiles everything.
UNWANTED = (
    *("DATABASE_URL", "HANCHAN_DEBUG", "HANCHAN_HTTPS", "HANCHAN_HOSTS", "HANCHAN_TZ"),
    "PYTHONDONTWRITEBYTECODE",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One program to run; steps that follow one another with the same `beside` run side by side."""

    name: str
    command: list[str]
    beside: str = ""
    needs: str = ""  # what is missing where the program exits with NOT_HERE, or tests are skipped for this reason
    required: bool = True  # with --require-all, a failure where it is missing


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went; `ran` counts its tests (None where it has none), `skipped` those that did not run, by reason."""

    step: Step
    code: int
    seconds: float
    processor: float | None = None  # seconds of its programs; None on Windows, which does not count them
    ran: int | None = None
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Return the words for the closing table."""
        if self.code == NOT_HERE or self.step.needs in self.skipped:
            return f"NOT RUN: {self.step.needs}" + ("" if self.step.required else " (this fails no run)")
        if self.code != 0:
            return f"FAILED ({self.code})"
        if not self.skipped:
            return "ok"
        return f"{self.ran} passed, {sum(self.skipped.values())} SKIPPED"

    @property
    def reasons(self) -> list[str]:
        """Return a line for each reason why tests were skipped."""
        return [f"{count} skipped: {reason}" for reason, count in self.skipped.items()]

    def spoils(self, *, require_all: bool) -> bool:
        """Return whether the run fails for this step; what did not run fails it only with --require-all."""
        if self.code == NOT_HERE:
            return require_all and self.step.required
        excused = EXCUSED.get(sys.platform)
        lacking = [reason for reason in self.skipped if not (excused and reason.startswith(excused))]
        return self.code != 0 or (require_all and bool(lacking))


def lints() -> list[Step]:
    """List the steps that check the source in a second or two, and the database that each test worker copies."""
    manage = [PYTHON, str(settings.BASE_DIR / "manage.py")]
    return [
        Step("ruff", [PYTHON, "-m", "ruff", "check", "."], beside="lints"),
        Step("format", [PYTHON, "-m", "ruff", "format", "--check", "."], beside="lints"),
        Step("templates", [PYTHON, "-m", "djlint", "templates", "--lint", "--quiet"], beside="lints"),
        Step("scripts", [PYTHON, "-m", "tests.scripts"], beside="lints", needs="no Node or no npm on this machine"),
        Step("borders", [PYTHON, "-c", BORDERS, "--no-logo"], beside="lints"),
        Step("migrations", [*manage, "makemigrations", "--check", "--dry-run"], beside="lints"),
        Step("a new database", [*manage, "migrate", "--verbosity", "0"], beside="lints"),
    ]


def all_steps(*, coverage: bool = False) -> list[Step]:
    """List the steps of a whole run, the quick ones first."""
    measured, append = (COVERAGE, ["--cov-append"]) if coverage else ([], [])
    again = ["-m", "database and not browser and not nightly and (postgresql or not once)", "tests", *ASKS_NONE]
    on_postgresql = [PYTHON, "-m", "tests.with_postgresql", *PYTEST, *PARALLEL, *again]
    return [
        Step(  # waits for the network, beside all that follows
            "packages",
            [PYTHON, "-m", "tests.audit"],
            beside="lints",
            needs="the lists of vulnerabilities cannot be reached",
            required=False,
        ),
        Step("types", [PYTHON, "-m", "mypy"], beside="lints"),  # keeps one processor busy
        *lints(),
        Step("tests, PostgreSQL", on_postgresql, beside="lints", needs="no PostgreSQL on this machine"),
        Step("tests, SQLite", [*PYTEST, *PARALLEL, *measured, "--ignore=tests/e2e", *NOT_RECKONING]),
        Step(
            "tests, reckoning",
            [*GIVING_WAY, *PYTEST, *PARALLEL, *measured, *append, *RECKONING],
            beside="" if coverage else "browser",  # two cannot append to one file
        ),
        Step(
            "tests, browser",
            [*PYTEST, *measured, *append, *IN_A_BROWSER],
            beside="browser",
            needs="no Chromium on this machine",
        ),
    ]


def fast_steps(arguments: list[str]) -> list[Step]:
    """List the steps of `--fast`: lints, then the quick tests of the four rooms."""
    return [*lints(), Step("tests, fast", [*PYTEST, *PARALLEL, *FAST, *arguments])]


def stages(steps: list[Step]) -> list[list[Step]]:
    """Group neighbours that run side by side."""
    named = ((step.beside or step.name, step) for step in steps)
    return [[step for _name, step in group] for _name, group in groupby(named, key=lambda pair: pair[0])]


class Command(BaseCommand):
    """The command; its arguments are pytest's, so Django's own parser sees only --help."""

    help = HELP
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: object) -> CommandParser:
        """Describe the arguments for --help."""
        parser = CommandParser(prog=f"{prog_name} {subcommand}", description=HELP, **kwargs)  # type: ignore[arg-type]
        parser.add_argument("--fast", action="store_true", help="lints and the quick tests alone, in about a minute")
        parser.add_argument("--coverage", action="store_true", help="show the lines that no test reached")
        parser.add_argument("--require-all", action="store_true", help="fail for whatever did not run, as CI does")
        parser.add_argument("pytest", nargs="*", help="arguments for pytest, see `pytest --help`")
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        """Run what was asked for and exit with 0 only if all of it held."""
        if {"-h", "--help"} & set(argv[2:]):
            self.print_help(argv[0], argv[1])
            return
        own = {"--fast", "--coverage", "--require-all"} & set(argv[2:])
        arguments = [argument for argument in argv[2:] if argument not in own]
        coverage, require_all = "--coverage" in own, "--require-all" in own
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hanchan-test-") as data, interruptible():
            run = Run(self, Path(data))
            if arguments and "--fast" not in own:
                outcomes = [run.step(Step("tests, SQLite", [*PYTEST, *(COVERAGE if coverage else []), *arguments]))]
            else:
                steps = fast_steps(arguments) if "--fast" in own else all_steps(coverage=coverage)
                outcomes = [outcome for group in stages(steps) for outcome in run.stage(group)]
        spoilt = any(outcome.spoils(require_all=require_all) for outcome in outcomes)
        if len(outcomes) > 1 or spoilt:
            self.tell(outcomes, time.monotonic() - start)
        sys.exit(int(spoilt))

    def tell(self, outcomes: list[Outcome], seconds: float) -> None:
        """Print the closing table."""
        self.stdout.write(f"\n{'':<20} {'wall':>9} {'processor':>11}")
        for outcome in outcomes:
            verdict = outcome.verdict
            bad = self.style.ERROR if verdict.startswith(("FAILED", "NOT RUN")) else self.style.WARNING
            style = self.style.SUCCESS if verdict == "ok" else bad
            self.stdout.write(f"{times(outcome.step.name, outcome.seconds, outcome.processor)}  {style(verdict)}")
            for reason in outcome.reasons:
                self.stdout.write(f"{'':<44}{reason}")
        counted = [outcome.processor for outcome in outcomes if outcome.processor is not None]
        self.stdout.write(times("together", seconds, sum(counted) if counted else None))


def times(name: str, seconds: float, processor: float | None) -> str:
    """Return the first columns of a line of the closing table."""
    counted = "" if processor is None else f"{processor:9.1f} s"
    return f"{name:<20} {seconds:7.1f} s {counted:>11}"


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Exit with the code of an interrupted program on Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)


def wait_for_end(process: subprocess.Popen[bytes]) -> float | None:
    """Wait for a program; return the processor seconds of it and of all that it waited for, where they are counted."""
    if not hasattr(os, "wait4"):
        process.wait()
        return None
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


class Run:
    """Runs steps, with a folder for what they write, and prints as they start and end."""

    def __init__(self, command: BaseCommand, data: Path) -> None:
        """Print through `command`."""
        self.command, self.data = command, data
        self.lock = threading.Lock()
        self.running: dict[str, float] = {}  # when each step began

    def stage(self, steps: list[Step]) -> list[Outcome]:
        """Run steps side by side, one more than there are processors; return their outcomes in order."""
        with ThreadPoolExecutor(WORKERS + 1) as pool:
            futures = [pool.submit(self.step_aside, step) for step in steps]
            for future in self.as_they_end(futures):
                future.result()
            return [future.result() for future in futures]

    def as_they_end(self, futures: list[Future[Outcome]]) -> Iterator[Future[Outcome]]:
        """Yield each future when it is done; print how far running steps are when nothing else is printed."""
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            if not done:
                self.write("".join(self.progress(name, began) for name, began in list(self.running.items())))
            yield from done

    def progress(self, name: str, began: float) -> str:
        """Return a line that says for how long a step has been running, and how many of its tests have ended."""
        counted = self.file(name, "progress")
        tests = counted.read_text(encoding="ascii") if counted.exists() else ""
        return f"   {name}: {time.monotonic() - began:.0f} s{tests and ', '}{tests}\n"

    def step_aside(self, step: Step) -> Outcome:
        """Run a step beside others; print a line when it starts, and its output in one piece when it ends."""
        output = self.file(step.name, "output")
        self.running[step.name] = time.monotonic()
        self.write(f"   {step.name} starts\n")
        outcome = self.step(step, output)
        del self.running[step.name]
        self.head(
            f"{step.name}: {outcome.verdict}, {outcome.seconds:.0f} s",
            output.read_text(encoding="utf-8", errors="replace"),
        )
        return outcome

    def step(self, step: Step, output: Path | None = None) -> Outcome:
        """Run a step; its output goes to this file, else where ours goes."""
        start = time.monotonic()
        with output.open("wb") if output else contextlib.nullcontext() as out:
            process = subprocess.Popen(
                step.command, cwd=settings.BASE_DIR, env=self.environment(step), stdout=out, stderr=out
            )
            try:
                processor = wait_for_end(process)
            except KeyboardInterrupt:
                process.kill()
                raise
        counted = self.file(step.name, "tests")
        tests = json.loads(counted.read_text(encoding="utf-8")) if counted.exists() else {}
        return Outcome(step, process.returncode, time.monotonic() - start, processor, **tests)

    def file(self, name: str, what: str) -> Path:
        """Return the file for something of a step."""
        return self.data / f"{what} of {name}"

    def environment(self, step: Step) -> dict[str, str]:
        """Return the environment of a step, whose pytest counts its tests into two files."""
        kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
        ours = {
            "HANCHAN_DATA": str(self.data),
            "HANCHAN_TEST_COUNTS": str(self.file(step.name, "tests")),
            "HANCHAN_TEST_PROGRESS": str(self.file(step.name, "progress")),
            "PYTHONPATH": str(settings.BASE_DIR),
        }
        if (migrated := self.data / "db.sqlite3").exists():
            ours["HANCHAN_TEST_MIGRATED"] = str(migrated)
        return kept | ours

    def head(self, title: str, text: str = "") -> None:
        """Print a heading, and a text under it."""
        self.write("\n" + self.command.style.MIGRATE_HEADING(f"== {title}") + "\n" + text)

    def write(self, text: str) -> None:
        """Print at once, one thread after the other."""
        with self.lock:
            self.command.stdout.write(text, ending="")
            self.command.stdout.flush()
