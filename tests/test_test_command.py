"""`manage.py test`: what a whole run is made of, what it prints, and which outcomes fail it."""

import io
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.management.commands import test
from tests.management.commands.test import NOT_HERE, Command, Outcome, Run, Step, all_steps, fast_steps, stages
from tests.shared_fixtures import program_environment

UNNEEDED = ["-p", "no:randomly", "-p", "no:hypothesispytest"]  # the second alone takes a third of the start


def outcome(
    code: int, *, ran: int | None = None, skipped: dict[str, int] | None = None, required: bool = True
) -> Outcome:
    """Return a step that ended with this code."""
    step = Step("tests, PostgreSQL", [], needs="no PostgreSQL on this machine", required=required)
    return Outcome(step, code, 1.5, 2.25, ran, skipped or {})


def python(code: str, name: str = "s") -> Step:
    """Return a step that runs this line of Python."""
    return Step(name, [sys.executable, "-c", code])


def run_into(said: io.StringIO, data: Path) -> Run:
    """Return a run that prints into `said`."""
    return Run(Command(stdout=said, no_color=True), data)


def test_what_reckons_runs_once() -> None:
    steps = {step.name: step.command for step in all_steps()}
    reckoning = [part for part in steps["tests, reckoning"] if part.startswith("tests/")]
    assert reckoning
    assert {f"--ignore={place}" for place in reckoning} < set(steps["tests, SQLite"])
    assert [place for place in reckoning if not (REPO / place).exists()] == []


def test_a_fast_run_has_the_lints_and_the_quick_tests_of_the_four_rooms() -> None:
    _lints, (tests,) = stages(fast_steps(["-k", "ron"]))
    left_out = [part.partition("=tests/")[2] for part in tests.command if part.startswith("--ignore=")]
    assert "tests" in tests.command
    assert {"rules", "scoring", "tables", "web"}.isdisjoint(left_out)
    assert [place for place in left_out if not (REPO / "tests" / place).is_dir()] == []
    assert "not slow and not whole_run and not browser and not nightly" in tests.command
    assert tests.command[-2:] == ["-k", "ron"]


class Teleprinter(io.StringIO):
    """Lets a program that waits with `WAIT` go on as soon as something is printed that matches."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted, self.server = re.compile(wanted, re.MULTILINE), socket.create_server(("127.0.0.1", 0))
        self.server.settimeout(60)
        self.wait = WAIT.format(self.server.getsockname()[1])

    def write(self, text: str) -> int:
        if self.server.fileno() != -1 and self.wanted.search(text):
            self.server.accept()[0].close()
            self.server.close()
        return super().write(text)


WAIT = "import socket; socket.create_connection(('127.0.0.1', {}), 60).recv(1)"


def test_what_runs_side_by_side_is_printed_when_each_ends(tmp_path: Path) -> None:
    said = Teleprinter("I am quick")
    late = f"{said.wait}\nprint('I am late')"
    outcomes = run_into(said, tmp_path).stage([python(late, "late"), python("print('I am quick')", "quick")])
    assert [(each.step.name, each.code) for each in outcomes] == [("late", 0), ("quick", 0)]
    lines = said.getvalue().split("\n")
    assert sorted(lines[:2]) == ["   late starts", "   quick starts"]
    assert [re.sub(r"\d+ s$", "N s", line) for line in lines[2:7]] == [
        *("", "== quick: ok, N s", "I am quick", ""),
        "== late: ok, N s",
    ]
    assert lines[7:] == ["I am late", ""]


def test_a_long_silence_tells_how_far_each_step_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test, "HEARTBEAT", 0.01)
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):  # the step is no worker of this run
        monkeypatch.delenv(name, raising=False)
    said = Teleprinter(r"^   tests, some: \d+ s, 2 of 3 tests, 1 failed$")
    (tmp_path / "test_three.py").write_text(
        f"def test_bad(): assert False\ndef test_good(): pass\ndef test_waits():\n    {said.wait}\n"
    )
    line = [sys.executable, "-m", "pytest", str(tmp_path), "-p", "tests.conftest", *UNNEEDED]
    outcomes = run_into(said, tmp_path).stage([Step("tests, some", line), python("", "two")])
    assert [each.code for each in outcomes] == [1, 0]


def test_the_processor_seconds_of_a_step_are_those_of_all_its_programs(tmp_path: Path) -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    (outcome,) = run_into(io.StringIO(), tmp_path).stage(
        [python(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])")]
    )
    assert outcome.processor is None if sys.platform == "win32" else (outcome.processor or 0) >= 0.3


@pytest.mark.parametrize(
    ("told", "verdict", "spoils", "spoils_ci"),
    [
        (outcome(0), "ok", False, False),
        (outcome(0, ran=9), "ok", False, False),
        (outcome(1, ran=9), "FAILED (1)", True, True),
        (outcome(1, required=False), "FAILED (1)", True, True),
        (outcome(NOT_HERE), "NOT RUN: no PostgreSQL on this machine", False, True),
        (
            outcome(NOT_HERE, required=False),
            "NOT RUN: no PostgreSQL on this machine (this fails no run)",
            False,
            False,
        ),
        (outcome(0, ran=9, skipped={"Linux alone": 2, "Friday": 1}), "9 passed, 3 SKIPPED", False, True),
        (
            outcome(0, ran=1, skipped={"no PostgreSQL on this machine": 8}),
            "NOT RUN: no PostgreSQL on this machine",
            False,
            True,
        ),
    ],
)  # fmt: skip
def test_what_an_outcome_is_called_and_whether_it_fails_the_run(
    told: Outcome, verdict: str, spoils: bool, spoils_ci: bool
) -> None:
    assert told.verdict == verdict
    assert (told.spoils(require_all=False), told.spoils(require_all=True)) == (spoils, spoils_ci)


@pytest.mark.parametrize(("platform", "spoils"), [("win32", False), ("linux", True)])
def test_what_another_system_cannot_do_is_excused_there_alone(
    platform: str, spoils: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert outcome(0, ran=9, skipped={"not on Windows: a fork": 1}).spoils(require_all=True) is spoils
    assert outcome(0, ran=9, skipped={"not on Windows: a fork": 1, "Friday": 1}).spoils(require_all=True)


def test_the_closing_table_says_what_was_skipped_and_why() -> None:
    said = io.StringIO()
    outcomes = [outcome(0, ran=9), outcome(NOT_HERE), outcome(0, ran=9, skipped={"Linux alone": 2, "Friday": 1})]
    Command(stdout=said, no_color=True).tell([*outcomes, Outcome(Step("ruff", []), 0, 0.5)], 4.5)
    assert said.getvalue().split("\n") == [
        "",
        "                          wall   processor",
        "tests, PostgreSQL        1.5 s       2.2 s  ok",
        "tests, PostgreSQL        1.5 s       2.2 s  NOT RUN: no PostgreSQL on this machine",
        "tests, PostgreSQL        1.5 s       2.2 s  9 passed, 3 SKIPPED",
        "                                            2 skipped: Linux alone",
        "                                            1 skipped: Friday",
        "ruff                     0.5 s              ok",
        "together                 4.5 s       6.8 s",
        "",
    ]


def test_a_step_counts_its_tests(tmp_path: Path) -> None:
    (tmp_path / "test_lacking.py").write_text(
        "import pytest\ndef test_a(): pass\ndef test_b(): pytest.skip('no Chromium on this machine')\n"
    )
    command = [sys.executable, "-m", "pytest", str(tmp_path), "-q", "-p", "tests.conftest", *UNNEEDED]
    outcome = run_into(io.StringIO(), tmp_path).step(Step("s", command), tmp_path / "said")
    assert (outcome.code, outcome.ran, outcome.skipped) == (0, 1, {"no Chromium on this machine": 1})


@pytest.mark.parametrize(("own", "code"), [([], 0), (["--require-all"], 1)])
def test_a_plain_skip_fails_a_run_that_requires_all(own: list[str], code: int, tmp_path: Path) -> None:
    (tmp_path / "test_off.py").write_text("import pytest\ndef test_a(): pass\ndef test_b(): pytest.skip('Friday')\n")
    done = manage_test(*own, str(tmp_path / "test_off.py"), "-q", "-p", "tests.conftest", *UNNEEDED, data=tmp_path)
    assert done.returncode == code, done.stderr
    assert ("1 passed, 1 SKIPPED" in done.stdout) is bool(code)


def test_our_own_ci_demands_everything() -> None:
    assert "python3 manage.py test --require-all\n" in (REPO / ".ci" / "run").read_text(encoding="utf-8")


def manage_test(*arguments: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run `manage.py test` with these arguments."""
    line = [sys.executable, str(REPO / "manage.py"), "test", *arguments]
    return subprocess.run(line, env=program_environment(data / "data"), capture_output=True, text=True, check=False)


def test_its_arguments_are_pytests_and_so_is_its_end(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(
        "def test_good(): pass\ndef test_bad(): assert 1 == 2\ndef test_off(): pass\n"
    )
    done = manage_test(str(tmp_path / "test_three.py"), "-q", *UNNEEDED, "-k", "good or bad", data=tmp_path)
    assert "1 failed, 1 passed, 1 deselected" in done.stdout, done.stderr
    assert done.returncode == 1
