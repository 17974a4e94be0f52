"""The borders between the rooms hold, and the check that says so notices when they do not."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
ROOMS = ("rules", "scoring", "tournament", "web")
PURE = ("rules", "scoring", "tournament.seating")

FOUR_ROOMS = "Four rooms: each knows only those to its left"
NO_DJANGO = "rules, scoring and seating are pure: no Django"
SEATING = "seating knows only its own numbers"
WRITE_AND_READ = "services write, selectors read, models know neither"

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
room = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
    if not module.name.endswith(".apps"):
        importlib.import_module(module.name)
print(sorted(name for name in sys.modules if name.split(".")[0] == "django"))
"""


def broken_contracts(tree: Path) -> set[str]:
    """Check the borders of a tree and return the names of the contracts that do not hold."""
    command = [
        sys.executable,
        "-c",
        "from importlinter import cli; cli.lint_imports_command()",
        "--no-logo",
        "--no-cache",
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    verdicts = re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE)
    assert len(verdicts) == 4, done.stdout + done.stderr
    broken = {name for name, verdict in verdicts if verdict == "BROKEN"}
    assert done.returncode == (1 if broken else 0)
    return broken


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the rooms to where they may be broken."""
    copy = tmp_path_factory.mktemp("house")
    for room in ROOMS:
        shutil.copytree(REPO / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPO / "pyproject.toml", copy)
    return copy


def test_the_borders_hold(tree: Path) -> None:
    assert broken_contracts(tree) == set()


@pytest.mark.parametrize(
    ("place", "smuggled", "broken"),
    [
        ("rules", "import scoring.game", {FOUR_ROOMS}),
        ("scoring", "import tournament", {FOUR_ROOMS}),
        ("tournament", "import web.urls", {FOUR_ROOMS}),
        ("rules", "from django.utils import timezone", {NO_DJANGO}),
        ("scoring", "def late():\n    import django.db", {NO_DJANGO}),
        ("tournament/seating", "from django.db import models", {NO_DJANGO}),
        ("tournament/seating", "import tournament.models", {NO_DJANGO, SEATING}),
        ("tournament/selectors", "import tournament.services", {WRITE_AND_READ}),
        ("tournament/models", "import tournament.selectors", {WRITE_AND_READ}),
    ],
)
def test_a_smuggled_import_is_noticed(tree: Path, place: str, smuggled: str, broken: set[str]) -> None:
    smuggler = tree / place / "smuggler.py"
    smuggler.write_text(smuggled + "\n", encoding="utf-8")
    try:
        assert broken_contracts(tree) == broken
    finally:
        smuggler.unlink()


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_loads_no_django(room: str) -> None:
    command = [sys.executable, "-c", IMPORT_EVERYTHING, room]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
