"""`manage.py test`: what a whole run is made of, and which outcomes spoil it."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ready import program_environment
from web.management.commands.test import NOT_HERE, Command, Outcome, Step, all_steps, stages

REPO = Path(__file__).resolve().parent.parent


def outcome(code: int) -> Outcome:
    """Return a step that ended with this code."""
    return Outcome(Step("tests, PostgreSQL", []), code, 1.5)


def test_a_whole_run_lints_checks_and_tests_twice() -> None:
    names = [step.name for step in all_steps(coverage=False)]
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
        "tests, browser",
    ]


def test_the_quick_ones_run_beside_the_types_and_the_long_ones_alone() -> None:
    assert [len(stage) for stage in stages(all_steps(coverage=False))] == [11, 1, 1]


def test_what_ran_side_by_side_is_told_one_after_the_other(tmp_path: Path) -> None:
    said = io.StringIO()
    steps = [Step(f"s{code}", [sys.executable, "-c", f"print('I am {code}'); exit({code})"]) for code in (0, 3)]
    outcomes = Command(stdout=said, no_color=True).run_stage(steps, str(tmp_path))
    assert [each.code for each in outcomes] == [0, 3]
    assert said.getvalue().split("\n") == ["", "== s0", "I am 0", "", "== s3", "I am 3", ""]
    assert list(tmp_path.iterdir()) == []


def test_some_steps_are_quiet_as_long_as_they_succeed(tmp_path: Path) -> None:
    said = io.StringIO()
    steps = [
        Step(f"s{code}", [sys.executable, "-c", f"print('I am {code}'); exit({code})"], always_told=False)
        for code in (0, 3)
    ]
    Command(stdout=said, no_color=True).run_stage(steps, str(tmp_path))
    assert said.getvalue().split("\n") == ["", "== s0", "", "== s3", "I am 3", ""]


def test_coverage_is_measured_where_it_is_asked_for() -> None:
    plain, measured = (
        [step.name for step in all_steps(coverage=coverage) if "--cov" in step.command] for coverage in (False, True)
    )
    assert (plain, measured) == ([], ["tests, SQLite", "tests, browser"])


@pytest.mark.parametrize(
    ("code", "promised", "verdict", "fails"),
    [
        (0, False, "ok", False),
        (0, True, "ok", False),
        (1, False, "FAILED (1)", True),
        (1, True, "FAILED (1)", True),
        (NOT_HERE, False, "NOT RUN", False),
        (NOT_HERE, True, "NOT RUN", True),
    ],
)
def test_which_outcome_spoils_a_run(
    monkeypatch: pytest.MonkeyPatch, code: int, promised: bool, verdict: str, fails: bool
) -> None:
    monkeypatch.setenv("CI", "true" if promised else "")
    assert outcome(code).verdict == verdict
    assert Command().fails(outcome(code)) is fails


def test_what_nobody_promised_spoils_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    step = Step("packages", [], promised=False)
    assert [Command().fails(Outcome(step, code, 1.5)) for code in (0, NOT_HERE, 1)] == [False, False, True]


def test_its_arguments_are_pytests_and_so_is_its_end(tmp_path: Path) -> None:
    (tmp_path / "test_three.py").write_text(
        "def test_good(): pass\ndef test_bad(): assert 1 == 2\ndef test_off(): pass\n"
    )
    unneeded = ["-p", "no:randomly", "-p", "no:hypothesispytest"]  # the second alone takes a third of the start
    arguments = [str(tmp_path / "test_three.py"), "-q", *unneeded, "-k", "good or bad"]
    done = subprocess.run(
        [sys.executable, str(REPO / "manage.py"), "test", *arguments],
        env=program_environment(tmp_path / "data"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed, 1 deselected" in done.stdout, done.stderr
    assert done.returncode == 1
