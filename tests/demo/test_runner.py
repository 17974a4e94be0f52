"""One desk of a demo after another, with a program in the desk's place that notes how it was started."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from tournament.demo.views import Demo

DESK = """
import json, os, pathlib, signal, sys

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
with (pathlib.Path(__file__).parent / "started").open("a") as notes:
    print(json.dumps([sys.argv[1:], dict(os.environ)]), file=notes)
if "--prepare" not in sys.argv:
    signal.sigwait({signal.SIGINT})
"""
SPAN = dt.timedelta(seconds=1)


@pytest.fixture
def demo(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Demo:
    settings.BASE_DIR = tmp_path
    (tmp_path / "manage.py").write_text(DESK)
    monkeypatch.setenv("DATABASE_URL", "postgres://operator/desk")
    place = tmp_path / "demo"
    place.mkdir()
    return Demo(place, ("--port", "8000"), SPAN)


def started(demo: Demo) -> list[tuple[list[str], dict[str, str]]]:
    """Return the arguments and the environment of each desk so far."""
    return [tuple(json.loads(line)) for line in (demo.place.parent / "started").read_text().splitlines()]


def test_each_desk_has_a_folder_of_its_own_and_nothing_of_the_operators(demo: Demo) -> None:
    before = dt.datetime.now(dt.UTC)
    first = demo.prepared()
    second = demo.one(first)
    assert [arguments for arguments, _ in started(demo)] == [
        ["desk", "--sample", "--prepare"],
        ["desk", "--port", "8000"],
        ["desk", "--sample", "--prepare"],
    ]
    variables = [variables for _, variables in started(demo)]
    assert [each["HANCHAN_DATA"] for each in variables] == [str(first), str(first), str(second)]
    assert list(demo.place.iterdir()) == [second]
    assert not any("DATABASE_URL" in each for each in variables)
    ends = dt.datetime.fromisoformat(variables[1]["HANCHAN_DEMO_UNTIL"])
    assert before + SPAN <= ends <= dt.datetime.now(dt.UTC)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit('no room')", "The demo cannot be prepared: no room"),
        ("", "The desk of the demo has ended by itself."),
    ],
)
def test_a_demo_that_cannot_go_on_says_why_and_leaves_nothing(demo: Demo, program: str, said: str) -> None:
    (demo.place / "of-a-machine-that-went-off").mkdir()
    (demo.place.parent / "manage.py").write_text(program)
    with pytest.raises(CommandError, match=said):
        demo.run()
    assert not demo.place.exists()
