"""The measure itself: a small hall through a real server."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.nightly, pytest.mark.slow]
REPO = Path(__file__).resolve().parents[2]


def test_a_small_hall_is_measured() -> None:
    small = ["--tables", "2", "--phones", "3", "--seconds", "2", "--pause", "0.2"]
    command = [sys.executable, "-m", "tests.load", *small]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    assert seen["phones"]["failed"] == 0
    assert seen["phones"]["share_304"] == 1
    assert seen["after_a_release"]["phones"]["statuses"]["200"] == 2 * 3  # the version and the page of each
    assert seen["desk_alone"]["hands"] > 1
