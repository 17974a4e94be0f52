"""`manage.py test`: what a whole run is made of, what it prints, and which outcomes fail it."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import REPO
from tests.management.commands import test
from tests.management.commands.test import NOT_HERE, Command, Outcome, Run, Step, all_steps, fast_steps, stages
from tests.ready import program_environment

UNNEEDED = ["-p", "no:randomly", "-p", "no:hypothesispytest"]  # the second alone takes a third of the start


def outcome(
    code: int, *, ran: int | None = None, skipped: dict[str, int] | None = None, required: bool = True
) -> Outcome:
    """Return a step that ended with this code."""
    step = Step("tests, PostgreSQL", [], needs="no PostgreSQL on this machine", required=required)
    return Outcome(step, code, 1.5, ran, skipped or {})


def python(code: str, name: str = "s", *, always_told: bool = True) -> Step:
    """Return a step that runs this line of Python."""
    return Step(name, [sys.executable, "-c", code], always_told=always_told)


def run_into(said: io.StringIO, data: Path, *, require_all: bool = False) -> Run:
    """Return a run that prints into `said`."""
    return Run(Command(stdout=said, no_color=True), data, require_all=require_all)


def test_a_whole_run_lints_checks_and_tests_twice() -> None:
    names = [step.name for step in all_steps()]
    assert names == [
        "types",
        "ruff",
        "format",
        "templates",
        "scripts",
        "borders",
        "migrations",
        "a new database",
        "packages",
        "tests are found",
        "tests, PostgreSQL",
        "tests, SQLite",
        "tests, reckoning",
        "tests, browser",
    ]


def test_the_quick_ones_run_beside_the_types_and_what_reckons_beside_the_browser() -> None:
    assert [len(stage) for stage in stages(all_steps())] == [11, 1, 2]
    assert [len(stage) for stage in stages(all_steps(coverage=True))] == [11, 1, 1, 1]


def test_what_reckons_runs_once() -> None:
    steps = {step.name: step.command for step in all_steps()}
    reckoning = [part for part in steps["tests, reckoning"] if part.startswith("tests/")]
    assert reckoning
    assert {f"--ignore={place}" for place in reckoning} < set(steps["tests, SQLite"])
    assert [place for place in reckoning if not (REPO / place).exists()] == []


def test_a_fast_run_has_the_lints_and_the_quick_tests_of_the_four_rooms() -> None:
    lints, (tests,) = stages(fast_steps(["-k", "ron"]))
    assert [step.name for step in lints] == [
        "ruff", "format", "templates", "scripts", "borders", "migrations", "a new database",
    ]  # fmt: skip
    assert {"tests/rules", "tests/scoring", "tests/tournament", "tests/web"} < set(tests.command)
    assert "not slow and not whole_run and not browser and not nightly" in tests.command
    assert tests.command[-2:] == ["-k", "ron"]


class Teleprinter(io.StringIO):
    """Makes a file as soon as a word is printed."""

    def __init__(self, word: str, file: Path) -> None:
        super().__init__()
        self.word, self.file = word, file

    def write(self, text: str) -> int:
        if self.word in text:
            self.file.touch()
        return super().write(text)


def test_what_runs_side_by_side_is_printed_when_each_ends(tmp_path: Path) -> None:
    go, data = tmp_path / "go", tmp_path / "data"
    data.mkdir()
    said = Teleprinter("I am quick", go)
    late = f"""
import pathlib, sys, time
end = time.monotonic() + 60
while not pathlib.Path({str(go)!r}).exists():
    time.sleep(0.01)
    if time.monotonic() > end:
        sys.exit("the other's output was held back")
print("I am late")
"""
    outcomes = run_into(said, data).stage([python(late, "late"), python("print('I am quick')", "quick")])
    assert [(each.step.name, each.code) for each in outcomes] == [("late", 0), ("quick", 0)]
    lines = said.getvalue().split("\n")
    assert sorted(lines[:2]) == ["   late starts", "   quick starts"]
    assert [re.sub(r"\d+ s$", "N s", line) for line in lines[2:7]] == [
        *("", "== quick: ok, N s", "I am quick", ""),
        "== late: ok, N s",
    ]
    assert lines[7:] == ["I am late", ""]
    assert list(data.iterdir()) == []


def test_a_long_silence_names_what_still_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test, "HEARTBEAT", 0.01)
    heard = tmp_path / "heard"

    class Listener(io.StringIO):
        def write(self, text: str) -> int:
            if "still running" in text:
                heard.touch()
            return super().write(text)

    said = Listener()
    until_heard = f"import pathlib\nwhile not pathlib.Path({str(heard)!r}).exists(): pass"
    run_into(said, tmp_path).stage([python(until_heard, "one"), python("", "two")])
    assert "   still running: " in said.getvalue()


def test_some_steps_are_quiet_as_long_as_they_succeed(tmp_path: Path) -> None:
    said = io.StringIO()
    steps = [python(f"print('I am {code}'); exit({code})", f"s{code}", always_told=False) for code in (0, 3)]
    outcomes = run_into(said, tmp_path).stage(steps)
    assert [each.code for each in outcomes] == [0, 3]
    assert "I am 0" not in said.getvalue()
    assert re.search(r"^== s3: FAILED \(3\), \d+ s\nI am 3$", said.getvalue(), re.MULTILINE)


def test_coverage_is_measured_where_it_is_asked_for() -> None:
    plain, measured = (
        [step.name for step in all_steps(coverage=coverage) if "--cov" in step.command] for coverage in (False, True)
    )
    assert (plain, measured) == ([], ["tests, SQLite", "tests, reckoning", "tests, browser"])


@pytest.mark.parametrize(
    ("told", "verdict", "spoils", "spoils_ci"),
    [
        (outcome(0), "ok", False, False),
        (outcome(0, ran=9), "ok", False, False),
        (outcome(1, ran=9), "FAILED (1)", True, True),
        (outcome(1, required=False), "FAILED (1)", True, True),
        (outcome(NOT_HERE), "NOT RUN: no PostgreSQL on this machine", False, True),
        (outcome(NOT_HERE, required=False), "NOT RUN: no PostgreSQL on this machine", False, False),
        (outcome(0, ran=9, skipped={"Linux alone": 2, "Friday": 1}), "9 passed, 3 SKIPPED", False, False),
        (
            outcome(0, ran=1, skipped={"no PostgreSQL on this machine": 8}),
            "NOT RUN: no PostgreSQL on this machine",
            False,
            False,  # with --require-all these tests fail by themselves
        ),
    ],
)  # fmt: skip
def test_what_an_outcome_is_called_and_whether_it_fails_the_run(
    told: Outcome, verdict: str, spoils: bool, spoils_ci: bool
) -> None:
    assert told.verdict == verdict
    assert (told.spoils(require_all=False), told.spoils(require_all=True)) == (spoils, spoils_ci)


def test_the_closing_table_says_what_was_skipped_and_why() -> None:
    said = io.StringIO()
    outcomes = [outcome(0, ran=9), outcome(NOT_HERE), outcome(0, ran=9, skipped={"Linux alone": 2, "Friday": 1})]
    Command(stdout=said, no_color=True).tell(outcomes, 4.5)
    assert said.getvalue().split("\n") == [
        "",
        "tests, PostgreSQL        1.5 s  ok",
        "tests, PostgreSQL        1.5 s  NOT RUN: no PostgreSQL on this machine",
        "tests, PostgreSQL        1.5 s  9 passed, 3 SKIPPED",
        "                                2 skipped: Linux alone",
        "                                1 skipped: Friday",
        "together                 4.5 s",
        "",
    ]


def test_a_step_counts_its_tests_and_ci_alone_demands_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is absent is skipped and counted, and fails with --require-all."""
    monkeypatch.setenv("CI", "true")
    (tmp_path / "test_lacking.py").write_text(
        "from tests.conftest import absent\ndef test_a(): pass\ndef test_b(): absent('no Chromium on this machine')\n"
    )
    command = [sys.executable, "-m", "pytest", str(tmp_path), "-q", "-p", "tests.conftest", *UNNEEDED]
    outcomes = []
    for require_all in (False, True):
        run = Run(Command(stdout=io.StringIO()), tmp_path, require_all=require_all)
        outcomes.append(run.step(Step("s", command), tmp_path / "said"))
    assert [(each.code, each.ran, each.skipped) for each in outcomes] == [
        (0, 1, {"no Chromium on this machine": 1}),
        (1, 1, {}),
    ]
    assert "--require-all, and yet: no Chromium on this machine" in (tmp_path / "said").read_text()


def test_our_own_ci_demands_everything() -> None:
    assert "python3 manage.py test --require-all\n" in (REPO / ".ci" / "run").read_text(encoding="utf-8")


def test_its_arguments_are_pytests_and_so_is_its_end(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(
        "def test_good(): pass\ndef test_bad(): assert 1 == 2\ndef test_off(): pass\n"
    )
    arguments = [str(tmp_path / "test_three.py"), "-q", *UNNEEDED, "-k", "good or bad"]
    done = subprocess.run(
        [sys.executable, str(REPO / "manage.py"), "test", *arguments],
        env=program_environment(tmp_path / "data"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed, 1 deselected" in done.stdout, done.stderr
    assert done.returncode == 1
