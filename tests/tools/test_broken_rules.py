"""The tool that breaks rules notices a row whose tests do not look, and finds none among the statements."""

import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import REPO

ROW = """
[S4]
book = "sanma-rule-book"
rows = [{ at = "9.4", says = "riichi 1,000", is = "right", rule = { riichi_deposit = 1000 }, by = [BY] }]
"""


def broken(*words: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "tools.broken_rules", *words]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by", "code", "said"),
    [
        ('"hand: riichi"', 1, "1 values of 1 rows broken: 1 rows stayed green."),
        ('"hand: riichi", "sanma: S4 9.4, 12: the bet of 1,000"', 0, "1 values of 1 rows broken: 0 rows stayed green."),
    ],
)
def test_a_row_whose_test_does_not_look_stays_green(tmp_path: Path, by: str, code: int, said: str) -> None:
    rows = tmp_path / "rows.toml"
    rows.write_text(ROW.replace("BY", by), encoding="utf-8")
    found = broken(str(rows))
    assert (found[0], found[1].splitlines()[-1]) == (code, said)


@pytest.mark.nightly
def test_no_row_stays_green_under_a_broken_rule() -> None:
    code, said = broken()
    assert (code, said.splitlines()[-1].endswith(": 0 rows stayed green.")) == (0, True), said
