"""The step `scripts` of `manage.py test`: where npm is there and cannot install, that is a failure in npm's words."""

import os
from pathlib import Path

import pytest

from tests import scripts
from tests.scripts import NOT_HERE

STAND_IN = "#!/bin/sh\necho 'npm error code EINTEGRITY' >&2\nexit 217\n"


@pytest.fixture(autouse=True)
def _not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "MODULES", tmp_path / "node_modules")
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.skipif(os.name != "posix", reason="not on Windows: the stand-in is a shell script")
def test_npm_that_cannot_install_fails_the_step_in_its_own_words(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "npm").write_text(STAND_IN)
    (tmp_path / "npm").chmod(0o755)
    assert scripts.exit_code(scripts._checks()) == 1
    told = capfd.readouterr()
    assert "npm error code EINTEGRITY" in told.err
    assert "npm could not install Biome and TypeScript (exit code 217)" in told.out


def test_where_there_is_no_npm_the_step_has_not_run(capfd: pytest.CaptureFixture[str]) -> None:
    assert scripts.exit_code([0, *scripts._checks()]) == NOT_HERE
    assert capfd.readouterr().out == "NOT RUN: Biome and TypeScript: no npm here.\n"


def test_a_failure_counts_more_than_what_is_missing() -> None:
    assert scripts.exit_code([0, NOT_HERE, 3]) == 1
